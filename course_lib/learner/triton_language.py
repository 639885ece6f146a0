"""A kernel of one's own, run on the CPU: Triton's language, and one launch in its interpreter.

    tl = language()

    def double(x, y, n, BLOCK: tl.constexpr):
        i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
        tl.store(y + i, 2 * tl.load(x + i, mask=i < n, other=0.0), mask=i < n)

    interpret(double, (3,), x, y, 5, BLOCK=2)      # on a GPU: triton.jit(double)[(3,)](x, y, ...)

Names in capitals are constants of the kernel. Programs run one after the other.
"""

import inspect
import itertools
from collections.abc import Callable
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from types import FunctionType, SimpleNamespace
from typing import Any

import numpy as np
from torch import Tensor

from course_lib.kernels.interpreter import has_triton, use_interpreter


@dataclass(frozen=True)
class Launch:
    """What one launch gives to a kernel: given as a whole to one that runs in another process."""

    grid: tuple[int, ...]
    arguments: tuple
    constants: dict[str, Any]


class NotWritten(NotImplementedError):
    """The kernel returned `...`: nobody has written it yet."""


def language() -> Any:
    """The module triton.language, interpreted if nobody has imported it to compile.

    Where Triton is missing: a stand-in that has `constexpr`, so that a kernel can be written down.
    """
    if not has_triton():
        return SimpleNamespace(constexpr=int)
    with suppress(RuntimeError):  # imported to compile; loads, stores, products run all the same
        use_interpreter()
    import triton.language

    return triton.language


class LateLanguage:
    """Triton's language, imported when a kernel first uses it: `tl = LateLanguage()`.

    For kernels in modules, which may be imported before it is settled who interprets.
    """

    def __getattr__(self, name: str) -> Any:
        return getattr(language(), name)


def interpret(kernel: Callable, grid: tuple[int, ...], *arguments: Any, **constants: Any) -> None:
    """Run the programs of a kernel one after the other, on tensors of the CPU.

    grid: how many programs in each of one to three directions.

    Raises: NotImplementedError where Triton is missing; NotWritten where the kernel returns `...`;
        IndexError where it would touch memory that belongs to none of the tensors; and what the
        kernel raises.
    """
    execute(inspect.unwrap(kernel), grid, *arguments, **constants)


def execute(
    kernel: Callable, grid: tuple[int, ...], *arguments: Any, **constants: Any
) -> tuple[list, list]:
    """As `interpret`, but calls the very function that is given, wrapper and all.

    Returns the addresses that were loaded and those that were stored, an array for each time.
    """
    if not has_triton():
        raise NotImplementedError("Triton is not installed here")
    if getattr(inspect.unwrap(kernel), "elsewhere", False):
        return _launched_elsewhere(kernel, Launch(grid, arguments, constants))
    tl = language()
    from triton.runtime import interpreter

    builder, scope = interpreter.interpreter_builder, interpreter._patch_lang(_seeing(tl))
    try:
        with (
            _noted(builder, "load", arguments) as loaded,
            _noted(builder, "store", arguments) as stored,
        ):
            given = [interpreter._implicit_cvt(one) for one in arguments]
            fixed = {name: tl.constexpr(value) for name, value in constants.items()}
            sizes = (*grid, 1, 1)[:3]
            builder.set_grid_dim(*sizes)
            for place in itertools.product(*map(range, sizes)):
                builder.set_grid_idx(*place)
                if kernel(*given, **fixed) is ...:
                    raise NotWritten("the kernel is not written yet")
    finally:
        if scope is not None:  # before Triton 3.6 its language stays interpreted to the end
            scope.restore()
    return loaded, stored


def _launched_elsewhere(kernel: Callable, launch: Launch) -> tuple[list, list]:
    noted = kernel(launch)
    if noted is ...:
        raise NotWritten("the kernel is not written yet")
    return noted


@contextmanager
def _noted(builder, what: str, arguments):
    """The addresses of all loads, or stores, whose mask is True."""
    name, found = f"create_masked_{what}", []
    original = getattr(builder, name)
    storages = [one.untyped_storage() for one in arguments if isinstance(one, Tensor)]
    owned = [(one.data_ptr(), one.data_ptr() + one.nbytes()) for one in storages]

    def noting(pointers, *others, **options):
        mask = others[0] if what == "load" else others[1]
        addresses = pointers.data[np.asarray(mask.data, dtype=bool)]
        inside = [(begin <= addresses) & (addresses < end) for begin, end in owned]
        if not np.any(inside, axis=0).all():
            raise IndexError(f"the kernel would {what} where none of its tensors lies")
        found.append(addresses)
        return original(pointers, *others, **options)

    setattr(builder, name, noting)
    try:
        yield found
    finally:
        delattr(builder, name)


def _seeing(tl):
    """A function with Triton's language among its globals, which is where Triton looks for it."""
    return FunctionType((lambda: None).__code__, {"tl": tl})
