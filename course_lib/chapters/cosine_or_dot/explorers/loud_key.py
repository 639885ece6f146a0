"""Explorer `loud_key`: which share of the queries picks a key that is made longer."""

from functools import lru_cache

import numpy as np

from course_lib.figures.theme import FAINT, GHOST, INK, KEY, QUERY, SMALL
from course_lib.kernels.vectors import norm, normalize
from course_lib.measures.directions import random_directions
from course_lib.sliding.explorer import Drawing, Explorer, Goal
from course_lib.sliding.sliders import FloatRange
from course_lib.words import say

KEYS, QUERIES, WIDTH, SHOWN = 1000, 4000, 64, 120
LENGTHS = np.geomspace(1, 1000, 61)
AT_ONCE = 250  # queries: their scores take 1 MB in float32, those of all 16 MB


@lru_cache(maxsize=1)
def _crowd() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Keys and queries of length 1, and each query's best score among the ordinary keys."""
    rng = np.random.default_rng(0)
    keys, queries = (random_directions(n, WIDTH, rng) for n in (KEYS, QUERIES))
    best = _best(queries, keys[1:])
    for array in (keys, queries, best):
        array.flags.writeable = False  # cached: nobody may change it
    return keys, queries, best


def _best(queries: np.ndarray, keys: np.ndarray) -> np.ndarray:
    """Each query's best score. Shapes: queries (t, d), keys (s, d) -> (t,)"""
    blocks = np.split(queries, range(AT_ONCE, len(queries), AT_ONCE))
    return np.concatenate([(block @ keys.T).max(axis=1) for block in blocks])


def loud_key(*, length, unit_rows) -> dict:
    """The first of 1000 keys made longer: who picks it, by dot product and after `unit_rows`."""
    keys, queries, best = _crowd()
    lengths = np.where(np.arange(KEYS) == 0, length, 1)[:, None].astype(np.float32)
    own = queries @ (length * keys[0])
    normalised = np.array(unit_rows(keys * lengths), dtype=np.float32)
    if normalised.shape != keys.shape:
        raise ValueError(f"unit_rows gave shape {normalised.shape} for {keys.shape}")
    if np.allclose(normalised[1:], keys[1:], atol=1e-5):
        quiet_best = best
    else:
        quiet_best = _best(queries, normalised[1:])
    return {
        "length": float(length),
        "heard": max(float(norm(normalised[0])), 1e-9),  # its length after unit_rows
        "cosine": (queries @ keys[0])[:SHOWN],
        "best": best[:SHOWN],
        "won": (own > best)[:SHOWN],
        "share": float((own > best).mean()),
        "by_cosine": float((queries @ normalised[0] > quiet_best).mean()),
    }


def draw_loud_key(figure, data) -> Drawing:
    """Left the queries and the line right of which the loud key wins; right its share."""
    left, right = figure.subplots(1, 2, width_ratios=(1.1, 1))
    left.set(xlim=(-0.5, 0.5), ylim=(0.2, 0.6), xticks=(-0.4, 0, 0.4), yticks=(0.2, 0.4, 0.6))
    left.set(xlabel=say("cosine with the loud key"), ylabel=say("best score of the others"))
    left.axvline(0, color=FAINT, linewidth=1, zorder=0)
    (others,) = left.plot([], [], "o", color=GHOST, markersize=2.5, linestyle="none")
    (won,) = left.plot([], [], "o", color=KEY, markersize=4.5, linestyle="none")
    (line,) = left.plot([], [], color=INK, linewidth=1.5)
    (dashed,) = left.plot([], [], color=QUERY, linewidth=1.5, linestyle=(0, (4, 3)))
    right.set(xlim=(0.8, 1250), ylim=(-4, 60), xscale="log", xlabel=say("length of the loud key"))
    right.set(xticks=(1, 10, 100, 1000), xticklabels=("1", "10", "100", "1000"))
    right.set(yticks=(0, 25, 50), yticklabels=("0 %", "25 %", "50 %"))
    right.minorticks_off()
    right.axhline(50, color=FAINT, linewidth=1, zorder=0)
    right.plot(LENGTHS, 100 * _shares(), color=GHOST, linewidth=1.5)
    right.text(25, 33, say("dot product"), color=KEY, fontsize=SMALL)
    right.text(25, 4, say("cosine"), color=QUERY, fontsize=SMALL)
    (quiet,) = right.plot([], [], "s", color=QUERY, markersize=8)
    (here,) = right.plot([], [], "o", color=KEY, markersize=10)
    left.set_title(say("right of the line: it wins"))
    value = right.set_title("")

    def update(data) -> None:
        x, y, mine = data["cosine"], data["best"], data["won"]
        others.set_data(x[~mine], y[~mine]), won.set_data(x[mine], y[mine])
        line.set_data([0, 1 / data["length"]], [0, 1])  # where length · cosine is the others' best
        dashed.set_data([0, 1 / data["heard"]], [0, 1])
        here.set_data([data["length"]], [100 * data["share"]])
        quiet.set_data([data["length"]], [100 * data["by_cosine"]])
        value.set_text(say("picked by {share:.1%}", share=data["share"]))

    return Drawing(update, moving=[others, won, line, dashed, quiet, here, value])


@lru_cache(maxsize=1)
def _shares() -> np.ndarray:
    """By dot product, the loud key's share of the queries at each of LENGTHS."""
    keys, queries, best = _crowd()
    own = queries @ keys[0]
    return np.array([(length * own > best).mean() for length in LENGTHS])


def describe_loud_key(params, data) -> str:
    """The picture in words."""
    return say(
        "The loud key is {length:g} long, the 999 others 1. By dot product {share:.1%} of the "
        "queries pick it; with all keys brought to length 1, {by_cosine:.1%}.",
        **{name: data[name] for name in ("length", "share", "by_cosine")},
    )


explore_loud_key = Explorer(
    loud_key,
    draw_loud_key,
    describe_loud_key,
    sliders={"length": FloatRange(1, 1000, start=1, label="length of the loud key", log=True)},
    functions={"unit_rows": normalize},
    numbers=lambda params, data: [
        (say("length of the loud key"), f"{data['length']:g}"),
        (say("picked, by dot product"), f"{data['share']:.1%}"),
        (say("picked, by cosine"), f"{data['by_cosine']:.1%}"),
        (say("its length after unit_rows"), f"{data['heard']:.3g}"),
        (say("one key's even share of the queries"), f"{1 / KEYS:.1%}"),
    ],
    goal=Goal(
        "How long must one key be to be picked by two queries of five? Find a length at which the "
        "dot product gives it 39 to 41 percent.",
        lambda params, data: 0.39 <= data["share"] <= 0.41,
        solution={"length": 12.0},
    ),
)
