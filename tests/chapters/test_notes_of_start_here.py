"""Chapter 0's notes: each letter's two, those that answer, and where they lead, with any text."""

import pytest
from matplotlib.colors import to_hex
from matplotlib.patches import FancyArrowPatch

from course_lib.chapters.start_here import pictures, rows_of_notes
from course_lib.chapters.start_here import sentences as s
from course_lib.chapters.start_here.notes import tied
from course_lib.chapters.start_here.pictures import (
    show_note_found,
)
from course_lib.chapters.start_here.rows_of_notes import show_places_found, show_two_back
from course_lib.figures.theme import VALUE
from course_lib.models.copying_numpy import load_copying


@pytest.fixture
def figures(shown_by):
    return shown_by(pictures, rows_of_notes)


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
def test_notes_are_filled_that_answer_and_without_head_3_none_of_the_second_row(
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


@pytest.mark.parametrize(
    ("text", "above", "below"),
    [("hat cap ha", "21", "11"), ("kumusta kumu", "121", "111"), ("x y", "", "")],
)
def test_a_row_counts_the_answers_of_each_letter(text, above, below, figures):
    show_places_found(load_copying(), text)
    counted = [
        "".join(one.get_text() for one in axes.texts if one.get_text() in ("1", "2"))
        for axes in figures[0].axes
    ]
    assert counted == [above, below]
    for axes in figures[0].axes:
        assert s.ANSWERS_OF_TWO in [one.get_text() for one in axes.texts]


def test_each_arc_says_whose_look_it_is(figures):
    show_places_found(load_copying(), "hat cap ha")
    for axes in figures[0].axes:
        assert s.HEAD_5 in [one.get_text() for one in axes.texts]


@pytest.mark.parametrize(
    ("text", "drawn"), [("giraffe pogir", 2), ("lemon tray", 1), ("banana tree bana", 1)]
)
def test_a_line_leads_to_the_letter_that_is_said_where_it_is_found_and_right(text, drawn, figures):
    show_note_found(load_copying(), text)
    arrows = [one for one in figures[0].axes[0].patches if isinstance(one, FancyArrowPatch)]
    assert len(arrows) == drawn  # one of them is the arc


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
            "head 5 errs, but most of heads 6 to 8 look at ␣",
        ),
        (
            "x y",
            "nobody has both notes, and the model says y",
            "no note fits, and the model says y",
        ),
        (
            "mississippi missi",
            "the arc ends at p, but the model says s",
            "head 5 errs, but most of heads 6 to 8 look at s",
        ),
    ],
)
def test_the_titles_say_what_arc_and_model_do_with_any_text(text, above, below, figures):
    show_places_found(load_copying(), text)
    titles = [axes.get_title(loc="left") for axes in figures[0].axes]
    said = [title.split()[-1] for title in titles]
    same = said[0] == said[1] and not tied(text)
    assert ("no difference" in figures[0].get_suptitle()) == same, titles
    assert titles[0].endswith(above)
    assert titles[1].endswith(below)


def test_where_the_arc_ends_elsewhere_no_note_is_said_to_be_found(figures):
    show_note_found(load_copying(), "lemon tray")
    assert figures[0].get_suptitle().startswith("Head 5 looks most at")


@pytest.mark.parametrize(("text", "wrong"), [("banana tree bana", True), ("hat cap ha", False)])
def test_a_wrong_letter_is_marked_in_the_picture_and_said_in_words(text, wrong, figures, capsys):
    show_note_found(load_copying(), text)
    (axes,) = figures[0].axes
    assert ("✗" in [one.get_text() for one in axes.texts]) == wrong
    assert ("is not the right letter" in capsys.readouterr().out) == wrong


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("giraffe pogir", None),
        ("merhaba dunya", "asks for. The text does not begin again"),
        ("emrekitapci emre", "more than one letter here: m, k, m. How"),
    ],
)
def test_where_a_text_does_not_follow_the_story_a_line_says_so(text, told, figures, capsys):
    show_note_found(load_copying(), text)
    lines = capsys.readouterr().out.strip().splitlines()
    assert (len(lines) > 1) == bool(told)
    assert (told or "") in lines[-1]


@pytest.mark.parametrize(
    ("text", "told"), [("hat cap ha", False), ("x y", True), ("trinca espinhas trin", False)]
)
def test_where_head_3_makes_no_difference_another_text_is_asked_for(text, told, figures, capsys):
    show_places_found(load_copying(), text)
    assert ("not in every text" in capsys.readouterr().out) == told


@pytest.mark.parametrize(
    ("text", "decides"), [("trinca espinhas trin", '"rin"'), ("hat cap ha", ""), ("x y", "")]
)
def test_where_two_notes_do_not_decide_a_line_says_so(text, decides, figures, capsys):
    show_places_found(load_copying(), text)
    told = capsys.readouterr().out
    assert ("two notes do not tell the places apart" in told) == bool(decides)
    assert decides in told


@pytest.mark.parametrize(
    ("text", "letters", "line"),
    [
        ("bread bran br", "e and a", 'After "br" came "e" and "a", so each of them fits'),
        ("sourdough sou", "r and g", 'One letter more decides: "sou"'),
        ("hat cap ha", "", ""),
    ],
)
def test_where_both_notes_tie_head_3_is_not_said_to_decide(text, letters, line, figures, capsys):
    show_places_found(load_copying(), text)
    title = figures[0].get_suptitle()
    assert title == (f"Two notes do not decide here: {letters} have both" if letters else title)
    assert title.startswith("Head 3 makes the difference") != bool(letters)
    assert line in capsys.readouterr().out


@pytest.mark.parametrize("text", ["bread bran br", "giraffe pogiraf", "hat cap ha"])
def test_where_the_arc_ends_at_another_letter_than_is_said_a_line_tells_why(text, figures, capsys):
    show_places_found(load_copying(), text)
    said = capsys.readouterr().out
    assert (s.OTHERS_ASK in said) == (text != "hat cap ha")
    heads = "Above, head 6 looks most at a, head 7 at e, and head 8 at e."
    assert (heads in said) == (text == "bread bran br")


@pytest.mark.parametrize(("text", "told"), [("otto ott", True), ("hat cap ha", False)])
def test_a_last_letter_that_answers_itself_is_told(text, told, figures, capsys):
    show_places_found(load_copying(), text)
    assert ("The last t answers its own question" in capsys.readouterr().out) == told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("pepper peppe", True),
        ("mississippi xmissi", True),
        ("hat cap ha", False),
        ("cat dog ca", False),
    ],
)
def test_where_the_model_is_right_without_head_3_alone_a_line_says_so(text, told, figures, capsys):
    show_places_found(load_copying(), text)
    assert (s.RIGHT_WITHOUT_ALONE in capsys.readouterr().out) is told


def test_an_arc_that_misses_the_letter_with_both_notes_is_called_an_error(figures, capsys):
    show_places_found(load_copying(), "zanzibar zanz")
    upper, lower = (axes.get_title(loc="left") for axes in figures[0].axes)
    assert upper == "With head 3: both notes stand at the i, but the model says a"
    assert lower == "Without head 3: one note, and the model still says a"
    assert s.ERRS_WITH_IT in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("hat cap ha", [True, False]),
        ("banana tree bana", [False, False]),
        ("bread bran br", [True, True]),  # each of the two fits
        ("x y", [None, None]),  # nobody can know
    ],
)
def test_only_a_right_letter_is_green_and_a_wrong_one_has_a_cross(text, right, figures, capsys):
    show_places_found(load_copying(), text)
    for axes, one in zip(figures[0].axes, right, strict=True):
        said = next(
            box for box in axes.patches if box.get_linestyle() == "--" and not box.get_fill()
        )
        assert (to_hex(said.get_edgecolor()) == VALUE) == bool(one)
        assert ("✗" in [words.get_text() for words in axes.texts]) == (one is False)
    assert ("tells that it is not the right letter" in capsys.readouterr().out) == (False in right)
