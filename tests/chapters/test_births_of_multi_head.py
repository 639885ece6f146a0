"""The words of chapter 7's pictures of a training are true of what they show."""

import pytest
import torch

from course_lib.chapters.multi_head import stills
from course_lib.chapters.multi_head.silencing import silent
from course_lib.figures.readable import faults
from course_lib.models.copying import (
    FRESH,
    copying_accuracy,
    copying_batch,
    load_copying,
)
from course_lib.models.head_emergence import recorded_birth
from tests.chapters.caught import caught


@pytest.fixture
def shown(monkeypatch):
    """The figures that are shown, with their words."""
    return caught(monkeypatch, stills)


def test_each_writer_of_seed_3_is_stronger_in_one_half_and_the_fold_says_how():
    other = load_copying(seed=3)
    ids, _ = copying_batch(torch.Generator().manual_seed(FRESH), 128)
    shares = other.maps(ids)[0].diagonal(-1, dim1=-2, dim2=-1).mean(dim=0)  # (4, 47)
    for head, first, last in ((1, 0.6, 0.8), (3, 0.8, 0.3)):
        assert shares[head].mean() == pytest.approx(0.655, abs=0.005)  # equally high
        assert shares[head, :30].mean() == pytest.approx(first, abs=0.05)
        assert shares[head, -12:].mean() == pytest.approx(last, abs=0.05)
    for heads, right in (((1,), 0.93), ((3,), 0.83), ((1, 3), 0.14)):
        off = silent(*((0, head) for head in heads))
        assert copying_accuracy(other, 256, loudness=off) == pytest.approx(right, abs=0.006)


def test_the_recorded_birth_is_shown_in_words_that_are_true(shown):
    stills.show_birth()
    ((figure, words),) = shown
    assert faults(figure) == []
    titles = [axes.get_title(loc="left") for axes in figure.axes]
    assert "first layer: weight of a head on the place before" in titles
    assert "rises in two steps" in words
    birth = recorded_birth()
    gained = [
        birth.accuracy[birth.step.index(last)] - birth.accuracy[birth.step.index(first)]
        for first, last, _ in stills.RISES
    ]
    assert gained[0] > 0.5
    assert gained[1] > 0.08
    assert sum(gained) > 0.85 * (birth.accuracy[-1] - birth.accuracy[0])
    at_300 = birth.step.index(300)  # "half-written notes are enough for more than 8 of 10"
    assert birth.accuracy[at_300] > 0.85
    assert 0.4 < birth.previous[at_300][0][1] < 0.5
    assert birth.two_back[-1][0][2] > 0.4 > birth.two_back[at_300][0][2] + 0.3


def test_the_words_of_the_births_name_the_heads_that_took_the_work(shown):
    stills.show_births()
    ((_, words),) = shown
    assert "With seed 0, head 1 takes it. With seed 1, head 2 takes it." in words
    assert "With seed 3, heads 1 and 3 take it." in words


def test_a_birth_of_ones_own_gives_the_model_that_was_trained():
    mine = stills.watch_a_birth(seed=5, steps=2)
    assert mine.symbol.requires_grad is False
    assert not torch.equal(mine.symbol, stills.new_copying(5).symbol)
