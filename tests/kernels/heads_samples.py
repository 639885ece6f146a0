"""What the tests of heads share."""

import numpy as np
import torch

from course_lib.kernels.multi_head import MultiHeadAttention
from tests.kernels.attention_errors import DTYPES

B, G, SHARE, D, T, S, M = 2, 2, 3, 5, 7, 11, 13
H = G * SHARE  # heads of queries: three for each head of keys
EPS = {dtype: torch.finfo(dtype).eps for dtype in DTYPES}


def random(*shape, seed=0, dtype=torch.float64):
    numbers = np.random.default_rng([seed, *shape]).normal(size=shape)
    return torch.from_numpy(numbers).to(dtype)


def drawn(seed=0):
    return torch.Generator().manual_seed(seed)


def double(m, heads, **options):
    """A layer in float64, its biases no zeros."""
    layer = MultiHeadAttention(m, heads, drawn(), **options).double()
    with torch.no_grad():
        for name in "qkvo":
            if (b := getattr(layer, f"b_{name}")) is not None:
                b.copy_(random(len(b), seed=ord(name)))
    return layer


def weights(m=M, h=H, g=G, d=D, e=3, out=17):
    shapes = {"w_q": (m, h * d), "w_k": (m, g * d), "w_v": (m, g * e), "w_o": (h * e, out)}
    return {name: random(*shape, seed=i) for i, (name, shape) in enumerate(shapes.items())}


def open_mask(*shape):
    """Each row may attend to at least one key."""
    mask = torch.from_numpy(np.random.default_rng(1).random(shape) < 0.5)
    mask[..., 0] = True
    return mask
