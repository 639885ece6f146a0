"""Exercise `read_heat_map`: four answers about a table of weights of words with themselves."""

from functools import lru_cache

import numpy as np

from course_lib.judging.exercise import Exercise, Mistake, Property, Refused, inputs
from course_lib.judging.observe import by_name
from course_lib.kernels import softmax as kernel


def read_heat_map(weights):
    """Four answers about a table of weights of words with themselves.

    weights: (n, n), either way round   returns: queries_in_rows, looks_at, heard, undecided
    """
    # SOLUTION
    queries_in_rows = np.allclose(weights.sum(axis=1), 1)
    if not queries_in_rows:
        weights = weights.T
    looks_at = weights[1].argmax()
    heard = weights.sum(axis=0).argmax()
    undecided = weights.max(axis=1).argmin()
    return queries_in_rows, looks_at, heard, undecided
    # STUB
    # queries_in_rows = ...
    # # turn the table here, if need be
    # looks_at = ...
    # heard = ...
    # undecided = ...
    # return (queries_in_rows, looks_at, heard, undecided)
    # END SOLUTION


ANSWERS = ("queries_in_rows", "looks_at", "heard", "undecided")
ONE_ROW_BY_CHANCE = np.array([[0.25, 0.1, 0.65], [0.4, 0.25, 0.25], [0.35, 0.65, 0.1]])


def _told_by(test):
    """What follows where `test(weights)` says whether the queries stand in rows."""

    def answer(weights):
        rows = bool(test(weights))
        return (rows, *_about_rows(weights if rows else weights.T))

    return answer


def _about_rows(weights):
    """The three answers that the solution gives about a table with a query in each row."""
    return weights[1].argmax(), weights.sum(axis=0).argmax(), weights.max(axis=1).argmin()


def _upright(weights):
    return weights if np.allclose(weights.sum(axis=1), 1) else weights.T


def _read_with_loops(weights):
    n = len(weights)
    rows = all(abs(sum(weights[i]) - 1) < 1e-6 for i in range(n))
    table = [[weights[i][j] if rows else weights[j][i] for j in range(n)] for i in range(n)]
    looks_at = max(range(n), key=lambda j: table[1][j])
    columns = [sum(float(table[i][j]) for i in range(n)) for j in range(n)]
    undecided = min(range(n), key=lambda i: max(table[i]))
    return [rows, looks_at, columns.index(max(columns)), undecided]


def _instead(place, value):
    """The right answers with one replaced by value(weights), a query in each row of these."""

    def answer(weights):
        answers = list(read_heat_map(weights))
        answers[place] = value(_upright(weights))
        return tuple(answers)

    return answer


@lru_cache
def _telling_table(n, sharpness):
    """n by n weights that tell the ways of reading them apart, by row and by column."""
    rng = np.random.default_rng(n)
    while True:
        weights = kernel.softmax(sharpness * rng.normal(size=(n, n)))
        even, heard = weights.max(axis=1).argmin(), weights.sum(axis=0).argmax()
        inexact = (weights.sum(axis=1) != 1).any()
        apart = weights.max(axis=0).argmax() != heard and weights.min(axis=1).argmin() != even
        by_column = all(np.not_equal(_about_rows(weights), _about_rows(weights.T)))
        if apart and inexact and by_column and kernel.entropy(weights).argmax() == even:
            return weights


READ_HEAT_MAP = Exercise(
    answer=read_heat_map,
    cases=(
        lambda rng: inputs(np.array([[0.05, 0.7, 0.25], [0.4, 0.05, 0.55], [0.25, 0.3, 0.45]])),
        lambda rng: inputs(ONE_ROW_BY_CHANCE.copy()),
        lambda rng: inputs(_telling_table(5, 1.0).copy()),
        lambda rng: inputs(_telling_table(5, 2.0).T.copy()),
        lambda rng: inputs(_telling_table(7, 1.0).T.copy()),
        lambda rng: inputs(_telling_table(7, 2.0).copy()),
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
            "You read the table by columns where a row is a query. The queries are in rows if each "
            "row adds up to 1: axis=1.",
            _told_by(lambda w: np.allclose(w.sum(axis=0), 1)),
        ),
        Mistake(
            "You did not turn a table whose queries stand in columns, so you read it by columns.",
            lambda w: (np.allclose(w.sum(axis=1), 1), *_about_rows(w)),
        ),
        Mistake(
            "You turned the table where a row was a query, and left it where it was not.",
            lambda w: (np.allclose(w.sum(axis=1), 1), *_about_rows(_upright(w).T)),
        ),
        Mistake(
            "queries_in_rows compares sums with exactly 1, and in the computer some are rounded. "
            "np.allclose compares up to rounding.",
            _told_by(lambda w: (w.sum(axis=1) == 1).all()),
            also=(_told_by(lambda w: all(row.sum() == 1 for row in w)),),
        ),
        Mistake(
            "queries_in_rows asks whether each row adds up to 1. You asked whether one of them "
            "does, and that happens by chance, too.",
            _told_by(lambda w: np.isclose(w.sum(axis=1), 1).any()),
            also=(_told_by(lambda w: np.isclose(w[0].sum(), 1)),),
        ),
        Mistake(
            "The whole table adds up to the number of queries, in rows or in columns. Add up each "
            "row, axis=1.",
            _told_by(lambda w: np.isclose(w.sum(), len(w))),
            also=(_told_by(lambda w: True),),
        ),
        Mistake(
            "queries_in_rows is True where each row adds up to 1. You answered the other way "
            "round.",
            lambda w: (not np.allclose(w.sum(axis=1), 1), *_about_rows(_upright(w))),
        ),
        Mistake(
            "looks_at is the key in the second row, weights[1], and you took a column, "
            "weights[:, 1].",
            _instead(1, lambda w: w[:, 1].argmax()),
        ),
        Mistake(
            "looks_at is about the second query. In Python that is row 1; you took row 0.",
            _instead(1, lambda w: w[0].argmax()),
        ),
        Mistake(
            "looks_at should say which key: its place (argmax), not its weight (max).",
            _instead(1, lambda w: w[1].max()),
        ),
        Mistake(
            "argmax over the whole table counts its cells, row after row. Take the row first: "
            "weights[1].",
            _instead(1, lambda w: w.argmax()),
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
            _instead(1, lambda w: w[2].argmax()),
        ),
        Mistake(
            "looks_at is one too many: keys are counted from 0, and argmax counts so, too.",
            _instead(1, lambda w: w[1].argmax() + 1),
        ),
        Mistake(
            "heard is one too many: keys are counted from 0, and argmax counts so, too.",
            _instead(2, lambda w: w.sum(axis=0).argmax() + 1),
        ),
        Mistake(
            "heard is a key, a column. argmax over the whole table counts its cells, row after "
            "row: add up each column first.",
            _instead(2, lambda w: w.argmax()),
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
            lambda w: tuple(np.add(read_heat_map(w), (0, 1, 1, 1))),
        ),
    ),
    alternatives=(
        _read_with_loops,
        lambda w: (
            bool(abs(w.sum(-1) - 1).max() < 1e-9),
            int(np.argmax(_upright(w)[1, :])),
            int(np.argsort(_upright(w).mean(axis=0))[-1]),
            int(np.argsort(np.max(_upright(w), axis=1))[0]),
        ),
        lambda w: (
            not np.allclose(w.sum(axis=0), 1),
            _upright(w)[1].tolist().index(_upright(w)[1].max()),
            np.einsum("ts->s", _upright(w)).argmax(),
            kernel.entropy(_upright(w)).argmax(),
        ),
        lambda w: list(read_heat_map(w)),
    ),
    refused=(
        Refused(lambda w: read_heat_map(w)[:3], "There are four answers"),
        Refused(lambda w: read_heat_map(w)[:3], "gives no undecided"),
        Refused(lambda w: (*read_heat_map(w), 1), "has a fifth answer, which was not asked for"),
        Refused(_instead(1, lambda w: ...), "still returns `...` in one place"),
        Refused(_instead(1, lambda w: len(w) + 2), "gives another looks_at than it should"),
        Refused(_instead(0, lambda w: w.sum(axis=1)), "as queries_in_rows"),
        Refused(lambda w: 3, "There are four answers"),
    ),
    hints=(
        "Add up each row, and compare with 1, up to rounding. If that is not so, go on with "
        "weights.T. Once a row is a query: which of the other three look along a row, and which "
        "down a column?",
        "np.allclose(a, 1) says whether all of a is 1 up to rounding. weights[1] is a row, "
        "weights.sum(axis=0) adds up each column, .max(axis=1) is the largest of each row, and "
        ".argmax() says where.",
        "np.allclose(weights.sum(axis=...), 1), weights[1]....(), weights.sum(axis=...)....(), "
        "weights.max(axis=...)....()",
    ),
    minutes=5,
    stars=2,
    depth=True,
)
