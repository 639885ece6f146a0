"""The learner's masked tiles, each in its place: together they are the table of a causal mask.

show_in_place(hide_later)     # 12 words in tiles of 3 queries and 2 keys, what is hidden white
masked_by_tiles(hide_later, q, k, v, 3, 4)    # the loop of the exercise with it: outputs, tiles
"""

import math
from collections.abc import Callable
from itertools import product

import numpy as np
import torch
from matplotlib.patches import Rectangle
from torch import Tensor

from course_lib.chapters.flash_attention.pixels import new_pixels, words
from course_lib.figures.static import show_figure
from course_lib.figures.theme import FAINT, INK, KEY, QUERY
from course_lib.kernels.attention import attention
from course_lib.kernels.flash import absorb, blocks, nothing_seen
from course_lib.learner.arrays import as_array
from course_lib.words import say

WORDS, BLOCK_Q, BLOCK_K = 12, 3, 2
WIDE, HIGH, GAP = 46, 23, 6  # of a score, and between two tiles; pixels
LEFT, TOP = 102, 70  # the corner of the first tile
OPEN = "#c9ced6"
NAMES = {0: "open", 1: "hidden"}  # of a tile in which no score is hidden, or each
OFF = 12  # how far words stand off the tiles

IN_A_LOOP = {  # by whether it is so
    True: "A loop with `scores = hide_later(scores, ...)` gives the output of chapter 6's causal "
    "attention.",
    False: "A loop with `scores = hide_later(scores, ...)` gives another output than chapter 6's "
    "causal attention.",
}
TITLE = "{tiles} tiles: {whole} open, {cut} in part, {hidden} hidden from end to end"
ALT = (
    "{n} words, in {tiles} tiles of {rows} queries and {columns} keys, each masked on its own and "
    "laid in its place. Of {whole} tiles nothing is hidden, of {cut} a part, of {hidden} all. A "
    "line shows where the causal mask of the whole table runs; {wrong} scores are on its "
    "wrong side."
)


def hidden_in_tiles(hide_later: Callable) -> np.ndarray:
    """True where the function hides a score, of the whole table; each tile is asked for alone.

    hide_later: (scores, first_q, first_k) -> scores with -inf   returns: (WORDS, WORDS)
    """
    table = np.zeros((WORDS, WORDS), dtype=bool)
    for first_q, first_k in _corners():
        tile = as_array(hide_later(torch.ones(BLOCK_Q, BLOCK_K), first_q, first_k))
        table[first_q : first_q + BLOCK_Q, first_k : first_k + BLOCK_K] = np.isneginf(tile)
    return table


def masked_by_tiles(
    hide_later: Callable, q: Tensor, k: Tensor, v: Tensor, block_q: int, block_k: int,
    hidden: Callable = lambda first_q, first_k: False,
) -> tuple[Tensor, int]:  # fmt: skip
    """Attention tile by tile, with `hide_later` right below the scores, and how many tiles it made.

    hidden: (first_q, first_k) -> whether this tile is left out.   Shapes: -> (t, e)
    """
    outputs, made = [], 0
    for rows in blocks(len(q), block_q):
        running = nothing_seen((len(q[rows]),), v.shape[1], q)
        for keys in blocks(len(k), block_k):
            if hidden(rows.start, keys.start):
                continue
            made += 1
            scores = q[rows] @ k[keys].T / math.sqrt(q.shape[1])
            scores = torch.as_tensor(hide_later(scores, rows.start, keys.start))
            running = absorb(running, scores, v[keys])
        outputs.append(running.mean)
    return torch.cat(outputs), made


def show_in_place(hide_later: Callable) -> None:
    """Each tile as the function masks it, and the edge of the causal mask of the whole table."""
    hidden = hidden_in_tiles(hide_later)
    shares = [hidden[q : q + BLOCK_Q, k : k + BLOCK_K].mean() for q, k in _corners()]
    counted = {
        "tiles": len(shares), "whole": shares.count(0), "hidden": shares.count(1),
        "cut": sum(0 < share < 1 for share in shares),
    }  # fmt: skip
    figure, axes = new_pixels(374, say(TITLE, **counted), title_y=14)
    for corner in _corners():
        _tile(axes, hidden, *corner)
    _edge(axes)
    _sides(axes)
    wrong = int((hidden != np.triu(np.ones_like(hidden), 1)).sum())
    alt = say(ALT, n=WORDS, rows=BLOCK_Q, columns=BLOCK_K, wrong=wrong, **counted)
    show_figure(figure, alt, colours=6)
    q, k, v = torch.randn(3, WORDS, 4, generator=torch.Generator().manual_seed(0))
    output, _ = masked_by_tiles(hide_later, q, k, v, BLOCK_Q, BLOCK_K)
    causal = attention(q, k, v, mask=torch.ones(WORDS, WORDS, dtype=torch.bool).tril())
    print(say(IN_A_LOOP[torch.allclose(output, causal, atol=1e-5)]))


def _corners():
    return product(range(0, WORDS, BLOCK_Q), range(0, WORDS, BLOCK_K))


def _across(j: float) -> float:
    """Where column j begins."""
    return LEFT + WIDE * j + GAP * (j // BLOCK_K)


def _down(i: float) -> float:
    """Where row i begins."""
    return TOP + HIGH * i + GAP * (i // BLOCK_Q)


def _tile(axes, hidden, first_q: int, first_k: int) -> None:
    for i, j in product(range(first_q, first_q + BLOCK_Q), range(first_k, first_k + BLOCK_K)):
        look = {"facecolor": "white" if hidden[i, j] else OPEN, "edgecolor": FAINT}
        axes.add_patch(Rectangle((_across(j), _down(i)), WIDE, HIGH, linewidth=1, **look))
    corner = _across(first_k), _down(first_q)
    wide, high = WIDE * BLOCK_K, HIGH * BLOCK_Q
    axes.add_patch(Rectangle(corner, wide, high, fill=False, edgecolor=INK, linewidth=1))
    share = hidden[first_q : first_q + BLOCK_Q, first_k : first_k + BLOCK_K].mean()
    if share in NAMES:
        plate = {"facecolor": "white" if share else OPEN, "edgecolor": "none", "pad": 4}
        middle = corner[0] + wide / 2, corner[1] + high / 2
        words(axes, *middle, say(NAMES[share]), ha="center", bbox=plate)


def _edge(axes) -> None:
    """The staircase: right of it the key stands later than the query."""
    x = [_across(i) + WIDE for i in range(WORDS) for _ in "ab"]
    y = [*[_down(i) for i in range(WORDS) for _ in "ab"][1:], _down(WORDS - 1) + HIGH]
    axes.plot(x, y, color=INK, linewidth=3)


def _sides(axes) -> None:
    """Where each block begins in the text, and what lies on each side."""
    for first in range(0, WORDS, BLOCK_K):
        words(axes, _across(first), TOP - OFF, say("key {j}", j=first), color=KEY)
    for first in range(0, WORDS, BLOCK_Q):
        y = _down(first) + HIGH / 2
        words(axes, LEFT - OFF, y, say("query {i}", i=first), ha="right", color=QUERY)
