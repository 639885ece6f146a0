"""What kind of thing came back, and its numbers as one numpy array, without importing torch."""

import inspect
import sys
from typing import Any

import numpy as np

NUMBERS = np.ndarray | np.generic | bool | int | float | complex


class NotNumbers(ValueError):
    """The value is no number, array, tensor or even nested list of them."""


def is_tensor(value: object) -> bool:
    """Whether this is a torch tensor; torch is not imported to find out."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(value, torch.Tensor)


def is_generator_of_numbers(value: object) -> bool:
    """Whether this is a source of random numbers, numpy's or torch's."""
    torch = sys.modules.get("torch")
    if isinstance(value, np.random.Generator | np.random.RandomState):
        return True
    return torch is not None and isinstance(value, torch.Generator)


def kind_of(value: Any) -> str:
    """One of: nothing, text, generator, iterator, coroutine, function, dict, set, ragged,
    numbers, other."""
    if value is None or value is Ellipsis or value is NotImplemented:
        return "nothing"
    if isinstance(value, str | bytes):
        return "text"
    if inspect.iscoroutine(value) or inspect.isgenerator(value):
        return "coroutine" if inspect.iscoroutine(value) else "generator"
    if isinstance(value, dict | set | frozenset):
        return "dict" if isinstance(value, dict) else "set"
    try:
        as_array(value)
    except NotNumbers:
        return _kind_without_numbers(value)
    return "numbers"


def _kind_without_numbers(value) -> str:
    if isinstance(value, np.ndarray) and value.ndim == 0:
        return kind_of(value.item())  # what is no number lies in it as it was
    if isinstance(value, list | tuple | np.ndarray):
        flat = list(_leaves(value))
        if flat and all(one is Ellipsis or one is None for one in flat):
            return "nothing"
        return "ragged" if flat and all(kind_of(one) == "numbers" for one in flat) else "other"
    if hasattr(value, "__next__"):
        return "iterator"
    return "function" if callable(value) else "other"


def _leaves(value, depth=0):
    for one in value:
        if isinstance(one, list | tuple) and depth < 8:
            yield from _leaves(one, depth + 1)
        else:
            yield one


def as_array(value: Any) -> np.ndarray:
    """The numbers of an array, tensor, number, or even nested list of these.

    Raises: NotNumbers, if there are none, or the lists are ragged.
    """
    if is_tensor(value):
        return _from_tensor(value)
    if isinstance(value, list | tuple):
        if any(is_tensor(one) or isinstance(one, list | tuple) for one in value):
            value = [as_array(one) for one in value]
    elif not isinstance(value, NUMBERS) and not hasattr(type(value), "__array__"):
        raise NotNumbers(type(value).__name__)
    try:
        array = np.asarray(value)
    except (ValueError, TypeError, OverflowError) as error:
        raise NotNumbers("ragged") from error
    except (Exception, SystemExit) as error:  # an object of the learner's that refuses
        raise NotNumbers(type(value).__name__) from error
    if array.dtype.kind not in "biufc":
        raise NotNumbers(str(array.dtype))
    return array


def _from_tensor(tensor) -> np.ndarray:
    tensor = tensor.detach().cpu().resolve_conj().resolve_neg()
    try:
        return tensor.numpy()
    except TypeError:  # numpy has no bfloat16
        return tensor.float().numpy()


def copied(value: Any) -> Any:
    """A copy of an array or tensor; every other value itself."""
    if isinstance(value, np.ndarray):
        return value.copy()
    if is_tensor(value):
        return value.clone()
    return value


def numbers_in(value: Any) -> int:
    """How many numbers a value holds; other things count as one."""
    if isinstance(value, dict):
        return sum(map(numbers_in, value.values()))
    if isinstance(value, list | tuple):
        return sum(map(numbers_in, value))
    if is_tensor(value):
        return value.numel()
    return value.size if isinstance(value, np.ndarray) else 1


def same_content(left: Any, right: Any) -> bool:
    """Whether two inputs still hold the same; what is neither numbers nor a container passes."""
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(same_content(left[k], right[k]) for k in left)
    if isinstance(left, list | tuple) and isinstance(right, list | tuple):
        return len(left) == len(right) and all(map(same_content, left, right))
    if isinstance(left, np.ndarray) or is_tensor(left):
        left, right = as_array(left), as_array(right)
        nan_too = left.dtype.kind in "fc" and right.dtype.kind in "fc"
        return left.dtype == right.dtype and np.array_equal(left, right, equal_nan=nan_too)
    return True
