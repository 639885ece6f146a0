"""The explorers of chapter 1, dot product geometry."""

from functools import lru_cache

import numpy as np

from course_lib.explorers.engine.explorer import Drawing, Explorer, Goal
from course_lib.explorers.engine.sliders import FloatRange, IntRange
from course_lib.figures.heat_map import draw_scores
from course_lib.figures.theme import FAINT, GHOST, INK, KEY, OUTPUT, QUERY, SMALL
from course_lib.figures.vectors import (
    draw_angle,
    draw_ghost,
    draw_plane,
    draw_projection,
    draw_vector,
)
from course_lib.kernels import vectors
from course_lib.kernels.directions import largest_cosine, random_directions
from course_lib.words import say

# Two vectors: lengths, angle, dot, cosine, projection

LONGEST = 4.0
TURN = np.radians(np.arange(0, 181, 3))


def _arrows(angle: float, length_a: float, length_b: float) -> tuple[np.ndarray, np.ndarray]:
    turn = np.radians(angle)
    return np.array([length_a, 0.0]), length_b * np.array([np.cos(turn), np.sin(turn)])


def two_vectors(*, angle, length_a, length_b, dot) -> dict:
    """a along the x axis, b turned by `angle` degrees, and what `dot` says of them."""
    a, b = _arrows(angle, length_a, length_b)
    curve = [dot(*_arrows(degrees, length_a, length_b)) for degrees in np.degrees(TURN)]
    return {
        "a": a,
        "b": b,
        "angle": angle,
        "dot": np.asarray(dot(a, b), dtype=float),
        "curve": np.array(curve, dtype=float),
        "reach": float(vectors.projection_length(b, a)),
        "cosine": float(vectors.cosine(a, b)),
    }


def draw_two_vectors(figure, data) -> Drawing:
    """Left the arrows with the projection; right the dot product at every angle."""
    plane, right = figure.subplots(1, 2, width_ratios=(1.6, 1.0))
    draw_plane(plane, 1.15 * LONGEST)
    plane.set_ylim(-0.3 * LONGEST, 1.15 * LONGEST)
    reach, value = plane.set_title(""), right.set_title("")
    draw_ghost(plane, data["b"], "")
    fall = draw_projection(plane, data["b"], data["a"], KEY)
    a, b = (
        draw_vector(plane, data["a"], QUERY, "a", side=-1),
        draw_vector(plane, data["b"], KEY, "b"),
    )
    arc = draw_angle(plane, data["a"], data["b"], radius=0.15)
    right.set(xlim=(-4, 184), ylim=(-17, 17), xlabel=say("angle in degrees"))
    right.set(xticks=(0, 45, 90, 135, 180), yticks=(-16, -8, 0, 8, 16))
    right.axhline(0, color=FAINT, linewidth=1, zorder=0)
    right.plot(np.degrees(TURN), data["curve"], color=GHOST, linewidth=1)
    (curve,) = right.plot([], [], color=OUTPUT)
    (here,) = right.plot([], [], "o", color=OUTPUT, markersize=9)

    def update(data) -> None:
        a.move(data["a"]), b.move(data["b"])
        fall.move(data["b"], data["a"]), arc.move(data["a"], data["b"])
        curve.set_data(np.degrees(TURN), data["curve"])
        here.set_data([data["angle"]], [data["dot"]])
        reach.set_text(say("b reaches {reach:.2f} along a", reach=data["reach"]))
        value.set_text(say("a · b = {dot:.2f}", dot=data["dot"]))

    parts = [*fall.artists, *a.artists, *b.artists, *arc.artists, curve, here]
    return Drawing(update, moving=[*parts, reach, value])


def describe_two_vectors(params, data) -> str:
    """The picture in one sentence."""
    return say(
        "b is {length_b:.1f} long and turned {angle} degrees from a: it reaches {reach:.2f} along "
        "a, which is {length_a:.1f} long. The dot product is {dot:.2f}, the cosine {cosine:.2f}.",
        **{**params, **data},
    )


def numbers_two_vectors(params, data) -> list[tuple[str, str]]:
    """The numbers of the picture, a row each."""
    return [
        (say("a"), "[{:.2f}, {:.2f}]".format(*data["a"])),
        (say("b"), "[{:.2f}, {:.2f}]".format(*data["b"])),
        (say("length of a"), f"{params['length_a']:.2f}"),
        (say("length of b"), f"{params['length_b']:.2f}"),
        (say("reach of b along a"), f"{data['reach']:.2f}"),
        (say("cosine"), f"{data['cosine']:.2f}"),
        (say("dot product"), f"{data['dot']:.2f}"),
    ]


START_DOT = 3.0 * 2.0 * float(np.cos(np.radians(30)))

explore_two_vectors = Explorer(
    two_vectors,
    draw_two_vectors,
    describe_two_vectors,
    sliders={
        "angle": IntRange(0, 180, start=30, label="angle in degrees"),
        "length_a": FloatRange(0.5, LONGEST, start=3.0, step=0.1, label="length of a"),
        "length_b": FloatRange(0.5, LONGEST, start=2.0, step=0.1, label="length of b"),
    },
    functions={"dot": vectors.dot},
    numbers=numbers_two_vectors,
    goal=Goal(
        "Make b twice as long. Then turn it until the dot product is back at its first value, "
        "5.20 (to within 0.1), and leave a as it is.",
        lambda params, data: (
            params["length_a"] == 3.0
            and params["length_b"] == 4.0
            and abs(data["dot"] - START_DOT) < 0.1
        ),
        solution={"angle": 64, "length_b": 4.0},
    ),
)

# Rows times columns: one entry of the table of scores

TRAITS = ("animal", "barks", "sweet", "grows")
QUERIES, Q = ("cat", "dog", "apple"), np.array([[2, -1, 0, -1], [2, 2, -1, -1], [-1, 0, 2, 1]])
KEYS = ("kitten", "puppy", "pear", "tree")
K = np.array([[1, 0, 1, -1], [1, 2, 1, -1], [-1, 0, 2, 1], [-2, -1, 0, 3]])


def rows_and_columns(*, i, j, pairwise_dots) -> dict:
    """All scores of Q with K, and the products that add up to entry (i, j)."""
    scores = np.array(pairwise_dots(Q.astype(float), K.astype(float)), dtype=float)
    if scores.shape != (len(Q), len(K)):
        raise ValueError(
            f"pairwise_dots gave shape {scores.shape}; {len(Q)} queries and {len(K)} keys make "
            f"{(len(Q), len(K))}"
        )
    return {"i": i, "j": j, "scores": scores, "products": Q[i] * K[j]}


def draw_rows_and_columns(figure, data) -> Drawing:
    """q on the left, k transposed above, the scores where a row and a column cross."""
    (corner, above), (left, table) = figure.subplots(
        2, 2, height_ratios=(len(TRAITS), len(QUERIES)), width_ratios=(len(TRAITS), len(KEYS))
    )
    corner.set_axis_off()
    keys = draw_scores(above, K.T, rows=TRAITS, columns=KEYS)
    queries = draw_scores(left, Q, rows=QUERIES, columns=TRAITS)
    scores = draw_scores(table, data["scores"], rows=QUERIES)
    left.set_title(say("q: queries in rows"))
    above.set_title(say("k.T: keys in columns"))
    table.set_title(say("scores: q @ k.T"))
    words = corner.text(
        0.5, 0.5, "", transform=corner.transAxes, ha="center", va="center", fontsize=SMALL,
        color=INK, linespacing=1.5,
    )  # fmt: skip

    def update(data) -> None:
        i, j = data["i"], data["j"]
        queries.highlight(row=i), keys.highlight(column=j), scores.highlight(row=i, column=j)
        scores.update(data["scores"])
        words.set_text(_sum_in_words(data))

    return Drawing(update, moving=[*queries.artists, *keys.artists, *scores.artists, words])


def _sum_in_words(data) -> str:
    i, j = data["i"], data["j"]
    lines = [f"{q:+d} · {k:+d} = {q * k:+d}" for q, k in zip(Q[i], K[j], strict=True)]
    head = say("{query} with {key}", query=QUERIES[i], key=KEYS[j])
    return "\n".join([head, *lines, say("sum {total:+d}", total=int(data["products"].sum()))])


def describe_rows_and_columns(params, data) -> str:
    """The picture in one sentence."""
    i, j = data["i"], data["j"]
    return say(
        "Row {i} of q is {query}, column {j} of k transposed is {key}: their products add up to "
        "{total:.0f}, and entry ({i}, {j}) of the table says {score:.0f}.",
        i=i, j=j, query=QUERIES[i], key=KEYS[j], total=float(data["products"].sum()),
        score=data["scores"][i, j],
    )  # fmt: skip


explore_rows_and_columns = Explorer(
    rows_and_columns,
    draw_rows_and_columns,
    describe_rows_and_columns,
    sliders={
        "i": IntRange(0, len(QUERIES) - 1, start=0, label="query: row i of q"),
        "j": IntRange(0, len(KEYS) - 1, start=0, label="key: column j of k transposed"),
    },
    functions={"pairwise_dots": vectors.pairwise_dots},
    numbers=lambda params, data: [
        (say("{trait}: query · key", trait=trait), f"{q} · {k} = {q * k}")
        for trait, q, k in zip(TRAITS, Q[data["i"]], K[data["j"]], strict=True)
    ],
    size=(7.0, 5.2),
    goal=Goal(
        "Which word agrees least with which? Read q and k, guess, then go to that entry.",
        lambda params, data: data["products"].sum() == (Q @ K.T).min(),
        solution={"i": 1, "j": 3},
    ),
)

# Random directions: how close do strangers come?

BINS = np.linspace(0, 180, 91)


@lru_cache(maxsize=256)
def _strangers(d: int) -> tuple[np.ndarray, float, float]:
    """The shares of pairs at each angle; how near to 90 half of them are; the worst angle."""
    directions = random_directions(10 * d, d, np.random.default_rng(0))
    some = directions[: max(1, 300_000 // len(directions))]  # enough pairs for the histogram
    cosines = np.clip(some @ directions.T, -1, 1)[~np.eye(len(some), len(directions), dtype=bool)]
    counts, _ = np.histogram(np.degrees(np.arccos(cosines)), BINS)
    shares = counts / counts.sum()
    half = float(np.median(np.abs(90 - np.degrees(np.arccos(cosines)))))
    shares.flags.writeable = False  # cached: nobody may change it
    return shares, half, float(np.degrees(np.arccos(largest_cosine(directions))))


def strangers(*, d) -> dict:
    """10 d random directions in d dimensions: the angles of their pairs and the worst pair."""
    shares, half, worst = _strangers(d)
    return {"d": d, "count": 10 * d, "shares": shares, "half": half, "worst": worst}


def draw_random_directions(figure, data) -> Drawing:
    """A histogram of the angles, with the worst pair marked at equal distance on both sides."""
    axes = figure.subplots()
    axes.stairs(data["shares"], BINS, color=GHOST, linewidth=1, baseline=None)
    bars = axes.stairs(data["shares"], BINS, fill=True, color=INK, alpha=0.6)
    worst = [axes.axvline(0, color=OUTPUT, linewidth=2, linestyle=(0, (4, 2))) for _ in range(2)]
    label = axes.text(
        0, 0.97, "", color=OUTPUT, fontsize=SMALL, fontweight="bold", va="top",
        transform=axes.get_xaxis_transform(),
    )  # fmt: skip
    axes.set(xlim=(0, 180), xticks=(0, 30, 60, 90, 120, 150, 180), ylim=(0, 0.24), yticks=[])
    axes.set_xlabel(say("angle between two directions, in degrees"))
    axes.set_ylabel(say("share of the pairs"))
    axes.spines["left"].set_visible(False)
    title = axes.set_title("")

    def update(data) -> None:
        bars.set_data(data["shares"])
        for line, place in zip(worst, (data["worst"], 180 - data["worst"]), strict=True):
            line.set_xdata([place, place])
        inside = data["worst"] < 40  # no room for words on the left
        label.set(x=data["worst"] + (2 if inside else -2), ha="left" if inside else "right")
        label.set_text(say("worst pair\n{worst:.0f}°", worst=data["worst"]))
        title.set_text(
            say(
                "d = {d}: {count} directions, all pairs within {off:.0f}° of perpendicular",
                off=90 - data["worst"],
                **{name: data[name] for name in ("d", "count")},
            )
        )

    return Drawing(update, moving=[bars, *worst, label, title])


def describe_random_directions(params, data) -> str:
    """The picture in one sentence."""
    return say(
        "{count} random directions in {d} dimensions: half of the pairs are within {half:.1f} "
        "degrees of perpendicular. The worst pair is {worst:.1f} degrees apart, or 180 minus that.",
        **{name: data[name] for name in ("d", "count", "half", "worst")},
    )


def numbers_random_directions(params, data) -> list[tuple[str, str]]:
    """The numbers of the picture, a row each."""
    return [
        (say("dimensions d"), f"{data['d']}"),
        (say("directions, 10 · d"), f"{data['count']}"),
        (say("pairs"), f"{data['count'] * (data['count'] - 1) // 2}"),
        (say("worst pair, degrees from 90"), f"{90 - data['worst']:.1f}"),
        (say("1 / sqrt(d) as an angle from 90"), f"{np.degrees(np.arcsin(data['d'] ** -0.5)):.1f}"),
    ]


explore_random_directions = Explorer(
    strangers,
    draw_random_directions,
    describe_random_directions,
    sliders={"d": IntRange(2, 256, start=3, label="dimensions d")},
    numbers=numbers_random_directions,
    goal=Goal(
        "Find a number of dimensions below 100 in which all 10 · d directions stay within 30 "
        "degrees of perpendicular. (One draw for each d, so neighbours may differ.)",
        lambda params, data: data["worst"] >= 60 and params["d"] < 100,
        solution={"d": 96},
    ),
)
