"""Exercise `score_gradient`: the gradients of a tile of scores."""

import math

import torch

from course_lib.judging.exercise import Exercise, Mistake, Refused, inputs
from course_lib.judging.tensors import drawn, floats


def score_gradient(scores, lse, grad_out, out, v):
    """Gradients of a tile of scores.

    scores: (t, s)   lse: (t,)   grad_out, out: (t, e)   v: (s, e)   returns: (t, s)
    """
    # SOLUTION
    weights = torch.exp(scores - lse[:, None])
    grad_weights = grad_out @ v.T
    common = (grad_out * out).sum(dim=1, keepdim=True)
    return weights * (grad_weights - common)
    # STUB
    # weights = ...
    # grad_weights = ...
    # return ...  # your code here
    # END SOLUTION


def _back(scores, lse, grad_out, out, v, *, weights=None, common=None, minus=1):
    """Right as it stands; each option makes one slip."""
    made = torch.exp(scores - lse[:, None]) if weights is None else weights(scores, lse)
    grad_weights = grad_out @ v.T
    kept = (grad_out * out).sum(dim=1, keepdim=True)
    kept = kept if common is None else common(made, grad_weights, grad_out, out)
    return made * (grad_weights - minus * kept)


def _tile_of(rng, t, s, e, part, dtype=torch.float32, loud=0.0):
    """A tile of the columns `part` of a table of t by s scores, with what the way back needs.

    loud: added to all scores; the gradients stay.
    """
    scores, v = drawn(rng, t, s, dtype=dtype) + loud, drawn(rng, s, e, dtype=dtype)
    out, lse = scores.softmax(dim=-1) @ v, scores.logsumexp(dim=-1)
    grad_out = drawn(rng, t, e, dtype=dtype)
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


def _through_the_tile(scores, lse, grad_out, out, v):
    weights, grad_weights = scores.softmax(dim=1), grad_out @ v.T
    return weights * (grad_weights - (weights * grad_weights).sum(dim=1, keepdim=True))


SCORE_GRADIENT = Exercise(
    answer=score_gradient,
    cases=(
        lambda rng: inputs(
            floats([0.0, 0.0]),
            floats(math.log(4)),
            floats([1.0]),
            floats([2.0]),
            floats([0.0], [4.0]),
        ),
        lambda rng: _tile_of(rng, 3, 5, 2, slice(0, 5)),
        lambda rng: _tile_of(rng, 2, 7, 3, slice(3, 7)),
        lambda rng: _tile_of(rng, 3, 9, 3, slice(0, 3), dtype=torch.float64),
        lambda rng: _tile_of(rng, 2, 7, 3, slice(0, 4), loud=100.0),
        lambda rng: _tile_of(rng, 2, 7, 3, slice(3, 7)),
        lambda rng: inputs(
            floats([0.0, 0.0]),
            floats(math.log(4)),
            floats([1.0]),
            floats([2.0]),
            floats([0.0], [4.0]),
        ),
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
            lambda *given: _back(*given, common=lambda w, g, grad_out, out: (grad_out * out).sum()),
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
            "exp(lse) leaves the range of float32 for an lse above 88. Subtract first: "
            "exp(scores - lse).",
            lambda *given: _back(
                *given, weights=lambda s, lse: torch.exp(s) / torch.exp(lse)[:, None]
            ),
        ),
        Mistake(
            "You divided by the lse. It is a logarithm: the weights are exp(scores - lse).",
            lambda *given: _back(*given, weights=lambda s, lse: torch.exp(s) / lse[:, None]),
        ),
        Mistake(
            "The difference is the wrong way round: a weight is exp(scores - lse), at most 1.",
            lambda *given: _back(*given, weights=lambda s, lse: torch.exp(lse[:, None] - s)),
        ),
        Mistake(
            "The weights are missing at the end: weights * (grad_weights - common).",
            lambda *given: _back(*given, weights=lambda s, lse: torch.ones_like(s)),
        ),
        Mistake(
            "w (1 - w) is what a score does to its own weight. It changes all weights of its row: "
            "that is what the common part is for.",
            lambda scores, lse, grad_out, out, v: (
                (w := torch.exp(scores - lse[:, None])) * (1 - w) * (grad_out @ v.T)
            ),
        ),
        Mistake(
            "You went back through a softmax of this tile alone. A row goes on in other tiles: "
            "take the weights from lse, and the common part from grad_out and out.",
            _through_the_tile,
        ),
        Mistake(
            "An lse belongs to a row, and here it meets the columns. Give it a second axis: "
            "lse[:, None].",
            lambda *given: _back(*given, weights=lambda s, lse: torch.exp(s - lse)),
        ),
        Mistake(
            "The common part belongs to a row, and here it meets the columns. Keep its axis: "
            "sum(dim=1, keepdim=True).",
            lambda *given: _back(
                *given, common=lambda w, g, grad_out, out: (grad_out * out).sum(dim=1)
            ),
        ),
        Mistake(
            "grad_out @ out.T compares each query's gradient with all outputs. The common part is "
            "the dot product of the two rows of one query.",
            lambda *given: _back(*given, common=lambda w, g, grad_out, out: grad_out @ out.T),
        ),
        Mistake(
            "The tile is turned over: v @ grad_out.T has a row for each key. Rows are queries.",
            lambda scores, lse, grad_out, out, v: (
                torch.exp(scores - lse[:, None])
                * (v @ grad_out.T - (grad_out * out).sum(dim=1, keepdim=True))
            ),
        ),
        Mistake(
            "These are the gradients of the weights. One step is left: through the softmax.",
            lambda scores, lse, grad_out, out, v: grad_out @ v.T,
        ),
    ),
    refused=(
        Refused(lambda scores, lse, grad_out, out, v: scores * 0),
        Refused(lambda scores, lse, grad_out, out, v: scores.softmax(1)),
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
        lambda scores, lse, grad_out, out, v: (
            torch.exp(scores - lse.unsqueeze(1))
            * torch.einsum("te,tse->ts", grad_out, v[None] - out[:, None])
        ),
        lambda scores, lse, grad_out, out, v: (
            (scores - lse[:, None]).exp() * (grad_out @ v.T - (grad_out * out).sum(-1)[:, None])
        ),
        lambda scores, lse, grad_out, out, v: (
            (scores.T - lse).T.exp() * ((grad_out @ v.T).T - (grad_out * out).sum(1)).T
        ),
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
)
