"""A loop over tiles at work in a model: in place of all heads of the one that copies.

in_all_heads(lambda q, k, v: attention_by_tiles(q, k, v, 1, 4)).continued("giraffe pogir", 6)
"""

import math
from collections.abc import Callable

import numpy as np
import torch
from torch import Tensor

from course_lib.models.copying_numpy import EVERY_HEAD, Copying, load_copying


def in_all_heads(loop: Callable[[Tensor, Tensor, Tensor], Tensor]) -> Copying:
    """The model that copies, with the loop in place of each of its heads.

    The model hands on one query at a time, with the keys that it may see: no mask is needed. Its
    queries are divided by the root of their width already. The loop divides the scores by it once
    more, so the queries are multiplied by it first.

    loop: (q (1, d), k (s, d), v (s, d)) -> (1, d), with its own scale
    """

    def head(q: np.ndarray, k: np.ndarray, v: np.ndarray) -> np.ndarray:
        larger = q * math.sqrt(q.shape[1])
        return loop(*(torch.tensor(one) for one in (larger, k, v))).numpy()

    return load_copying().with_heads(range(1, EVERY_HEAD.size + 1), head)
