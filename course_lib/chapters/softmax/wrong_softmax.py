"""Wrong softmaxes that learners write, each with its sentence: the mistakes of `softmax`."""

import numpy as np

from course_lib.chapters.softmax.exercises.shares import shares
from course_lib.judging.exercise import Mistake
from course_lib.kernels import softmax as kernel


def _lowered(scores):
    return scores - scores.max(axis=-1, keepdims=True)


def _rows(exponentials):
    """Each row of exponentials divided by its sum."""
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


def _share(scores):
    return _rows(np.exp(_lowered(scores)))


def _into_zeros_like(scores):
    out = np.zeros_like(scores)
    out[...] = _share(scores)
    return out


def _in_place(scores):
    scores -= scores.max(axis=-1, keepdims=True)
    return _rows(np.exp(scores))


def _without_keepdims(scores):
    exponentials = np.exp(_lowered(scores))
    return exponentials / exponentials.sum(axis=-1)


def _by_the_sum_of_scores(scores):
    return np.exp(_lowered(scores)) / _lowered(scores).sum(axis=-1, keepdims=True)


def _sum_down_the_columns(scores):
    exponentials = np.exp(_lowered(scores))
    return exponentials / exponentials.sum(axis=0)


def _flat_twice(scores):
    exponentials = np.exp(scores - scores.max(axis=-1))
    return exponentials / exponentials.sum(axis=-1)


MISTAKES = (
    Mistake(
        "exp overflows for large scores: from 710 on it is infinite, and infinity divided by "
        "infinity is NaN. (Far below 0 all are 0, and 0 / 0 is NaN, too.) Subtract the largest "
        "score of each row first.",
        lambda scores: _rows(np.exp(scores)),
    ),
    Mistake(
        "You subtracted the largest score of the whole table. A row far below it gets only "
        "zeros, and 0 / 0 is NaN. Take the largest of each row: axis=-1, keepdims=True.",
        lambda scores: _rows(np.exp(scores - scores.max())),
    ),
    Mistake(
        "Columns add up to 1 where rows should: you went along axis 0. A row belongs to a "
        "query; its keys stand along the last axis, axis=-1.",
        lambda scores: (
            np.exp(scores - scores.max(axis=0)) / np.exp(scores - scores.max(axis=0)).sum(axis=0)
        ),
    ),
    Mistake(
        "The whole table adds up to 1, because the sum runs over everything. Each row has a 1 "
        "of its own: sum along axis=-1.",
        lambda scores: np.exp(_lowered(scores)) / np.exp(_lowered(scores)).sum(),
    ),
    Mistake(
        "The sums of the rows came out flat, one number a row, and numpy laid them along the "
        "columns. keepdims=True keeps them standing as a column.",
        _without_keepdims,
    ),
    Mistake(
        "You divided the scores by their sum, without exp.",
        lambda scores: scores / scores.sum(axis=-1, keepdims=True),
    ),
    Mistake(
        "This is e times the score. Softmax takes e to the score, np.exp, and that is always "
        "positive.",
        lambda scores: np.e * scores,
        also=(
            lambda scores: _rows(np.e * _lowered(scores)),
            lambda scores: np.e * _lowered(scores),
        ),
    ),
    Mistake(
        "You took the size of the scores without their sign.",
        lambda scores: np.abs(scores) / np.abs(scores).sum(axis=-1, keepdims=True),
    ),
    Mistake(
        "You took powers of 2 or 3. Softmax takes powers of e: np.exp.",
        lambda scores: _rows(2.0 ** _lowered(scores)),
        also=(lambda scores: _rows(3.0 ** _lowered(scores)),),
    ),
    Mistake(
        "You took powers of 5, the factor of the example. Softmax takes powers of e: np.exp.",
        lambda scores: _rows(5.0 ** _lowered(scores)),
    ),
    Mistake(
        "Powers of e, and e was cut short: it has more digits than you wrote. np.exp takes its "
        "powers with all of them.",
        lambda scores: _rows(2.718 ** _lowered(scores)),
        also=(
            lambda scores: _rows(2.72 ** _lowered(scores)),
            lambda scores: _rows(2.71828 ** _lowered(scores)),
        ),
    ),
    Mistake(
        "-= changed the scores that were handed to you, and whoever called still needs them. "
        "Write scores - largest, which makes a new array.",
        _in_place,
    ),
    Mistake(
        "You subtracted the mean. It leaves the shares as they are, but the largest score may "
        "still be far above the mean, and exp overflows. Subtract the largest.",
        lambda scores: _rows(np.exp(scores - scores.mean(axis=-1, keepdims=True))),
    ),
    Mistake(
        "You subtracted the sum of the row. For 2000 and 1999 that is 3999: both exponentials "
        "become 0, and 0 / 0 is NaN. Subtract the largest, so that the best score becomes 0.",
        lambda scores: _rows(np.exp(scores - scores.sum(axis=-1, keepdims=True))),
    ),
    Mistake(
        "You subtracted the smallest score. What is left above it can still overflow. Subtract "
        "the largest: then nothing is above 0.",
        lambda scores: _rows(np.exp(scores - scores.min(axis=-1, keepdims=True))),
    ),
    Mistake(
        "You subtracted the first score of each row. One that is far above it still overflows. "
        "Subtract the largest: then nothing is above 0.",
        lambda scores: _rows(np.exp(scores - scores[..., :1])),
    ),
    Mistake(
        "You subtracted the last score of each row. One that is far above it still overflows. "
        "Subtract the largest: then nothing is above 0.",
        lambda scores: _rows(np.exp(scores - scores[..., -1:])),
    ),
    Mistake(
        "A loop over scores gives the rows of a table, but of a single row it gives the "
        "numbers, and each number alone gets 1. Go along axis=-1 without a loop.",
        lambda scores: np.array([shares(one - one.max()) for one in scores]),
    ),
    Mistake(
        "The loop is right for a table, whose rows it takes one by one. Of a single row it "
        "takes the numbers, and each number alone gets 1. axis=-1 needs no loop.",
        lambda scores: np.array([_rows(np.exp(one - one.max())) for one in scores]),
    ),
    Mistake(
        "You divided by the sum of the shifted scores. Divide by the sum of the exponentials.",
        _by_the_sum_of_scores,
    ),
    Mistake(
        "The largest is that of each row, but the sum went down the columns. A row's weights "
        "add up to 1: sum along axis=-1, too.",
        _sum_down_the_columns,
    ),
    Mistake(
        "You subtracted the largest of each column. A row may lie far below those, and gets "
        "only zeros: 0 / 0 is NaN. Take the largest of each row, axis=-1.",
        lambda scores: _rows(np.exp(scores - scores.max(axis=0, keepdims=True))),
    ),
    Mistake(
        "You divided by the largest score. That changes the differences, and with them the "
        "shares. Subtract it.",
        lambda scores: _rows(np.exp(scores / scores.max(axis=-1, keepdims=True))),
    ),
    Mistake(
        "The largest of each row is 1: these are the exponentials, or they were divided by the "
        "largest of them. Divide by the sum of each row.",
        lambda scores: np.exp(_lowered(scores)),
    ),
    Mistake(
        "This is `shares` again: one sum for the whole table, and exp of scores as they are. "
        "Now each row has a sum of its own, and the largest of the row goes first.",
        lambda scores: shares(scores),
    ),
    Mistake(
        "You took the largest and the sum of the whole table, so all of it adds up to 1. Each "
        "row has a largest and a sum of its own: axis=-1, keepdims=True.",
        lambda scores: shares(scores - scores.max()),
    ),
    Mistake(
        "The largest of each row came out flat, one number a row, and numpy laid them along "
        "the columns. keepdims=True keeps them standing as a column.",
        lambda scores: _rows(np.exp(scores - scores.max(axis=-1))),
    ),
    Mistake(
        "keepdims=True is missing twice: largest and sums came out flat, one number a row, and "
        "numpy laid them along the columns.",
        _flat_twice,
    ),
    Mistake(
        "axis=1 is the last axis of a table, and a single row has none of that number. axis=-1 "
        "is the last one of any array.",
        lambda scores: (
            np.exp(scores - scores.max(axis=1, keepdims=True))
            / np.exp(scores - scores.max(axis=1, keepdims=True)).sum(axis=1, keepdims=True)
        ),
    ),
    Mistake(
        "You subtracted the largest above the line and not below it. Compute the exponentials "
        "once, and divide them by their own sum.",
        lambda scores: np.exp(_lowered(scores)) / np.exp(scores).sum(axis=-1, keepdims=True),
    ),
    Mistake(
        "np.nan_to_num hides the NaN behind zeros, and the row gets no weights at all. Keep "
        "the overflow from happening: subtract the largest of each row first.",
        lambda scores: np.nan_to_num(_rows(np.exp(scores))),
    ),
    Mistake(
        "You subtracted the scores from the largest. That turns the order around: the smallest "
        "score now gets the largest weight.",
        lambda scores: kernel.softmax(-scores),
        also=(lambda scores: _rows(np.exp(-scores)),),
    ),
    Mistake(
        "You took the largest size, without the sign. For a row of negative scores that is far "
        "above the largest score, and all exponentials vanish.",
        lambda scores: _rows(np.exp(scores - np.abs(scores).max(axis=-1, keepdims=True))),
    ),
    Mistake(
        "The logarithm of the sum is as large as the scores, and float32 keeps few digits "
        "behind the point of a large number. Subtract the largest first; the rest is small.",
        lambda scores: np.exp(scores - kernel.logsumexp(scores)[..., None]),
        also=(lambda scores: np.exp(scores - np.logaddexp.reduce(scores, axis=-1, keepdims=True)),),
    ),
    Mistake(
        "You returned the logarithm of the weights.",
        lambda scores: kernel.log_softmax(scores),
    ),
    Mistake(
        "Scores that are cut at a limit keep exp from overflowing, and 2000 and 1999 become the "
        "same. Subtracting keeps their difference.",
        lambda scores: _rows(np.exp(np.clip(scores, -700, 700))),
    ),
    Mistake(
        "Of whole scores np.zeros_like makes an array that holds whole numbers only, and the "
        "weights are cut. np.zeros(scores.shape) holds all.",
        _into_zeros_like,
    ),
    Mistake(
        "You took the exponentials first and subtracted the largest score from them. Subtract "
        "inside of the brackets: np.exp(scores - largest).",
        lambda scores: _rows(np.exp(scores) - scores.max(axis=-1, keepdims=True)),
    ),
    Mistake(
        "You subtracted the place of the largest score, argmax. Subtract the score itself, max.",
        lambda scores: _rows(np.exp(scores - scores.argmax(axis=-1, keepdims=True))),
    ),
    Mistake(
        "You subtracted 1000 from every score. Scores above 1710 still overflow, and of small ones "
        "nothing is left: 0 / 0. Subtract the largest of each row.",
        lambda scores: _rows(np.exp(scores - 1000)),
    ),
    Mistake(
        "What you subtract is never below 0. In a row of very low scores all exponentials are 0, "
        "and 0 / 0 is NaN. Subtract the largest score itself, also where it is negative.",
        lambda scores: _rows(np.exp(scores - np.maximum(scores.max(axis=-1, keepdims=True), 0))),
    ),
    Mistake(
        "You set the weights below .0001 to 0. Every weight is above 0, if it is not too small to "
        "be written down.",
        lambda scores: _rows(np.where(_share(scores) < 1e-4, 0, _share(scores))),
    ),
    Mistake(
        "You set the weights below .001 to 0. Every weight is above 0, if it is not too small to "
        "be written down.",
        lambda scores: _rows(np.where(_share(scores) < 1e-3, 0, _share(scores))),
    ),
    Mistake(
        "You divided by the mean of the exponentials. Divide by their sum.",
        lambda scores: (
            np.exp(_lowered(scores)) / np.exp(_lowered(scores)).mean(axis=-1, keepdims=True)
        ),
    ),
    Mistake(
        "The result is rounded, and digits are missing. Round when you print.",
        lambda scores: _share(scores).round(3),
    ),
)
