"""Kernels of one's own: run program by program, kept away from memory that is not theirs."""

import pytest
import torch

from course_lib.kernels.interpreter import has_triton
from course_lib.learner import triton_language
from course_lib.learner.triton_language import execute, interpret, language

needs_triton = pytest.mark.skipif(not has_triton(), reason="Triton is not installed")


def double(x, y, n, BLOCK):
    import triton.language as tl

    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, 2 * tl.load(x + i, mask=i < n, other=0.0), mask=i < n)


def beyond(x, y, n, BLOCK):
    import triton.language as tl

    tl.store(y + 10_000_000 + tl.arange(0, BLOCK), 1.0)


@needs_triton
def test_programs_run_one_after_the_other_and_stay_within_their_mask():
    x, y = torch.arange(5.0), torch.full((6,), 7.0)
    interpret(double, (3,), x, y, 5, BLOCK=2)
    assert y.tolist() == [0, 2, 4, 6, 8, 7]


@needs_triton
def test_what_is_touched_is_told():
    x, y = torch.arange(5.0), torch.zeros(5)
    loaded, stored = execute(double, (2,), x, y, 5, BLOCK=4)
    assert [len(one) for one in loaded] == [4, 1]
    assert min(one.min() for one in stored) == y.data_ptr()


@needs_triton
def test_foreign_memory_is_never_touched():
    x, y = torch.arange(5.0), torch.zeros(5)
    with pytest.raises(IndexError, match="would store where none of its tensors lies"):
        interpret(beyond, (1,), x, y, 5, BLOCK=2)
    interpret(double, (3,), x, y, 5, BLOCK=2)  # and the interpreter is as before
    assert y.tolist() == [0, 2, 4, 6, 8]


@needs_triton
def test_a_kernel_that_is_not_written_yet_says_so():
    with pytest.raises(NotImplementedError):
        interpret(lambda x, BLOCK: ..., (1,), torch.zeros(1), BLOCK=1)


def test_without_triton_a_kernel_can_be_written_down_and_not_run(monkeypatch):
    monkeypatch.setattr(triton_language, "has_triton", lambda: False)
    assert language().constexpr
    with pytest.raises(NotImplementedError, match="not installed"):
        interpret(double, (1,), torch.zeros(1), torch.zeros(1), 1, BLOCK=1)
