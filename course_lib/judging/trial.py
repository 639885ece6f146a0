"""An answer tried on one case: what went in, what came, what was wanted, what is said of it."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from course_lib.judging import sentences as s
from course_lib.judging.exercise import Exercise, Inputs
from course_lib.judging.outcome import Outcome, outcome_of
from course_lib.judging.verdict import Sentence, sentence
from course_lib.learner.arrays import NotNumbers, as_array, is_tensor, kind_of
from course_lib.learner.errors import shown_error
from course_lib.learner.time_limit import Budget


class Defect(Exception):
    """Something of the course's own failed: a case, an observer, a reference, an acceptance."""


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
        return tidied(self.outcome.observed, self.wanted)


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


def wanted_of(exercise: Exercise, trial: Trial) -> dict:
    """What the course's answer gives on the inputs of a trial, by name.

    Raises: Defect, if it fails there.
    """
    given = fresh_inputs(exercise, trial.place)
    outcome = outcome_of(exercise, exercise.answer, given, trial.inputs)
    if outcome.kind != "observed" or outcome.changed:
        raise Defect(f"case {trial.place + 1}: the reference itself fails: {outcome.error!r}")
    return outcome.observed


def said_of(exercise: Exercise, trial: Trial) -> bool | str | Sentence:
    """Whether the exercise accepts the outcome: True, False, or a sentence of what is wrong.

    Raises: what the acceptance raises on the course's own result.
    """
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


def tidied(observed: dict, want: dict) -> dict:
    """The observations with lists made arrays where the reference gives an array."""
    return {name: _tidied(value, want.get(name)) for name, value in observed.items()}


def _tidied(value: object, want: object) -> object:
    if is_tensor(value) or not isinstance(want, np.ndarray | np.generic):
        return value
    try:
        return as_array(value)
    except NotNumbers:
        return value
