"""Exercise `perpendicular_to`: perpendicular is not independent, for x decides y."""

import numpy as np

from course_lib.judging.exercise import Caused, Exercise, Mistake, Refused, inputs
from course_lib.judging.observe import usable_array
from course_lib.judging.verdict import Sentence, sentence
from course_lib.kernels import vectors


def perpendicular_to(x):
    """A y that x decides, number by number, and that is perpendicular to x.

    x: (d,), symmetric around 0: with each number also its negative   returns: (d,), not constant
    """
    # SOLUTION
    return x**2
    # END SOLUTION


NO_NUMBER_EACH = "y should have one number for each number of x."

NOT_FINITE = "y is not finite everywhere: look at the x that is 0."

CONSTANT = "Every y is the same number, so x decides nothing about it. Let y vary with x."

NOT_BY_X = "y depends on the places of the numbers in x, or on chance. Let x[i] decide y[i]."

NOT_ZERO = "The dot product of x and y is not 0 yet."

HOW_MUCH = (
    "{said} It is {dot:.3g}, {positive:.3g} from the x above 0 and {negative:.3g} from those below."
)


def _how_much(x, y) -> Sentence:
    """That x · y is not 0, what it is, and what each side of x brings to it."""
    products = x * y
    return sentence(
        HOW_MUCH,
        said=Sentence(NOT_ZERO),
        dot=float(products.sum()),
        positive=float(products[x > 0].sum()),
        negative=float(products[x < 0].sum()),
    )


def _order(x) -> np.ndarray:
    """One shuffle of the places of x, the same for every x of that length."""
    return np.random.default_rng(0).permutation(len(x))


def _plain_and_shuffled(candidate, case) -> dict:
    """y for x, and y for the same numbers in another order."""
    x = case.args[0]
    shuffled = x[_order(x)]
    return {
        "output": usable_array(candidate(x)).copy(),
        "y of x shuffled": usable_array(candidate(shuffled)),
    }


def _decided_by_x(got, want, case) -> bool | str | Sentence:
    """Accepts any y that is perpendicular to x, varies, and is decided by x alone."""
    x, y = case.args[0], np.asarray(got["output"], dtype=float)
    if y.shape != x.shape:
        return NO_NUMBER_EACH
    if not np.isfinite(y).all():
        return NOT_FINITE
    if np.ptp(y) < 1e-9:
        return CONSTANT
    if not np.allclose(got["y of x shuffled"], y[_order(x)], atol=1e-6):
        return NOT_BY_X
    if abs(vectors.cosine(x, y)) > 1e-6:
        return _how_much(x, y)
    return True


def _dot_product(got, case):
    """The dot product of x and y, and how far y reaches."""
    x, y = case.args[0], np.asarray(got["output"], dtype=float)
    return (
        Caused("Dot product of x and y", vectors.dot(x, y), "0"),
        Caused("Smallest and largest y", np.array([y.min(), y.max()]), "not the same"),
    )


def _squared_in_place(x):
    x *= x
    return x


PERPENDICULAR_TO = Exercise(
    answer=perpendicular_to,
    cases=(
        lambda rng: inputs(np.linspace(-1, 1, 11)),
        lambda rng: inputs(np.linspace(-3, 3, 101)),
    ),
    observe=_plain_and_shuffled,
    accept=_decided_by_x,
    open_answer=True,
    effect=_dot_product,
    mistakes=(
        Mistake(NOT_ZERO, lambda x: 2 * x + 1, also=(lambda x: x,)),
        Mistake(CONSTANT, lambda x: np.ones(len(x)), also=(lambda x: np.zeros(len(x)),)),
        Mistake(
            NOT_BY_X,
            lambda x: np.cos(np.pi * np.arange(len(x))),
            also=(lambda x: np.random.default_rng().normal(size=len(x)),),
        ),
        Mistake(NOT_FINITE, lambda x: np.log(x**2), also=(lambda x: 1 / x,)),
        Mistake(NO_NUMBER_EACH, lambda x: np.array([0.0, 1.0])),
    ),
    alternatives=(
        lambda x: np.abs(x),
        lambda x: [value**2 for value in x],
        lambda x: np.cos(3 * x).astype(np.float32),
        lambda x: (np.abs(x) < 0.5).astype(float),
    ),
    refused=(Refused(_squared_in_place, "changes its input x in place"),),
    hints=(
        "x runs from -1 to 1. Each positive x has a negative partner. What must y do at both for "
        "their two products to cancel?",
        "y should be the same at x and at -x. Which functions do you know that do that?",
        "return x ** ...",
    ),
    minutes=5,
    stars=2,
    depth=True,
)
