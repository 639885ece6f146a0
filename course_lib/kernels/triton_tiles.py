"""The kernels of FlashAttention in Triton: one forwards, two back, and one that merges.

A program is what runs on one multiprocessor. In `forward` it has one block of queries, as in
flash.py, and all keys that these see pass by; `tl.dot` is the product of two tiles, on the tensor
cores. `backward_q` is the same loop again. In `backward_kv` a program has one block of keys, and
all queries pass by that see it, those of every head that shares it. No two programs write to one
place, so nothing is added in an order that chance decides.

q, k, v and their like are `Rows` (triton_rows.py): vectors of width D, in heads, in sentences. lse
and delta hold one number for each query, without gaps.

t queries, s keys, of which `lengths` count. Query i sees the keys i + low to i + high; low is None
where there is no window, high is s where a query sees what comes after it. Keys that no query of a
block sees do not pass by. `group` heads of queries share their keys. softcap is None or a number:
what is None costs nothing, Triton compiles a kernel without it.

A tile in which every query sees every key needs no mask, and most tiles are such. So the loop is
compiled for each stage anew (`tl.static_range`): for stage 0, these tiles, without a mask; with it
in stage 1 for those on the diagonal and at the last keys, and in stage 2 for those on the far edge
of a window, where there is one.

exp2 is what the hardware has: exp(x) = exp2(x log2(e)). The product of two vectors times `unit` is
the score in units of log 2, and multiplying and subtracting the maximum is one instruction; so
`unit` must be above 0. The maximum starts at a finite number and hidden scores are -inf: no step
makes inf - inf, so no row is special.

Which program has which block: `side` heads go together, since their keys lie in the cache; of all
their blocks the one with the longest loop goes first, so that none is left over at the end.
"""

import triton
import triton.language as tl

from course_lib.kernels.triton_rows import load, numbers, numbers_at, store

LOG2E: tl.constexpr = tl.constexpr(1.4426950408889634)
LOWEST: tl.constexpr = tl.constexpr(-1e30)


@triton.jit
def block_of(program, blocks, heads, side):
    """Which sentence, head and block a program has: of `side` heads together, block 0 first."""
    together = program // (blocks * side) * side
    side = tl.minimum(side, tl.num_programs(0) // blocks - together)
    place = program - together * blocks
    head = together + place % side
    return head // heads, head % heads, place // side


@triton.jit
def edges(begin, end, whole_from, whole_to, BLOCK: tl.constexpr):
    """Tiles lie side by side from `begin` on: the borders of those in whole_from to whole_to."""
    left = begin + tl.cdiv(tl.maximum(whole_from - begin, 0), BLOCK) * BLOCK
    right = left + tl.maximum(whole_to - left, 0) // BLOCK * BLOCK
    return tl.minimum(left, end), tl.minimum(right, end)


@triton.jit
def key_stages(first, begin, keys, low, high, BLOCK_Q: tl.constexpr, BLOCK_K: tl.constexpr):
    """For a block of queries and the keys from `begin` on: where each stage begins and ends."""
    if low is not None:
        begin = tl.maximum(begin, first + low)
    end = tl.minimum(keys, first + BLOCK_Q + high)
    whole_from = begin if low is None else first + BLOCK_Q - 1 + low
    whole_to = tl.minimum(keys, first + high + 1)
    left, right = edges(begin, end, whole_from, whole_to, BLOCK_K)
    return (left, right, begin), (right, end, left)


@triton.jit
def seen(i, j, keys, low, high):
    """Whether query i sees key j."""
    sees = j < tl.minimum(keys, i + high + 1)
    if low is not None:
        sees = sees & (j >= i + low)
    return sees


@triton.jit
def tanh(x):
    """Triton has none of its own; near 0, where 1 - y loses digits, its series up to x⁹."""
    y = tl.exp2(tl.abs(x) * (-2 * LOG2E))
    far = tl.where(x < 0, y - 1, 1 - y) / (1 + y)
    z = x * x
    near = x * (1 + z * (-1 / 3 + z * (2 / 15 + z * (-17 / 315 + z * (62 / 2835)))))
    return tl.where(z < 0.09, near, far)


@triton.jit
def capped(product, scale, softcap):
    """What `unit` turns into a score: the product itself, or tanh(product · scale / softcap)."""
    if softcap is not None:
        product = tanh(product * (scale / softcap))
    return product


@triton.jit
def unit_of(scale, softcap):
    """The score of 1, in units of log 2."""
    return (scale if softcap is None else softcap) * LOG2E


@triton.jit
def through_cap(grad, scores, softcap):
    """The gradient of scores before the cap, from that of scores after it: times 1 - tanh²."""
    if softcap is not None:
        grad = grad * (1 - scores * scores)
    return grad


@triton.jit
def forward(
    q, k, v, out, lse, lengths, heads, group, side, span, t, s, low, high, scale, softcap,
    D: tl.constexpr, WIDTH: tl.constexpr, BLOCK_Q: tl.constexpr, BLOCK_K: tl.constexpr,
):  # fmt: skip
    """Output and lse of one block of queries, over one part of the keys: `span` of them."""
    blocks, part = tl.cdiv(t, BLOCK_Q), tl.program_id(1)
    b, h, place = block_of(tl.program_id(0), blocks, heads, side)
    first = (blocks - 1 - place) * BLOCK_Q
    keys = tl.minimum(tl.minimum(tl.load(lengths + b), s), (part + 1) * span)
    i = first + tl.arange(0, BLOCK_Q)
    q_tile = load(q, b, h, first, t, D, BLOCK_Q, WIDTH)
    unit = unit_of(scale, softcap)
    largest = tl.full([BLOCK_Q], LOWEST, tl.float32)
    total = tl.zeros([BLOCK_Q], tl.float32)
    mixed = tl.zeros([BLOCK_Q, WIDTH], tl.float32)
    begins, ends = key_stages(first, part * span, keys, low, high, BLOCK_Q, BLOCK_K)
    for stage in tl.static_range(2 if low is None else 3):
        for start in range(begins[stage], ends[stage], BLOCK_K):
            until = None if stage == 0 else keys
            k_tile = load(k, b, h // group, start, until, D, BLOCK_K, WIDTH)
            scores = capped(tl.dot(q_tile, k_tile.T, input_precision="ieee"), scale, softcap)
            if stage > 0:
                j = start + tl.arange(0, BLOCK_K)
                scores = tl.where(seen(i[:, None], j, keys, low, high), scores, float("-inf"))
            new = tl.maximum(largest, tl.max(scores, 1) * unit)
            shrink = tl.exp2(largest - new)
            powers = tl.exp2(scores * unit - new[:, None])
            total = total * shrink + tl.sum(powers, 1)
            v_tile = load(v, b, h // group, start, until, D, BLOCK_K, WIDTH)
            mixed = mixed * shrink[:, None]
            mixed = tl.dot(powers.to(v_tile.dtype), v_tile, mixed, input_precision="ieee")
            largest = new
    some = total > 0
    total = tl.where(some, total, 1.0)
    its_lse = tl.where(some, (largest + tl.log2(total)) / LOG2E, float("-inf"))
    its_b = part * (tl.num_programs(0) // blocks // heads) + b  # parts are like more sentences
    store(out, its_b, h, first, t, mixed / total[:, None], D, BLOCK_Q, WIDTH)
    tl.store(numbers_at(lse, its_b, h, i, heads, t), its_lse, mask=i < t)


@triton.jit
def merge_parts(
    parts_of_out, out, parts_of_lse, lse, heads, parts, t,
    D: tl.constexpr, WIDTH: tl.constexpr, BLOCK_Q: tl.constexpr,
):  # fmt: skip
    """One output and one lse of each query, from those over each part: `merge` of flash.py."""
    blocks = tl.cdiv(t, BLOCK_Q)
    sentences = tl.num_programs(0) // blocks // heads
    b, h, place = block_of(tl.program_id(0), blocks, heads, 1)
    first = place * BLOCK_Q
    i = first + tl.arange(0, BLOCK_Q)
    mean = load(parts_of_out, b, h, first, t, D, BLOCK_Q, WIDTH)
    its_lse = numbers(parts_of_lse, b, h, i, heads, t)
    for part in range(1, parts):
        other = load(parts_of_out, part * sentences + b, h, first, t, D, BLOCK_Q, WIDTH)
        other_lse = numbers(parts_of_lse, part * sentences + b, h, i, heads, t)
        top = tl.maximum(tl.maximum(its_lse, other_lse), LOWEST)  # both may be -inf
        share, other_share = tl.exp(its_lse - top), tl.exp(other_lse - top)
        some = share + other_share > 0
        total = tl.where(some, share + other_share, 1.0)
        mean = (share / total)[:, None] * mean + (other_share / total)[:, None] * other
        its_lse = tl.where(some, top + tl.log(total), float("-inf"))
    store(out, b, h, first, t, mean, D, BLOCK_Q, WIDTH)
    tl.store(numbers_at(lse, b, h, i, heads, t), its_lse, mask=i < t)


@triton.jit
def backward_q(
    q, k, v, out, grad_out, grad_q, lse, delta, lengths, heads, group, side, t, s, low, high,
    scale, softcap,
    D: tl.constexpr, WIDTH: tl.constexpr, BLOCK_Q: tl.constexpr, BLOCK_K: tl.constexpr,
):  # fmt: skip
    """The gradient of one block of queries; and delta, grad_out · out - grad_lse, for the next."""
    blocks = tl.cdiv(t, BLOCK_Q)
    b, h, place = block_of(tl.program_id(0), blocks, heads, side)
    first = (blocks - 1 - place) * BLOCK_Q
    keys = tl.minimum(tl.load(lengths + b), s)
    i = first + tl.arange(0, BLOCK_Q)
    q_tile = load(q, b, h, first, t, D, BLOCK_Q, WIDTH)
    grad_tile = load(grad_out, b, h, first, t, D, BLOCK_Q, WIDTH)
    out_tile = load(out, b, h, first, t, D, BLOCK_Q, WIDTH)
    unit = unit_of(scale, softcap)
    its_lse = (numbers(lse, b, h, i, heads, t) * LOG2E)[:, None]
    its_delta = tl.sum(grad_tile.to(tl.float32) * out_tile.to(tl.float32), 1)
    its_delta -= numbers(delta, b, h, i, heads, t)  # where grad_lse lies until now
    tl.store(numbers_at(delta, b, h, i, heads, t), its_delta, mask=i < t)
    its_delta, grad = its_delta[:, None], tl.zeros([BLOCK_Q, WIDTH], tl.float32)
    begins, ends = key_stages(first, 0, keys, low, high, BLOCK_Q, BLOCK_K)
    for stage in tl.static_range(2 if low is None else 3):
        # On an edge no tile is fetched ahead: else an H100 makes the products of stage 0 in turn.
        for start in tl.range(
            begins[stage], ends[stage], BLOCK_K,
            num_stages=None if stage == 0 or q_tile.dtype == tl.float32 else 1,
        ):  # fmt: skip
            until = None if stage == 0 else keys
            k_tile = load(k, b, h // group, start, until, D, BLOCK_K, WIDTH)
            v_tile = load(v, b, h // group, start, until, D, BLOCK_K, WIDTH)
            scores = capped(tl.dot(q_tile, k_tile.T, input_precision="ieee"), scale, softcap)
            weights = tl.exp2(scores * unit - its_lse)
            if stage > 0:
                j = start + tl.arange(0, BLOCK_K)
                weights = tl.where(seen(i[:, None], j, keys, low, high), weights, 0.0)
            grad_weights = tl.dot(grad_tile, v_tile.T, input_precision="ieee")
            grad_scores = through_cap(weights * (grad_weights - its_delta), scores, softcap)
            grad = tl.dot(grad_scores.to(k_tile.dtype), k_tile, grad, input_precision="ieee")
    store(grad_q, b, h, first, t, grad * scale, D, BLOCK_Q, WIDTH)


@triton.jit
def backward_kv(
    q, k, v, grad_out, grad_k, grad_v, lse, delta, lengths, heads, group, side, t, s, low, high,
    scale, softcap,
    D: tl.constexpr, WIDTH: tl.constexpr, BLOCK_Q: tl.constexpr, BLOCK_K: tl.constexpr,
):  # fmt: skip
    """The gradients of one block of keys and values; scores here have keys in rows."""
    b, g, place = block_of(tl.program_id(0), tl.cdiv(s, BLOCK_K), heads // group, side)
    first = place * BLOCK_K
    keys = tl.minimum(tl.load(lengths + b), s)
    j = first + tl.arange(0, BLOCK_K)
    k_tile = load(k, b, g, first, keys, D, BLOCK_K, WIDTH)
    v_tile = load(v, b, g, first, keys, D, BLOCK_K, WIDTH)
    unit = unit_of(scale, softcap)
    k_grad = tl.zeros([BLOCK_K, WIDTH], tl.float32)
    v_grad = tl.zeros([BLOCK_K, WIDTH], tl.float32)
    begin = tl.where(first < keys, tl.maximum(first - high, 0), t)  # no query sees what is behind
    end = t if low is None else tl.minimum(t, first + BLOCK_K - low)
    whole_from = tl.where(first + BLOCK_K <= keys, first + BLOCK_K - 1 - high, end)
    whole_to = end + BLOCK_Q if low is None else first - low + 1
    left, right = edges(begin, end, whole_from, whole_to, BLOCK_Q)
    begins, ends = (left, begin, right), (right, left, end)
    for h in range(g * group, (g + 1) * group):
        for stage in tl.static_range(2 if low is None else 3):
            for start in range(begins[stage], ends[stage], BLOCK_Q):
                i = start + tl.arange(0, BLOCK_Q)
                q_tile = load(q, b, h, start, t, D, BLOCK_Q, WIDTH)
                grad_tile = load(grad_out, b, h, start, t, D, BLOCK_Q, WIDTH)
                its_lse = (numbers(lse, b, h, i, heads, t) * LOG2E)[None, :]
                its_delta = numbers(delta, b, h, i, heads, t)[None, :]
                scores = capped(tl.dot(k_tile, q_tile.T, input_precision="ieee"), scale, softcap)
                weights = tl.exp2(scores * unit - its_lse)
                if stage > 0:
                    weights = tl.where(seen(i, j[:, None], keys, low, high), weights, 0.0)
                v_grad = tl.dot(weights.to(q_tile.dtype), grad_tile, v_grad, input_precision="ieee")
                grad_weights = tl.dot(v_tile, grad_tile.T, input_precision="ieee")
                grad_scores = weights * (grad_weights - its_delta)
                grad_scores = through_cap(grad_scores, scores, softcap).to(q_tile.dtype)
                k_grad = tl.dot(grad_scores, q_tile, k_grad, input_precision="ieee")
    store(grad_k, b, g, first, s, k_grad * scale, D, BLOCK_K, WIDTH)
    store(grad_v, b, g, first, s, v_grad, D, BLOCK_K, WIDTH)
