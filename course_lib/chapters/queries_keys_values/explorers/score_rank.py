"""Explorer `score_rank`: what narrow queries and keys leave of a table of scores."""

from functools import lru_cache

import numpy as np

from course_lib.figures.heat_map import SCORES, WEIGHTS
from course_lib.figures.theme import GHOST, INK, QUERY, SMALL, TEXT, TITLE, WEIGHT
from course_lib.kernels.softmax import softmax
from course_lib.sliding.explorer import Drawing, Explorer, Goal
from course_lib.sliding.handles import Handle
from course_lib.sliding.sliders import IntRange
from course_lib.words import say

ASKING, MODEL_WIDTH, WIDEST_HEAD = 24, 16, 32

FLOOR = 1e-9  # of the largest singular value: below it, a direction counts as absent


@lru_cache
def _words_and_matrices() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    words = rng.normal(size=(ASKING, MODEL_WIDTH))
    w_q, w_k = rng.normal(size=(2, MODEL_WIDTH, WIDEST_HEAD)) / np.sqrt(MODEL_WIDTH)
    return words, w_q, w_k


@lru_cache
def _tables(d: int) -> tuple[np.ndarray, np.ndarray, int, int]:
    """Scores and weights of queries and keys of width d, and how many directions each has."""
    words, w_q, w_k = _words_and_matrices()
    scores = (words @ w_q[:, :d]) @ (words @ w_k[:, :d]).T / np.sqrt(d)
    tables = scores, softmax(scores)
    ranks = []
    for table in tables:
        strengths = np.linalg.svd(table, compute_uv=False)
        ranks.append(int((strengths > FLOOR * strengths[0]).sum()))
        table.flags.writeable = False  # cached: nobody may change it
    return *tables, *ranks


def score_rank(*, d) -> dict:
    """24 words of width 16, queries and keys of width d: the two tables and their ranks."""
    scores, weights, rank, rank_of_weights = _tables(d)
    return {
        "d": d, "scores": scores, "weights": weights,
        "rank": rank, "rank_of_weights": rank_of_weights,
    }  # fmt: skip


class _Dots:
    """A row of 24 rings, one a direction that a table may have; those that it has are filled."""

    def __init__(self, axes, height, color):
        places = np.arange(1, ASKING + 1)
        axes.plot(places, [height] * ASKING, "o", color=GHOST, markersize=8, fillstyle="none",
                  markeredgewidth=1)  # fmt: skip
        (self.filled,) = axes.plot([], [], "o", color=color, markersize=8)
        self.height = height

    def fill(self, count: int) -> None:
        """Fill the first `count`."""
        self.filled.set_data(np.arange(1, count + 1), [self.height] * count)


def _maps(axes, data):
    """The two tables as small maps; one for each of `axes`."""
    limit = float(np.abs(_tables(WIDEST_HEAD)[0]).max())
    images = []
    for one, name, cmap, low, high in (
        (axes[0], "scores", SCORES, -limit, limit), (axes[1], "weights", WEIGHTS, 0.0, 0.5),
    ):  # fmt: skip
        images.append(one.imshow(data[name], cmap=cmap, vmin=low, vmax=high, interpolation="none"))
        one.set(xticks=[], yticks=[], label=name)
        one.spines[:].set_visible(False)
        one.set_title(say(name), fontsize=TEXT, fontweight="normal")
        one.set_xlabel(say("24 keys"), fontsize=SMALL)
    axes[0].set_ylabel(say("24 queries"), fontsize=SMALL)
    return images


def draw_score_rank(figure, data) -> Drawing:
    """Above the two tables; below, for each, how many independent directions it has."""
    grid = figure.add_gridspec(2, 2, height_ratios=(1.7, 1.0))
    images = _maps([figure.add_subplot(grid[0, i]) for i in range(2)], data)
    axes = figure.add_subplot(grid[1, :])
    axes.set(xlim=(-5.5, WIDEST_HEAD + 0.8), ylim=(-0.7, 2.7), label="dots", yticks=[])
    axes.set_xticks([1, 4, 8, 12, 16, 20, 24, 28, 32])
    axes.spines["left"].set_visible(False)
    dots = _Dots(axes, 1.0, INK), _Dots(axes, 0.0, WEIGHT)
    for text, height in (("scores", 1.0), ("weights", 0.0), ("d", 1.9)):
        axes.text(-5.3, height, say(text), va="center", fontsize=SMALL)
    (bar,) = axes.plot([], [], color=QUERY, linewidth=5, solid_capstyle="butt")
    title = figure.suptitle("", x=0.012, ha="left", fontsize=TITLE)

    def update(data) -> None:
        for image, name in zip(images, ("scores", "weights"), strict=True):
            image.set_data(data[name])
        dots[0].fill(data["rank"])
        dots[1].fill(data["rank_of_weights"])
        bar.set_data([0.5, data["d"]], [1.9, 1.9])
        title.set_text(
            say(
                "d = {d}: the scores have rank {rank}, the weights {other}",
                d=data["d"],
                rank=data["rank"],
                other=data["rank_of_weights"],
            )
        )

    filled = [one.filled for one in dots]
    return Drawing(update, moving=[*images, *filled, bar, title])


def describe_score_rank(params, data) -> str:
    """The picture in one sentence."""
    return say(
        "24 words of width 16, queries and keys of width {d}: the scores have rank {rank}, and "
        "after softmax the weights have rank {other}. A direction counts if it is more than a "
        "billionth as strong as the strongest.",
        d=params["d"], rank=data["rank"], other=data["rank_of_weights"],
    )  # fmt: skip


explore_score_rank = Explorer(
    score_rank,
    draw_score_rank,
    describe_score_rank,
    sliders={"d": IntRange(1, WIDEST_HEAD, start=4, label="width of queries and keys, d")},
    handles={
        "d": Handle(
            at=lambda data: ("dots", data["d"], 1.9),
            to=lambda xy, params: {"d": xy[0]},
            moves=("d",),
            label="width of queries and keys, d",
            colour=QUERY,
        ),
    },
    numbers=lambda params, data: [
        (say("words"), f"{ASKING}"),
        (say("width of the words"), f"{MODEL_WIDTH}"),
        (say("d"), f"{params['d']}"),
        (say("rank of the scores"), f"{data['rank']}"),
        (say("rank of the weights"), f"{data['rank_of_weights']}"),
    ],
    goal=Goal(
        "Find the narrowest queries and keys with which the scores have the highest rank that "
        "these words can give them.",
        lambda params, data: params["d"] == MODEL_WIDTH == data["rank"],
        solution={"d": MODEL_WIDTH},
    ),
    size=(7.0, 4.6),
    colours=14,
)
