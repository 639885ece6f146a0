"""What several modules of tests of chapters share."""

import itertools

import numpy as np

EVERYWHERE = [  # places of the query in chapter 1's map
    {"alive": x, "food": y}
    for x, y in itertools.product(np.linspace(-2.5, 2.5, 11), np.linspace(-1.5, 2.5, 9))
]
TEXTS = ("", "a", "Giraffe Pogir!", "the quick brown fox jumps over the lazy dog the qui")
FRUIT, FIRM = "anna ate the ripe apple today", "apple released the new phone today"


def data_of(explorer, **setting):
    """What the course's own functions compute for an explorer at a setting."""
    return explorer.frame(**setting).right
