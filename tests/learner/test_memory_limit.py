"""Memory has a limit while a learner's code runs, and none of its own afterwards."""

import sys

import numpy as np
import pytest
import torch

from course_lib.judging import judge
from course_lib.learner import memory_limit
from course_lib.learner.memory_limit import is_out_of_memory, memory_limited
from tests.judging.hostile import grows_without_end, too_large, too_large_a_tensor

LIMITED = sys.platform.startswith("linux") and not memory_limit.DRIVER.exists()
needs_limit = pytest.mark.skipif(not LIMITED, reason="this system gives a process no such limit")
QUARTER = 2**28  # bytes


@needs_limit
@pytest.mark.parametrize(
    "take", [lambda: np.ones(2**26), lambda: [0] * 2**26, lambda: torch.ones(2**27)], ids=range(3)
)
def test_what_is_too_much_is_an_error_that_says_so(take):
    with memory_limited(QUARTER), pytest.raises((MemoryError, RuntimeError)) as caught:
        take()
    assert is_out_of_memory(caught.value)
    take()


@needs_limit
def test_the_limit_is_as_it_was_afterwards():
    import resource

    before = resource.getrlimit(resource.RLIMIT_DATA)
    with memory_limited(QUARTER):
        assert resource.getrlimit(resource.RLIMIT_DATA)[0] != before[0]
        with memory_limited():
            outer = resource.getrlimit(resource.RLIMIT_DATA)
        assert resource.getrlimit(resource.RLIMIT_DATA) == outer, "the lower one stays"
    assert resource.getrlimit(resource.RLIMIT_DATA) == before


@needs_limit
@pytest.mark.parametrize("hostile", [too_large, too_large_a_tensor, grows_without_end])
def test_an_answer_that_takes_all_memory_is_told_so(hostile):
    found = judge("01_dot_product/dot", lambda a, b: hostile())
    assert found.state == "wrong"
    assert "asks for more memory than a check gives it" in found.text


def test_where_the_system_knows_no_limit_code_runs_without(monkeypatch):
    monkeypatch.setattr(sys, "platform", "another")
    with memory_limited(0):
        assert np.ones(2**20).sum() == 2**20
