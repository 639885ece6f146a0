"""Shows a value or a call as one line that can be pasted into a cell, cut where it is long."""

import math
from typing import Any

import numpy as np

from course_lib.judging.exercise import Exercise, Inputs
from course_lib.learner.arrays import NotNumbers, as_array, is_generator_of_numbers, is_tensor
from course_lib.learner.errors import shortened

MANY = 30  # numbers; a longer array is named by its shape instead


def shown_call(exercise: Exercise, case: Inputs) -> str:
    """The call of one case, such as `dot(np.array([1.0, 2.0]), np.array([3.0, 4.0]))`."""
    small = sum(map(_size, case.named().values())) <= MANY
    parts = [
        _given(name, value, small, name in case.kwargs) for name, value in case.named().items()
    ]
    called = exercise.name
    if case.build is not None:
        called += f"({', '.join(shown(one) for one in case.build)})"
    elif exercise.is_class and hasattr(exercise.answer, "apply"):
        called += ".apply"
    return f"{called}({', '.join(parts)})"


def shapes_given(case: Inputs) -> str:
    """A comment behind a call: the shape of each array, such as `  # q (2, 3), k (4, 3)`."""
    arrays = {n: v for n, v in case.named().items() if isinstance(v, np.ndarray) or is_tensor(v)}
    told = ", ".join(f"{name} {tuple(value.shape)}" for name, value in arrays.items())
    return f"  # {told}" if told else ""


def _given(name: str, value: Any, whole: bool, by_name: bool) -> str:
    """One argument of a call; a long array is told apart from others by its name."""
    if isinstance(value, np.ndarray) or is_tensor(value):
        array = as_array(value)
        if _is_long(array, whole):
            return f"{name} of shape {array.shape}"
    return f"{name}={shown(value, whole)}" if by_name else shown(value, whole)


def shown(value: Any, whole: bool = True) -> str:
    """One value as Python code; as words about its shape where it is too long."""
    if is_generator_of_numbers(value):
        return _shown_source(value)
    if isinstance(value, np.ndarray):
        return _shown_array(value, "np.array", whole)
    if is_tensor(value):
        return _shown_array(as_array(value), "torch.tensor", whole, value)
    if isinstance(value, list | tuple):
        return _shown_list(value, whole)
    if isinstance(value, bool | np.bool_):
        return str(bool(value))
    if isinstance(value, float | np.floating):
        return _number(float(value), "np")
    if isinstance(value, int | np.integer):
        return str(int(value))
    if callable(value) and hasattr(value, "__name__"):
        return value.__name__
    return shortened(_without_address(value))


def result_shown(value: Any) -> str:
    """A result as a reader wants it: the numbers of a small one, the start of a large one."""
    if isinstance(value, dict):
        return shortened(", ".join(f"{k}: {result_shown(v)}" for k, v in value.items()))
    try:
        array = as_array(value)
    except NotNumbers:
        if isinstance(value, tuple):
            end = ",)" if len(value) == 1 else ")"
            return shortened("(" + ", ".join(map(result_shown, value)) + end)
        return shown(value)
    if array.dtype.kind == "f":
        array = array + 0.0  # -0.0 reads as if it lay below 0
    if array.size <= MANY:
        return _numbers(array)
    first = ", ".join(scalar_shown(one) for one in array.ravel()[:6])
    return f"shape {array.shape}, beginning {first}, ..."


def effect_shown(value: Any) -> str:
    """A number, a list of numbers, or a table of numbers (with four digits) or words in lines."""
    array = np.asarray(value)
    words = array.dtype.kind == "U" and array.ndim == 2
    if array.dtype.kind not in "biufc" and not words:
        return shown(value)
    if array.ndim == 0:
        return _four_digits(array[()])
    show = str if words else _four_digits
    rows = [[show(one) for one in row] for row in np.atleast_2d(array)]
    width = max((len(one) for row in rows for one in row), default=0)
    if array.ndim == 1:
        return "[" + ", ".join(rows[0]) + "]"
    return "\n".join("  ".join(f"{one:>{width}}" for one in row) for row in rows)


def _four_digits(value: Any) -> str:
    if isinstance(value, bool | np.bool_):
        return str(bool(value))
    return f"{value:.4g}" if value else "0"


def _size(value: Any) -> int:
    try:
        return as_array(value).size
    except NotNumbers:
        return 1


def _shown_list(value: list | tuple, whole: bool) -> str:
    if _size(value) > MANY or not whole:
        return f"a {type(value).__name__} of length {len(value)}"
    inner = ", ".join(shown(one) for one in value)
    if isinstance(value, tuple):
        return f"({inner}{',' if len(value) == 1 else ''})"
    return f"[{inner}]"


def _shown_array(array: np.ndarray, maker: str, whole: bool, tensor: Any = None) -> str:
    if array.dtype.kind not in "biufc":
        return f"an array of {array.dtype.name}"
    if _is_long(array, whole):
        return f"{'array' if tensor is None else 'tensor'} of shape {array.shape}"
    if array.size == 0 and array.ndim != 1:
        zeros = "np.zeros" if tensor is None else "torch.zeros"
        return f"{zeros}({array.shape})"
    home = "np" if tensor is None else "torch"
    return f"{maker}({_numbers(array, home)}{_dtype(array, tensor)})"


def _is_long(array: np.ndarray, whole: bool) -> bool:
    return array.dtype.kind in "biufc" and array.size > (MANY if whole else 6)


def _dtype(array: np.ndarray, tensor: Any) -> str:
    if tensor is not None:
        name = str(tensor.dtype).removeprefix("torch.")
        plain = name in ("float32", "int64", "bool")
        return "" if plain else f", dtype=torch.{name}"
    name = array.dtype.name
    return "" if name in ("float64", "int64", "bool") else f", dtype=np.{name}"


def _numbers(array: np.ndarray, home: str = "") -> str:
    if array.ndim == 0:
        return scalar_shown(array[()], home)
    return "[" + ", ".join(_numbers(one, home) for one in array) + "]"


def scalar_shown(value: Any, home: str = "") -> str:
    """One number of an array, as it is read; as code where `home` names NaN's library."""
    if isinstance(value, bool | np.bool_):
        return str(bool(value))
    if isinstance(value, int | np.integer):
        return str(int(value))
    if isinstance(value, complex | np.complexfloating):
        return f"{value:.6g}"
    return _number(float(value), home)


def _number(value: float, home: str = "") -> str:
    if math.isnan(value):
        return f"{home}.nan" if home else "NaN"
    if math.isinf(value):
        return ("-" if value < 0 else "") + (f"{home}.inf" if home else "inf")
    exact = repr(value)
    return exact if len(exact) <= 8 else _six_digits(value)


def _six_digits(value: float) -> str:
    text = f"{value:.6g}"
    return text if any(mark in text for mark in ".en") else f"{text}.0"


def _shown_source(value: Any) -> str:
    if isinstance(value, np.random.Generator):
        seed = getattr(value.bit_generator.seed_seq, "entropy", "")
        return f"np.random.default_rng({seed if isinstance(seed, int) else ''})"
    if isinstance(value, np.random.RandomState):
        return "np.random.RandomState()"
    return f"torch.Generator().manual_seed({value.initial_seed()})"


def _without_address(value: object) -> str:
    try:
        text = repr(value)
    except Exception:  # a learner's class may fail to show itself
        text = " at 0x"
    return f"a {type(value).__name__}" if " at 0x" in text else text
