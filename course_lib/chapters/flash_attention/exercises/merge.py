"""Exercise `merge`: output and lse over all keys, from those over each half."""

import math

import torch

from course_lib.judging.exercise import Exercise, Mistake, Refused, inputs
from course_lib.judging.tensors import drawn, floats


def merge(out1, lse1, out2, lse2):
    """Output and lse over all keys, from those over each half.

    out1, out2: (t, e)   lse1, lse2: (t,)   returns: (t, e), (t,)
    """
    # SOLUTION
    lse = torch.logaddexp(lse1, lse2)
    share1, share2 = torch.exp(lse1 - lse), torch.exp(lse2 - lse)
    return share1[:, None] * out1 + share2[:, None] * out2, lse
    # STUB
    # lse = ...
    # return ..., lse  # your code here
    # END SOLUTION


def _merged(out1, lse1, out2, lse2, shares=None, lse=None):
    both = torch.logaddexp(lse1, lse2)
    one, two = shares(lse1, lse2) if shares else (torch.exp(lse1 - both), torch.exp(lse2 - both))
    out = one[:, None] * out1 + two[:, None] * out2
    return out, both if lse is None else lse(lse1, lse2)


def _halves(rng, t, e, low=0.0, dtype=torch.float32):
    return inputs(
        drawn(rng, t, e, dtype=dtype), drawn(rng, t, dtype=dtype) + low,
        drawn(rng, t, e, dtype=dtype), drawn(rng, t, dtype=dtype) + low,
    )  # fmt: skip


def _one_hardly_counts(rng):
    return inputs(drawn(rng, 2, 3), drawn(rng, 2) - 60, drawn(rng, 2, 3), drawn(rng, 2))


def _without_maximum(out1, lse1, out2, lse2):
    one, two = torch.exp(lse1)[:, None], torch.exp(lse2)[:, None]
    return (one * out1 + two * out2) / (one + two), torch.log(one + two)[:, 0]


def _by_an_lse_without_maximum(out1, lse1, out2, lse2):
    """The log of the sum first, which overflows; the shares from it."""
    lse = torch.log(torch.exp(lse1) + torch.exp(lse2))
    share1, share2 = torch.exp(lse1 - lse), torch.exp(lse2 - lse)
    return share1[:, None] * out1 + share2[:, None] * out2, lse


def _by_an_lse_and_the_rest(out1, lse1, out2, lse2):
    lse = torch.log(torch.exp(lse1) + torch.exp(lse2))
    share = torch.exp(lse1 - lse)[:, None]
    return share * out1 + (1 - share) * out2, lse


def _by_powers_and_a_safe_lse(out1, lse1, out2, lse2):
    one, two = torch.exp(lse1)[:, None], torch.exp(lse2)[:, None]
    return (one * out1 + two * out2) / (one + two), torch.logaddexp(lse1, lse2)


def _by_powers_over_a_safe_lse(out1, lse1, out2, lse2):
    one, two, lse = torch.exp(lse1), torch.exp(lse2), torch.logaddexp(lse1, lse2)
    return (one[:, None] * out1 + two[:, None] * out2) / torch.exp(lse)[:, None], lse


def _share_of_the_lse(lse1, lse2):
    return lse1 / (lse1 + lse2), lse2 / (lse1 + lse2)


def _unshared(lse1, lse2):
    top = torch.maximum(lse1, lse2)
    return torch.exp(lse1 - top), torch.exp(lse2 - top)


def _by_the_larger_alone(out1, lse1, out2, lse2):
    top = torch.maximum(lse1, lse2)
    return _merged(out1, lse1, out2, lse2, shares=_unshared)[0], top


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


def _by_the_larger(out1, lse1, out2, lse2):
    m = torch.maximum(lse1, lse2)
    a, b = torch.exp(lse1 - m).view(-1, 1), torch.exp(lse2 - m).view(-1, 1)
    return (a * out1 + b * out2) / (a + b), m + torch.log(a + b).flatten()


def _by_softplus(out1, lse1, out2, lse2):
    """Right for every half that has a key: without one, lse1 is -inf and -inf + inf is NaN."""
    more = torch.nn.functional.softplus(lse2 - lse1)
    return torch.lerp(out2, out1, torch.exp(-more)[:, None]), lse1 + more


def _with_a_column(*halves):
    out, lse = _by_the_larger(*halves)
    return out, lse[:, None]


MERGE = Exercise(
    answer=merge,
    cases=(
        lambda rng: inputs(
            floats([10.0], [20.0]), floats(1.0, 3.0), floats([30.0], [40.0]), floats(2.0, 2.0)
        ),
        lambda rng: _halves(rng, 3, 2),
        lambda rng: _halves(rng, 3, 3, dtype=torch.float64),
        _one_hardly_counts,
        lambda rng: _halves(rng, 5, 2, low=200.0),
        lambda rng: _halves(rng, 2, 5, low=-200.0),
        lambda rng: _halves(rng, 5, 2, low=3.0),
    ),
    parts=("output", "lse"),
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
            "The lse is the log of exp(lse1) + exp(lse2), and both powers were taken first. For an "
            "lse above 88 they are infinite in float32, and the shares come out as 0 or NaN. "
            "torch.logaddexp never forms them.",
            _by_an_lse_without_maximum,
        ),
        Mistake(
            "The lse is the log of two powers, which are infinite above 88 in float32, so the "
            "first share is 0 there, and all the rest goes to the second. Take torch.logaddexp.",
            _by_an_lse_and_the_rest,
        ),
        Mistake(
            "The lse is right. The shares are not: exp(lse1) on its own is infinite in float32 for "
            "an lse above 88, and 0 far below. The difference is small: exp(lse1 - lse).",
            _by_powers_and_a_safe_lse,
            also=(_by_powers_over_a_safe_lse,),
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
            "You took the larger lse for that of both, and made the shares with it: they add up to "
            "more than 1. The lse of both is the log of exp(lse1) + exp(lse2).",
            _by_the_larger_alone,
        ),
        Mistake(
            "The outputs were multiplied by the sums of their powers, and nothing divides. The "
            "share of a half is exp(lse1 - lse), not exp(lse1).",
            lambda *halves: _merged(*halves, shares=lambda a, b: (torch.exp(a), torch.exp(b))),
        ),
        Mistake(
            "The shares are upside down: exp(lse - lse1) is 1 or more, and a share is 1 or less.",
            lambda *halves: _merged(
                *halves,
                shares=lambda a, b: (
                    torch.exp(torch.logaddexp(a, b) - a),
                    torch.exp(torch.logaddexp(a, b) - b),
                ),
            ),
        ),
        Mistake(
            "The outputs were added. Both are means already: each counts with its share, and the "
            "two shares make 1.",
            lambda out1, lse1, out2, lse2: (out1 + out2, torch.logaddexp(lse1, lse2)),
        ),
        Mistake(
            "You put the halves below each other. Both are about the same queries: one row for "
            "each of them.",
            lambda out1, lse1, out2, lse2: (torch.cat([out1, out2]), torch.cat([lse1, lse2])),
        ),
        Mistake(
            "The two results are exchanged: first the output, then the lse.",
            lambda *halves: _merged(*halves)[::-1],
        ),
        Mistake(
            "The numbers are right, and the lse has a second axis. Give it back as (t,), one "
            "number for each query.",
            _with_a_column,
        ),
        Mistake(
            "You returned the output alone. The next merge needs the lse as well.",
            lambda *halves: _merged(*halves)[0],
        ),
    ),
    refused=(Refused(lambda out1, lse1, out2, lse2: (out1 + out2, lse1 + lse2)),),
    alternatives=(
        _row_by_row,
        _by_sigmoid,
        _by_softmax,
        _by_the_larger,
        _by_softplus,
        lambda *halves: list(_by_the_larger(*halves)),
    ),
    hints=(
        "exp(lse1) is the sum of the powers of the first half. Which share has it in the sum of "
        "both?",
        "The lse of both is torch.logaddexp of the two. The share of the first half is "
        "exp(lse1 - lse), one number for each query.",
        "return share1[:, None] * out1 + ..., lse",
    ),
    minutes=6,
    stars=2,
    depth=True,
)
