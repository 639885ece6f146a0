"""The dice model: honest masks leave it at chance, leaks show in the loss."""

import math

import pytest
import torch

from course_lib.kernels.masks import Mask, causal
from course_lib.models.dice import (
    LENGTH,
    SIDES,
    Dice,
    Trained,
    honest_loss,
    throw,
    train,
    tried_under,
)

one_too_far = Mask("one too far", lambda b, i, j: j <= i + 1)


def rolls(repeat=0.0, rows=20_000):
    return throw(rows, torch.Generator().manual_seed(3), repeat=repeat)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_an_honest_model_ends_at_chance(seed):
    trained = train(causal, seed=seed)
    assert trained.loss == pytest.approx(math.log(SIDES), abs=0.02)
    assert trained.accuracy == pytest.approx(1 / SIDES, abs=0.02)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_one_place_of_the_future_is_enough_to_know_all(seed):
    trained = train(one_too_far, seed=seed)
    assert trained.loss < 0.01
    assert trained.accuracy > 0.999


def test_a_leak_at_every_second_place_is_seen_between_the_two():
    half = Mask("half", lambda b, i, j: (j <= i) | ((j == i + 1) & (i % 2 == 1)))
    assert train(half).loss == pytest.approx(math.log(SIDES) * 6 / 11, abs=0.4)
    assert 0.4 < train(half).accuracy < 0.6


def test_an_honest_model_learns_what_there_is_to_learn():
    trained = train(causal, repeat=0.5)
    assert honest_loss(0.5) - 0.02 < trained.loss < honest_loss(0.5) + 0.06


def test_a_label_that_is_not_shifted_stands_in_plain_sight():
    assert train(causal, shift=0).loss < 0.01


def test_training_is_the_same_each_time_and_leaves_torch_as_it_was():
    state, threads = torch.random.get_rng_state(), torch.get_num_threads()
    first, second = train(causal, steps=range(3)), train(causal, steps=range(3))
    assert first == second
    assert torch.random.get_rng_state().equal(state)
    assert torch.get_num_threads() == threads


def test_the_model_reads_no_further_than_its_mask():
    model, one = Dice(causal), rolls(rows=5)
    other = one.clone()
    other[:, 7:] = (other[:, 7:] + 1) % SIDES
    assert model(one)[:, :7].equal(model(other)[:, :7])
    assert not model(one)[:, 7:].equal(model(other)[:, 7:])


@pytest.mark.parametrize("repeat", [0.0, 0.5, 1.0])
def test_dice_repeat_as_often_as_asked(repeat):
    thrown = rolls(repeat)
    assert thrown.shape == (20_000, LENGTH)
    assert thrown.min() == 0
    assert thrown.max() == SIDES - 1
    same = (thrown[:, 1:] == thrown[:, :-1]).double().mean().item()
    assert same == pytest.approx(repeat + (1 - repeat) / SIDES, abs=0.01)


@pytest.mark.parametrize("back", [1, 2, 3])
def test_the_honest_loss_is_the_entropy_that_is_counted(back):
    thrown = rolls(0.5)
    same = (thrown[:, back:] == thrown[:, :-back]).double().mean().item()
    other = (1 - same) / (SIDES - 1)
    counted = -same * math.log(same) - (SIDES - 1) * other * math.log(other)
    assert honest_loss(0.5, back) == pytest.approx(counted, abs=0.01)


def test_fair_dice_and_sure_ones_are_the_ends():
    assert honest_loss() == pytest.approx(math.log(SIDES))
    assert honest_loss(1.0) == 0


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: train(causal, shift=2), "shift is 2"),
        (lambda: train(causal, repeat=2, steps=()), "a chance lies between"),
        (lambda: honest_loss(-0.1), "a chance lies between"),
        (lambda: honest_loss(0.5, back=0), "back is 0"),
        (lambda: throw(0, torch.Generator()), "rows is 0"),
        (lambda: Dice(causal)(torch.ones(1, 11, dtype=torch.int64)), "rolls has shape"),
        (lambda: Dice(causal)(torch.full((1, 12), 9)), "from 0 to 7"),
    ],
)
def test_bad_input_is_refused_with_its_reason(call, said):
    with pytest.raises(ValueError, match=said):
        call()


def test_a_model_that_read_the_answer_is_worse_than_chance_where_it_cannot():
    cheat = train(one_too_far)
    writing = tried_under(causal, cheat)
    assert writing.loss > 2 * math.log(SIDES)
    assert writing.accuracy == pytest.approx(1 / SIDES, abs=0.02)
    assert tried_under(one_too_far, cheat).accuracy > 0.999


def test_only_what_was_trained_here_can_be_tried_under_another_mask():
    with pytest.raises(ValueError, match="has no model"):
        tried_under(causal, Trained((1.0,), 1.0, 0.1))


def test_a_model_that_hides_its_own_throw_still_knows_it_from_its_query():
    strict = Mask("strict", lambda b, i, j: j < i)
    assert honest_loss(0.5) + 0.1 < train(strict, repeat=0.5).loss < honest_loss(0.5, back=2) - 0.05
