"""The report reads well in words and in HTML, and lets nothing of the learner's through."""

import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from course_lib.judging import report
from course_lib.judging.answer import verdict_on
from course_lib.judging.verdict import sentence
from course_lib.markup import escaped
from tests.judging import hostile, samples

VOID = {"br", "hr", "img"}


class Balanced(HTMLParser):
    """Notes the open tags, and every tag that closes another one."""

    def __init__(self):
        super().__init__()
        self.open, self.wrong, self.seen = [], [], []

    def handle_starttag(self, tag, attrs):
        self.seen.append(tag)
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong.append(tag)


ANSWERS = {**dict.fromkeys(hostile.ALL), samples.softmax: None, (lambda scores: ...): None}


@pytest.mark.parametrize("answer", ANSWERS, ids=lambda one: one.__name__)
def test_the_html_is_balanced_small_and_free_of_the_outside(answer):
    page = report.html_report(samples.SOFTMAX, verdict_on(samples.SOFTMAX, answer))
    parser = Balanced()
    parser.feed(page)
    assert (parser.open, parser.wrong) == ([], [])
    assert len(page) < 9000
    assert not re.search(r"https?:|\bid=|<script|<img|<style", page)


def test_the_learners_text_is_escaped():
    def answer(scores):
        print("<b>loud</b>")
        raise ValueError("<script>alert(1)</script>")

    page = report.html_report(samples.SOFTMAX, verdict_on(samples.SOFTMAX, answer))
    assert "<script>" not in page
    assert "<b>loud" not in page
    assert "&lt;script&gt;" in page


def test_each_hint_opens_the_next():
    page = report.folded_hints(("first", "second", "third"))
    assert page.index("first") < page.index("second") < page.index("third")
    assert page.endswith("</div></details></div></details></div></details>")


def test_a_right_answer_gets_one_line_without_hints():
    verdict = verdict_on(samples.SOFTMAX, samples.softmax)
    assert report.plain_report(samples.SOFTMAX, verdict) == (
        "✓ right: softmax. The cells below use yours."
    )
    assert "<details" not in report.html_report(samples.SOFTMAX, verdict)


def test_what_the_cells_below_use_can_be_left_out_and_nothing_else():
    verdict = verdict_on(samples.SOFTMAX, hostile.nan)
    line = "The cells below use the course's softmax."
    for told, said in (
        (report.plain_report, f"  {line}\n"),
        (report.html_report, f"<div>{escaped(line)}</div>"),
    ):
        whole, short = (told(samples.SOFTMAX, verdict, again=again) for again in (False, True))
        assert said in whole
        assert short == whole.replace(said, "")


def test_a_right_answer_is_told_its_reward_and_a_wrong_one_is_not():
    def shares(got, inputs):
        return sentence("The largest share is {share:.2f}.", share=got["output"].max())

    for reward, said in (("It shares out.", "It shares out."), (shares, "The largest share is 0.")):
        exercise = replace(samples.SOFTMAX, reward=reward)
        for told in (report.plain_report, report.html_report):
            assert said in told(exercise, verdict_on(exercise, samples.softmax))
            assert said not in told(exercise, verdict_on(exercise, hostile.nan))


def test_the_same_answer_gives_the_same_report():
    def both(verdict):
        return (
            report.plain_report(samples.SOFTMAX, verdict),
            report.html_report(samples.SOFTMAX, verdict),
        )

    for answer in (*hostile.ALL, samples.SOFTMAX.mistakes[0].wrong):
        first, second = (both(verdict_on(samples.SOFTMAX, answer)) for _ in range(2))
        assert first == second
        assert " at 0x" not in first[0]


def test_a_right_answer_stands_out_by_words_and_mark_not_colour_alone():
    heads = [
        report.header(verdict_on(samples.SOFTMAX, one))
        for one in (samples.softmax, hostile.nan, lambda scores: ...)
    ]
    assert heads == ["✓ right", "✗ wrong", "○ not attempted"]


def test_what_was_printed_is_folded_with_the_number_of_the_rest():
    verdict = verdict_on(samples.SOFTMAX, hostile.many_prints)
    page = report.html_report(samples.SOFTMAX, verdict)
    assert "line 19" in page
    assert "line 20" not in page
    assert "... and 30 more lines" in page


@pytest.mark.parametrize(("minutes", "stuck"), [(3, 2), (4, 2), (8, 4), (15, 8)])
def test_a_hint_is_due_after_half_of_the_time_without_an_idea(minutes, stuck):
    assert f"stuck for {stuck}? Take a hint" in report.effort(
        replace(samples.SOFTMAX, minutes=minutes)
    )


@pytest.mark.parametrize(("minutes", "words"), [(1, "about 1 minute;"), (2, "about 2 minutes;")])
def test_a_short_exercise_has_its_hint_at_once(minutes, words):
    told = report.effort(replace(samples.SOFTMAX, minutes=minutes))
    assert f"{words} no idea? Take a hint" in told


def test_what_it_may_be_stands_open_only_where_the_exercise_says_so():
    for opened in (False, True):
        exercise = replace(samples.SOFTMAX, unfolded=opened)
        verdict = verdict_on(exercise, samples.SOFTMAX.mistakes[1].wrong)
        page = report.html_report(exercise, verdict)
        assert page.count("<details open>") == opened
        assert verdict.mistake is not None
        assert "You divided by the sum of everything." in page
