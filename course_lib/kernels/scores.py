"""Four ways to score a query against a key: dot product, cosine, bilinear, additive.

Axes: t counts queries, s counts keys, d is the width of both (d_q and d_k where they may differ),
f counts the hidden features of the additive score. "..." stands for leading axes, which broadcast.
Rows of the result are queries, columns are keys. Integers are computed in float64, floats keep
their precision. What each of them costs is counted in measures/score_cost.py.

Every function raises TypeError for what is not real numbers, and ValueError for sizes that do not
fit; the message names both arguments.
"""

import numpy as np

from course_lib.kernels.vectors import pairwise_cosines, pairwise_dots


def dot_scores(q: np.ndarray, k: np.ndarray) -> np.ndarray:
    """The dot product of every query with every key: q k^T.

    Shapes: q (..., t, d), k (..., s, d) -> (..., t, s)
    Source: Luong et al., "Effective Approaches to Attention-based Neural Machine Translation"
        (2015), section 3.1, "dot"; Vaswani et al. (2017), equation 1, before the scale.
    Example:
        >>> print(dot_scores([[1, 0]], [[1, 0], [10, 10]]))
        [[ 1. 10.]]
    """
    return pairwise_dots(q, k)


def cosine_scores(q: np.ndarray, k: np.ndarray, sharpness: float = 1.0) -> np.ndarray:
    """The cosine of every query with every key, times a sharpness: from -sharpness to sharpness.

    sharpness is one over the temperature. Models that attend by cosine learn it, because a softmax
    of plain cosines is almost flat.

    Shapes: q (..., t, d), k (..., s, d) -> (..., t, s)
    Raises: ValueError for a zero vector, which has no direction.
    Source: Liu et al., "Swin Transformer V2" (2021), equation 2.
    Example:
        >>> print(cosine_scores([[1, 0]], [[1, 0], [10, 10]]).round(3))
        [[1.    0.707]]
    """
    return sharpness * pairwise_cosines(q, k)


def bilinear_scores(q: np.ndarray, k: np.ndarray, w: np.ndarray) -> np.ndarray:
    """A learned matrix between query and key: q w k^T, with q w computed once for all keys.

    Shapes: q (..., t, d_q), k (..., s, d_k), w (d_q, d_k) -> (..., t, s)
    Source: Luong et al. (2015), section 3.1, "general".
    Example:
        >>> print(bilinear_scores([[1, 2]], [[3, 4]], [[0, 1], [1, 0]]))
        [[10.]]
    """
    q, k, w = _rows("q", q), _rows("k", k), _matrix("w", w)
    _fit("q", q.shape[-1], "rows of w", w.shape[0])
    _fit("k", k.shape[-1], "columns of w", w.shape[1])
    return pairwise_dots(q @ w, k)


def additive_scores(
    q: np.ndarray, k: np.ndarray, w_q: np.ndarray, w_k: np.ndarray, v: np.ndarray
) -> np.ndarray:
    """A small network that reads query and key together: v . tanh(q w_q + k w_k).

    Each projection is computed once a row; what is paid for each pair is f sums and f tanh, and
    t · s · f numbers are in memory at once. A score is never larger than the sum of |v|.

    Shapes: q (..., t, d_q), k (..., s, d_k), w_q (d_q, f), w_k (d_k, f), v (f,) -> (..., t, s)
        (v is the paper's name for its vector; values have no part in a score)
    Source: Bahdanau et al., "Neural Machine Translation by Jointly Learning to Align and Translate"
        (2014), section A.1.2.
    Example:
        >>> print(additive_scores([[1.0]], [[2.0], [-1.0]], [[1.0]], [[1.0]], [1.0]).round(3))
        [[0.995 0.   ]]
    """
    q, k = _rows("q", q), _rows("k", k)
    w_q, w_k, v = _matrix("w_q", w_q), _matrix("w_k", w_k), _numbers("v", v)
    _fit("q", q.shape[-1], "rows of w_q", w_q.shape[0])
    _fit("k", k.shape[-1], "rows of w_k", w_k.shape[0])
    _fit("w_q", w_q.shape[1], "columns of w_k", w_k.shape[1])
    if v.shape != (w_q.shape[1],):
        raise ValueError(f"v has shape {v.shape}; expected ({w_q.shape[1]},), one entry for each f")
    hidden = np.tanh((q @ w_q)[..., :, None, :] + (k @ w_k)[..., None, :, :])
    return hidden @ v


def _numbers(name: str, given) -> np.ndarray:
    """`given` as an array of floats."""
    try:
        array = np.asarray(given)
    except ValueError as error:
        raise ValueError(f"{name} is ragged: its rows differ in length") from error
    if array.dtype.kind not in "biuf":
        raise TypeError(f"{name} holds {array.dtype}; expected real numbers")
    return array if array.dtype.kind == "f" else array.astype(float)


def _rows(name: str, given) -> np.ndarray:
    """`given` as vectors in rows, with any axes before them."""
    array = _numbers(name, given)
    if array.ndim < 2 or array.shape[-1] == 0:
        raise ValueError(f"{name} has shape {array.shape}; expected rows of vectors, (..., n, d)")
    return array


def _matrix(name: str, given) -> np.ndarray:
    """`given` as one matrix."""
    array = _numbers(name, given)
    if array.ndim != 2 or 0 in array.shape:
        raise ValueError(f"{name} has shape {array.shape}; expected a matrix, (rows, columns)")
    return array


def _fit(name: str, width: int, other: str, size: int) -> None:
    if width != size:
        raise ValueError(f"{name} has width {width}, but there are {size} {other}: both must agree")
