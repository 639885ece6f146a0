"""How large the tensors are that a function makes on its way.

`largest_tensor` sees what calls to PyTorch return. A view counts as what it shows, and a tensor
that is stretched without a copy as what it holds. `largest_allocation` sees the memory that is
asked for, also for what one call makes inside and throws away.
"""

import os
from collections.abc import Callable

from torch import Tensor
from torch.autograd import profiler
from torch.overrides import TorchFunctionMode

from course_lib.models.threads import one_thread


class _Watch(TorchFunctionMode):
    """Notes the bytes of each tensor that a call to PyTorch returns."""

    def __init__(self, operations: tuple[str, ...]):
        super().__init__()
        self.operations = operations
        self.largest = 0

    def __torch_function__(self, function, types, args=(), kwargs=None):
        result = function(*args, **(kwargs or {}))
        if not self.operations or function.__name__ in self.operations:
            several = result if isinstance(result, list | tuple) else [result]
            made = [one for one in several if isinstance(one, Tensor)]
            sizes = [min(one.nbytes, one.untyped_storage().nbytes()) for one in made]
            self.largest = max([self.largest, *sizes])
        return result


def largest_tensor(function: Callable[[], object], operations: tuple[str, ...] = ()) -> int:
    """Bytes of the largest tensor that `function()` makes on its way; it takes no arguments.

    operations: count only what these make, by PyTorch's names, as "exp" and "softmax".

    Example: a table of 1000 by 1000 numbers of 4 bytes, and its row sums.
        >>> import torch
        >>> ones = torch.ones(1000, 1)
        >>> largest_tensor(lambda: (ones * ones.T).sum(dim=1))
        4000000
        >>> largest_tensor(lambda: (ones * ones.T).sum(dim=1), operations=("sum",))
        4000
    """
    with _Watch(operations) as watch:
        function()
    return watch.largest


def largest_allocation(function: Callable[[], object]) -> int:
    """Bytes of the largest piece of CPU memory that PyTorch asks for while `function()` runs.

    What its profiler notes is taken, so that a fused kernel's own room counts. One thread computes:
    with several, such a kernel asks for the room of all of them in one piece.

    Example: the row sums of a table of 1000 by 1000 numbers of 4 bytes.
        >>> import torch
        >>> ones = torch.ones(1000, 1)
        >>> largest_allocation(lambda: (ones * ones.T).sum(dim=1))
        4000000
    """
    os.environ.setdefault("KINETO_LOG_LEVEL", "99")  # else the profiler writes into the notebook
    with one_thread(), profiler.profile(profile_memory=True, use_kineto=False) as noted:
        function()
    return max((event.self_cpu_memory_usage for event in noted.function_events), default=0)
