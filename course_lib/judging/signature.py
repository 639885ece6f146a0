"""Whether an answer is what the exercise asks for: a function or class with these parameters."""

import inspect

from course_lib.judging import sentences as s
from course_lib.judging.exercise import Exercise
from course_lib.judging.verdict import Sentence, sentence


def misfit_of(exercise: Exercise, candidate: object) -> Sentence | None:
    """What stands in the way of calling an answer as the cases do; None where nothing does."""
    name = exercise.name
    if exercise.is_class != inspect.isclass(candidate) or not callable(candidate):
        kind = "a class" if inspect.isclass(candidate) else f"a {type(candidate).__name__}"
        template = s.NOT_A_CLASS if exercise.is_class else s.NOT_A_FUNCTION
        return sentence(template, name=name, kind=kind)
    try:
        want, got = inspect.signature(exercise.answer), inspect.signature(candidate)
    except (ValueError, TypeError):  # a builtin without a signature is tried as it is
        return None
    parameters = want.parameters.values()
    positional = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    keywords = [p.name for p in parameters if p.kind == p.KEYWORD_ONLY]
    try:
        got.bind(*positional, **dict.fromkeys(keywords))
    except TypeError:
        return sentence(s.PARAMETERS, name=name, want=_named(want), got=_named(got))
    return None


def _named(signature: inspect.Signature) -> str:
    return "(" + ", ".join(map(str, signature.parameters)) + ")"
