"""Five kinds of queries and keys, and how far their scores spread when a learner has divided them.

try_divisors(choose_divisors)     # prints what is left of each, at two widths
"""

from collections.abc import Callable

import numpy as np

from course_lib.words import say

PAIRS, SEED = 4000, 3
WIDTHS = (16, 256)
LEFT = "width {d:3}, {name:10} divided by {by:6.2f}: mean {mean:.1f}, spread {spread:.1f}"


def situations(d: int, rng: np.random.Generator) -> dict[str, np.ndarray]:
    """The scores of PAIRS pairs of width d, for each of the five.

    d: even
    Shapes: each of them (PAIRS,)
    """
    q, k = rng.normal(size=(2, PAIRS, d))
    emptied = k * (np.arange(d) % 2)
    return {
        "strangers": (q * k).sum(axis=1),
        "loud": (3 * q * 3 * k).sum(axis=1),
        "half_empty": (q * emptied).sum(axis=1),
        "twins": (q * q).sum(axis=1),
        "averaged": (q * k).mean(axis=1),
    }


def try_divisors(choose_divisors: Callable) -> None:
    """Print, for each of the five, what its scores are after they were divided.

    choose_divisors: from a width to five divisors, in the order of `situations`
    """
    for d in WIDTHS:
        scores = situations(d, np.random.default_rng(SEED))
        for (name, one), divisor in zip(scores.items(), choose_divisors(d), strict=True):
            divided = one / divisor
            mean, spread = abs(divided.mean()), divided.std()
            print(say(LEFT, d=d, name=name, by=float(divisor), mean=mean, spread=spread))
