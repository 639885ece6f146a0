"""Exercise `softmax_with_sink`: weights that may add up to less than 1."""

import math

import numpy as np

from course_lib.chapters.softmax.exercises.shares import each_to_its_digits
from course_lib.judging.exercise import Exercise, Mistake, Property, Refused, inputs
from course_lib.kernels import bounded
from course_lib.kernels.softmax import softmax


def softmax_with_sink(scores, sink):
    """The weights of the keys, where a learned number competes with their scores.

    scores: (s,), of any size   sink: one number   returns: (s,), adding up to less than 1
    """
    # SOLUTION
    weights = softmax(np.append(scores, sink))  # one more key, which scores the sink
    return weights[:-1]  # and what it takes is spent on nothing
    # END SOLUTION


FAR = 2000.0  # exp overflows float64 at 710


def _with_a_loop(scores, sink):
    largest = max([*map(float, scores), float(sink)])
    parts = [math.exp(float(score) - largest) for score in scores]
    return [part / (sum(parts) + math.exp(sink - largest)) for part in parts]


def _through_the_logarithm(scores, sink):
    both = np.append(scores, sink)
    total = both.max() + np.log(np.exp(both - both.max()).sum())
    return np.exp(scores - total)


def _plain(scores, sink):
    exponentials = np.exp(scores)
    return exponentials / (exponentials.sum() + np.exp(sink))


SOFTMAX_WITH_SINK = Exercise(
    answer=softmax_with_sink,
    cases=(
        lambda rng: inputs(np.array([0.0, 0.0]), 0.0),  # a third each, as the text says
        lambda rng: inputs(np.array([1.0, 2.0, 4.0]), 3.0),
        lambda rng: inputs(np.array([-9.0, -8.0, -9.0]), 0.5),
        lambda rng: inputs(rng.normal(size=7), -1.0),
        lambda rng: inputs(np.array([2, 0, -1]), 1),  # whole numbers
        lambda rng: inputs(np.array([FAR, FAR - 1, 3.0]), FAR + 1),
        lambda rng: inputs(np.array([-FAR, 1 - FAR]), -FAR - 1),
        lambda rng: inputs(rng.normal(size=7), 2.0),
    ),
    accept=each_to_its_digits,
    properties=(
        Property(
            "There is one weight for each key, and none for the sink.",
            lambda got, case: np.shape(got["output"]) == np.shape(case.args[0]),
        ),
        Property(
            "The weights add up to less than 1.",
            lambda got, case: bool(np.sum(got["output"]) < 1),
        ),
    ),
    mistakes=(
        Mistake(
            "The weights add up to 1: the sink is left out, or it was added to each score, where a "
            "constant cancels. It is a score of its own, and belongs in the sum that is divided "
            "by.",
            lambda scores, sink: softmax(scores),
            also=(
                lambda scores, sink: softmax(scores + sink),
                lambda scores, sink: softmax(scores - sink),
            ),
        ),
        Mistake(
            "The weight of the sink is among the results. Leave it out: it is spent on nothing.",
            lambda scores, sink: softmax(np.append(scores, sink)),
        ),
        Mistake(
            "exp makes infinity of such large scores, and only zeros of scores far below 0. Either "
            "way the division gives NaN. Subtract the largest number first, of the scores and the "
            "sink together.",
            _plain,
        ),
        Mistake(
            "You subtracted the largest score from the scores and not from the sink. All numbers "
            "of the row must move together.",
            lambda scores, sink: (
                np.exp(scores - scores.max())
                / (np.exp(scores - scores.max()).sum() + np.exp(min(sink, 700)))
            ),
        ),
        Mistake(
            "You added 1 to the sum. That is a sink of 0, whatever the learned number is.",
            lambda scores, sink: bounded.softmax_with_sink(scores, 0.0),
        ),
        Mistake(
            "You added the sink itself to the sum. Like a score, it counts by its exponential.",
            lambda scores, sink: (
                np.exp(scores - scores.max()) / (np.exp(scores - scores.max()).sum() + sink)
            ),
            also=(lambda scores, sink: np.exp(scores) / (np.exp(scores).sum() + sink),),
        ),
        Mistake(
            "You dropped the first key in place of the sink.",
            lambda scores, sink: softmax(np.append(scores, sink))[1:],
        ),
        Mistake(
            "The sink stands first in your row, and you dropped the last key in its place.",
            lambda scores, sink: softmax(np.append(sink, scores))[:-1],
        ),
        Mistake(
            "You gave 0 to each key that scores less than the sink. The sink forbids nothing: it "
            "takes a share, as one more key would.",
            lambda scores, sink: np.where(scores > sink, softmax(scores), 0),
            also=(lambda scores, sink: np.where(scores >= sink, softmax(scores), 0),),
        ),
    ),
    alternatives=(
        _with_a_loop,
        _through_the_logarithm,
        lambda scores, sink: softmax(np.append(sink, scores))[1:],
        lambda scores, sink: bounded.softmax_with_sink(scores, sink),
    ),
    refused=(Refused(lambda scores, sink: softmax(scores) / 2),),
    hints=(
        "Two scores of 0 beside a sink of 0 get a third each. How many numbers share the 1 there, "
        "and which of the shares do you return?",
        "np.append(scores, sink) is the row with one number more, at its end. What does your "
        "softmax make of it, and what do you leave out?",
        "weights = softmax(np.append(..., ...)); return weights[...]: all but the last",
    ),
    minutes=5,
    stars=2,
    depth=True,
    reward=(
        "So the keys need not get the whole 1 any more. In gpt-oss each head has learned a sink of "
        "its own, one number."
    ),
)
