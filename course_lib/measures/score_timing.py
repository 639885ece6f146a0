"""How long a table of scores takes, as a ratio to the dot product's: measured, or as recorded.

    ratios = measure(d=64, rounds=9)      # on this machine, now; takes about a minute
    recorded()["ratios"]["64"]            # what benchmarks/score_cost.py once found

Only ratios are kept: on another machine the milliseconds are others, the ratios less so. Each way
is timed in turn with the dot product, in several rounds, in an order drawn anew.
"""

import json
import statistics
import time
from collections.abc import Callable
from importlib.resources import files

import numpy as np

ROWS = 1000  # queries, and as many keys
AT_ONCE = 20  # queries of the additive score at a time: their tanh stay in the processor's cache
PAIRS = 100  # of those that are scored one by one; the time is then taken for all pairs
AT_MOST_TURNS, ENOUGH = 30, 0.6  # turns, seconds
RECORD = "score_ratios.json"


def ways(d: int, rng: np.random.Generator) -> dict[str, tuple[Callable[[], object], int]]:
    """Each way to score ROWS queries with ROWS keys of width d, and how many pairs one call does.

    Shapes: arrays in float32, as in a model.
    """
    q, k = (rng.standard_normal((ROWS, d), dtype=np.float32) for _ in range(2))
    w = rng.standard_normal((d, d), dtype=np.float32) / d
    v = rng.standard_normal(d, dtype=np.float32)
    unit_q, unit_k = _unit(q), _unit(k)
    everything = ROWS * ROWS
    return {
        "dot": (lambda: q @ k.T, everything),
        "dot again": (lambda: q @ k.T, everything),
        "cosine, rows stored at length 1": (lambda: unit_q @ unit_k.T, everything),
        "cosine, rows brought to length 1": (lambda: _unit(q) @ _unit(k).T, everything),
        "cosine, table divided at the end": (lambda: _divided(q, k), everything),
        "bilinear, q w once": (lambda: (q @ w) @ k.T, everything),
        "bilinear, pair by pair": (lambda: _pair_by_pair(q, k, w), PAIRS),
        "additive": (lambda: _additive(q, k, w, v, np.tanh), everything),
        "additive, without its tanh": (lambda: _additive(q, k, w, v, None), everything),
    }


def measure(d: int, rounds: int = 9, seed: int = 0) -> dict[str, list[float]]:
    """For each way its time over that of "dot", a pair each: median, and the middle half's ends.

    Raises: ValueError, if rounds is below 3.
    """
    if rounds < 3:
        raise ValueError(f"rounds is {rounds}; a median with a spread needs at least 3")
    rng = np.random.default_rng(seed)
    found = ways(d, rng)
    dot, all_pairs = found.pop("dot")
    for run, _ in found.values():
        run()  # warm
    ratios: dict[str, list[float]] = {name: [] for name in found}
    for _ in range(rounds):
        for name in rng.permutation(list(found)).tolist():
            run, pairs = found[name]
            ratios[name].append(_times_as_long(run, dot) * all_pairs / pairs)
    return {name: _middle(values) for name, values in ratios.items()}


def recorded() -> dict:
    """The recorded measurement: "date", "machine", "versions", and "ratios" by width and way."""
    return json.loads(files(__package__).joinpath(RECORD).read_text(encoding="utf-8"))


def _times_as_long(run: Callable[[], object], dot: Callable[[], object]) -> float:
    """The shortest time of `run` over the shortest of `dot`, measured in turn, dot on both sides.

    Other work on the machine then slows both alike. At least two turns, at most AT_MOST_TURNS or
    until ENOUGH seconds are over.
    """
    begun = time.perf_counter()
    ours: list[float] = []
    dots: list[float] = []
    while len(ours) < 2 or (len(ours) < AT_MOST_TURNS and time.perf_counter() - begun < ENOUGH):
        dots.append(_seconds(dot))
        ours.append(_seconds(run))
        dots.append(_seconds(dot))
    return min(ours) / min(dots)


def _seconds(run: Callable[[], object]) -> float:
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def _middle(values: list[float]) -> list[float]:
    low, middle, high = statistics.quantiles(values, n=4)
    return [middle, low, high]


def _unit(x: np.ndarray) -> np.ndarray:
    return x / np.sqrt(np.einsum("nd,nd->n", x, x))[:, None]


def _divided(q: np.ndarray, k: np.ndarray) -> np.ndarray:
    lengths = [np.sqrt(np.einsum("nd,nd->n", x, x)) for x in (q, k)]
    return (q @ k.T) / np.outer(*lengths)


def _pair_by_pair(q: np.ndarray, k: np.ndarray, w: np.ndarray) -> list:
    return [q[i] @ w @ k[i] for i in range(PAIRS)]


def _additive(q: np.ndarray, k: np.ndarray, w: np.ndarray, v: np.ndarray, bend) -> np.ndarray:
    left, right, scores = q @ w, k @ w, np.empty((len(q), len(k)), dtype=q.dtype)
    hidden = np.empty((AT_ONCE, *right.shape), dtype=q.dtype)
    for start in range(0, len(q), AT_ONCE):
        np.add(left[start : start + AT_ONCE, None], right, out=hidden)
        if bend is not None:
            bend(hidden, out=hidden)
        np.matmul(hidden, v, out=scores[start : start + AT_ONCE])
    return scores
