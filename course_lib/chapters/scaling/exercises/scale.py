"""Exercise `scale`: scores that spread by 1 at every width."""

import math

import numpy as np

from course_lib.chapters.scaling.explorers.width import strangers
from course_lib.judging.accept import close
from course_lib.judging.exercise import Caused, Exercise, Mistake, Property, Refused, inputs
from course_lib.kernels.softmax import softmax
from course_lib.learner.compare import agree


def scale(scores, d_k):
    """Scores of strangers, divided by a number made from d_k alone, so that they spread by 1.

    scores: of any shape   d_k: the width of a query   returns: the same shape
    """
    # SOLUTION
    return scores / np.sqrt(d_k)
    # END SOLUTION


def _scale_one_by_one(scores, d_k):
    flat = [score / math.sqrt(d_k) for score in scores.ravel()]
    return np.array(flat).reshape(scores.shape)


def _into_zeros_like(scores, d_k):
    out = np.zeros_like(scores)
    out[...] = scores / np.sqrt(d_k)
    return out


def _scale_with_lists(scores, d_k):
    if np.ndim(scores) == 0:
        return scores / d_k**0.5
    return [_scale_with_lists(one, d_k) for one in scores]


LATE = (
    "Demand 2 is not met: your divisor is known only after these scores, and other scores of the "
    "same width have another."
)

MET_AND_LATE = "Demand 1 is met for this table: its scores now spread by 1. " + LATE

OTHER_THAN_DIVIDED = "These are not the scores, all divided by one number."

NEARLY = (
    "By this number the scores of strangers would spread by nearly 1. Was it measured on other "
    "scores? Demand 2 asks for a number that the width alone gives, before any score is computed."
)

NOT_ONE = "Divided like this, the scores of strangers would not spread by 1 at every width."


def _divided(got, want, case) -> bool | str:
    """Right up to rounding; else told without the scores that are expected."""
    if close()(got, want, case):
        return True
    scores, yours = case.args[0], got["output"]
    if agree(yours, scores / scores.std()):
        return MET_AND_LATE
    if _by_a_spread_of_theirs(scores, yours):
        return LATE
    if not _multiple(scores, yours):
        return OTHER_THAN_DIVIDED
    return NEARLY if agree(yours, want["output"], relative=0.03) else NOT_ONE


def _by_a_spread_of_theirs(scores, yours) -> bool:
    """Whether the scores, or each row of them, were divided by their own spread."""
    for axis, ddof in ((None, 1), (-1, 0), (-1, 1)):
        if agree(yours, scores / scores.std(axis=axis, ddof=ddof, keepdims=True)):
            return True
    return agree(yours, (scores - scores.mean()) / scores.std())


def _multiple(scores, yours) -> bool:
    """Whether all scores were multiplied by one positive number."""
    if np.shape(yours) != np.shape(scores):
        return False
    largest = np.abs(scores).argmax()
    factor = np.ravel(yours)[largest] / np.ravel(scores)[largest]
    return bool(factor > 0) and agree(yours, scores * factor)


def _spread(got, case):
    """How far the scores spread before and after, instead of the scores that are expected."""
    scores, d_k = case.args
    before, after = (float(np.std(one)) for one in (scores, got["output"]))
    usual = math.isclose(before, math.sqrt(d_k))  # these few spread as strangers do in general
    asked = "1" if usual and _multiple(scores, got["output"]) else ""
    return Caused("Spread of these scores", before), Caused("After yours", after, asked)


SCALE = Exercise(
    answer=scale,
    cases=(
        lambda rng: inputs(np.array([4.0, -4.0, 4.0, -4.0]), 16),  # they spread by 4
        lambda rng: inputs(rng.normal(size=(3, 5)), 7),
        lambda rng: inputs(rng.normal(size=(2, 3, 11)) * 10, 100),
        lambda rng: inputs(np.array([[6, -4, 2], [0, -3, -1]]), 11),  # they spread by root 11
        lambda rng: inputs(np.array([7.0, -4.0, 3.0, -4.0]), 16),  # by more than others of width 16
        lambda rng: inputs(rng.normal(size=(3, 5)), 13),  # a shape for the second time
    ),
    properties=(
        Property(
            "Scaling keeps the shape of the scores.",
            lambda got, case: np.shape(got["output"]) == np.shape(case.args[0]),
        ),
    ),
    accept=_divided,
    open_answer=True,  # the numbers expected, such as 2 for 8, would hand over the divisor
    effect=_spread,
    mistakes=(
        Mistake(
            "You divided by the width itself (or by its root twice). It breaks demand 1: the "
            "spread 4 of width 16 becomes 4/16 = 1/4, and the 8 of width 64 becomes 1/8.",
            lambda s, d: s / d,
            also=(lambda s, d: s / np.sqrt(d) / np.sqrt(d),),
        ),
        Mistake(
            "You divided by twice the root. That spreads alike at every width, but by 1/2: 4/8 at "
            "width 16, and 8/16 at width 64. Demand 1 asks for 1.",
            lambda s, d: s / (2 * np.sqrt(d)),
        ),
        Mistake(
            "You divided by half of the root. That spreads alike at every width, but by 2: 4/2 at "
            "width 16, and 8/4 at width 64. Demand 1 asks for 1.",
            lambda s, d: s / (np.sqrt(d) / 2),
            also=(lambda s, d: s / np.sqrt(d / 4),),
        ),
        Mistake("The scores come back as they were.", lambda s, d: s * 1.0),
        Mistake(
            "You multiplied by the root, so the scores spread even more.", lambda s, d: s * d**0.5
        ),
        Mistake(
            "You divided by twice the width. If you wrote scores / d_k ** 1/2, Python divides by "
            "d_k ** 1 first, and what comes out by 2. The root is d_k ** 0.5 or np.sqrt(d_k).",
            lambda s, d: s / d**1 / 2,
            also=(lambda s, d: s / (2 * d), lambda s, d: s * d**-1 / 2),
        ),
        Mistake(
            "You divided by half of the width: by 8 at width 16, where the root is 4. If you wrote "
            "d_k ** 1/2, Python reads (d_k ** 1) / 2. The root is d_k ** 0.5 or np.sqrt(d_k).",
            lambda s, d: s / (d / 2),
            also=(lambda s, d: s / (d**1 / 2),),
        ),
        Mistake(
            "You divided by the root of how many scores stand in a row. What counts is the width "
            "d_k over which each score was summed.",
            lambda s, d: s / np.sqrt(s.shape[-1]),
        ),
        Mistake(
            "You divided by the root of how many scores there are in all. What counts is the width "
            "d_k over which each score was summed.",
            lambda s, d: s / np.sqrt(s.size),
        ),
        Mistake(
            "You took the softmax too. Here the scores are only divided; the weights come after.",
            lambda s, d: softmax(s / np.sqrt(d)),
        ),
        Mistake(
            "You divided by the spread that these very scores have. Whatever they are, they then "
            "spread by 1, so no model could become surer by making its scores larger. The scores "
            "[4, -4, 4, -4] come from queries of width 16, too, and spread by 4. Which one number, "
            "made from 16 alone, serves for strangers in general?",
            lambda s, d: s / s.std(),
            also=(lambda s, d: s / s.std(axis=-1, keepdims=True),),
        ),
        Mistake(
            "You divided by the spread of these very scores, with ddof=1 as statistics estimates "
            "it from a sample. A better estimate is still made from the scores. Demand 2 asks for "
            "a number that is known before any score is computed.",
            lambda s, d: s / np.std(s, ddof=1),
            also=(lambda s, d: s / s.std(axis=-1, ddof=1, keepdims=True),),
        ),
        Mistake(
            "The root is taken of the quotient: root first, then divide.",
            lambda s, d: np.sign(s) * np.sqrt(np.abs(s) / d),
        ),
        Mistake("You divided by the square of the width, not by its root.", lambda s, d: s / d**2),
        Mistake("// drops what is behind the point.", lambda s, d: s // np.sqrt(d)),
        Mistake(
            "The root itself was cut to a whole number. The root of 7 is 2.65, not 2.",
            lambda s, d: s / math.isqrt(d),
        ),
        Mistake(
            "You took a root of the scores; negative ones have none (NaN). Take the root of the "
            "width alone.",
            lambda s, d: np.sqrt(s / d),
            also=(lambda s, d: s / np.sqrt(s), lambda s, d: np.sqrt(s) / d),
        ),
        Mistake(
            "Of whole numbers np.zeros_like makes an array that holds whole numbers only: what is "
            "behind the point is lost. np.zeros(scores.shape) holds all.",
            _into_zeros_like,
        ),
        Mistake(
            "You divided by the root of len(scores). That is how many rows there are, or how many "
            "scores; what counts is the width d_k over which each score was summed.",
            lambda s, d: s / np.sqrt(len(s)),
        ),
        Mistake(
            "You subtracted the root. A constant that is taken off leaves the spread as it is; "
            "divide.",
            lambda s, d: s - np.sqrt(d),
        ),
        Mistake(
            "You subtracted the mean of the scores too. Here they are only divided.",
            lambda s, d: (s - s.mean()) / np.sqrt(d),
        ),
        Mistake(
            "You subtracted the mean and divided by the spread that these scores happen to have. "
            "The course divides by a number that is known before any score is computed.",
            lambda s, d: (s - s.mean()) / s.std(),
        ),
        Mistake(
            "You divided by a logarithm of the width. Scores spread like its root, np.sqrt(d_k).",
            lambda s, d: s / np.log2(d),
            also=(lambda s, d: s / np.log(d) * np.log(2),),
        ),
        Mistake(
            "You divided by the natural logarithm of the width. Scores spread like its root.",
            lambda s, d: s / np.log(d),
        ),
        Mistake(
            "You divided by 8, whatever the width is. It serves width 64 alone: scores of width 16 "
            "then spread by 4/8. Demand 1 asks for 1 at every width.",
            lambda s, d: s / 8,
        ),
        Mistake(
            "You divided by an eighth of the width. At width 64 that is 8, as it should be. But at "
            "width 16 it is 2, where strangers' scores spread by 4. Demand 1 is for every width.",
            lambda s, d: s / (d / 8),
        ),
        Mistake(
            "You divided by a quarter of the width. At width 16 that is 4, as it should be. But at "
            "width 64 it is 16, where strangers' scores spread by 8. Demand 1 is for every width.",
            lambda s, d: s / (d / 4),
        ),
        Mistake(
            "You divided by the fourth root of the width. That is right for q and for k, each by "
            "itself; the scores are divided by both, which is the root.",
            lambda s, d: s / d**0.25,
        ),
        Mistake(
            "You divided by the length of the scores. What counts is the width d_k, over which "
            "each score was summed.",
            lambda s, d: s / np.linalg.norm(s),
        ),
        Mistake("You multiplied by the width.", lambda s, d: s * d),
        Mistake(
            "This is the root of the width. The scores are divided by it.",
            lambda s, d: np.sqrt(d),
        ),
        Mistake(
            "You divided by the variance that these scores happen to have. The course divides by "
            "a number that is known before any score is computed.",
            lambda s, d: s / s.var(),
        ),
        Mistake(
            "You rounded the result, and digits are missing. Round when you print.",
            lambda s, d: (s / np.sqrt(d)).round(2),
        ),
    ),
    alternatives=(
        lambda s, d: s * d**-0.5,
        lambda s, d: np.divide(s, d**0.5),
        lambda s, d: (s / np.sqrt(np.float32(d))).astype(np.float32),
        _scale_one_by_one,
        _scale_with_lists,
    ),
    refused=(
        Refused(lambda s, d: s.__itruediv__(math.sqrt(d)), "changes its input scores in place"),
        Refused(lambda s, d: s / (np.sqrt(d) + 1e-3), "nearly 1"),
        Refused(lambda s, d: s / strangers()(d).std(), NEARLY),
        Refused(lambda s, d: s / (d / 3), NOT_ONE),
    ),
    hints=(
        "How far do strangers' scores spread at width 16, and how far at width 64? By what do you "
        "divide each, so that they spread by 1?",
        "The divisor must be 4 at width 16 and 8 at width 64. How do you get it from the width?",
        "np.sqrt takes a square root: return scores / np.sqrt(...)",
    ),
    reward=(
        "The smallest GPT-2 runs this line in each of its 144 small attentions, the heads of "
        "chapter 7. They are 64 wide, so it divides by 8."
    ),
    minutes=3,
    stars=1,
    unfolded=True,  # what the symptom shows is the spread alone
)
