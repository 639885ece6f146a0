"""Turning an arrow of the plane around its tail.

turned([4, 3], 90)      # array([-3.,  4.])
"""

import numpy as np


def turned(arrow, degrees: float) -> np.ndarray:
    """An arrow of the plane, turned to the left by so many degrees.

    arrow: (2,)   returns: (2,)

    Example:
        >>> turned([4, 3], 90).round(3).tolist()
        [-3.0, 4.0]
    """
    x, y = np.asarray(arrow, dtype=float)
    turn = np.radians(degrees)
    return np.array([x * np.cos(turn) - y * np.sin(turn), x * np.sin(turn) + y * np.cos(turn)])
