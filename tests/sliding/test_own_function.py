import warnings

import numpy as np
import pytest
import torch

from course_lib.sliding.own_function import Stopped, own_function, safely
from tests.sliding.examples import Adapter, recurses, total


def test_a_plain_function_is_the_learners_own():
    own = own_function("total", max, total)
    assert own.function(np.array([1, 5])) == 5
    assert not own.judged_right


def test_the_courses_function_is_not_the_learners():
    assert own_function("total", total, total).function is None


def test_an_adapter_without_an_attempt_has_none():
    assert own_function("total", Adapter(None, "course"), total).function is None


def test_an_adapter_tells_whether_the_attempt_was_right():
    assert own_function("total", Adapter(sum, "yours"), total).judged_right
    assert not own_function("total", Adapter(sum, "course"), total).judged_right


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
        (stop(MemoryError()), "it asks for too much memory"),
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
