"""The exercises and bets of chapter 4, softmax."""

import math
from functools import lru_cache

import numpy as np

from course_lib.exercises.engine.accept import close, same_average
from course_lib.exercises.engine.bet import Bet, Choice, Number
from course_lib.exercises.engine.chapter import Chapter
from course_lib.exercises.engine.exercise import Exercise, Mistake, Property, inputs
from course_lib.exercises.engine.observe import Unusable, averages
from course_lib.kernels import softmax as kernel

# From scores to shares


def shares(scores):
    exponentials = np.exp(scores)
    return exponentials / exponentials.sum()


def _shares_with_a_loop(scores):
    total = 0
    for score in scores:
        total = total + math.exp(score)
    return [math.exp(score) / total for score in scores]


SHARES = Exercise(
    reference=shares,
    cases=(
        lambda rng: inputs(np.array([1.0, 2.0, 4.0])),
        lambda rng: inputs(np.array([3.5, -2.1, 8.7, 0.3])),
        lambda rng: inputs(np.array([2, 0, -1, 1, 3])),
        lambda rng: inputs(rng.normal(size=7)),
    ),
    properties=(
        Property(
            "The shares add up to 1.",
            lambda got, case: bool(np.isclose(np.sum(got["output"]), 1)),
        ),
        Property(
            "Every share is above 0.",
            lambda got, case: bool((np.asarray(got["output"]) > 0).all()),
        ),
    ),
    mistakes=(
        Mistake(
            "You divided the scores by their sum. A negative score then gets a negative share. "
            "Take the exponentials first: they are all positive.",
            lambda scores: scores / scores.sum(),
        ),
        Mistake(
            "These are the exponentials. Divide them by their sum, and they become shares of 1.",
            lambda scores: np.exp(scores),
        ),
        Mistake(
            "You took powers of 2. Softmax takes powers of e, 2.718..., which is np.exp.",
            lambda scores: 2.0**scores / (2.0**scores).sum(),
        ),
        Mistake(
            "You took the size of the scores without their sign, so -2 counts as much as 2.",
            lambda scores: np.abs(scores) / np.abs(scores).sum(),
        ),
        Mistake(
            "You took the exponential of the size, without the sign, so -2 counts as much as 2. "
            "np.exp makes a negative score positive by itself.",
            lambda scores: shares(np.abs(scores)),
        ),
        Mistake(
            "You divided before the exponential. First np.exp(scores), then divide by the sum of "
            "those.",
            lambda scores: np.exp(scores / scores.sum()),
        ),
        Mistake(
            "You divided by the length of the vector of exponentials, so the squares add up to 1. "
            "Divide by the sum.",
            lambda scores: np.exp(scores) / np.linalg.norm(np.exp(scores)),
        ),
        Mistake(
            "You divided by the largest exponential, so the largest share is 1. Divide by the sum "
            "of all of them.",
            lambda scores: np.exp(scores) / np.exp(scores).max(),
        ),
        Mistake(
            "You divided by how many there are. Divide by the sum of the exponentials.",
            lambda scores: np.exp(scores) / len(scores),
        ),
        Mistake(
            "You took the exponential of the sum in place of the sum of the exponentials.",
            lambda scores: np.exp(scores) / np.exp(scores.sum()),
        ),
        Mistake(
            "This is the sigmoid, which looks at each score alone. A share depends on all scores: "
            "divide by the sum of all exponentials.",
            lambda scores: 1 / (1 + np.exp(-1.0 * scores)),
        ),
        Mistake(
            "You divided by the sum of the scores. The exponentials are what is shared: divide by "
            "their sum.",
            lambda scores: np.exp(scores) / scores.sum(),
        ),
        Mistake(
            "These are percent, and they add up to 100. Shares add up to 1.",
            lambda scores: 100 * shares(scores),
        ),
        Mistake(
            "Squares are positive, too, but -2 and 2 have the same one. np.exp keeps the order.",
            lambda scores: scores**2 / (scores**2).sum(),
        ),
        Mistake(
            "You moved the scores up until the smallest is 0, and shared those. The smallest then "
            "gets nothing. Take the exponentials.",
            lambda scores: (scores - scores.min()) / (scores - scores.min()).sum(),
        ),
        Mistake(
            "You gave all to the largest score. Softmax shares: the others get a little, too.",
            lambda scores: (scores == scores.max()).astype(float),
        ),
        Mistake(
            "You rounded the result, and digits are missing. Round when you print.",
            lambda scores: shares(scores).round(2),
        ),
        Mistake(
            "The minus sign turns the order around: the smallest score now gets the largest share.",
            lambda scores: np.exp(-scores) / np.exp(-scores).sum(),
        ),
    ),
    alternatives=(
        _shares_with_a_loop,
        lambda scores: np.e**scores / sum(np.e**scores),
        lambda scores: kernel.softmax(scores),
        lambda scores: np.exp(scores - np.log(np.exp(scores).sum())),
        lambda scores: np.exp(scores.astype(np.float32)) / np.exp(scores.astype(np.float32)).sum(),
    ),
    hints=(
        "Two steps. Which makes every number positive? Which makes them add up to 1?",
        "np.exp(scores) takes the exponential of each score. An array adds up with .sum().",
        "exponentials = np.exp(...); return exponentials / ...",
    ),
    minutes=3,
    stars=1,
)


def softmax(scores):
    largest = scores.max(axis=-1, keepdims=True)
    exponentials = np.exp(scores - largest)
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


def _rows(exponentials):
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


def _softmax_with_loops(scores):
    if scores.ndim > 1:
        return [_softmax_with_loops(row) for row in scores]
    largest = max(float(score) for score in scores)
    exponentials = [math.exp(float(score) - largest) for score in scores]
    return [one / sum(exponentials) for one in exponentials]


def _in_place(scores):
    scores -= scores.max(axis=-1, keepdims=True)
    return _rows(np.exp(scores))


def _without_keepdims(scores):
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1)


def _by_the_sum_of_scores(scores):
    shifted = scores - scores.max(axis=-1, keepdims=True)
    return np.exp(shifted) / shifted.sum(axis=-1, keepdims=True)


def _sum_down_the_columns(scores):
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=0)


def _flat_twice(scores):
    exponentials = np.exp(scores - scores.max(axis=-1))
    return exponentials / exponentials.sum(axis=-1)


FAR = 2000.0  # exp overflows float64 at 710

SOFTMAX = Exercise(
    reference=softmax,
    cases=(
        lambda rng: inputs(np.array([1.0, 2.0, 4.0])),
        lambda rng: inputs(np.array([[1.0, 2.0], [4.0, 0.0], [-1.0, 1.0]])),
        lambda rng: inputs(np.array([[1.0, 2.0, 4.0], [0.0, -1.0, 1.0], [2.0, 2.0, 0.0]])),
        lambda rng: inputs(np.array([[FAR, FAR - 1], [0.0, 2.0]])),
        lambda rng: inputs(np.array([[1.0, 2.0, 4.0], [-FAR, 1 - FAR, 2 - FAR]])),
        lambda rng: inputs(np.array([[1.0, 2.0, 4.0, 0.0], [0.0, 1.0, 2.0, FAR]])),
        lambda rng: inputs(np.array([[1.0, 2.0, 4.0], [FAR, 0.0, 1.0], [0.0, -900.0, 1.0]])),
        lambda rng: inputs(rng.normal(size=(2, 3, 5))),
        lambda rng: inputs(rng.normal(size=(3, 7)).astype(np.float32)),
        lambda rng: inputs(np.array([[30_001, 30_002, 30_004], [4, 1, 2]], np.float32)),
    ),
    properties=(
        Property(
            "Each row adds up to 1.",
            lambda got, case: bool(np.allclose(np.sum(got["output"], axis=-1), 1, atol=1e-5)),
        ),
    ),
    mistakes=(
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
            lambda scores: np.exp(scores - scores.max(axis=0)) / _exp_sum(scores, axis=0),
        ),
        Mistake(
            "The whole table adds up to 1, because the sum runs over everything. Each row has a 1 "
            "of its own: sum along axis=-1.",
            lambda scores: (
                np.exp(scores - scores.max(axis=-1, keepdims=True))
                / np.exp(scores - scores.max(axis=-1, keepdims=True)).sum()
            ),
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
            "You took the size of the scores without their sign.",
            lambda scores: np.abs(scores) / np.abs(scores).sum(axis=-1, keepdims=True),
        ),
        Mistake(
            "You took powers of 2. Softmax takes powers of e: np.exp.",
            lambda scores: _rows(2.0 ** (scores - scores.max(axis=-1, keepdims=True))),
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
            "You subtracted the largest score and stopped at the exponentials. Divide by the sum "
            "of each row.",
            lambda scores: np.exp(scores - scores.max(axis=-1, keepdims=True)),
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
            lambda scores: (
                np.exp(scores - scores.max(axis=-1, keepdims=True))
                / np.exp(scores).sum(axis=-1, keepdims=True)
            ),
        ),
        Mistake(
            "np.nan_to_num hides the NaN behind zeros, and the row gets no weights at all. Keep "
            "the overflow from happening: subtract the largest of each row first.",
            lambda scores: np.nan_to_num(_rows(np.exp(scores))),
        ),
        Mistake(
            "You subtracted the scores from the largest. That turns the order around: the smallest "
            "score now gets the largest weight.",
            lambda scores: softmax(-scores),
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
        ),
        Mistake(
            "You returned the logarithm of the weights.",
            lambda scores: kernel.log_softmax(scores),
        ),
        Mistake(
            "np.clip keeps exp from overflowing by changing the scores: 2000 and 1999 become the "
            "same. Subtracting keeps their difference.",
            lambda scores: _rows(np.exp(np.clip(scores, -700, 700))),
        ),
    ),
    alternatives=(
        _softmax_with_loops,
        lambda scores: kernel.softmax(scores),
        lambda scores: np.exp(kernel.log_softmax(scores)),
        lambda scores: _rows(np.exp(scores - np.max(scores, axis=-1)[..., None])),
        lambda scores: np.apply_along_axis(lambda row: shares(row - row.max()), -1, scores),
        lambda scores: softmax(scores.astype(np.float32)),
    ),
    hints=(
        "Which constant may you subtract from a row so that no score is left above 0?",
        "scores.max(axis=-1, keepdims=True) is the largest of each row, standing as a column. The "
        "sum takes the same two arguments.",
        "largest = scores.max(axis=..., keepdims=True); exponentials = np.exp(scores - ...); "
        "return exponentials / ...",
    ),
    minutes=5,
    stars=2,
)


def _exp_sum(scores, axis):
    return np.exp(scores - scores.max(axis=axis)).sum(axis=axis)


FAR_OUT = Bet(
    "far_out",
    question="Scores 1, 2, 3 give the weights .090, .245, .665. Now add 100,000,000 to each "
    "score, in float32, and take your softmax again. Which weight does the largest score get?",
    answer=Number(0, 1, near=0.05, format="{:.3f}"),
    why="Around 100 million the numbers of float32 stand 8 apart, so all three scores are rounded "
    "to the same one.",
    model_answer="On paper the constant cancels. In float32 the differences of 1 are lost before "
    "softmax sees them, in the addition, and equal scores get equal weights: a third each. (A "
    "little earlier, at 30 or 63 million, rounding stretches them, and the largest weight grows "
    "for a while.) float64, whose numbers stand much closer, still gives .665.",
)

CROWD = Bet(
    "crowd",
    question="One key scores 5 more than each of the others. Against a single rival its weight is "
    ".993. Now there are 1000 keys in all. Which weight does it have?",
    answer=Number(0, 1, near=0.06, format="{:.3f}"),
    why="Its exponential is 148 times that of any other, and there are 999 others.",
    model_answer="The weight is e^5 / (e^5 + 999), 148 parts of 1147. The lead did not change; the "
    "crowd grew. Each key takes little, and all of them together take most of it.",
)

SINK = Bet(
    "sink",
    question="A hundred keys, and none fits: all score -9, so each has the weight .01. Now one "
    "more key comes, with the score 0. Which share does it take?",
    answer=Number(0, 1, near=0.05, format="{:.3f}"),
    why="A lead of 9 is a factor of 8103, and the hundred together have only 100 parts against it.",
    model_answer="e^9 = 8103 parts of 8203. Softmax has to spend 1 in any case. A key that always "
    "scores a little higher than what does not fit gives it a place to put it.",
)


# Reading a heat map


def read_heat_map(weights):
    looks_at = weights[1].argmax()
    left_over = 1 - weights[0, 0]
    heard = weights.sum(axis=0).argmax()
    to_themselves = (weights.argmax(axis=1) == np.arange(len(weights))).sum()
    undecided = weights.max(axis=1).argmin()
    return looks_at, left_over, heard, to_themselves, undecided


ANSWERS = ("looks_at", "left_over", "heard", "to_themselves", "undecided")


def _by_name(candidate, case) -> dict:
    """The five answers, each under its name; where some are missing, so are their names."""
    answers = candidate(*case.args)
    if not isinstance(answers, list | tuple) and np.ndim(answers) != 1:
        return {"output": answers}
    blanks = [one is ... for one in answers]
    if any(blanks):
        raise Unusable(... if all(blanks) else answers)
    seen = dict(zip(ANSWERS, answers, strict=False))
    return seen if len(answers) <= len(ANSWERS) else {**seen, "sixth answer": answers[5]}


def _read_with_loops(weights):
    n = len(weights)
    looks_at = max(range(n), key=lambda j: weights[1][j])
    left_over = sum(float(weights[0][j]) for j in range(1, n))
    columns = [sum(float(weights[i][j]) for i in range(n)) for j in range(n)]
    own = [i for i in range(n) if weights[i][i] == max(weights[i])]
    undecided = min(range(n), key=lambda i: max(weights[i]))
    return [looks_at, left_over, columns.index(max(columns)), len(own), undecided]


def _instead(place, value):
    """The right answers with one of them replaced by value(weights)."""

    def answer(weights):
        answers = list(read_heat_map(weights))
        answers[place] = value(weights)
        return tuple(answers)

    return answer


@lru_cache
def _telling_table(n, sharpness):
    """n by n weights that tell the ways of reading them apart, by row and by column."""
    rng = np.random.default_rng(n)
    while True:
        weights = kernel.softmax(sharpness * rng.normal(size=(n, n)))
        even, heard = weights.max(axis=1).argmin(), weights.sum(axis=0).argmax()
        own, own_down = ((weights.argmax(axis=a) == np.arange(n)).sum() for a in (1, 0))
        apart = weights.max(axis=0).argmax() != heard and weights.min(axis=1).argmin() != even
        if apart and own == 1 != own_down and kernel.entropy(weights).argmax() == even:
            return weights


READ_HEAT_MAP = Exercise(
    reference=read_heat_map,
    cases=(
        lambda rng: inputs(np.array([[0.05, 0.7, 0.25], [0.4, 0.05, 0.55], [0.25, 0.3, 0.45]])),
        lambda rng: inputs(_telling_table(5, 1.0).copy()),
        lambda rng: inputs(_telling_table(5, 2.0).copy()),
        lambda rng: inputs(_telling_table(7, 1.0).copy()),
    ),
    observe=_by_name,
    properties=(
        Property(
            "There are five answers, in the order of the docstring.",
            lambda got, case: list(got) == list(ANSWERS),
        ),
    ),
    mistakes=(
        Mistake(
            "You read the table by columns. A query is a row; its keys stand beside each other.",
            lambda weights: read_heat_map(weights.T),
        ),
        Mistake(
            "looks_at is the key in the second row, weights[1], and you took a column, "
            "weights[:, 1].",
            _instead(0, lambda w: w[:, 1].argmax()),
        ),
        Mistake(
            "looks_at is about the second query. In Python that is row 1; you took row 0.",
            _instead(0, lambda w: w[0].argmax()),
        ),
        Mistake(
            "looks_at should say which key: its place (argmax), not its weight (max).",
            _instead(0, lambda w: w[1].max()),
        ),
        Mistake(
            "argmax over the whole table counts its cells, row after row. Take the row first: "
            "weights[1].",
            _instead(0, lambda w: w.argmax()),
        ),
        Mistake(
            "left_over is what the first query gives to all others; you gave what it keeps, "
            "weights[0, 0].",
            _instead(1, lambda w: w[0, 0]),
        ),
        Mistake(
            "left_over is a share of one row: a row adds up to 1, so it is 1 - weights[0, 0]. You "
            "added up a column.",
            _instead(1, lambda w: w[1:, 0].sum()),
        ),
        Mistake(
            "left_over leaves out key 0, weights[0, 0]. You left out the key with the largest "
            "weight.",
            _instead(1, lambda w: 1 - w[0].max()),
        ),
        Mistake(
            "heard adds up what all queries give to a key: each column, axis=0. You added up each "
            "row, which is always 1, or the whole table.",
            _instead(2, lambda w: w.sum(axis=1).round(6).argmax()),
        ),
        Mistake(
            "heard asks for the key with the most in all. You took the key of the largest single "
            "weight.",
            _instead(2, lambda w: w.max(axis=0).argmax()),
        ),
        Mistake(
            "heard should say which key: the place of the largest sum (argmax), not the sum (max).",
            _instead(2, lambda w: w.sum(axis=0).max()),
        ),
        Mistake(
            "to_themselves counts queries whose largest weight stands on the diagonal. You added "
            "up the diagonal.",
            _instead(3, lambda w: np.trace(w)),
        ),
        Mistake(
            "to_themselves looks along the rows: is the largest weight of query i at key i? You "
            "took the largest of each column.",
            _instead(3, lambda w: (w.argmax(axis=0) == np.arange(len(w))).sum()),
        ),
        Mistake(
            "to_themselves is a count. You returned True or False for each query; add them up.",
            _instead(3, lambda w: w.argmax(axis=1) == np.arange(len(w))),
        ),
        Mistake(
            "undecided is the query whose largest weight is smallest: argmin over the rows' "
            "maxima. You took the most decided one.",
            _instead(4, lambda w: w.max(axis=1).argmax()),
        ),
        Mistake(
            "undecided should say which query: the place (argmin), not the weight (min).",
            _instead(4, lambda w: w.max(axis=1).min()),
        ),
        Mistake(
            "undecided is about queries, so take the largest of each row, axis=1. You took the "
            "largest of each column.",
            _instead(4, lambda w: w.max(axis=0).argmin()),
        ),
        Mistake(
            "undecided looks for the smallest of the largest weights. You looked for the smallest "
            "weight of all.",
            _instead(4, lambda w: w.min(axis=1).argmin()),
        ),
    ),
    alternatives=(
        _read_with_loops,
        lambda w: (
            int(np.argmax(w[1, :])),
            w[0].sum() - w[0, 0],
            int(np.argsort(w.mean(axis=0))[-1]),
            float(np.mean(w.argmax(-1) == range(len(w))) * len(w)),
            int(np.argsort(np.max(w, axis=1))[0]),
        ),
        lambda w: (
            w[1].tolist().index(w[1].max()),
            w[0, 1:].sum(),
            np.einsum("ts->s", w).argmax(),
            np.sum(np.diag(w) >= w.max(axis=1)),
            kernel.entropy(w).argmax(),
        ),
    ),
    hints=(
        "Which of the five look along a row, and which down a column? Cover the rest of the table "
        "with your hand.",
        "weights[1] is a row, weights.sum(axis=0) adds up each column, .max(axis=1) is the largest "
        "of each row, and .argmax() says where.",
        "weights[1].argmax(), 1 - weights[0, 0], weights.sum(axis=...).argmax(), "
        "(weights.argmax(axis=1) == np.arange(len(weights))).sum(), weights.max(axis=1)....",
    ),
    minutes=5,
    stars=2,
)

# Depth: temperature


def temperature_for(lead, share):
    return lead / np.log(share / (1 - share))


def _solved(got, want, case) -> bool | str:
    """Right up to rounding; says so where it is close, as a coarse search is."""
    if close()(got, want, case):
        return True
    near = np.ndim(got["output"]) == 0 and np.isclose(got["output"], want["output"], rtol=0.01)
    return (
        "Close, and digits are missing: solve for T, or search in finer steps." if near else False
    )


def _by_halving(lead, share):
    low, high = 1e-3, 1e3
    while high - low > 1e-10 * high:
        middle = (low + high) / 2
        if 1 / (1 + math.exp(-min(lead / middle, 700))) > share:
            low = middle
        else:
            high = middle
    return low


TEMPERATURE_FOR = Exercise(
    reference=temperature_for,
    cases=(
        lambda rng: inputs(0.7, 0.95),
        lambda rng: inputs(5.0, 0.75),
        lambda rng: inputs(2.0, 0.6),
        lambda rng: inputs(rng.uniform(1, 9), rng.uniform(0.55, 0.95)),
    ),
    accept=_solved,
    properties=(
        Property(
            "At this temperature the two weights are share and 1 - share.",
            lambda got, case: bool(
                got["output"] > 0
                and np.isclose(1 / (1 + np.exp(-case.args[0] / got["output"])), case.args[1])
            ),
        ),
    ),
    mistakes=(
        Mistake(
            "You returned the lead that the share needs at temperature 1. The temperature is the "
            "lead that you have over the lead that you need.",
            lambda lead, share: np.log(share / (1 - share)),
        ),
        Mistake(
            "It is upside down: this is the factor to multiply with. A temperature divides.",
            lambda lead, share: np.log(share / (1 - share)) / lead,
        ),
        Mistake(
            "You multiplied the lead that you have with the lead that you need. Divide: lead / T "
            "should be ln(share / (1 - share)).",
            lambda lead, share: lead * np.log(share / (1 - share)),
        ),
        Mistake(
            "The temperature comes out negative: the fraction is upside down. It is the larger "
            "share over the smaller one.",
            lambda lead, share: lead / np.log((1 - share) / share),
        ),
        Mistake(
            "You used the logarithm of the share alone. A lead is about a ratio: share over "
            "(1 - share).",
            lambda lead, share: lead / np.log(share),
        ),
        Mistake(
            "You used the logarithm of the share alone, with its sign turned. A lead is about a "
            "ratio: share over (1 - share).",
            lambda lead, share: lead / np.log(1 / share),
        ),
        Mistake(
            "You used the logarithm of the other key's share alone. A lead is about a ratio: share "
            "over (1 - share).",
            lambda lead, share: lead / np.log(1 - share),
        ),
        Mistake(
            "np.exp goes from a lead to a ratio. You have the ratio and need its lead: np.log.",
            lambda lead, share: lead / np.exp(share / (1 - share)),
        ),
        Mistake(
            "This is the share that the lead gets at temperature 1. The share is given; the "
            "temperature is asked for.",
            lambda lead, share: 1 / (1 + np.exp(-lead)),
        ),
        Mistake(
            "The logarithm is missing: the ratio of the two weights is e to the power lead / T.",
            lambda lead, share: lead / (share / (1 - share)),
        ),
        Mistake(
            "You divided the lead by the share. A lead becomes a ratio of weights by e to its "
            "power: e^(lead / T) = share / (1 - share).",
            lambda lead, share: lead / share,
        ),
        Mistake(
            "share / 1 - share is 0: division comes before subtraction. Put brackets around "
            "(1 - share).",
            lambda lead, share: lead / np.log(share / 1 - share),
        ),
        Mistake(
            "This is a logarithm to the base 10 or 2. Softmax takes powers of e, so it is np.log.",
            lambda lead, share: lead / np.log2(share / (1 - share)),
        ),
        Mistake(
            "This is a logarithm to the base 10 or 2. Softmax takes powers of e; use np.log.",
            lambda lead, share: lead / np.log10(share / (1 - share)),
        ),
    ),
    alternatives=(
        lambda lead, share: lead / (math.log(share) - math.log(1 - share)),
        lambda lead, share: -lead / np.log(1 / share - 1),
        lambda lead, share: lead / (2 * np.arctanh(2 * share - 1)),
        _by_halving,
    ),
    hints=(
        "How many times larger is the first weight than the second: in terms of the share, and in "
        "terms of the lead and T?",
        "Both are the same ratio: e^(lead / T) = share / (1 - share). np.log undoes e to a power.",
        "return lead / np.log(...)",
    ),
    minutes=5,
    stars=2,
    depth=True,
)

TIE = Bet(
    "tie",
    question="Two keys share the lead: scores 8, 8 and -20. Now multiply all of them by 100. Which "
    "weight does the first key get?",
    answer=Choice(
        ("nearly 1", "one half", "one third"),
        which=lambda weight: int(np.argmin(np.abs(np.array([1, 1 / 2, 1 / 3]) - weight))),
    ),
    why="Multiplying stretches differences, and the difference between equal scores is 0.",
    model_answer="Large differences make attention one-sided, not large scores. A tie stays a tie "
    "at any scale.",
    depth=True,
)

# Depth: the heat map

DIAGONAL = Bet(
    "diagonal",
    question="20,000 heads that nobody trained: 16 words each, and queries and keys are drawn at "
    "random, independent of each other. In which share of the rows does a word give its largest "
    "weight to itself?",
    answer=Number(0, 100, unit="percent", near=3, format="{:.0f}"),
    why="Without a reason to prefer itself, a word wins one of sixteen times, by chance.",
    model_answer="One sixteenth is 6.25 percent. A bright diagonal is natural where queries and "
    "keys are the same vectors of equal length. With separate queries and keys a model has to "
    "learn it, and many heads learn something else.",
    depth=True,
)

# Depth: how many keys


def entropy(weights):
    logarithms = np.log(np.where(weights > 0, weights, 1))
    return -(weights * logarithms).sum()


def _entropy_with_a_loop(weights):
    total = 0.0
    for weight in weights:
        if weight > 0:
            total -= weight * math.log(weight)
    return total


ENTROPY = Exercise(
    reference=entropy,
    cases=(
        lambda rng: inputs(np.array([0.5, 0.3, 0.2])),
        lambda rng: inputs(np.array([0.5, 0.25, 0.25, 0.0])),
        lambda rng: inputs(np.array([0.0, 0.0, 0.4, 0.0, 0.6])),
        lambda rng: inputs(kernel.softmax(rng.normal(size=7))),
    ),
    accept=close(absolute=1e-6),  # what is added inside of the logarithm may be seen, if tiny
    properties=(
        Property(
            "It lies between 0 (one key has all) and ln(s) (all s keys have the same).",
            lambda got, case: bool(
                -1e-9 <= float(got["output"]) <= math.log(len(case.args[0])) + 1e-9
            ),
        ),
    ),
    mistakes=(
        Mistake(
            "A weight of 0 makes np.log(0) = -inf, and 0 times infinity is NaN. Such a key adds "
            "nothing: leave it out, or take np.log(1) in its place.",
            lambda weights: -(weights * np.log(weights)).sum(),
        ),
        Mistake(
            "The minus sign is missing: logarithms of shares are negative.",
            lambda weights: -entropy(weights),
        ),
        Mistake(
            "This is the entropy in bits, with the logarithm to the base 2. Here it is in nats: "
            "np.log.",
            lambda weights: entropy(weights) / np.log(2),
        ),
        Mistake(
            "Each logarithm is multiplied by its weight before they are added up; the weights are "
            "missing.",
            lambda weights: -np.log(np.where(weights > 0, weights, 1)).sum(),
        ),
        Mistake(
            "You took the mean. The weights are already the shares in which the logarithms count; "
            "add up.",
            lambda weights: entropy(weights) / len(weights),
        ),
        Mistake(
            "You took exp of the entropy, which is the count of keys. The entropy itself is asked "
            "for.",
            lambda weights: np.exp(entropy(weights)),
        ),
        Mistake(
            "You took softmax of the weights again. They are already shares.",
            lambda weights: entropy(kernel.softmax(weights)),
        ),
        Mistake(
            "These are the terms, a number for each key. Add them up.",
            lambda weights: -weights * np.log(np.where(weights > 0, weights, 1)),
        ),
        Mistake(
            "np.nan_to_num turned the NaN of the whole sum into 0. Keep the NaN out of the sum: a "
            "weight of 0 adds nothing.",
            lambda weights: np.nan_to_num(-(weights * np.log(weights)).sum()),
        ),
        Mistake(
            "1 minus the sum of squares is another measure of spread (Gini's). Entropy multiplies "
            "each weight with its logarithm.",
            lambda weights: 1 - (weights**2).sum(),
        ),
        Mistake(
            "This is the logarithm of the largest weight only. All keys count, each by its weight.",
            lambda weights: -np.log(weights.max()),
        ),
        Mistake(
            "np.log(weights + 1) is another function: it is 0 for a weight of 0, and wrong for all "
            "others.",
            lambda weights: -(weights * np.log(weights + 1)).sum(),
        ),
        Mistake(
            "This is the logarithm to the base 10. Entropy in nats takes np.log.",
            lambda weights: entropy(weights) / np.log(10),
        ),
        Mistake(
            "math.log(0) is an error. A key with the weight 0 adds nothing: leave it out.",
            lambda weights: -sum(weight * math.log(weight) for weight in weights),
        ),
        Mistake(
            "What you added inside of the logarithm is so large that it changes the result. A "
            "weight of 0 needs another way out.",
            lambda weights: -(weights * np.log(weights + 1e-2)).sum(),
        ),
    ),
    alternatives=(
        _entropy_with_a_loop,
        lambda weights: kernel.entropy(weights),
        lambda weights: -(weights[weights > 0] * np.log(weights[weights > 0])).sum(),
        lambda weights: -(weights * np.log(weights + 1e-300)).sum(),
        lambda weights: -np.nansum(weights * np.log(weights)),
        lambda weights: float(-(weights @ np.log(np.maximum(weights, 1e-12)))),
    ),
    hints=(
        "For weights .5, .3, .2: which three products are added up? And for a weight of 0?",
        "np.where(weights > 0, weights, 1) puts a 1 where a 0 was, and np.log(1) is 0.",
        "logarithms = np.log(np.where(weights > 0, ..., ...)); return -(...).sum()",
    ),
    minutes=5,
    stars=2,
    depth=True,
)

# Depth: weights are chances


def sampled_output(weights, values, draws, rng):
    chosen = rng.choice(len(weights), size=draws, p=weights)
    return values[chosen].mean(axis=0)


def _one_at_a_time(weights, values, draws, rng):
    total = np.zeros(values.shape[1])
    for _ in range(draws):
        total = total + values[rng.choice(len(weights), p=weights)]
    return total / draws


def _by_running_sum(weights, values, draws, rng):
    edges = np.cumsum(weights)
    chosen = np.searchsorted(edges / edges[-1], rng.random(draws), side="right")
    return values[chosen].mean(axis=0)


def _as_chance_allows(got, want, case) -> bool | str:
    """The same average and the same spread of single answers, up to chance."""
    yours, right = np.asarray(got["spread"]), np.asarray(want["spread"])
    if yours.shape != right.shape:
        return "The result should be as wide as one value, (e,)."
    if (yours < 1e-9).all():
        return "It gives the same numbers each time. Let rng draw the keys."
    if not same_average()(got, want, case):
        return "Averaged over 600 calls it does not come close to weights @ values."
    if (yours > 1.2 * right).any():
        return "The average is right, but it jumps more than it should: average all the draws."
    if (yours < right / 1.2).any():
        return "The average is right, but it jumps less than so few draws can."
    return True


SAMPLED_OUTPUT = Exercise(
    reference=sampled_output,
    cases=(
        lambda rng: inputs(
            np.array([0.6, 0.3, 0.1]), np.array([[1.0, 0.0], [0.0, 1.0], [4.0, 4.0]]), 5, rng
        ),
        lambda rng: inputs(kernel.softmax(rng.normal(size=5)), rng.normal(size=(5, 3)), 7, rng),
    ),
    observe=averages(600),
    accept=_as_chance_allows,
    open_answer=True,  # the average of other draws is another one, and right
    mistakes=(
        Mistake(
            "You computed the expectation itself, without any draw. That is what the draws come "
            "close to.",
            lambda weights, values, draws, rng: weights @ values,
        ),
        Mistake(
            "Every key was drawn with the same chance. p=weights tells rng.choice the chances.",
            lambda weights, values, draws, rng: values[rng.choice(len(weights), size=draws)].mean(
                axis=0
            ),
        ),
        Mistake(
            "The draws are added up. Divide by how many there are: take the mean.",
            lambda weights, values, draws, rng: values[
                rng.choice(len(weights), size=draws, p=weights)
            ].sum(axis=0),
        ),
        Mistake(
            "You always took the key with the largest weight. It should come up most often, not "
            "always.",
            lambda weights, values, draws, rng: values[weights.argmax()],
        ),
        Mistake(
            "The weights count twice: once in how often a key is drawn, and once more as factors.",
            lambda weights, values, draws, rng: _counted_twice(weights, values, draws, rng),
        ),
        Mistake(
            "You made one draw only. size=draws makes all of them.",
            lambda weights, values, draws, rng: values[rng.choice(len(weights), p=weights)],
        ),
        Mistake(
            "These are the values of all draws, one below the other. Average them: .mean(axis=0).",
            lambda weights, values, draws, rng: values[
                rng.choice(len(weights), size=draws, p=weights)
            ],
        ),
        Mistake(
            "You averaged over everything. The draws stand in rows: .mean(axis=0) keeps the width "
            "of a value.",
            lambda weights, values, draws, rng: values[
                rng.choice(len(weights), size=draws, p=weights)
            ].mean(),
        ),
        Mistake(
            "You made a generator of your own with a fixed seed, and it draws the same keys each "
            "time. Use the rng that you were given.",
            lambda weights, values, draws, rng: sampled_output(
                weights, values, draws, np.random.default_rng(0)
            ),
        ),
    ),
    alternatives=(
        _by_running_sum,
        lambda weights, values, draws, rng: rng.multinomial(draws, weights) @ values / draws,
        lambda weights, values, draws, rng: rng.choice(values, size=draws, p=weights).mean(axis=0),
        _one_at_a_time,
    ),
    hints=(
        "One draw picks one key, with chance w_j. What does it contribute? And what do you do with "
        "all the draws?",
        "rng.choice(5, size=3, p=weights) draws three of the numbers 0 to 4, with these chances. "
        "values[chosen] takes those rows.",
        "chosen = rng.choice(len(weights), size=..., p=...); return values[chosen]....",
    ),
    minutes=5,
    stars=2,
    depth=True,
)


def _counted_twice(weights, values, draws, rng):
    chosen = rng.choice(len(weights), size=draws, p=weights)
    return (weights[chosen, None] * values[chosen]).mean(axis=0)


HUNDREDFOLD = Bet(
    "hundredfold",
    question="You estimate an output of attention from 100 draws, and then from 10,000. How does "
    "the typical error change?",
    answer=Choice(
        ("it stays about the same", "it falls to about a tenth", "it falls to about a hundredth"),
        which=lambda ratio: 0 if ratio < 3 else 1 if ratio < 30 else 2,
    ),
    why="The error of an average falls with the square root of the number of draws.",
    model_answer="A hundred times the work buys one more digit. That is why attention computes the "
    "average exactly, with one matrix product, and does not draw.",
    depth=True,
)

# Depth: the Jacobian


def jacobian_times(weights, change):
    return weights * (change - weights @ change)


def _by_building_it(weights, change):
    return (np.diag(weights) - np.outer(weights, weights)) @ change


def _jacobian_with_loops(weights, change):
    result = []
    for i, w in enumerate(weights):
        row = [w * ((i == j) - v) for j, v in enumerate(weights)]
        result.append(sum(a * b for a, b in zip(row, change, strict=True)))
    return result


JACOBIAN_TIMES = Exercise(
    reference=jacobian_times,
    cases=(
        lambda rng: inputs(np.array([0.5, 0.3, 0.2]), np.array([1.0, 0.0, 0.0])),
        lambda rng: inputs(np.array([0.5, 0.25, 0.25]), np.array([1.0, -2.0, 3.0])),
        lambda rng: inputs(kernel.softmax(rng.normal(size=7)), rng.normal(size=7)),
    ),
    properties=(
        Property(
            "The changes of the weights add up to 0: the weights still add up to 1.",
            lambda got, case: bool(abs(np.sum(got["output"])) < 1e-6),
        ),
    ),
    mistakes=(
        Mistake(
            "You used the diagonal alone. A score also takes from all the other weights: subtract "
            "the weighted average of the changes.",
            lambda weights, change: weights * (1 - weights) * change,
        ),
        Mistake(
            "Nothing is taken from the others, so the weights no longer add up to 1. Subtract the "
            "weighted average of the changes first.",
            lambda weights, change: weights * change,
        ),
        Mistake(
            "You subtracted the plain mean of the changes. The average that counts is weighted: "
            "weights @ change.",
            lambda weights, change: weights * (change - change.mean()),
        ),
        Mistake(
            "The sign is turned: a score that rises raises its own weight.",
            lambda weights, change: weights * (weights @ change - change),
        ),
        Mistake(
            "The average is subtracted without the factor in front. It is taken from each key by "
            "its weight: weights * (change - average).",
            lambda weights, change: weights * change - weights @ change,
        ),
        Mistake(
            "You added the average of the changes. What one weight gains, the others lose: "
            "subtract it.",
            lambda weights, change: weights * (change + weights @ change),
        ),
        Mistake(
            "You subtracted the sum of the changes. Subtract their weighted average, "
            "weights @ change.",
            lambda weights, change: weights * (change - change.sum()),
        ),
        Mistake(
            "The factor in front is missing: a key with little weight gains little.",
            lambda weights, change: change - weights @ change,
        ),
        Mistake(
            "You left out the diagonal part, diag(w): only the taking is there, without the gain.",
            lambda weights, change: -weights * (weights @ change),
        ),
        Mistake(
            "You returned the table itself. Multiply it with the change.",
            lambda weights, change: np.diag(weights) - np.outer(weights, weights),
        ),
        Mistake(
            "You added the change to the weights. It is a change of the scores; the question is "
            "how the weights answer.",
            lambda weights, change: weights + change,
        ),
        Mistake(
            "The identity stands where diag(w) should: each gain has its own weight as a factor.",
            lambda weights, change: change - weights * (weights @ change),
        ),
        Mistake(
            "You took softmax once more. What you are given are the weights already.",
            lambda weights, change: kernel.softmax_jacobian(weights) @ change,
        ),
        Mistake(
            "This is what the whole step does. Asked for is the slope: what a tiny part of the "
            "step does, scaled up.",
            lambda weights, change: kernel.softmax(np.log(weights) + change) - weights,
        ),
    ),
    alternatives=(
        _by_building_it,
        _jacobian_with_loops,
        lambda weights, change: weights * change - weights * np.dot(weights, change),
        lambda weights, change: kernel.softmax_jacobian(np.log(weights)) @ change,
        lambda weights, change: np.float32(weights) * np.float32(change - weights @ change),
    ),
    hints=(
        "Row i of the table: w_i (1 - w_i) at its own place and -w_i w_j elsewhere. Which factor "
        "do all its entries have in common?",
        "Put w_i in front. What is left of row i times change is change_i minus the weighted "
        "average, weights @ change.",
        "return weights * (... - ...)",
    ),
    minutes=6,
    stars=2,
    depth=True,
)

DEAF = Bet(
    "deaf",
    question="Two keys. At a tie, raising one score by a little moves its weight by .25 times as "
    "much. Now this key leads by 10. By how many times as much does its weight move?",
    answer=Choice(
        ("about .25, as before", "about .025", "less than .001"),
        which=lambda slope: 0 if slope > 0.08 else 1 if slope > 0.001 else 2,
    ),
    why="The slope is w (1 - w), and 1 - w is already .000045.",
    model_answer="A weight near 1 has almost nothing to gain and the other almost nothing to lose. "
    "Where softmax is this sure, training can hardly change its mind through the scores.",
    depth=True,
)

CURE = Bet(
    "cure",
    question="Scores 0 and 20: the slopes are tiny. Somebody says: subtract the largest score "
    "first, then the gradient is no longer tiny. Is it?",
    answer=Choice(
        ("yes, the slopes grow", "no, they stay as they are"),
        which=lambda ratio: 1 if abs(ratio - 1) < 1e-6 else 0,
    ),
    why="The weights are the same, and the slopes are made of the weights alone.",
    model_answer="Subtracting the maximum cures overflow, the NaN. Saturation is another illness: "
    "the differences are too large, and only smaller differences cure it, such as a division by "
    "the square root of d_k.",
    depth=True,
)

# Depth: a row with nothing to look at


def softmax_where(scores, mask):
    allowed = np.where(mask, scores, -np.inf)
    highest = allowed.max(axis=-1, keepdims=True)
    powers = np.exp(allowed - np.where(highest == -np.inf, 0, highest))
    sums = powers.sum(axis=-1, keepdims=True)
    return powers / np.where(sums == 0, 1, sums)


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


def _without_a_guard(scores, mask):
    with np.errstate(invalid="ignore"):
        return softmax(np.where(mask, scores, -np.inf))


def _exp_before_the_mask(scores, mask):
    with np.errstate(over="ignore", invalid="ignore"):
        exponentials = np.exp(scores) * mask
        total = exponentials.sum(axis=-1, keepdims=True)
        return exponentials / np.where(total == 0, 1, total)


def _of_all_scores(scores, mask):
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True)) * mask
    total = exponentials.sum(axis=-1, keepdims=True)
    return exponentials / np.where(total == 0, 1, total)


def _mask(*rows):
    return np.array([[letter == "x" for letter in row] for row in rows])


SOFTMAX_WHERE = Exercise(
    reference=softmax_where,
    cases=(
        lambda rng: inputs(np.array([[1.0, 2.0, 4.0], [1.0, 0.0, 3.0]]), _mask("xx.", "xxx")),
        lambda rng: inputs(np.array([[1.0, 2.0, 4.0], [1.0, 0.0, 3.0]]), _mask("..x", "...")),
        lambda rng: inputs(np.array([[1.0, 0.0, FAR], [-FAR, 1 - FAR, 0.0]]), _mask("xx.", "xx.")),
        lambda rng: inputs(rng.normal(size=(5, 7)), rng.random((5, 7)) < 0.5),
    ),
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
            _without_a_guard,
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
    ),
    alternatives=(
        _masked_with_loops,
        lambda scores, mask: kernel.softmax(np.where(mask, scores, -np.inf)),
        lambda scores, mask: np.nan_to_num(_without_a_guard(scores, mask)),
        lambda scores, mask: softmax(np.where(mask, scores, -1e9)) * mask,
        lambda scores, mask: np.where(
            mask.any(axis=-1, keepdims=True), softmax(np.where(mask, scores, -1e300)), 0
        ),
        lambda scores, mask: softmax_where(scores.astype(np.float32), mask),
    ),
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


chapter = Chapter(
    "04_softmax",
    exercises=(
        SHARES,
        SOFTMAX,
        READ_HEAT_MAP,
        TEMPERATURE_FOR,
        ENTROPY,
        SAMPLED_OUTPUT,
        JACOBIAN_TIMES,
        SOFTMAX_WHERE,
    ),
    bets=(FAR_OUT, CROWD, SINK, TIE, DIAGONAL, HUNDREDFOLD, DEAF, CURE),
)
exercise, bet, settle = chapter.exercise, chapter.bet, chapter.settle
hint, reveal, progress = chapter.hint, chapter.reveal, chapter.progress
