"""Exercise `entropy`: how spread out the weights are."""

import math

import numpy as np

from course_lib.judging.accept import close
from course_lib.judging.exercise import Exercise, Mistake, Property, Refused, inputs
from course_lib.kernels import softmax as kernel


def entropy(weights):
    """How spread out the weights are: minus the sum of w ln w; a weight of 0 adds nothing.

    weights: (s,), adding up to 1   returns: one number
    """
    # SOLUTION
    logarithms = np.log(np.where(weights > 0, weights, 1))
    return -(weights * logarithms).sum()
    # END SOLUTION


def _entropy_with_a_loop(weights):
    total = 0.0
    for weight in weights:
        if weight > 0:
            total -= weight * math.log(weight)
    return total


def _ends_at_0(weights):
    total = 0.0
    for weight in weights:
        if weight == 0:
            break
        total -= weight * math.log(weight)
    return total


def _in_place(weights):
    weights[weights == 0] = 1
    return -(weights * np.log(weights)).sum()


def _up_to_what_is_tiny(got, want, case) -> bool | str:
    """What is added inside of the logarithm may be seen, if it is tiny."""
    if close(absolute=1e-6)(got, want, case):
        return True
    if close(absolute=6e-3)(got, want, case):
        return (
            "Close, and not equal: was something rounded, or something added inside of the "
            "logarithm, or a small weight left out?"
        )
    return False


ENTROPY = Exercise(
    answer=entropy,
    cases=(
        lambda rng: inputs(np.array([0.5, 0.3, 0.2])),
        lambda rng: inputs(np.array([0.5, 0.25, 0.25, 0.0])),
        lambda rng: inputs(np.array([0.0, 0.0, 0.4, 0.0, 0.6])),
        lambda rng: inputs(kernel.softmax(rng.normal(size=7))),
        lambda rng: inputs(np.array([0.9, 0.09, 0.0, 0.006, 0.004])),  # small ones count too
        lambda rng: inputs(np.array([0, 1, 0])),  # whole numbers: one key has all
        lambda rng: inputs(kernel.softmax(rng.normal(size=7))),
    ),
    accept=_up_to_what_is_tiny,
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
        Mistake(
            "You took the mean over the weights that are not 0. They are already the shares in "
            "which the logarithms count; add up.",
            lambda weights: entropy(weights) / (weights > 0).sum(),
        ),
        Mistake(
            "This is the logarithm of how many keys there are. That is the entropy of equal "
            "weights only.",
            lambda weights: np.log(len(weights)),
        ),
        Mistake(
            "This is the logarithm of how many weights are above 0. That is the entropy where all "
            "of these are equal.",
            lambda weights: np.log(np.count_nonzero(weights)),
        ),
        Mistake(
            "These are the terms, of the weights above 0. Add them up.",
            lambda weights: -weights[weights > 0] * np.log(weights[weights > 0]),
        ),
        Mistake(
            "The loop ends at the first weight of 0. Leave that key out and go on: `continue`, not "
            "`break`.",
            _ends_at_0,
        ),
        Mistake(
            "The function returns inside of the loop, after the first key. `return` belongs behind "
            "it.",
            lambda weights: -weights[0] * math.log(weights[0]) if weights[0] > 0 else 0.0,
        ),
        Mistake(
            "Weights below .01 are left out, or lifted to it. Only a weight of 0 adds nothing.",
            lambda weights: entropy(np.where(weights > 0.01, weights, 0)),
        ),
        Mistake(
            "Weights below .01 are lifted to it inside of the logarithm. Only a weight of 0 needs "
            "another way.",
            lambda weights: -(weights * np.log(np.clip(weights, 0.01, 1))).sum(),
        ),
        Mistake(
            "np.exp stands where the logarithm should. Entropy multiplies each weight with its "
            "logarithm.",
            lambda weights: -(weights * np.exp(weights)).sum(),
            also=(lambda weights: -(weights * np.exp(weights))[weights > 0].sum(),),
        ),
        Mistake(
            "This is the term of the largest weight only. All keys count.",
            lambda weights: -weights.max() * math.log(weights.max()),
        ),
        Mistake(
            "This is divided by ln(s), so that it lies between 0 and 1. Here it lies between 0 and "
            "ln(s).",
            lambda weights: entropy(weights) / np.log(len(weights)),
        ),
        Mistake(
            "Each logarithm is multiplied with the weight twice.",
            lambda weights: -(weights**2 * np.log(np.where(weights > 0, weights, 1))).sum(),
        ),
        Mistake(
            "A weight of 0 was replaced by 1 in the weights that were handed to you, and whoever "
            "called still needs them. np.where makes a new array.",
            _in_place,
        ),
        Mistake(
            "This is the sum of the weights, whatever they are: 1.",
            lambda weights: np.sum(weights) * 1.0,
        ),
        Mistake(
            "Two things at once. np.log2 gives bits, and nats are asked for: np.log. And a weight "
            "of 0 makes 0 times infinity, which is NaN: such a key adds nothing.",
            lambda weights: -(weights * np.log2(weights)).sum(),
        ),
        Mistake(
            "Two things at once. This is the logarithm to the base 10; np.log is asked for. And "
            "a weight of 0 makes NaN: such a key adds nothing.",
            lambda weights: -(weights * np.log10(weights)).sum(),
        ),
        Mistake(
            "Two things at once. The minus sign is missing, so the number is negative. And a "
            "weight of 0 makes 0 times infinity, which is NaN: such a key adds nothing.",
            lambda weights: (weights * np.log(weights)).sum(),
        ),
        Mistake(
            "Two things at once. The minus sign is missing. And np.log2 gives bits: nats take "
            "np.log.",
            lambda weights: -entropy(weights) / np.log(2),
        ),
        Mistake(
            "Three things at once. The minus sign is missing, np.log2 gives bits (nats: np.log), "
            "and a weight of 0 makes NaN: such a key adds nothing.",
            lambda weights: (weights * np.log2(weights)).sum(),
        ),
        Mistake(
            "Two things at once. You took the mean, and the weights are already the shares: add "
            "up. And a weight of 0 makes NaN: such a key adds nothing.",
            lambda weights: -(weights * np.log(weights)).mean(),
        ),
        Mistake(
            "Two things at once. This is divided by ln(s), where the entropy itself is asked for. "
            "And a weight of 0 makes NaN: such a key adds nothing.",
            lambda weights: -(weights * np.log(weights)).sum() / np.log(len(weights)),
        ),
        Mistake(
            "The weights are missing in front of the logarithms. Without them the logarithm of a "
            "weight of 0 counts, too, and that is -infinity.",
            lambda weights: -np.log(weights).sum(),
            also=(lambda weights: -np.log(weights).mean(),),
        ),
        Mistake(
            "The logarithms are added up without their weights, and without the minus sign.",
            lambda weights: np.log(weights[weights > 0]).sum(),
        ),
        Mistake(
            "This is exp of minus the entropy: one over the count of keys. The entropy itself is "
            "asked for.",
            lambda weights: np.exp(-entropy(weights)),
        ),
        Mistake(
            "1 - w is the share of all others. The entropy of a row takes the logarithm of each "
            "weight itself.",
            lambda weights: -(weights * np.log(np.where(weights < 1, 1 - weights, 1))).sum(),
        ),
        Mistake(
            "The terms with 1 - w belong to a single yes or no. In a row the other keys have "
            "terms of their own.",
            lambda weights: entropy(weights) + entropy(1 - weights),
        ),
        Mistake(
            "This is minus the logarithm of the sum of the squares, another measure of spread "
            "(Rényi's, of order 2). Entropy multiplies each weight with its logarithm.",
            lambda weights: -np.log((weights**2).sum()),
        ),
    ),
    alternatives=(
        _entropy_with_a_loop,
        lambda weights: kernel.entropy(weights),
        lambda weights: -(weights[weights > 0] * np.log(weights[weights > 0])).sum(),
        lambda weights: -(weights * np.log(weights + 1e-300)).sum(),
        lambda weights: -(weights * np.log(weights + 1e-12)).sum(),
        lambda weights: -(weights * np.log(weights + 1e-8)).sum(),
        lambda weights: -np.nansum(weights * np.log(weights)),
        lambda weights: float(-(weights @ np.log(np.maximum(weights, 1e-12)))),
    ),
    refused=(Refused(lambda weights: -(weights * np.log(weights + 1e-3)).sum()),),
    hints=(
        "For weights .5, .3, .2: which three products are added up? And for a weight of 0?",
        "np.where(weights > 0, weights, 1) puts a 1 where a 0 was, and np.log(1) is 0.",
        "logarithms = np.log(np.where(weights > 0, ..., ...)); return -(...).sum()",
    ),
    minutes=5,
    stars=2,
    depth=True,
)
