"""What the tests of softmax share."""

import numpy as np

from course_lib.kernels.softmax import (
    effective_count,
    entropy,
    log_softmax,
    logsumexp,
    softmax,
    softmax_jacobian,
)

OF_SCORES = [softmax, log_softmax, logsumexp, softmax_jacobian]
OF_WEIGHTS = [entropy, effective_count]
by_name = {"ids": lambda one: getattr(one, "__name__", None)}


def random(*shape, seed=0, dtype=float):
    return (3 * np.random.default_rng(seed).normal(size=shape)).astype(dtype)
