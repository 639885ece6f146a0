"""Exercise `surviving_reasons`: which reasons for the dot product hold."""

import numpy as np

from course_lib.judging.exercise import Exercise, Mistake, Refused, inputs
from course_lib.judging.verdict import Sentence, sentence


def surviving_reasons():
    """Which of these hold? Returns six times True or False, in this order."""
    # SOLUTION
    cosine_would_cost_twice_as_much = False
    bilinear_would_cost_a_hundred_times = False
    additive_cannot_run_in_parallel = False
    dot_needs_no_parameters_and_one_matrix_product = True
    dot_keeps_gradients_from_vanishing = False
    dot_lets_lengths_speak = True
    # STUB
    # cosine_would_cost_twice_as_much = ...
    # bilinear_would_cost_a_hundred_times = ...
    # additive_cannot_run_in_parallel = ...
    # dot_needs_no_parameters_and_one_matrix_product = ...
    # dot_keeps_gradients_from_vanishing = ...
    # dot_lets_lengths_speak = ...
    # END SOLUTION
    return (
        cosine_would_cost_twice_as_much,
        bilinear_would_cost_a_hundred_times,
        additive_cannot_run_in_parallel,
        dot_needs_no_parameters_and_one_matrix_product,
        dot_keeps_gradients_from_vanishing,
        dot_lets_lengths_speak,
    )


ABOUT_THE_REASONS = (
    "cosine_would_cost_twice_as_much: count again. 2000 rows are normalised for a million pairs.",
    "bilinear_would_cost_a_hundred_times: only if q W is computed anew for every pair. Look at its "
    "operations, and at the recording.",
    "additive_cannot_run_in_parallel: does any pair wait for another? Your additive_scores did "
    "them all at once.",
    "dot_needs_no_parameters_and_one_matrix_product: look at the table of costs.",
    "dot_keeps_gradients_from_vanishing: the dot product itself never saturates, but the softmax "
    "behind it does. Look at the last numbers of the section on where scores saturate.",
    "dot_lets_lengths_speak: think of the loud key and the sharp query.",
)


AGREE = "{right} of your six agree with what this chapter measured. {where}"

COSTS = "Look again at what the costs are: the count, the table and the recording."

BEHIND = "Look again at what each score does: its gradients, lengths, and all pairs at once."

BOTH = (
    "Look again at the costs (the count, the table, the recording) and at what each score does "
    "(its gradients, lengths, and all pairs at once)."
)

ABOUT_COSTS = (0, 1, 3)  # the places of these reasons


def _reasons(got, want, case) -> bool | str | Sentence:
    """Says how many are judged as the runs say, and where to look; never which."""
    came = np.asarray(got["output"])
    if came.shape != (len(ABOUT_THE_REASONS),):
        return "Return all six, each True or False, in the order in which they stand."
    misjudged = [i for i, one in enumerate(want["output"]) if bool(one) != bool(came[i])]
    if not misjudged:
        return True
    costs = [i in ABOUT_COSTS for i in misjudged]
    where = Sentence(COSTS if all(costs) else BOTH if any(costs) else BEHIND)
    return sentence(AGREE, right=len(ABOUT_THE_REASONS) - len(misjudged), where=where)


def _turned(*places):
    """The right answers with some of them turned around."""

    def wrong():
        return tuple(bool(one) != (i in places) for i, one in enumerate(surviving_reasons()))

    return wrong


EVERY_REASON = (
    "You kept every reason that people give. Four of the six were measured in this chapter, and "
    "did not hold."
)

NO_REASON = "You kept none. Two of the six are what the chapter itself has shown."

THE_OTHER_WAY = "All six are the other way round."

DEARER = (
    "You judged what the other scores cost, or whether they run in parallel, as people say it, "
    "more than once. The chapter has counted, recorded and run all three."
)

SURVIVING_REASONS = Exercise(
    answer=surviving_reasons,
    cases=(lambda rng: inputs(),),
    accept=_reasons,
    open_answer=True,
    mistakes=(
        *(Mistake(said, _turned(place)) for place, said in enumerate(ABOUT_THE_REASONS)),
        Mistake(EVERY_REASON, lambda: (True,) * 6),
        Mistake(NO_REASON, lambda: (False,) * 6),
        Mistake(THE_OTHER_WAY, _turned(*range(6))),
        Mistake(DEARER, _turned(0, 1, 2)),
    ),
    alternatives=(
        lambda: list(surviving_reasons()),
        lambda: np.array(surviving_reasons()),
    ),
    refused=(
        Refused(lambda: (False,) * 5, "Return all six"),
        Refused(lambda: (False, False, ..., True, False, True), "still returns `...` in one place"),
    ),
    hints=(
        "Which of the six did a cell of this chapter measure? Go back to its numbers.",
        "Costs: the table of operations and the recording. Gradients: what the softmax does to "
        "them. Lengths: what you saw in the core when you drew out the query and key C.",
        "Two of the six survive.",
    ),
    minutes=5,
    stars=1,
    depth=True,
)
