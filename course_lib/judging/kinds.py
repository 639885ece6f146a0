"""Puts into words that a result is no array of numbers, where one is wanted."""

import inspect

import numpy as np

from course_lib.judging import sentences as s
from course_lib.judging.verdict import Sentence, sentence
from course_lib.learner.arrays import kind_of

KINDS = {
    "text": s.TEXT,
    "generator": s.GENERATOR,
    "iterator": s.ITERATOR,
    "coroutine": s.COROUTINE,
    "function": s.FUNCTION,
    "dict": s.CONTAINER,
    "set": s.CONTAINER,
    "ragged": s.RAGGED,
}


def of_kind(name: str, got: object, one: bool = True) -> Sentence:
    """What is said of something that is no numbers, or no tensor where one is wanted.

    one: whether one result is asked for.
    """
    if isinstance(got, list | tuple) and any(one is ... for one in got):
        return sentence(s.HALF_FILLED, name=name)
    if _is_generator_expression(got):
        return sentence(s.GENERATOR_EXPRESSION, name=name)
    several = of_tuple(name, got)
    if several is not None and one:
        return several
    kind = kind_of(got)
    if kind == "numbers":
        return sentence(s.NOT_A_TENSOR, name=name, kind=type(got).__name__)
    template = KINDS.get(kind, s.UNUSABLE)
    return sentence(template, name=name, kind=type(got).__name__)


def _is_generator_expression(got: object) -> bool:
    if isinstance(got, np.ndarray) and got.dtype == object and got.ndim == 0:
        got = got.item()  # np.array and np.exp keep one as an object
    return inspect.isgenerator(got) and got.gi_code.co_name == "<genexpr>"


def of_tuple(name: str, got: object) -> Sentence | None:
    """What is said of several arrays where one is wanted; None of anything else."""
    if not isinstance(got, tuple) or not got or not all(kind_of(one) == "numbers" for one in got):
        return None
    if len(got) == 1:
        return sentence(s.IN_A_TUPLE, name=name)
    return sentence(s.SEVERAL, name=name, got=len(got))
