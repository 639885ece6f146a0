"""Exercise `sampled_output`: the average of values that are drawn, weights being chances."""

import copy

import numpy as np

from course_lib.judging.exercise import Caused, Exercise, Mistake, Refused, inputs
from course_lib.judging.observe import averages, usable_array
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


# Averages and spreads of CALLS calls are compared with their exact values. A right average differs
# by more than 6 standard errors twice in 10^9. The logarithm of a right spread over the exact one
# has the deviation .033 at most (3000 simulations of each case; the largest was .146), so a factor
# of 1.25 is 6.7 of these. With five numbers in the two cases a right answer is refused once in 10^8
# writings; the seeds are fixed, so one that draws in the same order is always judged alike.
CALLS = 600
ERRORS, MORE = 6, 1.25


def _many_calls(candidate, case) -> dict:
    """What `averages` sees; whether counts of draws are seen, and whether rng alone decides."""
    seen = averages(CALLS)(candidate, case)
    weights, values, draws, rng = case.args
    once = [candidate(weights, values, draws, copy.deepcopy(rng)) for _ in range(2)]
    seen["repeats"] = np.array(float(np.array_equal(*map(usable_array, once))))
    one_hot = np.eye(len(weights))
    shares = usable_array(candidate(weights, one_hot, draws, rng))
    counts = shares.astype(float) * draws
    seen["counts"] = np.array(float(np.allclose(counts, np.round(counts), atol=1e-3)))
    return seen


def _exact(case):
    """The expectation of the average of so many draws, and its standard deviation."""
    weights, values, draws, _ = case.args
    mean = weights @ values
    return mean, np.sqrt((weights @ values**2 - mean**2) / draws)


def _as_chance_allows(got, want, case) -> bool | str:
    """The same average and the same spread of single answers, up to chance."""
    yours, (mean, right) = np.asarray(got["spread"]), _exact(case)
    if yours.shape != right.shape:
        return "The result should be as wide as one value, (e,)."
    if (yours < 1e-9).all():
        return "It gives the same numbers each time. Let rng draw the keys."
    if (abs(got["average output"] - mean) > ERRORS * right / np.sqrt(CALLS)).any():
        return "Averaged over 600 calls it does not come close to weights @ values."
    if (yours > MORE * right).any():
        return "The average is right, but it jumps more than it should: average all the draws."
    if (yours < right / MORE).any():
        return "The average is right, but it jumps less than so few draws can."
    if not got["repeats"]:
        return "With the same rng it gives other numbers each time: something else draws, too."
    if not got["counts"]:
        return (
            "With a value of 1 for one key and 0 for the others, the result should be how often "
            "the key was drawn, divided by draws. Here it is not: was something rounded?"
        )
    return True


def _average_and_spread(got, case):
    """Average and spread of 600 calls, beside those that the weights and the draws make."""
    weights, values, draws, _ = case.args
    mean = weights @ values
    spread = np.sqrt((weights @ values**2 - mean**2) / draws)
    return (
        Caused("Average asked for", mean),
        Caused("Average of yours", np.asarray(got["average output"])),
        Caused("Spread asked for", spread),
        Caused("Spread of yours", np.asarray(got["spread"])),
    )


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
    observe=_many_calls,
    accept=_as_chance_allows,
    open_answer=True,  # the average of other draws is another one, and right
    effect=_average_and_spread,
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
        Mistake(
            "This is the plain mean of the values, without any draw and without the weights.",
            lambda weights, values, draws, rng: values.mean(axis=0),
        ),
        Mistake(
            "The middle of the drawn values (np.median) is another number than their average: "
            ".mean(axis=0).",
            lambda weights, values, draws, rng: np.median(
                values[rng.choice(len(weights), size=draws, p=weights)], axis=0
            ),
        ),
        Mistake(
            "The result is rounded. The average of so many draws has its own digits.",
            lambda weights, values, draws, rng: sampled_output(weights, values, draws, rng).round(
                1
            ),
        ),
        Mistake(
            "100 keys were drawn, however many `draws` asks for. size=draws.",
            lambda weights, values, draws, rng: sampled_output(weights, values, 100, rng),
        ),
        Mistake(
            "1000 keys were drawn, however many `draws` asks for. size=draws.",
            lambda weights, values, draws, rng: sampled_output(weights, values, 1000, rng),
        ),
        Mistake(
            "The mean runs over the numbers of each value. The draws stand in rows: .mean(axis=0).",
            lambda weights, values, draws, rng: values[
                rng.choice(len(weights), size=draws, p=weights)
            ].mean(axis=1),
        ),
        Mistake(
            "The draws are added up and divided by how many keys there are. Divide by how many "
            "draws there are.",
            lambda weights, values, draws, rng: (
                values[rng.choice(len(weights), size=draws, p=weights)].sum(axis=0) / len(weights)
            ),
        ),
        Mistake(
            "The last key never comes up. rng.choice(n) draws one of the numbers 0 to n - 1; n is "
            "len(weights).",
            lambda weights, values, draws, rng: sampled_output(
                weights[:-1] / weights[:-1].sum(), values[:-1], draws, rng
            ),
        ),
        Mistake(
            "These are the numbers of the keys that were drawn. Take their values: values[chosen].",
            lambda weights, values, draws, rng: rng.choice(len(weights), size=draws, p=weights),
        ),
        Mistake(
            "This is the average of the numbers of the drawn keys. Average their values: "
            "values[chosen].",
            lambda weights, values, draws, rng: rng.choice(
                len(weights), size=draws, p=weights
            ).mean(),
        ),
        Mistake(
            "The weights themselves were drawn. Draw keys, with the weights as chances: p=weights.",
            lambda weights, values, draws, rng: rng.choice(weights, size=draws).mean() * values[0],
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
            lambda weights, values, draws, rng: sampled_output(
                weights, values, draws, np.random.default_rng()
            ),
            "something else draws",
        ),
        Refused(
            lambda weights, values, draws, rng: (
                rng.choice(values, draws, p=weights).mean(axis=0).round(2)
            ),
            "was something rounded?",
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
