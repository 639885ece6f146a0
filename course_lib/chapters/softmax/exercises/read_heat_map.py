"""Exercise `read_heat_map`: four answers about a table of weights of words with themselves."""

from functools import lru_cache

import numpy as np

from course_lib.judging.exercise import Exercise, Mistake, Property, Refused, inputs
from course_lib.judging.observe import by_name
from course_lib.kernels import softmax as kernel


def read_heat_map(weights):
    """Four answers about a table of weights of words with themselves.

    weights: (n, n)   returns: looks_at, heard, to_themselves, undecided
    """
    # SOLUTION
    looks_at = weights[1].argmax()
    heard = weights.sum(axis=0).argmax()
    to_themselves = (weights.argmax(axis=1) == np.arange(len(weights))).sum()
    undecided = weights.max(axis=1).argmin()
    return looks_at, heard, to_themselves, undecided
    # STUB
    # looks_at = ...
    # heard = ...
    # to_themselves = ...
    # undecided = ...
    # return (looks_at, heard, to_themselves, undecided)
    # END SOLUTION


ANSWERS = ("looks_at", "heard", "to_themselves", "undecided")


def _read_with_loops(weights):
    n = len(weights)
    looks_at = max(range(n), key=lambda j: weights[1][j])
    columns = [sum(float(weights[i][j]) for i in range(n)) for j in range(n)]
    own = [i for i in range(n) if weights[i][i] == max(weights[i])]
    undecided = min(range(n), key=lambda i: max(weights[i]))
    return [looks_at, columns.index(max(columns)), len(own), undecided]


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
    answer=read_heat_map,
    cases=(
        lambda rng: inputs(np.array([[0.05, 0.7, 0.25], [0.4, 0.05, 0.55], [0.25, 0.3, 0.45]])),
        lambda rng: inputs(_telling_table(5, 1.0).copy()),
        lambda rng: inputs(_telling_table(5, 2.0).copy()),
        lambda rng: inputs(_telling_table(7, 1.0).copy()),
    ),
    observe=by_name(ANSWERS, one_more="fifth answer"),
    parts=ANSWERS,
    properties=(
        Property(
            "There are four answers, in the order of the docstring.",
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
            "heard adds up what all queries give to a key: each column, axis=0. You added up each "
            "row, which is always 1, or the whole table.",
            _instead(1, lambda w: w.sum(axis=1).round(6).argmax()),
        ),
        Mistake(
            "heard asks for the key with the most in all. You took the key of the largest single "
            "weight.",
            _instead(1, lambda w: w.max(axis=0).argmax()),
        ),
        Mistake(
            "heard should say which key: the place of the largest sum (argmax), not the sum (max).",
            _instead(1, lambda w: w.sum(axis=0).max()),
        ),
        Mistake(
            "to_themselves counts queries whose largest weight stands on the diagonal. You added "
            "up the diagonal.",
            _instead(2, lambda w: np.trace(w)),
        ),
        Mistake(
            "to_themselves looks along the rows: is the largest weight of query i at key i? You "
            "took the largest of each column.",
            _instead(2, lambda w: (w.argmax(axis=0) == np.arange(len(w))).sum()),
        ),
        Mistake(
            "to_themselves is a count. You returned True or False for each query; add them up.",
            _instead(2, lambda w: w.argmax(axis=1) == np.arange(len(w))),
        ),
        Mistake(
            "undecided is the query whose largest weight is smallest: argmin over the rows' "
            "maxima. You took the most decided one.",
            _instead(3, lambda w: w.max(axis=1).argmax()),
        ),
        Mistake(
            "undecided should say which query: the place (argmin), not the weight (min).",
            _instead(3, lambda w: w.max(axis=1).min()),
        ),
        Mistake(
            "undecided is about queries, so take the largest of each row, axis=1. You took the "
            "largest of each column.",
            _instead(3, lambda w: w.max(axis=0).argmin()),
        ),
        Mistake(
            "undecided looks for the smallest of the largest weights. You looked for the smallest "
            "weight of all.",
            _instead(3, lambda w: w.min(axis=1).argmin()),
        ),
        Mistake(
            "looks_at is about the second query. Python counts from 0, so that is row 1; you took "
            "row 2.",
            _instead(0, lambda w: w[2].argmax()),
        ),
        Mistake(
            "looks_at is one too many: keys are counted from 0, and argmax counts so, too.",
            _instead(0, lambda w: w[1].argmax() + 1),
        ),
        Mistake(
            "heard is one too many: keys are counted from 0, and argmax counts so, too.",
            _instead(1, lambda w: w.sum(axis=0).argmax() + 1),
        ),
        Mistake(
            "heard is a key, a column. argmax over the whole table counts its cells, row after "
            "row: add up each column first.",
            _instead(1, lambda w: w.argmax()),
        ),
        Mistake(
            "to_themselves counts where the diagonal holds the largest weight of its row. You "
            "counted where it is above one half; the largest may be smaller than that.",
            _instead(2, lambda w: (np.diag(w) > 0.5).sum()),
        ),
        Mistake(
            "to_themselves asks how many queries there are. You said which one looks at itself "
            "most.",
            _instead(2, lambda w: np.diag(w).argmax()),
        ),
        Mistake(
            "to_themselves is a count. You returned the share of the queries, or its mean.",
            _instead(2, lambda w: (w.argmax(axis=1) == np.arange(len(w))).mean()),
        ),
        Mistake(
            "to_themselves is a count of the queries that do. You counted those that do not.",
            _instead(2, lambda w: (w.argmax(axis=1) != np.arange(len(w))).sum()),
        ),
        Mistake(
            "undecided is one too many: queries are counted from 0, and argmin counts so, too.",
            _instead(3, lambda w: w.max(axis=1).argmin() + 1),
        ),
        Mistake(
            "undecided compares the largest weights, max. You compared their places, argmax.",
            _instead(3, lambda w: w.argmax(axis=1).min()),
            also=(_instead(3, lambda w: min(w.argmax(axis=1))),),
        ),
        Mistake(
            "undecided takes the place of the smallest among the largest weights. You took the "
            "place of the smallest among their places: max in place of the first argmax.",
            _instead(3, lambda w: w.argmax(axis=1).argmin()),
        ),
        Mistake(
            "All that you count is one too many: keys and queries are counted from 0.",
            lambda w: tuple(np.add(read_heat_map(w), (1, 1, 0, 1))),
        ),
    ),
    alternatives=(
        _read_with_loops,
        lambda w: (
            int(np.argmax(w[1, :])),
            int(np.argsort(w.mean(axis=0))[-1]),
            float(np.mean(w.argmax(-1) == range(len(w))) * len(w)),
            int(np.argsort(np.max(w, axis=1))[0]),
        ),
        lambda w: (
            w[1].tolist().index(w[1].max()),
            np.einsum("ts->s", w).argmax(),
            np.sum(np.diag(w) >= w.max(axis=1)),
            kernel.entropy(w).argmax(),
        ),
        lambda w: np.array(read_heat_map(w)),
    ),
    refused=(
        Refused(lambda w: read_heat_map(w)[:3], "There are four answers"),
        Refused(lambda w: read_heat_map(w)[:3], "gives no undecided"),
        Refused(lambda w: (*read_heat_map(w), 1), "has a fifth answer, which was not asked for"),
        Refused(_instead(0, lambda w: ...), "still returns `...` in one place"),
        Refused(_instead(0, lambda w: len(w) + 2), "gives another looks_at than it should"),
        Refused(_instead(2, lambda w: w.argmax(axis=1)), "as to_themselves"),
        Refused(lambda w: 3, "There are four answers"),
    ),
    hints=(
        "Which of the four look along a row, and which down a column? Cover the rest of the table "
        "with your hand.",
        "weights[1] is a row, weights.sum(axis=0) adds up each column, .max(axis=1) is the largest "
        "of each row, and .argmax() says where.",
        "weights[1]....(), weights.sum(axis=...)....(), (weights.argmax(axis=...) == "
        "np.arange(...)).sum(), weights.max(axis=...)....()",
    ),
    minutes=5,
    stars=2,
)
