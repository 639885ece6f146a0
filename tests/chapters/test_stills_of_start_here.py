"""Chapter 0's pictures that do not move show what the model does, with any text."""

from itertools import combinations

import pytest
from matplotlib.text import Text

from course_lib.chapters.start_here import pictures, rows_of_notes
from course_lib.chapters.start_here.exercises.by_two import by_two
from course_lib.chapters.start_here.explorers.heads import (
    explore_heads,
    heads_of,
)
from course_lib.chapters.start_here.pictures import (
    show_forward_pass,
    show_note_found,
    show_note_left,
    show_pair,
    show_passing_on,
    show_periods,
)
from course_lib.chapters.start_here.rows_of_notes import show_places_found, show_two_back
from course_lib.figures.fonts import empty_boxes
from course_lib.figures.readable import faults
from course_lib.models.copying_numpy import load_copying, share_right, without
from tests.chapters.samples import TEXTS
from tests.sweeps import some

PICTURES = (show_note_left, show_note_found, show_two_back, show_places_found)


@pytest.fixture
def figures(shown_by):
    return shown_by(pictures, rows_of_notes)


def test_the_stills_say_what_they_show(capsys):
    model = load_copying()
    show_note_left(model, "giraffe pogir")
    assert "① So the a carries the note: before me r." in capsys.readouterr().out
    show_note_found(model, "giraffe pogir")
    said = capsys.readouterr().out
    assert "② The last letter, r, asks through head 5: before you: r?" in said
    assert "Its arc goes to the a, with the note before me r. ③ It hands itself over" in said
    assert "the model says a" in said
    show_two_back(model, "hat cap ha")
    said = capsys.readouterr().out
    assert "The t carries: before me: a, two before me: h." in said
    assert "The p carries: before me: a, two before me: c." in said
    assert "The last letter, a, has a note as well: before me: h." in said
    show_passing_on("giraffe")
    assert "6 arrows" in capsys.readouterr().out
    show_forward_pass()
    assert "def states" in capsys.readouterr().out


def test_of_the_neighbour_s_name_the_answer_gets_as_much_as_the_chapter_says():
    text = "quorzel pogir quorz"
    look, *others = load_copying().maps(text)[1, :, -1]
    assert [round(100 * look[text.index(one)]) for one in "eu"] == [73, 22]
    assert [text[one.argmax()] for one in others] == ["e", "e", "e"]


def test_head_3_makes_the_difference_where_the_chapter_says_so(capsys):
    model = load_copying()
    for text in ("hat cap ha", "bank cash ba"):
        assert model.continued(text, 1) == by_two(text)
        assert model.continued(text, 1, without(3)) != by_two(text)
        show_places_found(model, text)
        assert "not in every text" not in capsys.readouterr().out


def test_the_three_steps_are_numbered_from_the_note_above_to_what_is_handed_over(figures):
    show_note_left(load_copying(), "giraffe pogir")
    show_note_found(load_copying(), "giraffe pogir")
    above, below = ([one.get_text() for one in figure.axes[0].texts] for figure in figures)
    assert "① before me: r" in above
    steps = [one for one in below if one[0] in "①②③"]
    assert sorted(steps) == ["① before me: r", "② before you: r?", "③ here is an a"]
    assert [empty_boxes(figure) for figure in figures] == [[], []]


def test_the_weights_of_the_look_stand_below_the_letters(figures, capsys):
    model, long = load_copying(), "one two abcdefabcdefa"
    show_note_found(model, "giraffe pogir")
    show_note_found(model, long)
    assert "Under each letter stands its weight in this look: of 100, the a gets 91." in (
        capsys.readouterr().out
    )
    few, many = (
        [one.get_text() for one in figure.axes[0].texts if one.get_text().isdigit()]
        for figure in figures
    )
    assert few == [f"{100 * one:.0f}" for one in model.maps("giraffe pogir")[1, 0, -1]]
    assert many == [f"{100 * model.maps(long)[1, 0, -1].max():.0f}"]  # no room for more


def test_the_pair_is_framed_at_its_places_with_what_followed(figures, capsys):
    show_pair("cap sat ca")
    said = capsys.readouterr().out
    assert "at the places 0 and 1; what followed them is the p at place 2" in said
    (axes,) = figures[0].axes
    frames = [one for one in axes.patches if one.get_linewidth() == 2.4]
    spans = [(round(one.get_x() + 0.4, 9), round(one.get_width() + 0.2, 9)) for one in frames]
    assert spans == [(0, 2), (2, 1), (8, 2)]
    assert faults(figures[0]) == []


@pytest.mark.parametrize(
    "text",
    [
        "thunderclap th",
        "giraffe giro gir",
        "trinca espinhas trin",
        "abcdefghijklmnopcabca",
        "mimimi",
    ],
)
def test_the_names_of_the_pair_keep_apart_and_within_the_picture(figures, text):
    show_pair(text)
    assert faults(figures[0]) == []


def test_two_letters_that_stood_nowhere_together_are_refused():
    with pytest.raises(ValueError, match="not found"):
        show_pair("giraffe bar")


def test_the_explorer_opens_on_a_head_that_finds_the_place_and_can_be_spared():
    frame = explore_heads.frame()
    assert 'at the "a", 9 places' in explore_heads._ours().sentence(frame)
    off = without(frame.right["head"])
    assert share_right(load_copying(), loudness=off) > 0.985


def test_a_mark_stands_under_the_first_letter_that_is_another():
    for head, loudness in ((2, 0.0), (3, 0.0), (6, 1.0)):
        session = explore_heads._ours()
        frame = explore_heads.frame(head=head, loudness=loudness)
        session.draw(frame)
        strip = session.picture("one").figure.axes[-1]
        marks = [one for one in strip.texts if one.get_text() == "✗"]
        differ = [n for n, (new, old) in enumerate(zip(*_said(frame), strict=True)) if new != old]
        assert [round(one.get_position()[0]) - len("giraffe pogir") for one in marks] == differ[:1]


@pytest.mark.parametrize(
    ("text", "place"),
    [("banana split banana", 0), ("Mississauga Miss", 3), ("qxzvkj qxz", None)],
)
def test_a_text_on_which_the_model_was_caught_has_its_mark_with_all_heads_on(text, place):
    explorer = heads_of(text)
    frame, session = explorer.frame(), explorer._ours()
    session.draw(frame)
    strip = session.picture("one").figure.axes[-1]
    marks = [one for one in strip.texts if one.get_text() == "✗"]
    places = [round(one.get_position()[0]) - len(text) for one in marks]
    assert places == ([] if place is None else [place])


def _said(frame):
    return frame.right["said"], frame.right["before"]


def test_a_silent_head_has_no_arcs_and_says_why():
    session = explore_heads._ours()
    frame = explore_heads.frame(head=2, loudness=0.0)
    session.draw(frame)
    shown = [one.get_text() for one in session.picture("one").figure.findobj(Text)]
    assert "no arcs: head 2 is silent" in shown
    said = session.sentence(frame)
    assert said.endswith("It has no arcs, because it is silent.")
    assert "looks" not in said


def test_a_long_text_of_two_words_and_one_again_is_shown_from_its_beginning():
    assert heads_of("Felipe segundo Felipe").frame().right["text"] == "felipe segundo felipe"


LONG = "twinkle little star up above twinkle li"  # of 39 letters
ROUNDS = "twinkle star twinkle star twinkle star"  # of 38, in rounds that the model has learned


@pytest.mark.parametrize("picture", [show_two_back, show_places_found])
@pytest.mark.parametrize(("text", "cut"), [(LONG, True), (LONG[-24:], False)])
def test_a_text_of_which_the_end_alone_is_read_is_said_to_be_cut(
    picture, text, cut, capsys, figures
):
    picture(load_copying(), text)
    assert ("only the last 24 letters are read and drawn" in capsys.readouterr().out) == cut
    for axes in figures[0].axes:
        assert ("only the last\n24 letters:" in [one.get_text() for one in axes.texts]) == cut
    assert faults(figures[0]) == []


@pytest.mark.parametrize(("text", "cut"), [(ROUNDS, True), (ROUNDS[-24:], False)])
def test_the_explorer_says_that_only_the_end_of_a_long_text_is_drawn(text, cut):
    explorer = heads_of(text)
    session, frame = explorer._ours(), explorer.frame(head=2)
    session.draw(frame)
    assert ("the last 24 letters are drawn" in session.sentence(frame)) == cut
    strip = session.picture("one").figure.axes[-1]
    assert ("the last 24 letters, and where" in strip.get_title(loc="left")) == cut


def test_a_look_at_what_is_not_drawn_is_not_said_to_be_at_a_letter_that_is():
    explorer = heads_of(ROUNDS)
    looks = load_copying().maps(ROUNDS)[1, 1, -1]
    assert looks.argmax() < len(ROUNDS) - 24
    assert "letters further left, which are not drawn" in explorer._ours().sentence(
        explorer.frame(head=6)
    )


def test_where_one_note_is_enough_the_place_stays(capsys):
    show_places_found(load_copying(), "giraffe pogir")
    assert capsys.readouterr().out.count("goes to the a, and the model says a.") == 2


def test_a_bet_is_a_cross_at_the_longest_period(capsys, figures):
    periods, attention, rnn = range(6, 25, 6), (99.7, 99.3, 99.2, 99.1), (93.8, 62.0, 38.8, 29.3)
    show_periods(periods, attention, rnn)
    assert "cross" not in capsys.readouterr().out
    show_periods(periods, attention, rnn, 60)
    assert "Your bet, 60, is a cross at 24 letters." in capsys.readouterr().out
    without_bet, with_bet = ([line.get_marker() for line in one.axes[0].lines] for one in figures)
    assert with_bet == [*without_bet, "x"]
    assert [faults(figure) for figure in figures] == [[], []]


@pytest.mark.parametrize("bet", some(range(101), 21))
def test_no_bet_covers_a_number_or_a_point(figures, bet):
    periods, attention, rnn = range(6, 25, 3), [99.4] * 7, (94, 78, 62, 50, 39, 34, 29.3)
    show_periods(periods, attention, rnn, bet)
    (figure,) = figures
    (axes,) = figure.axes
    assert faults(figure) == []
    boxes = [(one.get_text(), one.get_window_extent()) for one in axes.texts]
    for (one, first), (other, second) in combinations(boxes, 2):
        assert not first.overlaps(second), f"{one!r} and {other!r}"
    *lines, cross = axes.lines
    assert all(cross.get_zorder() < one.get_zorder() for one in lines if one.get_marker() in "os")
    at = cross.get_window_extent()
    assert not any(at.overlaps(box) for _, box in boxes)


@pytest.mark.parametrize(
    "text",
    [
        "giraffe pogir",
        "cat dog ca",
        "hat cap ha",
        "one two abcdefabcdefa",
        "felipe segundo felipe",
        "kumusta kumu",
        "banana ban",
        "x y",
        "aaa",
        "mississippi missi",
        "what a lovely day what a l",
        "mmmwmm wwm mmwmww mwmmwm",
        LONG,
    ],
)
@pytest.mark.parametrize("picture", PICTURES)
def test_no_two_texts_of_a_still_meet(picture, text, figures):
    picture(load_copying(), text)
    (figure,) = figures
    assert faults(figure) == []
    for axes in figure.axes:
        boxes = [(one.get_text(), one.get_window_extent()) for one in [*axes.texts, axes.title]]
        for (one, first), (other, second) in combinations(boxes, 2):
            assert not first.overlaps(second), f"{one!r} and {other!r}"


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("picture", PICTURES)
def test_a_still_can_be_asked_for_any_text(picture, text, capsys):
    picture(load_copying(), text)
    assert len(capsys.readouterr().out.split()) > 4


def test_a_look_further_left_is_not_said_to_be_too_quiet():
    explorer = heads_of(ROUNDS)
    session, frame = explorer._ours(), explorer.frame(head=5)
    session.draw(frame)
    strip = session.picture("one").figure.axes[-1]
    assert "looks further left" in strip.get_title(loc="left")
    assert not any("too quiet" in one.get_text() for one in strip.texts)
