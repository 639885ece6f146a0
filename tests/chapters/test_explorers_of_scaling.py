"""Chapter 3's explorers show what their sentences claim."""

import numpy as np
import pytest

from course_lib.chapters.scaling import pictures
from course_lib.chapters.scaling.explorers import assumptions, exponent, width
from course_lib.chapters.scaling.explorers.assumptions import explore_assumptions
from course_lib.chapters.scaling.explorers.exponent import explore_exponent
from course_lib.chapters.scaling.explorers.width import explore_width, strangers
from course_lib.figures.theme import new_figure
from course_lib.kernels.scaling import scale
from course_lib.kernels.softmax import softmax


def at(explorer, **params):
    return explorer.frame(**params).right


@pytest.mark.parametrize(("d_k", "share"), [(130, 0.49), (135, 0.50), (140, 0.51)])
def test_the_goal_lies_where_half_of_very_many_rows_have_a_top_weight_over_99(d_k, share):
    rng = np.random.default_rng(0)
    long = np.sqrt(rng.chisquare(d_k, size=(200_000, 1)))  # of a query; across it all is normal
    sharp = (softmax(long * rng.normal(size=(200_000, width.KEYS))).max(axis=1) > 0.99).mean()
    assert sharp == pytest.approx(share, abs=0.006)


def test_the_goal_is_reached_wherever_the_share_that_is_shown_lies_in_its_band_or_on_its_edge():
    figure, drawing = drawn_width()
    for d_k in range(80, 240):
        session = explore_width.session()
        frame = session.frame({"d_k": d_k})
        drawing.update(frame.right)
        shown = int(figure.get_suptitle().split(": ")[1].split(" %")[0])
        assert session.reached(frame) == (43 <= shown <= 57)


def test_the_goal_is_reached_from_one_width_to_another_and_at_each_between_them():
    session = explore_width.session()
    reached = {d for d in range(1, 1025) if session.reached(session.frame({"d_k": d}))}
    assert reached == set(range(92, 206))  # as the chapter says


@pytest.mark.parametrize("d_k", [1, 4, 64, 1024])
def test_the_measured_size_of_a_score_is_near_the_root_and_divided_near_one(d_k):
    data = at(explore_width, d_k=d_k)
    assert data["raw"]["deviation"] == pytest.approx(d_k**0.5, rel=0.05)
    assert data["scaled"]["deviation"] == pytest.approx(1, rel=0.05)


def test_dividing_keeps_the_top_weight_at_every_width_and_not_dividing_does_not():
    def top(d_k, scaled):
        scores = strangers()(d_k)
        return softmax(scale(scores, d_k) if scaled else scores).max(axis=1).mean()

    assert all(0.25 < top(d_k, True) < 0.35 for d_k in (1, 4, 16, 64, 256, 1024))
    assert [round(top(d_k, False), 1) for d_k in (4, 64, 1024)] == [0.5, 0.9, 1.0]
    assert round(top(1, True), 2) == 0.27
    assert all(top(d_k, True) > 0.28 for d_k in range(2, 1025))


@pytest.mark.parametrize(
    "wrong", [lambda s, d: s / d, lambda s, d: s, lambda s, d: s * d**0.5], ids=["d", "none", "up"]
)
def test_a_wrong_division_is_drawn_beside_the_right_one(wrong):
    session = explore_width.session(scale=wrong)
    frame = session.frame({**explore_width.start, "d_k": 256})
    yours, right = (one["scaled"]["deviation"] for one in (frame.yours, frame.right))
    assert yours != pytest.approx(right, rel=0.5)
    assert len(session.draw(frame)) == 2


def test_a_division_that_loses_an_axis_leaves_the_right_picture():
    session = explore_width.session(scale=lambda s, d: s[0] / d**0.5)
    assert "scale made shape" in session.sentence(session.start)


def drawn_width():
    figure = new_figure(7.0, 5.0)
    drawing = width.draw_width(figure, at(explore_width, **explore_width.start))
    return figure, drawing


def test_the_title_tells_the_share_that_the_dot_stands_at_over_its_width():
    figure, drawing = drawn_width()
    drawing.update(at(explore_width, d_k=128))
    assert figure.get_suptitle() == "width 128, not divided: 48 % of the queries are saturated"
    (place,) = [handle.at(at(explore_width, d_k=128)) for handle in explore_width.handles.values()]
    assert place == ("share", 7.0, pytest.approx(0.48, abs=0.01))


def test_the_mean_weights_are_of_all_queries_best_first_and_the_best_grows_with_the_width():
    means = []
    for d_k in (1, 4, 64, 128, 150, 256, 1024):
        data = at(explore_width, d_k=d_k)
        for row in (data["raw"], data["scaled"]):
            assert row["ranked"].sum() == pytest.approx(1)
            assert np.all(np.diff(row["ranked"]) <= 0)
        means.append(data["raw"]["mean"])
        assert 0.25 < data["scaled"]["mean"] < 0.35
    assert means == sorted(means)


@pytest.mark.parametrize("d_k", [1, 4, 8, 64, 135, 1024])
@pytest.mark.parametrize(
    "wrong", [None, lambda s, d: s, lambda s, d: s * d], ids=["ours", "undivided", "multiplied"]
)
def test_the_names_beside_both_dots_never_meet(d_k, wrong):
    figure, drawing = drawn_width()
    drawing.update(explore_width.session(scale=wrong).frame({"d_k": d_k}).right)
    (axes,) = [one for one in figure.axes if one.get_label() == "share"]
    low, high = sorted(text.get_position()[1] for text in axes.texts if "%" in text.get_text())
    assert high - low >= width.APART - 1e-9


@pytest.mark.parametrize("d_k", [1, 64, 200, 400, 512, 1024])
def test_the_name_below_the_axis_stands_beside_the_stem(d_k):
    figure, drawing = drawn_width()
    drawing.update(at(explore_width, d_k=d_k))
    (axes,) = [one for one in figure.axes if one.get_label() == "share"]
    (name,) = [text for text in axes.texts if text.get_text() == "divided 0 %"]
    figure.draw_without_rendering()
    box = name.get_window_extent().transformed(axes.transData.inverted())
    assert not box.x0 < np.log2(d_k) < box.x1
    assert box.x1 < axes.get_xlim()[1]


def test_the_mark_of_the_start_is_named_once_the_dot_is_away_and_meets_no_name():
    for wrong in (None, lambda s, d: s, lambda s, d: s * d):
        session = explore_width.session(scale=wrong)
        figure, drawing = drawn_width()
        (axes,) = [one for one in figure.axes if one.get_label() == "share"]
        (word,) = [text for text in axes.texts if text.get_text() == "you began here"]
        shown = set()
        for d_k in (1, 8, 32, 50, 64, 87, 100, 135, 1024):
            drawing.update(session.frame({"d_k": d_k}).right)
            names = [text.get_position()[1] for text in axes.texts if "%" in text.get_text()]
            apart = min(abs(name - word.get_position()[1]) for name in names)
            if word.get_visible():
                shown.add(d_k)
                assert apart > width.NEAR[0]
        assert {1, 8, 100, 135, 1024} <= shown
        assert shown.isdisjoint({50, 64})


def test_a_name_stands_near_its_dot_though_marks_further_right_stand_high():
    figure, drawing = drawn_width()
    for d_k in (64, 1024, 1):
        drawing.update(at(explore_width, d_k=d_k))
    (axes,) = [one for one in figure.axes if one.get_label() == "share"]
    (name,) = [text for text in axes.texts if text.get_text() == "not divided 0 %"]
    assert name.get_position()[1] < 0.15


def test_each_width_that_is_tried_leaves_a_mark_of_both_shares():
    figure, drawing = drawn_width()
    widths = (64, 128, 512, 128)
    for d_k in widths:
        drawing.update(at(explore_width, d_k=d_k))
    (axes,) = [one for one in figure.axes if one.get_label() == "share"]
    trails = [line.get_xydata() for line in axes.lines if len(line.get_xdata()) == 3]
    assert len(trails) == 2
    for trail, name in zip(trails, ("raw", "scaled"), strict=True):
        shares = [at(explore_width, d_k=d_k)[name]["sharp"] for d_k in widths[:3]]
        assert trail[:, 0] == pytest.approx(np.log2(widths[:3]))
        assert trail[:, 1] == pytest.approx(shares)
    drawn = [line.get_linestyle() for line in axes.lines if len(line.get_xdata()) == 3]
    assert drawn == ["None", "None"]  # between two marks nothing is measured


def test_the_marks_of_all_widths_stay_few():
    figure, drawing = drawn_width()
    for d_k in range(1, 1025, 7):
        drawing.update(at(explore_width, d_k=d_k))
    (axes,) = [one for one in figure.axes if one.get_label() == "share"]
    assert max(len(line.get_xdata()) for line in axes.lines) <= 10 * width.MARKS + 1


@pytest.mark.parametrize(("pairs", "flat"), [("strangers", 0.5), ("twins", 1.0)])
def test_strangers_lie_flat_at_the_root_and_twins_at_the_width(pairs, flat):
    assert at(explore_exponent, a=flat)["ends"][pairs] == pytest.approx(1, abs=0.1)
    for a in (flat - 0.25, flat + 0.25):
        end = at(explore_exponent, a=a)["ends"][pairs]
        assert abs(end - 1) > 0.5
        assert exponent.exponent_of(pairs, end) == pytest.approx(a)


def test_twins_sizes_grow_with_the_width_itself():
    assert at(explore_exponent, a=0.0)["ends"]["twins"] == pytest.approx(64, rel=0.02)
    assert at(explore_exponent, a=1.0)["ends"]["twins"] == pytest.approx(1, abs=0.02)


@pytest.mark.parametrize("law", [(0.0, 0.0, 1.0), (0.5, 0.0, 1.0), (0.3, 0.5, 1.3)], ids=str)
def test_the_multiplied_out_scores_are_dot_products(law):
    correlation, mean, sigma = law
    rng = np.random.default_rng(5)
    z, y = (rng.normal(size=(assumptions.COUNT, 16)) for _ in range(2))
    q = mean + sigma * z
    k = mean + sigma * (correlation * z + np.sqrt(1 - correlation**2) * y)
    scores = (q * k).sum(axis=1) / 4
    data = at(explore_assumptions, correlation=correlation, mean=mean, sigma=sigma, d_k=16)
    assert data["middle"] == pytest.approx(scores.mean(), abs=1e-3)
    assert data["spread"] == pytest.approx(scores.std())


def test_measured_and_promised_moments_agree_at_every_setting():
    for correlation in (0.0, 0.5, 1.0):
        for d_k in (16, 64, 256):
            data = at(explore_assumptions, correlation=correlation, d_k=d_k, mean=0.4, sigma=1.3)
            middle, spread = data["theory"]
            assert data["middle"] == pytest.approx(middle, abs=0.1 * spread)
            assert data["spread"] == pytest.approx(spread, rel=0.06)


def test_the_query_whose_weights_are_drawn_is_about_as_sure_as_the_one_in_the_middle():
    for d_k in pictures.THREE:
        tops = softmax(strangers()(d_k)).max(axis=1)
        assert tops[width.SHOWN] == pytest.approx(np.median(tops), abs=0.03)


def test_the_query_whose_weights_are_drawn_has_another_winner_at_each_of_the_three_widths():
    winners = [int(strangers()(d_k)[width.SHOWN].argmax()) for d_k in pictures.THREE]
    assert len(set(winners)) == len(winners)


def test_divided_no_query_is_saturated_at_any_width():
    assert all(at(explore_width, d_k=d)["scaled"]["sharp"] == 0 for d in (1, 4, 16, 64, 256, 1024))
