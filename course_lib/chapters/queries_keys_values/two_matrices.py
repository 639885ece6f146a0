"""What a learner returned, as numbers: one array of them, or several matrices."""

import numpy as np

from course_lib.learner.arrays import NotNumbers, as_array


def numbers(value):
    """What the learner returned, as numpy numbers in float64; None where it has none."""
    try:
        return as_array(value).astype(float)
    except (NotNumbers, TypeError):
        return None


COUNTED = {2: "two", 3: "three"}


def matrices(output, *names: str):
    """The matrices that the learner returned, or the sentence that says what is missing.

    names: one for each of them.
    """
    if isinstance(output, dict):
        output = list(output.values())
    found = [numbers(one) for one in output] if isinstance(output, list | tuple) else []
    whole = None if found else numbers(output)
    if whole is not None and len(np.atleast_1d(whole)) == len(names):
        found = list(whole)
    if isinstance(output, list | tuple) and any(one is ... for one in output):
        return "Your answer still returns `...` in one place: put your code there, too."
    if len(found) != len(names):
        return f"Return {COUNTED[len(names)]} matrices: return {', '.join(names)}."
    for name, matrix in zip(names, found, strict=True):
        if matrix is None:
            return f"{name} holds something that is no number."
        if not np.isfinite(matrix).all():
            return f"{name} holds a number that is not finite."
    return found


def two_matrices(output, first: str, second: str):
    """Two matrices from what the learner returned, or the sentence that says what is missing."""
    return matrices(output, first, second)


def named_pair(first: str, second: str):
    """An observer of answers that return two matrices: each is seen under its name.

    So two of different shapes are no ragged table, and reach the acceptance as they are.
    """

    def observe(candidate, case) -> dict:
        output = candidate(*case.args, **case.kwargs)
        is_pair = isinstance(output, list | tuple) and len(output) == 2
        if is_pair and all(numbers(one) is not None for one in output):
            return {"output": dict(zip((first, second), output, strict=True))}
        return {"output": output}

    return observe
