"""What the tests of flash share."""

import torch

from course_lib.kernels.flash import flash_attention
from tests.kernels.test_attention import random

BLOCK = 4  # of queries and keys in these tests, unless said


def draw(t=11, s=7, *, b=2, h=6, g=3, d=5, e=2, dtype=torch.float64, seed=0):
    shapes = ((b, h, t, d), (b, g, s, d), (b, g, s, e))
    return tuple(random(*shape, seed=seed + n, dtype=dtype) for n, shape in enumerate(shapes))


def tiled(q, k, v, **options):
    return flash_attention(q, k, v, **{"block_q": BLOCK, "block_k": BLOCK} | options)


def plain_lse(q, k, mask=None):
    """log of the sum of exp of the scores, without a kernel of ours."""
    k = k.repeat_interleave(q.shape[-3] // k.shape[-3], dim=-3)
    scores = q @ k.mT * q.shape[-1] ** -0.5
    return (scores if mask is None else scores.masked_fill(~mask, -torch.inf)).logsumexp(-1)


def gradients(function, parts, grad):
    parts = [one.clone().requires_grad_() for one in parts]
    return torch.autograd.grad(function(*parts), parts, grad)


def same(found, wanted, tolerance=1e-12):
    torch.testing.assert_close(found, wanted, rtol=tolerance, atol=tolerance)
