import dataclasses
import re

import numpy as np
import pytest
import torch

from course_lib.learner.compare import all_finite, drawn_alike, leaves, misfit


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16], ids=str)
def test_tensors_are_compared_by_their_numbers(dtype):
    right = {"x": torch.tensor([1.0, 2.0, 4.0])}
    yours = {"x": torch.nn.Parameter(right["x"].to(dtype))}
    assert misfit(yours, right) == ""
    assert drawn_alike(yours, right)
    assert all_finite(yours)
    assert not drawn_alike({"x": yours["x"] * 1.25}, right)
    assert "shape (2,)" in misfit({"x": yours["x"][:2]}, right)
    assert not all_finite({"x": yours["x"] / 0})


@dataclasses.dataclass
class Pair:
    a: float
    b: tuple


def test_leaves_are_found_in_dicts_tuples_and_dataclasses():
    found = leaves({"x": Pair(1.0, (2, [3])), "y": "word"})
    assert found == {"x.a": 1.0, "x.b.0": 2, "x.b.1.0": 3, "y": "word"}


@pytest.mark.parametrize(
    ("yours", "says"),
    [
        ({"x": [1.0, 2.0, 3.0]}, "no value"),
        ({"x": np.zeros((2, 3))}, r"shape \(2, 3\) where shape \(3, 2\)"),
        ({"x": np.full((3, 2), np.nan)}, "NaN"),
        ({"x": "word"}, "not a number"),
        ({"x": np.array([["a", "b"]] * 3)}, "not a number"),
        ({}, "no value"),
    ],
)
def test_data_that_cannot_be_drawn_is_named(yours, says):
    assert re.search(says, misfit(yours, {"x": np.zeros((3, 2))}))


def test_data_of_the_same_kind_fits():
    assert misfit({"x": np.ones((3, 2), dtype="f4")}, {"x": np.zeros((3, 2))}) == ""
    assert misfit({"x": np.nan}, {"x": np.nan}) == ""


def test_float32_agrees_and_another_answer_does_not():
    right = {"x": np.linspace(-1, 1, 7), "name": "course"}
    assert drawn_alike({"x": right["x"].astype("f4"), "name": "yours"}, right)
    assert not drawn_alike({"x": right["x"] * 1.01, "name": "course"}, right)
    assert not drawn_alike({"x": -right["x"], "name": "course"}, right)
