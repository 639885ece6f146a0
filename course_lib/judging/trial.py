"""An answer tried on one case: what went in, what came, what was wanted, what is said of it."""

import functools
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from course_lib.judging import sentences as s
from course_lib.judging.exercise import Exercise, Inputs
from course_lib.judging.originals import originals
from course_lib.judging.outcome import Outcome, outcome_of
from course_lib.judging.rounds import (
    FIRST,
    OTHER_NUMBERS,
    Round,
    inputs_of,
    pairs_of,
    refilled,
    rounds_of,
)
from course_lib.judging.verdict import Sentence, sentence
from course_lib.learner.arrays import NotNumbers, as_array, copied, is_tensor, kind_of
from course_lib.learner.errors import shown_error
from course_lib.learner.time_limit import Budget


class Defect(Exception):
    """Something of the course's own failed: a case, an observer, a reference, an acceptance."""


@dataclass
class Trial:
    """One answer in one round: on one case, or on one of them again.

    place: the number of the round, from 0; the cases come first.
    inputs: what it gives; no answer has touched them.
    outcome: what the answer did.   wanted: what the course's answer gives, by name.
    said: the acceptance of the outcome: True, False, or a sentence of what is wrong.
    round: which case it is, and whether anew.   earlier: the first trial of a case that is tried
    anew.
    """

    place: int
    inputs: Inputs
    outcome: Outcome
    wanted: dict = field(default_factory=dict)
    said: bool | str | Sentence = False
    round: Round = FIRST
    earlier: "Trial | None" = None

    @property
    def seen(self) -> dict:
        """What was observed, with lists made arrays where the course gives an array."""
        observed, wanted = self.outcome.observed, self.wanted
        return {name: _tidied(value, wanted.get(name)) for name, value in observed.items()}


def fresh_inputs(exercise: Exercise, place: int) -> Inputs:
    """New inputs of one round, the cases first; equal at every call."""
    return inputs_of(exercise, rounds_of(exercise)[place])


def trial_of(exercise: Exercise, candidate: Callable, place: int) -> Trial:
    """The answer in one round; what is wanted and said of it comes later.

    Raises: KeyboardInterrupt, and what a case factory raises.
    """
    with originals():
        given, untouched = (fresh_inputs(exercise, place) for _ in range(2))
    return _tried(exercise, candidate, place, given, untouched)


def _tried(
    exercise: Exercise,
    candidate: Callable,
    place: int,
    given: Inputs,
    untouched: Inputs,
    budget: Budget | None = None,
) -> Trial:
    """given: inputs that the answer may change.   untouched: equal ones."""
    outcome = outcome_of(exercise, candidate, given, untouched, budget)
    return Trial(place, untouched, outcome, round=rounds_of(exercise)[place])


def trials_of(exercise: Exercise, candidate: Callable, budget: Budget) -> list[Trial]:
    """The answer in each round, to the last, or to the one in which the time is up.

    Other numbers come in the arrays that the case had: an answer may know these again.
    """
    rounds = rounds_of(exercise)
    first, trials = dict(pairs_of(rounds)), []
    arrays: dict[int, Inputs] = {}
    twins = {one.case for one in rounds if one.kind == OTHER_NUMBERS}
    for place, one in enumerate(rounds):
        with originals():
            given, untouched = (fresh_inputs(exercise, place) for _ in range(2))
        if one.kind == OTHER_NUMBERS:
            given = refilled(arrays[one.case], given)
        trials.append(_tried(exercise, candidate, place, given, untouched, budget))
        if one.is_case and place in twins:  # a result may be a view of what is filled anew
            trials[-1].outcome.observed = _copied(trials[-1].outcome.observed)
            arrays[place] = given
        if place in first:
            trials[-1].earlier = trials[first[place]]
        if trials[-1].outcome.kind == "time":
            break
    return trials


def _copied(value: Any) -> Any:
    if type(value) is dict:
        return {name: _copied(one) for name, one in value.items()}
    if type(value) in (list, tuple):
        return type(value)(map(_copied, value))
    return copied(value)


def compare(exercise: Exercise, trials: list[Trial]) -> None:
    """Fill in what is wanted in each trial, and what the acceptance says of what came.

    Raises: Defect, if the course's answer fails; what the acceptance raises on its results.
    """
    with originals():
        for one in trials:
            one.wanted = _wanted(exercise, one)
        for one in trials:
            one.said = _said(exercise, one)


def seconds_of_ours(exercise: Exercise, trials: list[Trial]) -> float:
    """How long the course's answer takes now in the rounds of these trials."""
    with originals():
        begun = time.monotonic()
        for one in trials:
            trial_of(exercise, exercise.answer, one.place)
        return time.monotonic() - begun


def known_outcome(exercise: Exercise, ours: Callable, place: int) -> Outcome:
    """What a right or wrong answer of the course's does in one round, tried once: every learner's
    answer is compared with it.
    """
    known = _known_outcomes(exercise, ours)
    if place not in known:
        outcome = trial_of(exercise, ours, place).outcome
        if outcome.kind == "time":  # the machine was busy; the next time it may not be
            return outcome
        known[place] = outcome
    return known[place]


@functools.cache
def _known_outcomes(exercise: Exercise, ours: Callable) -> dict[int, Outcome]:
    return {}


def _wanted(exercise: Exercise, trial: Trial) -> dict:
    """What the course's answer gives on the inputs of a trial, by name."""
    outcome = known_outcome(exercise, exercise.answer, trial.place)
    if outcome.kind != "observed" or outcome.changed:
        raise Defect(f"case {trial.round.case + 1}: the reference itself fails: {outcome.error!r}")
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
    """Whether no numbers came where numbers are wanted, or a function where text is."""
    wanted, given = kind_of(want), kind_of(got)
    return given != "numbers" if wanted == "numbers" else (wanted, given) == ("text", "function")


def _tidied(value: object, want: object) -> object:
    if is_tensor(value) or not isinstance(want, np.ndarray | np.generic):
        return value
    try:
        return as_array(value)
    except NotNumbers:
        return value
