"""Vectors and the one number that attention builds on: the dot product, seen from every side.

Axes: d is the width of a vector and always the last axis; t counts queries, s counts keys.
"..." stands for any leading axes; those of two arguments broadcast as in numpy.

Every function takes arrays, or lists of numbers. Integers are computed in float64, floats keep
their precision. NaN and infinity pass through by the rules of floating-point arithmetic.
Every function raises TypeError for what is not real numbers, and ValueError for a single number,
for vectors without entries, for rows of unequal length and for vectors of unequal width.
"""

import numpy as np


def dot(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Multiply entry by entry and add up: sum_i a_i b_i.

    Shapes: a (..., d), b (..., d) -> (...)
    Source: coordinate form of the scalar product; equal to |a| |b| cos(angle).
    Example:
        >>> print(dot([1, 2, 3], [4, 5, 6]))
        32.0
    """
    a, b = _of_one_width(a=a, b=b)
    return (a * b).sum(axis=-1)


def norm(a: np.ndarray) -> np.ndarray:
    """The length of a vector: sqrt(sum_i a_i^2).

    Shapes: a (..., d) -> (...)
    Source: Pythagoras, once for each further axis.
    Example:
        >>> print(norm([3, 4]))
        5.0
    """
    a = _vectors("a", a)
    # Scaled by the largest entry, squares neither overflow (1e200) nor vanish (1e-200).
    largest = np.abs(a).max(axis=-1, keepdims=True)
    scale = np.where(np.isfinite(largest) & (largest > 0), largest, 1).astype(a.dtype)
    return (scale * np.sqrt(((a / scale) ** 2).sum(axis=-1, keepdims=True)))[..., 0]


def normalize(a: np.ndarray) -> np.ndarray:
    """The vector of length 1 in the same direction: a / |a|.

    Shapes: a (..., d) -> (..., d)
    Raises: ValueError for a zero vector, which has no direction.
    Example:
        >>> print(normalize([3, 4]))
        [0.6 0.8]
    """
    return _directions("a", _vectors("a", a))


def cosine(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The dot product of the two directions, whatever the lengths: cos(angle), from -1 to 1.

    Shapes: a (..., d), b (..., d) -> (...)
    Raises: ValueError for a zero vector, which has no direction.
    Example:
        >>> print(cosine([3, 4], [4, 3]).round(2))
        0.96
    """
    a, b = _of_one_width(a=a, b=b)
    # Rounding can leave [-1, 1] by a few units in the last place; no cosine does.
    return np.clip((_directions("a", a) * _directions("b", b)).sum(axis=-1), -1, 1)


def angle(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The angle between two vectors.

    Shapes: a (..., d), b (..., d) -> (...)
    Units: radians, from 0 to pi.
    Raises: ValueError for a zero vector, which has no direction.
    Source: W. Kahan, "How Futile are Mindless Assessments of Roundoff" (2006), section 12. The
        angle between unit vectors u and v is 2 atan2(|u - v|, |u + v|). arccos(cosine) is the
        same on paper, but near 0 and pi the cosine is flat: angles below 1e-8 come back as 0.
    Example:
        >>> print(np.degrees(angle([1, 0], [1, 1])).round(1))
        45.0
    """
    a, b = _of_one_width(a=a, b=b)
    u, v = _directions("a", a), _directions("b", b)
    return 2 * np.arctan2(norm(u - v), norm(u + v))


def projection_length(b: np.ndarray, onto: np.ndarray) -> np.ndarray:
    """How far b reaches along the direction of `onto`: |b| cos(angle), negative when against it.

    Shapes: b (..., d), onto (..., d) -> (...)
    Units: those of b.
    Raises: ValueError where `onto` is a zero vector, which has no direction.
    Example:
        >>> print(projection_length([3, 3], onto=[4, 0]))
        3.0
    """
    b, onto = _of_one_width(b=b, onto=onto)
    return (b * _directions("onto", onto)).sum(axis=-1)


def projection(b: np.ndarray, onto: np.ndarray) -> np.ndarray:
    """The part of b that lies along `onto`; the rest of b is perpendicular to it.

    Shapes: b (..., d), onto (..., d) -> (..., d)
    Raises: ValueError where `onto` is a zero vector, which has no direction.
    Example:
        >>> print(projection([3, 3], onto=[4, 0]))
        [3. 0.]
    """
    b, onto = _of_one_width(b=b, onto=onto)
    direction = _directions("onto", onto)
    return (b * direction).sum(axis=-1, keepdims=True) * direction


def pairwise_dots(q: np.ndarray, k: np.ndarray) -> np.ndarray:
    """Every query with every key: entry (i, j) is dot(q[i], k[j]).

    Shapes: q (..., t, d), k (..., s, d) -> (..., t, s)
    Source: Vaswani et al., "Attention Is All You Need" (2017), equation 1: the product Q K^T.
    Example:
        >>> print(pairwise_dots([[1, 0, 1], [0, 1, 0]], [[1, 0, 1], [0, 1, 0]]))
        [[2. 0.]
         [0. 1.]]
    """
    q, k = _of_one_width(q=q, k=k, rank=2)
    return q @ np.swapaxes(k, -1, -2)


def pairwise_cosines(q: np.ndarray, k: np.ndarray) -> np.ndarray:
    """The cosine of every query with every key: entry (i, j) is cosine(q[i], k[j]).

    Shapes: q (..., t, d), k (..., s, d) -> (..., t, s)
    Raises: ValueError for a zero vector, which has no direction.
    Example:
        >>> print(pairwise_cosines([[1, 0, 1], [0, 1, 0]], [[1, 0, 1], [0, 1, 0]]).round(6))
        [[1. 0.]
         [0. 1.]]
    """
    q, k = _of_one_width(q=q, k=k, rank=2)
    return np.clip(_directions("q", q) @ np.swapaxes(_directions("k", k), -1, -2), -1, 1)


def _vectors(name: str, given, rank: int = 1) -> np.ndarray:
    """`given` as a float array whose last axis holds vectors, or the reason why it is none."""
    try:
        array = np.asarray(given)
    except ValueError as error:
        raise ValueError(f"{name} is ragged: its rows differ in length") from error
    if array.dtype.kind not in "biuf":
        held = "other objects" if array.dtype == object else array.dtype
        raise TypeError(f"{name} holds {held}; expected real numbers")
    if array.ndim < rank:
        wanted = {1: "a vector of shape (d,)", 2: "rows of vectors, of shape (n, d)"}[rank]
        came = f"an array of shape {array.shape}" if array.ndim else "a single number"
        raise ValueError(f"{name} is {came}; expected {wanted}")
    if array.shape[-1] == 0:
        raise ValueError(f"{name} has shape {array.shape}; a vector needs at least one entry")
    return array if array.dtype.kind == "f" else array.astype(float)


def _of_one_width(rank: int = 1, **given) -> list[np.ndarray]:
    """The two named arguments as arrays of vectors that share one width and broadcast."""
    arrays = {name: _vectors(name, value, rank) for name, value in given.items()}
    (first, one), (second, other) = arrays.items()
    if one.shape[-1] != other.shape[-1]:
        raise ValueError(
            f"{first} has vectors of width {one.shape[-1]} but {second} of width "
            f"{other.shape[-1]}: both need the same d"
        )
    try:
        np.broadcast_shapes(one.shape[:-rank], other.shape[:-rank])
    except ValueError as error:
        raise ValueError(
            f"{first} has shape {one.shape} but {second} has shape {other.shape}: "
            f"the axes before the last {'two ' if rank == 2 else ''}must match or be 1"
        ) from error
    return list(arrays.values())


def _directions(name: str, vectors: np.ndarray) -> np.ndarray:
    """The vectors at length 1; refuses zero vectors by the name of the argument."""
    lengths = norm(vectors)
    if (lengths == 0).any():
        where = tuple(map(int, np.argwhere(lengths == 0)[0]))
        place = f"{name}[{', '.join(map(str, where))}]" if where else name
        raise ValueError(f"{place} is a zero vector: it has no direction")
    return vectors / lengths[..., None]
