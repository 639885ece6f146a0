"""Chapter 3's explorer of a push shows what the text says of A, B and C."""

import numpy as np
import pytest

from course_lib.chapters.scaling.explorers import push
from course_lib.chapters.scaling.explorers.push import explore_push
from course_lib.figures.theme import TITLE, new_figure
from course_lib.kernels.softmax import softmax


def at(explorer, **params):
    return explorer.frame(**params).right


def drawn_push():
    figure = new_figure(7.0, 4.3)
    return figure, push.draw_push(figure, at(explore_push, **explore_push.start))


@pytest.mark.parametrize("lead", [-10, -3.9, -0.5, 0, 1, 3.9, 10])
def test_a_push_moves_the_weight_by_the_difference_of_two_softmaxes(lead):
    pushed = lead + (push.PUSH if lead < 0 else -push.PUSH)
    before, after = (softmax(np.array([one, 0.0]))[0] for one in (lead, pushed))
    assert at(explore_push, lead=lead)["moved"] == pytest.approx(abs(after - before))


def test_the_text_on_a_push_holds():
    a, b, c = (at(explore_push, lead=push.NAMED[name])["moved"] for name in "ABC")
    assert b == pytest.approx(c)
    assert round(a / b, -3) == 4000
    assert round(a, 3) == 0.02
    assert [f"{one / push.PUSH:.2g}" for one in (a, b)] == ["0.2", "4.8e-05"]  # of the gradient
    assert a / at(explore_push, lead=4.6)["moved"] == pytest.approx(20, abs=2)
    gains = push.gain_at(np.array([-10.0]), 0.1) / push.weight_at(np.array([-10.0]))
    assert gains[0] == pytest.approx(0.1, abs=0.01)


def test_the_goal_of_a_push_is_a_fifth_of_what_it_does_at_a_ahead_or_behind():
    session = explore_push.session()
    reached = [one for one in push._way() if session.reached(session.frame({"lead": float(one)}))]
    assert reached == pytest.approx([-one for one in reached][::-1], abs=0.15)
    assert all(2.9 < abs(one) < 3.5 for one in reached)


@pytest.mark.parametrize(
    ("lead", "title", "compared"),
    [
        (1.0, "Wrong key 1 ahead: a push by .1 takes .020 off its weight", "this is A"),
        (10.0, "Wrong key 10 ahead: a push by .1 takes .0000048", "4,200 times less than at A"),
        (3.9, "Wrong key 3.9 ahead: a push by .1 takes .0020 ", "10 times less than at A"),
        (0.0, "Both keys level: a push by .1 takes .025 ", "more than at A"),
        (-10.0, "Right key 10 behind: a push by .1 adds .0000048 to", "4,200 times less than at A"),
    ],
)
def test_the_title_of_a_push_tells_what_it_does_and_the_corner_compares_it(lead, title, compared):
    figure, drawing = drawn_push()
    drawing.update(at(explore_push, lead=lead))
    assert figure.get_suptitle().startswith(title)
    texts = {text.get_text(): text for axes in figure.axes for text in axes.texts}
    assert texts[compared].get_fontsize() == TITLE  # by how much it is less is what counts


@pytest.mark.parametrize("lead", [10.0, 0.0, -3.9])
def test_the_wrong_key_stays_right_of_the_right_one_whichever_is_held(lead):
    figure, drawing = drawn_push()
    drawing.update(at(explore_push, lead=lead))
    curve = figure.axes[0]
    assert figure.get_suptitle().startswith("Wrong" if lead > 0 else "Right" if lead else "Both")
    keys = [line for line in curve.lines if line.get_markersize() == 10]
    faces = {line.get_markerfacecolor(): line.get_xdata()[0] for line in keys}
    assert faces == {push.INK: abs(lead), "white": -abs(lead)}
    (ring,) = [line for line in curve.lines if line.get_markersize() == push.RING]
    assert ring.get_xdata()[0] == lead


@pytest.mark.parametrize("stops", [(-10.0, 10.0), (10.0, 3.0, -10.0)], ids=str)
def test_the_trail_is_the_curve_over_all_leads_passed_however_far_apart_the_stops_are(stops):
    figure, drawing = drawn_push()
    for lead in stops:
        drawing.update(at(explore_push, lead=lead))
    (trail,) = [line for line in figure.axes[1].lines if line.get_color() == push.TRAIL]
    leads, moved = trail.get_data()
    assert (leads.min(), leads.max()) == (-10, 10)
    assert moved == pytest.approx([push.moved_at(lead) for lead in leads])
    assert max(moved) == pytest.approx(0.025, abs=1e-3)


def test_the_letters_ask_until_the_dot_has_been_there():
    figure, drawing = drawn_push()
    words = {text.get_text(): text for text in figure.axes[1].texts if "?" in text.get_text()}
    assert set(words) == {"B: ?", "C: ?"}
    for lead, asked in ((1.0, "B"), (-9.0, "B"), (9.0, "B"), (10.0, "C"), (3.0, "C"), (-12.0, "")):
        drawing.update(at(explore_push, lead=lead))
        assert {name for name, word in words.items() if word.get_visible()} == {
            f"{letter}: ?" for letter in asked
        }


def test_c_is_named_once_the_right_key_has_come_there():
    figure, drawing = drawn_push()
    (letter,) = [text for text in figure.axes[0].texts if text.get_text() == "C"]
    for lead, named in ((1.0, False), (9.9, False), (10.0, True), (1.0, True)):
        drawing.update(at(explore_push, lead=lead))
        assert letter.get_visible() == named
    figure, drawing = drawn_push()
    drawing.update(at(explore_push, lead=push.NAMED["C"]))  # held by its ring
    assert "C" in {text.get_text() for text in figure.axes[0].texts if text.get_visible()}


@pytest.mark.parametrize(("lead", "held"), [(1.0, "wrong"), (0.0, "wrong"), (-0.1, "right")])
def test_one_note_says_which_key_is_held(lead, held):
    figure, drawing = drawn_push()
    drawing.update(at(explore_push, lead=lead))
    notes = [text.get_text() for text in figure.axes[0].texts if "hold" in text.get_text()]
    assert [held in note for note in notes] == [True]


@pytest.mark.parametrize(("lead", "style"), [(0.5, "full"), (0.0, "right"), (-0.5, "full")])
def test_level_keys_are_both_seen(lead, style):
    figure, drawing = drawn_push()
    drawing.update(at(explore_push, lead=lead))
    wrong, right = (line for line in figure.axes[0].lines if line.get_markersize() == 10)
    assert wrong.get_zorder() > right.get_zorder()
    assert wrong.get_fillstyle() == style


def test_the_whole_curve_is_shown_once_the_goal_is_reached_and_stays():
    figure, drawing = drawn_push()
    (whole,) = [line for line in figure.axes[1].lines if line.get_color() == push.GHOST]
    assert not whole.get_visible()
    for reached in (True, False):
        drawing.goal.show(reached)
        assert whole.get_visible()
    leads, moved = whole.get_data()
    assert (leads.min(), leads.max()) == (-12, 12)
    assert moved == pytest.approx([push.moved_at(lead) for lead in leads])


def test_a_log_on_the_weight_feels_a_push_at_c_and_a_log_after_the_mix_does_not():
    before, after = (float(push.weight_at(lead)) for lead in (-10.0, -10 + push.PUSH))
    assert (f"{before:.6f}", f"{after:.6f}") == ("0.000045", "0.000050")
    on_the_weight = [-np.log(weight) for weight in (before, after)]
    assert [round(loss, 1) for loss in on_the_weight] == [10.0, 9.9]

    def after_the_mix(weight):
        mix = weight * np.array([5, 0]) + (1 - weight) * np.array([0, 5])  # right answer, wrong
        assert mix == pytest.approx([0, 5], abs=0.001)
        return -np.log(softmax(mix)[0])

    fall = after_the_mix(before) - after_the_mix(after)
    assert round(fall, 5) == 0.00005
    assert (on_the_weight[0] - on_the_weight[1]) / fall == pytest.approx(2100, abs=50)


@pytest.mark.parametrize("lead", [-12.0, -10.0, -4.0, 4.0, 5.9, 6.0, 10.0])
def test_the_number_of_a_low_bar_stands_above_the_goal_and_below_the_next_tick(lead):
    figure, drawing = drawn_push()
    drawing.update(at(explore_push, lead=lead))
    below = figure.axes[1]
    (number,) = [text for text in below.texts if text.get_text().startswith(".0")]
    goal = push.HIGH * push.moved_at(push.NAMED["A"])
    assert goal < number.get_position()[1] - 0.002
    assert number.get_position()[1] + 0.002 < 0.01
