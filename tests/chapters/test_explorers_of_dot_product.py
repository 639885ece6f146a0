"""Chapter 1's explorers: what is drawn is what the learner's lines compute."""

import itertools
import json

import numpy as np
import pytest

from course_lib.chapters.dot_product import (
    look_back,
    mixing,
    pictures,
    shopping,
    two_keys,
)
from course_lib.chapters.dot_product.exercises.ask_for_the_kitten import KEYS
from course_lib.chapters.dot_product.explorers import own_attention as own
from course_lib.chapters.dot_product.explorers.random_directions import explore_random_directions
from course_lib.chapters.dot_product.explorers.rows_and_columns import explore_rows_and_columns
from course_lib.chapters.dot_product.explorers.two_vectors import explore_two_vectors
from course_lib.chapters.dot_product.look_back import show_look_back
from course_lib.chapters.dot_product.mixing import show_mixing
from course_lib.chapters.dot_product.pictures import (
    show_protractor,
    show_scores_among,
    show_turned,
    show_votes,
    show_who_is_heard,
)
from course_lib.chapters.dot_product.shopping import show_shopping
from course_lib.chapters.dot_product.two_keys import show_two_keys
from course_lib.figures.readable import faults
from course_lib.kernels.softmax import softmax

CORNERS = {"dog", "apple", "table"}
STOPS = np.linspace(-2.5, 2.5, 11)


@pytest.fixture
def figures(monkeypatch):
    """The figures that a still shows, one after the other."""
    shown = []
    for module in (look_back, mixing, pictures, shopping, two_keys):
        monkeypatch.setattr(module, "show_figure", lambda figure, alt, **_: shown.append(figure))
    return shown


def test_the_weights_are_those_of_the_three_lines():
    data = own.explore_own_attention.frame(alive=1.2, food=-0.7).right
    scores = own.WORDS @ [1.2, -0.7]
    np.testing.assert_allclose(data["scores"], scores)
    np.testing.assert_allclose(data["weights"], softmax(scores))
    np.testing.assert_allclose(data["output"], softmax(scores) @ own.WORDS)


def test_a_wrong_attention_is_seen_in_the_picture():
    def forgets_softmax(q, k, v):
        return q @ k.T @ v

    session = own.explore_own_attention.session(attention=forgets_softmax)
    assert len(session.draw(session.start)) == 2
    assert "they differ" in session.sentence(session.start)
    titles = [axes.get_title(loc="left") for axes in session.picture("yours").figure.axes]
    assert "the weights make -0.78 together, not 1" in titles


def test_only_the_corners_ever_win():
    winners = {
        own.NAMES[int(own.explore_own_attention.frame(alive=x, food=y).right["weights"].argmax())]
        for x, y in itertools.product(STOPS, np.linspace(-1.5, 2.5, 9))
        if (x, y) != (0, 0)
    }
    assert winners == CORNERS


def test_the_output_never_leaves_the_triangle():
    corners = own.WORDS[[own.NAMES.index(name) for name in ("dog", "apple", "table")]]
    system = np.vstack([corners.T, np.ones(3)])
    for x, y in itertools.product(STOPS, np.linspace(-1.5, 2.5, 9)):
        output = own.explore_own_attention.frame(alive=x, food=y).right["output"]
        shares = np.linalg.solve(system, [*output, 1.0])
        assert (shares > -1e-9).all(), "a mixture of the corners with no share below 0"


def test_a_function_of_another_shape_is_told_by_its_name():
    with pytest.raises(ValueError, match=r"attention gave shape \(5, 1\)"):
        own.own_attention(alive=1, food=1, attention=lambda q, k, v: k @ q.T)


@pytest.mark.parametrize("setting", [{}, {"angle": 150}, {"angle": 37, "length_b": 2.5}])
def test_the_area_is_the_dot_product(setting):
    session = explore_two_vectors.session()
    frame = session.frame({**explore_two_vectors.start, **setting})
    session.layers(frame)
    plane = session.picture("one").figure.axes[0]
    box = next(one for one in plane.patches if getattr(one, "get_width", None))
    sign = 1 if frame.right["dot"] > 0 else -1
    assert sign * box.get_width() * box.get_height() == pytest.approx(float(frame.right["dot"]))


def test_the_scores_that_the_text_prints_do_not_give_the_goal_away():
    """The chapter prints the dog's scores above this picture; the least score is another word's."""
    scores = explore_rows_and_columns.frame(i=0, j=0).right["scores"]
    assert np.argwhere(scores == scores.min()).tolist() == [[2, 1]]


def test_dragging_the_frame_over_the_table_chooses_row_and_column():
    handle = explore_rows_and_columns.handles["cell"]
    data = explore_rows_and_columns.frame(i=2, j=1).right
    place, x, y = handle.at(data)
    assert (place, x, y) == (3, 1, 2)
    assert handle.asks((3, 0), {}, 0) == {"i": 0, "j": 3}


def test_the_worst_pair_is_never_better_than_half_of_the_pairs():
    for d in (2, 3, 50, 256):
        data = explore_random_directions.frame(d=d).right
        assert 0 < data["half"] < data["worst"] <= 90
        assert data["heights"].max() == 1


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
    assert axes.get_title(loc="left") == "+4 − 2 = 2: on balance, alike"
    assert [label.get_text() for label in axes.get_yticklabels()][-1] == "together"
    assert axes.patches[-1].get_width() == 2
    show_votes(["animal", "barks"], [1, -1], [1, 2])
    assert "unlike" in figures[1].axes[0].get_title(loc="left")
    show_votes(["animal", "barks"], [2, -1], [1, 2])
    assert "neither alike nor unlike" in figures[2].axes[0].get_title(loc="left")


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


WEIGHTS, COLUMN = np.array([0.25, 0.75]), np.array([4.0, -2.0])


def test_the_bars_are_as_long_as_the_weights_and_the_products_add_up(figures):
    show_mixing("Rex", ["pear", "puppy"], WEIGHTS, COLUMN, "animal")
    (axes,) = figures[0].axes
    bars = [one.get_width() for one in axes.patches[1::2]]
    np.testing.assert_allclose(np.array(bars) / sum(bars), WEIGHTS)
    beside = [one for one in axes.texts if one.get_horizontalalignment() == "right"]
    last = max(one.get_position()[0] for one in beside)
    written = [one.get_text() for one in beside if one.get_position()[0] == last]
    assert written == ["product", "1.000", "−1.500", "−0.500"]
    assert axes.get_title(loc="left") == "Rex hears mostly the puppy"
    assert faults(figures[0]) == []
    with pytest.raises(ValueError, match="weights has shape"):
        show_mixing("Rex", ["pear"], WEIGHTS[:1], COLUMN, "animal")


def test_the_weights_as_shown_make_the_products_as_shown(figures):
    weights, animal = softmax(np.array([-1.0, 3.0, -1.0, -1.0])), np.array([2.0, 2.0, -2.0, -2.0])
    names = ["kitten", "puppy", "pear", "tree"]
    show_mixing("Rex", names, weights, animal, "animal")
    written = [one.get_text().replace("−", "-") for one in figures[0].axes[0].texts]
    for name, said in zip(names, animal, strict=True):
        weight, _, number, _, product = written[written.index(name) + 1 :][:5]
        assert float(number) == said
        assert round(float(weight) * said, 3) == float(product)


def test_the_sentence_of_the_mixture_has_the_products_too(capsys):
    show_mixing("Rex", ["pear", "puppy"], WEIGHTS, COLUMN, "animal")
    said = capsys.readouterr().out
    assert "pear 0.2500 times 4 is 1.000, puppy 0.7500 times -2 is -1.500." in said
    assert "what Rex takes over: −0.500." in said


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
        ({}, "length 3.0 times reach 1.368 is 4.10"),
        ({"angle": 60}, "length 3.0 times reach 2.00 is 6.00"),
        ({"angle": 37, "length_b": 2.5}, "length 3.0 times reach 1.997 is 5.99"),
        ({"angle": 120}, "length 3.0 times reach −2.00 is −6.00"),
        ({"angle": 90}, "length 3.0 times reach 0.00 is 0.00"),
    ],
)
def test_length_and_reach_in_the_title_multiply_to_the_area(setting, title):
    session = explore_two_vectors.session()
    session.layers(session.frame({**explore_two_vectors.start, **setting}))
    assert session.picture("one").figure.axes[0].get_title(loc="left") == title


def test_the_sum_stands_where_a_basket_and_a_shop_cross(figures, monkeypatch):
    told = []
    keep = shopping.show_figure
    monkeypatch.setattr(
        shopping, "show_figure", lambda one, alt, **_: told.append(alt) or keep(one, alt)
    )
    show_shopping([[2, 1], [0, 3]], [[1, 4], [2, 5]])
    assert (
        "at their crossing stands 2 · 1 + 1 · 2 = 4. All costs, row by row: 4, 13, 6, 15."
        in told[0]
    )
    (axes,) = figures[0].axes
    written = [text.get_text() for text in axes.texts]
    assert written.count("4") == 2, "a price of shop 2, and the cost at the end of the sum"
    assert {"13", "6", "15"} < set(written)
    assert faults(figures[0]) == []


@pytest.mark.parametrize("numbers", [([[12, 10]], [[11], [25]]), ([[0, 0]] * 3, [[1, 2, 3]] * 2)])
def test_other_baskets_and_shops_are_drawn_too(figures, numbers):
    show_shopping(*numbers)
    assert faults(figures[0]) == []


def test_a_third_kind_of_fruit_is_refused():
    with pytest.raises(ValueError, match="apples and pears"):
        show_shopping([[1, 2, 3]], [[1], [2], [3]])


def test_the_protractor_reads_the_angle_between_the_two_arrows(figures):
    show_protractor([4, 3], [3, 4])
    (axes,) = figures[0].axes
    assert axes.get_title(loc="left") == "16.26 degrees lie between them"
    assert faults(figures[0]) == []


def test_the_ruler_is_read_where_the_line_from_the_tip_meets_it(figures):
    show_turned([4, 3], [3, 4])
    (axes,) = figures[0].axes
    assert axes.get_title(loc="left") == "Turned, until one lies flat: 4.8 along, 1.4 up"
    written = {text.get_text(): text.get_position() for text in axes.texts}
    assert written["4.8"][0] == pytest.approx(4.8)
    assert written["1.4"][1] < 1.4
    assert "16.26°" in written


@pytest.mark.parametrize("pair", [([4, 3], [3, 4]), ([4, 1], [1, 4]), ([2, 2], [0, 3])])
def test_the_turned_arrows_keep_their_lengths_and_their_dot_product(figures, pair):
    show_turned(*pair)
    assert faults(figures[0]) == []
    *_, flat, other = (t.get_text() for t in figures[0].axes[0].texts if t.get_text()[:1] == "[")
    first, second = (np.array(json.loads(text.replace("−", "-"))) for text in (flat, other))
    assert first[1] == 0
    assert np.hypot(*second) == pytest.approx(np.hypot(*pair[1]), abs=0.01)
    assert first @ second == pytest.approx(np.dot(*pair), abs=0.03)


@pytest.mark.parametrize("loud", [[2.0, 4.0], [1.2, -4.8]])
def test_the_strips_under_two_keys_are_their_dot_products_with_the_query(figures, loud):
    show_two_keys([1.0, 0.0], [1.0, 0.5], loud)
    (axes,) = figures[0].axes
    strips = [line for line in axes.lines if line.get_linewidth() == 9]
    assert [line.get_xdata()[1] for line in strips] == [1.0, loud[0]]
    away = np.degrees(np.arctan2(abs(loud[1]), loud[0]))
    title = f"1.00 < {loud[0]:.2f}: loud wins from {away:.0f} degrees away"
    assert axes.get_title(loc="left") == title


@pytest.mark.parametrize("near", [[1.0, 0.0], [0.4, 1.2]])
def test_every_corner_of_the_grey_field_is_on_the_border_of_what_is_allowed(figures, near):
    show_two_keys([1.0, 0.0], near, [2.0, 4.0])
    field = next(one for one in figures[0].axes[0].patches if one.get_zorder() == 0)
    x, y = field.get_xy().T
    least = max(60, np.degrees(np.arctan2(near[1], near[0])))
    assert x.min() == pytest.approx(near[0])
    assert np.degrees(np.arctan2(y, x)).min() == pytest.approx(least)
    assert np.hypot(x, y).max() == pytest.approx(5)


@pytest.mark.parametrize("loud", [[2.0, 4.0], [1.2, -4.8]])
def test_the_query_lies_over_no_key_and_no_strip(figures, loud):
    show_two_keys([1.0, 0.0], [1.0, 0.0], loud)
    (axes,) = figures[0].axes
    query = next(one for one in axes.patches if one.get_facecolor()[2] > 0.6 and one.get_zorder())
    heights = query.get_xy()[:, 1]
    levels = [y for line in axes.lines if line.get_linewidth() != 1 for y in line.get_ydata()]
    assert max(heights) < min(levels) or min(heights) > max(levels)


def test_no_field_is_drawn_where_nothing_can_win(figures):
    show_two_keys([1.0, 0.0], [3.0, 0.0], [2.0, 4.0])
    (axes,) = figures[0].axes
    assert all(one.get_zorder() for one in axes.patches)
    assert not any("grey" in text.get_text() for text in axes.texts)


@pytest.mark.parametrize("side", [1, -1])
@pytest.mark.parametrize("near", [[1.0, 0.0], [1.0, 1.0], [0.9, 0.5], [2.2, 0.3], [1.0, -0.5]])
def test_the_name_of_near_keeps_clear_of_both_arrows(figures, near, side):
    near, loud = np.array(near) * (1, side), np.array([2.3, 4.2 * side])
    show_two_keys([1.0, 0.0], near, loud)
    (axes,) = figures[0].axes
    figures[0].canvas.draw()
    name = next(text for text in axes.texts if text.get_text() == "near")
    box = name.get_window_extent()
    for key in (near, loud):
        along = axes.transData.transform(np.linspace(0, 1, 60)[:, None] * key)
        assert not any(box.contains(*place) for place in along)


def test_two_keys_that_do_not_trick_the_measure_are_told_so(figures):
    show_two_keys([1.0, 0.0], [1.0, 0.0], [0.5, 4.0])
    assert figures[0].axes[0].get_title(loc="left") == "1.00 is not below 0.50: near wins"


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


EVERYWHERE = [
    {"alive": x, "food": y}
    for x, y in itertools.product(np.linspace(-2.5, 2.5, 11), np.linspace(-1.5, 2.5, 9))
]


def test_no_name_lies_on_another_and_hardly_one_on_an_arrow_wherever_the_query_goes():
    session = own.explore_own_attention.session()
    crossed = []
    for setting in EVERYWHERE:
        frame = session.frame({**own.explore_own_attention.start, **setting})
        session.layers(frame)
        figure = session.picture("one").figure
        plane, data = figure.axes[0], frame.right
        names = {*own.NAMES, "it", "output", "goal"}
        boxes = {t.get_text(): t.get_window_extent() for t in plane.texts if t.get_text() in names}
        assert len(boxes) == len(names)
        for one, other in itertools.combinations(boxes, 2):
            assert not boxes[one].overlaps(boxes[other]), (setting, one, other)
        for tip in (data["q"], data["output"], *own.WORDS):
            along = plane.transData.transform(np.linspace(0, 1, 80)[:, None] * tip)
            crossed += [
                (setting, name)
                for name, box in boxes.items()
                if any(box.contains(*place) for place in along)
            ]
    assert len(crossed) <= len(EVERYWHERE) / 20, crossed


@pytest.mark.parametrize(("setting", "seen"), [({}, False), ({"angle": 57, "length_b": 2.5}, True)])
def test_at_the_goal_one_line_runs_through_the_tips_of_both_b(setting, seen):
    session = explore_two_vectors.session()
    session.layers(session.frame({**explore_two_vectors.start, **setting}))
    plane = session.picture("one").figure.axes[0]
    told = next(one for one in plane.texts if one.get_text().startswith("every tip"))
    line = next(one for one in plane.lines if list(one.get_ydata()) == [0, 4.3])
    assert told.get_visible() is line.get_visible() is seen
    tips = [explore_two_vectors.frame(**one).right["b"] for one in ({}, setting)]
    np.testing.assert_allclose([tip[0] for tip in tips], line.get_xdata()[0], atol=0.01)


@pytest.mark.parametrize("angle", [150, 165, 180])
def test_the_name_of_b_stands_off_its_arrow_at_the_left_edge(angle):
    session = explore_two_vectors.session()
    frame = session.frame({**explore_two_vectors.start, "angle": angle})
    session.layers(frame)
    plane = session.picture("one").figure.axes[0]
    name = next(one for one in plane.texts if one.get_text() == "b")
    x, y = name.get_position()
    b = frame.right["b"] / 4
    assert abs(x * b[1] - y * b[0]) > 0.3
    assert x > plane.get_xlim()[0] + 0.2


@pytest.mark.parametrize("length", [1.0, 1.4, 2.0, 3.0, 3.5])
def test_no_text_of_the_area_stands_on_another_or_on_the_goals_edge(length):
    session = explore_two_vectors.session()
    for angle in range(0, 181, 3):
        frame = session.frame({**explore_two_vectors.start, "angle": angle, "length_a": length})
        session.layers(frame)
        plane = session.picture("one").figure.axes[0]
        shown = [one for one in plane.texts if one.get_visible() and one.get_text()]
        boxes = {one.get_text(): one.get_window_extent() for one in shown}
        for first, second in itertools.combinations(boxes, 2):
            if "b" not in (first, second):
                assert not boxes[first].overlaps(boxes[second]), (angle, first, second)
        (edge, _) = plane.transData.transform((4 * np.cos(np.radians(70)), -1.5))
        for name in boxes.keys() & {"reach", "a,\nturned\ndown"}:
            assert not boxes[name].x0 < edge < boxes[name].x1, (angle, name)


@pytest.mark.parametrize("angle", [0, 8, 15, 25, 30, 60])
def test_the_degrees_stand_above_the_line_of_a(angle):
    session = explore_two_vectors.session()
    session.layers(session.frame({**explore_two_vectors.start, "angle": angle}))
    plane = session.picture("one").figure.axes[0]
    degrees = next(one for one in plane.texts if one.get_text() == f"{angle}°")
    assert degrees.get_position()[1] > 0.3


def test_a_query_of_length_0_is_told_in_a_whole_sentence():
    said = _said_of_it(alive=0.0, food=0.0)
    assert '. "it" is 0 long, so every score is 0. The output' in said
    assert "belongs to" not in said
    assert "The largest share belongs to apple: reach" in _said_of_it(alive=0.4, food=2.1)


def _said_of_it(**params):
    return own.describe_own_attention(params, own.explore_own_attention.frame(**params).right)
