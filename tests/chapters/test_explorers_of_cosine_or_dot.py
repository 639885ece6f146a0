"""What chapter 2's pictures say, computed another way."""

import numpy as np
import pytest

from course_lib.chapters.cosine_or_dot.explorers.loud_key import explore_loud_key
from course_lib.chapters.cosine_or_dot.explorers.two_lengths import explore_two_lengths
from course_lib.chapters.cosine_or_dot.explorers.two_measures import (
    BREAK_EVEN,
    draw_two_measures,
    explore_two_measures,
)
from course_lib.figures.theme import new_figure


def data(explorer, **params):
    return explorer.frame(**params).right


def test_a_loud_key_is_never_picked_by_more_than_about_half():
    shares = [data(explore_loud_key, length=length)["share"] for length in (1, 3, 10, 100, 1000)]
    assert shares == sorted(shares)
    assert shares[0] < 0.01
    assert 0.45 < shares[-1] < 0.53


def test_the_loud_key_wins_right_of_the_line():
    found = data(explore_loud_key, length=5.0)
    right_of_it = found["cosine"] > found["best"] / found["length"]
    np.testing.assert_array_equal(found["won"], right_of_it)


def test_normalising_makes_the_loud_key_one_of_a_thousand_at_every_length():
    shares = {data(explore_loud_key, length=length)["by_cosine"] for length in (1, 10, 1000)}
    assert max(shares) < 0.01
    assert max(shares) - min(shares) < 0.001


def test_a_key_that_is_not_normalised_stays_loud_in_the_learners_picture():
    session = explore_loud_key.session(unit_rows=lambda x: x)
    frame = session.frame({"length": 100.0})
    yours, right = session.draw(frame)
    assert (yours != right).any()
    assert "they differ" in session.sentence(frame)


def test_the_query_sharpens_and_the_key_asks_while_cosines_stay():
    start = data(explore_two_lengths)
    sharp = data(explore_two_lengths, query=10.0)
    loud = data(explore_two_lengths, key_c=30.0)
    assert sharp["by_dot"][0] > 0.85 > 0.5 > start["by_dot"][0]
    assert loud["by_dot"].argmax() == 2
    for moved in (sharp, loud):
        np.testing.assert_allclose(moved["by_cosine"], start["by_cosine"])
        assert moved["by_dot"].sum() == pytest.approx(1)


def test_one_notch_less_does_not_reach_the_goal_of_the_two_lengths():
    reached = [data(explore_two_lengths, key_c=c)["by_dot"][2] > 0.6 for c in (20.0, 20.5)]
    assert reached == [False, True]


@pytest.mark.parametrize(("length", "misled"), [(2.4, False), (2.45, True)])
def test_distance_misjudges_from_one_plus_the_root_of_two_on(length, misled):
    b, c = data(explore_two_measures, length=length)["far"]
    assert (b > c) == misled == (length > BREAK_EVEN)


def test_a_tie_names_no_nearer_one():
    figure = new_figure(6.5, 4.4)
    found = data(explore_two_measures, length=2.0, angle=60)
    draw_two_measures(figure, found).update(found)
    assert "both 1.00 from A" in figure.axes[0].get_title()
    assert "B is nearer" in figure.axes[1].get_title()


def test_at_length_1_the_nearer_one_is_the_one_with_the_larger_cosine():
    for length in (0.5, 2.0, 4.0):
        for angle in (10, 60, 170):
            found = data(explore_two_measures, length=length, angle=angle)
            np.testing.assert_allclose(found["far_units"] ** 2, 2 - 2 * found["cosine"], atol=1e-12)
            assert found["far_units"].argmin() == found["cosine"].argmax()
