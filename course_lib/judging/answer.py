"""Judges an answer: runs it on all cases and finds the words for it. Prints and saves nothing."""

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from course_lib.judging import sentences as s
from course_lib.judging.borrowed import borrowed
from course_lib.judging.diagnosis import known_mistake, same_outcome
from course_lib.judging.exercise import Exercise
from course_lib.judging.observe import NotHere
from course_lib.judging.originals import originals
from course_lib.judging.parts import mistakes_in_parts, note_on_parts, right_parts
from course_lib.judging.relations import relation_of
from course_lib.judging.rounds import AGAIN
from course_lib.judging.shapes.found import fitting
from course_lib.judging.symptom import evidence_of, symptom_of
from course_lib.judging.trial import Trial, compare, seconds_of_ours, trials_of
from course_lib.judging.typed import hands_out, has_dots, is_typed
from course_lib.judging.verdict import Sentence, Verdict, defect, interrupted, sentence
from course_lib.learner.arrays import as_array, kind_of, numbers_in
from course_lib.learner.bound import bound_to_its_name
from course_lib.learner.time_limit import Budget

SLOW = 0.1  # seconds a case; the cells below call a function hundreds of times
SLOWER = 20  # times the reference's: what is slow by nature is nobody's fault


def verdict_on(exercise: Exercise, candidate: Any) -> Verdict:
    """The verdict on an answer. It never raises; a defect of ours is a verdict too."""
    try:
        misfit = _misfit(exercise, candidate)
        if misfit is not None:
            return Verdict("wrong", misfit.template, misfit.values)
        with bound_to_its_name(exercise.name, candidate):
            return _verdict_on_all_cases(exercise, candidate)
    except KeyboardInterrupt:
        return interrupted(exercise.name)
    except BaseException as error:
        return defect(exercise.name, error)


def _verdict_on_all_cases(exercise: Exercise, candidate: Callable) -> Verdict:
    budget = Budget(exercise.seconds)
    trials = trials_of(exercise, candidate, budget)
    if trials[-1].outcome.kind == "time":
        return _out_of_time(exercise, trials[-1])
    if all(one.outcome.kind == "nothing" for one in trials):
        return _not_attempted(exercise, candidate, trials)
    took = exercise.seconds - budget.left
    slow = took > SLOW * len(trials)
    compare(exercise, trials)
    failing = [one for one in trials if one.said is not True]
    if failing:
        with originals():
            return _wrong(exercise, candidate, trials, sorted(failing, key=_how_telling))
    times = took / max(seconds_of_ours(exercise, trials), 1e-6) if slow else 0.0
    if times > SLOWER:
        times = min(times, _times_as_long(exercise, candidate))
    if times > SLOWER:
        values = {"name": exercise.name, "times": round(times)}
        return Verdict("right", s.TOO_SLOW, values, slow=True)
    plain, reward = all(map(_has_the_types, trials)), _reward(exercise, trials[0])
    symptom = s.YOURS_IS_USED if exercise.used else s.THAT_IS_IT
    return Verdict("right", symptom, notes=reward, plain_results=plain)


def _reward(exercise: Exercise, first: Trial) -> tuple[Sentence, ...]:
    """What a right answer is told besides; a function speaks of what this answer gave."""
    if callable(exercise.reward):
        with originals():
            return (exercise.reward(first.seen, first.inputs),)
    return (sentence(exercise.reward),) if exercise.reward else ()


def _times_as_long(exercise: Exercise, candidate: Callable) -> float:
    """How many times as long as the course's an answer takes, once both have started up.

    0 where it is no longer slow.
    """
    budget = Budget(exercise.seconds)
    trials = trials_of(exercise, candidate, budget)
    took = exercise.seconds - budget.left
    if took <= SLOW * len(trials):
        return 0.0
    return took / max(seconds_of_ours(exercise, trials), 1e-6)


def _wrong(
    exercise: Exercise, candidate: Callable, trials: list[Trial], failing: list[Trial]
) -> Verdict:
    """failing: the most telling first; the verdict shows that one."""
    trial = failing[0]
    symptom = symptom_of(exercise, trial)
    notes = (*symptom.notes, *borrowed(exercise, candidate))
    if symptom.main.template != s.SECOND_TIME:
        notes += _note_on_again(exercise, trials[-1])
    mistake, exactly = known_mistake(exercise, trials, failing)
    right = right_parts(exercise, trials)
    in_parts = None if exactly or right is None else mistakes_in_parts(exercise, trials, right)
    notes += note_on_parts(exercise, right)
    if in_parts is not None:
        mistake, exactly = in_parts, True
    elif mistake is not None and mistake.text == symptom.main.text:
        mistake = None  # the acceptance of an open answer has said the same
    notes = tuple(note for note in notes if note != mistake)  # it may have said it in a note
    notes += _note_on_unnamed(exercise, trial, exactly)
    if mistake is None and trial.outcome.finding is not None:
        found = [one.outcome.finding for one in failing if one.outcome.finding is not None]
        mistake = fitting(found)
    if mistake is None and not exercise.parts:
        mistake = relation_of(exercise, failing)
    half = all(one.outcome.value is Ellipsis for one in failing)  # the rest of it is right
    return Verdict(
        "wrong",
        s.HALF_DONE if half else symptom.main.template,
        symptom.main.values,
        evidence=symptom.evidence,
        notes=notes,
        comparison=symptom.comparison,
        mistake=mistake,
        exactly=exactly or half,  # where the dots stand says it all
        in_parts=in_parts is not None,
        printed=trial.outcome.printed,
    )


def _note_on_again(exercise: Exercise, again: Trial) -> tuple[Sentence, ...]:
    """What is added where an answer did not do the same when the first case came again."""
    first = again.earlier
    if first is None or again.round.kind != AGAIN:
        return ()
    same = same_outcome(first.outcome, again.outcome)
    return () if same else (sentence(s.SECOND_TIME, name=exercise.name),)


def _note_on_unnamed(exercise: Exercise, trial: Trial, exactly: bool) -> tuple[Sentence, ...]:
    """What is added where the acceptance says what is wrong, and no one mistake does all of it."""
    said = isinstance(trial.said, str | Sentence) and exercise.unnamed and not exactly
    return (sentence(exercise.unnamed),) if said else ()


def _misfit(exercise: Exercise, candidate: object) -> Sentence | None:
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


def _out_of_time(exercise: Exercise, trial: Trial) -> Verdict:
    return Verdict(
        "wrong",
        s.TIME,
        {"name": exercise.name, "seconds": f"{exercise.seconds:g}"},
        evidence=evidence_of(exercise, trial),
        printed=trial.outcome.printed,
        cause="time",
    )


def _not_attempted(exercise: Exercise, candidate: Callable, trials: list[Trial]) -> Verdict:
    """Nothing came back in any case: a beginner prints instead, or forgets the `return`."""
    trial, name = trials[0], exercise.name
    outcome = trial.outcome
    if outcome.value is None and outcome.error is None and outcome.printed.lines:
        shown = evidence_of(exercise, trial)
        return Verdict(
            "wrong", s.PRINTS_ONLY, {"name": name}, evidence=shown, printed=outcome.printed
        )
    if isinstance(outcome.error, NotHere):
        return Verdict("todo", s.NOT_HERE, {"name": name, "why": str(outcome.error)})
    none = all(one.outcome.value is None and one.outcome.error is None for one in trials)
    if none and is_typed(candidate, exercise.answer):
        template = s.RETURNS_NONE if hands_out(candidate) else s.NO_RETURN
        return Verdict("wrong", template, {"name": name}, evidence=evidence_of(exercise, trial))
    template = s.RETURNS_NOTHING_YET
    if isinstance(outcome.error, NotImplementedError):
        template = s.NOT_IMPLEMENTED_YET
    elif none and not has_dots(candidate):
        template = s.NO_RETURN_YET
    return Verdict("todo", template, {"name": name})


def _how_telling(trial: Trial) -> tuple[bool, int]:
    """The fewer numbers the better, but one number alone hides what happened to it."""
    values = trial.inputs.named().values()
    sizes = [numbers_in(value) for value in values if np.ndim(value)]
    return bool(sizes) and max(sizes) == 1, sum(map(numbers_in, values))


def _has_the_types(trial: Trial) -> bool:
    """Whether each result has the type of the course's, so that nothing is to be converted."""
    observed = trial.outcome.observed
    return all(_same_type(observed.get(name), want) for name, want in trial.wanted.items())


def _same_type(got: object, want: object) -> bool:
    if type(got) is not type(want):
        return False
    if isinstance(want, tuple) and isinstance(got, tuple):  # two arrays are not two tensors
        return len(got) == len(want) and all(map(_same_type, got, want))
    return kind_of(want) != "numbers" or as_array(got).dtype == as_array(want).dtype
