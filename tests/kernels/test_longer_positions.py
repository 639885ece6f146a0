"""RoPE for longer texts: which dials are slowed down, and by how much."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from course_lib.kernels.longer_positions import interpolated, yarn, yarn_sharpness
from course_lib.kernels.positions import frequencies, rotary


def slow_yarn(speeds, factor, trained, fast=32.0, slow=1.0):
    """The paper's formula, dial by dial: gamma of r = length / wavelength."""
    out = []
    for speed in speeds.tolist():
        r = trained / (2 * math.pi / speed)
        gamma = 0.0 if r < slow else 1.0 if r > fast else (r - slow) / (fast - slow)
        out.append((1 - gamma) * speed / factor + gamma * speed)
    return torch.tensor(out, dtype=torch.float64)


@given(
    st.sampled_from([2, 6, 22, 128]), st.floats(1, 64), st.floats(1, 1e6),
    st.sampled_from([100.0, 10_000.0, 500_000.0]),
)  # fmt: skip
def test_yarn_is_the_formula_of_the_paper_dial_by_dial(d, factor, trained, base):
    speeds = frequencies(d, base)
    assert yarn(speeds, factor, trained=trained) == pytest.approx(
        slow_yarn(speeds, factor, trained)
    )


def test_fast_dials_stay_and_slow_ones_are_interpolated():
    speeds = frequencies(128)
    new, turns = yarn(speeds, 8, trained=4096), 4096 * speeds / (2 * math.pi)
    assert torch.equal(new[turns >= 32], speeds[turns >= 32])
    assert new[turns <= 1] == pytest.approx(interpolated(speeds, 8)[turns <= 1])
    assert ((speeds / 8 <= new) & (new <= speeds)).all()
    assert (new.diff() < 0).all()  # still from fast to slow


def test_interpolated_speeds_turn_a_far_place_as_a_near_one_was_turned():
    x = torch.randn(5, 6, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    places, speeds = torch.tensor([0, 3, 8, 20, 100]), frequencies(6)
    far = torch.stack(
        [
            torch.polar(torch.ones(3).double(), 4 * place * interpolated(speeds, 4))
            for place in places
        ]
    )
    turned = torch.view_as_real(torch.view_as_complex(x.view(5, 3, 2)) * far).flatten(1)
    assert turned == pytest.approx(rotary(x, places))


@pytest.mark.parametrize("longer", [interpolated, lambda s, f: yarn(s, f, trained=100)])
def test_a_factor_of_one_changes_nothing(longer):
    assert longer(frequencies(10), 1) == pytest.approx(frequencies(10))
    assert yarn_sharpness(1) == 1


def test_the_scores_grow_with_the_square_of_the_papers_factor():
    assert yarn_sharpness(math.e) == pytest.approx(1.1**2)


@pytest.mark.parametrize("factor", [0, 0.5, -2, math.inf, math.nan])
def test_a_factor_that_makes_no_text_longer_is_refused(factor):
    for call in (
        lambda: interpolated(frequencies(4), factor),
        lambda: yarn(frequencies(4), factor, trained=8),
        lambda: yarn_sharpness(factor),
    ):
        with pytest.raises(ValueError, match="longer"):
            call()


def test_what_is_no_number_or_no_length_is_refused():
    with pytest.raises(TypeError, match="factor"):
        interpolated(frequencies(4), "2")
    with pytest.raises(ValueError, match="trained"):
        yarn(frequencies(4), 2, trained=0)
    with pytest.raises(ValueError, match="slow"):
        yarn(frequencies(4), 2, trained=8, fast=1, slow=1)
