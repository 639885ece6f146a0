"""Exercise `factor_for_half`: how far cosines must be stretched to give the best key half."""

import math

import numpy as np

from course_lib.judging.accept import close
from course_lib.judging.exercise import Exercise, Mistake, Property, Refused, inputs
from course_lib.kernels.softmax import softmax


def factor_for_half(n_keys):
    """The factor at which the best key gets half of the attention.

    n_keys: how many keys there are, 2 or more; one has cosine 1, all the others -1
    returns: one number
    """
    # SOLUTION
    return np.log(n_keys - 1) / 2
    # END SOLUTION


NOT_EXACT = (
    "That is close, and not exact. Was it rounded, or searched for in steps? It can be written "
    "down as one logarithm and one division."
)


def _up_to_rounding(got, want, case) -> bool | str:
    """Accepts 1e-5; tells what is close from the rest."""
    if close(absolute=1e-5)(got, want, case):
        return True
    return NOT_EXACT if close(absolute=6e-3)(got, want, case) else False


def _weight(factor: float, n_keys: int) -> float:
    cosines = np.full(n_keys, -1.0)
    cosines[0] = 1.0
    return softmax(factor * cosines)[0]


def _by_halving(n_keys):
    low, high = 0.0, 20.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if _weight(middle, n_keys) < 0.5 else (low, middle)
    return high


def _by_steps(n_keys):
    return next(step for step in np.arange(0, 20, 0.005) if _weight(step, n_keys) >= 0.5 - 1e-9)


def _gives_half(got, case) -> bool:
    factor = np.asarray(got["output"], dtype=float)
    return factor.ndim == 0 and bool(np.isclose(_weight(float(factor), *case.args), 0.5, atol=1e-3))


FACTOR_FOR_HALF = Exercise(
    answer=factor_for_half,
    accept=_up_to_rounding,
    cases=(
        lambda rng: inputs(10),
        lambda rng: inputs(100),
        lambda rng: inputs(1000),
        lambda rng: inputs(2),
        lambda rng: inputs(3),
        lambda rng: inputs(40_000),
    ),
    properties=(Property("At this factor the softmax gives the best key one half.", _gives_half),),
    mistakes=(
        Mistake(
            "The division by 2 is missing. The best key scores +factor and the others -factor, so "
            "they lie 2 · factor apart.",
            lambda n_keys: np.log(n_keys - 1),
        ),
        Mistake(
            "You counted the best key among the others as well. There are n_keys - 1 of them: with "
            "2 keys the factor is 0.",
            lambda n_keys: np.log(n_keys) / 2,
        ),
        Mistake(
            "Two things are missing: there are n_keys - 1 others, and they lie 2 · factor below "
            "the best key.",
            lambda n_keys: np.log(n_keys),
        ),
        Mistake(
            "np.log10 undoes 10 to the power of x. The softmax uses e to the power of x, and "
            "np.log undoes that.",
            lambda n_keys: np.log10(n_keys - 1) / 2,
            also=(lambda n_keys: math.log10(n_keys - 1) / 2,),
        ),
        Mistake(
            "np.log2 undoes 2 to the power of x. The softmax uses e to the power of x, and "
            "np.log undoes that.",
            lambda n_keys: np.log2(n_keys - 1) / 2,
        ),
        Mistake(
            "At your factor the best key gets half as much as the others together, and that is a "
            "third of the whole. For half of the whole it needs as much as they do.",
            lambda n_keys: np.log((n_keys - 1) / 2) / 2,
        ),
        Mistake(
            "At your factor the best key gets twice as much as the others together, and that is "
            "two thirds of the whole. Half of the whole is as much as they get.",
            lambda n_keys: np.log(2 * (n_keys - 1)) / 2,
        ),
        Mistake(
            "At factor 0 all keys get the same. The best one should have as much as all the others "
            "together.",
            lambda n_keys: 0.0,
        ),
        Mistake(
            "1 / n_keys is the weight that each key gets at factor 0. Asked for is the factor at "
            "which the best one gets 1/2.",
            lambda n_keys: 1 / n_keys,
        ),
        Mistake(
            "The logarithm is missing. The softmax takes e to the power of each score, so it is "
            "e to the power of 2 · factor that has to reach n_keys - 1.",
            lambda n_keys: (n_keys - 1) / 2,
        ),
        Mistake(
            "That is e to the power of the factor. The factor itself is its logarithm.",
            lambda n_keys: np.sqrt(n_keys - 1),
            also=(lambda n_keys: (n_keys - 1) ** 0.5,),
        ),
        Mistake(
            "The sign is turned: at a negative factor the best key becomes the worst.",
            lambda n_keys: -np.log(n_keys - 1) / 2,
        ),
        Mistake(
            "You multiplied by 2. The scores lie 2 · factor apart, so the factor is half of the "
            "logarithm.",
            lambda n_keys: 2 * np.log(n_keys - 1),
        ),
        Mistake(
            "You returned the weight that the best key should get. Asked for is the factor that "
            "brings it there.",
            lambda n_keys: 0.5,
        ),
        Mistake(
            "You returned the weight that the best key gets from the plain cosines. Asked for is "
            "the factor that makes it one half.",
            lambda n_keys: _weight(1.0, n_keys),
        ),
        Mistake(
            "That is right for 1000 keys and for no other number: use n_keys.",
            lambda n_keys: np.log(999) / 2,
        ),
        Mistake(
            "You rounded up to a whole number. Asked for is exactly half.",
            lambda n_keys: np.ceil(np.log(n_keys - 1) / 2),
        ),
        Mistake(
            "np.log(n_keys) - 1 takes 1 from the logarithm. Take it from the number of keys, "
            "inside the brackets.",
            lambda n_keys: (np.log(n_keys) - 1) / 2,
        ),
        Mistake(
            "The division stands inside of the logarithm, and the best key is counted among the "
            "others. Halve the logarithm of n_keys - 1.",
            lambda n_keys: np.log(n_keys / 2),
        ),
        Mistake(
            "The division stands inside of the logarithm. Halve what comes out of it.",
            lambda n_keys: np.log((n_keys - 1) / 2),
        ),
    ),
    alternatives=(
        lambda n_keys: np.arctanh(1 - 2 / n_keys),
        lambda n_keys: np.log(np.sqrt(n_keys - 1)),
        lambda n_keys: 0.5 * math.log(n_keys - 1),
        lambda n_keys: np.float32(np.log(n_keys - 1) / 2),
        _by_halving,
    ),
    refused=(
        Refused(lambda n_keys: np.round(np.log(n_keys - 1) / 2, 2), "close, and not exact"),
        Refused(_by_steps, "close, and not exact"),
        Refused(lambda n_keys: np.exp(n_keys - 1) / 2),
    ),
    hints=(
        "When the best key has half, how much do all the others have together? How many are they?",
        "Before the softmax divides, the best key has e to the power of factor, and each of the "
        "n_keys - 1 others has e to the power of -factor. Half means that the first is as large as "
        "all of the others added up.",
        "Multiply both sides by e to the power of factor: e to the power of 2 · factor is "
        "n_keys - 1. So: return np.log(...) / ...",
    ),
    reward=(
        "A model that attends by cosine does not work this factor out. It learns it, one number "
        "for each head."
    ),
    minutes=6,
    stars=2,
    depth=True,
)
