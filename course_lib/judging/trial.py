"""An answer tried on one case: what went in, what came, what was wanted, what is said of it."""

import inspect
import linecache
import time
import traceback
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

import numpy as np

from course_lib.judging import sentences as s
from course_lib.judging.exercise import Exercise, Inputs
from course_lib.judging.observe import Unusable
from course_lib.judging.printed import NOTHING_PRINTED, Printed, PrintedLines
from course_lib.judging.typed import codes_of, keeps_blank
from course_lib.judging.verdict import Sentence, sentence
from course_lib.learner.arrays import NotNumbers, as_array, is_tensor, kind_of, same_content
from course_lib.learner.calls import Result, isolated, result_of, wrapped
from course_lib.learner.errors import shown_error
from course_lib.learner.time_limit import Budget, TimeUp


class Defect(Exception):
    """Something of the course's own failed: a case, an observer, a reference, an acceptance."""


@dataclass
class Outcome:
    """What one answer did on one case.

    kind: "observed", "nothing", "raised", "unusable", "time".
    observed: by name.   value: what cannot be used.   error: what was raised.
    line: the learner's own line that raised, as text; line_number in its cell or file.
    changed: the names of inputs that were changed in place.   inside: raised in learner's code.
    has_blank: a `...` of the stub is left in the code that raised.
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


@dataclass
class Trial:
    """One answer on one case.

    place: the number of the case, from 0.   inputs: what it gives; no answer has touched them.
    outcome: what the answer did.   wanted: what the course's answer gives, by name.
    said: the acceptance of the outcome: True, False, or a sentence of what is wrong.
    """

    place: int
    inputs: Inputs
    outcome: Outcome
    wanted: dict = field(default_factory=dict)
    said: bool | str | Sentence = False

    @property
    def seen(self) -> dict:
        """What was observed, with lists made arrays where the course gives an array."""
        observed, wanted = self.outcome.observed, self.wanted
        return {name: _tidied(value, wanted.get(name)) for name, value in observed.items()}


def fresh_inputs(exercise: Exercise, place: int) -> Inputs:
    """New inputs of one case; equal at every call."""
    made = exercise.cases[place](np.random.default_rng(place))
    return replace(made, names=exercise.parameters)


def trial_of(
    exercise: Exercise, candidate: Callable, place: int, budget: Budget | None = None
) -> Trial:
    """The answer on one case; what is wanted and said of it comes later.

    Raises: KeyboardInterrupt, and what a case factory raises.
    """
    untouched = fresh_inputs(exercise, place)
    given = fresh_inputs(exercise, place)
    return Trial(place, untouched, outcome_of(exercise, candidate, given, untouched, budget))


def trials_of(exercise: Exercise, candidate: Callable, budget: Budget) -> list[Trial]:
    """The answer on the cases one by one, to the last, or to the one in which the time is up."""
    trials = []
    for place in range(len(exercise.cases)):
        trials.append(trial_of(exercise, candidate, place, budget))
        if trials[-1].outcome.kind == "time":
            break
    return trials


def compare(exercise: Exercise, trials: list[Trial]) -> float:
    """Fill in what is wanted in each trial, and what the acceptance says of what came.

    Returns: the seconds that the course's answer took.
    Raises: Defect, if it fails; what the acceptance raises on its results.
    """
    begun = time.monotonic()
    for one in trials:
        one.wanted = _wanted(exercise, one)
    seconds = time.monotonic() - begun
    for one in trials:
        one.said = _said(exercise, one)
    return seconds


def _wanted(exercise: Exercise, trial: Trial) -> dict:
    """What the course's answer gives on the inputs of a trial, by name."""
    given = fresh_inputs(exercise, trial.place)
    outcome = outcome_of(exercise, exercise.answer, given, trial.inputs)
    if outcome.kind != "observed" or outcome.changed:
        raise Defect(f"case {trial.place + 1}: the reference itself fails: {outcome.error!r}")
    return outcome.observed


def _said(exercise: Exercise, trial: Trial) -> bool | str | Sentence:
    """Whether the exercise accepts the outcome: True, False, or a sentence of what is wrong."""
    if trial.outcome.kind != "observed" or trial.outcome.changed:
        return False
    observed, wanted = trial.outcome.observed, trial.wanted
    if any(is_of_wrong_kind(observed.get(name), wanted[name]) for name in wanted):
        return False
    try:
        said = exercise.accept(trial.seen, wanted, trial.inputs)
    except Exception as error:
        exercise.accept(wanted, wanted, trial.inputs)  # if this fails too, the defect is ours
        return sentence(s.CANNOT_GO_ON, name=exercise.name, error=shown_error(error))
    return said if isinstance(said, str | Sentence) else bool(said)


def is_of_wrong_kind(got: object, want: object) -> bool:
    """Whether something other than numbers came where numbers are wanted."""
    return kind_of(want) == "numbers" and kind_of(got) != "numbers"


def _tidied(value: object, want: object) -> object:
    if is_tensor(value) or not isinstance(want, np.ndarray | np.generic):
        return value
    try:
        return as_array(value)
    except NotNumbers:
        return value


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
    if isinstance(error, NotImplementedError):
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


def files_of(candidate: Callable) -> set[str]:
    """The files (or cells) in which an answer's code stands."""
    return {code.co_filename for code in codes_of(candidate)}


def own_line(error: BaseException, candidate: Callable) -> tuple[int, str]:
    """The number and text of the last line of the answer's own code that an error passed."""
    files = files_of(candidate)
    for frame, number in reversed(list(traceback.walk_tb(error.__traceback__))):
        name = frame.f_code.co_filename
        if name in files:
            return number, linecache.getline(name, number, frame.f_globals).strip()
    return 0, ""
