"""What the data of chapter 8's exercises cannot say."""

import torch

from course_lib.chapters.flash_attention.exercises.weighted_mean import weighted_mean
from course_lib.judging import judge


def test_the_numbers_by_hand_are_those_of_the_check():
    """The six numbers of the chapter: the same mean for each block."""
    scores, values = torch.tensor([1.0, 3, 2, 5, 4, 0]), torch.arange(10.0, 61, 10)
    found = {round(float(weighted_mean(scores, values, block)), 3) for block in (1, 2, 3, 6)}
    assert found == {40.038}


def test_where_triton_is_missing_the_kernel_is_left_open_and_the_reason_said(monkeypatch):
    monkeypatch.setattr(
        "course_lib.chapters.flash_attention.exercises.masked_tile.has_triton", lambda: False
    )
    found = judge("08_flash_attention/masked_tile", lambda *given, **sizes: ...)
    assert found.state == "todo"
    assert "cannot be tried here. It takes Triton" in found.text
