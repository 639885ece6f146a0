"""Exercise `flat_exponent`: the power of the width with which sizes grow."""

import numpy as np

from course_lib.judging.exercise import Exercise, Mistake, Refused, inputs


def flat_exponent(widths, sizes):
    """The exponent a for which sizes / widths**a is the same at every width.

    widths: (n,)   sizes: (n,), all above 0   returns: one number
    """
    # SOLUTION
    return np.polyfit(np.log(widths), np.log(sizes), 1)[0]
    # END SOLUTION


def _power(exponent, factor, widths):
    """A case: sizes that are factor * widths**exponent."""
    widths = np.array(widths, dtype=float)
    return lambda rng: inputs(widths.copy(), factor * widths**exponent)


def _by_trying(widths, sizes):
    return min(np.linspace(0, 2, 2001), key=lambda a: np.ptp(np.log(sizes / widths**a)))


FLAT_EXPONENT = Exercise(
    answer=flat_exponent,
    cases=(
        _power(0.5, 1.0, [4, 16, 64]),
        _power(0.5, 9.0, [2, 8, 32, 128]),
        _power(1.0, 0.3, [3, 5, 7, 11, 13]),
        _power(0.25, 2.0, [16, 64, 256]),
    ),
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
        Refused(lambda d, s: 0.5),
        Refused(lambda d, s: np.polyfit(np.log(d), s, 1)[0]),
        Refused(lambda d, s: np.polyfit(np.log2(d), np.log(s), 1)[0]),
        Refused(lambda d, s: np.log(s) / np.log(d)),
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
