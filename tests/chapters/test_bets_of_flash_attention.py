"""Chapter 8's bets: the numbers that a question states are those of the pictures."""

import pytest

from course_lib.chapters.flash_attention import speeds
from course_lib.chapters.flash_attention.bets import WHAT_IT_BUYS
from course_lib.chapters.flash_attention.explorers.gpu import gpu


def test_what_tiles_buy_is_asked_with_the_times_of_the_first_picture():
    plain, tiles = gpu(n=16_000, tiles=False), gpu(n=16_000, tiles=True)
    for number in (f"{plain['moving']:.1f} ms", f"{tiles['moving']:.3f} ms"):
        assert number in WHAT_IT_BUYS.question
    assert f"{plain['moving'] / tiles['moving']:.0f} times less" in WHAT_IT_BUYS.question


def test_what_tiles_buy_is_answered_by_the_measured_rates_and_by_the_picture():
    plain, _, third = speeds().values()
    told, picture = WHAT_IT_BUYS.model_answer, gpu(n=16_000, tiles=True)
    assert f"{third} against {plain}" in told
    assert f"{picture['computing']:.2f} ms" in told
    most = gpu(n=16_000, tiles=False)["moving"] / picture["computing"]
    assert most == pytest.approx(third / plain, rel=0.02)
    assert f"{most:.1f}" in told
