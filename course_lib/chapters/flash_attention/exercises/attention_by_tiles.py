"""Exercise `attention_by_tiles`: attention without a table of all scores."""

import math

import torch
from torch.nn.functional import scaled_dot_product_attention

from course_lib.chapters.flash_attention.exercises.merge import merge
from course_lib.chapters.flash_attention.held_at_once import tile_by_tile
from course_lib.judging.exercise import Exercise, Mistake, Refused, inputs
from course_lib.judging.tensors import drawn, floats
from course_lib.kernels.flash import flash_attention


def attention_by_tiles(q, k, v, block_q, block_k):
    """Attention without a table of all scores.

    q: (t, d)   k: (s, d)   v: (s, e)   returns: (t, e)
    """

    def start(rows):
        """largest, total and mixed of so many rows, before the first key."""
        column = torch.zeros(rows, 1)
        return column - torch.inf, column, torch.zeros(rows, v.shape[1])

    # SOLUTION
    outputs = []
    for q_tile in q.split(block_q):
        largest, total, mixed = start(len(q_tile))
        for k_tile, v_tile in zip(k.split(block_k), v.split(block_k), strict=True):
            scores = q_tile @ k_tile.T / math.sqrt(q.shape[1])
            new = torch.maximum(largest, scores.max(dim=1, keepdim=True).values)
            shrink, powers = torch.exp(largest - new), torch.exp(scores - new)
            total = shrink * total + powers.sum(dim=1, keepdim=True)
            mixed = shrink * mixed + powers @ v_tile
            largest = new
        outputs.append(mixed / total)
    return torch.cat(outputs)
    # STUB
    # parts = []
    # for some_q in q.split(block_q):
    #     largest, total, mixed = start(len(some_q))
    #     for some_k, some_v in zip(k.split(block_k), v.split(block_k)):
    #         ...  # a tile of scores, and then as in weighted_mean
    #     parts.append(...)
    # return ...  # when the loop is done: torch.cat(parts)
    # END SOLUTION


def _tiled(
    q, k, v, block_q, block_k, *, scale=None, total_shrinks=True, mixed_shrinks=True,
    one_maximum=False, stored=True, no_maximum=False, divided=False, whole_sum=False,
    undivided=False,
):  # fmt: skip
    """The loop over tiles with one slip, or none."""
    outputs, scale = [], q.shape[1] ** -0.5 if scale is None else scale
    for q_tile in q.split(block_q):
        largest = torch.full((len(q_tile), 1), 0.0 if no_maximum else -torch.inf)
        total, mixed = torch.zeros(len(q_tile), 1), torch.zeros(len(q_tile), v.shape[1])
        for k_tile, v_tile in zip(k.split(block_k), v.split(block_k), strict=True):
            scores = q_tile @ k_tile.T * scale
            top = scores.max().reshape(1, 1) if one_maximum else scores.amax(1, keepdim=True)
            new = largest if no_maximum else torch.maximum(largest, top)
            shrink, powers = torch.exp(largest - new), torch.exp(scores - new)
            here = powers.sum().reshape(1, 1) if whole_sum else powers.sum(1, keepdim=True)
            total = (shrink if total_shrinks else 1) * total + here
            mixed = (shrink if mixed_shrinks else 1) * mixed + powers @ v_tile
            mixed = mixed / total if divided else mixed
            largest = new if stored else largest
        outputs.append(mixed if divided or undivided else mixed / total)
    return torch.cat(outputs)


def _slip(**options):
    """The loop over tiles with one slip."""
    return lambda *given: _tiled(*given, **options)


def _softmax_in_each_tile(q, k, v, block_q, block_k):
    outputs = []
    for q_tile in q.split(block_q):
        tiles = zip(k.split(block_k), v.split(block_k), strict=True)
        each = [(q_tile @ a.T / q.shape[1] ** 0.5).softmax(dim=-1) @ b for a, b in tiles]
        outputs.append(sum(each) / len(each))
    return torch.cat(outputs)


def _whole_table(q, k, v, block_q, block_k):
    return (q @ k.T / q.shape[1] ** 0.5).softmax(dim=-1) @ v


def _table_of_rows(q, k, v, block_q, block_k):
    return torch.cat([_whole_table(tile, k, v, 1, 1) for tile in q.split(block_q)])


def _remainder_dropped(q, k, v, block_q, block_k):
    kept = max(len(k) // block_k, 1) * block_k
    return _tiled(q, k[:kept], v[:kept], block_q, block_k)


def _diagonal_tiles(q, k, v, block_q, block_k):
    tiles = zip(q.split(block_q), k.split(block_k), v.split(block_k), strict=False)
    outputs = [_whole_table(*tile, 1, 1) for tile in tiles]
    outputs += [torch.zeros(len(q) - sum(map(len, outputs)), v.shape[1])]
    return torch.cat(outputs)


def _query_by_query(q, k, v, block_q, block_k):
    rows = []
    for query in q.double():
        parts = zip(k.double().split(block_k), v.double().split(block_k), strict=True)
        blocks = [(a @ query / q.shape[1] ** 0.5, b) for a, b in parts]
        top = max(float(scores.max()) for scores, _ in blocks)
        total = sum(torch.exp(scores - top).sum() for scores, _ in blocks)
        mixed = sum(torch.exp(scores - top) @ values for scores, values in blocks)
        rows.append((mixed / total).tolist())
    return rows


def _merged_tiles(q, k, v, block_q, block_k):
    outputs = []
    for q_tile in q.split(block_q):
        out = torch.zeros(len(q_tile), v.shape[1])
        lse = torch.full((len(q_tile),), -torch.inf)
        for a, b in zip(k.split(block_k), v.split(block_k), strict=True):
            scores = q_tile @ a.T / math.sqrt(q.shape[1])
            out, lse = merge(out, lse, scores.softmax(-1) @ b, scores.logsumexp(-1))
        outputs.append(out)
    return torch.cat(outputs)


def _keys_outside(q, k, v, block_q, block_k):
    out, lse = torch.zeros(len(q), v.shape[1]), torch.full((len(q),), -torch.inf)
    for a, b in zip(k.split(block_k), v.split(block_k), strict=True):
        for i in range(0, len(q), block_q):
            rows = slice(i, i + block_q)
            scores = q[rows] @ a.T / math.sqrt(q.shape[1])
            here = scores.softmax(-1) @ b, scores.logsumexp(-1)
            out[rows], lse[rows] = merge(out[rows], lse[rows], *here)
    return out


def _in_one_tensor(q, k, v, block_q, block_k):
    out = torch.empty(len(q), v.shape[1], dtype=v.dtype)
    for i in range(0, len(q), block_q):
        tile = q[i : i + block_q]
        m = torch.full((len(tile),), -torch.inf, dtype=q.dtype)
        total, acc = torch.zeros_like(m), torch.zeros(len(tile), v.shape[1], dtype=v.dtype)
        for j in range(0, len(k), block_k):
            s = tile @ k[j : j + block_k].T / math.sqrt(q.shape[-1])
            new = torch.maximum(m, s.amax(1))
            p, c = torch.exp(s - new[:, None]), torch.exp(m - new)
            total, acc, m = total * c + p.sum(1), acc * c[:, None] + p @ v[j : j + block_k], new
        out[i : i + block_q] = acc / total[:, None]
    return out


def _two_passes(q, k, v, block_q, block_k):
    rows = []
    for tile in q.split(block_q):
        scores = [tile @ one.T * q.shape[1] ** -0.5 for one in k.split(block_k)]
        top = torch.stack([one.amax(1) for one in scores]).amax(0)[:, None]
        powers = [torch.exp(one - top) for one in scores]
        total = sum(one.sum(1, keepdim=True) for one in powers)
        rows.append(sum(p @ one for p, one in zip(powers, v.split(block_k), strict=True)) / total)
    return torch.cat(rows)


def _cut_afterwards(q, k, v, block_q, block_k):
    scores = q @ k.T / math.sqrt(q.shape[1])
    return _tiled(scores, torch.eye(len(k), dtype=k.dtype), v, block_q, block_k, scale=1.0)


def _whole_table_by_exp(q, k, v, block_q, block_k):
    s = q @ k.T / math.sqrt(q.shape[1])
    p = torch.exp(s - s.amax(1, keepdim=True))
    return p @ v / p.sum(1, keepdim=True)


def _far_apart(rng):
    """Row 0 scores around 200, row 1 around -200, so they share no maximum."""
    q = torch.tensor([[20.0, 0.0], [-20.0, 0.0], [1.0, 0.5]])
    k = torch.cat((torch.full((5, 1), 14.0) + drawn(rng, 5, 1), drawn(rng, 5, 1)), dim=1)
    return inputs(q, k, drawn(rng, 5, 3), 2, 2)


ATTENTION_BY_TILES = Exercise(
    answer=attention_by_tiles,
    cases=(
        lambda rng: inputs(
            floats([1, 0, 1, 2], [0, 2, 1, 0]),
            floats([1, 1, 0, 0], [0, 1, 2, 1], [2, 0, 1, 2]),
            floats([10, 0], [20, 5], [30, 10]), 1, 2,
        ),
        lambda rng: inputs(drawn(rng, 5, 3), drawn(rng, 7, 3), drawn(rng, 7, 2), 7, 8),
        lambda rng: inputs(drawn(rng, 5, 5), drawn(rng, 5, 5), drawn(rng, 5, 5), 2, 2),
        lambda rng: inputs(
            *(drawn(rng, *shape, dtype=torch.float64) for shape in ((11, 2), (13, 2), (13, 3))),
            4, 3,
        ),
        _far_apart,
    ),
    observe=tile_by_tile,
    mistakes=(
        Mistake(
            "Neither sum is brought to the new maximum: multiply both by exp(old - new) before "
            "this tile is added.",
            _slip(total_shrinks=False, mixed_shrinks=False),
        ),
        Mistake(
            "mixed is not brought to the new maximum, and total is. Both have to shrink.",
            _slip(mixed_shrinks=False),
        ),
        Mistake(
            "total is not brought to the new maximum, and mixed is. Both have to shrink.",
            _slip(total_shrinks=False),
        ),
        Mistake(
            "The scale is missing: divide the scores by the square root of the width.",
            _slip(scale=1.0),
        ),
        Mistake(
            "You took one maximum for the whole tile. Rows differ: where another row scores far "
            "higher, every power of this row is 0, and 0 / 0 is NaN. Each row has its own.",
            _slip(one_maximum=True),
        ),
        Mistake(
            "largest is not kept for the next tile, so that each tile wipes out the ones before.",
            _slip(stored=False),
        ),
        Mistake(
            "No maximum is subtracted, so large scores leave the range of float32 (chapter 4).",
            _slip(no_maximum=True),
        ),
        Mistake(
            "You divide inside of the loop over keys, and go on with a number that is divided "
            "already. Divide once, when all keys were seen.",
            _slip(divided=True),
        ),
        Mistake(
            "The division is missing: when all keys were seen, mixed has to be divided by total.",
            _slip(undivided=True),
        ),
        Mistake(
            "The powers of the whole tile are added up. Each row has a sum of its own: dim=1.",
            _slip(whole_sum=True),
        ),
        Mistake(
            "Each tile has a softmax of its own here, and the tiles count alike.",
            _softmax_in_each_tile,
        ),
        Mistake(
            "The last keys are left out, where the block does not divide their number. split and "
            "a range with steps both give a shorter last block.",
            _remainder_dropped,
        ),
        Mistake(
            "Each block of queries sees one block of keys only. It takes two loops, one inside "
            "the other: every block of queries with every block of keys.",
            _diagonal_tiles,
        ),
        Mistake(
            "The numbers are right, but a table was made that is larger than a tile of block_q "
            "rows and block_k columns. It takes both loops: over queries and over keys.",
            _whole_table,
            also=(
                _whole_table_by_exp,
                _table_of_rows,
                lambda q, k, v, _, block_k: _table_of_rows(q, k, v, 1, block_k),
                lambda q, k, v, _, block_k: _tiled(q, k, v, len(q), block_k),
            ),
        ),
    ),
    refused=(
        Refused(lambda q, k, v, *blocks: _in_one_tensor(q[: blocks[0]], k, v, *blocks)),
        Refused(lambda *given: _in_one_tensor(*given).T),
        Refused(_cut_afterwards),
    ),
    alternatives=(
        _query_by_query,
        _merged_tiles,
        _keys_outside,
        lambda q, k, v, block_q, block_k: flash_attention(
            q, k, v, block_q=block_q, block_k=block_k
        ),
        _in_one_tensor,
        _two_passes,
        lambda q, k, v, block_q, block_k: scaled_dot_product_attention(q, k, v),
    ),
    hints=(
        "In the exercise before, one row of scores came block by block. Now several rows come at "
        "once. What has to be a column of numbers instead of one number?",
        "scores is (rows, keys). A maximum of each row: .max(dim=1, keepdim=True).values; a sum of "
        "each row: .sum(dim=1, keepdim=True); the weighted values: a matrix product.",
        "new = torch.maximum(largest, ...); shrink = ...; powers = torch.exp(...); "
        "total = shrink * total + ...; mixed = shrink * mixed + ...; largest = new",
    ),
    minutes=7,
    stars=3,
)  # fmt: skip
