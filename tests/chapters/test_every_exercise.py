"""The data of every exercise of every chapter, and of the samples, hold what they promise."""

import importlib
import inspect
import pkgutil
from pathlib import Path

import pytest

from course_lib import kernels
from course_lib.judging import registry
from course_lib.judging.answer import verdict_on
from course_lib.judging.trial import fresh_inputs, trial_of
from course_lib.learner.compare import agree
from course_lib.words import say
from tests.chapters.proof import (
    alike,
    broken_properties_of_the_reference,
    faults_of_report,
    sentences_of,
    verdict_on_stub,
)
from tests.judging import hostile, samples
from tools.answers import learner_lines
from tools.chapter import read_chapter

CHAPTERS = Path(__file__).parents[2] / "chapters"
NAMES = registry.names()
EVERY = {f"samples/{one.name}": one for one in samples.ALL}
EVERY |= {name: registry.find(name) for name in NAMES}

every_exercise = pytest.mark.parametrize("exercise", EVERY.values(), ids=EVERY)
of_the_chapters = pytest.mark.parametrize("name", NAMES)


def hostile_pairs():
    """Every hostile answer for the samples, whose kinds differ; for the chapters five in turn."""
    answers = list(hostile.ALL)
    return [
        pytest.param(exercise, answer, id=f"{name}-{answer.__name__}")
        for place, (name, exercise) in enumerate(EVERY.items())
        for number, answer in enumerate(answers)
        if name.startswith("samples/") or (number - 5 * place) % len(answers) < 5
    ]


def kernels_for(stem, name):
    """The course's kernels of that name that a chapter can use: chapters 0 to 4 have no torch."""
    modules = [
        importlib.import_module(f"{kernels.__name__}.{one.name}")
        for one in pkgutil.iter_modules(kernels.__path__)
    ]
    if stem < "05":
        modules = [one for one in modules if "torch" not in vars(one)]
    return [vars(one)[name] for one in modules if callable(vars(one).get(name))]


def learners_cell(name):
    """What the learner's notebook defines for an exercise before anything is written."""
    stem, _, short = name.partition("/")
    cells = read_chapter(CHAPTERS / f"{stem}.py").english
    (cell,) = (one for one in cells if one.exercise == short)
    text = "\n".join(line for _, line in learner_lines(cell))
    module = inspect.getmodule(registry.find(name).answer)
    names = {**vars(module), "exercise": lambda function: function}
    exec(text, names)
    return names[short]


def printing(function):
    """The same function, which prints its inputs first."""

    def printed(*args, **keywords):
        print(*args)
        return function(*args, **keywords)

    return printed


@every_exercise
def test_two_alternatives_or_more_are_right_and_told_the_reward_in_whole_sentences(exercise):
    assert len(exercise.alternatives) >= 2
    for one in (exercise.answer, *exercise.alternatives):
        verdict = verdict_on(exercise, one)
        assert verdict.state == "right", verdict.text
        told = [note.text for note in verdict.notes]
        assert len(told) == bool(exercise.reward)
        assert all(text.endswith((".", "?")) and "{" not in text for text in told)


@every_exercise
def test_three_mistakes_or_more_are_wrong_each_with_its_own_sentence_in_a_small_report(exercise):
    assert len(exercise.mistakes) >= (2 if exercise.open_answer else 3)
    assert len({one.says for one in exercise.mistakes}) == len(exercise.mistakes)
    for one in exercise.mistakes:
        verdict = verdict_on(exercise, one.wrong)
        assert verdict.state == "wrong", f"judged {verdict.state}: {one.says}"
        assert verdict.cause == "", one.says
        others = [other.says for other in exercise.mistakes if other is not one]
        assert say(one.says) in verdict.text
        assert not [other for other in others if say(other) in verdict.text]
        assert faults_of_report(exercise, verdict) == [], one.says
    assert alike(exercise) == []  # here, where the verdicts have tried each mistake already


@every_exercise
def test_a_mistake_in_another_writing_is_told_the_same_sentence(exercise):
    for mistake in exercise.mistakes:
        for place, one in enumerate(mistake.also):
            verdict = verdict_on(exercise, one)
            assert (verdict.state, verdict.cause) == ("wrong", ""), (place, mistake.says)
            assert say(mistake.says) in verdict.text, (place, verdict.text)


@every_exercise
def test_what_is_refused_is_wrong_and_told_so_in_its_words(exercise):
    for place, one in enumerate(exercise.refused):
        verdict = verdict_on(exercise, one.wrong)
        assert (verdict.state, verdict.cause) == ("wrong", ""), (place, verdict.text)
        assert one.says in verdict.text, (place, verdict.text)


@every_exercise
def test_the_stub_is_not_attempted(exercise):
    verdict = verdict_on_stub(exercise)
    if verdict is not None:
        assert (verdict.state, verdict.cause) == ("todo", ""), verdict.text


@of_the_chapters
def test_the_learners_cell_is_not_attempted_whether_it_prints_or_not(name):
    exercise, stub = registry.find(name), learners_cell(name)
    stubs = [stub] if exercise.is_class else [stub, printing(stub)]
    for one in stubs:
        verdict = verdict_on(exercise, one)
        assert (verdict.state, verdict.cause) == ("todo", ""), verdict.text


@every_exercise
def test_the_properties_hold_for_the_reference(exercise):
    assert broken_properties_of_the_reference(exercise) == []


@every_exercise
def test_a_case_makes_the_same_inputs_each_time(exercise):
    for place in range(len(exercise.cases)):
        first, second = fresh_inputs(exercise, place), fresh_inputs(exercise, place)
        for left, right in zip(first.named().values(), second.named().values(), strict=True):
            assert left is not right or isinstance(left, int | float | str | type(None))
            assert type(left) is type(right)
        seen = [trial_of(exercise, exercise.answer, place).outcome.observed for _ in range(2)]
        assert agree(seen[0], seen[1])


@every_exercise
def test_each_sentence_renders(exercise):
    for one in sentences_of(exercise):
        assert say(one)


@every_exercise
def test_there_are_three_hints_minutes_and_stars(exercise):
    assert len(exercise.hints) == 3
    assert 1 <= exercise.minutes <= 30
    assert 1 <= exercise.stars <= 3


@pytest.mark.parametrize(("exercise", "answer"), hostile_pairs())
def test_a_hostile_answer_gets_a_sentence(exercise, answer, capfd):
    if exercise.is_class:
        answer = type(exercise.name, (exercise.answer,), {"forward": staticmethod(answer)})
    verdict = verdict_on(exercise, answer)
    assert verdict.state == "wrong", verdict.text
    assert verdict.text
    assert "Traceback" not in verdict.text
    assert capfd.readouterr() == ("", "")


@of_the_chapters
def test_the_reference_agrees_with_the_kernel_of_its_name(name):
    exercise = registry.find(name)
    for kernel in kernels_for(name.partition("/")[0], exercise.name):
        verdict = verdict_on(exercise, kernel)
        if exercise.is_class == inspect.isclass(kernel):
            assert verdict.state == "right", verdict.text
