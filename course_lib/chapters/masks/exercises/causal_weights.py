"""Exercise `causal_weights`: weights with which no query looks at a later key."""

import numpy as np
import torch
from torch.nn.functional import scaled_dot_product_attention

from course_lib.judging.exercise import Exercise, Mistake, Property, Refused, inputs
from course_lib.judging.tensors import drawn
from course_lib.kernels.attention import masked_softmax
from course_lib.kernels.masks import causal, may_attend
from course_lib.learner.arrays import as_array

FOUR = torch.ones(4, 4).tril() == 1  # fits four words alone, as `allowed` in the chapter


def causal_weights(scores):
    """Weights with which no query looks at a later key.

    scores: (t, t)   returns: (t, t)
    """
    # SOLUTION
    may_look = torch.ones_like(scores).tril() == 1
    return scores.masked_fill(~may_look, -torch.inf).softmax(dim=-1)
    # END SOLUTION


def _allowed(scores):
    """True where a query may look: at its own place and before."""
    return torch.ones(scores.shape, dtype=torch.bool).tril()


def hide(scores, hidden):
    """The softmax of each row, without the keys where `hidden` is True."""
    return scores.masked_fill(hidden, -torch.inf).softmax(dim=-1)


def _renormalised(scores):
    kept = scores.softmax(dim=-1).tril()
    return kept / kept.sum(dim=-1, keepdim=True)


def _row_by_row(scores):
    t = len(scores)
    rows = []
    for i in range(t):
        seen = scores[i, : i + 1].softmax(dim=0).tolist()
        rows.append(seen + [0.0] * (t - i - 1))
    return rows


def _hidden_one_by_one(scores, first=1):
    scores = scores.clone()
    for i in range(len(scores)):
        for j in range(i + first, len(scores)):
            scores[i, j] = -torch.inf
    return torch.softmax(scores, 1)


def _indexed_by_four(scores):
    scores = scores.clone()
    scores[~FOUR] = -torch.inf
    return scores.softmax(-1)


def _hidden_in_place(scores):
    scores[torch.ones(scores.shape).triu(1).bool()] = -torch.inf
    return scores.softmax(-1)


def _powers_kept(scores):
    powers = torch.exp(scores - scores.max()).tril()
    return powers / powers.sum(1, keepdim=True)


def _by_torch(scores):
    eye = torch.eye(len(scores), dtype=scores.dtype)
    return scaled_dot_product_attention(scores, eye, eye, is_causal=True, scale=1.0)


CAUSAL_WEIGHTS = Exercise(
    answer=causal_weights,
    cases=(
        lambda rng: inputs(torch.tensor([[1.0, 3.0, 0.0], [0.0, 1.0, 2.0], [2.0, 0.0, 1.0]])),
        lambda rng: inputs(drawn(rng, 2, 2)),
        lambda rng: inputs(drawn(rng, 5, 5)),
        lambda rng: inputs(2 * drawn(rng, 7, 7, dtype=torch.float64)),
        lambda rng: inputs(drawn(rng, 3, 3) + 100),
        lambda rng: inputs(drawn(rng, 4, 4) - 150),
        lambda rng: inputs(drawn(rng, 5, 5)),  # a size from above, other numbers
    ),
    properties=(
        Property(
            "Each row adds up to 1.",
            lambda got, case: bool(np.allclose(as_array(got["output"]).sum(axis=-1), 1, atol=1e-4)),
        ),
        Property(
            "Above the diagonal every weight is 0: nobody looks at what comes later.",
            lambda got, case: bool((np.abs(np.triu(as_array(got["output"]), 1)) < 1e-6).all()),
        ),
    ),
    mistakes=(
        Mistake(
            "The mask is inverted: you hid what is allowed and left what is forbidden. The last "
            "row then has nothing left.",
            lambda scores: hide(scores, _allowed(scores)),
        ),
        Mistake(
            "Your table is 4 by 4 each time, as `allowed` above is, and fits four words alone. "
            "Make the table inside your function, as large as len(scores) says.",
            lambda scores: hide(scores, ~FOUR),
            also=(
                lambda scores: hide(scores, FOUR),
                lambda scores: scores.masked_fill(~FOUR, float("-inf")).softmax(-1),
                lambda scores: torch.where(FOUR, scores, -torch.inf).softmax(-1),
                lambda scores: (scores + torch.zeros(4, 4).masked_fill(~FOUR, -torch.inf)).softmax(
                    -1
                ),
                lambda scores: scores.softmax(-1) * FOUR,
                _indexed_by_four,
            ),
        ),
        Mistake(
            "The word itself is hidden, too. A query may look at its own place, j = i; without it "
            "the first row has nothing left and becomes NaN.",
            lambda scores: hide(scores, ~_allowed(scores).tril(-1)),
        ),
        Mistake(
            "The mask lies on its side: each word sees itself and what comes later. Rows are "
            "queries; in row i the columns up to i are open.",
            lambda scores: hide(scores, ~_allowed(scores).T),
        ),
        Mistake(
            "You hid one column too few: the word right after is still open, j = i + 1.",
            lambda scores: hide(scores, torch.ones(scores.shape).triu(2).bool()),
            also=(lambda scores: _hidden_one_by_one(scores, first=2),),
        ),
        Mistake(
            "You masked after the softmax. The hidden words had their share by then, so the rows "
            "no longer add up to 1. Mask before, or divide each row by its sum afterwards.",
            lambda scores: scores.softmax(dim=-1).tril(),
            also=(lambda scores: scores.softmax(-1) * torch.ones_like(scores).tril(),),
        ),
        Mistake(
            "You set the forbidden scores to 0. A score of 0 is no ban: e^0 is 1, and the word "
            "gets its share. It takes -inf.",
            lambda scores: scores.tril().softmax(dim=-1),
        ),
        Mistake(
            "The number you filled in is not low enough: scores may lie there themselves, and then "
            "it is no ban. Fill in -inf.",
            lambda scores: scores.masked_fill(~_allowed(scores), -100.0).softmax(dim=-1),
            also=(lambda scores: scores.masked_fill(~_allowed(scores), -10.0).softmax(dim=-1),),
        ),
        Mistake(
            "No maximum is subtracted, so exp of a score above 88 leaves the range of float32 and "
            "far below 0 every power is 0 (chapter 4). torch.softmax subtracts it for you.",
            lambda scores: scores.exp().tril() / scores.exp().tril().sum(dim=1, keepdim=True),
        ),
        Mistake(
            "The softmax ran down the columns. A row belongs to a query and shares out 1.",
            lambda scores: scores.masked_fill(~_allowed(scores), -torch.inf).softmax(dim=0),
        ),
        Mistake(
            "Nothing is hidden: this is the softmax without a mask. masked_fill changes nothing in "
            "place, it returns a copy: go on with that. And of two lists that both lie flat, each "
            "place meets itself alone: the column, [:, None], makes a table.",
            lambda scores: scores.softmax(dim=-1),
        ),
        Mistake(
            "You added the pattern of ones to the scores. What is added is 0 where a word is "
            "allowed and -inf where it is not.",
            lambda scores: (scores + _allowed(scores)).softmax(dim=-1),
        ),
        Mistake(
            "You multiplied a pattern of 0 and 1 by -inf. 0 times infinity is NaN (not a number), "
            "so the allowed places break too. Put -inf in with masked_fill.",
            lambda scores: (scores + torch.ones(scores.shape).triu(1) * -torch.inf).softmax(dim=-1),
        ),
        Mistake(
            "You put -inf into the weights, after the softmax. Its place is in the scores, before.",
            lambda scores: scores.softmax(dim=-1).masked_fill(~_allowed(scores), -torch.inf),
        ),
        Mistake(
            "You divided the scores first. Here they are taken as they are.",
            lambda scores: hide(scores / len(scores) ** 0.5, ~_allowed(scores)),
        ),
        Mistake(
            "The forbidden scores are 0 before the softmax, and the weights are cut after it. But "
            "e^0 is 1: the forbidden words have had their share. It takes -inf, before.",
            lambda scores: scores.tril().softmax(dim=-1).tril(),
        ),
        Mistake(
            "You filled in -1. A score of -1 is no ban: e to the -1 is 0.37, and the word gets its "
            "share. It takes -inf.",
            lambda scores: scores.masked_fill(~_allowed(scores), -1.0).softmax(dim=-1),
        ),
        Mistake(
            "You filled in plus infinity: the forbidden words would get everything, and infinity "
            "divided by itself is NaN. What hides a word is minus infinity.",
            lambda scores: scores.masked_fill(~_allowed(scores), torch.inf).softmax(dim=-1),
        ),
        Mistake(
            "The sum of a row has lost its axis, so columns are divided where rows should be: "
            "sum(dim=-1, keepdim=True).",
            lambda scores: scores.softmax(dim=-1).tril() / scores.softmax(-1).tril().sum(dim=-1),
        ),
        Mistake(
            "The softmax ran down the columns, and the mask came after it. A row belongs to a "
            "query and shares out 1, and what is forbidden goes before.",
            lambda scores: scores.softmax(dim=0).tril(),
        ),
        Mistake(
            "You cut off the other triangle: what is left above the diagonal are the later words, "
            "and those are the forbidden ones.",
            lambda scores: scores.softmax(dim=-1).triu(),
        ),
        Mistake(
            "You added the pattern of the forbidden places to the scores. A 1 more makes them "
            "likelier; what is added there is -inf.",
            lambda scores: (scores + ~_allowed(scores)).softmax(dim=-1),
        ),
        Mistake(
            "These are scores times the pattern of 0 and 1. The ban is -inf, not 0, and the "
            "softmax of each row is left to do.",
            lambda scores: scores.tril(),
        ),
        Mistake(
            "Each query sees its own place and the one before, and nothing earlier. All earlier "
            "places are open.",
            lambda scores: hide(scores, ~(_allowed(scores) & ~_allowed(scores).tril(-2))),
        ),
        Mistake(
            "These are the masked scores. One step is left: the softmax of each row.",
            lambda scores: scores.masked_fill(~_allowed(scores), -torch.inf),
        ),
    ),
    refused=(
        Refused(_hidden_in_place, "changes its input scores in place"),
        Refused(lambda scores: _powers_kept(scores.T).T, "causal_weights gives another result"),
        Refused(lambda scores: hide(scores, torch.ones(4, 4).triu(1).bool()), "causal_weights"),
        Refused(lambda scores: torch.ones_like(scores).tril().bool(), "yours gives True and False"),
    ),
    alternatives=(
        _renormalised,
        _row_by_row,
        lambda scores: hide(scores, ~_allowed(scores)).float(),
        lambda scores: scores.masked_fill(~_allowed(scores), -1e9).softmax(dim=-1),
        lambda scores: (
            (scores + torch.full(scores.shape, -torch.inf).triu(1)).softmax(dim=-1).numpy()
        ),
        _hidden_one_by_one,
        _powers_kept,
        _by_torch,
        lambda scores: masked_softmax(scores, may_attend(causal, len(scores))),
        lambda scores: torch.where(_allowed(scores), scores, -torch.inf).softmax(-1),
        lambda scores: (scores + torch.log(torch.ones_like(scores).tril())).softmax(dim=1),
        lambda scores: scores.masked_fill(~_allowed(scores), -1e4).softmax(1),
        lambda scores: _hidden_one_by_one(scores).tolist(),
    ),
    hints=(
        "In row i, which columns stand for words that come later? What must their scores be for "
        "the softmax to give them exactly 0?",
        "Build `allowed` as above, from torch.arange(len(scores)). ~allowed is True where it is "
        "False, and scores.masked_fill(that, number) puts a number wherever it is True.",
        "place = torch.arange(len(scores)); allowed = place[None, :] <= ...; "
        "return scores.masked_fill(~allowed, ...).softmax(dim=-1)",
    ),
    minutes=4,
    stars=2,
    unfolded=True,  # for a mask the wrong way round the symptom is NaN, which says nothing of masks
    reward=(
        "Every model of the GPT family hides the future in this way. In a text of 4096 words it "
        "sets 8,386,560 weights to exactly 0."
    ),
)
