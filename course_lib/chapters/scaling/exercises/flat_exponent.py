"""Exercise `flat_exponent`: the power of the width with which sizes grow."""

import numpy as np

from course_lib.judging.accept import close
from course_lib.judging.exercise import Exercise, Mistake, Refused, inputs


def flat_exponent(widths, sizes):
    """The exponent a for which sizes / widths**a is the same at every width.

    widths: (n,)   sizes: (n,), all above 0
    returns: one number with all its digits; below 0 where the sizes fall
    """
    # SOLUTION
    return np.polyfit(np.log(widths), np.log(sizes), 1)[0]
    # END SOLUTION


def _power(exponent, factor, widths):
    """A case: sizes that are factor * widths**exponent."""
    widths = np.array(widths, dtype=float)
    return lambda rng: inputs(widths.copy(), factor * widths**exponent)


def _solved(got, want, case) -> bool | str:
    """Right up to rounding; says so where it is close, as a coarse search is."""
    if close()(got, want, case):
        return True
    if np.ndim(got["output"]) == 0 and abs(got["output"] - want["output"]) < 0.051:
        return "Close, and digits are missing: round nothing, or search in finer steps."
    return False


def _unevenness(a, widths, sizes):
    return np.ptp(np.log(sizes) - a * np.log(widths))


def _by_trying(widths, sizes):
    """A search in ever finer steps."""
    best, step = 0.0, 1.0
    while step > 1e-9:
        tries = best + step * np.linspace(-3, 3, 61)
        best = min(tries, key=lambda a: _unevenness(a, widths, sizes))
        step /= 10
    return best


def _in_steps(first, last, step):
    """A search among these exponents alone."""
    tries = np.arange(first, last + step / 2, step)
    return lambda d, s: min(tries, key=lambda a: _unevenness(a, d, s))


def _smallest_spread(widths, sizes):
    tries = np.arange(0, 2.005, 0.01)
    return min(tries, key=lambda a: np.std(sizes / widths**a))


FLAT_EXPONENT = Exercise(
    answer=flat_exponent,
    cases=(
        _power(0.5, 1.0, [4, 16, 64]),
        _power(0.5, 9.0, [2, 8, 32, 128]),
        _power(1.0, 0.3, [3, 5, 7, 11, 13]),
        _power(0.25, 2.0, [16, 64, 256]),
        _power(-0.5, 3.0, [4, 16, 64]),  # sizes that fall
        _power(1 / 3, 5.0, [7, 13, 64, 500]),
        lambda rng: inputs(np.array([2, 4, 8, 16]), np.array([40, 20, 10, 5])),  # whole numbers
    ),
    accept=_solved,
    mistakes=(
        Mistake(
            "The sign is the other way round: sizes that grow like d^a are divided by d^a.",
            lambda d, s: -flat_exponent(d, s),
        ),
        Mistake(
            "One logarithm over the other forgets the constant in front: it holds only where the "
            "size at width 1 is 1. Take the slope: a difference of logarithms over a difference.",
            lambda d, s: (np.log(s) / np.log(d)).mean(),
        ),
        Mistake(
            "You fitted a straight line to the sizes themselves. A power is straight where both "
            "axes are logarithms.",
            lambda d, s: np.polyfit(d, s, 1)[0],
        ),
        Mistake(
            "Only one axis is in logarithms; take the logarithm of the widths too.",
            lambda d, s: np.polyfit(d, np.log(s), 1)[0],
        ),
        Mistake(
            "The two are swapped: widths over sizes. That is one over the exponent.",
            lambda d, s: 1 / flat_exponent(d, s),
        ),
        Mistake(
            "You returned how many times the size has grown. The question is with which power of "
            "the width.",
            lambda d, s: s[-1] / s[0],
        ),
        Mistake(
            "polyfit returns slope and intercept, in this order; the slope is the exponent.",
            lambda d, s: np.polyfit(np.log(d), np.log(s), 1),
        ),
        Mistake(
            "This is the intercept, the second that polyfit returns. The slope is the first, [0].",
            lambda d, s: np.polyfit(np.log(d), np.log(s), 1)[1],
        ),
        Mistake(
            "The sign is dropped. Sizes that fall as the width grows have an exponent below 0.",
            lambda d, s: abs(flat_exponent(d, s)),
        ),
        Mistake(
            "You searched between 0 and 2. Sizes that fall have an exponent below 0.",
            _in_steps(0, 2, 0.01),
        ),
        Mistake(
            "You looked between 0 and 2 for the smallest spread. A large exponent makes all the "
            "numbers small, and their spread with them: compare it with their mean. And sizes "
            "that fall have an exponent below 0.",
            _smallest_spread,
        ),
        Mistake(
            "That is the strangers' exponent, whatever the sizes are. Find it from these sizes.",
            lambda d, s: 0.5,
        ),
        Mistake(
            "These are differences of the sizes over differences of the widths. A power is "
            "straight where both are logarithms: take these first.",
            lambda d, s: (s[-1] - s[0]) / (d[-1] - d[0]),
        ),
        Mistake(
            "Only the sizes are in logarithms; the differences of the widths need them too.",
            lambda d, s: (np.diff(np.log(s)) / np.diff(d)).mean(),
            also=(
                lambda d, s: np.mean(np.diff(np.log(s)) / np.diff(d)),
                lambda d, s: np.log(s[-1] / s[0]) / (d[-1] - d[0]),
            ),
        ),
        Mistake(
            "Only the widths are in logarithms; take the logarithm of the sizes too.",
            lambda d, s: np.polyfit(np.log(d), s, 1)[0],
        ),
        Mistake(
            "One logarithm is divided by the other, a number for each width. That holds only where "
            "the size at width 1 is 1, and one number is asked for: the slope.",
            lambda d, s: np.log(s) / np.log(d),
        ),
        Mistake(
            "You divided the one by the other before the logarithm. Take the logarithm of each, "
            "and divide then.",
            lambda d, s: np.log((s[-1] / s[0]) / (d[-1] / d[0])),
        ),
        Mistake(
            "Under the line stands the logarithm of a difference of widths. Take the difference of "
            "their logarithms, or the logarithm of their ratio.",
            lambda d, s: np.log(s[-1] / s[0]) / np.log(d[-1] - d[0]),
        ),
        Mistake(
            "You divided a ratio of the sizes by a difference of the widths. Take the logarithms "
            "of both ratios, and divide the one by the other.",
            lambda d, s: (s[-1] / s[0]) / (d[-1] - d[0]),
        ),
        Mistake(
            "You divided the ratio of the sizes by that of the widths. The exponent is the "
            "logarithm of the first over the logarithm of the second.",
            lambda d, s: (s[-1] / s[0]) / (d[-1] / d[0]),
        ),
        Mistake(
            "The two logarithms have different bases, so their ratio is not the exponent. Take "
            "the same for both.",
            lambda d, s: np.polyfit(np.log2(d), np.log(s), 1)[0],
        ),
        Mistake(
            "This is the logarithm by which the sizes grow. Divide it by that of the widths.",
            lambda d, s: np.log(s[-1] / s[0]),
        ),
        Mistake(
            "The mean of the one logarithm over the mean of the other forgets the constant in "
            "front. Take a difference over a difference: the slope.",
            lambda d, s: np.log(s).mean() / np.log(d).mean(),
        ),
        Mistake(
            "The correlation says how straight the line is. Its slope is asked for.",
            lambda d, s: np.corrcoef(np.log(d), np.log(s))[0, 1],
        ),
        Mistake(
            "That is twice the exponent: the one of the variances, perhaps. Here the sizes "
            "themselves are asked about.",
            lambda d, s: 2 * flat_exponent(d, s),
        ),
        Mistake(
            "These are the exponents between neighbours, each right. One number is asked for, and "
            "they are all the same.",
            lambda d, s: np.diff(np.log(s)) / np.diff(np.log(d)),
        ),
    ),
    alternatives=(
        lambda d, s: np.log(s[-1] / s[0]) / np.log(d[-1] / d[0]),
        lambda d, s: np.diff(np.log2(s)).sum() / np.diff(np.log2(d)).sum(),
        lambda d, s: np.linalg.lstsq(np.c_[np.log(d), np.ones(len(d))], np.log(s), rcond=None)[0][
            0
        ],
        lambda d, s: float(np.cov(np.log(d), np.log(s))[0, 1] / np.log(d).var(ddof=1)),
        lambda d, s: np.polyfit(np.log10(d), np.log10(s), 1)[0],
        _by_trying,
    ),
    refused=(
        Refused(_in_steps(-3, 3, 0.01), "digits are missing"),
        Refused(lambda d, s: round(flat_exponent(d, s), 1), "digits are missing"),
    ),
    hints=(
        "If sizes are c times d^a, what are their logarithms?",
        "ln(size) = a ln(d) + a constant: a straight line, and a is its slope. np.polyfit(x, y, 1) "
        "returns slope and intercept.",
        "return np.polyfit(np.log(...), np.log(...), 1)[0]",
    ),
    minutes=6,
    stars=2,
    depth=True,
)
