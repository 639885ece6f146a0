"""The words of chapter 7's pictures are true of what they show."""

import numpy as np
import pytest
import torch

from course_lib.chapters.multi_head import stills
from course_lib.models.copying import encode, load_copying


@pytest.fixture
def shown(monkeypatch):
    """The figures that are shown, with their words."""
    seen = []
    monkeypatch.setattr(stills, "show_figure", lambda figure, alt, **_: seen.append((figure, alt)))
    return seen


def test_the_maps_are_those_of_the_model_and_do_what_the_words_say(shown):
    model, at = load_copying(), stills.ASKS
    stills.show_eight_maps(model)
    ((figure, words),) = shown
    maps = model.maps(torch.from_numpy(encode(stills.TEXT)))
    for axes, one in zip(figure.axes, maps.flatten(0, 1), strict=True):
        np.testing.assert_allclose(axes.images[0].get_array(), one)
    assert stills.TEXT[at] == "a"
    assert [int(one[at].argmax()) for one in maps[0]] == [at, at - 1, at - 2, at]
    assert [int(one[at].argmax()) for one in maps[1]] == [2] * 4
    assert stills.TEXT[2] == "t"
    assert "head 1 looks at the place before, the c" in words


def test_the_words_of_the_births_name_the_heads_that_took_the_work(shown):
    stills.show_births()
    ((_, words),) = shown
    assert "With seed 0, head 1 takes it. With seed 1, head 2 takes it." in words
    assert "With seed 3, heads 1 and 3 take it." in words


def test_a_birth_that_is_watched_has_room_for_maps():
    assert stills.birth_figure(with_maps=True).size > stills.birth_figure(with_maps=False).size
