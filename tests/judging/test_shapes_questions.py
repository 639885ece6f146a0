"""Arguments not given, questions about whole arrays, sizes that are no whole numbers."""

import numpy as np
import pytest
import torch

from course_lib.judging.answer import verdict_on
from course_lib.judging.exercise import Exercise, inputs
from tests.judging.shapes_of import heads, table, told


def optional(q, k, mask=None):
    scores = q @ k.mT
    return scores if mask is None else scores.masked_fill(~mask, -1.0)


def on_a_mask(given):
    """The exercise `optional`, with a mask or without."""

    def case(rng):
        mask = torch.ones(3, 5, dtype=torch.bool).tril() if given else None
        return inputs(torch.ones(3, 4), torch.ones(5, 4), mask=mask)

    return Exercise(answer=optional, cases=(case,))


@pytest.mark.parametrize(
    "wrong",
    [
        lambda q, k, mask=None: (q @ k.mT).masked_fill(~mask, -1.0),
        lambda q, k, mask=None: (q @ k.mT).masked_fill(mask == 0, -1.0),
        lambda q, k, mask=None: torch.where(mask, q @ k.mT, -1.0),
        lambda q, k, mask=None: (q @ k.mT) * mask,
    ],
)
def test_what_was_not_given_is_named_with_the_question_to_ask(wrong):
    symptom = verdict_on(on_a_mask(False), wrong).symptom
    assert "`mask` is None here, as none was given" in symptom
    assert "`if mask is not None:`" in symptom


def if_given(q, k, mask=None):
    if mask:
        return (q @ k.mT).masked_fill(~mask, -1.0)
    return q @ k.mT


def if_not_given(q, k, mask=None):
    return q @ k.mT if not mask else (q @ k.mT).masked_fill(~mask, -1.0)


def given_on_one_line(q, k, mask=None):
    return (q @ k.mT).masked_fill(~mask, -1.0) if mask else q @ k.mT


@pytest.mark.parametrize("wrong", [if_given, if_not_given, given_on_one_line])
def test_whoever_asks_whether_a_mask_was_given_is_not_told_of_and_and_or(wrong):
    symptom = verdict_on(on_a_mask(True), wrong).symptom
    assert "`mask is not None` asks" in symptom
    assert "`&`" not in symptom


def only_if_large(q, k):
    scores = q @ k.T
    return scores if scores > 0 else -scores


def test_a_question_about_the_entries_of_an_array_keeps_its_own_answer():
    assert "`&`, `|`, `~`" in told(table, only_if_large)[0]
    assert "`&`, `|`, `~`" in told(table, lambda q, k: q @ k.T if q > 0 else k)[0]


@pytest.mark.parametrize(
    ("wrong", "source"),
    [
        (lambda q, k: q.reshape(2, len(q) / 1) @ k.T, "`len(q) / 1` is 3.0"),
        (lambda q, k: q[: q.shape[1] / 2] @ k.T, "`q.shape[1] / 2` is 2.0"),
        (lambda q, k: np.zeros((3, 10 / 2)), "`10 / 2` is 5.0"),
    ],
)
@pytest.mark.parametrize("of_torch", [False, True])
def test_a_size_with_a_decimal_point_is_named(wrong, source, of_torch):
    symptom = told(table, wrong, of_torch)[0]
    assert source in symptom
    assert "`//` does not" in symptom


def test_sizes_that_agree_by_chance_do_not_make_a_turn_idle():
    """The shape (1, 2, 2, 1) reads the same backwards, and `.T` turns round all four axes."""
    shapes = ((1, 2, 2, 1), (1, 2, 2, 1)), ((2, 3, 5, 7), (2, 3, 11, 7))
    cases = tuple(lambda rng, two=two: inputs(*map(torch.ones, two)) for two in shapes)
    for wrong in (lambda q, k: q @ k.T, lambda q, k: q @ k.transpose(1, 2)):
        folded = verdict_on(Exercise(answer=heads, cases=cases), wrong).diagnosis
        assert "does not exchange the last two axes; `k.mT` does" in folded
        assert "leaves every axis" not in folded
