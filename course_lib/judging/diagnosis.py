"""Which known mistake an answer makes: it does the same as the mistake on all cases.

NaN or an exception alone never identifies a mistake: many different mistakes end there. Where both
only raise, the same operation must have met the same shapes, and even then it is a guess. One that
does not agree everywhere is worth a look only where it agrees on two failing cases or more, and on
most of them; a case that is tried anew counts once.
"""

import functools
from collections.abc import Callable, Sequence

import numpy as np

from course_lib.judging.exercise import Exercise
from course_lib.judging.outcome import Outcome
from course_lib.judging.rounds import rounds_of
from course_lib.judging.trial import Trial, known_outcome, trial_of
from course_lib.judging.verdict import Sentence
from course_lib.learner.arrays import NotNumbers, as_array, kind_of
from course_lib.learner.compare import agree

SMALL_COUNT = 20


def known_mistake(
    exercise: Exercise, trials: Sequence[Trial], failing: Sequence[Trial]
) -> tuple[Sentence | None, bool]:
    """The sentence of the mistake that explains an answer, and whether it is that one exactly.

    trials: the answer on all cases.   failing: those that are not right, the most telling first.
    """
    cases = [one for one in failing if one.round.is_case]
    best, best_count = None, max(1, len(cases) // 2)
    for mistake in exercise.mistakes:
        for wrong in (mistake.wrong, *mistake.also):
            known = functools.partial(known_outcome, exercise, wrong)
            first = (cases or failing)[0]
            if not same_outcome(first.outcome, known(first.place)):
                continue  # the other rounds are not even tried: most mistakes end here
            same = [same_outcome(one.outcome, known(one.place)) for one in trials]
            if all(same):
                exactly = any(tells(one.outcome) for one in failing)
                if exactly or all(
                    what_failed(one.outcome) == what_failed(known(one.place)) for one in trials
                ):
                    return Sentence(mistake.says), exactly
            agrees = [same[one.place] and tells(one.outcome) for one in cases]
            if any(agrees[:1]) and sum(agrees) > best_count and not _by_chance(cases[0]):
                best, best_count = Sentence(mistake.says), sum(agrees)
    return best, False


def _by_chance(trial: Trial) -> bool:
    """Whether what is wanted is a word, a truth value, a small count or has one among others: many
    mistakes give the same.
    """
    return all(map(_is_choice, trial.wanted.values()))


def _is_choice(value: object) -> bool:
    if isinstance(value, list | tuple):
        return any(map(_is_choice, value))
    try:
        array = as_array(value)
    except NotNumbers:
        return isinstance(value, str)
    if array.size != 1 or array.dtype.kind not in "biu":
        return False
    return array.dtype == bool or abs(int(array.reshape(())[()])) <= SMALL_COUNT


def outcomes(exercise: Exercise, candidate: Callable) -> list[Outcome]:
    """What a candidate does in every round; `same_outcome` compares them one by one."""
    rounds = range(len(rounds_of(exercise)))
    return [trial_of(exercise, candidate, place).outcome for place in rounds]


def same_outcome(left: Outcome, right: Outcome) -> bool:
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
    return all(_alike(left.observed[k], right.observed[k]) for k in left.observed)


def _alike(one: object, other: object) -> bool:
    """Whether two observations are the same; so are two functions, as neither was called."""
    return agree(one, other, 1e-6) or (kind_of(one) == kind_of(other) == "function")


def what_failed(outcome: Outcome) -> tuple:
    """The operation that failed and the shapes that it met, where they are known."""
    return outcome.finding.key if outcome.finding is not None else ()


def tells(outcome: Outcome) -> bool:
    """Whether an outcome has a number that could identify a mistake."""
    if outcome.kind == "unusable":
        return True
    if outcome.kind != "observed":
        return False
    return outcome.changed != () or any(map(tells_number, outcome.observed.values()))


def tells_number(value: object) -> bool:
    """Whether there is a finite number in it."""
    if isinstance(value, dict | list | tuple):
        parts = value.values() if isinstance(value, dict) else value
        return any(map(tells_number, parts))
    try:
        array = as_array(value)
    except NotNumbers:
        return value is not None
    return bool(np.isfinite(array).any())
