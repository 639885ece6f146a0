"""chapters/start_here/outwitting.py: a learner's text against rule and model."""

import pytest

from course_lib.chapters.start_here.exercises.by_two import by_two
from course_lib.chapters.start_here.exercises.next_letter import next_letter
from course_lib.chapters.start_here.outwitting import continued_by, outwit
from course_lib.models.copying_numpy import load_copying


@pytest.fixture(scope="module")
def model():
    return load_copying()


@pytest.mark.parametrize(
    ("text", "you", "rule", "verdict"),
    [
        ("hat cap ha", "t", by_two, "Rule and model follow you"),
        ("hat cap ha", "t", next_letter, "outwitted the rule. The model follows"),
        ("what chap wha", "t", by_two, "outwitted the rule. The model follows"),
        ("that chap tha", "t", by_two, "outwitted both"),
        ("That chap tha", "T", by_two, "outwitted both"),
        ("hat cap ha", "p", by_two, 'Why would you say "p"?'),
        ("hat cap ha", "", by_two, 'Why would you say ""?'),
        ("hat cap x", "t", by_two, "does not stand in the text before"),
        ("", "t", by_two, "does not stand in the text before"),
    ],
)
def test_each_text_gets_the_verdict_that_fits(capsys, model, text, you, rule, verdict):
    outwit(text, you, rule, model)

    assert verdict in capsys.readouterr().out


def test_a_rule_reads_what_it_has_said():
    assert continued_by(next_letter, "thunderclap th", 12) == "underclap th"
    assert continued_by(next_letter, "giraffe pogir", 4) == "afe "  # the latest f goes on with an e


@pytest.mark.parametrize("text", ["", "a", "lemon"])
def test_what_nothing_can_follow_is_told_and_not_continued(capsys, text):
    assert continued_by(next_letter, text, 5) == ""
    assert "Begin something again" in capsys.readouterr().out


def test_where_only_the_model_errs_it_is_outwitted(capsys):
    class Mistaken:
        def continued(self, text, count):
            return "x"

    outwit("hat cap ha", "t", by_two, Mistaken())

    assert "outwitted the model" in capsys.readouterr().out
