"""Scores that cannot grow without end, and rows that need not spend all of their 1.

Two troubles of scaled dot-product attention, and two answers to each, as models of 2024 to 2026
have them: scores are bounded by normalising queries and keys (QK-norm) or by bending them down
(softcap); and "none of these" is said by a learned number beside the scores (a sink) or by a gate
behind the output.

Axes: t counts queries, s counts keys, d is the width of both, e the width of a value. "..." stands
for any axes. Integers are computed in float64, floats keep their precision.

Every function raises TypeError for what is not real numbers, ValueError for sizes that do not fit.
"""

import numpy as np

from course_lib.kernels.softmax import softmax
from course_lib.kernels.vectors import pairwise_dots


def rms_norm(x: np.ndarray, gain: np.ndarray | None = None, epsilon: float = 0.0) -> np.ndarray:
    """Each vector divided by the root of its mean square, then each entry times its learned gain.

    Without a gain every vector has the length sqrt(d), whatever it was before.

    Shapes: x (..., d), gain (d,) -> (..., d)
    Raises: ValueError for a zero vector where epsilon is 0: it has no direction.
    Source: Zhang and Sennrich, "Root Mean Square Layer Normalization" (2019), equation 4.
    Example:
        >>> print(rms_norm([3.0, 4.0, 0.0, 0.0]))
        [1.2 1.6 0.  0. ]
    """
    x = _numbers("x", x)
    if x.ndim == 0 or x.shape[-1] == 0:
        raise ValueError(f"x has shape {x.shape}; expected vectors, (..., d)")
    if epsilon < 0:
        raise ValueError(f"epsilon is {epsilon}; expected 0 or more")
    # Divided by the largest entry first, squares neither overflow nor vanish.
    largest = np.abs(x).max(axis=-1, keepdims=True)
    if epsilon == 0 and (largest == 0).any():
        raise ValueError("x holds a zero vector, which has no direction; give an epsilon above 0")
    safe = np.where(largest > 0, largest, 1).astype(x.dtype)
    mean = ((x / safe) ** 2).mean(axis=-1, keepdims=True)
    normed = (x / safe) / np.sqrt(mean + epsilon / safe / safe)
    return (normed if gain is None else normed * _gain(gain, x)).astype(x.dtype)


def qk_norm_scores(
    q: np.ndarray, k: np.ndarray, gain_q: np.ndarray | None = None,
    gain_k: np.ndarray | None = None,
) -> np.ndarray:  # fmt: skip
    """Scores of normalised queries and keys, divided by sqrt(d): from -sqrt(d) to sqrt(d).

    With gains the bound is sqrt(d) times the largest |gain_q gain_k|.

    Shapes: q (..., t, d), k (..., s, d), gains (d,) -> (..., t, s)
    Raises: ValueError for a zero vector.
    Source: Henry et al., "Query-Key Normalization for Transformers" (2020); with RMSNorm of each
        head: Qwen Team, "Qwen3 Technical Report" (2025), section 2.
    Example:
        >>> print(qk_norm_scores([[500.0, 0.0]], [[1.0, 0.0], [0.0, 1.0]]).round(3))
        [[1.414 0.   ]]
    """
    scores = pairwise_dots(rms_norm(q, gain_q), rms_norm(k, gain_k))
    return scores / float(np.sqrt(np.shape(q)[-1]))


def softcapped(scores: np.ndarray, cap: float) -> np.ndarray:
    """Scores bent into (-cap, cap): cap tanh(scores / cap). Small ones stay nearly as they are.

    Shapes: scores (...) -> (...)
    Raises: ValueError for a cap that is not above 0.
    Source: Gemma Team, "Gemma 2" (2024), section 2: cap 50 for attention.
    Example:
        >>> print(softcapped([1.0, 60.0, 100.0], cap=50).round(1))
        [ 1.  41.7 48.2]
    """
    if not 0 < cap < np.inf:
        raise ValueError(f"cap is {cap}; expected a number above 0")
    return cap * np.tanh(_numbers("scores", scores) / cap)


def softmax_with_sink(scores: np.ndarray, sink: float | np.ndarray) -> np.ndarray:
    """Softmax with one more score that no key has: what it takes is spent on nothing.

    The weights of a row add up to less than 1. A sink of -inf gives softmax back.

    Shapes: scores (..., s), sink a number or any shape that broadcasts to (...) -> (..., s)
    Raises: ValueError for a sink of +inf or NaN.
    Source: OpenAI, "gpt-oss-120b & gpt-oss-20b Model Card" (2025), section 2.2; with a sink of 0:
        Miller, "Attention Is Off By One" (2023).
    Example:
        >>> print(softmax_with_sink([0.0, 0.0], sink=0.0).round(3))
        [0.333 0.333]
    """
    scores, sink = _numbers("scores", scores), np.asarray(sink, dtype=float)
    if scores.ndim == 0 or scores.shape[-1] == 0:
        raise ValueError(f"scores has shape {scores.shape}; expected rows of keys, (..., s)")
    if np.isnan(sink).any() or (sink == np.inf).any():
        raise ValueError("sink is +inf or NaN; expected a finite number, or -inf for none")
    extra = np.broadcast_to(sink, scores.shape[:-1])[..., None].astype(scores.dtype)
    return softmax(np.concatenate([scores, extra], axis=-1))[..., :-1]


def gated(output: np.ndarray, gate: np.ndarray) -> np.ndarray:
    """The output of attention times the sigmoid of a gate, which is made from the asking word.

    A gate far below 0 closes: nothing of the output is passed on, wherever the weights went.

    Shapes: output (..., t, e), gate (..., t, e), or (..., t, 1) for one gate a head -> (..., t, e)
    Source: Qiu et al., "Gated Attention for Large Language Models" (2025), equation 5.
    Example:
        >>> print(gated([[10.0, 20.0]], [[0.0, -100.0]]).round(3))
        [[5. 0.]]
    """
    output, gate = _numbers("output", output), _numbers("gate", gate)
    if gate.ndim != output.ndim or gate.shape[-1] not in (1, output.shape[-1]):
        raise ValueError(
            f"gate has shape {gate.shape} but output has shape {output.shape}: a gate is of the "
            "same shape, or has 1 as its last axis"
        )
    # exp of a large number overflows; of -|gate| it cannot.
    small = np.exp(-np.abs(gate))
    opened = np.where(gate >= 0, 1, small) / (1 + small)
    return (output * opened + 0.0).astype(output.dtype)


def _gain(gain, x: np.ndarray) -> np.ndarray:
    gain = _numbers("gain", gain)
    if gain.shape != x.shape[-1:]:
        raise ValueError(f"gain has shape {gain.shape}; expected ({x.shape[-1]},), one an entry")
    return gain


def _numbers(name: str, given) -> np.ndarray:
    """`given` as an array of floats."""
    try:
        array = np.asarray(given)
    except ValueError as error:
        raise ValueError(f"{name} is ragged: its rows differ in length") from error
    if array.dtype.kind not in "biuf":
        raise TypeError(f"{name} holds {array.dtype}; expected real numbers")
    return array if array.dtype.kind == "f" else array.astype(float)
