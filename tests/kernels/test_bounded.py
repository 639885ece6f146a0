"""Bounded scores and rows that may say none, against loops and PyTorch, and their own laws."""

import doctest
import math

import numpy as np
import pytest
import torch

from course_lib.kernels import bounded
from course_lib.kernels.attention import attention_weights
from course_lib.kernels.bounded import (
    gated,
    qk_norm_scores,
    rms_norm,
    softcapped,
    softmax_with_sink,
)
from course_lib.kernels.softmax import softmax

B, T, S, D, E = 2, 3, 5, 7, 11


def random(*shape, seed=0):
    return np.random.default_rng(seed).normal(size=shape)


def test_the_examples_in_the_docstrings_run():
    result = doctest.testmod(bounded)
    assert result.attempted == 5
    assert result.failed == 0


@pytest.mark.parametrize("gain", [None, random(D, seed=1)])
def test_rms_norm_agrees_with_pytorch(gain):
    x = random(B, T, D)
    weight = None if gain is None else torch.from_numpy(gain)
    expected = torch.nn.functional.rms_norm(torch.from_numpy(x), (D,), weight, eps=1e-6)
    assert np.allclose(rms_norm(x, gain, epsilon=1e-6), expected.numpy())


@pytest.mark.parametrize("size", [1e-200, 1.0, 1e200])
def test_a_normalised_vector_has_the_length_root_d_however_long_it_was(size):
    lengths = np.linalg.norm(rms_norm(size * random(T, D)), axis=-1)
    assert np.allclose(lengths, math.sqrt(D))


def test_scores_with_qk_norm_are_the_loop_over_pairs():
    q, k, gain_q, gain_k = random(T, D), random(S, D, seed=1), random(D, seed=2), random(D, seed=3)
    scores = qk_norm_scores(q, k, gain_q, gain_k)
    for i in range(T):
        for j in range(S):
            a = gain_q * q[i] / math.sqrt(sum(q[i] ** 2) / D)
            b = gain_k * k[j] / math.sqrt(sum(k[j] ** 2) / D)
            assert scores[i, j] == pytest.approx(sum(a * b) / math.sqrt(D))


@pytest.mark.parametrize("times", [1.0, 100.0])
def test_with_qk_norm_no_score_leaves_root_d_and_a_longer_key_changes_nothing(times):
    q, k = random(100, D), random(100, D, seed=1)
    k[0] = q[0]
    scores = qk_norm_scores(times * q, times * k)
    assert np.abs(scores).max() <= math.sqrt(D) + 1e-9
    assert scores[0, 0] == pytest.approx(math.sqrt(D))
    assert np.allclose(scores, qk_norm_scores(q, k))


def test_a_softcap_is_that_of_attention():
    q, k = 9 * random(T, D), 9 * random(S, D, seed=1)
    weights = softmax(softcapped(q @ k.T / math.sqrt(D), 5))
    expected = attention_weights(torch.from_numpy(q), torch.from_numpy(k), softcap=5.0)
    assert np.allclose(weights, expected.numpy())


def test_a_softcap_keeps_the_order_and_the_bound():
    scores = np.sort(30 * random(50))
    capped = softcapped(scores, 20)
    assert (np.diff(capped) > 0).all()
    assert np.abs(capped).max() < 20


def test_a_sink_is_one_more_key_whose_weight_is_left_out():
    scores, sink = random(B, T, S), random(T, seed=1)
    weights = softmax_with_sink(scores, sink)
    for b in range(B):
        for t in range(T):
            total = sum(math.exp(one) for one in scores[b, t]) + math.exp(sink[t])
            for s in range(S):
                assert weights[b, t, s] == pytest.approx(math.exp(scores[b, t, s]) / total)


def test_with_a_sink_of_minus_infinity_it_is_softmax():
    scores = random(T, S)
    assert np.allclose(softmax_with_sink(scores, -np.inf), softmax(scores))


@pytest.mark.parametrize(("shift", "sink"), [(0, 2000.0), (2000, 0.0), (-2000, 0.0)])
def test_neither_large_scores_nor_a_large_sink_overflow(shift, sink):
    weights = softmax_with_sink(shift + random(T, S), sink)
    total = weights.sum(axis=-1)
    assert np.allclose(total, 1 if shift > sink else 0)


def test_a_gate_multiplies_by_its_sigmoid():
    output, gate = random(T, E), 9 * random(T, E, seed=1)
    expected = torch.from_numpy(output) * torch.sigmoid(torch.from_numpy(gate))
    assert np.allclose(gated(output, gate), expected.numpy())
    one = gate[:, :1]
    assert np.allclose(gated(output, one), output / (1 + np.exp(-one)))


def test_a_gate_far_below_zero_closes_and_does_not_overflow():
    with np.errstate(over="raise"):
        assert (gated(random(T, E), np.full((T, 1), -2000.0)) == 0).all()
        assert (gated(random(T, E), np.full((T, 1), 2000.0)) == random(T, E)).all()


@pytest.mark.parametrize("function", [rms_norm, lambda x: softcapped(x, 5.0)])
def test_float32_stays_float32(function):
    assert function(random(T, D).astype(np.float32)).dtype == np.float32
    assert softmax_with_sink(random(T, S).astype(np.float32), 0.0).dtype == np.float32


@pytest.mark.parametrize(
    ("call", "error", "says"),
    [
        (lambda: rms_norm([0.0, 0.0]), ValueError, "zero vector"),
        (lambda: rms_norm(3.0), ValueError, "expected vectors"),
        (lambda: rms_norm([1.0, 2.0], epsilon=-1), ValueError, "epsilon is -1"),
        (lambda: rms_norm([1.0, 2.0], [1.0]), ValueError, "gain has shape"),
        (lambda: rms_norm(["a"]), TypeError, "expected real numbers"),
        (lambda: qk_norm_scores(random(T, 2), random(S, 3)), ValueError, "3"),
        (lambda: softcapped([1.0], 0), ValueError, "cap is 0"),
        (lambda: softmax_with_sink([], 0.0), ValueError, "expected rows of keys"),
        (lambda: softmax_with_sink([1.0], np.inf), ValueError, "sink is"),
        (lambda: gated(random(T, E), random(T, 2)), ValueError, "gate has shape"),
        (lambda: gated([[1.0], [2.0, 3.0]], [[1.0]]), ValueError, "ragged"),
    ],
)
def test_what_does_not_fit_is_refused_by_name(call, error, says):
    with pytest.raises(error, match=says):
        call()
