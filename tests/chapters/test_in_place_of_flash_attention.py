"""The picture of masked tiles, each laid in its place: what it counts, right or wrong."""

import numpy as np
import pytest
import torch

from course_lib.chapters.flash_attention import in_place
from course_lib.chapters.flash_attention.exercises.hide_later import HIDE_LATER, hide_later
from course_lib.figures.readable import faults
from course_lib.judging.verdict import Verdict
from course_lib.kernels.attention import attention
from course_lib.kernels.masks import causal, may_attend
from course_lib.learner.adapter import adapt


def wrong_way(part):
    """The mistake of `hide_later` whose sentence has these words."""
    (found,) = (one.wrong for one in HIDE_LATER.mistakes if part in one.says)
    return found


@pytest.fixture
def shown(monkeypatch):
    seen = []
    monkeypatch.setattr(in_place, "show_figure", lambda *given, **_: seen.append(given))

    def show(function):
        in_place.show_in_place(function)
        return seen[-1]

    return show


def test_the_tiles_join_to_the_causal_mask_of_the_whole_table():
    assert (in_place.hidden_in_tiles(hide_later) == ~np.tri(12, dtype=bool)).all()


def test_eight_of_24_tiles_are_hidden_from_end_to_end(shown):
    _, alt = shown(hide_later)
    assert "Of 10 tiles nothing is hidden, of 6 a part, of 8 all." in alt
    assert "0 scores are on its wrong side" in alt


def test_a_tile_that_does_not_know_its_place_looks_like_each_other_tile(shown):
    local = wrong_way("from the corner of the tile")
    _, alt = shown(local)
    assert "Of 0 tiles nothing is hidden, of 24 a part, of 0 all." in alt
    assert "0 scores" not in alt


@pytest.mark.parametrize("part", ["first_q is missing", "exchanged", "Nothing is hidden"])
def test_a_wrong_mask_stands_on_the_wrong_side_of_the_line(shown, part):
    _, alt = shown(wrong_way(part))
    assert "; 0 scores are on its wrong side" not in alt


@pytest.mark.parametrize(
    ("function", "told"),
    [(hide_later, "the output of"), (wrong_way("Nothing is hidden"), "another output than")],
)
def test_the_loop_with_the_mask_is_put_beside_causal_attention(shown, capsys, function, told):
    shown(function)
    assert f" gives {told} chapter 6's causal attention." in capsys.readouterr().out


def bound(attempt, state):
    return adapt(HIDE_LATER, attempt, Verdict(state, ""))


def own(scores, first_q, first_k):
    return hide_later(scores, first_q, first_k)


def test_a_wrong_mask_of_the_learner_is_drawn_though_the_cells_below_use_the_courses(shown, capsys):
    _, alt = shown(bound(wrong_way("from the corner of the tile"), "wrong"))
    assert "; 62 scores are on its wrong side" in alt
    out = capsys.readouterr().out
    assert "your mask as it is now: 62 scores are on the wrong side" in out
    assert "gives another output" in out


@pytest.mark.parametrize(
    ("attempt", "state", "whose"),
    [
        (own, "right", "This is your mask."),
        (lambda *_: ..., "todo", "This is the course's mask; yours is not written yet."),
        (lambda tile, *_: tile.T, "wrong", "cannot be drawn: it gives shape (2, 3) where"),
        (lambda *_: 1 / 0, "wrong", "cannot be drawn: it stops with ZeroDivisionError"),
        (lambda *_: "all", "wrong", "cannot be drawn: it gives something that is not a number"),
        (lambda *_: None, "wrong", "cannot be drawn: it returns nothing"),
    ],
)
def test_the_picture_says_whose_mask_it_shows(shown, capsys, attempt, state, whose):
    _, alt = shown(bound(attempt, state))
    assert "; 0 scores are on its wrong side" in alt
    out = capsys.readouterr().out
    assert whose in out
    assert "gives the output of" in out


@pytest.mark.parametrize("function", [hide_later, wrong_way("whole tiles or nothing")])
def test_the_picture_can_be_read(shown, function):
    figure, _ = shown(function)
    assert faults(figure) == []


@pytest.mark.parametrize(("block_q", "block_k"), [(3, 4), (5, 2), (12, 12)])
def test_the_loop_with_the_mask_is_attention_with_a_causal_mask(block_q, block_k):
    given = torch.randn(3, 12, 4, generator=torch.Generator().manual_seed(0))
    masked, made = in_place.masked_by_tiles(hide_later, *given, block_q, block_k)
    assert made == -(-12 // block_q) * -(-12 // block_k)
    torch.testing.assert_close(masked, attention(*given, mask=may_attend(causal, 12)))
    wrong, _ = in_place.masked_by_tiles(wrong_way("Nothing is hidden"), *given, block_q, block_k)
    assert not torch.allclose(wrong, masked)


@pytest.mark.parametrize(
    ("beyond", "left", "same"),
    [(99, 24, True), (3, 17, True), (2, 16, True), (1, 14, False), (0, 12, False)],
)
def test_tiles_that_are_left_out_change_nothing_where_all_of_them_are_hidden(beyond, left, same):
    given = torch.randn(3, 12, 4, generator=torch.Generator().manual_seed(0))
    masked, made = in_place.masked_by_tiles(
        hide_later, *given, 3, 2, hidden=lambda first_q, first_k: first_k > first_q + beyond
    )
    assert made == left
    assert torch.allclose(masked, attention(*given, mask=may_attend(causal, 12)), atol=1e-5) == same
