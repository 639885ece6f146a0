"""A loop over tiles at work in a model: in place of all heads of the one that copies.

in_all_heads(lambda q, k, v: attention_by_tiles(q, k, v, 1, 4)).continued("giraffe pogir", 6)
"""

from collections.abc import Callable

import numpy as np
import torch
from torch import Tensor

from course_lib.models.copying_numpy import EVERY_HEAD, Copying, load_copying


def in_all_heads(loop: Callable[[Tensor, Tensor, Tensor], Tensor]) -> Copying:
    """The model that copies, with the loop in place of each of its heads.

    The model hands on one query at a time, with the keys that it may see: no mask is needed. The
    queries come undivided, since the loop divides the scores by the root of their width.

    loop: (q (1, d), k (s, d), v (s, d)) -> (1, d), with its own scale
    """

    def head(q: np.ndarray, k: np.ndarray, v: np.ndarray) -> np.ndarray:
        return loop(*(torch.tensor(one) for one in (q, k, v))).numpy()

    return load_copying().with_heads(range(1, EVERY_HEAD.size + 1), head, divided=False)
