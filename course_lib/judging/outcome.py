"""What one answer did with one set of inputs: a value, an error, nothing, or no end in time."""

import inspect
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from course_lib.judging.exercise import Exercise, Inputs
from course_lib.judging.observe import Unusable
from course_lib.judging.printed import NOTHING_PRINTED, Printed, PrintedLines
from course_lib.judging.shapes.failing import own_line
from course_lib.judging.shapes.found import shapes_found
from course_lib.judging.shapes.operands import Finding
from course_lib.judging.typed import keeps_blank
from course_lib.learner.arrays import kind_of, same_content
from course_lib.learner.calls import Result, isolated, result_of, wrapped
from course_lib.learner.errors import shown_error
from course_lib.learner.time_limit import Budget, TimeUp

TORCHS_OWN = "not implemented for"  # torch's error about a dtype, not the learner's "not yet"


@dataclass
class Outcome:
    """What one answer did on one case.

    kind: "observed", "nothing", "raised", "unusable", "time".
    observed: by name.   value: what cannot be used.   error: what was raised.
    line: the learner's own line that raised, as text; line_number in its cell or file.
    changed: the names of inputs that were changed in place.   inside: raised in learner's code.
    has_blank: a `...` of the stub is left in the code that raised.
    finding: which shapes did not fit on the learner's line.
    """

    kind: str
    observed: dict = field(default_factory=dict)
    value: object = None
    error: BaseException | None = None
    line: str = ""
    line_number: int = 0
    changed: tuple[str, ...] = ()
    printed: Printed = NOTHING_PRINTED
    inside: bool = True
    has_blank: bool = False
    finding: Finding | None = None


def outcome_of(
    exercise: Exercise,
    candidate: Callable,
    given: Inputs,
    untouched: Inputs,
    budget: Budget | None = None,
) -> Outcome:
    """Run an answer on the inputs of one case.

    given: the answer may change them.   untouched: equal ones, which show what it changed.

    Raises: KeyboardInterrupt.
    """
    printed, last = PrintedLines(), _LastCall()
    watched = candidate if inspect.isclass(candidate) else wrapped(candidate, last)
    with isolated(printed):
        seen = result_of(lambda: exercise.observe(watched, given), budget)
        outcome = _outcome(seen, last, inspect.isclass(candidate))
    outcome.printed = printed.seen()
    before, after = untouched.named(), given.named()
    outcome.changed = tuple(name for name in before if not same_content(before[name], after[name]))
    if outcome.error is not None:
        outcome.line_number, outcome.line = own_line(outcome.error, candidate)
        outcome.has_blank = outcome.kind == "raised" and keeps_blank(candidate, outcome.error)
        if outcome.kind == "raised" and outcome.inside:
            outcome.finding = shapes_found(outcome.error, candidate)
    return outcome


class _LastCall:
    """Remembers what the last call of a function did; there is none of a class."""

    result: Result | None = None

    def __call__(self, result: Result, args: tuple, kwargs: dict) -> object:
        self.result = result
        return result.unwrap()


def _outcome(seen: Result, last: _LastCall, of_class: bool) -> Outcome:
    error = seen.error
    if isinstance(error, KeyboardInterrupt):
        raise error
    if isinstance(error, TimeUp):
        return Outcome("time", error=error)
    if isinstance(error, Unusable):
        return _without_use(error.value)
    if isinstance(error, NotImplementedError) and TORCHS_OWN not in shown_error(error):
        return Outcome("nothing", error=error)
    if error is not None:  # SystemExit too: it must not end the learner's kernel
        return Outcome("raised", error=error) if of_class else _after_error(error, last.result)
    values = list(seen.value.values())
    _close_coroutines(values)
    if any(kind_of(one) == "nothing" for one in values[:1]):
        return Outcome("nothing", observed=seen.value, value=values[0])
    return Outcome("observed", observed=seen.value)


def _after_error(error: BaseException, last: Result | None) -> Outcome:
    """Whether the learner's code failed, or the observer on what it had returned."""
    if last is not None and last.error is not None:
        return Outcome("raised", error=error)
    if last is not None and kind_of(last.value) == "nothing":
        return Outcome("nothing", value=last.value)
    return Outcome("raised", error=error, inside=False)


def _close_coroutines(values: Iterable) -> None:
    """Python would warn at some later time that they were never awaited."""
    for one in filter(inspect.iscoroutine, values):
        one.close()


def _without_use(value: object) -> Outcome:
    _close_coroutines([value])
    if kind_of(value) == "nothing":
        return Outcome("nothing", value=value)
    return Outcome("unusable", value=value)
