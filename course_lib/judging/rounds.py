"""Which inputs an answer is tried on, and in which order.

Each case once; one case with other numbers of the same shapes, in the very arrays that it had; and
the first case again. The last two find an answer that keeps a result instead of computing it.
"""

import functools
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from course_lib.judging.exercise import Exercise, Inputs
from course_lib.judging.originals import originals
from course_lib.learner.arrays import is_generator_of_numbers, is_tensor, same_content

CASE, OTHER_NUMBERS, AGAIN = "case", "other numbers", "again"
ANOTHER_SEED = 10_000


@dataclass(frozen=True)
class Round:
    """One call of an answer.

    case: the number of the case, from 0.   kind: CASE, OTHER_NUMBERS or AGAIN.
    """

    case: int
    kind: str = CASE

    @property
    def is_case(self) -> bool:
        """Whether it is a case of the exercise, tried for the first time."""
        return self.kind == CASE


FIRST = Round(0)


@functools.cache
def rounds_of(exercise: Exercise) -> tuple[Round, ...]:
    """All rounds of an exercise; the cases come first, each at its own number."""
    cases = tuple(map(Round, range(len(exercise.cases))))
    drawn = (one.case for one in cases if _other_numbers_fit(exercise, one.case))
    other = [Round(case, OTHER_NUMBERS) for case in list(drawn)[:1]]
    return (*cases, *other, Round(0, AGAIN))


def inputs_of(exercise: Exercise, one: Round) -> Inputs:
    """New inputs of one round; equal at every call."""
    seed = one.case + (ANOTHER_SEED if one.kind == OTHER_NUMBERS else 0)
    with originals():
        made = exercise.cases[one.case](np.random.default_rng(seed))
    return replace(made, names=exercise.parameters)


def refilled(old: Inputs, new: Inputs) -> Inputs:
    """The new inputs in the arrays of the old ones, where these can take them."""
    args = tuple(map(_refilled, old.args, new.args))
    kwargs = {name: _refilled(old.kwargs[name], value) for name, value in new.kwargs.items()}
    return replace(new, args=args, kwargs=kwargs)


def _refilled(old: Any, new: Any) -> Any:
    if not _is_array(old) or type(old) is not type(new):
        return new
    try:
        old[...] = new
    except (RuntimeError, ValueError, TypeError):  # the answer has made it unfit
        return new
    return old if old.shape == new.shape and old.dtype == new.dtype else new


def _other_numbers_fit(exercise: Exercise, case: int) -> bool:
    """Whether another seed gives other numbers of the same shapes, and all else alike."""
    try:
        old, new = (inputs_of(exercise, Round(case, kind)) for kind in (CASE, OTHER_NUMBERS))
    except Exception:  # a defect of the case, which is told where it is tried
        return False
    if old.build != new.build or old.named().keys() != new.named().keys():
        return False
    pairs = list(zip(old.named().values(), new.named().values(), strict=True))
    return all(map(_fit, pairs)) and not all(same_content(*pair) for pair in pairs)


def _fit(pair: tuple[Any, Any]) -> bool:
    old, new = pair
    if type(old) is not type(new):
        return False
    if _is_array(old):
        return old.shape == new.shape and old.dtype == new.dtype
    if isinstance(old, list | tuple | dict):
        parts = (old.values(), new.values()) if isinstance(old, dict) else (old, new)
        return len(old) == len(new) and all(map(_fit, zip(*parts, strict=True)))
    if is_generator_of_numbers(old):
        return True
    try:
        return bool(old == new)
    except Exception:  # what cannot be compared may be another
        return False


def _is_array(value: Any) -> bool:
    return isinstance(value, np.ndarray) or is_tensor(value)


def pairs_of(rounds: tuple[Round, ...]) -> Iterator[tuple[int, int]]:
    """The number of each round that tries a case anew, and the number of that case."""
    for number, one in enumerate(rounds):
        if not one.is_case:
            yield number, one.case
