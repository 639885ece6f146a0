"""Chapter 8's bets: the numbers that a question states are those of the pictures."""

import pytest

from course_lib.chapters.flash_attention import DEVICES, core_flops, speeds
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
    assert f"Version 3 did {third} of the chip's {DEVICES['H100'].tflops} trillion" in told
    assert f"{picture['computing']:.2f} ms" in told
    most = gpu(n=16_000, tiles=False)["moving"] / picture["computing"]
    assert most == pytest.approx(third / plain, rel=0.02)
    assert (
        f"989 / {third / plain:.2f} = {DEVICES['H100'].tflops * plain / third:.0f}, and did {plain}"
        in told
    )


def test_what_tiles_can_win_hardly_depends_on_the_length():
    for n in (8192, 16_000):
        assert gpu(n=n, tiles=False)["times"] == pytest.approx(4.65, rel=0.02)


def test_the_novel_takes_2_seconds_the_plain_way_and_less_than_half_a_second_in_tiles():
    plain, _, third = speeds().values()
    seconds = [core_flops(131_072, 4096) / rate / 1e12 for rate in (plain, third)]
    assert [round(one, 1) for one in seconds] == [2.0, 0.4]


def test_plain_attention_and_version_3_reach_the_same_part_of_their_best():
    plain, _, third = speeds().values()
    best, cached = DEVICES["H100"].tflops, 211  # 211: the bound with the cache, in the Depth
    assert plain / cached == pytest.approx(third / best, rel=0.03)
    assert f"By chance both are {100 * third / best:.0f} percent" in WHAT_IT_BUYS.model_answer
    assert round(100 * plain / (best / 4.65)) == round(100 * third / best)
