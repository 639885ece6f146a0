"""The gradient of attention, step by step, as the chain rule gives it.

Backwards through `output = weights v`, then `weights = softmax(scaled)`, then
`scaled = scale q kᵀ`. The axes, the mask and the errors are those of `attention`.
"""

import torch
from torch import Tensor

from course_lib.kernels.arguments import check_attention, check_like_output
from course_lib.kernels.attention import attention_weights
from course_lib.kernels.precision import own_precision


def attention_backward(
    grad_output: Tensor, q: Tensor, k: Tensor, v: Tensor, *, mask: Tensor | None = None,
    scale: float | None = None,
) -> tuple[Tensor, Tensor, Tensor]:  # fmt: skip
    """From the gradient of a loss with respect to the output, those of q, k and v.

    An input that was broadcast along a leading axis gets the sum along it.

    Shapes: grad_output (..., t, e), q (..., t, d), k (..., s, d), v (..., s, e)
        -> grad_q, grad_k, grad_v in the shapes of q, k and v
    Raises: as `attention`; ValueError for a grad_output that has not the shape of the output.
    Source: T. Dao et al., "FlashAttention" (2022), appendix B.2.
    Example: a query that agrees with both keys alike sends half of its gradient to each value.
        >>> q, k, v = torch.ones(1, 2), torch.ones(2, 2), torch.ones(2, 1)
        >>> grad_q, grad_k, grad_v = attention_backward(torch.ones(1, 1), q, k, v)
        >>> grad_v.tolist()
        [[0.5], [0.5]]
    """
    check_attention(q, k, v, mask=mask, scale=scale)
    check_like_output(grad_output, q, k, v, mask)
    wide = torch.promote_types(q.dtype, torch.float32)
    given, (q, k, v) = (q, k, v), (one.to(wide) for one in (q, k, v))
    grad_output = grad_output.to(wide)
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    weights = attention_weights(q, k, mask=mask, scale=scale)

    with own_precision(q):
        grad_v = weights.transpose(-2, -1) @ grad_output
        grad_weights = grad_output @ v.transpose(-2, -1)
        # Softmax: raising one score takes weight from all others, so each row loses its mean.
        mean = (weights * grad_weights).sum(dim=-1, keepdim=True)
        grad_scaled = weights * (grad_weights - mean)
        grad_q = grad_scaled @ k * scale
        grad_k = grad_scaled.transpose(-2, -1) @ q * scale

    grads = zip((grad_q, grad_k, grad_v), given, strict=True)
    grad_q, grad_k, grad_v = (grad.sum_to_size(one.shape).to(one.dtype) for grad, one in grads)
    return grad_q, grad_k, grad_v
