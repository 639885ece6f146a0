"""Chapter 0's explorer: what its picture shows is what the model does."""

from itertools import combinations

import pytest

from course_lib.chapters.start_here import pictures, rows_of_notes
from course_lib.chapters.start_here import sentences as s
from course_lib.chapters.start_here.explorers.heads import (
    MORE,
    SHOWN,
    explore_heads,
    explore_heads_of,
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
from course_lib.figures.static import show_figure
from course_lib.models.copying_numpy import load_copying, share_right, without

TEXTS = ("", "a", "Giraffe Pogir!", "the quick brown fox jumps over the lazy dog the qui")
PICTURES = (show_note_left, show_note_found, show_two_back, show_places_found)


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


def test_only_head_2_reaches_the_goal():
    session = explore_heads._ours()
    reached = {
        head
        for head in range(1, 9)
        for step in range(21)
        if session.reached(explore_heads.frame(head=head, loudness=round(0.05 * step, 2)))
    }
    assert reached == {2}


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


def test_the_three_steps_are_numbered_from_the_note_above_to_what_is_handed_over(figures):
    show_note_left(load_copying(), "giraffe pogir")
    show_note_found(load_copying(), "giraffe pogir")
    above, below = ([one.get_text() for one in figure.axes[0].texts] for figure in figures)
    assert "① before me: r" in above
    assert "before me: r" in below
    steps = [one for one in below if one[0] in "①②③"]
    assert sorted(steps) == ["② before you: r?", "③ here is an a"]
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


def test_two_letters_that_stood_nowhere_together_are_refused():
    with pytest.raises(ValueError, match="not found"):
        show_pair("giraffe bar")


def test_the_explorer_opens_on_a_head_that_finds_the_place_and_can_be_spared():
    frame = explore_heads.frame()
    assert 'at the "a", 9 places' in explore_heads._ours().sentence(frame)
    off = without(frame.right["head"])
    assert share_right(load_copying(), loudness=off) > 0.985


def test_the_last_letter_knows_the_one_before_it_from_head_2():
    """The text of chapter 0 says so: without its note there, ha and ca are one to the model."""

    class WithoutNoteAtTheEnd(type(load_copying())):
        def heard(self, outputs, q, k, v, block):
            outputs = outputs.copy()
            outputs[..., self.head - 1, -1, :] *= block != 0
            return outputs

    pairs = {"hat cap ha": "t", "hat cap ca": "p", "cap hat ha": "t", "cap hat ca": "p"}
    right = {}
    for head in (1, 2, 3, 4):
        model = WithoutNoteAtTheEnd(load_copying().weights)
        model.head = head
        right[head] = sum(model.continued(text, 1) == letter for text, letter in pairs.items())
    assert right == {1: 4, 2: 2, 3: 4, 4: 4}


def test_the_second_note_decides_which_place_is_found(capsys):
    show_places_found(load_copying(), "hat cap ha")
    said = capsys.readouterr().out
    assert "asks: before you: a? two before you: h?" in said
    assert "Above, with head 3, these are: t. The arc of head 5 goes to the t" in said
    assert "framed are: t, p. The arc goes to the p, and the model says p." in said


def test_every_letter_has_both_notes_in_rows_of_their_own(figures):
    show_two_back(load_copying(), "kumusta kumu")
    (axes,) = figures[0].axes
    rows = sorted({one.get_position()[1] for one in axes.texts if len(one.get_text()) == 1})
    second, first, _ = (
        "".join(one.get_text() for one in axes.texts if one.get_position()[1] == row
                and len(one.get_text()) == 1)
        for row in rows
    )  # fmt: skip
    assert first == "-kumusta␣kum"
    assert second == "--kumusta␣ku"


@pytest.mark.parametrize(
    ("text", "above", "below"),
    [
        ("hat cap ha", "aah", "aa"),
        ("kumusta kumu", "uuum", "uuu"),
        ("banana ban", "nnaaa", "nn"),
        ("x y", "", ""),
        ("aaa", "aaa", "aa"),
    ],
)
def test_every_note_that_answers_is_filled_and_without_head_3_none_of_the_second_row(
    text, above, below, figures
):
    show_places_found(load_copying(), text)
    filled = [
        "".join(
            one.get_text()
            for one in axes.texts
            if one.get_color() == "white" and one.get_fontweight() == "bold"
        )
        for axes in figures[0].axes
    ]
    assert filled == [above, below]
    said = [[one.get_text() for one in axes.texts] for axes in figures[0].axes]
    assert [s.NO_SECOND_NOTES in texts for texts in said] == [False, len(text) > 1]


def test_the_places_that_fit_are_framed_with_both_notes_and_with_one(figures):
    show_places_found(load_copying(), "hat cap ha")
    framed = [
        [axes.texts[place].get_text() for place in range(9) if _is_framed(axes.patches[place])]
        for axes in figures[0].axes
    ]
    assert framed == [["t"], ["t", "p"]]


def _is_framed(patch) -> bool:
    return patch.get_linewidth() > 2


@pytest.mark.parametrize(
    ("text", "above", "below"),
    [
        ("hat cap ha", "two notes, and the model says t", "one note, and the model says p"),
        ("giraffe pogir", "two notes, and the model says a", "the model still says a"),
        (
            "felipe segundo felipe",
            "two notes, and the model says ␣",
            "head 5 errs, and the others outvote it",
        ),
        (
            "x y",
            "nobody has both notes, and the model says y",
            "no note fits, and the model says y",
        ),
        (
            "mississippi missi",
            "the arc ends at p, but the model says s",
            "head 5 errs, and the others outvote it",
        ),
    ],
)
def test_the_titles_say_what_arc_and_model_do_with_any_text(text, above, below, figures):
    show_places_found(load_copying(), text)
    titles = [axes.get_title() for axes in figures[0].axes]
    assert titles[0].endswith(above)
    assert titles[1].endswith(below)


def test_where_the_arc_ends_elsewhere_no_note_is_said_to_be_found(figures):
    show_note_found(load_copying(), "lemon tray")
    assert figures[0].axes[0].get_title().startswith("Head 5 looks most at")


def test_a_mark_stands_under_the_first_letter_that_is_another():
    for head, loudness in ((2, 0.0), (3, 0.0), (6, 1.0)):
        session = explore_heads._ours()
        frame = explore_heads.frame(head=head, loudness=loudness)
        session.draw(frame)
        strip = session.picture("one").figure.axes[-1]
        marks = [one for one in strip.texts if one.get_text() == "✗"]
        differ = [n for n, (new, old) in enumerate(zip(*_said(frame), strict=True)) if new != old]
        assert [round(one.get_position()[0]) - len("giraffe pogir") for one in marks] == differ[:1]


def _said(frame):
    return frame.right["said"], frame.right["before"]


def test_a_silent_head_has_no_arcs_and_says_why():
    session = explore_heads._ours()
    frame = explore_heads.frame(head=2, loudness=0.0)
    session.draw(frame)
    strip = session.picture("one").figure.axes[-1]
    assert strip.get_title(loc="left").startswith("head 2 is silent, so there are no arcs")
    assert "a silent head is not heard" in session.sentence(frame)


def test_a_long_text_of_two_words_and_one_again_is_shown_from_its_beginning():
    assert heads_of("Felipe segundo Felipe").frame().right["text"] == "felipe segundo felipe"


def test_where_one_note_is_enough_the_place_stays(capsys):
    show_places_found(load_copying(), "giraffe pogir")
    assert capsys.readouterr().out.count("goes to the a, and the model says a.") == 2


def test_a_bet_is_a_cross_at_the_longest_period(capsys, figures):
    periods, attention, rnn = range(6, 25, 6), (99.7, 99.3, 99.2, 99.1), (93.8, 62.0, 38.8, 29.3)
    show_periods(periods, attention, rnn)
    assert "cross" not in capsys.readouterr().out
    show_periods(periods, attention, rnn, 60)
    assert "Your bet, 60, is a cross at period 24." in capsys.readouterr().out
    without_bet, with_bet = ([line.get_marker() for line in one.axes[0].lines] for one in figures)
    assert with_bet == [*without_bet, "x"]
    assert [faults(figure) for figure in figures] == [[], []]


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


@pytest.fixture
def figures(monkeypatch):
    """The figures that are shown, as they were drawn."""
    shown = []

    def keep(figure, words, **options):
        shown.append(figure)
        show_figure(figure, words, **options)

    for module in (pictures, rows_of_notes):
        monkeypatch.setattr(module, "show_figure", keep)
    return shown
