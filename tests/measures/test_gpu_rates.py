"""The measurement on a GPU: without one it says None; its parts are tried on the CPU."""

import pytest
import torch

from course_lib.measures import attention_timing, gpu_rates
from course_lib.measures.attention_timing import CONTENDERS, Case


@pytest.mark.skipif(torch.cuda.is_available(), reason="a GPU is here")
def test_without_a_gpu_there_are_no_rates():
    assert gpu_rates.own_rates() is None


def test_without_triton_there_are_no_rates(monkeypatch):
    monkeypatch.setattr(gpu_rates, "has_triton", lambda: False)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    assert gpu_rates.own_rates() is None


@pytest.mark.skipif(not torch.cuda.is_available(), reason="no GPU is here")
def test_on_a_gpu_a_right_kernel_is_timed():
    found = gpu_rates.own_rates()
    assert found["error"] <= 2
    assert all(rate > 0 for rate in found["rates"] if rate is not None)


TINY = Case(32, 16, tokens=64, width=32, dtype="float32", device="cpu")


def test_error_and_rates_are_those_of_the_race():
    found = gpu_rates.measured(TINY, lengths=(16, 32), name="tiled")
    assert found["device"] == "cpu"
    assert 0 <= found["error"] <= 2
    assert len(found["rates"]) == 2
    assert all(rate > 0 for rate in found["rates"])


def test_a_wrong_kernel_is_not_timed(monkeypatch):
    wrong = lambda q, k, v, causal: 1.01 * CONTENDERS["math"](q, k, v, causal)  # noqa: E731
    monkeypatch.setitem(CONTENDERS, "ours", wrong)
    monkeypatch.setattr(attention_timing, "_milliseconds", lambda *given: pytest.fail("timed"))
    with pytest.raises(RuntimeError, match=r"wrong: .* times the plain formula's error"):
        gpu_rates.measured(TINY)


def test_where_memory_runs_out_there_is_no_rate(monkeypatch):
    def full(work, case):
        if case.n > 16:
            raise torch.cuda.OutOfMemoryError
        return 1.0

    monkeypatch.setattr(attention_timing, "_milliseconds", full)
    rates = gpu_rates.measured(TINY, lengths=(16, 32), name="math")["rates"]
    assert rates[0] > 0
    assert rates[1] is None


def test_the_sizes_are_those_of_the_published_figures():
    assert [gpu_rates.CASE._replace(n=n).shape for n in (512, 16384)] == [
        (32, 16, 512, 128),
        (1, 16, 16384, 128),
    ]
