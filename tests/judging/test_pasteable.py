"""Values in a verdict's lines: a reader can tell what came, and paste what is code."""

import numpy as np
import pytest
import torch

from course_lib.judging.pasteable import result_shown, shown


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (("a",), "('a',)"),
        (("a", "b"), "('a', 'b')"),
        ({"output": ("a",)}, "output: ('a',)"),
        (-0.0, "0.0"),
        (np.array([-0.0, -1.5]), "[0.0, -1.5]"),
        (torch.tensor([torch.nan, -torch.inf]), "[NaN, -inf]"),
        (np.zeros((40, 40)), "shape (40, 40), beginning 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, ..."),
    ],
)
def test_a_result_is_shown_as_what_it_is(value, said):
    assert result_shown(value) == said


@pytest.mark.parametrize("value", [[1.5, 2.0], (1.0,), True, 3, "text", np.array([[1.0, 2.0]])])
def test_what_is_shown_can_be_pasted(value):
    pasted = eval(shown(value), {"np": np})
    assert type(pasted) is type(value)
    np.testing.assert_array_equal(pasted, value)


@pytest.mark.parametrize("numbers", [[1.0, float("inf")], [float("nan"), -float("inf")]])
def test_what_is_not_finite_is_pasted_by_its_own_library(numbers):
    for home, made, name in ((np, np.array, "np"), (torch, torch.tensor, "torch")):
        pasted = eval(shown(made(numbers)), {name: home})
        np.testing.assert_array_equal(np.asarray(pasted), numbers)
