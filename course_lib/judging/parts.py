"""Answers of several parts, judged part by part: which are right, and which mistake each shows."""

from collections.abc import Sequence
from typing import Any

from course_lib.judging import sentences as s
from course_lib.judging.diagnosis import tells_number
from course_lib.judging.exercise import Exercise, Mistake
from course_lib.judging.trial import Trial, known_outcome
from course_lib.judging.verdict import Sentence, sentence
from course_lib.learner.compare import agree

Parts = dict[str, Any]


def parts_in(exercise: Exercise, observed: dict) -> Parts:
    """The several answers by their names, in order; {} where there is one, or some are missing."""
    names = exercise.parts
    if list(observed) == ["output"] and isinstance(observed["output"], list | tuple):
        values = observed["output"]
        return dict(zip(names, values, strict=True)) if len(values) == len(names) else {}
    found = {name: observed[name] for name in names if name in observed}
    return found if len(found) == len(names) else {}


def right_parts(exercise: Exercise, trials: Sequence[Trial]) -> list[str] | None:
    """The names of the parts that are right in all trials; None where there are no parts."""
    if not exercise.parts or exercise.open_answer:
        return None
    if not all(one.outcome.kind == "observed" for one in trials):
        return None
    came = [parts_in(exercise, one.outcome.observed) for one in trials]
    if not all(came):
        return None
    return [
        name
        for name in exercise.parts
        if all(_is_right(exercise, *pair, name) for pair in zip(trials, came, strict=True))
    ]


def note_on_parts(exercise: Exercise, right: list[str] | None) -> tuple[Sentence, ...]:
    """Which parts are right and which are not yet."""
    if right is None or len(right) == len(exercise.parts):
        return ()
    wrong = [name for name in exercise.parts if name not in right]
    if not right:
        return (sentence(s.NO_PART_RIGHT, wrong=", ".join(wrong)),)
    return (sentence(s.PARTS_RIGHT, right=", ".join(right), wrong=", ".join(wrong)),)


def mistakes_in_parts(
    exercise: Exercise, trials: Sequence[Trial], right: Sequence[str]
) -> Sentence | None:
    """The sentences of the mistakes that give exactly the parts that are wrong; None where none.

    A mistake that hits several parts is told where two or more of them are wrong in its way, and
    those that are right would be right with it too, or are fewer.
    """
    left = [name for name in exercise.parts if name not in right]
    hits = [(one, *_hits(exercise, one, trials, left)) for one in exercise.mistakes]
    several = [one for one in hits if len(one[1]) >= 2 and len(one[2]) >= 2]
    single = [one for one in hits if len(one[1]) == len(one[2]) == 1]
    said: list[Sentence] = []
    for mistake, same, _ in sorted(several, key=lambda one: -len(one[1])) + single:
        if set(same) <= set(left):
            left = [name for name in left if name not in same]
            parts = ", ".join(same)
            says = Sentence(mistake.says)
            names_them = mistake.says.startswith(f"{parts}: ")
            said.append(says if names_them else sentence(s.OF_PARTS, parts=parts, mistake=says))
    if not said:
        return None
    whole = said[0]
    for one in said[1:]:
        whole = sentence(s.TOGETHER, first=whole, second=one)
    return whole


def _hits(
    exercise: Exercise, mistake: Mistake, trials: Sequence[Trial], wrong: Sequence[str]
) -> tuple[list[str], list[str]]:
    """The wrong parts that a mistake gives in every trial, and all parts that it makes wrong."""
    known = [known_outcome(exercise, mistake.wrong, one.place) for one in trials]
    if not all(one.kind == "observed" for one in known):
        return [], []
    given = [parts_in(exercise, one.observed) for one in known]
    if not all(given):
        return [], []
    came = [parts_in(exercise, one.outcome.observed) for one in trials]
    wanted = [parts_in(exercise, one.wanted) for one in trials]
    spoiled = [
        name
        for name in exercise.parts
        if not all(agree(a[name], b[name]) for a, b in zip(given, wanted, strict=True))
    ]
    same = [
        name
        for name in spoiled
        if name in wrong
        and any(tells_number(one[name]) for one in came)
        and all(agree(a[name], b[name]) for a, b in zip(came, given, strict=True))
    ]
    return same, spoiled


def _is_right(exercise: Exercise, trial: Trial, came: Parts, name: str) -> bool:
    """Whether the exercise accepts a part when the others are the course's."""
    if trial.said is True:
        return True
    wanted = trial.wanted
    if list(wanted) == ["output"]:
        swapped = {**parts_in(exercise, wanted), name: came[name]}
        got = {"output": tuple(swapped.values())}
    else:
        got = {**wanted, name: came[name]}
    try:
        return exercise.accept(got, wanted, trial.inputs) is True
    except Exception:  # the acceptance cannot go on with it
        return False
