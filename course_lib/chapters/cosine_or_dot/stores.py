"""Five stores of chapter 2, each with one question: what does it find by which metric?

first_hit(store, "distance")   # the name of the row that it finds first
all_hits(store, "any")         # what it finds by each of the three, each name once
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from course_lib.kernels.vectors import cosine, norm

COSINE, INNER_PRODUCT, DISTANCE = "cosine", "inner product", "distance"
ANY = "any"  # where all lengths are 1; then the cheapest is taken, the inner product
SCORES: dict[str, Callable[[np.ndarray, np.ndarray], np.ndarray]] = {
    COSINE: lambda rows, question: cosine(rows, question),
    INNER_PRODUCT: lambda rows, question: rows @ question,
    DISTANCE: lambda rows, question: -norm(rows - question),
}
SCORES_BY_NAME = {**SCORES, ANY: SCORES[INNER_PRODUCT]}
OTHER_NAMES = {"dot product": INNER_PRODUCT, "dot": INNER_PRODUCT, "inner": INNER_PRODUCT}
OTHER_NAMES |= {"euclidean": DISTANCE, "euclidean distance": DISTANCE, "l2": DISTANCE}
OTHER_NAMES |= {"any of the three": ANY, "all three": ANY, "all": ANY}


@dataclass(frozen=True)
class Store:
    """What is stored, one question, and the metric that finds what was wanted.

    asked: the question in a word or two.   question: (2,)   rows: by name, two numbers each
    """

    asked: str
    question: tuple[float, float]
    rows: dict[str, tuple[float, float]]
    metric: str

    @property
    def table(self) -> np.ndarray:
        """The rows as a table, (n, 2)."""
        return np.array(list(self.rows.values()))


STORES = {
    "notes": Store(
        "plum jam",
        (1.0, 0.0),
        {"jam": (2.05, 0.25), "diary": (4.2, 2.1), "a bill": (0.8, -0.6)},
        COSINE,
    ),
    "songs": Store(
        "next song",
        (1.6, 0.0),
        {
            "a hit": (3.0, 1.1),
            "rare song": (0.9, 0.27),
            "a poor fit": (1.2, 0.55),
        },
        INNER_PRODUCT,
    ),
    "bakeries": Store(
        "bread",
        (2.0, 1.0),  # km to the east and to the north
        {
            "corner": (1.4, 1.6),
            "station": (4.6, 2.7),
            "airport": (6.0, 1.1),
        },
        DISTANCE,
    ),
    "whole": Store(
        "heating",
        (1.0, 0.0),
        {"heating bill": (0.8, -0.6), "water bill": (0.28, 0.96)},
        ANY,
    ),
    "cut": Store(
        "dentist",
        (0.9, 0.0),
        {"dentist": (0.33, 0.1), "diary": (0.7, 0.5)},
        COSINE,
    ),
}


def metric_named(name: object) -> str:
    """The metric that is meant by a name, however it is written; "" where none is."""
    plain = " ".join(str(name).lower().replace("_", " ").split())
    plain = OTHER_NAMES.get(plain, plain)
    return plain if plain in SCORES_BY_NAME else ""


def first_hit(store: Store, metric: str) -> str:
    """What the store finds first for its question."""
    scores = SCORES_BY_NAME[metric](store.table, np.array(store.question))
    return list(store.rows)[int(scores.argmax())]


def metrics_of(choice: str) -> tuple[str, ...]:
    """The metrics that a choice stands for: one, by "any" all of them, and by none none."""
    return tuple(SCORES) if choice == ANY else (choice,) if choice else ()


def all_hits(store: Store, choice: str) -> list[str]:
    """What the store may find first by a choice: one row, by "any" up to three."""
    return list(dict.fromkeys(first_hit(store, metric) for metric in metrics_of(choice)))
