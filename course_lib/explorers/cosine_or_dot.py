"""The explorers of chapter 2, cosine or dot."""

from functools import lru_cache

import numpy as np

from course_lib.explorers.engine.explorer import Drawing, Explorer, Goal
from course_lib.explorers.engine.sliders import FloatRange, IntRange
from course_lib.figures.heat_map import WEIGHTS
from course_lib.figures.theme import FAINT, GHOST, INK, KEY, OUTPUT, QUERY, SMALL
from course_lib.figures.vectors import draw_ghost, draw_plane, draw_vector
from course_lib.kernels.directions import random_directions
from course_lib.kernels.softmax import softmax
from course_lib.kernels.vectors import norm, normalize, pairwise_cosines
from course_lib.words import say

# The loud key: which share of the queries picks it

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

# The length of a query against the length of a key

NAMES = ("A", "B", "C")
COSINES = np.array([1.0, 0.8, 0.1])
DIRECTIONS = np.stack([COSINES, np.sqrt(1 - COSINES**2)], axis=1)


def two_lengths(*, query, key_c, cosine_matrix) -> dict:
    """One query and three keys, the last of length `key_c`: weights from dot and from cosine."""
    q = query * np.array([[1.0, 0.0]])
    keys = DIRECTIONS * np.array([[1.0], [1.0], [key_c]])
    cosines = np.array(cosine_matrix(q, keys), dtype=float)
    if cosines.shape != (1, len(keys)):
        raise ValueError(f"cosine_matrix gave shape {cosines.shape}; expected (1, {len(keys)})")
    scores = (q @ keys.T)[0]
    return {
        "scores": scores,
        "by_dot": softmax(scores),
        "by_cosine": softmax(cosines[0]),
    }


def draw_two_lengths(figure, data) -> Drawing:
    """Two sets of three bars: the weights from the dot product and from the cosine."""
    panels = figure.subplots(1, 2)
    drawn = [
        _Weights(axes, data[name])
        for axes, name in zip(panels, ("by_dot", "by_cosine"), strict=True)
    ]
    panels[0].set_ylabel(say("weight"))
    panels[1].set_yticks([])

    def update(data) -> None:
        best = int(data["by_dot"].argmax())
        drawn[0].move(data["by_dot"])
        drawn[1].move(data["by_cosine"])
        drawn[0].title.set_text(
            say(
                "dot: {name} leads with {weight:.2f}", name=NAMES[best], weight=data["by_dot"][best]
            )
        )
        best = int(data["by_cosine"].argmax())
        drawn[1].title.set_text(
            say("cosine: {name} leads with {weight:.2f}", name=NAMES[best],
                weight=data["by_cosine"][best])
        )  # fmt: skip

    return Drawing(update, moving=[artist for one in drawn for artist in one.artists])


class _Weights:
    """Three bars with their number on top; the start stays behind as an outline, open above."""

    def __init__(self, axes, start):
        axes.set(ylim=(0, 1.18), yticks=(0, 0.5, 1), xlim=(-0.6, 2.6), xticks=range(3))
        axes.set_xticklabels(
            [f"{name}\ncos {cosine:g}" for name, cosine in zip(NAMES, COSINES, strict=True)]
        )
        axes.tick_params(axis="x", length=0)
        for place, weight in enumerate(start):  # open, so that no line crosses a number
            for side in (-1, 1):
                x = place + side * np.array([0.3, 0.4, 0.4])
                axes.plot(x, [weight, weight, 0], color=GHOST, linewidth=1)
        self._bars = axes.bar(range(3), start, width=0.6, color=WEIGHTS(0.75))
        self._numbers = [
            axes.text(i, 0, "", ha="center", va="bottom", fontsize=SMALL) for i in range(3)
        ]
        self.title = axes.set_title("")
        self.artists = [*self._bars, *self._numbers, self.title]

    def move(self, weights) -> None:
        for bar, number, weight in zip(self._bars, self._numbers, weights, strict=True):
            bar.set_height(float(weight))
            number.set_y(float(np.clip(weight, 0, 1)) + 0.02)
            number.set_text(f"{weight:.3f}")


def describe_two_lengths(params, data) -> str:
    """The picture in words."""
    return say(
        "The query is {query:g} long and key C {key_c:g}. From dot products, A gets {a:.3f}, B "
        "{b:.3f} and C {c:.3f}; from cosines {x:.3f}, {y:.3f} and {z:.3f}.",
        query=params["query"], key_c=params["key_c"],
        **dict(zip("abc", map(float, data["by_dot"]), strict=True)),
        **dict(zip("xyz", map(float, data["by_cosine"]), strict=True)),
    )  # fmt: skip


explore_two_lengths = Explorer(
    two_lengths,
    draw_two_lengths,
    describe_two_lengths,
    sliders={
        "query": FloatRange(0.1, 10, start=1.0, label="length of the query", log=True),
        "key_c": FloatRange(1, 30, start=1.0, step=0.5, label="length of key C"),
    },
    functions={"cosine_matrix": pairwise_cosines},
    numbers=lambda params, data: [
        (
            say("key {name}: score, weight by dot, weight by cosine", name=name),
            f"{score:.2f}, {dot:.3f}, {cosine:.3f}",
        )
        for name, score, dot, cosine in zip(
            NAMES, data["scores"], data["by_dot"], data["by_cosine"], strict=True
        )
    ],
    goal=Goal(
        "C points almost across the query. Leave the query at length 1 and find the shortest C "
        "that takes more than .6 of the attention.",
        lambda params, data: (
            params["query"] == 1 and data["by_dot"][2] > 0.6 and params["key_c"] <= 20.5
        ),
        solution={"key_c": 20.5},
    ),
)

# Distance against cosine

A = np.array([1.0, 0.0])
BREAK_EVEN = 1 + np.sqrt(2)


def two_measures(*, length, angle, unit_rows) -> dict:
    """A; B in its direction, of `length`; C of length 1, turned by `angle`: which one is nearer?"""
    turn = np.radians(angle)
    free = np.array([A, length * A, [np.cos(turn), np.sin(turn)]])
    units = np.array(unit_rows(free), dtype=float)
    if units.shape != free.shape:
        raise ValueError(f"unit_rows gave shape {units.shape} for {free.shape}")
    return {
        "free": free,
        "units": units,
        "far": norm(free[1:] - free[0]),
        "far_units": np.sqrt(((units[1:] - units[0]) ** 2).sum(axis=1)),
        "cosine": pairwise_cosines(free[:1], free[1:])[0],
    }


def draw_two_measures(figure, data) -> Drawing:
    """Above the three arrows as they are, below at length 1, with the distances from A."""
    names = say("as they are"), say("at length 1")
    panels = [
        _Distances(axes, name) for axes, name in zip(figure.subplots(2, 1), names, strict=True)
    ]
    draw_ghost(panels[0].axes, data["free"][1], "")

    def update(data) -> None:
        for panel, points, far in zip(panels, ("free", "units"), ("far", "far_units"), strict=True):
            panel.move(data[points], data[far])

    return Drawing(update, moving=[artist for panel in panels for artist in panel.artists])


class _Distances:
    """Three arrows in a plane, and dashed lines from the tip of A to those of B and C."""

    def __init__(self, axes, name):
        self.axes, self._name = draw_plane(axes, 4.4), name
        axes.set(xlim=(-1.4, 4.4), ylim=(-0.75, 1.35))
        self._lines = [
            axes.plot([], [], color=color, linewidth=1.8, linestyle=style, zorder=6)[0]
            for color, style in ((INK, (0, (1, 1))), (OUTPUT, (0, (4, 2))))
        ]
        self._arrows = [
            draw_vector(axes, (1, 0), color, name, side=side, width=0.7)
            for color, name, side in ((KEY, "B", 1), (KEY, "C", 1), (QUERY, "A", -1))
        ]
        self._title = axes.set_title("")
        moving = [artist for arrow in self._arrows for artist in arrow.artists]
        self.artists = [*moving, *self._lines, self._title]

    def move(self, points, far) -> None:
        for arrow, tip in zip(self._arrows, (points[1], points[2], points[0]), strict=True):
            arrow.move(tip)
        below = np.array([0, -0.16])  # beside the arrows, which lie upon each other
        self._lines[0].set_data(*np.transpose([points[0] + below, points[1] + below]))
        self._lines[1].set_data(*np.transpose([points[0], points[2]]))
        template = "{how}: B is {b:.2f} from A, C is {c:.2f}: {name} is nearer"
        if np.isclose(far[0], far[1], atol=1e-6):
            template = "{how}: B and C are both {b:.2f} from A"
        name = "C" if far[1] < far[0] else "B"
        self._title.set_text(say(template, how=self._name, b=far[0], c=far[1], name=name))


def describe_two_measures(params, data) -> str:
    """The picture in words."""
    return say(
        "B points as A does and is {length:g} long, C is turned by {angle} degrees. Distances from "
        "A: B {b:.2f}, C {c:.2f}. At length 1: B {x:.2f}, C {y:.2f}. Cosines with A: B {p:.2f}, C "
        "{q:.2f}.",
        length=params["length"], angle=params["angle"],
        **dict(zip("bc", map(float, data["far"]), strict=True)),
        **dict(zip("xy", map(float, data["far_units"]), strict=True)),
        **dict(zip("pq", map(float, data["cosine"]), strict=True)),
    )  # fmt: skip


explore_two_measures = Explorer(
    two_measures,
    draw_two_measures,
    describe_two_measures,
    sliders={
        "length": FloatRange(0.5, 4, start=2.0, step=0.05, label="length of B"),
        "angle": IntRange(10, 170, start=90, label="angle of C in degrees"),
    },
    functions={"unit_rows": normalize},
    numbers=lambda params, data: [
        (
            say("{name}: distance, distance at length 1, cosine", name=name),
            f"{far:.2f}, {unit:.2f}, {cos:.2f}",
        )
        for name, far, unit, cos in zip(
            "BC", data["far"], data["far_units"], data["cosine"], strict=True
        )
    ],
    size=(6.5, 4.4),
    goal=Goal(
        "Leave C at 90 degrees. Find the shortest B that distance puts behind C, although B points "
        "exactly as A does.",
        lambda params, data: (
            params["angle"] == 90 and BREAK_EVEN < params["length"] < BREAK_EVEN + 0.05
        ),
        solution={"length": 2.45},
    ),
)
