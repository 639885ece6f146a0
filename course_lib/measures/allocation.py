"""How large the tensors are that a function makes on its way.

A view counts as what it shows, and a tensor that is stretched without a copy as what it holds. What
one call to PyTorch makes inside and throws away is not seen.
"""

from collections.abc import Callable

from torch import Tensor
from torch.overrides import TorchFunctionMode


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
