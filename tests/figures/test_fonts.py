import warnings

import pytest

from course_lib.figures import fonts
from course_lib.figures.fonts import drawable, empty_boxes, missing
from course_lib.figures.theme import new_figure


@pytest.fixture
def without_chinese(monkeypatch):
    monkeypatch.setattr(fonts, "families", lambda: [fonts.BASE])


def test_the_base_font_has_what_formulas_and_transliterations_need():
    assert missing("a · b = |a| |b| cos θ, √d, 90°, σ α, píngguǒ, ✓, ≤ − ×") == []


def test_characters_without_a_font_are_named(without_chinese):
    assert missing("苹果 is apple") == ["苹", "果"]


def test_a_word_without_a_font_is_transliterated(without_chinese):
    assert drawable("苹果", "píngguǒ") == "píngguǒ"


def test_a_word_with_a_font_stays(monkeypatch):
    monkeypatch.setattr(fonts, "_characters", lambda family: frozenset(map(ord, "苹果")))
    assert drawable("苹果", "píngguǒ") == "苹果"


def test_a_transliteration_that_cannot_be_drawn_is_refused(without_chinese):
    with pytest.raises(ValueError, match="transliteration"):
        drawable("苹果", "苹guǒ")


def test_the_check_finds_what_matplotlib_would_draw_as_an_empty_box(without_chinese):
    figure = new_figure(3, 2)
    figure.subplots().set_title("苹果")
    assert empty_boxes(figure) == ["苹果"]


def test_what_the_check_lets_pass_draws_without_a_warning():
    figure = new_figure(3, 2)
    figure.subplots().set_title(drawable("苹果", "píngguǒ"))
    assert empty_boxes(figure) == []
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        figure.canvas.draw()
