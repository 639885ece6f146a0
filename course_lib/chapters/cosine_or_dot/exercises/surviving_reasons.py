"""Exercise `surviving_reasons`: which reasons for the dot product hold."""

import numpy as np

from course_lib.judging.exercise import Exercise, Mistake, Refused, inputs


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
    "behind it does. Look at the last numbers of the section on gradients.",
    "dot_lets_lengths_speak: think of the loud key and the sharp query.",
)


def _reasons(got, want, case) -> bool | str:
    """Says the first reason that is judged otherwise than by the runs."""
    came = np.asarray(got["output"])
    if came.shape != (len(ABOUT_THE_REASONS),):
        return "Return all six, each True or False, in the order in which they stand."
    for place, sentence in enumerate(ABOUT_THE_REASONS):
        if bool(came[place]) != bool(want["output"][place]):
            return sentence
    return True


def _one_turned(place):
    """The right answers with one of them turned around."""

    def wrong():
        return tuple(bool(one) != (place == i) for i, one in enumerate(surviving_reasons()))

    return wrong


ALSO = {0: (lambda: (True,) * 6,), 3: (lambda: (False,) * 6,)}  # the first that is misjudged

SURVIVING_REASONS = Exercise(
    answer=surviving_reasons,
    cases=(lambda rng: inputs(),),
    accept=_reasons,
    open_answer=True,
    mistakes=tuple(
        Mistake(sentence, _one_turned(place), also=ALSO.get(place, ()))
        for place, sentence in enumerate(ABOUT_THE_REASONS)
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
        "them. Lengths: the two sliders of the core.",
        "Two of the six survive.",
    ),
    minutes=5,
    stars=1,
    depth=True,
)
