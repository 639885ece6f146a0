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

from course_lib.chapters.flash_attention.exercises.hide_later import hide_later as THE_COURSES
from course_lib.chapters.flash_attention.pixels import new_pixels, words
from course_lib.figures.static import show_figure
from course_lib.figures.theme import FAINT, INK, KEY, QUERY
from course_lib.kernels.attention import attention
from course_lib.kernels.flash import absorb, blocks, nothing_seen
from course_lib.learner.arrays import NotNumbers, as_array
from course_lib.learner.sentences import NO_NUMBER, SHAPE_NEEDED
from course_lib.learner.time_limit import TimeUp
from course_lib.sliding.own_function import Stopped, own_function
from course_lib.words import say

WORDS, BLOCK_Q, BLOCK_K = 12, 3, 2
WIDE, HIGH, GAP = 46, 23, 6  # of a score, and between two tiles; pixels
LEFT, TOP = 102, 70  # the corner of the first tile
OPEN = "#c9ced6"
NAMES = {0: "open", 1: "hidden"}  # of a tile in which no score is hidden, or each
OFF = 12  # how far words stand off the tiles

WHOSE = {  # by whether it is the learner's, and whether all is hidden that has to be
    (True, True): "This is your mask.",
    (True, False): "This is your mask as it is now: {wrong} scores are on the wrong side of the "
    "line.",
    (False, True): "This is the course's mask; yours is not written yet.",
}
NOT_DRAWN = "This is the course's mask. Yours cannot be drawn: {reason}."
IN_A_LOOP = {  # by whether it is so
    True: "In a loop it gives the output of chapter 6's causal attention.",
    False: "In a loop it gives another output than chapter 6's causal attention.",
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
    table, shape = np.zeros((WORDS, WORDS), dtype=bool), (BLOCK_Q, BLOCK_K)
    for first_q, first_k in _corners():
        tile = as_array(hide_later(torch.ones(shape), first_q, first_k))
        if tile.shape != shape:
            raise Stopped("hide_later", say(SHAPE_NEEDED, got=tile.shape, want=shape))
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
            scores = torch.as_tensor(hide_later(scores, rows.start, keys.start)).to(v.dtype)
            running = absorb(running, scores, v[keys])
        outputs.append(running.mean)
    return torch.cat(outputs), made


def show_in_place(hide_later: Callable) -> None:
    """Each tile as the function masks it, and the edge of the causal mask of the whole table.

    The learner's own is shown, right or wrong; the course's where none is written, or none fits.
    """
    hidden, is_causal, whose = _drawn(hide_later)
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
    alt = say(ALT, n=WORDS, rows=BLOCK_Q, columns=BLOCK_K, wrong=_wrong(hidden), **counted)
    show_figure(figure, alt, colours=6)
    print(whose, say(IN_A_LOOP[is_causal]))


def _drawn(hide_later: Callable) -> tuple[np.ndarray, bool, str]:
    """What is hidden, whether a loop with it is causal attention, and whose function it is."""
    own = own_function("hide_later", hide_later, THE_COURSES)
    whose = say(WHOSE[False, True])
    if own.function is not None:
        try:
            hidden, is_causal = hidden_in_tiles(own.function), _is_causal(own.function)
            wrong = _wrong(hidden)
            return hidden, is_causal, say(WHOSE[True, wrong == 0], wrong=wrong)
        except (Stopped, TimeUp) as stop:
            whose = say(NOT_DRAWN, reason=getattr(stop, "reason", say("it takes too long")))
        except NotNumbers:
            whose = say(NOT_DRAWN, reason=say(NO_NUMBER))
    return hidden_in_tiles(THE_COURSES), _is_causal(THE_COURSES), whose


def _wrong(hidden: np.ndarray) -> int:
    """How many scores are hidden though they may be seen, or the other way round."""
    return int((hidden != np.triu(np.ones_like(hidden), 1)).sum())


def _is_causal(hide_later: Callable) -> bool:
    """Whether the loop over tiles with this mask gives causal attention."""
    q, k, v = torch.randn(3, WORDS, 4, generator=torch.Generator().manual_seed(0))
    causal = attention(q, k, v, mask=torch.ones(WORDS, WORDS, dtype=torch.bool).tril())
    output, _ = masked_by_tiles(hide_later, q, k, v, BLOCK_Q, BLOCK_K)
    return torch.allclose(output, causal, atol=1e-5)


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
