"""A weighted mean block by block: with one slip, and right in other ways."""

import math

import numpy as np
import torch


def _blocks(scores, values, block):
    return list(zip(scores.split(block), values.split(block), strict=True))


def as_they_are(numbers):
    """What adds nothing up."""
    return numbers


def streamed(
    *, start=-torch.inf, total_shrinks=True, mixed_shrinks=True, carry=True, stored=True,
    divided=False, undivided=False, late=False, top=torch.max, maximum=torch.maximum,
    early=False, upside_down=False, own_unit=False, add=torch.sum, add_powers=torch.sum,
):  # fmt: skip
    """The loop over blocks with one slip, or none.

    top: what is taken of a block's scores.   maximum: the larger of two.
    own_unit: the powers are counted from the block's own maximum.
    add, add_powers: what makes one number of a block's products, and of its powers; or none,
    `as_they_are`.
    """

    def answer(scores, values, block):
        largest, total, mixed = torch.tensor(start), 0.0, 0.0
        for x, v in _blocks(scores, values, block):
            new = maximum(largest, top(x)) if carry else top(x)
            shrink, powers = torch.exp(largest - new), torch.exp(x - (top(x) if own_unit else new))
            total = (shrink if total_shrinks else 1) * total + add_powers(powers)
            mixed = (shrink if mixed_shrinks else 1) * mixed + add(powers * v)
            mixed = mixed / total if divided else mixed
            total, mixed = (shrink * total, shrink * mixed) if late else (total, mixed)
            largest = new if stored else largest
            if early:
                break
        if upside_down:
            return total / mixed
        return mixed if divided or undivided else mixed / total

    return answer


def without_rescaling(scores, values, block):
    """The running sums as somebody makes them who forgets to rescale."""
    return streamed(total_shrinks=False, mixed_shrinks=False)(scores, values, block)


def wrong_way(scores, values, block):
    """Multiplies by exp(new - old)."""
    largest, total, mixed = torch.tensor(-torch.inf), torch.tensor(0.0), torch.tensor(0.0)
    for x, v in _blocks(scores, values, block):
        new = torch.maximum(largest, x.max())
        grow, powers = torch.exp(new - largest), torch.exp(x - new)
        if largest > -torch.inf:
            total, mixed = grow * total, grow * mixed
        total, mixed = total + powers.sum(), mixed + (powers * v).sum()
        largest = new
    return mixed / total


def _from_the_start(start, *, turned=False, counted_from_old=False):
    """A loop whose first block meets `start`, too.

    turned: exp(new - old) multiplies the sums.   counted_from_old: so are the powers, not from new.
    """

    def answer(scores, values, block):
        largest, total, mixed = torch.tensor(start), torch.tensor(0.0), torch.tensor(0.0)
        for x, v in _blocks(scores, values, block):
            new = torch.maximum(largest, x.max())
            factor = torch.exp(new - largest if turned else largest - new)
            powers = torch.exp(x - (largest if counted_from_old else new))
            total, mixed = factor * total + powers.sum(), factor * mixed + (powers * v).sum()
            largest = new
        return mixed / total

    return answer


def wrong_way_from_the_start(start):
    """Multiplies by exp(new - old) in the first block, too: exp(inf) times 0."""
    return _from_the_start(start, turned=True)


def counted_from_the_old(scores, values, block):
    """The powers are counted from the old maximum, and that is -inf at first."""
    return _from_the_start(-torch.inf, counted_from_old=True)(scores, values, block)


def overwritten(*, turned=False, from_the_block=False):
    """`largest` is the new maximum already when shrink is made, from it and the block's own.

    turned: exp(the block's - new), else exp(new - the block's).
    from_the_block: the powers are counted from the block's own maximum.
    """

    def answer(scores, values, block):
        largest, total, mixed = torch.tensor(-torch.inf), 0.0, 0.0
        for x, v in _blocks(scores, values, block):
            largest = torch.maximum(largest, x.max())
            shrink = torch.exp((x.max() - largest) if turned else (largest - x.max()))
            powers = torch.exp(x - (x.max() if from_the_block else largest))
            total, mixed = shrink * total + powers.sum(), shrink * mixed + (powers * v).sum()
        return mixed / total

    return answer


def stale_shrink(*, own_unit=False):
    """Makes shrink only where the maximum grows, and multiplies by it everywhere."""

    def answer(scores, values, block):
        largest, total, mixed = torch.tensor(-torch.inf), 0.0, 0.0
        for x, v in _blocks(scores, values, block):
            if x.max() > largest:
                shrink, largest = torch.exp(largest - x.max()), x.max()
            powers = torch.exp(x - (x.max() if own_unit else largest))
            total, mixed = shrink * total + powers.sum(), shrink * mixed + (powers * v).sum()
        return mixed / total

    return answer


def new_ones_shrink(scores, values, block):
    """Shrinks the new powers, too."""
    largest, total, mixed = torch.tensor(-torch.inf), 0.0, 0.0
    for x, v in _blocks(scores, values, block):
        new = torch.maximum(largest, x.max())
        shrink = torch.exp(largest - new) if largest > -torch.inf else 1.0
        powers = torch.exp(x - new) * shrink
        total, mixed, largest = total + powers.sum(), mixed + (powers * v).sum(), new
    return mixed / total


def no_maximum(scores, values, block):
    """Powers of the scores as they are."""
    parts = [(torch.exp(x), v) for x, v in _blocks(scores, values, block)]
    return sum(p @ v for p, v in parts) / sum(p.sum() for p, _ in parts)


def mean_of_means(scores, values, block):
    """The blocks' means, each counted alike."""
    means = [x.softmax(dim=0) @ v for x, v in _blocks(scores, values, block)]
    return sum(means) / len(means)


def python_maximum(scores, values, block):
    """Python's max over all scores, before the blocks."""
    largest = max(scores)
    parts = [(torch.exp(x - largest), v) for x, v in _blocks(scores, values, block)]
    return sum(p @ v for p, v in parts) / sum(p.sum() for p, _ in parts)


def joined(scores, values, block):
    """All scores at once."""
    return scores.softmax(dim=0) @ values


def two_passes(scores, values, block):
    """The maximum in a pass of its own."""
    largest = max(float(x.max()) for x in scores.split(block))
    total = sum(torch.exp(x - largest).sum() for x in scores.split(block))
    return (
        sum((torch.exp(x - largest) * v).sum() for x, v in _blocks(scores, values, block)) / total
    )


def number_by_number(scores, values, block):
    """Right: score by score."""
    largest, total, mixed = -math.inf, 0.0, 0.0
    for x, v in _blocks(scores, values, block):
        for score, value in zip(x.tolist(), v.tolist(), strict=True):
            if score > largest:
                shrink = math.exp(largest - score)
                total, mixed, largest = total * shrink, mixed * shrink, score
            total += math.exp(score - largest)
            mixed += math.exp(score - largest) * value
    return mixed / total


def merged_by_lse(scores, values, block):
    """Right: with the log-sum-exp so far."""
    lse, mean = torch.tensor(-torch.inf), torch.tensor(0.0)
    for x, v in _blocks(scores, values, block):
        both = torch.logaddexp(lse, here := x.logsumexp(0))
        old, now = torch.exp(lse - both), torch.exp(here - both)
        lse, mean = both, old * mean + now * (x.softmax(0) @ v)
    return mean.numpy()


def in_numpy(scores, values, block):
    """Right: in numpy."""
    s, v = scores.numpy(), values.numpy()
    m, total, mixed = -np.inf, 0.0, 0.0
    for i in range(0, len(s), block):
        new = max(m, s[i : i + block].max())
        p = np.exp(s[i : i + block] - new)
        total = total * np.exp(m - new) + p.sum()
        mixed = mixed * np.exp(m - new) + p @ v[i : i + block]
        m = new
    return np.float64(mixed / total)


def in_float64(scores, values, block):
    """Right: with more digits."""
    return streamed()(scores.double(), values.double(), block).item()


def maximum_of_all(scores, values, block):
    """The maximum of all scores, before the blocks."""
    powers = [torch.exp(x - scores.max()) for x in scores.split(block)]
    parts = zip(powers, values.split(block), strict=True)
    return sum(p @ v for p, v in parts) / sum(p.sum() for p in powers)


def the_mean_so_far(scores, values, block):
    """Right: keeps the mean and divides at each block."""
    m, total, mean = torch.tensor(-torch.inf), torch.tensor(0.0), torch.tensor(0.0)
    for x, v in _blocks(scores, values, block):
        new = torch.maximum(m, x.max())
        p, old = torch.exp(x - new), total * torch.exp(m - new)
        total = old + p.sum()
        mean = (old * mean + p @ v) / total
        m = new
    return mean


def without_the_remainder(scores, values, block):
    """Leaves out a last block that is shorter."""
    kept = max(len(scores) // block, 1) * block
    return streamed()(scores[:kept], values[:kept], block)
