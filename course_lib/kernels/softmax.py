"""Softmax: from scores to weights that are positive and add up to 1, and what goes with it.

Axes: s counts what is weighed and is the last axis unless `axis` says otherwise; "..." stands for
all others, any of which may be empty.

Scores are arrays, or lists of numbers. Integers are computed in float64, floats keep their
precision (float16 is computed in float32 and rounded at the end: a sum of exponentials leaves its
range soon). A score of -inf is "not at all" and gets weight 0; where every score is -inf, every
weight is 0. NaN makes its whole row NaN and no other.

Every function raises TypeError for what is not real numbers; ValueError for a single number, for an
axis that is not there or holds nothing to weigh; for a score of +inf, which has no weight; and for
a temperature that is not above 0.
"""

import numpy as np

FAR_FROM_ONE = 0.05  # float16 weights of a million keys add up to 1 within 3 percent


def softmax(scores: np.ndarray, axis: int = -1, temperature: float = 1.0) -> np.ndarray:
    """Exponentials of the scores, divided by their sum along `axis`.

    The largest score is subtracted first: the weights stay the same and exp cannot overflow.
    The scores are divided by the temperature: below 1 sharpens, above 1 flattens.

    Shapes: scores (..., s) -> (..., s), or any other `axis`
    Source: Vaswani et al., "Attention Is All You Need" (2017), equation 1; the temperature: Hinton
        et al., "Distilling the Knowledge in a Neural Network" (2015), equation 1.
    Example:
        >>> print(softmax([1, 2, 3]).round(3))
        [0.09  0.245 0.665]
        >>> print(softmax([1, 2, 3], temperature=0.1).round(3))
        [0. 0. 1.]
    """
    scores = _scores(scores, axis)
    shifted, _ = _below_largest(scores, axis, temperature)
    exponentials = np.exp(shifted)
    total = exponentials.sum(axis=axis, keepdims=True)
    return (exponentials / np.where(total == 0, 1, total)).astype(scores.dtype)


def log_softmax(scores: np.ndarray, axis: int = -1, temperature: float = 1.0) -> np.ndarray:
    """The logarithm of `softmax`, finite also where the weight itself rounds to 0.

    Shapes: scores (..., s) -> (..., s), or any other `axis`
    Units: nats.
    Source: log(exp(x_i) / sum_j exp(x_j)) = x_i - logsumexp(x).
    Example:
        >>> print(log_softmax([0, -1000]))
        [    0. -1000.]
    """
    scores = _scores(scores, axis)
    shifted, _ = _below_largest(scores, axis, temperature)
    total = np.exp(shifted).sum(axis=axis, keepdims=True)
    return _rounded(shifted - np.log(np.where(total == 0, 1, total)), scores.dtype)


def logsumexp(scores: np.ndarray, axis: int = -1) -> np.ndarray:
    """log(sum of exp(scores)) along `axis`, without overflow: a maximum with round corners.

    -inf where every score is -inf.

    Shapes: scores (..., s) -> (...), or without any other `axis`
    Source: log sum_i exp(x_i) = x_max + log sum_i exp(x_i - x_max), x_max the largest score.
    Example:
        >>> print(logsumexp([1000, 1000]).round(3))
        1000.693
    """
    scores = _scores(scores, axis)
    shifted, largest = _below_largest(scores, axis)
    with np.errstate(divide="ignore"):  # log 0 is -inf, as it should be
        total = largest + np.log(np.exp(shifted).sum(axis=axis, keepdims=True))
    return _rounded(total.squeeze(axis=axis), scores.dtype)[()]


def softmax_jacobian(scores: np.ndarray, axis: int = -1, temperature: float = 1.0) -> np.ndarray:
    """How each weight answers to each score: entry (i, j) is d weight_i / d score_j.

    That is weight_i (1 - weight_i) on the diagonal and -weight_i weight_j elsewhere, divided by
    the temperature. The matrix is symmetric, and its rows and columns add up to 0.

    Shapes: scores (..., s) -> (..., s, s); any other `axis` is moved to the end first
    Source: the quotient rule; diag(w) - w w^T.
    Example:
        >>> print(softmax_jacobian([0, 0]))
        [[ 0.25 -0.25]
         [-0.25  0.25]]
    """
    scores = _scores(scores, axis)
    weights = softmax(np.moveaxis(scores.astype(_wide(scores.dtype)), axis, -1), -1, temperature)
    jacobian = -weights[..., :, None] * weights[..., None, :]
    each = np.arange(weights.shape[-1])
    jacobian[..., each, each] = 0
    # 1 - weight_i rounds to 0 next to a weight of 1; the sum of the others keeps its digits.
    jacobian[..., each, each] = -jacobian.sum(axis=-1)
    return _rounded(jacobian / _positive(temperature, weights.dtype) + 0.0, scores.dtype)


def entropy(weights: np.ndarray, axis: int = -1) -> np.ndarray:
    """How spread out weights are: -sum_i w_i log(w_i), with 0 log 0 = 0.

    0 where one key has all the weight (and for the row of zeros that a row of -inf gives), log(s)
    where all s have the same.

    Shapes: weights (..., s) -> (...), or without any other `axis`
    Units: nats.
    Raises: ValueError for weights that are negative or do not add up to 1 (or to 0).
    Source: Shannon, "A Mathematical Theory of Communication" (1948), section 6.
    Example:
        >>> print(entropy([0.5, 0.5]).round(3))
        0.693
    """
    wide, dtype = _weights(weights, axis)
    return _rounded(_entropy(wide, axis), dtype)[()]


def effective_count(weights: np.ndarray, axis: int = -1) -> np.ndarray:
    """As if spread evenly over how many: exp(entropy(weights)).

    This is the definition by entropy (perplexity, the Hill number of order 1), not the other usual
    one, 1 / sum_i w_i^2, which is never larger. From 1, all on one, to s, all alike. A row of zeros
    counts 0. (In float16 a count above 65504 is infinite.)

    Shapes: weights (..., s) -> (...), or without any other `axis`
    Units: a number of keys.
    Raises: ValueError for weights that are negative or do not add up to 1 (or to 0).
    Source: Hill, "Diversity and Evenness: A Unifying Notation and Its Consequences" (1973).
    Example:
        >>> print(effective_count([0.5, 0.5, 0, 0]).round(6))
        2.0
    """
    wide, dtype = _weights(weights, axis)
    count = np.where((wide == 0).all(axis=axis), 0, np.exp(_entropy(wide, axis)))
    return _rounded(count, dtype)[()]


def _entropy(weights: np.ndarray, axis: int) -> np.ndarray:
    logarithms = np.log(np.where(weights == 0, 1, weights))
    return np.maximum(-(weights * logarithms).sum(axis=axis), 0.0)


def _below_largest(scores, axis: int, temperature: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
    """(scores - the largest) / temperature, in the width to compute in; and the largest."""
    wide = scores.astype(_wide(scores.dtype), copy=False)
    temperature = _positive(temperature, wide.dtype)
    largest = wide.max(axis=axis, keepdims=True)
    with np.errstate(over="ignore"):  # too far below to be a number is -inf: no weight
        shifted = (wide - np.where(largest == -np.inf, 0, largest)) / temperature
    return shifted, largest


def _wide(dtype: np.dtype) -> np.dtype:
    return np.result_type(dtype, np.float32)


def _rounded(array, dtype: np.dtype) -> np.ndarray:
    with np.errstate(over="ignore"):  # what float16 cannot hold is infinite in it
        return np.asarray(array).astype(dtype, copy=False)


def _positive(temperature, dtype: np.dtype):
    """The temperature in the precision of the scores, where it still must be above 0."""
    try:
        held = dtype.type(temperature)
    except (TypeError, ValueError) as error:
        raise TypeError(f"temperature is {temperature!r}; expected one number") from error
    if np.ndim(held) or not 0 < held < np.inf:
        raise ValueError(
            f"temperature is {temperature} ({held} in {dtype}); expected a number above 0: the "
            "smaller it is, the more goes to the largest score"
        )
    return held


def _scores(given, axis: int, name: str = "scores") -> np.ndarray:
    """`given` as a float array with something to weigh along `axis`."""
    try:
        scores = np.asarray(given)
    except ValueError as error:
        raise ValueError(f"{name} is ragged: its rows differ in length") from error
    if scores.dtype.kind not in "biuf":
        raise TypeError(f"{name} holds {scores.dtype}; expected real numbers")
    if not -scores.ndim <= axis < scores.ndim:
        raise ValueError(f"{name} has shape {scores.shape}; there is no axis {axis}")
    if scores.shape[axis] == 0:
        raise ValueError(f"{name} has shape {scores.shape}; axis {axis} holds nothing to weigh")
    if (scores == np.inf).any():
        raise ValueError(f"{name} holds +inf; a weight needs a finite score, or -inf for none")
    return scores if scores.dtype.kind == "f" else scores.astype(float)


def _weights(given, axis: int) -> tuple[np.ndarray, np.dtype]:
    """`given` in the width to compute in, if it is weights; and the precision it came in."""
    weights = _scores(given, axis, "weights")
    wide = weights.astype(_wide(weights.dtype), copy=False)
    if (wide < 0).any():
        raise ValueError(
            f"weights holds {wide.min():g}; a weight is 0 or more. Scores become weights by softmax"
        )
    total = wide.sum(axis=axis)
    off = (np.abs(total - 1) > FAR_FROM_ONE) & (total != 0)
    if off.any():
        raise ValueError(
            f"weights add up to {total[off].flat[0]:g} along axis {axis}; expected 1. Is it the "
            "other axis, or are these scores, before softmax?"
        )
    return wide, weights.dtype
