"""Puts into words what is wrong on one case: what is seen first, before any guess of the cause."""

import inspect
import itertools
from dataclasses import dataclass

import numpy as np

from course_lib.judging import sentences as s
from course_lib.judging.exercise import Exercise
from course_lib.judging.not_finite import not_finite, unfit_numbers
from course_lib.judging.pasteable import result_shown, shown_call
from course_lib.judging.raised import of_error
from course_lib.judging.rounds import AGAIN
from course_lib.judging.trial import Trial, is_of_wrong_kind
from course_lib.judging.verdict import Evidence, Sentence, sentence
from course_lib.judging.wrong_shape import meaning_of_shape
from course_lib.learner.arrays import NotNumbers, as_array, kind_of
from course_lib.learner.compare import agree, near
from course_lib.learner.errors import shown_error

KINDS = {
    "text": s.TEXT,
    "generator": s.GENERATOR,
    "iterator": s.ITERATOR,
    "coroutine": s.COROUTINE,
    "function": s.FUNCTION,
    "dict": s.CONTAINER,
    "set": s.CONTAINER,
    "ragged": s.RAGGED,
}


Shown = tuple[Sentence, list[Sentence], object, object]


@dataclass(frozen=True)
class Symptom:
    """What is wrong on one case.

    main: one sentence.   notes: what else is seen, and the properties that are broken.
    evidence: the input, what was expected, what came.
    """

    main: Sentence
    notes: tuple[Sentence, ...]
    evidence: tuple[Evidence, ...]


def symptom_of(exercise: Exercise, trial: Trial) -> Symptom:
    """What is wrong with an outcome that was not accepted."""
    main, notes, expected, came = _shown(exercise, trial)
    if trial.outcome.kind == "observed":
        notes += _broken_properties(exercise, trial)
    return Symptom(main, tuple(notes), evidence_of(exercise, trial, expected, came))


def _shown(exercise: Exercise, trial: Trial) -> Shown:
    """The main sentence, the notes, what was expected and what came (None: it says it all)."""
    name, outcome, want = exercise.name, trial.outcome, trial.wanted
    kept = _keeps_something(trial)
    if kept is not None:
        return sentence(kept, name=name), [], _told(want), _told(outcome.observed)
    if outcome.kind == "raised" and outcome.error is not None:
        return of_error(exercise, outcome.error, outcome), [], want, None
    if outcome.kind == "nothing":
        return sentence(s.NOTHING_SOMETIMES, name=name), [], want, None
    if outcome.kind == "unusable":
        return _of_kind(name, outcome.value, want), [], want, outcome.value
    part = _different_part(outcome.observed, want)
    got, wanted = outcome.observed.get(part), want.get(part)
    if kind_of(got) == "nothing" and kind_of(wanted) != "nothing":
        template = s.NO_GRADIENT if part.startswith("gradient") else s.MISSING_PART
        return sentence(template, name=name, part=part), [], wanted, None
    if part not in want:
        return sentence(s.EXTRA_PART, name=name, part=part), [], None, None
    if is_of_wrong_kind(got, wanted):
        return _of_kind(name, got, wanted), [], wanted, got
    if outcome.changed:
        named = ", ".join(outcome.changed)
        return sentence(s.CHANGES_INPUT, name=name, inputs=named), [], None, None
    if exercise.open_answer:
        return _of_open_answer(name, trial.said), [], None, got
    unfit = unfit_numbers(name, part, outcome.observed, wanted)
    many = len(want) > 1
    main, notes = (unfit, []) if unfit else _of_values(name, part, got, wanted, many)
    if isinstance(trial.said, str | Sentence):
        notes.insert(0, _as_sentence(trial.said))
    return main, notes, wanted, got


def _keeps_something(trial: Trial) -> str | None:
    """The template for a case that was right the first time, where an earlier call shows."""
    first = trial.earlier
    if first is None or first.said is not True or trial.outcome.kind != "observed":
        return None
    if trial.round.kind == AGAIN:
        return s.SECOND_TIME
    return s.KEPT_RESULT if agree(trial.outcome.observed, first.outcome.observed) else None


def _told(seen: dict) -> object:
    """What was observed, without a name where it is the output alone."""
    return seen["output"] if list(seen) == ["output"] else seen


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
    lines = [Evidence(s.INPUT, shown_call(exercise, trial.inputs))]
    if expected is not None and not exercise.open_answer:
        lines.append(Evidence(s.EXPECTED, _observation_shown(expected)))
    if came is not None:
        lines.append(Evidence(s.YOURS, _observation_shown(came)))
    if trial.outcome.line:
        lines.append(Evidence(s.YOUR_LINE, trial.outcome.line))
    if trial.outcome.finding is not None and trial.outcome.error is not None:
        lines.append(Evidence(s.ERROR, shown_error(trial.outcome.error)))
    return tuple(lines)


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


def _of_kind(name: str, got: object, want: object) -> Sentence:
    if isinstance(got, list | tuple) and any(one is ... for one in got):
        return sentence(s.HALF_FILLED, name=name)
    if _is_generator_expression(got):
        return sentence(s.GENERATOR_EXPRESSION, name=name)
    several = _of_tuple(name, got)
    if several is not None:
        return several
    kind = kind_of(got)
    if kind == "numbers":
        return sentence(s.NOT_A_TENSOR, name=name, kind=type(got).__name__)
    template = KINDS.get(kind, s.UNUSABLE)
    return sentence(template, name=name, kind=type(got).__name__)


def _is_generator_expression(got: object) -> bool:
    if isinstance(got, np.ndarray) and got.dtype == object and got.ndim == 0:
        got = got.item()  # np.array and np.exp keep one as an object
    return inspect.isgenerator(got) and got.gi_code.co_name == "<genexpr>"


def _of_tuple(name: str, got: object) -> Sentence | None:
    """What is said of several arrays where one is wanted; None of anything else."""
    if not isinstance(got, tuple) or not got or not all(kind_of(one) == "numbers" for one in got):
        return None
    if len(got) == 1:
        return sentence(s.IN_A_TUPLE, name=name)
    return sentence(s.SEVERAL, name=name, got=len(got))


def _different_part(got: dict, want: dict) -> str:
    for name in want:
        if name not in got or not agree(got[name], want[name]):
            return name
    return next((name for name in got if name not in want), next(iter(want)))


def _of_values(name, part, got, want, many) -> tuple[Sentence, list]:
    if isinstance(want, tuple):
        return _of_several(name, got, want)
    try:
        given, got, want = got, as_array(got), as_array(want)
    except NotNumbers:
        return sentence(s.OTHER_NUMBERS, name=name), []
    several = _of_tuple(name, given) if got.shape != want.shape else None
    if several is not None:
        places = [place for place, one in enumerate(given, 1) if agree(one, want)]
        right = [sentence(s.ONE_IS_RIGHT, place=places[0])] if places and len(given) > 1 else []
        return several, right
    if got.shape != want.shape:
        return _of_shape(name, part, got, want, many)
    if want.dtype == bool and got.dtype != bool:
        return sentence(s.TRUE_OR_FALSE, name=name, dtype=got.dtype.name), []
    if got.dtype == bool and want.dtype != bool:
        return sentence(s.NOT_TRUE_OR_FALSE, name=name), []
    finite = np.isfinite(want)
    if not np.isfinite(got[finite]).all():
        return not_finite(name, part, got, want, {}), []
    template = s.OTHER_NUMBERS_IN if many else s.OTHER_NUMBERS
    return sentence(template, name=name, part=part), _notes_on_numbers(got, want)


def _of_several(name, got, want) -> tuple[Sentence, list]:
    count = len(got) if isinstance(got, list | tuple) or np.ndim(got) else 1
    if count != len(want):
        return sentence(s.COUNT, name=name, want=len(want), got=count), []
    for place, (one, other) in enumerate(zip(got, want, strict=True)):
        if not agree(one, other):
            return _of_values(name, f"result {place + 1}", one, other, many=True)
    return sentence(s.OTHER_NUMBERS, name=name), []


def _of_shape(name, part, got, want, many) -> tuple[Sentence, list]:
    template = s.SHAPE_IN if many else s.SHAPE
    main = sentence(template, name=name, part=part, got=_shape(got), want=_shape(want))
    notes = filter(None, [meaning_of_shape(got.shape, want.shape)])
    return main, [*notes, *_notes_on_shape(got, want)]


def _notes_on_shape(got: np.ndarray, want: np.ndarray) -> list[Sentence]:
    if got.ndim == want.ndim == 2 and got.shape == want.shape[::-1] and near(got.T, want).all():
        return [sentence(s.TRANSPOSED)]
    if got.ndim != want.ndim and got.squeeze().shape == want.squeeze().shape:
        right = near(got.squeeze(), want.squeeze()).all()
        return [sentence(s.EXTRA_AXIS)] if right else []
    if _in_other_order(got, want):
        return [sentence(s.OTHER_ORDER)]
    try:
        wide, wanted = np.broadcast_arrays(got, want)
    except ValueError:
        return []
    return [sentence(s.BROADCASTS)] if near(wide, wanted).all() else []


def _in_other_order(got: np.ndarray, want: np.ndarray) -> bool:
    """Whether the numbers agree once the axes stand in another order."""
    if got.ndim != want.ndim or not 2 <= got.ndim <= 5:
        return False
    turned = (got.transpose(order) for order in itertools.permutations(range(got.ndim)))
    return any(one.shape == want.shape and bool(near(one, want).all()) for one in turned)


def _shape(array: np.ndarray) -> Sentence:
    """A shape in words; `()` would tell a beginner nothing."""
    if array.ndim == 0:
        return sentence(s.SINGLE_NUMBER)
    return sentence(s.ARRAY_OF_SHAPE, shape=array.shape)


def _notes_on_numbers(got: np.ndarray, want: np.ndarray) -> list[Sentence]:
    notes = []
    square = want.ndim == 2 and want.shape[0] == want.shape[1] and want.size > 1
    if square and near(got.T, want).all():
        notes.append(sentence(s.TRANSPOSED))
    if got.dtype.kind in "iu" and want.dtype.kind == "f" and (np.abs(got - want) < 1).all():
        notes.append(sentence(s.CUT))
    differs = ~near(got, want)
    if want.size > 1 and differs.any() and not notes:
        place = tuple(map(int, np.argwhere(differs)[0]))
        notes.append(
            sentence(
                s.FIRST_DIFFERENCE,
                place=place[0] if len(place) == 1 else place,
                want=result_shown(want[place]),
                got=result_shown(got[place]),
            )
        )
    return notes
