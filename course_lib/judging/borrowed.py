"""Names that an answer uses without getting them: the notebook's data, and names of nothing."""

import dis
import inspect
import re
from collections.abc import Callable
from types import CodeType

import numpy as np

from course_lib.judging import sentences as s
from course_lib.judging.exercise import Exercise
from course_lib.judging.typed import codes_of, with_inner
from course_lib.judging.verdict import Sentence, sentence
from course_lib.learner.arrays import is_generator_of_numbers, is_tensor
from course_lib.learner.errors import shown_error

DATA = np.ndarray | np.generic | int | float | complex | list | tuple


def borrowed(exercise: Exercise, candidate: Callable) -> list[Sentence]:
    """A sentence for each name of the notebook that holds data and that an answer reads.

    The wrong answer may use it where its own argument belongs. Constants in capitals, and what the
    course's answer reads too, are meant.
    """
    space = _names_around(candidate)
    meant = set(_read(exercise.answer))
    arguments = ", ".join(exercise.parameters)
    return [
        sentence(
            s.BORROWED if arguments else s.BORROWED_ALONE,
            name=exercise.name,
            used=name,
            arguments=arguments,
        )
        for name in _read(candidate)
        if name in space and name not in meant and _is_data(space[name]) and not _constant(name)
    ]


def undefined(exercise: Exercise, error: NameError) -> Sentence:
    """What is said of a name that means nothing where it is used."""
    name = exercise.name
    told = re.search(r"'(\w+)'", str(error))
    used = error.name or (told[1] if told else "")
    if not used:
        return sentence(s.RAISES, name=name, error=shown_error(error))
    if isinstance(error, UnboundLocalError):
        return sentence(s.UNBOUND, name=name, used=used)
    arguments = ", ".join(exercise.parameters)
    template = s.UNDEFINED if arguments else s.UNDEFINED_WORD
    said = sentence(template, name=name, used=used, arguments=arguments)
    around = _names_around(exercise.answer)
    if used == "softmax" and "torch" in around:
        return sentence(s.IN_TORCH, undefined=said)
    if "np" not in around or "torch" in around:
        return said
    if used == "math":
        return sentence(s.MATH, undefined=said)
    return sentence(s.IN_NUMPY, undefined=said, used=used) if _in_numpy(used) else said


def _names_around(candidate: Callable) -> dict:
    functions = vars(candidate).values() if inspect.isclass(candidate) else (candidate,)
    for one in functions:
        space = getattr(inspect.unwrap(one) if callable(one) else one, "__globals__", None)
        if isinstance(space, dict):
            return space
    return {}


def _in_numpy(used: str) -> bool:
    return used in np.__all__ and callable(getattr(np, used))


def _read(candidate: Callable) -> list[str]:
    """The global names that the code reads, in order, each once."""
    codes = [inner for code in codes_of(candidate) for inner in with_inner(code)]
    return list(dict.fromkeys(name for code in codes for name in _globals_in(code)))


def _globals_in(code: CodeType) -> list[str]:
    return [step.argval for step in dis.get_instructions(code) if step.opname == "LOAD_GLOBAL"]


def _is_data(value: object) -> bool:
    return isinstance(value, DATA) or is_tensor(value) or is_generator_of_numbers(value)


def _constant(name: str) -> bool:
    return len(name) > 1 and name.isupper()
