"""Dice that repeat the last throw but one: a heap cannot find it, turned queries and keys can."""

from collections import Counter
from itertools import permutations

import pytest
import torch
from torch.nn.functional import one_hot

from course_lib.kernels.positions import rotary
from course_lib.models.dice import LENGTH, SIDES
from course_lib.models.dice_in_pairs import (
    BEST,
    REPEAT,
    PairedDice,
    eight_throws,
    share_right,
    throw_in_pairs,
    train_on_pairs,
)


@pytest.fixture(scope="module")
def turning():
    return train_on_pairs(turned=True)


def test_a_throw_mostly_shows_what_the_last_but_one_showed():
    rolls = throw_in_pairs(20_000, torch.Generator().manual_seed(3))
    same = (rolls[:, 2:] == rolls[:, :-2]).double().mean().item()
    assert rolls.shape == (20_000, LENGTH)
    assert same == pytest.approx(BEST, abs=0.01)
    assert (rolls[:, 1:] == rolls[:, :-1]).double().mean().item() == pytest.approx(
        1 / SIDES, abs=0.01
    )


def test_turned_queries_and_keys_find_the_throw_that_a_heap_cannot_find(turning):
    assert share_right(turning) > BEST - 0.03
    assert share_right(train_on_pairs(turned=False)) < BEST - 0.1


def test_who_sees_the_heap_alone_is_right_in_61_of_100_at_best():
    rolls = throw_in_pairs(100_000, torch.Generator().manual_seed(4))
    right = 0.0
    for place in range(1, LENGTH - 1):
        counts = one_hot(rolls[:, : place + 1], SIDES).sum(dim=1)
        own, follows = rolls[:, place : place + 1], rolls[:, place + 1 : place + 2]
        # what is known: how often each side fell, and which one asks; sides may exchange names
        others = counts.scatter(1, own, -1).sort(dim=1).values
        seen = torch.cat((counts.gather(1, own), others), dim=1)
        heaps, which = seen.unique(dim=0, return_inverse=True)
        # a guess: the own side, or one of those that fell so often
        said = torch.where(follows == own, LENGTH, counts.gather(1, follows))[:, 0]
        hits = torch.zeros(len(heaps), LENGTH + 1)
        hits.index_put_((which, said), torch.ones(()), accumulate=True)
        alike = one_hot(heaps[:, 2:], LENGTH + 1).sum(dim=1).clamp(min=1)
        right += (hits / alike).amax(dim=1).sum().item() / len(rolls)
    assert right / (LENGTH - 2) == pytest.approx(0.61, abs=0.005)
    assert share_right(train_on_pairs(turned=False)) == pytest.approx(0.60, abs=0.02)


def _last_of_the_heap(heap, own):
    """How likely each side fell last, right before `own`, if only the heap is known."""
    chances = Counter()
    for order in set(permutations(heap)):
        series = (*order, own)
        chance = 1.0
        for before, after in zip(series, series[2:], strict=False):
            chance *= REPEAT * (before == after) + (1 - REPEAT) / SIDES
        chances[order[-1]] += chance
    return {side: chance / chances.total() for side, chance in chances.items()}


def test_in_one_of_the_eight_rows_alone_the_order_decides():
    throws = [side + 1 for side in eight_throws()[0].tolist()]
    assert throws == [7, 5, 7, 5, 7, 8, 7, 8]
    rows = {row: _last_of_the_heap(throws[:row], throws[row]) for row in range(1, len(throws))}
    assert rows.pop(6) == pytest.approx({8: 0.45, 5: 0.47, 7: 0.08}, abs=0.005)
    for row, chances in rows.items():
        assert max(chances.values()) > 0.945
        assert max(chances, key=chances.get) == throws[row - 1]


def test_scores_of_ones_own_count(turning):
    def scores(q, k):
        return (rotary(q) @ rotary(k).T / q.shape[1] ** 0.5).tolist()

    def without_places(q, k):
        return q @ k.T / q.shape[1] ** 0.5

    assert share_right(turning, scores=scores) == pytest.approx(share_right(turning), abs=0.01)
    assert share_right(turning, scores=without_places) < share_right(turning) - 0.1


def test_the_turned_model_tells_the_throw_before_from_its_own_where_the_two_differ(turning):
    rolls = throw_in_pairs(500, torch.Generator().manual_seed(1))
    with torch.no_grad():
        weights = turning.weights(rolls)
    before, own = weights.diagonal(-1, 1, 2), weights.diagonal(0, 1, 2)[:, 1:]
    alike = rolls[:, 1:] == rolls[:, :-1]
    assert before[~alike].mean() > 0.95
    assert before[alike].mean() < 0.9
    assert (before + own)[alike].mean() > 0.95  # both show the same side


def test_it_reads_no_later_throw():
    model, rolls = PairedDice(turned=True), throw_in_pairs(5, torch.Generator().manual_seed(0))
    other = rolls.clone()
    other[:, 7:] = (other[:, 7:] + 1) % SIDES
    torch.testing.assert_close(model(rolls)[:, :7], model(other)[:, :7])
    assert not torch.allclose(model(rolls)[:, 7:], model(other)[:, 7:])


def test_the_weights_that_are_shown_are_those_that_make_the_output(turning):
    rolls = throw_in_pairs(3, torch.Generator().manual_seed(5))
    weights = turning.weights(rolls)
    assert weights.shape == (3, LENGTH, LENGTH)
    torch.testing.assert_close(weights.sum(dim=-1), torch.ones(3, LENGTH))
    made = turning.out(weights @ turning.value(turning.side(rolls)))
    torch.testing.assert_close(made, turning(rolls))


def test_training_leaves_the_generator_of_torch_as_it_was():
    state = torch.random.get_rng_state()
    train_on_pairs(turned=True, steps=range(2))
    assert torch.random.get_rng_state().equal(state)
