"""The picture of the learned sink: what its rows are, and what it says of them."""

import functools

import pytest

from course_lib.chapters.softmax import learned_sink
from course_lib.chapters.softmax.explorers.far_out import explore_far_out
from course_lib.figures.readable import faults
from course_lib.figures.theme import new_figure

learned = functools.cache(learned_sink.learned)


def test_rows_a_and_b_ask_for_one_name_that_is_there_and_not_there():
    data = learned()
    there, missing = data["pair"]
    assert there < learned_sink.HALF <= missing
    assert data["scores"][there, 0] == pytest.approx(data["scores"][missing, 0])


def test_key_1_lies_between_the_key_that_fits_and_the_others():
    data = learned()
    there, missing = (data["scores"][row] for row in data["pair"])
    assert there.max() > there[0] + 2
    assert missing[1:].max() < missing[0] - 2


def test_key_1_gets_most_in_most_rows_where_the_name_is_missing():
    firsts = learned()["weights"][learned_sink.HALF :, 0]
    assert (firsts > 0.6).sum() == 4
    assert (learned()["weights"][: learned_sink.HALF, 0] < 0.1).all()


def test_the_picture_of_the_learned_sink_has_no_fault(monkeypatch):
    seen = []
    monkeypatch.setattr(learned_sink, "show_figure", lambda figure, alt, **_: seen.append(figure))
    learned_sink.show_learned_sink()
    assert faults(seen[0]) == []


def test_a_weight_below_a_twentieth_has_no_digit():
    assert [learned_sink.Digits().format(one) for one in (0.04, 0.06, 1.0)] == ["", ".1", "1.0"]


@pytest.mark.parametrize(("power", "seen"), [(7.6, True), (8.5, False)])
def test_the_pointer_is_hidden_where_float32_has_no_number_below_it(power, seen):
    one, figure = explore_far_out, new_figure(*explore_far_out.size)
    drawing = one.draw(figure, one.compute(**one.start, **one.functions))
    drawing.update(one.compute(power=power, **one.functions))
    words = [
        text for axes in figure.axes for text in axes.texts if "float32 has" in text.get_text()
    ]
    assert [text.get_visible() for text in words] == [seen]
