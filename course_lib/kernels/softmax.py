"""Softmax: from scores to weights that are positive and add up to 1."""

import numpy as np


def softmax(scores: np.ndarray, axis: int = -1) -> np.ndarray:
    """Exponentials of the scores, divided by their sum along `axis`.

    The largest score is subtracted first: the weights stay the same and exp cannot overflow.
    A score of -inf gets weight 0; where every score is -inf, every weight is 0. NaN makes its
    whole row NaN.

    Shapes: scores (..., s) -> (..., s), or any other `axis`
    Raises: TypeError for what is not real numbers; ValueError for a single number, for an axis
        that is not there or has no scores, and for a score of +inf, which has no weight.
    Source: Vaswani et al., "Attention Is All You Need" (2017), equation 1.
    Example:
        >>> print(softmax([1, 2, 3]).round(3))
        [0.09  0.245 0.665]
    """
    scores = _scores(scores, axis)
    largest = scores.max(axis=axis, keepdims=True)
    exponentials = np.exp(scores - np.where(largest == -np.inf, 0, largest))
    total = exponentials.sum(axis=axis, keepdims=True)
    return exponentials / np.where(total == 0, 1, total)


def _scores(given, axis: int) -> np.ndarray:
    """`given` as a float array with something to weigh along `axis`."""
    try:
        scores = np.asarray(given)
    except ValueError as error:
        raise ValueError("scores is ragged: its rows differ in length") from error
    if scores.dtype.kind not in "biuf":
        raise TypeError(f"scores holds {scores.dtype}; expected real numbers")
    if not -scores.ndim <= axis < scores.ndim:
        raise ValueError(f"scores has shape {scores.shape}; there is no axis {axis}")
    if scores.shape[axis] == 0:
        raise ValueError(f"scores has shape {scores.shape}; axis {axis} holds nothing to weigh")
    if (scores == np.inf).any():
        raise ValueError("scores holds +inf; a weight needs a finite score, or -inf for none")
    return scores if scores.dtype.kind == "f" else scores.astype(float)
