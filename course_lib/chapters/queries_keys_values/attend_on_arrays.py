"""A learner's `attend` on numpy arrays: what it gives, and the weights behind it."""

import numpy as np
import torch

from course_lib.models.threads import one_thread


def _rows(attend, q, k, v) -> np.ndarray:
    """What `attend` gives for arrays, as an array; refused where it has another shape."""
    tensors = (torch.tensor(array, dtype=torch.float32) for array in (q, k, v))
    with one_thread():
        output = torch.as_tensor(attend(*tensors)).detach().double().numpy()
    wanted = (len(q), v.shape[1])
    if output.shape != wanted:
        raise ValueError(f"attend gave shape {output.shape}, where {wanted} is needed")
    return output


def outputs_and_weights(attend, q, k, v) -> tuple[np.ndarray, np.ndarray]:
    """The output, and the weights: they are the output where each value is a unit vector."""
    both = _rows(attend, q, k, np.hstack([v, np.eye(len(k))]))
    return both[:, : v.shape[1]], both[:, v.shape[1] :]
