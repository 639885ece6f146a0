"""Computing in the precision that the tensors have, also where torch.autocast is on.

Under autocast each product of float32 tensors is computed in 16 bits, unasked. Formulas that
promise float32 switch it off for as long as they compute:

    with own_precision(q):
        scores = q @ k.mT
"""

from contextlib import AbstractContextManager, nullcontext

import torch
from torch import Tensor


def autocasts(tensor: Tensor) -> bool:
    """Whether autocast is on for the kind of device that the tensor is on."""
    device = tensor.device.type
    return torch.amp.is_autocast_available(device) and torch.is_autocast_enabled(device)


def own_precision(tensor: Tensor) -> AbstractContextManager:
    """Inside, products keep the tensors' dtype.

    Example:
        >>> one = torch.ones(1, 1)
        >>> with torch.autocast("cpu", torch.bfloat16):
        ...     unasked = one @ one
        ...     with own_precision(one):
        ...         asked = one @ one
        >>> print(unasked.dtype, asked.dtype)
        torch.bfloat16 torch.float32
    """
    if not autocasts(tensor):
        return nullcontext()
    return torch.autocast(tensor.device.type, enabled=False)
