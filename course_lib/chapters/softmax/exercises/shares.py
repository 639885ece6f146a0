"""Exercise `shares`: softmax by its definition: exponentials, divided by their sum."""

import math

import numpy as np

from course_lib.judging.accept import close
from course_lib.judging.exercise import Exercise, Mistake, Property, inputs
from course_lib.kernels import softmax as kernel


def shares(scores):
    """Each key's share of 1: positive, and e times as much where a score is higher by 1.

    scores: (s,)   returns: (s,)
    """
    # SOLUTION
    exponentials = np.exp(scores)
    return exponentials / exponentials.sum()
    # END SOLUTION


def each_to_its_digits(got, want, case) -> bool | str:
    """Equal up to rounding, and a small weight is held to digits of its own."""
    if close(3e-8)(got, want, case):
        yours, right = (np.asarray(one["output"], dtype=float) for one in (got, want))
        return bool(np.allclose(yours, right, rtol=1e-3, atol=1e-30)) or (
            "A small weight is lost or wrong. It counts for little, but it is above 0."
        )
    if close(absolute=6e-3)(got, want, case):
        return "Close, and not equal: was something rounded, or something small added?"
    return False


def _into_zeros_like(scores):
    out = np.zeros_like(scores)
    out[...] = np.exp(scores) / np.exp(scores).sum()
    return out


def _shares_with_a_loop(scores):
    total = 0
    for score in scores:
        total = total + math.exp(score)
    return [math.exp(score) / total for score in scores]


def _to_the_power_e(scores):
    with np.errstate(all="ignore"):  # a negative score has no such power
        raised = scores**np.e
        return raised / raised.sum()


SHARES = Exercise(
    answer=shares,
    cases=(
        lambda rng: inputs(np.array([1.0, 2.0, 4.0])),
        lambda rng: inputs(np.array([3.5, -2.1, 8.7, 0.3])),
        lambda rng: inputs(np.array([2, 0, -1, 1, 3])),
        lambda rng: inputs(rng.normal(size=7)),
        lambda rng: inputs(np.array([0.0, -9.0, -20.0])),  # small shares, and still above 0
        lambda rng: inputs(rng.normal(size=7)),  # a size for the second time
    ),
    accept=each_to_its_digits,
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
            "You divided the scores by their sum, or e times the scores, which is the same. Then "
            "2 gets twice the share of 1, not e times, and a negative score gets a negative share. "
            "Take the exponentials first, e to the score: they are all positive.",
            lambda scores: scores / scores.sum(),
        ),
        Mistake(
            "These are the exponentials. Divide them by their sum, and they become shares of 1.",
            lambda scores: np.exp(scores),
        ),
        Mistake(
            "You took powers of 2, 3 or 10. Softmax takes powers of e, 2.718..., which is np.exp.",
            lambda scores: 2.0**scores / (2.0**scores).sum(),
            also=(
                lambda scores: np.exp2(scores) / np.exp2(scores).sum(),
                lambda scores: 3.0**scores / (3.0**scores).sum(),
                lambda scores: 10.0**scores / (10.0**scores).sum(),
            ),
        ),
        Mistake(
            "You took powers of 5, the factor of the example. The exercise asks for the factor e, "
            "2.718...: np.exp takes its powers.",
            lambda scores: 5.0**scores / (5.0**scores).sum(),
            also=(
                lambda scores: [5.0**one / sum(5.0**x for x in scores) for one in scores],
                lambda scores: 5**scores / (5**scores).sum(),  # numpy refuses below 0
            ),
        ),
        Mistake(
            "Powers of e, and e was cut short: it has more digits than you wrote. np.exp(scores) "
            "takes its powers with all of them.",
            lambda scores: 2.718**scores / (2.718**scores).sum(),
            also=(
                lambda scores: 2.7**scores / (2.7**scores).sum(),
                lambda scores: 2.72**scores / (2.72**scores).sum(),
                lambda scores: 2.7183**scores / (2.7183**scores).sum(),
                lambda scores: 2.71828**scores / (2.71828**scores).sum(),
            ),
        ),
        Mistake(
            "This is e times the score. What is asked for is e to the score, np.exp(scores): that "
            "is always positive. Divide it by the sum of all.",
            lambda scores: np.e * scores,
            also=(lambda scores: np.e * scores / len(scores),),
        ),
        Mistake(
            "You raised the scores to the power e. It is the other way round: e to the score, "
            "np.exp(scores), which is positive for negative scores, too.",
            _to_the_power_e,
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
            "Of whole scores np.zeros_like makes an array that holds whole numbers only, and every "
            "share is cut to 0. np.zeros(len(scores)) holds all.",
            _into_zeros_like,
        ),
        Mistake(
            "You divided by the mean of the exponentials, so the shares add up to how many there "
            "are. Divide by their sum.",
            lambda scores: np.exp(scores) / np.exp(scores).mean(),
        ),
        Mistake(
            "This is the sum of the exponentials. Each exponential is divided by it.",
            lambda scores: np.exp(scores).sum(),
        ),
        Mistake(
            "The shares themselves are added up, and that is 1. Return them, one for each score.",
            lambda scores: (np.exp(scores) / np.exp(scores).sum()).sum(),
        ),
        Mistake(
            "You divided by the sum of the scores, then took exponentials and divided again. Take "
            "the exponentials of the scores as they are.",
            lambda scores: shares(scores / scores.sum()),
        ),
        Mistake(
            "This is the logarithm of the shares.",
            lambda scores: scores - np.log(np.exp(scores).sum()),
        ),
        Mistake(
            "Each exponential is divided by the sum of the others. The sum runs over all keys, its "
            "own too.",
            lambda scores: np.exp(scores) / (np.exp(scores).sum() - np.exp(scores)),
        ),
        Mistake(
            "np.cumsum adds up as far as each place. Every share is divided by the same sum, that "
            "of all.",
            lambda scores: np.exp(scores) / np.exp(scores).cumsum(),
        ),
        Mistake(
            "You made a 1 of each score: the sum ran over one number only. Divide by the sum over "
            "all keys.",
            lambda scores: np.array([np.exp(one) / np.sum(np.exp(one)) for one in scores]),
        ),
        Mistake(
            "You divided the scores by the sum of the exponentials. Both are exponentials.",
            lambda scores: scores / np.exp(scores).sum(),
        ),
        Mistake(
            "// drops what is behind the point, and shares are all below 1.",
            lambda scores: np.exp(scores) // np.exp(scores).sum(),
        ),
        Mistake(
            "You took softmax twice. Shares of shares are nearly even.",
            lambda scores: shares(shares(scores)),
        ),
        Mistake(
            "The scores were divided by the largest first. That changes their differences, and "
            "with them the shares.",
            lambda scores: shares(scores / scores.max()),
        ),
        Mistake(
            "You added 1 to each exponential, or took the exponential less 1. The exponential of "
            "the score is enough: np.exp.",
            lambda scores: np.expm1(scores) / np.expm1(scores).sum(),
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
    minutes=4,
    stars=1,
    reward=(
        "This rule runs in every layer of a large language model, for each word that it reads."
    ),
)
