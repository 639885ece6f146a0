"""Five stores of chapter 2, each with one question: what does it find by which metric?

small_stores()                # the rows of each store by its name, to be looked at
try_metrics(which_metric)     # prints what each store finds with the learner's choices
try_metrics("inner product")  # which stores miss what was wanted by one metric for all of them
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from course_lib.kernels.vectors import cosine, norm
from course_lib.words import say

COSINE, INNER_PRODUCT, DISTANCE = "cosine", "inner product", "distance"
ANY = "any"  # where all lengths are 1; then the cheapest is taken, the inner product
SCORES: dict[str, Callable[[np.ndarray, np.ndarray], np.ndarray]] = {
    COSINE: lambda rows, question: cosine(rows, question),
    INNER_PRODUCT: lambda rows, question: rows @ question,
    DISTANCE: lambda rows, question: -norm(rows - question),
}
SCORES_BY_NAME = {**SCORES, ANY: SCORES[INNER_PRODUCT]}
OTHER_NAMES = {"dot product": INNER_PRODUCT, "dot": INNER_PRODUCT, "inner": INNER_PRODUCT}
OTHER_NAMES |= {"any of the three": ANY, "all three": ANY, "all": ANY}
EVERYWHERE = "{metric} everywhere: {missed} of {count} stores miss what was wanted"
FOUND = "{name:9} asked for {asked}, it finds {found}"


@dataclass(frozen=True)
class Store:
    """What is stored, one question, and the metric that finds what was wanted.

    question: (2,)   rows: by name, two numbers each
    """

    asked: str
    question: tuple[float, float]
    rows: dict[str, tuple[float, float]]
    metric: str


STORES = {
    "notes": Store(
        "plum jam",
        (1.0, 0.0),
        {"12 jam recipes": (12.0, 1.0), "the travel diary": (30.0, 40.0), "a bill": (0.6, 0.8)},
        COSINE,
    ),
    "songs": Store(
        "one listener's next song",
        (1.0, 0.0),
        {
            "a hit that fits": (3.0, 1.0),
            "a demo that nobody plays": (0.4, 0.0),
            "a song that half fits": (0.9, 0.5),
        },
        INNER_PRODUCT,
    ),
    "bakeries": Store(
        "bread, 2 km east and 1 km north",
        (2.0, 1.0),
        {
            "the one at the corner": (2.2, 0.6),
            "the one five roads on": (6.0, 3.0),
            "the one at the airport": (9.0, 8.0),
        },
        DISTANCE,
    ),
    "whole": Store(
        "the heating",
        (1.0, 0.0),
        {"the heating bill": (0.96, 0.28), "the water bill": (0.6, 0.8)},
        ANY,
    ),
    "cut": Store(
        "the dentist's number",
        (0.9, 0.0),
        {"the dentist's number": (0.3, 0.02), "the travel diary": (0.7, 0.5)},
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
    rows = np.array(list(store.rows.values()))
    return list(store.rows)[int(SCORES_BY_NAME[metric](rows, np.array(store.question)).argmax())]


def small_stores() -> dict[str, np.ndarray]:
    """What lies in each store: by its name the table of its rows, two numbers each."""
    return {name: np.array(list(store.rows.values())) for name, store in STORES.items()}


def try_metrics(which_metric: Callable | str) -> None:
    """Print what each store finds first, by the metric that was chosen for it.

    which_metric: without arguments, to the names of metrics in the order of STORES; or one name
    of a metric for all of them, and then only the stores that miss what was wanted are printed
    """
    if not isinstance(which_metric, str):
        for (name, store), metric in zip(STORES.items(), which_metric(), strict=True):
            _print_found(name, store, first_hit(store, metric_named(metric)))
        return
    found = {name: first_hit(store, which_metric) for name, store in STORES.items()}
    missed = [
        name for name, store in STORES.items() if found[name] != first_hit(store, store.metric)
    ]
    print("\n" + say(EVERYWHERE, metric=which_metric, missed=len(missed), count=len(STORES)))
    for name in missed:
        _print_found(name, STORES[name], found[name])


def _print_found(name: str, store: Store, found: str) -> None:
    print(say(FOUND, name=name, asked=say(store.asked), found=say(found)))
