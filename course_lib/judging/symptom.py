"""Puts into words what is wrong on one case: what is seen first, before any guess of the cause."""

from dataclasses import dataclass, replace

import numpy as np

from course_lib.judging import sentences as s
from course_lib.judging.differences import Difference, difference
from course_lib.judging.exercise import Exercise
from course_lib.judging.kinds import of_kind
from course_lib.judging.not_finite import unfit_numbers
from course_lib.judging.observations import (
    GRADIENT,
    kind_and_rest,
    sentence_for,
    sentence_of_extra,
    sentence_of_missing,
)
from course_lib.judging.pasteable import effect_shown, result_shown, shapes_given, shown_call
from course_lib.judging.raised import of_error
from course_lib.judging.rounds import AGAIN
from course_lib.judging.trial import Trial, is_of_wrong_kind
from course_lib.judging.verdict import Comparison, Evidence, Sentence, sentence
from course_lib.learner.arrays import kind_of
from course_lib.learner.compare import agree
from course_lib.learner.errors import shown_error


@dataclass(frozen=True)
class Symptom:
    """What is wrong on one case.

    main: one sentence.   notes: what else is seen, and the properties that are broken.
    evidence: the input, what was expected, what came.   comparison: the last two side by side.
    """

    main: Sentence
    notes: tuple[Sentence, ...]
    evidence: tuple[Evidence, ...]
    comparison: Comparison | None = None


def symptom_of(exercise: Exercise, trial: Trial) -> Symptom:
    """What is wrong with an outcome that was not accepted."""
    told = _told(exercise, trial)
    if trial.outcome.kind == "observed":
        told.notes += _broken_properties(exercise, trial)
    shown = evidence_of(exercise, trial, told.want, told.got)
    return Symptom(told.main, tuple(told.notes), shown, told.comparison)


def _told(exercise: Exercise, trial: Trial) -> Difference:
    """What is said, and what was expected and came (None where the sentence says it all)."""
    name, outcome, want = exercise.name, trial.outcome, trial.wanted
    kept = _keeps_something(trial)
    if kept is not None:
        return Difference(sentence(kept, name=name), [], _plain(want), _plain(outcome.observed))
    if outcome.kind == "raised" and outcome.error is not None:
        return Difference(of_error(exercise, outcome.error, outcome), [], _asked(exercise, want))
    if outcome.kind == "nothing":
        nothing = s.GAP_LEFT if outcome.value is Ellipsis else s.NOTHING_SOMETIMES
        return Difference(sentence(nothing, name=name), [], _asked(exercise, want))
    if outcome.kind == "unusable":
        asked = _asked(exercise, want)
        return Difference(of_kind(name, outcome.value), [], asked, outcome.value)
    part = _different_part(outcome.observed, want)
    got, wanted = outcome.observed.get(part), want.get(part)
    _, of = kind_and_rest(part)
    if kind_of(got) == "nothing" and kind_of(wanted) != "nothing":
        missing = sentence(sentence_of_missing(part), name=name, part=part, of=of)
        return Difference(missing, [], wanted if part in exercise.parts else None)
    if part not in want:
        return Difference(sentence(sentence_of_extra(part), name=name, part=part, of=of))
    if is_of_wrong_kind(got, wanted):
        one = not exercise.open_answer  # several may be asked for
        return Difference(of_kind(name, got, one), [], wanted, got)
    if outcome.changed:
        named = ", ".join(outcome.changed)
        return Difference(sentence(s.CHANGES_INPUT, name=name, inputs=named))
    if exercise.open_answer:
        return Difference(_of_open_answer(name, trial.said), [], None, got)
    told = _of_observation(exercise, part, got, wanted)
    unfit = unfit_numbers(name, part, outcome.observed, wanted)
    if unfit is not None:
        told = replace(told, main=unfit, notes=[])
    if isinstance(trial.said, str | Sentence):
        told.notes.insert(0, _as_sentence(trial.said))
    return told


def _of_observation(exercise: Exercise, part: str, got: object, want: object) -> Difference:
    """What is said of one observation: in its own sentence, where it has one."""
    name, template = exercise.name, sentence_for(exercise, part)
    told = difference(name, "" if part == "output" else part, got, want, exercise.parts)
    if not template:
        return told
    kind, of = kind_and_rest(part)
    whole_arrays = kind == GRADIENT
    if whole_arrays and told.main.template != s.OTHER_NUMBERS_IN:
        return told  # NaN, or another shape
    shown = {"want": result_shown(want), "got": result_shown(got)}
    main = sentence(template, name=name, of=of, **shown)
    if whole_arrays:
        return replace(told, main=main)
    return Difference(main)


def _keeps_something(trial: Trial) -> str | None:
    """The template for a case that was right the first time, where an earlier call shows."""
    first = trial.earlier
    if first is None or first.said is not True or trial.outcome.kind != "observed":
        return None
    if isinstance(trial.said, str | Sentence):
        return None  # the acceptance knows more of it
    if trial.round.kind == AGAIN:
        return s.SECOND_TIME
    return s.KEPT_RESULT if agree(trial.outcome.observed, first.outcome.observed) else None


def _plain(seen: dict) -> object:
    """What was observed, without a name where it is the output alone."""
    return seen["output"] if list(seen) == ["output"] else seen


def _asked(exercise: Exercise, want: dict) -> dict:
    """What is to be returned, without what has a sentence of its own, such as a gradient."""
    return {part: one for part, one in want.items() if not sentence_for(exercise, part)} or want


def _broken_properties(exercise: Exercise, trial: Trial) -> list[Sentence]:
    broken = []
    for one in exercise.properties:
        try:
            holds = one.holds(trial.seen, trial.inputs)
        except Exception:  # it cannot be asked of this answer, so it says nothing about it
            continue
        if not holds:
            broken.append(sentence(s.BROKEN, property=Sentence(one.sentence)))
    return broken


def evidence_of(
    exercise: Exercise, trial: Trial, expected: object = None, came: object = None
) -> tuple[Evidence, ...]:
    """The lines below a symptom: the input, what was expected, what came, the learner's line."""
    told = "" if trial.outcome.finding is None else shapes_given(trial.inputs)
    lines = [Evidence(s.INPUT, shown_call(exercise, trial.inputs) + told)]
    if expected is not None and not exercise.open_answer:
        lines.append(Evidence(s.EXPECTED, _observation_shown(expected)))
    caused = _caused(exercise, trial)
    if caused:
        lines += caused
    elif came is not None:
        lines.append(Evidence(s.YOURS, _observation_shown(came)))
    if trial.outcome.line:
        lines.append(Evidence(s.YOUR_LINE, trial.outcome.line))
    if trial.outcome.finding is not None and trial.outcome.error is not None:
        lines.append(Evidence(s.ERROR, shown_error(trial.outcome.error)))
    return tuple(lines)


def _caused(exercise: Exercise, trial: Trial) -> list[Evidence]:
    """What an open answer brings about, beside what was asked for; nothing where it cannot be."""
    if exercise.effect is None or trial.outcome.kind != "observed":
        return []
    try:
        with np.errstate(all="ignore"):
            found = exercise.effect(trial.seen, trial.inputs)
        return [Evidence(one.label, effect_shown(one.value), one.asked) for one in found]
    except Exception:  # it has no such form that anything would follow from it
        return []


def _observation_shown(value: object) -> str:
    if isinstance(value, dict) and list(value) == ["output"]:
        value = value["output"]
    return result_shown(value)


def _as_sentence(said: str | Sentence) -> Sentence:
    if isinstance(said, Sentence):
        return said
    # A sentence that was already filled may hold braces of its own.
    return sentence(s.AS_IT_STANDS, said=said) if "{" in said else Sentence(said)


def _of_open_answer(name: str, said: bool | str | Sentence) -> Sentence:
    if isinstance(said, bool) or not said:
        return sentence(s.NOT_ACCEPTED, name=name)
    return _as_sentence(said)


def _different_part(got: dict, want: dict) -> str:
    for name in want:
        if name not in got or not agree(got[name], want[name]):
            return name
    return next((name for name in got if name not in want), next(iter(want)))
