"""The picture of heads coming into being."""

import numpy as np
import torch

from course_lib.figures.head_emergence import MUCH, TOP, draw_birth, draw_births
from course_lib.figures.readable import faults
from course_lib.figures.theme import new_figure
from course_lib.models.copying import copying_loss, encode, new_copying
from course_lib.models.head_emergence import TEXT, Birth, recorded_birth, recorded_births
from course_lib.models.training import Training

RISES = ((50, 150, "first rise"), (500, 650, "second rise"))


def drawn(birth, height=4.0):
    figure = new_figure(7.0, height)
    return figure, draw_birth(figure, birth, RISES)


def test_accuracy_and_every_head_that_is_named_have_their_curves():
    birth = recorded_birth()
    _, (right, first, second) = drawn(birth)
    np.testing.assert_array_equal(right.lines[1].get_ydata(), birth.accuracy)
    previous = np.array(birth.previous)[:, 0]
    assert (previous.max(axis=0) > MUCH).tolist() == [False, True, True, False]
    for axes, wanted in (
        (first, [*previous[:, 1:3].T, np.array(birth.two_back)[:, 0, 2]]),
        (second, np.array(birth.induction)[:, 1].T),
    ):
        curves = [line.get_ydata() for line in axes.lines if len(line.get_ydata()) > 2]
        np.testing.assert_array_equal(curves, wanted)


def test_each_rise_has_the_shares_of_right_letters_at_its_ends_but_a_low_one():
    birth = recorded_birth()
    _, (right, _, _) = drawn(birth)
    at = [birth.accuracy[birth.step.index(step)] for one in RISES for step in one[:2]]
    shown = [text.get_text() for text in right.texts if text.get_text().startswith(".")]
    assert shown == [f"{share:.2f}"[1:] for share in at[1:]] == [".81", ".89", ".98"]


def test_its_words_can_be_read_at_the_first_look_and_at_the_last():
    whole = recorded_birth()
    rows = {name: rows[:1] for name, rows in vars(whole).items() if isinstance(rows, list)}
    live = Birth(**rows, maps=np.full((2, 4, 16, 16), 1 / 16))
    for birth, height in ((Birth(**rows), 4.0), (whole, 4.0), (live, 7.0)):
        assert faults(drawn(birth, height)[0]) == []


def test_a_birth_that_is_watched_shows_the_maps_of_all_heads_as_they_are_now():
    training, birth = Training(new_copying(), copying_loss), Birth()
    birth.look(training)
    figure, _ = drawn(birth, 7.0)
    shown = [axes.images[0].get_array() for axes in figure.axes if axes.images]
    now = training.model.maps(torch.from_numpy(encode(TEXT)))
    np.testing.assert_allclose(shown, now.flatten(0, 1))


def test_each_name_stands_beside_the_end_of_its_line():
    _, (_, first, _) = drawn(recorded_birth())
    names = ("head 1", "head 2, on the place before", "head 2, on two places back: .46")
    lines = dict(zip(names, first.lines[1:], strict=True))
    named = {text.get_text(): text for text in first.texts}
    assert named.pop("average over 48 letters")
    assert set(named) == set(lines)
    for name, line in lines.items():
        assert named[name].get_color() == line.get_color()
        nearest = min(lines.values(), key=lambda one: abs(
            one.get_ydata()[-1] - named[name].get_position()[1] * TOP))  # fmt: skip
        assert nearest is line


def test_births_stand_side_by_side_and_name_the_heads_that_took_the_work():
    figure, births = new_figure(7.0, 2.9), recorded_births()
    every = draw_births(figure, births, ours=0)
    for axes, (seed, birth) in zip(every, births.items(), strict=True):
        assert axes.get_title() == ("seed 0, our model" if seed == 0 else f"seed {seed}")
        accuracy, *heads = (line.get_ydata() for line in axes.lines)
        np.testing.assert_array_equal(accuracy, birth.accuracy)
        np.testing.assert_array_equal(heads, np.array(birth.previous)[:, 0].T)
        named = axes.texts[0].get_text()
        strong = [str(i) for i, share in enumerate(birth.previous[-1][0]) if share > MUCH]
        assert named.split(" ", 1)[1] == ", ".join(strong)
    assert [text.get_text() for text in every[0].texts[1:]] == ["right letters"]
    assert faults(figure) == []
