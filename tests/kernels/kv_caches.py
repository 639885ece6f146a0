"""What the tests of kv_cache share."""

import numpy as np
import torch

from course_lib.kernels.multi_head import MultiHeadAttention

B, G, SHARE, D, T, ROOM, M = 3, 2, 3, 4, 5, 23, 13
H = G * SHARE
PLAIN = {"n_kv_heads": G, "d": D}


def random(*shape, seed=0, dtype=torch.float64):
    numbers = np.random.default_rng([seed, *shape]).normal(size=shape)
    return torch.from_numpy(numbers).to(dtype)


def double(**options):
    layer = MultiHeadAttention(M, H, torch.Generator().manual_seed(0), **PLAIN | options).double()
    with torch.no_grad():
        for i, w in enumerate(layer.parameters()):
            w.copy_(random(*w.shape, seed=i) * M**-0.5)
    return layer.requires_grad_(False)
