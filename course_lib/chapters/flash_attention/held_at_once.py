"""Whether an answer held at once what it should see piece by piece."""

import numpy as np

from course_lib.measures.allocation import largest_tensor

NOT_AT_ONCE = "held everything at once"


def watched(limit, operations=("exp", "exp_", "exp2", "softmax")):
    """An observer: the output, and whether one of `operations` made `limit(case)` bytes or more."""

    def observe(candidate, case) -> dict:
        output = []
        run = lambda: output.append(candidate(*case.args, **case.kwargs))  # noqa: E731
        made = largest_tensor(run, operations)
        return {"output": output[0], NOT_AT_ONCE: np.asarray(made >= limit(case))}

    return observe
