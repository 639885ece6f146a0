"""Errors of shapes, as beginners make them: every number in a sentence is one of a real shape."""

import re

import numpy as np
import pytest
import torch
from numpy.linalg import norm

from tests.judging.shapes_of import NUMPY, exercise_on, heads, mixed, table, told


def given_back(x):
    return x


TORCH = [
    (mixed, lambda weights, v: weights * v, "in the last place they are 5 and 2", "`weights @ v`"),
    (mixed, lambda weights, v: weights @ v.T, "must be as long as a column of the second (2)",
     "`v.T` is turned: as `v` it has shape (5, 2)"),
    (mixed, lambda weights, v: torch.mm(v, weights), "for `mm`", "`torch.mm(weights, v)`"),
    (table, lambda q, k: q @ k, "a row of the first (4 numbers) must be", "`k.T` has shape (4, 5)"),
    (table, lambda q, k: torch.dot(q, k), "`dot` takes two tensors of one axis each", ""),
    (table, lambda q, k: given_back(q) * k, "at axis 0 of the result they are 3 and 5", ""),
    (table, lambda q, k: torch.bmm(q, k), "takes two tensors of 3 axes", ""),
    (table, lambda q, k: (q @ k.T) / (q.norm(dim=-1) * k.norm(dim=-1)),
     "`k.norm(dim=-1)` has shape (5,)", "has shape (3, 5)"),
    (table, lambda q, k: torch.softmax(q @ k.T, dim=2), "there is no axis 2", ""),
    (table, lambda q, k: q @ k.transpose(1, 2), "`k` has shape (5, 4)", ""),
    (table, lambda q, k: torch.cat([q, k], dim=1), "along axis 1", "Along axis 0 `cat` fits"),
    (table, lambda q, k: q.float() @ k.T, "holds float32 and `k.T` float64", ""),
    (table, lambda q, k: torch.nn.functional.linear(q, k.T), "must be equal, not 4 and 5",
     "`k.T` is turned"),
    (table, lambda q, k: torch.einsum("td,ds->ts", q, k), "letter `d` would be 4", ""),
    (table, lambda q, k: (q @ k.T).masked_fill(k > 0, 0.0), "`k > 0` has shape (5, 4)", ""),
    (heads, lambda q, k: q @ k, "must be as long as a column of the second (11)",
     "`k.mT` has shape (2, 3, 7, 11)"),
    (heads, lambda q, k: q @ k.transpose(1, 2), "`k.transpose(1, 2)` has shape (2, 11, 3, 7)",
     "`k.mT` does"),
    (heads, lambda q, k: q.transpose(1, 2).view(2, 5, 21), "`reshape` copies", ""),
    (heads, lambda q, k: torch.nn.Linear(5, 2, dtype=q.dtype)(q), "there `q` has shape", ""),
]  # fmt: skip


@pytest.mark.parametrize(("answer", "wrong", "words", "folded"), NUMPY)
def test_a_line_of_numpy_is_told_in_its_own_names(answer, wrong, words, folded):
    symptom, diagnosis = told(answer, wrong)
    assert words in symptom
    assert folded in diagnosis
    assert bool(folded) == bool(diagnosis)
    assert "gufunc" not in symptom


@pytest.mark.parametrize(("answer", "wrong", "words", "folded"), TORCH)
def test_a_line_of_torch_is_told_in_its_own_names(answer, wrong, words, folded):
    symptom, diagnosis = told(answer, wrong, of_torch=True)
    assert words in symptom
    assert folded in diagnosis
    assert bool(folded) == bool(diagnosis)


ALL = [(*one[:2], False) for one in NUMPY] + [(*one[:2], True) for one in TORCH]


@pytest.mark.parametrize(("answer", "wrong", "of_torch"), ALL)
def test_every_shape_that_is_told_is_the_real_one(answer, wrong, of_torch):
    """What stands in backticks before "has shape" is computed again on the inputs of the case."""
    symptom, diagnosis = told(answer, wrong, of_torch)
    case = exercise_on(answer, of_torch).cases[0](np.random.default_rng(0))
    names = dict(zip(answer.__code__.co_varnames, case.args, strict=True))
    space = {"np": np, "torch": torch, "norm": norm, **names}
    checked = 0
    said = re.findall(r"`([^`]+)` (?:it )?has shape (\([\d, ]*\))", symptom + diagnosis)
    for source, shape in said:
        if not {"scores", "out"} & set(re.findall(r"\w+", source)):
            where = {**space, "i": 0}
            assert str(tuple(eval(source, where).shape)) == shape, source
            checked += 1
    assert checked or "has shape" not in symptom or "scores" in symptom or "out" in symptom
