"""The picture of heads coming into being."""

import numpy as np

from course_lib.figures.birth import draw_birth
from course_lib.figures.readable import faults
from course_lib.figures.theme import new_figure
from course_lib.models.birth import Birth, recorded_birth


def drawn(birth):
    figure = new_figure(7.0, 2.8)
    return figure, draw_birth(figure, birth)


def test_accuracy_loss_and_every_head_has_its_curve():
    birth = recorded_birth()
    _, (left, right) = drawn(birth)
    np.testing.assert_array_equal(left.lines[0].get_ydata(), birth.accuracy)
    np.testing.assert_allclose(left.lines[1].get_ydata() * np.log(27), birth.loss)
    curves = [line.get_ydata() for line in right.lines if len(line.get_ydata()) > 2]
    wanted = [*np.array(birth.previous)[:, 0].T, *np.array(birth.induction)[:, 1].T]
    np.testing.assert_array_equal(curves, wanted)


def test_its_words_can_be_read_at_the_first_look_and_at_the_last():
    whole = recorded_birth()
    first = Birth(*(getattr(whole, name)[:1] for name in vars(whole)))
    for birth in (first, whole):
        assert faults(drawn(birth)[0]) == []


def test_the_two_layers_differ_by_more_than_their_colour():
    _, (_, right) = drawn(recorded_birth())
    styles = {line.get_color(): line.get_linestyle() for line in right.lines[:8]}
    assert len(set(styles.values())) == 2
