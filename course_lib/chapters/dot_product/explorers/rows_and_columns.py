"""Explorer `rows_and_columns`: one entry of the table of scores, a row times a column."""

import numpy as np

from course_lib.figures.heat_map import draw_scores
from course_lib.figures.theme import INK, SMALL
from course_lib.kernels import vectors
from course_lib.sliding.explorer import Drawing, Explorer, Goal
from course_lib.sliding.sliders import IntRange
from course_lib.words import say

TRAITS = ("animal", "barks", "sweet", "grows")

QUERIES = ("cat", "dog", "apple")
Q = np.array([[2, -1, 0, -1], [2, 2, -1, -1], [-1, 0, 2, 1]])

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
