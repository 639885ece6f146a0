"""Attention tile by tile: with one slip, and right in other ways."""

import math

import torch

from course_lib.chapters.flash_attention.exercises.merge import merge


def tiled(
    q, k, v, block_q, block_k, *, scale=None, total_shrinks=True, mixed_shrinks=True,
    one_maximum=False, stored=True, no_maximum=False, divided=False, whole_sum=False,
    undivided=False, start=-torch.inf, late=False, inside=False, early=False, join=torch.cat,
    rows=0, once=False, again=False, anew=False,
):  # fmt: skip
    """The loop over tiles with one slip, or none.

    rows: so many rows the sums have, -1 for block_q, -2 for all; they need len(q_tile).
    once: the sums are made once, before the loop over the queries.
    anew: the sums are made once more for each block of keys.
    again: what was divided inside of the loop over the keys is divided after it, too.
    """
    outputs, scale = [], q.shape[1] ** -0.5 if scale is None else scale
    for place, q_tile in enumerate(q.split(block_q)):
        if place == 0 or not once:
            held = {0: len(q_tile), -1: block_q, -2: len(q)}.get(rows, rows)
            largest = torch.full((held, 1), 0.0 if no_maximum else start)
            total, mixed = torch.zeros(held, 1), torch.zeros(held, v.shape[1])
        for k_tile, v_tile in zip(k.split(block_k), v.split(block_k), strict=True):
            if anew:
                largest, total, mixed = _empty_sums(len(q_tile), v)
            scores = q_tile @ k_tile.T * scale
            top = scores.max().reshape(1, 1) if one_maximum else scores.amax(1, keepdim=True)
            new = largest if no_maximum else torch.maximum(largest, top)
            shrink, powers = torch.exp(largest - new), torch.exp(scores - new)
            here = powers.sum().reshape(1, 1) if whole_sum else powers.sum(1, keepdim=True)
            total = (shrink if total_shrinks else 1) * total + here
            mixed = (shrink if mixed_shrinks else 1) * mixed + powers @ v_tile
            mixed = mixed / total if divided else mixed
            total, mixed = (shrink * total, shrink * mixed) if late else (total, mixed)
            outputs += [mixed / total] if inside else []
            largest = new if stored else largest
        outputs += (
            [] if inside else [mixed if (divided and not again) or undivided else mixed / total]
        )
        if early:
            break
    return join(outputs)


def slip(**options):
    """The loop over tiles with one slip."""
    return lambda *given: tiled(*given, **options)


def by_the_last_total(q, k, v, block_q, block_k):
    """All blocks divided once, behind both loops, by the total of the last."""
    total = tiled(
        q.split(block_q)[-1], k, torch.ones_like(k[:, :1]), block_q, block_k, undivided=True
    )
    return tiled(q, k, v, block_q, block_k, undivided=True) / total


def softmax_in_each_tile(q, k, v, block_q, block_k):
    """Tiles that count alike."""
    outputs = []
    for q_tile in q.split(block_q):
        tiles = zip(k.split(block_k), v.split(block_k), strict=True)
        each = [(q_tile @ a.T / q.shape[1] ** 0.5).softmax(dim=-1) @ b for a, b in tiles]
        outputs.append(sum(each) / len(each))
    return torch.cat(outputs)


def whole_table(q, k, v, block_q, block_k):
    """The table of all scores."""
    return (q @ k.T / q.shape[1] ** 0.5).softmax(dim=-1) @ v


def table_of_rows(q, k, v, block_q, block_k):
    """Whole rows of the table, block_q of them at a time."""
    return torch.cat([whole_table(tile, k, v, 1, 1) for tile in q.split(block_q)])


def remainder_dropped(q, k, v, block_q, block_k):
    """Leaves out a last block of keys that is shorter."""
    kept = max(len(k) // block_k, 1) * block_k
    return tiled(q, k[:kept], v[:kept], block_q, block_k)


def diagonal_tiles(q, k, v, block_q, block_k):
    """Each block of queries with one block of keys."""
    tiles = zip(q.split(block_q), k.split(block_k), v.split(block_k), strict=False)
    outputs = [whole_table(*tile, 1, 1) for tile in tiles]
    outputs += [torch.zeros(len(q) - sum(map(len, outputs)), v.shape[1])]
    return torch.cat(outputs)


def query_by_query(q, k, v, block_q, block_k):
    """Right: one query at a time, in float64."""
    rows = []
    for query in q.double():
        parts = zip(k.double().split(block_k), v.double().split(block_k), strict=True)
        blocks = [(a @ query / q.shape[1] ** 0.5, b) for a, b in parts]
        top = max(float(scores.max()) for scores, _ in blocks)
        total = sum(torch.exp(scores - top).sum() for scores, _ in blocks)
        mixed = sum(torch.exp(scores - top) @ values for scores, values in blocks)
        rows.append((mixed / total).tolist())
    return rows


def merged_tiles(q, k, v, block_q, block_k):
    """Right: with merge."""
    outputs = []
    for q_tile in q.split(block_q):
        out = torch.zeros(len(q_tile), v.shape[1])
        lse = torch.full((len(q_tile),), -torch.inf)
        for a, b in zip(k.split(block_k), v.split(block_k), strict=True):
            scores = q_tile @ a.T / math.sqrt(q.shape[1])
            out, lse = merge(out, lse, scores.softmax(-1) @ b, scores.logsumexp(-1))
        outputs.append(out)
    return torch.cat(outputs)


def keys_outside(q, k, v, block_q, block_k):
    """Right: with the keys in the outer loop."""
    out, lse = torch.zeros(len(q), v.shape[1]), torch.full((len(q),), -torch.inf)
    for a, b in zip(k.split(block_k), v.split(block_k), strict=True):
        for i in range(0, len(q), block_q):
            rows = slice(i, i + block_q)
            scores = q[rows] @ a.T / math.sqrt(q.shape[1])
            here = scores.softmax(-1) @ b, scores.logsumexp(-1)
            out[rows], lse[rows] = merge(out[rows], lse[rows], *here)
    return out


def keys_first(q, k, v, block_q, block_k, *, sums="inside", ready="inside"):
    """Keys in the outer loop, and sums that begin anew for each block of them.

    sums: made in the loop inside or outside; "all" has a row for each query.   ready: kept there.
    """
    outputs = []
    for a, b in zip(k.split(block_k), v.split(block_k), strict=True):
        rows = {"inside": 0, "outside": block_q, "all": len(q)}[sums]
        begun, done = _empty_sums(rows, v), []
        for q_tile in q.split(block_q):
            largest, total, mixed = begun if rows else _empty_sums(len(q_tile), v)
            scores = q_tile @ a.T / math.sqrt(q.shape[1])
            new = torch.maximum(largest, scores.amax(1, keepdim=True))
            shrink, powers = torch.exp(largest - new), torch.exp(scores - new)
            begun = new, shrink * total + powers.sum(1, keepdim=True), shrink * mixed + powers @ b
            done.append(begun[2] / begun[1])
        outputs += done if ready == "inside" else done[-1:]
    return torch.cat(outputs)


def _empty_sums(rows, v):
    column = torch.zeros(rows, 1)
    return column - torch.inf, column, torch.zeros(rows, v.shape[1])


def in_one_tensor(q, k, v, block_q, block_k):
    """Right: written into one tensor."""
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


def turned_tiles(q, k, v, block_q, block_k):
    """Right: tiles with a column for each query, and the sums of powers by a column of ones."""
    outputs, with_ones = [], torch.cat([v, torch.ones(len(v), 1)], dim=1)
    for tile in q.split(block_q):
        m, mixed = torch.full((1, len(tile)), -torch.inf), torch.zeros(len(tile), v.shape[1] + 1)
        for a, b in zip(k.split(block_k), with_ones.split(block_k), strict=True):
            scores = a @ tile.T / math.sqrt(q.shape[1])
            new = torch.maximum(m, scores.amax(0, keepdim=True))
            mixed = torch.exp(m - new).T * mixed + torch.exp(scores - new).T @ b
            m = new
        outputs.append(mixed[:, :-1] / mixed[:, -1:])
    return torch.cat(outputs)


def two_passes(q, k, v, block_q, block_k):
    """Right: the maximum of each row in a pass of its own."""
    rows = []
    for tile in q.split(block_q):
        scores = [tile @ one.T * q.shape[1] ** -0.5 for one in k.split(block_k)]
        top = torch.stack([one.amax(1) for one in scores]).amax(0)[:, None]
        powers = [torch.exp(one - top) for one in scores]
        total = sum(one.sum(1, keepdim=True) for one in powers)
        rows.append(sum(p @ one for p, one in zip(powers, v.split(block_k), strict=True)) / total)
    return torch.cat(rows)


def cut_afterwards(q, k, v, block_q, block_k):
    """The table of all scores first, cut into tiles."""
    scores = q @ k.T / math.sqrt(q.shape[1])
    return tiled(scores, torch.eye(len(k), dtype=k.dtype), v, block_q, block_k, scale=1.0)


def whole_table_by_exp(q, k, v, block_q, block_k):
    """The table of all scores, without softmax."""
    s = q @ k.T / math.sqrt(q.shape[1])
    p = torch.exp(s - s.amax(1, keepdim=True))
    return p @ v / p.sum(1, keepdim=True)


def cut_rows_afterwards(q, k, v, block_q, block_k):
    """Whole rows of scores first, cut into tiles."""
    return torch.cat([cut_afterwards(tile, k, v, len(tile), block_k) for tile in q.split(block_q)])


def causal_by_habit(q, k, v, block_q, block_k):
    """Hides the keys after the query's own place."""
    parts, places = [], torch.arange(max(len(q), len(k)))
    for some_q, i in zip(q.split(block_q), places[: len(q)].split(block_q), strict=True):
        total, mixed = torch.zeros(len(some_q), 1), torch.zeros(len(some_q), v.shape[1])
        largest = torch.full((len(some_q), 1), -torch.inf)
        keys = k.split(block_k), v.split(block_k), places[: len(k)].split(block_k)
        for some_k, some_v, j in zip(*keys, strict=True):
            scores = some_q @ some_k.T / math.sqrt(q.shape[1])
            scores = scores.masked_fill(j > i[:, None], -torch.inf)
            new = torch.maximum(largest, scores.amax(1, keepdim=True))
            shrink, powers = torch.exp(largest - new), torch.exp(scores - new)
            total = shrink * total + powers.sum(1, keepdim=True)
            mixed, largest = shrink * mixed + powers @ some_v, new
        parts.append(mixed / total)
    return torch.cat(parts)
