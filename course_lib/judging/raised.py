"""The sentence for an answer that raised an error."""

import math
import re
import traceback

from course_lib.judging import sentences as s
from course_lib.judging.borrowed import undefined
from course_lib.judging.exercise import Exercise
from course_lib.judging.gradient_errors import meaning_of
from course_lib.judging.outcome import Outcome
from course_lib.judging.verdict import Sentence, sentence
from course_lib.learner.containment import AsksForInput
from course_lib.learner.errors import shown_error
from course_lib.learner.memory_limit import is_out_of_memory

PAIR = re.compile(r"return_types\.(max|min|sort|topk|median|mode|kthvalue|cummax|cummin)\b")
OF_A_NUMBER = re.compile(
    r"\b(\w+)\(\): argument '\w+' \(position 1\) must be Tensor, not (?:int|float)\b"
)
NOT_CALLABLE = re.compile(r"^TypeError: '[\w.]+' object is not callable")
NOT_PICKED = re.compile(
    r"^TypeError: '(int|float|bool|(?:builtin_)?function\w*)' object is not subscriptable"
)
FEWER = re.compile(r"(\w+)\(\) missing \d+ required positional argument")


def of_error(exercise: Exercise, error: BaseException, outcome: Outcome) -> Sentence:
    """What stopped an answer, or the check on what it had returned."""
    name = exercise.name
    if isinstance(error, RecursionError):
        return sentence(s.RECURSES, name=name)
    if is_out_of_memory(error):
        return sentence(s.MEMORY, name=name)
    if isinstance(error, SystemExit):
        return sentence(s.EXITS, name=name)
    if isinstance(error, AsksForInput):
        return sentence(s.ASKS, name=name)
    if outcome.has_blank and outcome.inside:
        return sentence(s.BLANK_LEFT, name=name, error=shown_error(error))
    if outcome.finding is not None:
        found = outcome.finding
        return sentence(s.STOPS_AT, name=name, source=found.source, what=found.says)
    if isinstance(error, NameError) and outcome.inside:
        return undefined(exercise, error)
    if _of_a_caret(error):
        return sentence(s.CARET, name=name)
    pair = PAIR.search(shown_error(error))
    if pair is not None:
        return sentence(s.GIVES_TWO, name=name, function=pair[1])
    plain = OF_A_NUMBER.search(shown_error(error))
    if plain is not None and hasattr(math, plain[1]):
        return sentence(s.PLAIN_NUMBER, name=name, function=plain[1])
    fewer = FEWER.search(shown_error(error)) if isinstance(error, TypeError) else None
    if fewer is not None and outcome.inside:
        told = {"error": shown_error(error), "function": fewer[1]}
        return sentence(s.ARGUMENT_MISSING, name=name, **told)
    if outcome.inside and (template := _of_brackets(shown_error(error))):
        told = _number_given(error, outcome) if template == s.NUMBER_PICKED else {}
        template = s.NUMBER_GIVEN if told else template
        return sentence(template, name=name, error=shown_error(error), **told)
    meaning = meaning_of(error)
    if meaning:
        return sentence(meaning, name=name)
    template = s.RAISES if outcome.inside else s.CANNOT_GO_ON
    return sentence(template, name=name, error=shown_error(error))


def _of_brackets(error: str) -> str:
    """The template of the sentence where what stands before brackets has no use for them; or ""."""
    if NOT_CALLABLE.search(error):
        return s.NOT_CALLED
    picked = NOT_PICKED.search(error)
    if picked is None:
        return ""
    return s.FUNCTION_PICKED if "function" in picked[1] else s.NUMBER_PICKED


def _number_given(error: BaseException, outcome: Outcome) -> dict[str, object]:
    """Which function got which number, where not the learner's own line has the brackets; or {}."""
    trace = error.__traceback__
    if trace is None or not outcome.line or "[" in outcome.line:
        return {}
    *_, (frame, _) = traceback.walk_tb(trace)
    code = frame.f_code
    given = [frame.f_locals.get(one) for one in code.co_varnames[: code.co_argcount]]
    if len(given) != 1 or not isinstance(given[0], int | float) or not code.co_name.isidentifier():
        return {}
    return {"called": code.co_name, "number": given[0]}


def _of_a_caret(error: BaseException) -> bool:
    """Whether `^` was meant for a power: numbers with a point have no bits to compare."""
    text = shown_error(error)
    return isinstance(error, TypeError | NotImplementedError) and (
        "bitwise_xor" in text or "for ^:" in text
    )
