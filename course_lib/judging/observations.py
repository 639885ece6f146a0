"""What is said of an observation other than the output: each has a sentence of its own."""

from collections.abc import Mapping

from course_lib.judging import sentences as s
from course_lib.judging.exercise import Exercise

GRADIENT, PARAMETER = "gradient of ", "shape of "

OF_THE_ENGINE: Mapping[str, str] = {
    "average output": s.OTHER_AVERAGE,
    "spread": s.OTHER_SPREAD,
    "draws": s.OTHER_DRAWS,
    GRADIENT: s.OTHER_GRADIENT,
    PARAMETER: s.OTHER_PARAMETER,
}
MISSING = {GRADIENT: s.NO_GRADIENT, PARAMETER: s.NO_PARAMETER}


def kind_and_rest(part: str) -> tuple[str, str]:
    """The kind of an observation and what it is of: "gradient of x" is ("gradient of ", "x")."""
    for kind in (GRADIENT, PARAMETER):
        if part.startswith(kind):
            return kind, part.removeprefix(kind)
    return part, ""


def sentence_for(exercise: Exercise, part: str) -> str:
    """The template of what is said where this observation differs; "" for a plain result.

    Its fields: name, of (what it is of), want, got.
    """
    kind, _ = kind_and_rest(part)
    said = {**getattr(exercise.observe, "observations", {}), **exercise.observations}
    return said.get(kind) or OF_THE_ENGINE.get(kind, "")


def sentence_of_missing(part: str) -> str:
    """The template of what is said where there is none of it. Its fields: name, part, of."""
    return MISSING.get(kind_and_rest(part)[0], s.MISSING_PART)


def sentence_of_extra(part: str) -> str:
    """The template of what is said where it was not asked for. Its fields: name, part, of."""
    return s.EXTRA_PARAMETER if part.startswith(PARAMETER) else s.EXTRA_PART
