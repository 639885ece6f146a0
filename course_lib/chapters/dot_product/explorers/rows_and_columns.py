"""Explorer `rows_and_columns`: one entry of the table of scores, a row times a column.

Grey and gold are the sign of a product or a score. The row of q has a blue frame, the column of
k.T an orange one, as query and key have everywhere. A score is seen where the frame stands; the
others are covered, so that one has to read q and k. With the goal, all of them are uncovered.
"""

import numpy as np
from matplotlib.colors import ListedColormap
from matplotlib.patches import Rectangle

from course_lib.figures.heat_map import SIGNS, HeatMap, black_reads_better, draw_scores
from course_lib.figures.numerals import as_vote, plain
from course_lib.figures.theme import FAINT, GHOST, INK, KEY, QUERY, SMALL, TEXT
from course_lib.kernels import vectors
from course_lib.sliding.explorer import Drawing, Explorer, Goal
from course_lib.sliding.handles import Handle
from course_lib.sliding.sliders import IntRange
from course_lib.words import say

TRAITS = ("animal", "barks", "fruit", "big")

QUERIES = ("cat", "dog", "apple")
Q = np.array([[2, -1, -1, -1], [2, 2, -1, 0], [-2, -1, 3, -1]])

KEYS = ("kitten", "puppy", "pear", "tree")
K = np.array([[2, -1, -1, -2], [2, 3, -1, -1], [-2, -1, 2, -1], [-2, -1, -1, 4]])


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
    title = figure.headline()
    chips = _Chips(corner)
    keys = _draw_plain(above, K.T, rows=TRAITS, columns=KEYS, frame=KEY)
    queries = _draw_plain(left, Q, rows=QUERIES, columns=TRAITS, frame=QUERY)
    scores = draw_scores(table, data["scores"], rows=QUERIES, colours=SIGNS)
    covers = [table.text(j, i, "?", ha="center", va="center", color="#666666", zorder=4)
              for i in range(len(QUERIES)) for j in range(len(KEYS))]  # fmt: skip
    table.set_facecolor("white")
    _draw_grid(table, len(QUERIES), len(KEYS))
    chips.colour(QUERY, KEY)
    for axes, text in (
        (left, say("q: queries in rows")),
        (above, say("k.T: keys in columns")),
        (table, say("scores: q @ k.T")),
    ):
        axes.set_title(text, fontweight="normal", fontsize=TEXT)
    start = Rectangle((data["j"] - 0.42, data["i"] - 0.42), 0.84, 0.84, fill=False, zorder=4.5,
                      edgecolor=GHOST, linewidth=1.2, linestyle=(0, (3, 2)))  # fmt: skip
    table.add_patch(start)

    def update(data) -> None:
        i, j = data["i"], data["j"]
        queries.highlight(row=i), keys.highlight(column=j), scores.highlight(row=i, column=j)
        seen = _seen(data)
        scores.update(np.ma.masked_array(data["scores"], ~seen))
        for cover, open_ in zip(covers, seen.flat, strict=True):
            cover.set_text("" if open_ else "?")
        chips.update(Q[i], K[j])
        told = {"query": say(QUERIES[i]), "key": say(KEYS[j]), "sum": as_vote(data["scores"][i, j])}
        title.set_text(say("{query} with {key}: score {sum}", **told))

    moving = [*queries.artists, *keys.artists, *scores.artists, *covers, *chips.artists, title]
    return Drawing(update, moving=moving)


def _seen(data) -> np.ndarray:
    """Which scores are uncovered: where the frame stands, and all once the least is found."""
    seen = np.zeros((len(QUERIES), len(KEYS)), dtype=bool)
    seen[data["i"], data["j"]] = True
    return np.full_like(seen, True) if _is_least(data) else seen


def _is_least(data) -> bool:
    return bool(data["products"].sum() == (Q @ K.T).min())


def _draw_grid(axes, count: int, width: int) -> None:
    """Thin lines between the cells of a table."""
    grid = {"colors": FAINT, "linewidth": 1, "zorder": 2, "clip_on": False}
    axes.hlines(np.arange(count + 1) - 0.5, -0.5, width - 0.5, **grid)
    axes.vlines(np.arange(width + 1) - 0.5, -0.5, count - 0.5, **grid)


def _draw_plain(axes, table, *, rows, columns, frame) -> HeatMap:
    """A table of numbers in white cells, with a frame for a row or a column."""
    count, width = table.shape
    drawn = HeatMap(axes, table, ListedColormap(["white"]), (0, 1), rows=rows, columns=columns,
                    number="{:.0f}", numbers=True)  # fmt: skip
    _draw_grid(axes, count, width)
    for band in drawn.frames:
        band.set_edgecolor(frame)
    return drawn


class _Chips:
    """The products of a row and a column, one below the other, and their sum."""

    def __init__(self, axes):
        count = len(TRAITS)
        axes.set(xlim=(-0.2, 5.2), ylim=(count + 0.75, -0.6))
        axes.set_axis_off()
        look = {"ha": "center", "va": "center", "fontsize": TEXT}
        self._of_q, self._of_k, self._chips, self._products = [], [], [], []
        for row in range(count):
            axes.text(1.4, row, "·", **look), axes.text(2.8, row, "=", **look)
            self._of_q.append(axes.text(0.7, row, "", **look))
            self._of_k.append(axes.text(2.1, row, "", **look))
            chip = Rectangle((3.3, row - 0.4), 1.3, 0.8, edgecolor="#666666", linewidth=0.8)
            self._chips.append(axes.add_patch(chip))
            self._products.append(axes.text(3.95, row, "", **look))
        axes.plot([3.3, 4.6], [count - 0.45] * 2, color=INK, linewidth=1.4)
        axes.text(2.9, count + 0.1, say("sum"), ha="right", va="center", fontsize=SMALL)
        self._sum = axes.text(3.95, count + 0.1, "", fontweight="bold", **look)
        self.artists = [*self._of_q, *self._of_k, *self._chips, *self._products, self._sum]

    def colour(self, query, key) -> None:
        """Write the numbers of the query in one colour, those of the key in another."""
        for text in self._of_q:
            text.set(color=query, fontweight="bold")
        for text in self._of_k:
            text.set(color=key, fontweight="bold")

    def update(self, q, k) -> None:
        """The products of another pair. Shapes: (d,), (d,)"""
        limit = float(np.abs(Q).max() * np.abs(K).max())
        for row, (one, other) in enumerate(zip(q, k, strict=True)):
            self._of_q[row].set_text(plain(one))
            self._of_k[row].set_text(plain(other))
            colour = SIGNS(0.5 + one * other / limit / 2)
            self._chips[row].set_facecolor(colour)
            self._products[row].set_text(as_vote(one * other))
            black = black_reads_better(colour[:3])
            self._products[row].set_color("black" if black else "white")
        self._sum.set_text(as_vote((q * k).sum()))


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
        "i": IntRange(0, len(QUERIES) - 1, start=0, label="query: row of q"),
        "j": IntRange(0, len(KEYS) - 1, start=0, label="key: column of k.T"),
    },
    handles={
        "cell": Handle(
            at=lambda data: (3, data["j"], data["i"]),
            to=lambda xy, params: {"i": xy[1], "j": xy[0]},
            moves=("i", "j"),
            label="cell of the table of scores",
            colour=INK,
        ),
    },
    functions={"pairwise_dots": vectors.pairwise_dots},
    numbers=lambda params, data: [
        (say("{trait}: query · key", trait=trait), f"{q} · {k} = {q * k}")
        for trait, q, k in zip(TRAITS, Q[data["i"]], K[data["j"]], strict=True)
    ],
    size=(7.0, 5.2),
    colours=32,
    goal=Goal(
        "Which two words agree least? Read q and k, and guess. Then drag the black frame over the "
        "question marks to that cell. In how many moves do you find it?",
        lambda params, data: _is_least(data),
        solution={"i": 2, "j": 1},
    ),
)
