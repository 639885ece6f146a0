"""Exercise `safe_weights`: masked weights, with rows in which nothing is allowed."""

import numpy as np
import torch

from course_lib.chapters.masks.exercises.causal_weights import hide
from course_lib.judging.exercise import Exercise, Mistake, Property, Refused, inputs
from course_lib.judging.observe import call_and_gradients
from course_lib.judging.tensors import drawn
from course_lib.kernels.attention import masked_softmax
from course_lib.kernels.masks import causal, may_attend, padding
from course_lib.learner.arrays import as_array


def safe_weights(scores, mask):
    """Masked weights; a row in which nothing is allowed is 0, and so is its gradient.

    scores: (t, s)   mask: (t, s), boolean, True = may attend   returns: (t, s)
    """
    # SOLUTION
    weights = scores.masked_fill(~mask, -torch.inf).softmax(dim=-1)
    return torch.where(mask, weights, 0.0)
    # END SOLUTION


def _added(scores, mask):
    return (scores + torch.zeros(mask.shape).masked_fill(~mask, -torch.inf)).softmax(dim=-1)


def _left_padded(words, s):
    """The causal mask of one sequence with `words` words at the end of s places."""
    return may_attend(causal & padding([words], side="left", size=s), s)[0]


def _hidden_far_above(rng):
    """Forbidden scores are 200 above the allowed ones: next to them, nothing else has a weight."""
    mask = _left_padded(3, 4)
    return inputs(torch.where(mask, drawn(rng, 4, 4), 200.0), mask)


def _kept_and_shared(scores, mask):
    kept = scores.softmax(dim=-1) * mask
    return kept / kept.sum(dim=-1, keepdim=True).clamp(min=1e-20)


def _row_by_row(scores, mask):
    rows = []
    for row, allowed in zip(scores, mask, strict=True):
        rows.append(hide(row, ~allowed) if allowed.any() else row * 0)
    return torch.stack(rows)


def _opened_and_closed(scores, mask):
    empty = ~mask.any(dim=-1, keepdim=True)
    weights = scores.masked_fill(~(mask | empty), -torch.inf).softmax(-1)
    return weights.masked_fill(empty, 0)


def _by_powers(scores, mask):
    powers = scores.exp() * mask
    total = powers.sum(-1, keepdim=True)
    return powers / torch.where(total > 0, total, torch.ones_like(total))


def _powers_below_the_largest(scores, mask):
    allowed = scores.masked_fill(~mask, -1e30)
    return _by_powers(allowed - allowed.amax(dim=-1, keepdim=True), mask)


SAFE_WEIGHTS = Exercise(
    answer=safe_weights,
    cases=(
        lambda rng: inputs(torch.tensor([[1.0, 2.0], [3.0, 1.0]]), _left_padded(1, 2)),
        lambda rng: inputs(drawn(rng, 3, 3), may_attend(causal, 3)),
        lambda rng: inputs(drawn(rng, 5, 5), _left_padded(3, 5)),
        lambda rng: inputs(drawn(rng, 2, 3), torch.zeros(2, 3, dtype=torch.bool)),
        lambda rng: inputs(drawn(rng, 3, 3) + 100, may_attend(causal, 3)),
        _hidden_far_above,
    ),
    observe=call_and_gradients,
    properties=(
        Property(
            "A row adds up to 1, or to 0 where nothing is allowed.",
            lambda got, case: bool(
                np.allclose(
                    as_array(got["output"]).sum(axis=-1),
                    case.args[1].any(dim=-1).float(),
                    atol=1e-4,
                )
            ),
        ),
        Property(
            "Every gradient is a finite number.",
            lambda got, case: bool(np.isfinite(as_array(got["gradient of scores"])).all()),
        ),
    ),
    mistakes=(
        Mistake(
            "Rows in which nothing is allowed are NaN: their softmax divides 0 by 0. Give these "
            "rows zeros.",
            lambda scores, mask: scores.masked_fill(~mask, -torch.inf).softmax(dim=-1),
        ),
        Mistake(
            "A large negative number in place of -inf: a row in which nothing is allowed now "
            "shares itself out evenly among forbidden keys. Its weights should be 0.",
            lambda scores, mask: scores.masked_fill(~mask, -1e9).softmax(dim=-1),
            also=(lambda scores, mask: scores.masked_fill(~mask, -1e4).softmax(-1),),
        ),
        Mistake(
            "The numbers are right, the gradients are NaN. You added -inf and repaired the NaN "
            "afterwards; the way back still goes through it. masked_fill blocks that way, because "
            "what was filled in does not depend on the scores.",
            lambda scores, mask: _added(scores, mask).nan_to_num(),
            also=(lambda scores, mask: (scores + mask.float().log()).softmax(-1).nan_to_num(),),
        ),
        Mistake(
            "You masked after the softmax, so the forbidden keys had taken their share.",
            lambda scores, mask: torch.where(mask, scores.softmax(dim=-1), 0.0),
            also=(lambda scores, mask: torch.softmax(scores, -1).masked_fill(~mask, 0),),
        ),
        Mistake(
            "Where nothing is allowed you left the row without its mask: it attends to forbidden "
            "keys.",
            lambda scores, mask: scores.masked_fill(
                ~mask & mask.any(dim=-1, keepdim=True), -torch.inf
            ).softmax(dim=-1),
        ),
        Mistake(
            "You shared out the weights first, and then what was left among the allowed keys. A "
            "forbidden score far above the others leaves them nothing. Mask the scores first.",
            _kept_and_shared,
        ),
        Mistake(
            "No maximum is subtracted, so a score above 88 leaves the range of float32 (chapter "
            "4). torch.softmax does it for you.",
            _by_powers,
        ),
        Mistake(
            "The mask is inverted: True means that the query may attend.",
            lambda scores, mask: scores.masked_fill(mask, -torch.inf).softmax(dim=-1).nan_to_num(),
        ),
    ),
    refused=(Refused(lambda scores, mask: masked_softmax(scores, mask).detach(), "gradient"),),
    alternatives=(
        lambda scores, mask: (
            scores.masked_fill(~mask, -torch.inf).softmax(dim=-1).nan_to_num(nan=0.0)
        ),
        lambda scores, mask: scores.masked_fill(~mask, -1e9).softmax(dim=-1) * mask,
        _powers_below_the_largest,
        lambda scores, mask: torch.where(
            mask.any(dim=-1, keepdim=True), hide(scores, ~mask), torch.zeros(())
        ),
        lambda scores, mask: (
            scores.masked_fill(~mask & mask.any(-1, keepdim=True), -torch.inf).softmax(-1) * mask
        ),
        _row_by_row,
        _opened_and_closed,
        masked_softmax,
    ),
    hints=(
        "What are the weights of a row in which every score is -inf? What should they be?",
        "Mask with masked_fill, take the softmax, then put 0 wherever the mask says False: "
        "torch.where(mask, weights, 0.0).",
        "weights = scores.masked_fill(~mask, ...).softmax(dim=-1); return torch.where(mask, ...)",
    ),
    minutes=6,
    stars=3,
    depth=True,
)
