"""What the data of chapter 6's exercises cannot say."""

import torch

from course_lib.chapters.masks import handout
from course_lib.chapters.masks.exercises.rotate import rotate
from course_lib.judging import judge
from course_lib.kernels.positions import frequencies, rotary


def test_turning_by_place_times_frequency_is_the_rotary_kernel():
    x = torch.randn(7, 6, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    angles = torch.arange(7)[:, None] * frequencies(6)
    torch.testing.assert_close(rotate(x, angles), rotary(x), rtol=0, atol=1e-14)


def test_the_core_is_what_is_not_marked_as_depth():
    core = [name for name, exercise in handout.exercises.items() if not exercise.depth]
    assert core == ["causal_weights", "leaks", "rope_scores"]


def test_half_an_angle_is_not_told_that_sine_and_cosine_are_exchanged():
    found = judge("06_masks/rotate", lambda x, angles: rotate(x, angles / 2))
    assert found.state == "wrong"
    assert "exchanged" not in found.text
