import dataclasses
import warnings

import numpy as np
import pytest
import torch

from course_lib.learner.in_explorers import Stopped, agree, attempt, finite, leaves, misfit, safely
from tests.sliding.examples import Adapter, recurses, total


def test_a_plain_function_is_the_learners_own():
    own = attempt("total", max, total)
    assert own.function(np.array([1, 5])) == 5
    assert not own.judged_right


def test_the_courses_function_is_not_the_learners():
    assert attempt("total", total, total).function is None


def test_an_adapter_without_an_attempt_has_none():
    assert attempt("total", Adapter(None, "course"), total).function is None


def test_an_adapter_tells_whether_the_attempt_was_right():
    assert attempt("total", Adapter(sum, "yours"), total).judged_right
    assert not attempt("total", Adapter(sum, "course"), total).judged_right


def test_the_learners_function_gets_copies():
    def spoil(values):
        values[0] = 99
        return values

    values = np.array([1.0, 2.0])
    safely("total", spoil)(values)
    assert values[0] == 1


def test_prints_and_warnings_stay_inside(capsys):
    def loud(x):
        print("here")
        warnings.warn("careful", stacklevel=1)
        return np.log(x)

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert safely("total", loud)(0.0) == -np.inf
    assert capsys.readouterr() == ("", "")


def test_lists_become_arrays():
    assert safely("total", lambda: [[1, 2], [3, 4]])().shape == (2, 2)


def tensors():
    """What a function in torch may return for [[1, 2], [3, 4]]."""
    table = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    weights = torch.nn.Parameter(table)
    return [
        [table[0], table[1]],
        [weights[0], weights[1]],
        [list(weights[0]), (weights[1, 0], 4.0)],
        tuple(table.bfloat16()),
    ]


@pytest.mark.parametrize("result", tensors(), ids=["rows", "with gradient", "numbers", "16 bit"])
def test_lists_of_tensors_become_arrays(result):
    array = safely("total", lambda: result)()
    assert isinstance(array, np.ndarray)
    np.testing.assert_array_equal(array, [[1, 2], [3, 4]])


def test_lists_of_unequal_length_are_said_to_be_so():
    with pytest.raises(Stopped) as caught:
        safely("total", lambda: [torch.ones(2), torch.ones(3)])()
    assert caught.value.reason == "it gives rows of different lengths"


def test_the_learners_function_gets_copies_of_tensors():
    values = torch.ones(3, requires_grad=True)
    safely("total", lambda given: given.detach().zero_())(values)
    assert values.tolist() == [1, 1, 1]


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16], ids=str)
def test_tensors_are_compared_by_their_numbers(dtype):
    right = {"x": torch.tensor([1.0, 2.0, 4.0])}
    yours = {"x": torch.nn.Parameter(right["x"].to(dtype))}
    assert misfit(yours, right) == ""
    assert agree(yours, right)
    assert finite(yours)
    assert not agree({"x": yours["x"] * 1.25}, right)
    assert "shape (2,)" in misfit({"x": yours["x"][:2]}, right)
    assert not finite({"x": yours["x"] / 0})


def stop(error):
    def function():
        raise error

    return function


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        (stop(ValueError("a\n  b")), "it stops with ValueError: a b"),
        (stop(ValueError()), "it stops with ValueError"),
        (stop(SystemExit(2)), "it tries to end Python"),
        (stop(KeyboardInterrupt()), "it was interrupted"),
        (stop(NotImplementedError()), "it is not written yet"),
        (recurses, "it calls itself without end"),
        (lambda: None, "it returns nothing"),
        (lambda: ..., "it returns nothing"),
    ],
)
def test_what_goes_wrong_is_said_in_words(function, reason):
    with pytest.raises(Stopped) as caught:
        safely("total", function)()
    assert caught.value.reason == reason
    assert caught.value.name == "total"


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
    import re

    assert re.search(says, misfit(yours, {"x": np.zeros((3, 2))}))


def test_data_of_the_same_kind_fits():
    assert misfit({"x": np.ones((3, 2), dtype="f4")}, {"x": np.zeros((3, 2))}) == ""
    assert misfit({"x": np.nan}, {"x": np.nan}) == ""


def test_float32_agrees_and_another_answer_does_not():
    right = {"x": np.linspace(-1, 1, 7), "name": "course"}
    assert agree({"x": right["x"].astype("f4"), "name": "yours"}, right)
    assert not agree({"x": right["x"] * 1.01, "name": "course"}, right)
    assert not agree({"x": -right["x"], "name": "course"}, right)
