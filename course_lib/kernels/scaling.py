"""What the width does to scores: how far they spread, and what divides it out again.

Axes: s counts the keys of a row. "..." stands for any axes. d_k is the width of queries and keys.
"""

import numpy as np


def scale(scores: np.ndarray, d_k: int) -> np.ndarray:
    """Scores divided by the square root of the width that they were summed over.

    Shapes: scores (...) -> (...)
    Raises: ValueError if d_k is below 1; TypeError for scores that are not real numbers.
    Source: Vaswani et al., "Attention Is All You Need" (2017), equation 1 and footnote 4.
    Example:
        >>> print(scale([8, -4], d_k=16))
        [ 2. -1.]
    """
    scores = np.asarray(scores)
    if scores.dtype.kind not in "biuf":
        raise TypeError(f"scores holds {scores.dtype}; expected real numbers")
    # A Python float keeps float32 scores in float32; np.sqrt(d_k) would widen them.
    return scores / float(np.sqrt(_width("d_k", d_k)))


def score_moments(
    d_k: int, sigma: float = 1.0, mean: float = 0.0, correlation: float = 0.0
) -> tuple[float, float]:
    """Mean and standard deviation of q . k, where entries of q meet entries of k in d_k places.

    Each entry is normal with this mean and deviation sigma; q_i and k_i have this correlation, and
    different places know nothing of each other. Without mean and correlation: 0, sigma^2 sqrt(d_k).

    Raises: ValueError if d_k is below 1, sigma negative, or the correlation outside of [-1, 1].
    Source: Var(xy) for bivariate normals with equal moments is the variance of an entry
        squared, times 1 + correlation^2, plus twice mean^2 times that variance times
        1 + correlation; Goodman, "On the Exact Variance of Products" (1960), for correlation 0.
    Example:
        >>> score_moments(64)
        (0.0, 8.0)
        >>> score_moments(64, correlation=1)[0]
        64.0
    """
    d = _width("d_k", d_k)
    _refuse_moments(sigma, correlation)
    variance = sigma**4 * (1 + correlation**2) + 2 * mean**2 * sigma**2 * (1 + correlation)
    return float(d * (mean**2 + correlation * sigma**2)), float(np.sqrt(d * variance))


def jacobian_norms(weights: np.ndarray) -> np.ndarray:
    """How much softmax weights can still move: the Frobenius norm of d weights / d scores.

    The same as the norm of `softmax_jacobian`, without building a matrix for each row.

    Shapes: weights (..., s), each row adding up to 1 -> (...)
    Source: the Jacobian is diag(w) - w w^T: its squares are w_i^2 (1 - w_i)^2 on the diagonal and
        w_i^2 w_j^2 elsewhere.
    Example:
        >>> print(jacobian_norms([0.5, 0.5]))
        0.5
    """
    ordered = np.sort(np.asarray(weights, dtype=float), axis=-1)
    top, others = ordered[..., -1], ordered[..., :-1]
    # 1 - top would lose its digits where top rounds to 1; the sum of the others keeps them.
    own = (top * others.sum(axis=-1)) ** 2 + ((others * (1 - others)) ** 2).sum(axis=-1)
    squares = (others**2).sum(axis=-1)
    pairs = 2 * top**2 * squares + squares**2 - (others**4).sum(axis=-1)
    return np.sqrt(own + pairs)


def _width(name: str, size: int) -> int:
    if size < 1:
        raise ValueError(f"{name} is {size}; expected at least 1")
    return size


def _refuse_moments(sigma: float, correlation: float) -> None:
    if sigma < 0:
        raise ValueError(f"sigma is {sigma}; a standard deviation is not negative")
    if not -1 <= correlation <= 1:
        raise ValueError(f"correlation is {correlation}; it lies between -1 and 1")
