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


def _at_least(powers):
    return powers / powers.sum(-1, keepdim=True).clamp(min=1e-9)


def _powers_shared(scores, mask):
    powers = scores.exp() * mask
    return powers / powers.sum(dim=-1, keepdim=True)


def _shared_again(scores, mask):
    kept = scores.softmax(dim=-1) * mask
    return kept / kept.sum(dim=-1, keepdim=True)


def _powers_below_the_largest(scores, mask):
    allowed = scores.masked_fill(~mask, -1e30)
    return _by_powers(allowed - allowed.amax(dim=-1, keepdim=True), mask)


THREE_ROWS = [  # not causal, and one row is empty
    [False, True, True, False, True],
    [False, False, False, False, False],
    [True, False, False, True, True],
]


def _output_and_gradient(candidate, case) -> dict:
    """The output and the gradient; where nothing at all is allowed, none is as good as 0."""
    seen = call_and_gradients(candidate, case)
    scores, mask = case.args
    if seen["gradient of scores"] is None and not mask.any():
        seen["gradient of scores"] = torch.zeros_like(scores)
    return seen


def _by_parts(scores, mask):
    """Row by row, the allowed scores alone."""
    weights = torch.zeros_like(scores)
    for i in range(len(scores)):
        if mask[i].any():
            weights[i, mask[i]] = scores[i, mask[i]].softmax(dim=0)
    return weights


SAFE_WEIGHTS = Exercise(
    answer=safe_weights,
    cases=(
        lambda rng: inputs(torch.tensor([[1.0, 2.0], [3.0, 1.0]]), _left_padded(1, 2)),
        lambda rng: inputs(drawn(rng, 3, 3), may_attend(causal, 3)),
        lambda rng: inputs(drawn(rng, 5, 5), _left_padded(3, 5)),
        lambda rng: inputs(drawn(rng, 2, 3), torch.zeros(2, 3, dtype=torch.bool)),
        lambda rng: inputs(drawn(rng, 3, 3) + 100, may_attend(causal, 3)),
        _hidden_far_above,
        lambda rng: inputs(drawn(rng, 3, 5) - 150, torch.tensor(THREE_ROWS)),
        lambda rng: inputs(drawn(rng, 3, 5).double() - 20_000, torch.tensor(THREE_ROWS)),
        lambda rng: inputs(drawn(rng, 3, 3), torch.tensor(THREE_ROWS)[:, :3]),
    ),
    observe=_output_and_gradient,
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
            "Rows in which nothing is allowed are NaN: 0 is divided by 0 in them. Give these rows "
            "zeros.",
            lambda scores, mask: scores.masked_fill(~mask, -torch.inf).softmax(dim=-1),
        ),
        Mistake(
            "A row in which nothing is allowed shares itself out evenly among forbidden keys, as "
            "with a large negative number in place of -inf. Its weights should be 0.",
            lambda scores, mask: scores.masked_fill(~mask, -1e9).softmax(dim=-1),
            also=(lambda scores, mask: scores.masked_fill(~mask, -1e4).softmax(-1),),
        ),
        Mistake(
            "The numbers are right, the gradients are NaN. Somewhere an empty row became NaN and "
            "was repaired afterwards; the way back still goes through it. masked_fill before "
            "torch.softmax blocks that way: what was filled in does not depend on the scores.",
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
            also=(
                lambda scores, mask: _at_least(scores.exp() * mask),
                lambda scores, mask: _at_least(torch.where(mask, scores.exp(), 0.0)),
                lambda scores, mask: _at_least((scores * mask).exp() * mask),
            ),
        ),
        Mistake(
            "exp of the scores without their maximum, and then nan_to_num: a score above 88 leaves "
            "the range of float32 (chapter 4), and the gradient of an empty row is NaN, because "
            "the way back goes through what was repaired.",
            lambda scores, mask: _powers_shared(scores, mask).nan_to_num(),
        ),
        Mistake(
            "Empty rows are NaN: their sum is 0, and 0 is divided by 0. And no maximum is "
            "subtracted, so a score above 88 leaves the range of float32 (chapter 4).",
            _powers_shared,
        ),
        Mistake(
            "You shared out what the softmax left to the allowed keys. In an empty row that is 0 "
            "divided by 0; and a forbidden score far above the others leaves nothing. Mask the "
            "scores first.",
            _shared_again,
            also=(lambda scores, mask: _shared_again(scores, mask) * 1,),
        ),
        Mistake(
            "You shared out what the softmax left to the allowed keys, and repaired the NaN of the "
            "empty rows. Their gradients are NaN still, and a forbidden score far above the others "
            "leaves nothing. Mask the scores first.",
            lambda scores, mask: _shared_again(scores, mask).nan_to_num(),
        ),
        Mistake(
            "You set the forbidden scores to 0. A score of 0 is no ban: e^0 is 1, and the key gets "
            "its share.",
            lambda scores, mask: (scores * mask).softmax(dim=-1),
            also=(lambda scores, mask: scores.masked_fill(~mask, 0.0).softmax(dim=-1),),
        ),
        Mistake(
            "The forbidden scores are 0 before the softmax, and the weights are cut after it. But "
            "e^0 is 1: the forbidden keys have had their share.",
            lambda scores, mask: (scores * mask).softmax(dim=-1) * mask,
        ),
        Mistake(
            "The mask was not used: this is the softmax of all scores.",
            lambda scores, mask: scores.softmax(dim=-1),
        ),
        Mistake(
            "You added the mask as 0 and 1. A 1 more makes a key a little likelier and bans none; "
            "what is added is 0 where a key is allowed and -inf where it is not.",
            lambda scores, mask: (scores + mask.float()).softmax(dim=-1),
        ),
        Mistake(
            "You multiplied 0 and 1 by -inf. 0 times infinity is NaN (not a number), so every row "
            "broke, and the repair made zeros of all. Put -inf in with masked_fill.",
            lambda scores, mask: (
                (scores + (1 - mask.float()) * -torch.inf).softmax(dim=-1).nan_to_num()
            ),
        ),
        Mistake(
            "You hid later keys as well. Which keys are allowed, the mask says alone.",
            lambda scores, mask: safe_weights(scores, mask & torch.ones_like(mask).tril()),
        ),
        Mistake(
            "The softmax ran down the columns. A row belongs to a query and shares out 1.",
            lambda scores, mask: (
                scores.masked_fill(~mask, -torch.inf).softmax(dim=0).masked_fill(~mask, 0)
            ),
            also=(
                lambda scores, mask: scores.masked_fill(~mask, -torch.inf).softmax(0).nan_to_num(),
            ),
        ),
        Mistake(
            "The number you filled in is not low enough: scores may lie there themselves, and then "
            "it is no ban. Fill in -inf, or the lowest number of the dtype.",
            lambda scores, mask: (
                scores.masked_fill(~mask, -100.0).softmax(-1).masked_fill(~mask, 0)
            ),
            also=(
                lambda scores, mask: scores.masked_fill(~mask, -1e4).softmax(-1) * mask,
                lambda scores, mask: scores.masked_fill(~mask, -1e3).softmax(-1) * mask,
            ),
        ),
        Mistake(
            "You divided the scores first. Here they are taken as they are.",
            lambda scores, mask: safe_weights(scores / scores.shape[-1] ** 0.5, mask),
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
        _by_parts,
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
    reward=(
        "One empty row in a batch no longer spoils every weight of a model: its weights and its "
        "gradient are 0."
    ),
    depth=True,
)
