"""Which known mistake an answer makes: it does the same as the mistake on all cases.

NaN or an exception alone never identifies a mistake: many different mistakes end there.
"""

import numpy as np

from course_lib.judging.attempt import attempt
from course_lib.judging.sentences import HAPPENS_WHEN, LOOK_AT
from course_lib.judging.verdict import Sentence, sentence
from course_lib.learner.arrays import NotNumbers, as_array
from course_lib.learner.compare import agree


def fingerprint(exercise, candidate) -> list:
    """What a candidate does on every case: outcomes that `same_outcome` compares."""
    return [attempt(exercise, candidate, place) for place in range(len(exercise.cases))]


def _known(exercise, mistake) -> list:
    """A mistake's fingerprint, made once: every wrong answer is compared with all of them."""
    if mistake not in exercise.fingerprints:
        exercise.fingerprints[mistake] = fingerprint(exercise, mistake.wrong)
    return exercise.fingerprints[mistake]


def same_outcome(left, right) -> bool:
    """Equal values with NaN in the same places, or the same type of exception."""
    if left.kind != right.kind or left.changed != right.changed:
        return False
    if left.kind == "raised":
        return type(left.error) is type(right.error)
    if left.kind == "unusable":
        return type(left.value) is type(right.value)
    if left.kind != "observed":
        return True
    if left.observed.keys() != right.observed.keys():
        return False
    return all(agree(left.observed[k], right.observed[k], 1e-6) for k in left.observed)


def tells(outcome) -> bool:
    """Whether an outcome has a number that could identify a mistake."""
    if outcome.kind == "unusable":
        return True
    if outcome.kind != "observed":
        return False
    return outcome.changed != () or any(map(_has_number, outcome.observed.values()))


def _has_number(value) -> bool:
    if isinstance(value, dict | list | tuple):
        parts = value.values() if isinstance(value, dict) else value
        return any(map(_has_number, parts))
    try:
        array = as_array(value)
    except NotNumbers:
        return value is not None
    return bool(np.isfinite(array).any())


def diagnose(exercise, outcomes: list, failing: list[int]) -> Sentence | None:
    """The sentence of the mistake that explains an answer, firmer where all cases agree.

    outcomes: of the learner's answer on all cases.   failing: places, the smallest first.
    """
    best, best_count = None, 0
    for mistake in exercise.mistakes:
        same = [
            same_outcome(one, other)
            for one, other in zip(outcomes, _known(exercise, mistake), strict=True)
        ]
        if all(same) and any(tells(outcomes[place]) for place in failing):
            return sentence(HAPPENS_WHEN, mistake=Sentence(mistake.says))
        if all(same):
            return sentence(LOOK_AT, mistake=Sentence(mistake.says))
        first = failing[0]
        if same[first] and tells(outcomes[first]) and sum(same) > best_count:
            best, best_count = mistake, sum(same)
    return None if best is None else sentence(LOOK_AT, mistake=Sentence(best.says))
