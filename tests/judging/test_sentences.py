"""Every sentence is a template that renders and that a catalogue can replace."""

import ast
import string
from pathlib import Path

import pytest

from course_lib import words
from course_lib.betting import sentences as of_bets
from course_lib.judging import registry
from course_lib.judging import sentences as of_the_judge
from course_lib.judging.answer import verdict_on
from course_lib.judging.shapes import sentences as of_shapes
from course_lib.learner import sentences as of_a_learners_code
from course_lib.notebook import sentences as of_a_notebook
from tests.chapters.proof import sentences_of
from tests.judging import hostile, samples

LIBRARY = Path(words.__file__).parent
ROOMS = ("judging", "betting", "learner", "notebook")
ENGINE = [path for room in ROOMS for path in sorted((LIBRARY / room).rglob("*.py"))]
MODULES = (of_the_judge, of_shapes, of_bets, of_a_learners_code, of_a_notebook)
TEMPLATES = {
    f"{module.__name__}.{name}": one
    for module in MODULES
    for name, one in vars(module).items()
    if name.isupper()
}


def fields(template):
    return [field for _, field, _, _ in string.Formatter().parse(template) if field is not None]


def sentences_of_chapter(chapter):
    found = [one for exercise in chapter.exercises.values() for one in sentences_of(exercise)]
    for bet in chapter.bets.values():
        found += [bet.question, bet.why, bet.model_answer]
        found += list(getattr(bet.answer, "options", ()))
    return found


@pytest.mark.parametrize("name", TEMPLATES)
def test_a_template_of_the_engine_renders_with_its_named_fields(name):
    template = TEMPLATES[name]
    assert all(field.isidentifier() for field in fields(template))
    rendered = words.say(template, **dict.fromkeys(fields(template), "X"))
    assert rendered
    assert "{" not in rendered


@pytest.mark.parametrize("module", MODULES, ids=lambda one: one.__name__)
def test_no_two_templates_stand_under_one_name(module):
    tree = ast.parse(Path(module.__file__).read_text(encoding="utf-8"))
    names = [node.targets[0].id for node in tree.body if isinstance(node, ast.Assign)]
    assert len(names) == len(set(names))


def used_by(path):
    """The full names of the templates that a module reads: `s.NAME`, or NAME where imported."""
    tree, short = ast.parse(path.read_text(encoding="utf-8")), {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                full = f"{node.module}.{alias.name}"
                if full in {module.__name__ for module in MODULES}:
                    short[alias.asname or alias.name] = full
                elif full in TEMPLATES:
                    yield full
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and getattr(node.value, "id", "") in short:
            yield f"{short[node.value.id]}.{node.attr}"


def test_every_template_is_used_and_every_used_one_exists():
    assert {name for path in ENGINE for name in used_by(path)} == set(TEMPLATES)


def test_say_is_given_no_sentence_that_stands_in_the_code():
    for path in ENGINE:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            named = isinstance(node, ast.Call) and getattr(node.func, "id", "") in (
                "say",
                "sentence",
            )
            assert not (named and isinstance(node.args[0], ast.Constant | ast.JoinedStr)), path


@pytest.mark.parametrize("chapter", registry.chapters(), ids=lambda one: one.name)
def test_every_sentence_of_a_chapter_renders(chapter):
    for template in sentences_of_chapter(chapter):
        assert fields(template) == []
        words.say(template)


def test_a_catalogue_replaces_every_sentence_of_a_verdict(monkeypatch):
    class Marked(dict):
        def get(self, template, default=None):
            return f"«{template}»"

    monkeypatch.setitem(words.CATALOGUES, "marked", Marked())
    mistake = samples.SOFTMAX.mistakes[2]
    verdict = verdict_on(samples.SOFTMAX, mistake.wrong)
    plain = verdict.text
    monkeypatch.setenv("COURSE_LANG", "marked")
    text = verdict.text
    assert f"«{mistake.says}»" in text
    assert f"«{samples.SOFTMAX.properties[0].sentence}»" in text
    for answer in hostile.ALL:
        assert verdict_on(samples.SOFTMAX, answer).symptom.startswith("«")
    monkeypatch.setenv("COURSE_LANG", "en")
    assert verdict.text == plain
