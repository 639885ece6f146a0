"""How far attention and its gradient are from the truth, beside PyTorch's own.

python -m tests.kernels.attention_errors     # prints the table

The truth is numpy in float64 (for float64: in long double), from the same rounded inputs. Each
number is the largest absolute error over all cases and seeds: keys and values of size 1, queries
of size 1 and 8, lengths up to 127, widths up to 128, with and without masks and empty rows.
"""

import numpy as np
import torch
from torch.nn.functional import scaled_dot_product_attention

from course_lib.kernels.attention import attention
from course_lib.kernels.attention_backward import attention_backward

DTYPES = (torch.float16, torch.bfloat16, torch.float32, torch.float64)
CASES = tuple(  # t, s, d, e; how much of the mask is open; how large queries are
    (*sizes, share, size)
    for sizes in ((3, 5, 7, 2), (31, 61, 64, 37), (17, 127, 128, 64))
    for share, size in ((None, 1.0), (None, 8.0), (0.5, 1.0), (0.02, 1.0))
)
NAMES = ("output", "grad_q", "grad_k", "grad_v")


def draw(case, dtype, seed):
    """q, k, v, the gradient of the output, and a mask or None."""
    t, s, d, e, share, size = case
    rng = np.random.default_rng(seed)
    shapes = ((2, t, d), (2, s, d), (2, s, e), (2, t, e))
    q, k, v, grad = (torch.from_numpy(rng.normal(size=shape)) for shape in shapes)
    mask = None if share is None else torch.from_numpy(rng.random((t, s)) < share)
    return *(one.to(dtype) for one in (size * q, k, v, grad)), mask


def true(q, k, v, grad, mask):
    """Output and gradients in a wider precision, without a function of ours."""
    wider = np.longdouble if q.dtype == torch.float64 else np.float64
    q, k, v, grad = (one.double().numpy().astype(wider) for one in (q, k, v, grad))
    scores = q @ k.mT / np.sqrt(wider(q.shape[-1]))
    if mask is not None:
        scores = np.where(mask.numpy(), scores, -np.inf)
    largest = scores.max(-1, keepdims=True)
    weights = np.exp(scores - np.where(np.isfinite(largest), largest, 0))
    total = weights.sum(-1, keepdims=True)
    weights = weights / np.where(total == 0, 1, total)
    grad_weights = grad @ v.mT
    jacobian = weights[..., None] * np.eye(weights.shape[-1]) - (  # of softmax: diag(w) - w wᵀ
        weights[..., :, None] * weights[..., None, :]
    )
    grad_scores = (jacobian @ grad_weights[..., None])[..., 0] / np.sqrt(wider(q.shape[-1]))
    return weights @ v, grad_scores @ k, grad_scores.mT @ q, weights.mT @ grad


def ours(q, k, v, grad, mask):
    """The kernels of the course."""
    return attention(q, k, v, mask=mask), *attention_backward(grad, q, k, v, mask=mask)


def pytorchs(q, k, v, grad, mask):
    """PyTorch's function and its gradient."""
    q, k, v = (one.clone().requires_grad_() for one in (q, k, v))
    output = scaled_dot_product_attention(q, k, v, attn_mask=mask)
    return output.detach(), *torch.autograd.grad(output, (q, k, v), grad)


def plain(q, k, v, grad, mask):
    """The formula written down in the tensors' own precision, and autograd."""
    q, k, v = (one.clone().requires_grad_() for one in (q, k, v))
    scores = q @ k.mT * q.shape[-1] ** -0.5
    if mask is not None:  # the lowest number and not -inf, so that an empty row is no NaN
        scores = scores.masked_fill(~mask, torch.finfo(q.dtype).min)
    weights = scores.softmax(-1)
    output = (weights if mask is None else weights * mask) @ v
    return output.detach(), *torch.autograd.grad(output, (q, k, v), grad)


def largest(dtype, seeds=3) -> dict[str, np.ndarray]:
    """For each of FUNCTIONS its largest errors of output, grad_q, grad_k and grad_v."""
    found = {function.__name__: [] for function in FUNCTIONS}
    for case in CASES:
        for seed in range(seeds):
            given = draw(case, dtype, seed)
            truth = true(*given)
            for function in FUNCTIONS:
                pairs = zip(function(*given), truth, strict=True)
                errors = [np.abs(got.detach().double().numpy() - want).max() for got, want in pairs]
                found[function.__name__].append(errors)
    return {name: np.max(errors, axis=0).astype(float) for name, errors in found.items()}


FUNCTIONS = (ours, pytorchs, plain)


def main() -> None:
    """Print the table."""
    print(f"{'':9} {'':9}" + "".join(f"{name:>10}" for name in NAMES))
    for dtype in DTYPES:
        for name, errors in largest(dtype).items():
            row = "".join(f"{error:10.1e}" for error in errors)
            print(f"{str(dtype).removeprefix('torch.'):9} {name:9}{row}")


if __name__ == "__main__":
    main()
