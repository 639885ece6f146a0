"""Exercise `masked_tile`: a kernel in Triton that stores one tile of q kᵀ."""

from __future__ import annotations  # tl.constexpr would import Triton

import math

import numpy as np
import torch

from course_lib.judging.exercise import Exercise, Mistake, Refused, inputs
from course_lib.judging.observe import NotHere, Unusable
from course_lib.judging.tensors import drawn
from course_lib.kernels.interpreter import has_triton
from course_lib.learner.triton_language import LateLanguage, NotWritten, execute

tl = LateLanguage()


def masked_tile(q, k, scores, t, s, D: tl.constexpr, ROWS: tl.constexpr, COLS: tl.constexpr):
    """One tile of q kᵀ, stored into scores.

    q, k, scores: addresses of (t, D), (s, D), (t, s)
    """
    i = tl.program_id(0) * ROWS + tl.arange(0, ROWS)[:, None]
    j = tl.program_id(1) * COLS + tl.arange(0, COLS)[None, :]
    d = tl.arange(0, D)
    # SOLUTION
    q_tile = tl.load(q + i * D + d[None, :], mask=i < t, other=0.0)
    k_tile = tl.load(k + j * D + d[:, None], mask=j < s, other=0.0)
    tl.store(scores + i * s + j, tl.dot(q_tile, k_tile), mask=(i < t) & (j < s))
    # STUB
    # q_tile = ...
    # k_tile = ...
    # return ...  # instead of this line: tl.store(..., ..., mask=...)
    # END SOLUTION


def _kernel(
    *, rows=lambda i, t, s: i < t, cols=lambda j, t, s: j < s,
    kept=lambda i, j, t, s: (i < t) & (j < s), place=lambda i, j, t, s, COLS: i * s + j, other=0.0,
    factor=lambda D: 1.0, stride=None, key=lambda j, d, s, D: j * D + d,
):  # fmt: skip
    """The kernel with one slip, or none."""

    def kernel(q, k, scores, t, s, D, ROWS, COLS):
        i = tl.program_id(0) * ROWS + tl.arange(0, ROWS)[:, None]
        j = tl.program_id(1) * COLS + tl.arange(0, COLS)[None, :]
        d, wide = tl.arange(0, D), D if stride is None else stride
        q_tile = tl.load(q + i * wide + d[None, :], mask=rows(i, t, s), other=other)
        k_tile = tl.load(k + key(j, d[:, None], s, D), mask=cols(j, t, s), other=other)
        tile = tl.dot(q_tile, k_tile) * factor(D)
        tl.store(scores + place(i, j, t, s, COLS), tile, mask=kept(i, j, t, s))

    return kernel


def _everything(index, t, s):
    return index >= 0


# The three that follow are shown on the page, so they are written as learners write them.


def _nothing_stored(q, k, scores, t, s, D: tl.constexpr, ROWS: tl.constexpr, COLS: tl.constexpr):
    i = tl.program_id(0) * ROWS + tl.arange(0, ROWS)[:, None]
    j = tl.program_id(1) * COLS + tl.arange(0, COLS)[None, :]
    d = tl.arange(0, D)
    q_tile = tl.load(q + i * D + d[None, :], mask=i < t, other=0.0)
    k_tile = tl.load(k + j * D + d[:, None], mask=j < s, other=0.0)
    return tl.dot(q_tile, k_tile)


def _queries_unmasked(q, k, scores, t, s, D: tl.constexpr, ROWS: tl.constexpr, COLS: tl.constexpr):
    i = tl.program_id(0) * ROWS + tl.arange(0, ROWS)[:, None]
    j = tl.program_id(1) * COLS + tl.arange(0, COLS)[None, :]
    d = tl.arange(0, D)
    q_tile = tl.load(q + i * D + d[None, :])
    k_tile = tl.load(k + j * D + d[:, None], mask=j < s, other=0.0)
    tl.store(scores + i * s + j, tl.dot(q_tile, k_tile), mask=(i < t) & (j < s))


def _rows_alone(q, k, scores, t, s, D: tl.constexpr, ROWS: tl.constexpr, COLS: tl.constexpr):
    i = tl.program_id(0) * ROWS + tl.arange(0, ROWS)[:, None]
    j = tl.program_id(1) * COLS + tl.arange(0, COLS)[None, :]
    d = tl.arange(0, D)
    q_tile = tl.load(q + i * D + d[None, :], mask=i < t, other=0.0)
    k_tile = tl.load(k + j * D + d[:, None], mask=j < s, other=0.0)
    tl.store(scores + i * s + j, tl.dot(q_tile, k_tile), mask=i < t)


def _by_broadcast(q, k, scores, t, s, D, ROWS, COLS):
    i = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    j = tl.program_id(1) * COLS + tl.arange(0, COLS)
    d = tl.arange(0, D)
    inside = (i < t)[:, None] & (j < s)[None, :]
    q_tile = tl.load(q + i[:, None] * D + d, mask=(i < t)[:, None])
    k_tile = tl.load(k + j[:, None] * D + d, mask=(j < s)[:, None])
    tile = tl.dot(q_tile, tl.trans(k_tile))
    tl.store(scores + i[:, None] * s + j[None, :], tile, mask=inside)


def _with_its_own_import(q, k, scores, t, s, D, ROWS, COLS):
    import triton.language as tl

    i = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    j = tl.program_id(1) * COLS + tl.arange(0, COLS)
    e = tl.arange(0, D)
    a = tl.load(q + (i[:, None] * D + e[None, :]), mask=i[:, None] < t)
    b = tl.load(k + (j[None, :] * D + e[:, None]), mask=j[None, :] < s)
    tl.store(
        scores + i[:, None] * s + j[None, :], tl.dot(a, b), (i[:, None] < t) & (j[None, :] < s)
    )


def _by_block_pointers(q, k, scores, t, s, D, ROWS, COLS, checked=(0, 1)):
    a, b = tl.program_id(0) * ROWS, tl.program_id(1) * COLS
    q_at = tl.make_block_ptr(q, (t, D), (D, 1), (a, 0), (ROWS, D), (1, 0))
    k_at = tl.make_block_ptr(k, (D, s), (1, D), (0, b), (D, COLS), (0, 1))
    to = tl.make_block_ptr(scores, (t, s), (s, 1), (a, b), (ROWS, COLS), (1, 0))
    tile = tl.dot(tl.load(q_at, boundary_check=checked), tl.load(k_at, boundary_check=checked))
    tl.store(to, tile, boundary_check=checked)


def _far_away(q, k, scores, t, s, D, ROWS, COLS):
    tl.store(scores + 1_000_000_000 + tl.arange(0, ROWS), 0.0)


def _misspelled(q, k, scores, t, s, D, ROWS, COLS):
    tl_load(q)  # noqa: F821


NO_TRITON = "It takes Triton, which comes with PyTorch on Linux; Colab has it."

READ, WROTE = "read outside", "wrote outside"

PAD = 64


def _inside_of(buffer, count):
    """A buffer full of NaN, and where its middle part of `count` numbers lies."""
    begin = buffer.data_ptr() + PAD * buffer.itemsize
    return begin, begin + count * buffer.itemsize


def _launched(candidate, case) -> dict:
    """One launch between walls of NaN: the scores, and whether a wall was touched."""
    if not has_triton():
        raise NotHere(NO_TRITON)
    q, k, rows, cols = case.args
    (t, d), s = q.shape, len(k)
    sizes = (t * d, s * d, t * s)
    buffers = [torch.full((size + 2 * PAD,), torch.nan) for size in sizes]
    given = [one[PAD : PAD + size] for one, size in zip(buffers, sizes, strict=True)]
    given[0].copy_(q.flatten()), given[1].copy_(k.flatten())
    grid = (math.ceil(t / rows), math.ceil(s / cols))
    try:
        loaded, stored = execute(candidate, grid, *given, t, s, D=d, ROWS=rows, COLS=cols)
    except NotWritten:
        raise Unusable(...) from None
    owned = [_inside_of(*pair) for pair in zip(buffers, sizes, strict=True)]
    return {
        "output": given[2].reshape(t, s).clone(),
        READ: np.asarray(_strays(loaded, owned)),
        WROTE: np.asarray(_strays(stored, owned[2:])),
    }


def _strays(addresses, owned) -> bool:
    touched = np.concatenate([np.empty(0, dtype=np.uint64), *(one.ravel() for one in addresses)])
    return not np.any([(begin <= touched) & (touched < end) for begin, end in owned], axis=0).all()


MASKED_TILE = Exercise(
    answer=masked_tile,
    cases=(
        lambda rng: inputs(drawn(rng, 2, 2), drawn(rng, 4, 2), 2, 2),
        lambda rng: inputs(drawn(rng, 3, 2), drawn(rng, 4, 2), 2, 2),
        lambda rng: inputs(drawn(rng, 4, 4), drawn(rng, 5, 4), 2, 4),
        lambda rng: inputs(drawn(rng, 5, 2), drawn(rng, 3, 2), 4, 2),
        lambda rng: inputs(drawn(rng, 1, 8), drawn(rng, 7, 8), 2, 4),
    ),
    observe=_launched,
    observations={
        READ: "The scores are right. But {name} reads numbers that lie outside of q and k.",
        WROTE: "The scores are right. But {name} writes outside of scores, where the numbers of "
        "somebody else may lie.",
    },
    mistakes=(
        Mistake(
            "Nothing was stored. What a kernel returns is lost: tl.store puts a tile into scores.",
            _nothing_stored,
            also=(lambda *given, **sizes: None,),
        ),
        Mistake(
            "The queries are loaded without a mask. The last tile sticks out, and what lies there "
            "belongs to somebody else: on a GPU that is an error, or somebody's secret.",
            _queries_unmasked,
        ),
        Mistake(
            "The keys are loaded without a mask, and the last tile sticks out.",
            _kernel(cols=_everything),
        ),
        Mistake(
            "The store goes beyond the last row and the last column. A column beyond s is the "
            "first of the next row, and rows beyond t are nobody's: (i < t) & (j < s).",
            _kernel(kept=lambda i, j, t, s: (i >= 0) & (j >= 0)),
        ),
        Mistake(
            "The mask of the store looks at rows only. A column beyond s is the first of the next "
            "row, and there it destroys a number.",
            _rows_alone,
        ),
        Mistake(
            "The mask of the store lets rows beyond t through. It takes both conditions, "
            "(i < t) & (j < s); `and` keeps one of them.",
            _kernel(kept=lambda i, j, t, s: (i >= 0) & (j < s)),
        ),
        Mistake(
            "No mask anywhere: loads and the store go beyond the last row and column.",
            _kernel(
                rows=_everything, cols=_everything, kept=lambda i, j, t, s: (i >= 0) & (j >= 0)
            ),
            also=(lambda *given, **sizes: _by_block_pointers(*given, **sizes, checked=()),),
        ),
        Mistake(
            "<= lets one too many in: rows are counted from 0, so the last is t - 1.",
            _kernel(
                rows=lambda i, t, s: i <= t,
                cols=lambda j, t, s: j <= s,
                kept=lambda i, j, t, s: (i <= t) & (j <= s),
            ),
        ),
        Mistake(
            "t and s are exchanged: there are t queries and s keys.",
            _kernel(
                rows=lambda i, t, s: i < s,
                cols=lambda j, t, s: j < t,
                kept=lambda i, j, t, s: (i < s) & (j < t),
            ),
        ),
        Mistake(
            "A row of the scores is s long, so row i begins at i * s.",
            _kernel(place=lambda i, j, t, s, COLS: i * t + j),
        ),
        Mistake(
            "Here the scores are the products as they are, without a scale.",
            _kernel(factor=lambda D: 1 / D**0.5),
        ),
        Mistake(
            "A row of the scores is s long, not COLS: row i begins at i * s.",
            _kernel(place=lambda i, j, t, s, COLS: i * COLS + j),
        ),
        Mistake(
            "The keys were read as if they lay in memory with s numbers in a row. A key has D: "
            "entry d of key j lies at k + j * D + d.",
            _kernel(key=lambda j, d, s, D: d * s + j),
        ),
        Mistake(
            "The masks of the two loads are exchanged: there are t queries and s keys.",
            _kernel(rows=lambda i, t, s: i < s, cols=lambda j, t, s: j < t),
        ),
    ),
    refused=(
        Refused(_far_away, "where none of its tensors lies"),
        Refused(_misspelled, "NameError"),
    ),
    alternatives=(
        _kernel(),
        _by_broadcast,
        _kernel(other=1.0),
        _kernel(rows=lambda i, t, s: (i < t) & (i >= 0)),
        _with_its_own_import,
        _by_block_pointers,
    ),
    hints=(
        "Rows of queries exist for i < t, rows of keys for j < s. What exists of the tile of "
        "scores?",
        "The queries are at q + i * D + d[None, :]: tl.load(..., mask=..., other=0.0). Keys lie "
        "down: with d[:, None] the tile has a row for each entry and a column for each key.",
        "tl.store(scores + i * s + j, tl.dot(..., ...), mask=(...) & (...))",
    ),
    minutes=6,
    stars=3,
    depth=True,
)
