"""Exercise `sampled_output`: the average of values that are drawn, weights being chances."""

import numpy as np

from course_lib.judging.accept import same_average
from course_lib.judging.exercise import Exercise, Mistake, Refused, inputs
from course_lib.judging.observe import averages
from course_lib.kernels import softmax as kernel


def sampled_output(weights, values, draws, rng):
    """The average value of keys that are drawn with the weights as chances.

    weights: (s,)   values: (s, e)   draws: how many   returns: (e,)
    """
    # SOLUTION
    chosen = rng.choice(len(weights), size=draws, p=weights)
    return values[chosen].mean(axis=0)
    # END SOLUTION


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


def _counted_twice(weights, values, draws, rng):
    chosen = rng.choice(len(weights), size=draws, p=weights)
    return (weights[chosen, None] * values[chosen]).mean(axis=0)


SAMPLED_OUTPUT = Exercise(
    answer=sampled_output,
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
            also=(
                lambda weights, values, draws, rng: values[
                    rng.integers(len(weights), size=draws)
                ].mean(axis=0),
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
            _counted_twice,
        ),
        Mistake(
            "You made one draw only. size=draws makes all of them.",
            lambda weights, values, draws, rng: values[rng.choice(len(weights), p=weights)],
            also=(
                lambda weights, values, draws, rng: values[
                    rng.choice(len(weights), 1, p=weights)
                ].mean(axis=0),
            ),
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
        lambda weights, values, draws, rng: np.mean(
            [values[rng.choice(len(weights), p=weights)] for _ in range(draws)], axis=0
        ),
        lambda weights, values, draws, rng: (
            np.bincount(rng.choice(len(weights), draws, p=weights), minlength=len(weights))
            @ values
            / draws
        ),
    ),
    refused=(
        Refused(
            lambda weights, values, draws, rng: values.mean(axis=0),
            "It gives the same numbers each time",
        ),
        Refused(
            lambda weights, values, draws, rng: sampled_output(weights, values, 100 * draws, rng),
            "jumps less than so few draws can",
        ),
        Refused(
            lambda weights, values, draws, rng: values[
                rng.choice(len(weights), draws, p=weights)
            ].mean(axis=1),
            "as wide as one value",
        ),
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
