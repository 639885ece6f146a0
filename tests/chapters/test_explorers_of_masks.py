"""The explorers of chapter 6: what their lines are called, and when they are there."""

import numpy as np
import pytest

from course_lib.chapters.masks import explore_dials, explore_painted_mask
from course_lib.chapters.masks.exercises.rotate import rotate
from course_lib.chapters.masks.explorers.dials import dials
from course_lib.chapters.masks.explorers.painted_mask import CAUSAL, painted_mask


@pytest.fixture
def drawn_at():
    """The texts that can be seen, each with its place, at a setting."""

    def texts(explorer, **setting):
        picture = explorer._ours().picture("one")
        picture.above(explorer.frame(**setting).right)
        shown = [t for axes in picture.figure.axes for t in axes.texts if t.get_visible()]
        return {text.get_text(): text.get_position()[0] for text in shown}

    return texts


def test_a_place_that_only_guesses_has_a_white_row_and_a_found_throw_is_dark_where_it_stands():
    far = tuple(tuple(open_ or (i, j) == (0, 5) for j, open_ in enumerate(row))
                for i, row in enumerate(CAUSAL))  # fmt: skip
    for mask, useless in ((CAUSAL, []), (far, [[0, 5]])):
        painted = painted_mask(mask=mask)
        assert not painted["weights"].any()
        assert np.argwhere(painted["useless"]).tolist() == useless
    found = painted_mask(mask=explore_painted_mask.goal.solution["mask"])
    assert np.argwhere(found["weights"] > 0.5).tolist() == [[1, 2], [3, 4]]
    assert not found["useless"].any()
    assert found["known"] == [2, 4]
    told = dict(explore_painted_mask.numbers({}, found))
    assert told["place 1, must name throw 2"].endswith("looks most at throw 2")
    assert told["place 2, must name throw 3"].endswith("only guesses")


@pytest.mark.parametrize(("apart", "first"), [(0, "key"), (1, "key"), (-1, "query")])
def test_the_names_of_query_and_key_part_where_both_stand_close_together(drawn_at, apart, first):
    texts = drawn_at(explore_dials, apart=apart)
    assert min(("key", "query"), key=texts.__getitem__) == first


@pytest.mark.parametrize("place", [15, 18, 20])
def test_a_query_turned_back_by_one_place_looks_one_place_back_alone_from_three_dials_on(place):
    found = []
    for back in range(4):
        for used in range(1, 5):
            params = {"place": place, "apart": 3, "back": back, "dials": used}
            if explore_dials.goal.reached(params, dials(**params, rotate=rotate)):
                found.append((back, used))
    assert found == [(1, 3), (1, 4)]


@pytest.mark.parametrize("back", range(4))
def test_the_best_key_stands_as_many_places_before_the_query_as_it_is_turned_back(back):
    for place in (15, 20):
        scores = dials(place=place, apart=0, back=back, dials=4, rotate=rotate)["scores"]
        assert int(scores.argmax()) == place - back
    after, before = scores[place + 1], scores[place - 1]
    assert bool(before > after + 1e-6) is (back > 0)


def test_an_arc_on_each_dial_in_use_shows_how_far_the_query_is_turned_back():
    picture = explore_dials._ours().picture("one")
    for back, used in ((0, 4), (1, 3), (3, 4)):
        picture.above(explore_dials.frame(back=back, dials=used).right)
        every = [a for a in picture.figure.axes if a.get_label().startswith("dial")]
        for number, axes in enumerate(every):
            (arc,) = (line for line in axes.lines if len(line.get_xdata()) == 36)
            assert bool(arc.get_visible()) is (back > 0 and number < used)
            if arc.get_visible():
                xs, ys = arc.get_data()
                turn = np.arctan2(ys[32], xs[32]) - np.arctan2(ys[0], xs[0])
                assert np.cos(turn) == pytest.approx(np.cos(back / 2**number))
                assert np.sin(turn) == pytest.approx(-np.sin(back / 2**number))


def test_two_dials_leave_a_peak_12_or_13_places_before_the_ring_and_the_third_says_far():
    seen = dials(place=18, apart=13, back=1, dials=2, rotate=rotate)
    far = seen["scores"][: 18 - 3]
    assert [n for n, score in enumerate(far) if score > 1] == [17 - 13, 17 - 12]
    assert seen["products"][:2].min() > 0.8 > 0 > seen["products"][2]


@pytest.mark.parametrize("used", [1, 2, 4])
def test_a_dial_that_is_not_used_has_no_hands_and_no_number(used):
    picture = explore_dials._ours().picture("one")
    picture.above(explore_dials.frame(dials=used).right)
    every = [a for a in picture.figure.axes if a.get_label().startswith("dial")]
    for number, axes in enumerate(every):
        hands = [line for line in axes.lines if len(line.get_xdata()) == 2]
        assert any(line.get_visible() for line in hands) is (number < used)
        texts = {text.get_text() for text in axes.texts}
        assert ({"not used", ""} <= texts) is (number >= used)


def test_key_and_query_that_move_together_keep_their_score_and_their_products():
    moved = [dials(place=p, apart=-2, back=1, dials=3, rotate=rotate) for p in range(15, 21)]
    for one in moved:
        assert one["products"] == pytest.approx(moved[0]["products"])
        assert one["scores"][one["key"]] == pytest.approx(moved[0]["scores"][moved[0]["key"]])


@pytest.mark.parametrize(
    ("apart", "words"),
    [
        (0, "Key at the query's own place"),
        (1, "Key 1 place before the query"),
        (-5, "Key 5 places after the query"),
    ],
)
def test_the_title_of_the_dials_says_on_which_side_the_key_stands(apart, words):
    picture = explore_dials._ours().picture("one")
    picture.above(explore_dials.frame(apart=apart).right)
    assert picture.figure.get_suptitle().startswith(words)


def test_the_goal_of_the_dials_is_a_box_over_the_keys_from_4_places_before_the_query_on(drawn_at):
    for back in (0, 1):
        texts = drawn_at(explore_dials, back=back)
        assert "task 4: top dot in the ring, none in the box" in texts
    assert explore_dials.goal.text.startswith("Task 4: ")
    picture = explore_dials._ours().picture("one")
    for place in (15, 18, 20):
        picture.above(explore_dials.frame(place=place).right)
        (strip,) = (axes for axes in picture.figure.axes if axes.get_label() == "strip")
        box = min(strip.patches, key=lambda patch: patch.get_zorder())
        inside = [at for at in range(26) if box.get_x() < at < box.get_x() + box.get_width()]
        assert inside == list(range(place - 3))
        (ring,) = (one for one in strip.collections if len(one.get_offsets()))
        assert ring.get_offsets().tolist() == [[place - 1, 1]]
