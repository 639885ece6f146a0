"""How wrong numbers are related to the right ones, where one relation holds in every failing case.

Said where no known mistake fits: "each is 8 times what it should be" is true whatever the cause.
"""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from course_lib.judging import sentences as s
from course_lib.judging.exercise import Exercise
from course_lib.judging.trial import Trial
from course_lib.judging.verdict import Sentence, sentence
from course_lib.learner.arrays import NotNumbers, as_array
from course_lib.learner.compare import near

FEWEST = 4  # right numbers, all failing cases together, that a relation must explain
Pair = tuple[np.ndarray, np.ndarray]  # what came, what was wanted
POWERS = {1.0: s.N_TIMES, -1.0: s.N_PARTS, 0.5: s.ROOT_N_TIMES, -0.5: s.ROOT_N_PARTS}


def relation_of(exercise: Exercise, failing: Sequence[Trial]) -> Sentence | None:
    """The relation of all that came to what was wanted; None where none holds everywhere."""
    cases = [one for one in failing if one.round.is_case]
    pairs = [pair for pair in map(_pair, cases) if pair is not None]
    if exercise.open_answer or len(pairs) < max(2, len(cases)):
        return None
    if any(one.outcome.changed or _same(*pair) for one, pair in zip(cases, pairs, strict=True)):
        return None  # the numbers are right, and something else is not
    if len({float(one) for _, want in pairs for one in np.ravel(want)}) < FEWEST:
        return None
    with np.errstate(all="ignore"):
        return _times(pairs, cases) or _shifted(pairs) or _by_function(pairs) or _by_place(pairs)


def _pair(trial: Trial) -> Pair | None:
    """The numbers of a trial beside the wanted ones, where their shapes are equal."""
    if list(trial.wanted) != ["output"] or "output" not in trial.outcome.observed:
        return None
    try:
        got, want = as_array(trial.outcome.observed["output"]), as_array(trial.wanted["output"])
    except NotNumbers:
        return None
    if got.shape != want.shape or want.dtype.kind not in "iuf" or got.dtype.kind not in "iuf":
        return None
    got, want = got.astype(np.float64), want.astype(np.float64)
    return (got, want) if np.isfinite(got).all() and np.isfinite(want).all() else None


def _all(pairs: Sequence[Pair], holds: Callable[[np.ndarray, np.ndarray], bool]) -> bool:
    return all(holds(got, want) for got, want in pairs)


def _same(got: np.ndarray, want: np.ndarray) -> bool:
    return bool(np.isfinite(want).all()) and bool(near(got, want).all())


def _times(pairs: Sequence[Pair], trials: Sequence[Trial]) -> Sentence | None:
    """Each number is some times what it should be: always as often, or as a size says."""
    if _all(pairs, lambda got, want: not got.any()):
        return sentence(s.ALL_ZERO)
    factors = []
    for got, want in pairs:
        if not want.any():
            return None
        factor = float((got * want).sum() / (want * want).sum())
        if abs(factor) < 1e-9 or not _same(got, factor * want):
            return None
        factors.append(factor)
    if np.allclose(factors, factors[0], rtol=1e-6):
        if abs(factors[0] + 1) < 1e-6:
            return sentence(s.OTHER_SIGN)
        return sentence(s.TIMES, factor=f"{factors[0]:.4g}")
    for power, template in POWERS.items():
        named = [
            what
            for what, sizes in _sizes(trials)
            if np.allclose(factors, np.asarray(sizes, dtype=float) ** power, rtol=1e-6)
        ]
        if named:
            return sentence(template, what=named[0])
    return None


def _sizes(trials: Sequence[Trial]) -> Iterator[tuple[Sentence, list[float]]]:
    """Every size of the inputs, and every whole number among them, in words; in all trials."""
    given = [one.inputs.named() for one in trials]
    for name in given[0]:
        values = [one.get(name) for one in given]
        if all(isinstance(one, int | np.integer) and one > 0 for one in values):
            yield sentence(s.THE_NUMBER, name=name), [float(one) for one in values]  # type: ignore[arg-type]
            continue
        shapes = [tuple(getattr(one, "shape", ())) for one in values]
        for back, template in ((1, s.LAST_SIZE), (2, s.LAST_BUT_ONE_SIZE)):
            if all(len(one) >= back and one[-back] > 0 for one in shapes):
                yield sentence(template, name=name), [float(one[-back]) for one in shapes]


def _shifted(pairs: Sequence[Pair]) -> Sentence | None:
    """Each number is larger or smaller by always the same."""
    shifts = [float((got - want).mean()) for got, want in pairs]
    if abs(shifts[0]) < 1e-9 or not np.allclose(shifts, shifts[0], rtol=1e-6):
        return None
    if not _all(pairs, lambda got, want: _same(got, want + shifts[0])):
        return None
    template = s.LARGER_BY if shifts[0] > 0 else s.SMALLER_BY
    return sentence(template, shift=f"{abs(shifts[0]):.4g}")


FUNCTIONS: tuple[tuple[str, Callable[[np.ndarray], np.ndarray]], ...] = (
    (s.WITHOUT_SIGN, np.abs),
    (s.SQUARED, np.square),
    (s.ROOT_TAKEN, np.sqrt),
    (s.INVERTED, np.reciprocal),
    (s.LOG_TAKEN, np.log),
    (s.EXP_TAKEN, np.exp),
    (s.MINUS_FROM_ONE, lambda want: 1 - want),
    (s.ADDED_UP_ALONG, lambda want: np.cumsum(want, axis=-1) if want.ndim else want),
    (s.REVERSED, lambda want: np.flip(want, axis=-1) if want.ndim else want),
    (s.ROWS_REVERSED, lambda want: np.flip(want, axis=-2) if want.ndim > 1 else want),
)


def _by_function(pairs: Sequence[Pair]) -> Sentence | None:
    """Each number is the same function of the right one."""
    for template, function in FUNCTIONS:
        if _all(pairs, lambda got, want, f=function: _same(got, f(want))):  # type: ignore[misc, arg-type]
            return sentence(template)
    for digits in range(5):
        if _all(pairs, lambda got, want, d=digits: _same(got, np.round(want, d))):  # type: ignore[misc, arg-type]
            return sentence(s.ROUNDED_TO, digits=digits)
    return None


def _by_place(pairs: Sequence[Pair]) -> Sentence | None:
    """Where the numbers are right, and where not; or which axis adds up to 1."""
    if not _all(pairs, lambda got, want: want.ndim >= 1 and want.size > 1):
        return None
    if _all(pairs, lambda got, want: want.ndim >= 2 and _columns_add_up(got, want)):
        return sentence(s.COLUMNS_ADD_UP)
    if _all(pairs, lambda got, want: _same(np.sort(got, axis=-1), np.sort(want, axis=-1))):
        return sentence(s.RIGHT_IN_OTHER_ORDER)
    for template, where in PLACES:
        if _all(pairs, lambda got, want, w=where: _wrong_in(got, want, w)):  # type: ignore[misc, arg-type]
            return sentence(template)
    return None


def _columns_add_up(got: np.ndarray, want: np.ndarray) -> bool:
    rows_of_weights = near(want.sum(axis=-1), np.ones(want.shape[:-1])).all()
    columns = near(got.sum(axis=-2), np.ones(got.sum(axis=-2).shape)).all()
    return bool(rows_of_weights and columns and not near(got.sum(axis=-1), want.sum(axis=-1)).all())


def _along(axis: int, which: int) -> Callable[[np.ndarray], np.ndarray]:
    """Marks one row, or one column, of each array that has several."""

    def marked(want: np.ndarray) -> np.ndarray:
        mark = np.zeros(want.shape, dtype=bool)
        if want.ndim >= -axis and want.shape[axis] > 1:
            np.moveaxis(mark, axis, 0)[which] = True
        return mark

    return marked


def _row(which: int) -> Callable[[np.ndarray], np.ndarray]:
    """Marks one row, or one number where there is one row."""

    def marked(want: np.ndarray) -> np.ndarray:
        return _along(-2 if want.ndim > 1 else -1, which)(want)

    return marked


def _above_diagonal(want: np.ndarray) -> np.ndarray:
    if want.ndim < 2:
        return np.zeros(want.shape, dtype=bool)
    return np.broadcast_to(np.triu(np.ones(want.shape[-2:], dtype=bool), 1), want.shape)


PLACES: tuple[tuple[str, Callable[[np.ndarray], np.ndarray]], ...] = (
    (s.WRONG_IN_LAST_ROW, _row(-1)),
    (s.WRONG_IN_FIRST_ROW, _row(0)),
    (s.RIGHT_IN_FIRST_ROW, lambda want: ~_row(0)(want)),
    (s.WRONG_IN_LAST_COLUMN, _along(-1, -1)),
    (s.WRONG_IN_FIRST_COLUMN, _along(-1, 0)),
    (s.WRONG_ABOVE_DIAGONAL, _above_diagonal),
    (s.WRONG_WHERE_ZERO, lambda want: want == 0),
    (s.WRONG_WHERE_NEGATIVE, lambda want: want < 0),
)


def _wrong_in(got: np.ndarray, want: np.ndarray, where: Callable[[np.ndarray], np.ndarray]) -> bool:
    """Whether the numbers differ at most of the marked places, and nowhere else."""
    mark, right = where(want), near(got, want)
    if not mark.any() or mark.all() or not right[~mark].all():
        return False
    return bool((~right[mark]).mean() > 0.5)
