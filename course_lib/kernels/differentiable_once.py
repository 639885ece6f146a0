"""Gradients that refuse to be differentiated again, instead of dropping a part in silence.

A kernel that computes its gradient by itself, with weights that are made again, gives numbers and
no graph. A loss that holds a gradient (a penalty on it, a Hessian) would take these numbers for
constants and miss its part, without a word.
"""

from collections.abc import Callable
from functools import wraps

import torch
from torch import Tensor

from course_lib.kernels.precision import own_precision


class _Once(torch.autograd.Function):
    """Passes `count` gradients on; they hang on all `sources`, so that a way back leads here."""

    generate_vmap_rule = True  # for torch.func.jacrev, which maps a first derivative

    @staticmethod
    def forward(count, what, *grads_and_sources):
        return tuple(grad.clone() for grad in grads_and_sources[:count])

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.what = inputs[1]

    @staticmethod
    def backward(ctx, *_):
        raise RuntimeError(
            f"{ctx.what} has a first derivative only, and the derivative of its gradient was asked "
            "for: take `attention` of attention.py, which has them all"
        )


def differentiable_once(what: str) -> Callable:
    """For the `backward` of an autograd.Function: its gradients are no constants, and no formulas.

    They are computed in their own precision, also under torch.autocast.

    what: the function's name, for the error. The tensors that `backward` returns come first, then
    None for arguments that have no gradient.

    Raises: RuntimeError, later, where a derivative of these gradients is asked for.
    """

    def decorate(backward: Callable) -> Callable:
        @wraps(backward)
        def once(ctx, *grad_outputs: Tensor):
            with torch.no_grad(), own_precision(grad_outputs[0]):
                found = backward(ctx, *grad_outputs)
            if not torch.is_grad_enabled():  # nobody keeps a graph: the usual case
                return found
            grads = [one for one in found if one is not None]
            sources = (*ctx.saved_tensors, *grad_outputs)
            return *_Once.apply(len(grads), what, *grads, *sources), *found[len(grads) :]

        return once

    return decorate
