"""The measurement on a GPU: without one it says None; its parts are tried on the CPU."""

import pytest
import torch

from course_lib.kernels import gpu_rates


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


def test_a_wrong_kernel_is_not_timed(monkeypatch):
    monkeypatch.setattr(gpu_rates, "_relative_error", lambda device: 5.0)
    with pytest.raises(RuntimeError, match="error is 5"):
        gpu_rates.measured("cpu")


def test_the_error_is_in_units_of_the_plain_way(monkeypatch):
    def right(q, k, v):
        return gpu_rates.attention(q.float(), k.float(), v.float()).half()

    monkeypatch.setattr(gpu_rates, "flash_attention_triton", right)
    assert gpu_rates._relative_error("cpu") <= 2
    monkeypatch.setattr(gpu_rates, "flash_attention_triton", lambda q, k, v: right(q, k, v) * 1.01)
    assert gpu_rates._relative_error("cpu") > 2
