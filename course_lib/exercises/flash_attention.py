"""The exercises and bets of chapter 8, FlashAttention."""

import math

import numpy as np
import torch

from course_lib.exercises.engine.accept import close
from course_lib.exercises.engine.bet import Bet, Choice, Number
from course_lib.exercises.engine.chapter import Chapter
from course_lib.exercises.engine.exercise import Exercise, Mistake, Property, inputs
from course_lib.exercises.engine.observe import NotHere, Unusable
from course_lib.kernels.allocation import largest_tensor
from course_lib.kernels.flash import flash_attention, online_softmax
from course_lib.kernels.interpreter import has_triton
from course_lib.kernels.loop_order import elements_moved
from course_lib.kernels.triton_language import NotWritten, execute

NOT_AT_ONCE = "held everything at once"
PRODUCTS = (
    "matmul",
    "__matmul__",
    "mm",
    "bmm",
    "einsum",
    "inner",
    "mul",
    "__mul__",
    "tensordot",
    "linear",
)


def _drawn(rng, *shape, dtype=torch.float32):
    """Numbers with one digit behind the point, so that a failing case can be read."""
    return torch.tensor(rng.normal(size=shape).round(1), dtype=dtype)


def _floats(*rows):
    return torch.tensor(rows, dtype=torch.float32)


def _watched(limit, operations=("exp", "exp_", "exp2", "softmax")):
    """An observer: the output, and whether one of `operations` made `limit(case)` bytes or more."""

    def observe(candidate, case) -> dict:
        output = []
        run = lambda: output.append(candidate(*case.args, **case.kwargs))  # noqa: E731
        made = largest_tensor(run, operations)
        return {"output": output[0], NOT_AT_ONCE: np.asarray(made >= limit(case))}

    return observe


# The online softmax

SIX_SCORES, SIX_VALUES = (1, 3, 2, 5, 4, 0), (10, 20, 30, 40, 50, 60)


def weighted_mean(scores, values, block):
    largest, total, mixed = torch.tensor(-torch.inf), 0.0, 0.0
    for x, v in zip(scores.split(block), values.split(block), strict=True):
        new = torch.maximum(largest, x.max())
        shrink = torch.exp(largest - new)
        powers = torch.exp(x - new)
        total = shrink * total + powers.sum()
        mixed = shrink * mixed + (powers * v).sum()
        largest = new
    return mixed / total


def _blocks(scores, values, block):
    return list(zip(scores.split(block), values.split(block), strict=True))


def _six(scores, values, block):
    return inputs(torch.as_tensor(scores) + 0.0, torch.as_tensor(values) + 0.0, block)


def _all_bytes(case) -> float:
    """The bytes of all scores together; endless where they stand in one block."""
    scores, _, block = case.args
    return scores.nbytes if block < len(scores) else math.inf


def _streamed(
    scores, values, block, *, start=-torch.inf, scale_total=True, scale_mixed=True, carry=True
):
    largest, total, mixed = torch.tensor(start), 0.0, 0.0
    for x, v in _blocks(scores, values, block):
        new = torch.maximum(largest, x.max()) if carry else x.max()
        shrink, powers = torch.exp(largest - new), torch.exp(x - new)
        total = (shrink if scale_total else 1) * total + powers.sum()
        mixed = (shrink if scale_mixed else 1) * mixed + (powers * v).sum()
        largest = new
    return mixed / total


def _stream_with(**options):
    return lambda *given: _streamed(*given, **options)


def _never_stored(scores, values, block):
    largest, total, mixed = torch.tensor(-torch.inf), 0.0, 0.0
    for x, v in _blocks(scores, values, block):
        new = torch.maximum(largest, x.max())
        shrink, powers = torch.exp(largest - new), torch.exp(x - new)
        total, mixed = shrink * total + powers.sum(), shrink * mixed + (powers * v).sum()
    return mixed / total


def _wrong_way(scores, values, block):
    largest, total, mixed = torch.tensor(-torch.inf), torch.tensor(0.0), torch.tensor(0.0)
    for x, v in _blocks(scores, values, block):
        new = torch.maximum(largest, x.max())
        grow, powers = torch.exp(new - largest), torch.exp(x - new)
        if largest > -torch.inf:
            total, mixed = grow * total, grow * mixed
        total, mixed = total + powers.sum(), mixed + (powers * v).sum()
        largest = new
    return mixed / total


def _new_ones_shrink(scores, values, block):
    largest, total, mixed = torch.tensor(-torch.inf), 0.0, 0.0
    for x, v in _blocks(scores, values, block):
        new = torch.maximum(largest, x.max())
        shrink = torch.exp(largest - new) if largest > -torch.inf else 1.0
        powers = torch.exp(x - new) * shrink
        total, mixed, largest = total + powers.sum(), mixed + (powers * v).sum(), new
    return mixed / total


def _divided_each_time(scores, values, block):
    largest, total, mixed = torch.tensor(-torch.inf), 0.0, 0.0
    for x, v in _blocks(scores, values, block):
        new = torch.maximum(largest, x.max())
        shrink, powers = torch.exp(largest - new), torch.exp(x - new)
        total = shrink * total + powers.sum()
        mixed = (shrink * mixed + (powers * v).sum()) / total
        largest = new
    return mixed


def _undivided(scores, values, block):
    largest, mixed = torch.tensor(-torch.inf), 0.0
    for x, v in _blocks(scores, values, block):
        new = torch.maximum(largest, x.max())
        mixed = torch.exp(largest - new) * mixed + (torch.exp(x - new) * v).sum()
        largest = new
    return mixed


def _no_maximum(scores, values, block):
    total = sum(torch.exp(x).sum() for x in scores.split(block))
    return sum((torch.exp(x) * v).sum() for x, v in _blocks(scores, values, block)) / total


def _mean_of_means(scores, values, block):
    means = [x.softmax(dim=0) @ v for x, v in _blocks(scores, values, block)]
    return sum(means) / len(means)


def _joined(scores, values, block):
    return scores.softmax(dim=0) @ values


def _two_passes(scores, values, block):
    largest = max(float(x.max()) for x in scores.split(block))
    total = sum(torch.exp(x - largest).sum() for x in scores.split(block))
    return (
        sum((torch.exp(x - largest) * v).sum() for x, v in _blocks(scores, values, block)) / total
    )


def _number_by_number(scores, values, block):
    largest, total, mixed = -math.inf, 0.0, 0.0
    for x, v in _blocks(scores, values, block):
        for score, value in zip(x.tolist(), v.tolist(), strict=True):
            if score > largest:
                shrink = math.exp(largest - score)
                total, mixed, largest = total * shrink, mixed * shrink, score
            total += math.exp(score - largest)
            mixed += math.exp(score - largest) * value
    return mixed / total


def _merged_by_lse(scores, values, block):
    lse, mean = torch.tensor(-torch.inf), torch.tensor(0.0)
    for x, v in _blocks(scores, values, block):
        both = torch.logaddexp(lse, here := x.logsumexp(0))
        old, now = torch.exp(lse - both), torch.exp(here - both)
        lse, mean = both, old * mean + now * (x.softmax(0) @ v)
    return mean.numpy()


WEIGHTED_MEAN = Exercise(
    reference=weighted_mean,
    cases=(
        lambda rng: _six([0, 2], [10, 20], 1),
        lambda rng: _six(SIX_SCORES, SIX_VALUES, 2),
        lambda rng: _six(SIX_SCORES, SIX_VALUES, 6),
        lambda rng: _six([4, 3, 2, 1], [10, 20, 30, 40], 1),
        lambda rng: inputs(_drawn(rng, 7), _drawn(rng, 7), 3),
        lambda rng: inputs(_drawn(rng, 11, dtype=torch.float64), _drawn(rng, 11).double(), 4),
        lambda rng: _six([-1000, -1002, -1001], [10, 20, 30], 1),
        lambda rng: _six([500, 502, 501, 300, 299], [10, 20, 30, 40, 50], 2),
    ),
    observe=_watched(_all_bytes),
    accept=close(1e-4),  # a log-sum-exp near -1000 has no more digits in float32
    properties=(
        Property(
            "A weighted mean lies between the smallest value and the largest.",
            lambda got, case: bool(
                case.args[1].min() - 1e-4
                <= float(np.asarray(got["output"]))
                <= case.args[1].max() + 1e-4
            ),
        ),
    ),
    mistakes=(
        Mistake(
            "Neither sum was brought to the new maximum. What stood in them was counted from the "
            "old one, so old and new blocks are added in different units.",
            _stream_with(scale_total=False, scale_mixed=False),
        ),
        Mistake(
            "The sum of the weighted values was not brought to the new maximum; the other sum "
            "was. Both are counted from the maximum, so both have to shrink.",
            _stream_with(scale_mixed=False),
        ),
        Mistake(
            "The sum of the powers was not brought to the new maximum; the other sum was. Both "
            "are counted from the maximum, so both have to shrink.",
            _stream_with(scale_total=False),
        ),
        Mistake(
            "You took the maximum of this block alone, and it may be smaller than the one before. "
            "Then the old sums grow instead of shrinking, and far below they leave the range of "
            "float32. Keep the larger of the two.",
            _stream_with(carry=False),
        ),
        Mistake(
            "The maximum starts at 0. If all scores lie far below 0, every power is 0, and 0 / 0 "
            "is NaN. Start below every score: -torch.inf.",
            _stream_with(start=0.0),
        ),
        Mistake(
            "The new maximum was not kept for the next block. Each block then meets the "
            "start value, -inf, and what was summed before is thrown away: only the last block is "
            "left.",
            _never_stored,
        ),
        Mistake(
            "The sums grow where they should shrink: the old unit is exp(old maximum), the new one "
            "is larger, so it is exp(old - new).",
            _wrong_way,
        ),
        Mistake(
            "You shrank the new block. It is counted from the new maximum already; what has to "
            "shrink is what was summed before.",
            _new_ones_shrink,
        ),
        Mistake(
            "You divided by the sum after each block, and went on with a number that is divided "
            "already. Divide once, at the end.",
            _divided_each_time,
        ),
        Mistake(
            "The division is missing: at the end, the weighted sum by the sum of the powers.",
            _undivided,
        ),
        Mistake(
            "No maximum is subtracted. exp(89) is too large for float32, and far below 0 every "
            "power is 0 (chapter 4).",
            _no_maximum,
        ),
        Mistake(
            "Each block has its own softmax here, and the blocks count alike. A block with larger "
            "scores has to count more.",
            _mean_of_means,
        ),
        Mistake(
            "The number is right, but all scores were put together again. The point is to see one "
            "block at a time: keep three numbers, not the blocks.",
            _joined,
        ),
    ),
    alternatives=(
        _two_passes,
        _number_by_number,
        _merged_by_lse,
        lambda scores, values, block: online_softmax(scores, values[:, None], block)[
            -1
        ].mean.item(),
    ),
    hints=(
        "The old sums are made of exp(score - old maximum). By what do you multiply that to get "
        "exp(score - new maximum)?",
        "exp(score - old) · exp(old - new) = exp(score - new). Both sums have to be multiplied, "
        "before this block is added.",
        "largest starts at -torch.inf, made a tensor. new = torch.maximum(largest, ...); "
        "shrink = torch.exp(...); total = shrink * total + ...; mixed = shrink * mixed + ...; "
        "largest = new",
    ),
    minutes=6,
    stars=2,
)

RIGHT_RUNS = Bet(
    "right_runs",
    question="The six scores from above, cut into blocks of 1, of 2, of 3, or left in one block "
    "of 6. Somebody forgets to rescale the sums. In how many of the four runs is the mean right "
    "all the same?",
    answer=Number(0, 4, format="{:.0f}"),
    why="With one block there is nothing to rescale, so the bug cannot be seen; with several "
    "blocks it can, as soon as a later block has the larger score.",
    model_answer="Rescaling does something only when a new maximum arrives after the first block. "
    "In one block of 6 that never happens. So a test whose text fits into one block says nothing: "
    "a test of tiles needs several tiles, and the largest score must not stand in the first.",
)

SAME_NUMBERS = Bet(
    "same_numbers",
    question="1000 queries and keys in float32, in tiles of 64, against the plain formula with the "
    "whole table. How large is the largest difference between the two outputs?",
    answer=Choice(
        (
            "exactly 0",
            "rounding: below a millionth",
            "between a millionth and a thousandth",
            "more: it is an approximation",
        ),
        which=lambda difference: int(np.searchsorted([0.0, 1e-6, 1e-3], difference)),
    ),
    why="The same sums are made in another order, and only the rounding differs.",
    model_answer="Tiles change the order in which numbers are added, and nothing else. In "
    "arithmetic without rounding the two would be equal. FlashAttention is exact attention, not an "
    "approximation. Its rounding errors are as small as those of the plain formula: the largest "
    "may be a little larger, but on the whole, by their root mean square, they are smaller.",
    depth=True,
)

# Two halves


def merge(out1, lse1, out2, lse2):
    lse = torch.logaddexp(lse1, lse2)
    share1, share2 = torch.exp(lse1 - lse), torch.exp(lse2 - lse)
    return share1[:, None] * out1 + share2[:, None] * out2, lse


def _merged(out1, lse1, out2, lse2, shares=None, lse=None):
    both = torch.logaddexp(lse1, lse2)
    one, two = shares(lse1, lse2) if shares else (torch.exp(lse1 - both), torch.exp(lse2 - both))
    out = one[:, None] * out1 + two[:, None] * out2
    return out, both if lse is None else lse(lse1, lse2)


def _halves(rng, t, e, low=0.0, dtype=torch.float32):
    return inputs(
        _drawn(rng, t, e, dtype=dtype), _drawn(rng, t, dtype=dtype) + low,
        _drawn(rng, t, e, dtype=dtype), _drawn(rng, t, dtype=dtype) + low,
    )  # fmt: skip


def _one_is_empty(rng):
    return inputs(
        torch.zeros(2, 3), torch.full((2,), -torch.inf), _drawn(rng, 2, 3), _drawn(rng, 2)
    )


def _without_maximum(out1, lse1, out2, lse2):
    one, two = torch.exp(lse1)[:, None], torch.exp(lse2)[:, None]
    return (one * out1 + two * out2) / (one + two), torch.log(one + two)[:, 0]


def _share_of_the_lse(lse1, lse2):
    return lse1 / (lse1 + lse2), lse2 / (lse1 + lse2)


def _unshared(lse1, lse2):
    top = torch.maximum(lse1, lse2)
    return torch.exp(lse1 - top), torch.exp(lse2 - top)


def _along_queries(lse1, lse2):
    return lse1.softmax(dim=0), lse2.softmax(dim=0)


def _row_by_row(out1, lse1, out2, lse2):
    rows, lses = [], []
    for a, x, b, y in zip(*(one.tolist() for one in (out1, lse1, out2, lse2)), strict=True):
        top = max(x, y)
        one, two = math.exp(x - top), math.exp(y - top)
        rows.append([(one * p + two * r) / (one + two) for p, r in zip(a, b, strict=True)])
        lses.append(top + math.log(one + two))
    return rows, lses


def _by_sigmoid(out1, lse1, out2, lse2):
    share = torch.sigmoid(lse1 - lse2).unsqueeze(1)
    return share * out1 + (1 - share) * out2, torch.logaddexp(lse1, lse2)


def _by_softmax(out1, lse1, out2, lse2):
    lses = torch.stack((lse1, lse2))
    outs = torch.stack((out1, out2))
    return (lses.softmax(dim=0)[..., None] * outs).sum(dim=0), lses.logsumexp(dim=0)


MERGE = Exercise(
    reference=merge,
    cases=(
        lambda rng: inputs(
            _floats([10.0], [20.0]), _floats(1.0, 3.0), _floats([30.0], [40.0]), _floats(2.0, 2.0)
        ),
        lambda rng: _halves(rng, 3, 2),
        lambda rng: _halves(rng, 3, 3, dtype=torch.float64),
        lambda rng: _one_is_empty(rng),
        lambda rng: _halves(rng, 5, 2, low=200.0),
        lambda rng: _halves(rng, 2, 5, low=-200.0),
    ),
    mistakes=(
        Mistake(
            "Both halves count alike here. The one with the larger sum of powers has to count "
            "more: its share is exp(lse) of its own in the sum of both.",
            lambda out1, lse1, out2, lse2: (
                (out1 + out2) / 2,
                torch.logaddexp(lse1, lse2),
            ),
        ),
        Mistake(
            "The shares are those of the log-sum-exps themselves. An lse is a logarithm: take exp "
            "first.",
            lambda *halves: _merged(*halves, shares=_share_of_the_lse),
        ),
        Mistake(
            "The output is right. The lse of both is more than the larger of the two: it is the "
            "log of exp(lse1) + exp(lse2).",
            lambda *halves: _merged(*halves, lse=torch.maximum),
        ),
        Mistake(
            "The output is right. Adding two logarithms multiplies the sums; the lse of both is "
            "the log of exp(lse1) + exp(lse2).",
            lambda *halves: _merged(*halves, lse=torch.add),
        ),
        Mistake(
            "The output is right, and what you return beside it is the sum of the powers. The lse "
            "is its logarithm.",
            lambda *halves: _merged(*halves, lse=lambda a, b: torch.exp(a) + torch.exp(b)),
        ),
        Mistake(
            "exp(lse) leaves the range of float32 for an lse above 88, and is 0 far below. "
            "Subtract the larger one first, or use torch.logaddexp.",
            _without_maximum,
        ),
        Mistake(
            "The shares do not add up to 1: divide them by their sum.",
            lambda *halves: _merged(*halves, shares=_unshared),
        ),
        Mistake(
            "The shares are shared among the queries. Each query has two shares of its own, one "
            "for each half.",
            lambda *halves: _merged(*halves, shares=_along_queries),
        ),
        Mistake(
            "The two shares are exchanged: each output has to be multiplied by the share of its "
            "own half.",
            lambda *halves: _merged(
                *halves,
                shares=lambda a, b: (
                    torch.exp(b - torch.logaddexp(a, b)),
                    torch.exp(a - torch.logaddexp(a, b)),
                ),
            ),
        ),
        Mistake(
            "A share belongs to a row, and here it meets the columns. Give it a second axis: "
            "share[:, None].",
            lambda out1, lse1, out2, lse2: (
                torch.exp(lse1 - torch.logaddexp(lse1, lse2)) * out1
                + torch.exp(lse2 - torch.logaddexp(lse1, lse2)) * out2,
                torch.logaddexp(lse1, lse2),
            ),
        ),
        Mistake(
            "You returned the output alone. The next merge needs the lse as well.",
            lambda *halves: _merged(*halves)[0],
        ),
    ),
    alternatives=(_row_by_row, _by_sigmoid, _by_softmax),
    hints=(
        "exp(lse1) is the sum of the powers of the first half. Which share has it in the sum of "
        "both?",
        "The lse of both is torch.logaddexp of the two. The share of the first half is "
        "exp(lse1 - lse), one number for each query.",
        "return share1[:, None] * out1 + ..., lse",
    ),
    minutes=4,
    stars=2,
)

# The loop over tiles


def attention_by_tiles(q, k, v, block_q, block_k):
    outputs = []
    for q_tile in q.split(block_q):
        largest = torch.full((len(q_tile), 1), -torch.inf)
        total, mixed = torch.zeros(len(q_tile), 1), torch.zeros(len(q_tile), v.shape[1])
        for k_tile, v_tile in zip(k.split(block_k), v.split(block_k), strict=True):
            scores = q_tile @ k_tile.T / q.shape[1] ** 0.5
            new = torch.maximum(largest, scores.max(dim=1, keepdim=True).values)
            shrink, powers = torch.exp(largest - new), torch.exp(scores - new)
            total = shrink * total + powers.sum(dim=1, keepdim=True)
            mixed = shrink * mixed + powers @ v_tile
            largest = new
        outputs.append(mixed / total)
    return torch.cat(outputs)


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


def _table_bytes(case) -> float:
    """Bytes of a table of all scores; endless where one tile is as large."""
    q, k, _, block_q, block_k = case.args
    tile = min(block_q, len(q)) * min(block_k, len(k))
    return len(q) * len(k) * q.itemsize if tile < len(q) * len(k) else math.inf


def _far_apart(rng):
    """Row 0 scores around 200, row 1 around -200, so they share no maximum."""
    q = torch.tensor([[20.0, 0.0], [-20.0, 0.0], [1.0, 0.5]])
    k = torch.cat((torch.full((5, 1), 14.0) + _drawn(rng, 5, 1), _drawn(rng, 5, 1)), dim=1)
    return inputs(q, k, _drawn(rng, 5, 3), 2, 2)


ATTENTION_BY_TILES = Exercise(
    reference=attention_by_tiles,
    cases=(
        lambda rng: inputs(
            _floats([1, 0, 1, 2], [0, 2, 1, 0]),
            _floats([1, 1, 0, 0], [0, 1, 2, 1], [2, 0, 1, 2]),
            _floats([10, 0], [20, 5], [30, 10]), 1, 2,
        ),
        lambda rng: inputs(_drawn(rng, 5, 3), _drawn(rng, 7, 3), _drawn(rng, 7, 2), 7, 8),
        lambda rng: inputs(_drawn(rng, 4, 4), _drawn(rng, 4, 4), _drawn(rng, 4, 4), 2, 2),
        lambda rng: inputs(
            *(_drawn(rng, *shape, dtype=torch.float64) for shape in ((11, 2), (13, 2), (13, 3))),
            4, 3,
        ),
        _far_apart,
    ),
    observe=_watched(_table_bytes),
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
            "The numbers are right, but the whole table of scores was made. Here no table may be "
            "larger than a tile.",
            _whole_table,
        ),
    ),
    alternatives=(
        _query_by_query,
        _merged_tiles,
        _keys_outside,
        _table_of_rows,
        lambda q, k, v, block_q, block_k: flash_attention(
            q, k, v, block_q=block_q, block_k=block_k
        ),
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

# What is moved


def flash_traffic(n, d, block):
    rounds = math.ceil(n / block)
    return 2 * n * d + rounds * 2 * n * d


def _counted_block_by_block(n, d, block):
    moved, begin = 0, 0
    while begin < n:
        rows = min(block, n - begin)
        moved += rows * d  # a block of queries in
        moved += 2 * n * d  # all keys and values in
        moved += rows * d  # its output out
        begin += block
    return moved


def _read_from_the_log(n, d, block):
    log = []
    flash_attention(*torch.zeros(3, n, d), block_q=block, log=log)
    return sum(move.elements for move in log if move.name != "lse")


FLASH_TRAFFIC = Exercise(
    reference=flash_traffic,
    cases=(
        lambda rng: inputs(8, 2, 4),
        lambda rng: inputs(12, 3, 12),
        lambda rng: inputs(7, 5, 1),
        lambda rng: inputs(13, 4, 5),
        lambda rng: inputs(6, 6, 9),
        lambda rng: inputs(100, 16, 32),
    ),
    mistakes=(
        Mistake(
            "In each round keys and values pass by, both of them: 2 n d numbers, not n d.",
            lambda n, d, block: 2 * n * d + math.ceil(n / block) * n * d,
        ),
        Mistake(
            "Queries come in once, and outputs leave once, whatever the number of rounds: a block "
            "of queries stays on the chip while the keys pass by.",
            lambda n, d, block: math.ceil(n / block) * 4 * n * d,
        ),
        Mistake(
            "The queries and the outputs are missing: 2 n d numbers, once.",
            lambda n, d, block: math.ceil(n / block) * 2 * n * d,
        ),
        Mistake(
            "The output has to be written as well: n d numbers more.",
            lambda n, d, block: n * d + math.ceil(n / block) * 2 * n * d,
        ),
        Mistake(
            "The last block may be shorter than the others, and it needs all keys, too. Round the "
            "number of rounds up.",
            lambda n, d, block: 2 * n * d + n // block * 2 * n * d,
        ),
        Mistake(
            "In each round you counted a full block of queries and of outputs. The last block may "
            "be shorter: all blocks together have n rows.",
            lambda n, d, block: math.ceil(n / block) * (2 * block * d + 2 * n * d),
        ),
        Mistake(
            "There are no fractions of a round: round n / block up.",
            lambda n, d, block: 2 * n * d + n / block * 2 * n * d,
        ),
        Mistake(
            "The number of rounds is how many blocks there are, n / block, not how many rows each "
            "of them has.",
            lambda n, d, block: 2 * n * d + block * 2 * n * d,
        ),
        Mistake(
            "You counted rows. Each row has d numbers.",
            lambda n, d, block: 2 * n + math.ceil(n / block) * 2 * n,
        ),
        Mistake(
            "That is one round. Each block of queries has to see all keys and values.",
            lambda n, d, block: 4 * n * d,
        ),
        Mistake(
            "The table of scores never leaves the chip here, so none of its n² numbers is moved.",
            lambda n, d, block: 4 * n * d + 4 * n * n,
        ),
        Mistake(
            "Here the query block is outside and its output stays on the chip until it is done. "
            "You counted the other order, in which unfinished outputs come and go in every round.",
            lambda n, d, block: 2 * n * d + math.ceil(n / block) * 3 * n * d,
        ),
        Mistake(
            "You counted bytes of 2; asked is how many numbers.",
            lambda n, d, block: 2 * (2 * n * d + math.ceil(n / block) * 2 * n * d),
        ),
    ),
    alternatives=(
        _counted_block_by_block,
        _read_from_the_log,
        lambda n, d, block: elements_moved("queries", n, d, block_q=block),
        lambda n, d, block: np.int64(2 * n * d * (1 + -(-n // block))),
        lambda n, d, block: float(2 * n * d * (1 + len(range(0, n, block)))),
    ),
    hints=(
        "How many rounds are there, if each block of queries needs one? And what passes by in a "
        "round?",
        "Once: the queries (n d numbers) and the outputs (n d). In each of the n / block rounds, "
        "rounded up: all keys and all values.",
        "math.ceil(n / block) rounds; return 2 * n * d + rounds * ...",
    ),
    minutes=3,
    stars=2,
)

SMALL_TILES = Bet(
    "small_tiles",
    question="4096 words, width 64. Plain attention writes two tables of 16.8 million numbers and "
    "reads both again. FlashAttention never stores a table, but works on 8 queries at a time. How "
    "many times as many numbers does it move, compared with plain attention? (Below 1: fewer.)",
    answer=Number(0, 100, unit="times", factor=1.5),
    why="Each block of queries has all keys and values pass by, and 512 blocks are many passes.",
    model_answer="4096 / 8 = 512 rounds, and in each all keys and values are read: 2 · 4096 · 64 "
    "numbers. That is four times what the two tables would cost. What saves traffic is not the "
    "tile as such but that many queries share one pass: with 64 at a time it is half of the plain "
    "way, with 256 an eighth.",
)

FIRST_ORDER = Bet(
    "first_order",
    question="The first FlashAttention had its loops the other way round: outside the keys, inside "
    "the queries with their unfinished outputs. 4096 words, width 128, and a chip with room for "
    "128 rows of each kind. Does it move more or fewer numbers than plain attention?",
    answer=Choice(
        ("fewer", "about the same (within 5 percent)", "more"),
        which=lambda ratio: 0 if ratio < 0.95 else 1 if ratio <= 1.05 else 2,
    ),
    why="Three things pass by in each round, queries, outputs in and outputs out, and 32 rounds "
    "are few enough.",
    model_answer="Plain: 4 n d + 4 n² numbers. Keys outside: 2 n d + (n / block) 3 n d. The wider "
    "the heads, the fewer rows fit on the chip, and the more rounds there are: with half the room "
    "it is twice as much, and more than plain attention. On the A100 of the paper there was room "
    "enough, and FlashAttention was faster.",
    depth=True,
)

# What stays quadratic

TEN_TIMES = Bet(
    "ten_times",
    question="A text grows from 1000 to 10,000 words. One layer of a model of width 4096, "
    "attention and behind it the feed-forward part (two large matrices): how many times as many "
    "operations does it need?",
    answer=Number(1, 1000, unit="times", factor=1.3),
    why="At 1000 words nearly all operations are linear layers, and those grow with n.",
    model_answer="The scores and the weighted sums grow a hundredfold: 4 n² m operations. The "
    "linear layers grow tenfold: 24 n m² (8 n m² for the projections, 16 n m² for the feed-forward "
    "part). At n = 1000 the first are 4 percent of the layer, so the layer as a whole grows a "
    "little more than tenfold. The hundredfold comes in when n is far beyond 6 m.",
)


def break_even(m):
    return 2 * m


BREAK_EVEN = Exercise(
    reference=break_even,
    cases=(
        lambda rng: inputs(10),
        lambda rng: inputs(768),
        lambda rng: inputs(4096),
        lambda rng: inputs(7),
    ),
    mistakes=(
        Mistake(
            "There are four projections of 2 n m² operations each, so 8 n m², and two products "
            "of 2 n² m in the core. You counted one projection against one product.",
            lambda m: m,
        ),
        Mistake(
            "You counted the feed-forward part as well. Here only the four projections stand on "
            "the other side.",
            lambda m: 6 * m,
        ),
        Mistake(
            "Three projections are counted: those of queries, keys and values. The output has one "
            "as well.",
            lambda m: 1.5 * m,
        ),
        Mistake("It is the other way round: 2 m, not m / 2.", lambda m: m / 2),
        Mistake(
            "You counted one product in the core. It has two, scores and weighted values: 4 n² m "
            "operations.",
            lambda m: 4 * m,
        ),
        Mistake(
            "Divide both sides by n and by m: one power of m is left.",
            lambda m: 2 * m * m,
        ),
    ),
    alternatives=(
        lambda m: next(n for n in range(1, 10 * m) if 4 * n * n * m >= 8 * n * m * m),
        lambda m: float(8 * m * m / (4 * m)),
        lambda m: np.float32(m + m),
    ),
    hints=(
        "How many operations have the four projections, how many the core?",
        "8 n m² and 4 n² m. Set them equal.",
        "return ... * m",
    ),
    minutes=3,
    stars=1,
    depth=True,
)

# Causal tiles


def key_blocks(n, block_q, block_k):
    counts = []
    for begin in range(0, n, block_q):
        end = min(begin + block_q, n)
        counts.append(math.ceil(end / block_k))
    return counts


def _counted_by_looking(n, block_q, block_k):
    i, j = torch.arange(n)[:, None], torch.arange(n)
    return [
        sum(bool(part.any()) for part in rows.split(block_k, dim=1))
        for rows in (j <= i).split(block_q)
    ]


def _counts(rule):
    """For each block of queries, rule(begin, end) of its rows."""
    return lambda n, block_q, block_k: [
        rule(begin, min(begin + block_q, n), n, block_k) for begin in range(0, n, block_q)
    ]


KEY_BLOCKS = Exercise(
    reference=key_blocks,
    cases=(
        lambda rng: inputs(8, 2, 2),
        lambda rng: inputs(12, 3, 4),
        lambda rng: inputs(12, 4, 3),
        lambda rng: inputs(7, 3, 2),
        lambda rng: inputs(5, 4, 8),
        lambda rng: inputs(11, 11, 4),
    ),
    mistakes=(
        Mistake(
            "These are the blocks that lie fully below the diagonal. The block that the diagonal "
            "cuts is needed as well: some of its pairs are allowed.",
            _counts(lambda begin, end, n, c: (begin + 1) // c),
        ),
        Mistake(
            "You looked at the first query of the block. The last one sees most, and it decides.",
            _counts(lambda begin, end, n, c: math.ceil((begin + 1) / c)),
        ),
        Mistake(
            "These are all blocks. Those that lie fully above the diagonal need not be touched.",
            _counts(lambda begin, end, n, c: math.ceil(n / c)),
        ),
        Mistake(
            "One block too many, where the diagonal ends with a block: the last query of the block "
            "sees the keys 0 to end - 1, end of them.",
            _counts(lambda begin, end, n, c: end // c + 1),
        ),
        Mistake(
            "The number of the block of queries is not enough: blocks of keys may have another "
            "size.",
            lambda n, block_q, block_k: [i + 1 for i in range(math.ceil(n / block_q))],
        ),
        Mistake(
            "Round up: a block that is seen in part is needed.",
            _counts(lambda begin, end, n, c: end // c),
        ),
        Mistake(
            "You counted keys. Asked are blocks of keys.",
            _counts(lambda begin, end, n, c: end),
        ),
        Mistake(
            "The last block of queries may be shorter, and there are never more than n keys: end "
            "is min(begin + block_q, n).",
            lambda n, block_q, block_k: [
                math.ceil((begin + block_q) / block_k) for begin in range(0, n, block_q)
            ],
        ),
        Mistake(
            "That is the total. Asked is one number for each block of queries.",
            lambda n, block_q, block_k: sum(key_blocks(n, block_q, block_k)),
        ),
    ),
    alternatives=(
        _counted_by_looking,
        lambda n, block_q, block_k: np.array(key_blocks(n, block_q, block_k)),
        lambda n, block_q, block_k: torch.tensor(
            [-(-min(b + block_q, n) // block_k) for b in range(0, n, block_q)]
        ),
        lambda n, block_q, block_k: tuple(
            len(range(0, min(b + block_q, n), block_k)) for b in range(0, n, block_q)
        ),
    ),
    hints=(
        "Which query of a block sees the most keys, and how many does it see?",
        "The queries begin to end - 1 form a block, and the last of them sees end keys. In blocks "
        "of block_k, rounded up.",
        "begin goes up in steps of block_q; a block ends at min(...); count math.ceil(...)",
    ),
    minutes=4,
    stars=2,
    depth=True,
)

# The way back


def score_gradient(scores, lse, grad_out, out, v):
    weights = torch.exp(scores - lse[:, None])
    grad_weights = grad_out @ v.T
    common = (grad_out * out).sum(dim=1, keepdim=True)
    return weights * (grad_weights - common)


def _back(scores, lse, grad_out, out, v, *, weights=None, common=None, minus=1):
    made = torch.exp(scores - lse[:, None]) if weights is None else weights(scores, lse)
    grad_weights = grad_out @ v.T
    kept = (grad_out * out).sum(dim=1, keepdim=True)
    kept = kept if common is None else common(made, grad_weights, grad_out, out)
    return made * (grad_weights - minus * kept)


def _tile_of(rng, t, s, e, part, dtype=torch.float32):
    """A tile of the columns `part` of a table of t by s scores, with what the way back needs."""
    scores, v = _drawn(rng, t, s, dtype=dtype), _drawn(rng, s, e, dtype=dtype)
    out, lse = scores.softmax(dim=-1) @ v, scores.logsumexp(dim=-1)
    grad_out = _drawn(rng, t, e, dtype=dtype)
    return inputs(scores[:, part].clone(), lse, grad_out, out, v[part].clone())


def _by_autograd(scores, lse, grad_out, out, v):
    """The tile's own part by autograd: the rest of the row stands in as one further key."""
    tile = scores.detach().double().requires_grad_(True)
    seen = tile.exp().sum(dim=1, keepdim=True)
    whole = lse.double().exp()[:, None]
    rest = whole - seen.detach()
    constant = out.double() * whole - tile.detach().exp() @ v.double()
    mean = (tile.exp() @ v.double() + constant) / (seen + rest)
    (mean * grad_out.double()).sum().backward()
    return tile.grad


SCORE_GRADIENT = Exercise(
    reference=score_gradient,
    cases=(
        lambda rng: inputs(
            _floats([0.0, 0.0]), _floats(math.log(4)), _floats([1.0]), _floats([2.0]),
            _floats([0.0], [4.0]),
        ),
        lambda rng: _tile_of(rng, 3, 5, 2, slice(0, 5)),
        lambda rng: _tile_of(rng, 2, 7, 3, slice(3, 7)),
        lambda rng: _tile_of(rng, 3, 9, 3, slice(0, 3), dtype=torch.float64),
    ),
    mistakes=(
        Mistake(
            "You took a softmax of the tile. A row goes on in other tiles; the lse knows all of "
            "them: exp(scores - lse).",
            lambda *given: _back(*given, weights=lambda s, lse: s.softmax(dim=-1)),
        ),
        Mistake(
            "The sum runs over this tile only, but it has to run over the whole row. That is why "
            "it is made of grad_out and out, which know the whole row.",
            lambda *given: _back(
                *given,
                common=lambda w, g, grad_out, out: (w * g).sum(dim=1, keepdim=True),
            ),
        ),
        Mistake(
            "The common part is missing: a softmax takes from each score what the row has in "
            "common, the sum of grad_out · out.",
            lambda *given: _back(*given, minus=0),
        ),
        Mistake(
            "The common part is added. It has to be subtracted.",
            lambda *given: _back(*given, minus=-1),
        ),
        Mistake(
            "exp(scores) is not a weight yet: subtract the lse of the row first.",
            lambda *given: _back(*given, weights=lambda s, lse: torch.exp(s)),
        ),
        Mistake(
            "The scores stand where weights should: weights = exp(scores - lse).",
            lambda *given: _back(*given, weights=lambda s, lse: s),
        ),
        Mistake(
            "The common part is one number for all queries here. Each query has its own.",
            lambda *given: _back(
                *given, common=lambda w, g, grad_out, out: (grad_out * out).sum()
            ),
        ),
        Mistake(
            "The mean stands where a sum should: grad_out · out is a dot product.",
            lambda *given: _back(
                *given,
                common=lambda w, g, grad_out, out: (grad_out * out).mean(dim=1, keepdim=True),
            ),
        ),
        Mistake(
            "The common part has to be weighted like the rest: weights * (grad_weights - common).",
            lambda scores, lse, grad_out, out, v: (
                torch.exp(scores - lse[:, None]) * (grad_out @ v.T)
                - (grad_out * out).sum(dim=1, keepdim=True)
            ),
        ),
        Mistake(
            "These are the gradients of the weights. One step is left: through the softmax.",
            lambda scores, lse, grad_out, out, v: grad_out @ v.T,
        ),
    ),
    alternatives=(
        _by_autograd,
        lambda scores, lse, grad_out, out, v: [
            [
                math.exp(x - z) * float(g @ (value - o))
                for x, value in zip(row.tolist(), v, strict=True)
            ]
            for row, z, g, o in zip(scores, lse.tolist(), grad_out, out, strict=True)
        ],
        lambda scores, lse, grad_out, out, v: torch.exp(scores - lse.unsqueeze(1))
        * torch.einsum("te,tse->ts", grad_out, v[None] - out[:, None]),
    ),
    hints=(
        "Which weights does this tile have, if lse is the log of the sum of all powers of the row?",
        "exp(score - lse) with an lse for each row; the gradient of the weights is grad_out @ v.T; "
        "the common part is the dot product of grad_out and out, one for each query.",
        "return weights * (... - ...)",
    ),
    minutes=6,
    stars=3,
    depth=True,
)  # fmt: skip

BACKWARD = Bet(
    "backward",
    question="Forward, a tile takes two matrix products: scores and weighted values. The way back "
    "makes the scores once more. How many times as many operations as forward does it take?",
    answer=Number(0, 20, unit="times", near=0.25),
    why="Five products against two: the scores again, then the gradients of weights, values, "
    "queries and keys.",
    model_answer="q k^T once more, grad_out v^T for the weights, weights^T grad_out for the values "
    "and two for the queries and the keys. Five against two is 2.5. Without the second making of "
    "the scores it would be 2, but then the table of weights would have to be stored. Operations "
    "are cheaper than traffic. (A kernel that goes over the tiles twice, once for the queries and "
    "once for keys and values, makes scores and gradients of weights twice: seven products.)",
    depth=True,
)

# A kernel in Triton


def masked_tile(q, k, scores, t, s, D, ROWS, COLS):
    import triton.language as tl

    i = tl.program_id(0) * ROWS + tl.arange(0, ROWS)[:, None]
    j = tl.program_id(1) * COLS + tl.arange(0, COLS)[None, :]
    d = tl.arange(0, D)
    q_tile = tl.load(q + i * D + d[None, :], mask=i < t, other=0.0)
    k_tile = tl.load(k + j * D + d[:, None], mask=j < s, other=0.0)
    tl.store(scores + i * s + j, tl.dot(q_tile, k_tile), mask=(i < t) & (j < s))


def _kernel(
    *, rows=lambda i, t, s: i < t, cols=lambda j, t, s: j < s,
    kept=lambda i, j, t, s: (i < t) & (j < s), place=lambda i, j, t, s: i * s + j, other=0.0,
    factor=1.0, stride=None,
):  # fmt: skip
    """The kernel with one slip, or none."""

    def kernel(q, k, scores, t, s, D, ROWS, COLS):
        import triton.language as tl

        i = tl.program_id(0) * ROWS + tl.arange(0, ROWS)[:, None]
        j = tl.program_id(1) * COLS + tl.arange(0, COLS)[None, :]
        d, wide = tl.arange(0, D), D if stride is None else stride
        q_tile = tl.load(q + i * wide + d[None, :], mask=rows(i, t, s), other=other)
        k_tile = tl.load(k + j * D + d[:, None], mask=cols(j, t, s), other=other)
        tile = tl.dot(q_tile, k_tile) * factor
        tl.store(scores + place(i, j, t, s), tile, mask=kept(i, j, t, s))

    return kernel


def _everything(index, t, s):
    return index >= 0


def _by_broadcast(q, k, scores, t, s, D, ROWS, COLS):
    import triton.language as tl

    i = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    j = tl.program_id(1) * COLS + tl.arange(0, COLS)
    d = tl.arange(0, D)
    inside = (i < t)[:, None] & (j < s)[None, :]
    q_tile = tl.load(q + i[:, None] * D + d, mask=(i < t)[:, None])
    k_tile = tl.load(k + j[:, None] * D + d, mask=(j < s)[:, None])
    tile = tl.dot(q_tile, tl.trans(k_tile))
    tl.store(scores + i[:, None] * s + j[None, :], tile, mask=inside)


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
    reference=masked_tile,
    cases=(
        lambda rng: inputs(_drawn(rng, 2, 2), _drawn(rng, 4, 2), 2, 2),
        lambda rng: inputs(_drawn(rng, 3, 2), _drawn(rng, 4, 2), 2, 2),
        lambda rng: inputs(_drawn(rng, 4, 4), _drawn(rng, 5, 4), 2, 4),
        lambda rng: inputs(_drawn(rng, 5, 2), _drawn(rng, 3, 2), 4, 2),
        lambda rng: inputs(_drawn(rng, 1, 8), _drawn(rng, 7, 8), 2, 4),
    ),
    observe=_launched,
    mistakes=(
        Mistake(
            "Nothing was stored. What a kernel returns is lost: tl.store puts a tile into scores.",
            _kernel(kept=lambda i, j, t, s: (i < 0) & (j < 0)),
        ),
        Mistake(
            "The queries are loaded without a mask. The last tile sticks out, and what lies there "
            "belongs to somebody else: on a GPU that is an error, or somebody's secret.",
            _kernel(rows=_everything),
        ),
        Mistake(
            "The keys are loaded without a mask, and the last tile sticks out.",
            _kernel(cols=_everything),
        ),
        Mistake(
            "You store without a mask. Columns beyond s are the first columns of the next row, and "
            "rows beyond t are nobody's.",
            _kernel(kept=lambda i, j, t, s: (i >= 0) & (j >= 0)),
        ),
        Mistake(
            "The mask of the store looks at rows only. A column beyond s is the first of the next "
            "row, and there it destroys a number.",
            _kernel(kept=lambda i, j, t, s: (i < t) & (j >= 0)),
        ),
        Mistake(
            "The mask of the store looks at columns only. Rows beyond t have to stay out, too.",
            _kernel(kept=lambda i, j, t, s: (i >= 0) & (j < s)),
        ),
        Mistake(
            "No mask anywhere: loads and the store go beyond the last row and column.",
            _kernel(
                rows=_everything, cols=_everything, kept=lambda i, j, t, s: (i >= 0) & (j >= 0)
            ),
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
            _kernel(place=lambda i, j, t, s: i * t + j),
        ),
        Mistake(
            "Here the scores are the products as they are, without a scale.",
            _kernel(factor=0.5),
        ),
    ),
    alternatives=(
        _kernel(),
        _by_broadcast,
        _kernel(other=1.0),
        _kernel(rows=lambda i, t, s: (i < t) & (i >= 0)),
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

# Other roads


def without_table(fq, fk, v):
    return fq @ (fk.T @ v) / (fq @ fk.sum(dim=0))[:, None]


def _bracket_left(fq, fk, v):
    table = fq @ fk.T
    return table @ v / table.sum(dim=1, keepdim=True)


def _table_of_all(case) -> float:
    fq, fk, v = case.args
    others = max(fq.numel(), fk.numel(), v.numel(), fk.shape[1] * v.shape[1])
    return len(fq) * len(fk) * fq.itemsize if len(fq) * len(fk) > others else math.inf


def _positive(rng, *shape, dtype=torch.float32):
    return _drawn(rng, *shape, dtype=dtype).abs() + 0.1


WITHOUT_TABLE = Exercise(
    reference=without_table,
    cases=(
        lambda rng: inputs(
            _floats([1, 2]), _floats([1, 0], [0, 1], [1, 1]), _floats([10], [20], [30])
        ),
        lambda rng: inputs(_positive(rng, 3, 3), _positive(rng, 3, 3), _drawn(rng, 3, 3)),
        lambda rng: inputs(_positive(rng, 11, 2), _positive(rng, 13, 2), _drawn(rng, 13, 3)),
        lambda rng: inputs(
            *(_positive(rng, *shape, dtype=torch.float64) for shape in ((17, 5), (13, 5))),
            _drawn(rng, 13, 2, dtype=torch.float64),
        ),
    ),
    observe=_watched(_table_of_all, operations=PRODUCTS),
    mistakes=(
        Mistake(
            "The numbers are right, but a table of all queries with all keys was made. Move the "
            "brackets: first fk.T @ v.",
            _bracket_left,
        ),
        Mistake(
            "The division is missing. The weights of a query are divided by their sum: the dot "
            "product of fq with the sum of all fk.",
            lambda fq, fk, v: fq @ (fk.T @ v),
        ),
        Mistake(
            "You divided by the number of keys. It takes the sum of the weights of each query.",
            lambda fq, fk, v: fq @ (fk.T @ v) / len(fk),
        ),
        Mistake(
            "All queries are divided by the same number. Each has its own sum of weights.",
            lambda fq, fk, v: fq @ (fk.T @ v) / (fq @ fk.sum(dim=0)).sum(),
        ),
        Mistake(
            "That is softmax attention: exp stands for the feature products here, and their "
            "brackets cannot be moved.",
            lambda fq, fk, v: (fq @ fk.T).softmax(dim=-1) @ v,
        ),
        Mistake(
            "You divided by the sum of the query's own features. It takes the sum of its products "
            "with all keys.",
            lambda fq, fk, v: fq @ (fk.T @ v) / fq.sum(dim=1, keepdim=True),
        ),
        Mistake(
            "The keys were summed over their features. They are to be summed over the places: "
            "dim=0.",
            lambda fq, fk, v: fq @ (fk.T @ v) / fk.sum(),
        ),
        Mistake(
            "This is the plain mean of the values.",
            lambda fq, fk, v: v.mean(dim=0, keepdim=True).expand(len(fq), -1),
        ),
    ),
    alternatives=(
        lambda fq, fk, v: np.asarray(fq) @ (np.asarray(fk).T @ np.asarray(v))
        / (np.asarray(fq) @ np.asarray(fk).sum(0))[:, None],
        lambda fq, fk, v: torch.einsum("tf,fe->te", fq, torch.einsum("sf,se->fe", fk, v))
        / torch.einsum("tf,sf->t", fq, fk)[:, None],
        lambda fq, fk, v: torch.stack(
            [row @ (fk.T @ v) / (fk @ row).sum() for row in fq]
        ),
        lambda fq, fk, v: torch.cat(
            [_bracket_left(row[None], fk, v) for row in fq]
        ),
    ),
    hints=(
        "(fq fk^T) v: which of the two products could be made first, so that no table of queries "
        "by keys appears?",
        "fk.T @ v has a row for each feature. The sum of a query's weights is fq @ fk.sum(dim=0).",
        "return fq @ (...) / (fq @ ...)[:, None]",
    ),
    minutes=4,
    stars=2,
    depth=True,
)  # fmt: skip

DENSE_MASK = Bet(
    "dense_mask",
    question="1024 words, and a mask lets each see the last 64: about 94 percent of the pairs are "
    "hidden. The mask is given to plain attention. Which share of its operations is saved?",
    answer=Number(0, 100, unit="%", near=1, format="{:.0f}"),
    why="Every score is computed first and hidden afterwards.",
    model_answer="A mask changes scores into minus infinity, and to do that the scores must be "
    "there. The matrix products have the same size as before. What saves is a kernel that leaves "
    "closed tiles out, as local_attention does, as FlexAttention does, and as FlashAttention does "
    "with tiles above the diagonal.",
    depth=True,
)

# Half precision

OVERFLOW = Bet(
    "overflow",
    question="A query and a key of width 128, all entries 30, in float16. Their dot product should "
    "be 115,200. What comes out?",
    answer=Choice(
        ("115,200", "65,504, the largest float16", "infinity"),
        which=lambda score: 2 if math.isinf(score) else 1 if score == 65504 else 0,
    ),
    why="The sum may be kept in float32 inside, but the result is stored as a float16, and that "
    "ends at 65,504.",
    model_answer="float16 has five bits for the size of a number, so it ends at 65,504. bfloat16 "
    "has eight, as float32 has, and reaches further, with two to three digits. So mixed precision "
    "is a way to compute faster. It does not make anything more stable; it is bought with care: "
    "kernels keep scores, maximum and sums in float32.",
    depth=True,
)

# When a recurrent network is cheaper

CROSSOVER = Bet(
    "crossover",
    question="An RNN layer of width 512 multiplies each word and each state with a matrix. Up "
    "to which length has the core of attention (scores, weighted values; no projections) fewer "
    "operations?",
    answer=Choice(
        (
            "never: n squared is always more",
            "up to about 64",
            "up to about 512",
            "up to about 4096",
        ),
        which=lambda n: int(np.searchsorted([1, 180, 1450], n)),
    ),
    why="With width m attention takes n² m operations for an RNN's n m²: they are level at n = m.",
    model_answer="O(n) hides a factor m squared, O(n squared) hides a factor m. For n below m the "
    "quadratic one is the smaller. And operations are not time: those of attention are a few large "
    "products that run side by side, those of an RNN wait for each other.",
    depth=True,
)

chapter = Chapter(
    "08_flash_attention",
    exercises=(
        WEIGHTED_MEAN, MERGE, ATTENTION_BY_TILES, FLASH_TRAFFIC,
        KEY_BLOCKS, SCORE_GRADIENT, MASKED_TILE, BREAK_EVEN, WITHOUT_TABLE,
    ),
    bets=(
        RIGHT_RUNS, SMALL_TILES, TEN_TIMES,
        SAME_NUMBERS, FIRST_ORDER, BACKWARD, OVERFLOW, DENSE_MASK, CROSSOVER,
    ),
)  # fmt: skip

exercise, bet, settle = chapter.exercise, chapter.bet, chapter.settle
hint, reveal, progress = chapter.hint, chapter.reveal, chapter.progress
