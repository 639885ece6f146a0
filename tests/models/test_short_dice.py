"""The short game of dice: each place knows the next throw where its mask shows it, else nothing."""

import math

import pytest
import torch

from course_lib.models.dice import SIDES, honest_loss
from course_lib.models.short_dice import THROWS, known_places

CHANCE = math.log(SIDES)
HONEST = torch.ones(THROWS, THROWS).tril().bool()


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_an_honest_mask_leaves_every_place_at_chance(seed):
    assert known_places(HONEST, seed=seed).losses == pytest.approx(
        torch.full((5,), CHANCE), abs=0.06
    )


@pytest.mark.parametrize("leaks", [[(0, 1)], [(1, 2), (3, 4)], [(2, 3), (3, 4), (4, 5)]])
def test_the_cell_right_of_the_diagonal_makes_its_own_place_know_and_no_other(leaks):
    allowed = HONEST.clone()
    for cell in leaks:
        allowed[cell] = True
    known = known_places(allowed)
    rows = [row for row, _ in leaks]
    for place in range(THROWS - 1):
        loss = known.losses[place].item()
        assert loss < 0.3 if place in rows else loss == pytest.approx(CHANCE, abs=0.15)
        if place in rows:
            assert known.weights[place].argmax() == place + 2  # behind the start mark


def test_a_later_throw_that_is_not_asked_for_helps_nobody():
    allowed = HONEST.clone()
    allowed[0, 2:] = allowed[1, 4] = True
    assert known_places(allowed).losses == pytest.approx(torch.full((5,), CHANCE), abs=0.06)


def test_dice_that_repeat_can_be_learned_by_who_sees_the_throw_before():
    seen = known_places(HONEST, repeat=0.5).losses
    assert seen == pytest.approx(torch.full((5,), honest_loss(0.5)), abs=0.1)
    blind = known_places(torch.ones(THROWS, THROWS).tril(-1).bool(), repeat=0.5).losses
    assert (blind[1:] > honest_loss(0.5) + 0.15).all()
    assert blind[0] == pytest.approx(CHANCE, abs=0.06)


def test_weights_are_shares_and_none_goes_where_the_mask_is_closed():
    weights = known_places(HONEST).weights
    assert weights.sum(dim=1) == pytest.approx(torch.ones(5).double())
    assert (weights[:, 1:][~HONEST[:-1]] == 0).all()


def test_training_is_the_same_each_time_and_leaves_torch_as_it_was():
    state = torch.random.get_rng_state()
    first, second = known_places(HONEST), known_places(HONEST)
    assert torch.equal(first.losses, second.losses)
    assert torch.equal(state, torch.random.get_rng_state())


@pytest.mark.parametrize("wrong", [torch.ones(6, 5).bool(), torch.ones(6, 6), torch.ones(6).bool()])
def test_a_mask_that_is_no_square_of_true_and_false_is_refused(wrong):
    with pytest.raises(ValueError, match="square table"):
        known_places(wrong)
