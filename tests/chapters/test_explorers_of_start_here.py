"""Chapter 0's explorer: what its picture shows is what the model does."""

import pytest
from matplotlib.colors import to_hex

from course_lib.chapters.start_here.explorers.heads import (
    MORE,
    SHOWN,
    explore_heads,
    explore_heads_of,
    heads_of,
)
from course_lib.figures.readable import faults
from course_lib.figures.theme import INK, VALUE
from course_lib.models.copying_numpy import load_copying, share_right, without
from tests.chapters.samples import TEXTS


def test_the_start_is_the_model_as_learned():
    data = explore_heads.frame().right
    assert data["said"] == data["before"] == load_copying().continued("giraffe pogir", MORE)
    assert data["right"] > 98


@pytest.mark.parametrize("loudness", [0.0, 0.25, 0.6])
@pytest.mark.parametrize("head", [1, 2, 5, 8])
def test_the_picture_shows_the_model_with_that_head_turned_down(head, loudness):
    data = explore_heads.frame(head=head, loudness=loudness).right
    turned = without(head, loudness=loudness)
    assert data["said"] == load_copying().continued("giraffe pogir", MORE, turned)
    assert data["right"] == pytest.approx(100 * share_right(load_copying(), loudness=turned), abs=4)


@pytest.mark.parametrize("head", range(1, 9))
def test_a_silent_head_leaves_as_many_right_as_the_list_of_the_chapter_says(head):
    listed = 100 * share_right(load_copying(), loudness=without(head))
    for loudness, share in ((0.0, listed), (1.0, 100 * share_right(load_copying()))):
        shown = explore_heads.frame(head=head, loudness=loudness).right["right"]
        assert f"{shown:.0f}" == f"{share:.0f}"


@pytest.mark.parametrize("text", ["hello there", "lemon tray", "wobble", "abc ab"])
def test_where_nobody_can_know_what_is_right_another_text_stands_in_and_that_is_said(text, capsys):
    explorer = heads_of(text)
    assert "does not begin again" in capsys.readouterr().out
    assert explorer.frame().right["text"] == "giraffe pogir"


def test_a_text_that_begins_again_is_shown_itself(capsys):
    assert heads_of("quorzel pogir quorz").frame().right["text"] == "quorzel pogir quorz"
    assert capsys.readouterr().out == ""


def test_pale_arcs_are_thinner_than_dark_ones():
    """Eight of them side by side, as of head 5 here, would else be one grey band."""
    session = heads_of("quorzel pogir quorz")._ours()
    session.draw(heads_of("quorzel pogir quorz").frame(head=2))
    strip = session.picture("one").figure.axes[-1]
    pale, dark = (one.get_linewidths() for one in strip.collections)
    assert len(pale) > 8
    assert max(pale) < min(dark) / 2


def test_an_added_letter_is_boxed_in_green_up_to_the_first_wrong_one():
    session = explore_heads._ours()
    for loudness in explore_heads.sliders["loudness"].notches():  # until some are right, some wrong
        frame = explore_heads.frame(head=2, loudness=loudness)
        data = frame.right
        slip = next((n for n in range(MORE) if data["said"][n] != data["should"][n]), MORE)
        if 0 < slip < MORE:
            break
    session.draw(frame)
    patches = [one for axes in session.picture("one").figure.axes for one in axes.patches]
    boxes = [one for one in patches if one.get_facecolor()[:3] == (1, 1, 1) and
             one.get_linestyle() not in {"-", "solid"}]  # fmt: skip
    colours = [to_hex(box.get_edgecolor()) for box in boxes]
    assert 0 < slip < MORE
    assert colours == [to_hex(VALUE)] * slip + [to_hex(INK)] * (MORE - slip)


def test_only_head_2_reaches_the_goal():
    session = explore_heads._ours()
    reached = [
        (head, loudness)
        for head in range(1, 9)
        for loudness in explore_heads.sliders["loudness"].notches()
        if session.reached(explore_heads.frame(head=head, loudness=loudness))
    ]
    notches = [0.22, 0.24, 0.26, 0.28, 0.3]
    assert reached == [(2, one) for one in notches], "a hand finds five notches"


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("setting", [{}, {"head": 2, "loudness": 0.0}])
def test_any_text_can_be_typed(text, setting):
    explorer = heads_of(text)
    frame = explorer.frame(**setting)
    assert not frame.broken
    assert 1 <= len(frame.right["text"]) <= SHOWN
    session = explorer._ours()
    session.draw(frame)
    assert faults(session.picture("one").figure) == []


def test_the_sentence_says_how_the_text_goes_on():
    frame = explore_heads.frame(head=2, loudness=0.0)
    sentence = explore_heads._ours().sentence(frame)
    assert frame.right["said"] in sentence
    assert "loudness 0.00" in sentence


def test_it_is_shown_for_a_text(capsys):
    explore_heads_of("abc ab")
    assert "Goal:" in capsys.readouterr().out


def test_the_picture_counts_as_the_table_above_it_does():
    """A learner who has read 99 and 10 in a cell reads the same numbers in the picture."""
    for loudness in (1.0, 0.0):
        shown = explore_heads.frame(head=2, loudness=loudness).right["right"]
        counted = 100 * share_right(load_copying(), loudness=without(2, loudness=loudness))
        assert round(shown) == round(counted)


@pytest.mark.parametrize("head", [2, 5])
def test_arcs_show_where_the_chosen_head_looks(head):
    frame = explore_heads.frame(head=head)
    block, place = divmod(head - 1, 4)
    looks = load_copying().maps("giraffe pogir")[block, place]
    assert (frame.right["looks"] == looks).all()
    said = explore_heads._ours().sentence(frame)
    assert ('at the "i" before it' if head == 2 else 'at the "a", 9 places') in said


def test_dragging_a_level_changes_the_chosen_head_alone():
    level = explore_heads.handles["level"]
    data = explore_heads.frame(head=6, loudness=0.5).right
    _, x, y = level.at(data)
    assert level.asks((x, y), {"head": 6, "loudness": 0.5}, 0) == {"loudness": 0.5}
    assert level.asks((x, y - 0.2), {"head": 6}, 0)["loudness"] == pytest.approx(0.3)


def _written(**setting) -> list[str]:
    session = explore_heads._ours()
    session.draw(explore_heads.frame(**setting))
    strip = session.picture("one").figure.axes[-1]
    return [one.get_text() for one in (strip.title, strip._left_title, *strip.texts)]


@pytest.mark.parametrize(
    ("loudness", "words"),
    [(0.0, "no arcs: head 2 is silent"), (0.06, "no arcs: head 2 is too quiet for one")],
)
def test_an_empty_sky_says_why(loudness, words):
    assert words in _written(head=2, loudness=loudness)
    assert not any("no arcs" in one for one in _written(head=2, loudness=1.0))


@pytest.mark.parametrize(("head", "told"), [(2, False), (5, True), (8, True)])
def test_the_picture_says_whose_the_pale_arcs_are(head, told):
    assert any("pale, from others that repeat" in one for one in _written(head=head)) == told
    assert any("pale, from those before it" in one for one in _written(head=head)) != told
