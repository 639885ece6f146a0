"""Judges an answer: runs it on all cases and finds the words for it. Prints and saves nothing."""

import inspect
import time

import numpy as np

from course_lib.judging import sentences as s
from course_lib.judging.attempt import Outcome, attempt, case_inputs
from course_lib.judging.fingerprint import diagnose
from course_lib.judging.observe import NotHere
from course_lib.judging.pasteable import result_shown, shown_call
from course_lib.judging.symptom import symptom_of, tidied, wrong_kind
from course_lib.judging.verdict import Evidence, Sentence, Verdict, sentence
from course_lib.learner.arrays import as_array, kind_of, numbers_in
from course_lib.learner.containment import bound_to_its_name
from course_lib.learner.errors import shown_error
from course_lib.learner.time_limit import Budget

SLOW = 0.1  # seconds a case; the cells below call a function hundreds of times
SLOWER = 20  # times the reference's: what is slow by nature is nobody's fault


class Defect(Exception):
    """Something of the course's own failed: a case, an observer, a reference, an acceptance."""


def judge(exercise, candidate) -> Verdict:
    """The verdict on an answer. It never raises; a defect of ours is a verdict too."""
    try:
        with bound_to_its_name(exercise.name, candidate):
            return _judged(exercise, candidate)
    except KeyboardInterrupt:
        return interrupted(exercise)
    except BaseException as error:
        return defect(exercise.name, error)


def interrupted(exercise) -> Verdict:
    """The verdict of a check that the learner stopped."""
    return Verdict("todo", s.WAS_INTERRUPTED, {"name": exercise.name}, cause="interrupted")


def defect(name: str, error: BaseException) -> Verdict:
    """The verdict that something of the course's own failed."""
    return Verdict("todo", s.DEFECT, {"name": name, "error": shown_error(error)}, cause="defect")


def _judged(exercise, candidate) -> Verdict:
    misfit = _misfit(exercise, candidate)
    if misfit is not None:
        return Verdict("wrong", misfit.template, misfit.values)
    budget = Budget(exercise.seconds)
    outcomes = []
    for place in range(len(exercise.cases)):
        outcomes.append(attempt(exercise, candidate, place, budget))
        if outcomes[-1].kind == "time":
            return _out_of_time(exercise, outcomes[-1], place)
    if all(one.kind == "nothing" for one in outcomes):
        return _prints_only(exercise, outcomes[0]) or _todo(exercise, outcomes[0])
    took, begun = exercise.seconds - budget.left, time.monotonic()
    wanted = [_reference(exercise, place) for place in range(len(exercise.cases))]
    times = took / max(time.monotonic() - begun, 1e-6)
    said = [_accepted(exercise, outcomes[p], wanted[p], p) for p in range(len(wanted))]
    failing = [place for place, one in enumerate(said) if one is not True]
    if not failing:
        if took > SLOW * len(outcomes) and times > SLOWER:
            values = {"name": exercise.name, "times": round(times)}
            return Verdict("right", s.TOO_SLOW, values, slow=True)
        plain = all(map(_same_types, outcomes, wanted))
        return Verdict("right", s.YOURS_IS_USED, plain_results=plain)
    failing.sort(key=lambda place: _how_telling(case_inputs(exercise, place)))
    return _wrong(exercise, outcomes, wanted, said, failing)


def _how_telling(case) -> tuple[bool, int]:
    """The fewer numbers the better, but one number alone hides what happened to it."""
    sizes = [numbers_in(value) for value in case.named().values() if np.ndim(value)]
    return bool(sizes) and max(sizes) == 1, sum(map(numbers_in, case.named().values()))


def _misfit(exercise, candidate) -> Sentence | None:
    name, reference = exercise.name, exercise.answer
    if exercise.is_class != inspect.isclass(candidate) or not callable(candidate):
        kind = "a class" if inspect.isclass(candidate) else f"a {type(candidate).__name__}"
        template = s.NOT_A_CLASS if exercise.is_class else s.NOT_A_FUNCTION
        return sentence(template, name=name, kind=kind)
    try:
        want, got = inspect.signature(reference), inspect.signature(candidate)
    except (ValueError, TypeError):  # a builtin without a signature is tried as it is
        return None
    positional = [
        p
        for p in want.parameters.values()
        if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)
    ]
    keywords = [p.name for p in want.parameters.values() if p.kind == p.KEYWORD_ONLY]
    try:
        got.bind(*positional, **dict.fromkeys(keywords))
    except TypeError:
        return sentence(s.PARAMETERS, name=name, want=_named(want), got=_named(got))
    return None


def _named(signature) -> str:
    return "(" + ", ".join(map(str, signature.parameters)) + ")"


def _out_of_time(exercise, outcome, place) -> Verdict:
    values = {"name": exercise.name, "seconds": f"{exercise.seconds:g}"}
    return Verdict(
        "wrong",
        s.TIME,
        values,
        evidence=_evidence(exercise, place, outcome, None, None),
        printed=outcome.printed,
        cause="time",
    )


def _prints_only(exercise, outcome) -> Verdict | None:
    """The verdict on the commonest slip of a beginner, if it is that."""
    if outcome.value is not None or outcome.error is not None or not outcome.printed.lines:
        return None
    return Verdict(
        "wrong",
        s.PRINTS_ONLY,
        {"name": exercise.name},
        evidence=_evidence(exercise, 0, outcome, None, None),
        printed=outcome.printed,
    )


def _todo(exercise, outcome) -> Verdict:
    if isinstance(outcome.error, NotHere):
        return Verdict("todo", s.NOT_HERE, {"name": exercise.name, "why": str(outcome.error)})
    raised = isinstance(outcome.error, NotImplementedError)
    template = s.NOT_IMPLEMENTED_YET if raised else s.RETURNS_NOTHING_YET
    return Verdict("todo", template, {"name": exercise.name})


def _reference(exercise, place) -> dict:
    outcome = attempt(exercise, exercise.answer, place)
    if outcome.kind != "observed" or outcome.changed:
        raise Defect(f"case {place + 1}: the reference itself fails: {outcome.error!r}")
    return outcome.observed


def _accepted(exercise, outcome, want, place):
    """True, False, or a sentence."""
    if outcome.kind != "observed" or outcome.changed:
        return False
    if any(wrong_kind(outcome.observed.get(name), want[name]) for name in want):
        return False
    got = tidied(outcome.observed, want)
    try:
        said = exercise.accept(got, want, case_inputs(exercise, place))
    except Exception as error:
        _check_accept(exercise, want, place)
        said = sentence(s.CANNOT_GO_ON, name=exercise.name, error=shown_error(error))
    return said if isinstance(said, str | Sentence) else bool(said)


def _check_accept(exercise, want, place) -> None:
    """If the acceptance fails on the reference's own result, the defect is ours."""
    exercise.accept(want, want, case_inputs(exercise, place))


def _same_types(outcome: Outcome, want: dict) -> bool:
    return all(_same_type(outcome.observed.get(name), want[name]) for name in want)


def _same_type(got, want) -> bool:
    if type(got) is not type(want):
        return False
    if isinstance(want, tuple):  # a pair of arrays is not a pair of tensors
        return len(got) == len(want) and all(map(_same_type, got, want))
    return kind_of(want) != "numbers" or as_array(got).dtype == as_array(want).dtype


def _wrong(exercise, outcomes, wanted, said, failing) -> Verdict:
    place = failing[0]
    outcome, want = outcomes[place], wanted[place]
    main, notes, expected, came = symptom_of(exercise, outcome, want, said[place])
    if outcome.kind == "observed":
        got = tidied(outcome.observed, want)
        notes += _broken_properties(exercise, got, case_inputs(exercise, place))
    return Verdict(
        "wrong",
        main.template,
        main.values,
        evidence=_evidence(exercise, place, outcome, expected, came),
        notes=tuple(notes),
        diagnosis=_diagnosis(exercise, outcomes, failing, main),
        printed=outcome.printed,
    )


def _diagnosis(exercise, outcomes, failing, main) -> Sentence | None:
    found = diagnose(exercise, outcomes, failing)
    if found is None or found.values["mistake"].template == main.template:
        return None  # the acceptance of an open answer has said the same
    return found


def _broken_properties(exercise, got, case) -> list:
    broken = []
    for one in exercise.properties:
        try:
            holds = one.holds(got, case)
        except Exception:  # it cannot be asked of this answer, so it says nothing about it
            continue
        if not holds:
            broken.append(sentence(s.BROKEN, property=Sentence(one.sentence)))
    return broken


def _evidence(exercise, place, outcome, expected, came) -> tuple[Evidence, ...]:
    lines = [Evidence(s.INPUT, shown_call(exercise, case_inputs(exercise, place)))]
    if expected is not None and not exercise.open_answer:
        lines.append(Evidence(s.EXPECTED, _observation_shown(expected)))
    if came is not None:
        lines.append(Evidence(s.YOURS, _observation_shown(came)))
    if outcome.line:
        lines.append(Evidence(s.YOUR_LINE, f"{outcome.line}"))
    return tuple(lines)


def _observation_shown(value) -> str:
    if isinstance(value, dict) and list(value) == ["output"]:
        value = value["output"]
    return result_shown(value)
