"""Exercise `temperature_for_lead`: the temperature that makes the widest lead as long as asked."""

import numpy as np

from course_lib.judging.exercise import Exercise, Mistake, Property, inputs
from course_lib.kernels.softmax import softmax


def temperature_for_lead(scores, lead):
    """The T at which the best score, divided by T, leads the worst by `lead`.

    scores: (s,)   lead: above 0   returns: one number
    """
    # SOLUTION
    return (scores.max() - scores.min()) / lead
    # END SOLUTION


def _widest(scores):
    return scores.max() - scores.min()


TEMPERATURE_FOR_LEAD = Exercise(
    answer=temperature_for_lead,
    cases=(
        lambda rng: inputs(np.array([2.0, 8.0, 5.0]), 2.0),
        lambda rng: inputs(np.array([3.5, -2.1, 8.7, 0.3]), 3),
        lambda rng: inputs(np.array([0.8, 0.1]), 4.0),  # a temperature below 1
        lambda rng: inputs(rng.normal(size=7), rng.uniform(1, 5)),
        lambda rng: inputs(np.array([-7, -1, -4, -2, -9]), 5),  # whole numbers, all below 0
    ),
    properties=(
        Property(
            "Divided by this temperature, the best score leads the worst by `lead`.",
            lambda got, case: bool(
                got["output"] > 0
                and np.isclose(_widest(case.args[0]) / got["output"], case.args[1])
            ),
        ),
    ),
    mistakes=(
        Mistake(
            "It is upside down: this is the number to multiply the scores with. A temperature "
            "divides them.",
            lambda scores, lead: lead / _widest(scores),
        ),
        Mistake(
            "You multiplied the lead that the scores have with the lead that you want. A "
            "temperature divides the first, and the second should come out.",
            lambda scores, lead: _widest(scores) * lead,
        ),
        Mistake(
            "You subtracted the lead that you want. A temperature takes nothing away from a lead: "
            "it divides it.",
            lambda scores, lead: _widest(scores) - lead,
            also=(lambda scores, lead: lead - _widest(scores),),
        ),
        Mistake(
            "You divided the largest score. How far it leads is its distance from the smallest: "
            "scores.max() - scores.min().",
            lambda scores, lead: scores.max() / lead,
        ),
        Mistake(
            "This is the lead of the best score over the worst, before any division. Which T makes "
            "it as long as `lead`?",
            lambda scores, lead: _widest(scores),
        ),
        Mistake(
            "You took the lead of the best score over the next best. Asked is its lead over the "
            "worst.",
            lambda scores, lead: (np.sort(scores)[-1] - np.sort(scores)[-2]) / lead,
        ),
        Mistake(
            "You took the ratio of the best score to the worst. A lead is a distance: subtract.",
            lambda scores, lead: scores.max() / scores.min() / lead,
        ),
        Mistake(
            "The best score need not stand first, nor the worst last. Find them: max and min.",
            lambda scores, lead: (scores[0] - scores[-1]) / lead,
            also=(
                lambda scores, lead: (scores[-1] - scores[0]) / lead,
                lambda scores, lead: abs(scores[0] - scores[-1]) / lead,
                lambda scores, lead: (scores[0] - scores[1]) / lead,
            ),
        ),
        Mistake(
            "The temperature comes out negative: you subtracted the best score from the worst.",
            lambda scores, lead: (scores.min() - scores.max()) / lead,
        ),
        Mistake(
            "20, or e to the lead, is how many times as much the best gets. A "
            "temperature divides scores: compare a lead with a lead, without exp.",
            lambda scores, lead: _widest(scores) / np.exp(lead),
            also=(
                lambda scores, lead: _widest(scores) / 20,
                lambda scores, lead: np.exp(lead),
                lambda scores, lead: lead / np.exp(lead),
            ),
        ),
        Mistake(
            "You divided how many times as much the best gets. A temperature divides the leads "
            "themselves, and no e to them: in the text, 10.8 by something is to give 3.",
            lambda scores, lead: np.exp(_widest(scores)) / np.exp(lead),
            also=(lambda scores, lead: np.exp(_widest(scores)) / 20,),
        ),
        Mistake(
            "That is one number for every row of scores. Compute it from `scores` and `lead`.",
            lambda scores, lead: 3.6,
            also=(lambda scores, lead: 3, lambda scores, lead: 1.8, lambda scores, lead: 20),
        ),
        Mistake(
            "A logarithm is not needed: `lead` is a lead already, and no factor.",
            lambda scores, lead: _widest(scores) / np.log(lead),
        ),
        Mistake(
            "The 3 of the example stands in place of `lead`.",
            lambda scores, lead: _widest(scores) / 3,
        ),
        Mistake(
            "These are the scores, divided by the temperature. Asked is the temperature itself.",
            lambda scores, lead: scores * lead / _widest(scores),
        ),
        Mistake(
            "These are weights. Asked is one number: the temperature.",
            lambda scores, lead: softmax(scores * lead / _widest(scores)),
            also=(lambda scores, lead: softmax(scores / lead),),
        ),
        Mistake(
            "You divided every score by the lead. Asked is one number: the temperature.",
            lambda scores, lead: scores / lead,
        ),
        Mistake(
            "You took the distance between two weights. A temperature divides scores: take the "
            "distance between those.",
            lambda scores, lead: _widest(softmax(scores)) / lead,
        ),
        Mistake(
            "You took how far the best score lies above the average. Asked is its lead over the "
            "worst.",
            lambda scores, lead: (scores.max() - scores.mean()) / lead,
        ),
        Mistake(
            "You added the best score and the worst. A lead is their distance: subtract.",
            lambda scores, lead: (scores.max() + scores.min()) / lead,
        ),
        Mistake(
            "You took the places of the best score and the worst. Take the scores: max and min.",
            lambda scores, lead: (scores.argmax() - scores.argmin()) / lead,
        ),
        Mistake(
            "Division comes before subtraction: only the smallest score was divided. Put brackets "
            "around the distance.",
            lambda scores, lead: scores.max() - scores.min() / lead,
        ),
        Mistake(
            "// drops what is behind the point. Divide with /.",
            lambda scores, lead: _widest(scores) // lead,
        ),
        Mistake(
            "You took the spread of the scores, as in chapter 3. Asked is the lead of the best "
            "score over the worst.",
            lambda scores, lead: scores.std() / lead,
        ),
        Mistake(
            "The result is rounded, and digits are missing. Round when you print.",
            lambda scores, lead: round(_widest(scores) / lead, 1),
            also=(lambda scores, lead: round(_widest(scores) / lead, 2),),
        ),
    ),
    alternatives=(
        lambda scores, lead: np.ptp(scores) / lead,
        lambda scores, lead: _widest(scores / lead),
        lambda scores, lead: (sorted(scores)[-1] - sorted(scores)[0]) / lead,
    ),
    hints=(
        "How far does the best score lead the worst now? How far should it lead?",
        "A temperature divides every lead. So the lead that there is, divided by T, is the lead "
        "that you want. Solve this for T.",
        "return (scores.max() - ...) / ...",
    ),
    minutes=2,
    stars=1,
    reward=(
        "Chapter 3 chose its temperature, √d_k, before it knew any score. Yours looks at the "
        "scores first."
    ),
)
