"""Rank: what narrow queries and keys leave of a table of scores."""

from functools import lru_cache

import numpy as np

from course_lib.figures.theme import FAINT, QUERY, SMALL, VALUE
from course_lib.kernels.softmax import softmax
from course_lib.sliding.explorer import Drawing, Explorer, Goal
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
def _directions(d: int) -> tuple[np.ndarray, np.ndarray]:
    """The singular values of scores and weights, the largest as 1."""
    words, w_q, w_k = _words_and_matrices()
    scores = (words @ w_q[:, :d]) @ (words @ w_k[:, :d]).T / np.sqrt(d)
    values = [np.linalg.svd(table, compute_uv=False) for table in (scores, softmax(scores))]
    shares = [np.maximum(one / one[0], FLOOR) for one in values]
    for one in shares:
        one.flags.writeable = False  # cached: nobody may change it
    return tuple(shares)


def score_rank(*, d) -> dict:
    """24 words of width 16, queries and keys of width d: how many directions the tables have."""
    scores, weights = _directions(d)
    ranks = (int((one > FLOOR).sum()) for one in (scores, weights))
    names = ("d", "scores", "weights", "rank", "rank_of_weights")
    return dict(zip(names, (d, scores, weights, *ranks), strict=True))


def draw_score_rank(figure, data) -> Drawing:
    """The singular values of both tables, largest first, on a logarithmic scale."""
    axes = figure.subplots()
    places = np.arange(1, ASKING + 1)
    axes.set(xlim=(0.3, ASKING + 0.7), yscale="log", ylim=(FLOOR / 3, 3))
    axes.set_yticks([1, 1e-3, 1e-6, FLOOR], labels=["1", ".001", ".000001", say("none")])
    axes.minorticks_off()
    axes.set_xticks([1, 4, 8, 12, 16, 20, 24])
    axes.set_xlabel(say("direction of the table, the strongest first"))
    axes.set_ylabel(say("strength"))
    axes.axvline(MODEL_WIDTH + 0.5, color=FAINT, linewidth=1.5)
    axes.text(MODEL_WIDTH + 0.6, 3e-8, say("the words are\n16 wide"), fontsize=SMALL, va="center")
    (weights,) = axes.plot([], [], "D", color=VALUE, markersize=5, label=say("weights (diamonds)"))
    (scores,) = axes.plot([], [], "o", color=QUERY, markersize=6, label=say("scores (dots)"))
    axes.legend(loc="lower left", bbox_to_anchor=(0.0, 0.1))
    title = axes.set_title("")

    def update(data) -> None:
        scores.set_data(places, data["scores"])
        weights.set_data(places, data["weights"])
        title.set_text(
            say(
                "d = {d}: the scores have rank {rank}, the weights {other}",
                d=data["d"],
                rank=data["rank"],
                other=data["rank_of_weights"],
            )
        )

    return Drawing(update, moving=[weights, scores, title])


def describe_score_rank(params, data) -> str:
    """The picture in one sentence."""
    return say(
        "24 words of width 16, queries and keys of width {d}: the scores have rank {rank}, and "
        "after softmax the weights have rank {other}, counting what has more than a billionth of "
        "the strength of the first.",
        d=params["d"], rank=data["rank"], other=data["rank_of_weights"],
    )  # fmt: skip


explore_score_rank = Explorer(
    score_rank,
    draw_score_rank,
    describe_score_rank,
    sliders={"d": IntRange(1, WIDEST_HEAD, start=4, label="width of queries and keys, d")},
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
)
