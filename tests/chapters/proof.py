"""What must hold for the data of every exercise, ours here and each chapter's."""

import itertools

from course_lib.judging.answer import verdict_on
from course_lib.judging.diagnosis import (
    outcomes,
    same_outcome,
    what_failed,
)
from course_lib.judging.report import html_report
from course_lib.judging.rounds import rounds_of
from course_lib.judging.side_by_side import plain_lines
from course_lib.judging.trial import known_outcome, trial_of


def outcomes_of(exercise) -> list:
    """The fingerprints of the reference and of every mistake."""
    places = range(len(rounds_of(exercise)))
    tried = [[known_outcome(exercise, one.wrong, at) for at in places] for one in exercise.mistakes]
    return [outcomes(exercise, exercise.answer), *tried]


def alike(exercise) -> list[tuple[str, str]]:
    """The pairs of reference and mistakes whose fingerprints are the same.

    Where both raise, so is what failed and the shapes that it met: the judge looks at that, too.
    """
    names = ["the reference", *(one.says for one in exercise.mistakes)]
    pairs = itertools.combinations(zip(names, outcomes_of(exercise), strict=True), 2)
    return [
        (name, other)
        for (name, left), (other, right) in pairs
        if all(
            same_outcome(*pair) and len(set(map(what_failed, pair))) == 1
            for pair in zip(left, right, strict=True)
        )
    ]


def faults_of_report(exercise, verdict) -> list[str]:
    """What makes a report hard to read: wide lines, no mark, a large page."""
    lines = plain_lines(verdict.comparison) if verdict.comparison is not None else []
    faults = [f"too wide: {line}" for line in lines if len(line) > 120]
    if lines and not any(cell.marked for row in verdict.comparison.rows for cell in row):
        faults.append("no mark")
    if len(html_report(exercise, verdict)) >= 14_000:
        faults.append("too large a page")
    return faults


def broken_properties_of_the_reference(exercise) -> list[str]:
    """The properties that the right answer itself does not have."""
    broken = []
    for place in range(len(exercise.cases)):
        trial = trial_of(exercise, exercise.answer, place)
        trial.wanted = trial.outcome.observed
        broken += [p.sentence for p in exercise.properties if not p.holds(trial.seen, trial.inputs)]
    return broken


def sentences_of(exercise) -> list[str]:
    """Every template in the data of an exercise."""
    mistakes = [one.says for one in exercise.mistakes]
    return [*exercise.hints, *mistakes, *(one.sentence for one in exercise.properties)]


def verdict_on_stub(exercise):
    """The verdict on what the student's notebook holds before anything is written."""
    if not exercise.is_class:
        return verdict_on(exercise, lambda *args, **kwargs: ...)
    if hasattr(exercise.answer, "apply"):
        return None  # torch itself refuses a stub of these; their own test says how
    stub = type(exercise.name, (exercise.answer,), {"forward": lambda self, *args, **kwargs: ...})
    return verdict_on(exercise, stub)
