"""Chapter 1's pictures that do not move say what they show, and no label hides another."""

import itertools
import json

import numpy as np
import pytest

from course_lib.chapters.dot_product import look_back, meeting, mixing, pictures, two_keys
from course_lib.chapters.dot_product.exercises.ask_for_the_kitten import KEYS
from course_lib.chapters.dot_product.explorers import own_attention as own
from course_lib.chapters.dot_product.explorers.rows_and_columns import explore_rows_and_columns
from course_lib.chapters.dot_product.explorers.two_vectors import explore_two_vectors
from course_lib.chapters.dot_product.look_back import show_look_back
from course_lib.chapters.dot_product.meeting import show_meeting
from course_lib.chapters.dot_product.mixing import show_mixing
from course_lib.chapters.dot_product.pictures import (
    show_protractor,
    show_scores_among,
    show_turned,
    show_votes,
    show_who_is_heard,
)
from course_lib.figures.readable import faults
from course_lib.figures.theme import KEY, OUTPUT
from course_lib.kernels.softmax import softmax


@pytest.fixture
def figures(shown_by):
    return shown_by(look_back, meeting, mixing, pictures, two_keys)


def test_the_stills_say_what_they_show(capsys):
    show_votes(["animal", "barks"], [2, -1], [2, 2])
    assert "animal +4, barks -2" in capsys.readouterr().out
    show_protractor([4, 3], [3, 4])
    assert "16.26 degrees" in capsys.readouterr().out
    show_scores_among([[1.0, 0.0], [2.0, 1.0]], ["short", "long"])
    assert "short scores 1.00 with itself and 2.00 with long" in capsys.readouterr().out
    show_who_is_heard("too abc", [0.0, 0.75, 0.25])
    assert "From the last one, c" in (said := capsys.readouterr().out)
    assert "goes to b, 1 places before it, with 0.75" in said


def test_a_score_is_covered_until_the_frame_stands_on_it_and_the_least_uncovers_all():
    session = explore_rows_and_columns.session()

    def covered(**params):
        session.layers(session.frame({**explore_rows_and_columns.start, **params}))
        table = session.picture("one").figure.axes[3]
        return sum(text.get_text() == "?" for text in table.texts)

    assert covered() == 11
    assert covered(i=1, j=2) == 11, "-8 is not the least"
    assert covered(i=2, j=1) == 0
    assert covered(i=0, j=0) == 11, "and it is covered again"


def test_the_votes_are_added_up_in_the_title_and_in_a_bar_of_their_own(figures):
    show_votes(["animal", "barks"], [2, -1], [2, 2])
    (axes,) = figures[0].axes
    assert axes.figure.get_suptitle() == "+4 − 2 = 2: on balance, alike"
    assert [label.get_text() for label in axes.get_yticklabels()][-1] == "together"
    assert axes.patches[-1].get_width() == 2
    show_votes(["animal", "barks"], [1, -1], [1, 2])
    assert "unlike" in figures[1].get_suptitle()
    show_votes(["animal", "barks"], [2, -1], [1, 2])
    assert "neither alike nor unlike" in figures[2].get_suptitle()


def test_each_vote_says_in_its_bar_which_way_it_goes(figures):
    show_votes(["animal", "barks", "big"], [2, -1, 1], [2, 2, 0], ["cat", "dog"])
    (axes,) = figures[0].axes
    names = {t.get_text(): t.get_position() for t in axes.texts if t.get_text()[0] in "fa"}
    assert names == {"for": (2, 0), "against": (-1, 1)}
    assert faults(figures[0]) == []


def test_no_word_is_written_into_a_bar_that_is_too_short_for_it(figures):
    show_votes(["animal", "barks"], [3, -1], [3, 1])
    said = [text.get_text() for text in figures[0].axes[0].texts]
    assert "for" in said
    assert "against" not in said


WEIGHTS, VALUES = np.array([0.25, 0.75]), np.array([[4.0, 1.0], [-2.0, 3.0]])


def test_the_bars_are_as_long_as_the_weights_and_the_products_add_up(figures):
    show_mixing("Rex", WEIGHTS, VALUES, ["pear", "puppy"], ["animal", "big"])
    (axes,) = figures[0].axes
    bars = [one.get_width() for one in axes.patches[1:4:2]]
    np.testing.assert_allclose(np.array(bars) / sum(bars), WEIGHTS)
    beside = [one for one in axes.texts if one.get_horizontalalignment() == "right"]
    last = max(one.get_position()[0] for one in beside)
    written = [one.get_text() for one in beside if one.get_position()[0] == last]
    assert written == ["weight · animal", "1.000", "−1.500", "−0.500"]
    purple = [one.get_text() for one in axes.texts if one.get_color() == OUTPUT]
    assert purple == ["output of Rex", "−0.500", "2.500", "−0.500"]
    assert axes.figure.get_suptitle() == "Rex hears mostly the puppy"
    assert faults(figures[0]) == []
    with pytest.raises(ValueError, match="weights has shape"):
        show_mixing("Rex", WEIGHTS[:1], VALUES, ["pear"], ["animal", "big"])


def test_the_weights_as_shown_make_the_products_as_shown(figures):
    weights = softmax(np.array([-1.0, 3.0, -1.0, -1.0]))
    show_mixing("Rex", weights, KEYS, *ASKED)
    assert faults(figures[0]) == []
    written = [one.get_text().replace("−", "-") for one in figures[0].axes[0].texts]
    for name, said in zip(ASKED[0], KEYS, strict=True):
        weight, *numbers, product = written[written.index(name) + 1 :][:6]
        assert [float(number) for number in numbers] == list(said)
        assert round(float(weight) * said[0], 3) == float(product)


def test_the_sentence_of_the_mixture_has_the_products_too(capsys):
    show_mixing("Rex", WEIGHTS, VALUES, ["pear", "puppy"], ["animal", "big"])
    said = capsys.readouterr().out
    assert "pear 0.2500 times 4 is 1.000, puppy 0.7500 times -2 is -1.500." in said
    assert "a sum for each column: animal −0.500, big 2.500." in said


def test_no_two_columns_of_rex_come_out_alike():
    """Two equal numbers side by side in the printed output read like a misprint."""
    output = softmax(np.array([-1.0, 3.0, -1.0, -1.0])) @ KEYS
    assert len(set(output.round(2))) == 4


def test_the_name_of_a_never_stands_in_the_word_reach():
    session = explore_two_vectors.session()
    for angle, length in itertools.product((0, 10, 30, 50, 70), (1.0, 1.4, 1.8, 2.4, 3.0)):
        setting = {**explore_two_vectors.start, "angle": angle, "length_a": length}
        session.layers(session.frame(setting))
        figure = session.picture("one").figure
        figure.canvas.draw()
        texts = {text.get_text(): text for text in figure.axes[0].texts}
        boxes = [texts[name].get_window_extent() for name in ("a", "reach") if name in texts]
        assert len(boxes) < 2 or not boxes[0].overlaps(boxes[1]), setting


@pytest.mark.parametrize(
    ("setting", "title"),
    [
        ({}, "length 3.0 times reach 1.37 is 4.1"),
        ({"angle": 60}, "length 3.0 times reach 2.00 is 6.0"),
        ({"angle": 37, "length_b": 2.5}, "length 3.0 times reach 2.00 is 6.0"),
        ({"angle": 120}, "length 3.0 times reach −2.00 is −6.0"),
        ({"angle": 90}, "length 3.0 times reach 0.00 is 0.0"),
        ({"angle": 63}, "length 3.0 times reach 1.816 is 5.4"),
        ({"angle": 57, "length_b": 2.5}, "length 3.0 times reach 1.36 is 4.1"),
    ],
)
def test_length_and_reach_in_the_title_multiply_to_the_area(setting, title):
    session = explore_two_vectors.session()
    session.layers(session.frame({**explore_two_vectors.start, **setting}))
    assert session.picture("one").figure.axes[0].get_title(loc="left") == title


ASKED = ["kitten", "puppy", "pear", "tree"], ["animal", "barks", "fruit", "big"]


def test_the_sum_of_the_framed_row_and_column_stands_where_they_cross(figures, monkeypatch):
    told = []
    keep = meeting.show_figure
    monkeypatch.setattr(
        meeting, "show_figure", lambda one, alt, **_: told.append(alt) or keep(one, alt)
    )
    show_meeting([[0, 1, 0, 0], [1, -1, 0, 0]], KEYS, ["Rex", "you"], *ASKED)
    assert "1 times 2 plus −1 times −1 plus 0 times −1 plus 0 times −2 is 3." in told[0]
    assert "row by row: −1, 3, −1, −1, 3, −1, −1, −1." in told[0]
    shapes = "shapes: (2 queries, 4 traits) @ (4 traits, 4 keys) makes (2 queries, 4 keys)"
    assert told[0].endswith(f"The {shapes}.")
    (axes,) = figures[0].axes
    strong = [text.get_text() for text in axes.texts if text.get_fontweight() == "bold"]
    assert strong.count("3") == 2, "below the products, and in the frame"
    assert strong.count("4 traits") == 2, "they have to agree"
    last = [text.get_text() for text in axes.texts[-10:]]
    assert "".join(last).replace(" ", "") == shapes.replace(" ", "")
    assert faults(figures[0]) == []


@pytest.mark.parametrize("query", [[0.95, -1 / 3, -0.125, -1], [-0.99] * 4, [0, 0, 0, 0]])
def test_any_query_of_the_learner_is_drawn(figures, query):
    show_meeting([[0, 1, 0, 0], query], KEYS, ["Rex", "you"], *ASKED)
    assert faults(figures[0]) == []


def test_too_few_names_are_refused():
    with pytest.raises(ValueError, match="their names are for"):
        show_meeting([[0, 1, 0, 0]], KEYS, ["Rex", "you"], *ASKED)


def test_the_protractor_reads_the_angle_between_the_two_arrows(figures):
    show_protractor([4, 3], [3, 4])
    (axes,) = figures[0].axes
    assert axes.figure.get_suptitle() == "16.26 degrees lie between them"
    assert faults(figures[0]) == []


def test_the_ruler_is_read_where_the_line_from_the_tip_meets_it(figures):
    show_turned([4, 3], [3, 4])
    (axes,) = figures[0].axes
    assert axes.figure.get_suptitle() == "Turned, until one lies flat: 4.8 along, 1.4 up"
    written = {text.get_text(): text.get_position() for text in axes.texts}
    assert written["4.8"][0] == pytest.approx(4.8)
    assert written["1.4"][1] < 1.4
    assert "16.26°" in written


def test_the_orange_dashes_are_as_long_as_the_number_beside_them(figures):
    """Below the blue arrow, a thin grey line goes on to the ruler."""
    show_turned([4, 3], [3, 4])
    lines = figures[0].axes[0].lines
    falls = [line for line in lines if (line.get_xdata(orig=False) == 4.8).all()]
    ends = {line.get_color(): sorted(line.get_ydata()) for line in falls if line.is_dashed()}
    assert ends == {KEY: [0, 1.4], "#666666": [-0.6, 0]}


@pytest.mark.parametrize("pair", [([4, 3], [3, 4]), ([4, 1], [1, 4]), ([2, 2], [0, 3])])
def test_the_turned_arrows_keep_their_lengths_and_their_dot_product(figures, pair):
    show_turned(*pair)
    assert faults(figures[0]) == []
    *_, flat, other = (t.get_text() for t in figures[0].axes[0].texts if t.get_text()[:1] == "[")
    first, second = (np.array(json.loads(text.replace("−", "-"))) for text in (flat, other))
    assert first[1] == 0
    assert np.hypot(*second) == pytest.approx(np.hypot(*pair[1]), abs=0.01)
    assert first @ second == pytest.approx(np.dot(*pair), abs=0.03)


def test_small_words_take_little_of_what_the_apple_gets():
    frame = own.explore_own_attention.frame().right
    shares = dict(zip(own.NAMES, frame["weights"], strict=True))
    assert max(shares["left"], shares["because"]) < shares["apple"] / 4


@pytest.mark.parametrize("angle", [30, 60, 80, 90, 120, 150])
def test_the_degrees_stand_beside_the_arrow_that_b_left_behind(angle):
    session = explore_two_vectors.session()
    session.layers(session.frame({**explore_two_vectors.start, "angle": angle}))
    plane = session.picture("one").figure.axes[0]
    x, y = next(one for one in plane.texts if one.get_text() == f"{angle}°").get_position()
    left = np.radians(explore_two_vectors.start["angle"])
    assert abs(y * np.cos(left) - x * np.sin(left)) > 0.28


def test_the_first_picture_shows_what_each_last_word_decides(figures):
    show_look_back()
    tired, sweet = figures[0].axes
    for axes, ending, word, shares in (
        (tired, "tired", "dog", [".94", ".02", ".01", ".00", ".03"]),
        (sweet, "sweet", "apple", [".03", ".03", ".93", ".00", ".01"]),
    ):
        said = [text.get_text() for text in axes.texts if text.get_text()]
        assert said == [*own.NAMES, "it", "was", ending, *shares]
        assert axes.get_title(loc="left") == f'"{ending}" decides: "it" means the {word}'
    assert faults(figures[0]) == []


@pytest.mark.parametrize("angle", [0, 8, 15, 25, 30, 60])
def test_the_degrees_stand_above_the_line_of_a(angle):
    session = explore_two_vectors.session()
    session.layers(session.frame({**explore_two_vectors.start, "angle": angle}))
    plane = session.picture("one").figure.axes[0]
    degrees = next(one for one in plane.texts if one.get_text() == f"{angle}°")
    assert degrees.get_position()[1] > 0.3
