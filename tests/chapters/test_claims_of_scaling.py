"""What chapter 3 says beside what its cells print: of tosses, twins, letters and step sizes."""

from itertools import product

import numpy as np
import pytest

from course_lib.chapters.scaling.explorers.width import strangers
from course_lib.chapters.scaling.tosses import show_adding_up
from course_lib.kernels.softmax import softmax
from course_lib.models import recall
from course_lib.models.copying_numpy import FRESH, fresh_strings


@pytest.mark.parametrize("d", [1, 2, 3, 8])
def test_each_toss_adds_one_to_the_mean_of_the_squares_and_nothing_to_the_first_distance(d):
    sums = np.array([sum(tosses) for tosses in product((1, -1), repeat=d)])
    assert (sums.mean(), (sums**2).mean()) == (0, d)
    if d <= 2:
        assert np.abs(sums).mean() == 1


def test_the_picture_of_the_outcomes_leaves_it_to_the_reader_what_2xy_is_on_average(capsys):
    show_adding_up()
    told = capsys.readouterr().out
    assert "What 2xy is on average is left open." in told
    assert "2xy is 0" not in told
    assert "average 2" not in told


def test_far_numbers_count_more_in_the_spread_than_in_the_mean_distance():
    even, uneven = np.array([4, -4]), np.array([0, 0, 6, -6])
    assert (even.std(), np.abs(even).mean()) == (4, 4)
    assert (uneven.var(), np.abs(uneven).mean()) == (18, 3)
    assert round(float(uneven.std()), 1) == 4.2


@pytest.mark.parametrize(("d", "within"), [(4, 0.73), (16, 0.70), (64, 0.69), (1024, 0.68)])
def test_two_of_three_scores_lie_within_one_spread_and_at_width_4_nearly_three_of_four(d, within):
    scores = strangers()(d)
    assert (np.abs(scores) < scores.std()).mean() == pytest.approx(within, abs=0.011)


@pytest.mark.parametrize("d", [2, 3, 8])
def test_sums_of_tosses_that_copy_the_first_have_a_mean_square_of_their_number_squared(d):
    sums = d * np.array([1, -1])
    assert sums.mean() == 0
    assert (sums**2).mean() == d**2


@pytest.mark.parametrize("d", [64, 1024])
def test_strangers_are_the_root_of_the_width_long_and_their_cosine_shrinks_like_one_over_it(d):
    q, k = np.random.default_rng(d).normal(size=(2, 4000, d))
    long_q, long_k = (np.linalg.norm(one, axis=1) for one in (q, k))
    assert long_q.mean() == pytest.approx(d**0.5, rel=0.01)
    cosines = (q * k).sum(axis=1) / (long_q * long_k)
    assert cosines.std() == pytest.approx(d**-0.5, rel=0.05)


def test_at_2500_a_line_through_the_last_two_spreads_is_at_63_and_one_through_nothing_at_78():
    widths = np.array([256, 1024])
    slope, foot = np.polyfit(widths, widths**0.5, 1)
    assert round(slope * 2500 + foot) == 63
    assert round(2500 * 32 / 1024) == 78


def test_divided_by_d_a_twin_among_nine_strangers_gets_a_quarter_and_by_the_root_nearly_all():
    rng = np.random.default_rng(0)
    q, k = rng.normal(size=(1000, 1, 64)), rng.normal(size=(1000, 10, 64))
    k[:, 0] = q[:, 0]
    scores = (q * k).sum(axis=-1)
    assert softmax(scores / 8)[:, 0].mean() == pytest.approx(0.99, abs=0.005)
    assert softmax(scores / 64)[:, 0].mean() == pytest.approx(0.23, abs=0.005)


def test_numbers_that_are_never_negative_do_not_sharpen_the_weights_as_the_width_grows():
    rng, tops = np.random.default_rng(1), []
    for d in (4, 64, 1024):
        q, k = rng.random((300, 1, d)), rng.random((300, 10, d))
        tops.append(softmax((q * k).sum(axis=-1) / d**0.5).max(axis=-1).mean())
    assert max(tops) - min(tops) < 0.01


def test_twenty_texts_have_640_letters_that_can_be_known():
    _, known = fresh_strings(20, np.random.default_rng(FRESH))
    assert known.sum() == 640


@pytest.mark.parametrize(
    ("rate", "divided", "undivided"),
    [(1e-3, 0.71, 0.03), (3e-3, 1.0, 0.60), (1e-2, 1.0, 0.83), (3e-2, 0.97, 0.44)],
)
def test_at_other_step_sizes_the_undivided_model_is_behind_too(
    monkeypatch, rate, divided, undivided
):
    monkeypatch.setattr(recall, "RATE", rate)

    def right(factor):
        starts = map(np.random.default_rng, range(3))
        return np.mean([recall.train(64, factor, range(150), rng)[100:] for rng in starts])

    assert right(1 / 8) == pytest.approx(divided, abs=0.02)
    assert right(1) == pytest.approx(undivided, abs=0.02)
