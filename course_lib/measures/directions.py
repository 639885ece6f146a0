"""Random directions: how much room a space has for strangers.

Axes: n counts directions, d is the width of each.
"""

import numpy as np

from course_lib.kernels.vectors import normalize, pairwise_dots

ROWS_AT_ONCE = 512  # 512 rows against 5120 directions take 10 MB in float32; all at once 105 MB


def random_directions(n: int, d: int, rng: np.random.Generator) -> np.ndarray:
    """n unit vectors of width d, every direction equally likely.

    Shapes: -> (n, d), float32
    Raises: ValueError if n or d is below 1.
    Source: Muller, "A note on a method for generating points uniformly on n-dimensional spheres"
        (1959): normal entries have no preferred direction, so only their length must go.
    """
    for name, size in (("n", n), ("d", d)):
        if size < 1:
            raise ValueError(f"{name} is {size}; expected at least 1")
    return normalize(rng.standard_normal((n, d), dtype=np.float32))


def largest_cosine(directions: np.ndarray) -> float:
    """The cosine, without its sign, of the pair that is furthest from perpendicular.

    Shapes: directions (n, d), each of length 1 -> one number from 0 to 1
    Raises: ValueError if there are fewer than two directions.
    """
    if np.ndim(directions) != 2 or len(directions) < 2:
        shape = np.shape(directions)
        raise ValueError(f"directions has shape {shape}; expected (n, d) with at least two rows")
    largest = 0.0
    for start in range(0, len(directions), ROWS_AT_ONCE):
        # Each pair once: only with itself and with what comes after, then without itself.
        rows = directions[start : start + ROWS_AT_ONCE]
        cosines = pairwise_dots(rows, directions[start:])
        np.fill_diagonal(cosines, 0)
        largest = max(largest, float(cosines.max()), -float(cosines.min()))
    return min(largest, 1.0)
