"""Exercise `softmax_where`: softmax over allowed keys, also in a row that allows none."""

import math

import numpy as np

from course_lib.chapters.softmax.exercises.shares import each_to_its_digits, shares
from course_lib.chapters.softmax.exercises.softmax import FAR, softmax
from course_lib.judging.exercise import Exercise, Mistake, Property, Refused, inputs
from course_lib.kernels import softmax as kernel


def softmax_where(scores, mask):
    """Softmax over the keys that the mask allows; zeros where it allows none.

    scores: (t, s)   mask: (t, s), True where it may look   returns: (t, s)
    """
    # SOLUTION
    allowed = np.where(mask, scores, -np.inf)
    highest = allowed.max(axis=-1, keepdims=True)
    powers = np.exp(allowed - np.where(highest == -np.inf, 0, highest))
    sums = powers.sum(axis=-1, keepdims=True)
    return powers / np.where(sums == 0, 1, sums)
    # STUB
    # return ...  # your code here: delete this line, and put the others in order
    # sums = powers.sum(axis=-1, keepdims=True)
    # return powers / np.where(sums == 0, 1, sums)
    # highest = allowed.max(axis=-1, keepdims=True)
    # allowed = np.where(mask, scores, -np.inf)
    # powers = np.exp(allowed - np.where(highest == -np.inf, 0, highest))
    # END SOLUTION


def _masked_with_loops(scores, mask):
    table = []
    for row, allowed in zip(scores, mask, strict=True):
        kept = [x for x, may in zip(row, allowed, strict=True) if may]
        top = max(kept, default=0.0)
        total = sum(math.exp(x - top) for x in kept) or 1.0
        table.append(
            [math.exp(x - top) / total if may else 0.0 for x, may in zip(row, allowed, strict=True)]
        )
    return table


def _row_by_row(scores, mask):
    out = np.zeros(scores.shape)
    for weights, row, allowed in zip(out, scores, mask, strict=True):
        if allowed.any():
            weights[allowed] = kernel.softmax(row[allowed])
    return out


def _in_place(scores, mask):
    scores[~mask] = -np.inf
    return kernel.softmax(scores)


def _nan_where_none_is_allowed(scores, mask):
    with np.errstate(invalid="ignore"):
        return softmax(np.where(mask, scores, -np.inf))


def _by_the_definition(scores, mask):
    exponentials = np.exp(np.where(mask, scores, -np.inf))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


def _exp_before_the_mask(scores, mask):
    with np.errstate(over="ignore", invalid="ignore"):
        exponentials = np.exp(scores) * mask
        total = exponentials.sum(axis=-1, keepdims=True)
        return exponentials / np.where(total == 0, 1, total)


def _of_all_scores(scores, mask):
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True)) * mask
    total = exponentials.sum(axis=-1, keepdims=True)
    return exponentials / np.where(total == 0, 1, total)


def _into_zeros_like(scores, mask):
    out = np.zeros_like(scores)
    out[...] = softmax_where(scores, mask)
    return out


def _powers_alone(scores, mask):
    allowed = np.where(mask, scores, -np.inf)
    highest = allowed.max(axis=-1, keepdims=True)
    return np.exp(allowed - np.where(highest == -np.inf, 0, highest))


def _shared(powers):
    total = powers.sum(axis=-1, keepdims=True)
    return powers / np.where(total == 0, 1, total)


def _nothing_subtracted(scores, mask):
    return _shared(np.exp(np.where(mask, scores, -np.inf)))


def _highest_from_0(scores, mask):
    highest = np.where(mask, scores, 0).max(axis=-1, keepdims=True)
    return _shared(np.exp(np.where(mask, scores, -np.inf) - highest))


def _mask(*rows):
    """A mask from rows of letters: x may be looked at."""
    return np.array([[letter == "x" for letter in row] for row in rows])


SOFTMAX_WHERE = Exercise(
    answer=softmax_where,
    cases=(
        lambda rng: inputs(np.array([[1.0, 2.0, 4.0], [1.0, 0.0, 3.0]]), _mask("xx.", "xxx")),
        lambda rng: inputs(np.array([[1.0, 2.0, 4.0], [1.0, 0.0, 3.0]]), _mask("..x", "...")),
        lambda rng: inputs(np.array([[1.0, 0.0, FAR], [-FAR, 1 - FAR, 0.0]]), _mask("xx.", "xx.")),
        lambda rng: inputs(rng.normal(size=(5, 7)), rng.random((5, 7)) < 0.5),
        lambda rng: inputs(  # whole numbers
            np.array([[3, 1, 0, 2], [0, 5, 4, 1], [1, 2, 3, 4]]), _mask("x.xx", ".xx.", "....")
        ),
        lambda rng: inputs(np.array([[5.0, -9.0, 4.0], [5.0, 5.0, -20.0]]), _mask("xx.", "x.x")),
        lambda rng: inputs(
            np.array([[-300.0, -301.0, 5.0], [FAR, FAR - 1, 0.0]]), _mask("xx.", "xx.")
        ),
        lambda rng: inputs(rng.normal(size=(5, 7)), rng.random((5, 7)) < 0.5),
    ),
    accept=each_to_its_digits,
    properties=(
        Property(
            "A key that may not be looked at has the weight 0.",
            lambda got, case: not np.any(np.asarray(got["output"])[~case.args[1]]),
        ),
        Property(
            "A row adds up to 1, or to 0 where nothing may be looked at.",
            lambda got, case: bool(
                np.allclose(np.sum(got["output"], axis=-1), case.args[1].any(axis=-1), atol=1e-5)
            ),
        ),
    ),
    mistakes=(
        Mistake(
            "In a row without any key the weights come out as NaN: -inf minus -inf, or 0 / 0. "
            "Catch that row: its weights should be 0.",
            _nan_where_none_is_allowed,
        ),
        Mistake(
            "A row without any key becomes 0 / 0, and exp of large scores overflows. Both give "
            "NaN. Subtract the highest score first, and give an empty row the weights 0.",
            _by_the_definition,
        ),
        Mistake(
            "A large negative number in place of -inf: in a row without any key all scores are "
            "equal again, so every forbidden key gets the same weight.",
            lambda scores, mask: softmax(np.where(mask, scores, -1e9)),
        ),
        Mistake(
            "-100 is a score like any other: where the allowed scores lie lower still, the "
            "forbidden keys win. -inf lies below all.",
            lambda scores, mask: softmax(np.where(mask, scores, -100.0)),
        ),
        Mistake(
            "exp of a large score overflows, also of a forbidden one, and infinity times 0 is NaN. "
            "Put -inf first, and subtract the largest allowed score of each row.",
            _exp_before_the_mask,
        ),
        Mistake(
            "You set the scores to 0. A score of 0 is a score like any other and gets a weight; "
            "-inf gets none.",
            lambda scores, mask: softmax(np.where(mask, scores, 0.0)),
            also=(lambda scores, mask: softmax(scores * mask),),
        ),
        Mistake(
            "You set the weights to 0 after the softmax. What is left no longer adds up to 1.",
            lambda scores, mask: softmax(scores) * mask,
        ),
        Mistake(
            "The mask is the wrong way round: True means that this key may be looked at.",
            lambda scores, mask: softmax_where(scores, ~mask),
        ),
        Mistake(
            "The softmax went down the columns. A row belongs to a query: axis=-1.",
            lambda scores, mask: softmax_where(scores.T, mask.T).T,
        ),
        Mistake(
            "scores[mask] picks the allowed scores out of the table, and its rows are gone. Keep "
            "the table, and put -inf where nothing may be looked at.",
            lambda scores, mask: shares(scores[mask] - scores[mask].max()),
        ),
        Mistake(
            "The mask is ignored.",
            lambda scores, mask: softmax(scores),
        ),
        Mistake(
            "The largest score was taken over the forbidden keys, too. One that is far above the "
            "rest pushes all allowed exponentials down to 0.",
            _of_all_scores,
        ),
        Mistake(
            "You divided by the sum of the whole table. Each row adds up by itself: axis=-1, "
            "keepdims=True.",
            lambda scores, mask: softmax_where(scores, mask) / max(1, mask.any(axis=-1).sum()),
        ),
        Mistake(
            "Of whole scores np.zeros_like makes an array that holds whole numbers only, and the "
            "weights are cut. np.zeros(scores.shape) holds all.",
            _into_zeros_like,
        ),
        Mistake(
            "Nothing is subtracted, or too much: where the allowed scores lie far from 0, all "
            "exponentials are 0 or infinite. Subtract the highest allowed score of each row.",
            _nothing_subtracted,
        ),
        Mistake(
            "The forbidden scores count as 0 when the highest is looked for. Where all allowed "
            "ones lie far below 0, their exponentials vanish.",
            _highest_from_0,
        ),
        Mistake(
            "-100 is a score like any other, and the weights of the forbidden keys are set to 0 "
            "afterwards. Where the allowed scores lie lower still, nothing is left.",
            lambda scores, mask: softmax(np.where(mask, scores, -100.0)) * mask,
        ),
        Mistake(
            "-10 is a score like any other: a forbidden key gets a small weight. -inf gets none.",
            lambda scores, mask: softmax(np.where(mask, scores, -10.0)),
        ),
        Mistake(
            "A forbidden key got infinity with a plus. -np.inf lies below all scores.",
            lambda scores, mask: softmax(np.where(mask, scores, np.inf)),
        ),
        Mistake(
            "-inf was written into the scores that were handed to you, and whoever called still "
            "needs them. np.where makes a new table.",
            _in_place,
        ),
        Mistake(
            "The mask was added to the scores: True counts as 1. -inf is put where it is False.",
            lambda scores, mask: softmax(scores + mask),
        ),
        Mistake(
            "These are the powers. Divide each row by its sum.",
            _powers_alone,
        ),
    ),
    alternatives=(
        _masked_with_loops,
        _row_by_row,
        lambda scores, mask: kernel.softmax(np.where(mask, scores, -np.inf)),
        lambda scores, mask: np.nan_to_num(_nan_where_none_is_allowed(scores, mask)),
        lambda scores, mask: softmax(np.where(mask, scores, -1e9)) * mask,
        lambda scores, mask: np.where(
            mask.any(axis=-1, keepdims=True), softmax(np.where(mask, scores, -1e300)), 0
        ),
        lambda scores, mask: softmax_where(scores.astype(np.float32), mask),
    ),
    refused=(Refused(lambda scores, mask: softmax_where(scores, mask).round(3), "Close"),),
    hints=(
        "Which of the lines needs nothing but scores and mask? Which one must come last?",
        "Each line uses a name that another line makes: allowed, highest, powers, sums. The "
        "two np.where with 0 and 1 keep an empty row from giving NaN.",
        "allowed = ...; highest = ...; powers = ...; sums = ...; return ...",
    ),
    minutes=5,
    stars=2,
    depth=True,
)
