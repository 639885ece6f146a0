"""Numbers are made and compared by the libraries as they were imported, not as a cell left them."""

import operator
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

WATCHED = ("numpy", "numpy.linalg", "math", "torch", "torch.nn.functional")

_kept: dict[str, dict[str, object]] = {}
_inside = ContextVar("_inside", default=False)


def keep_originals() -> None:
    """Remember the functions of the libraries; those that were seen before stay as they were."""
    for name in WATCHED:
        if name in sys.modules and name not in _kept:
            found = vars(sys.modules[name])
            _kept[name] = {key: one for key, one in found.items() if callable(one)}


@contextmanager
def originals() -> Iterator[None]:
    """While it lasts, a function that a learner's cell replaced (`np.isclose = ...`) is itself.

    Inside of another it costs nothing: no learner's code runs there.
    """
    if _inside.get():
        yield
        return
    keep_originals()
    replaced = [
        (vars(sys.modules[name]), *one)
        for name, functions in _kept.items()
        for one in _replaced(vars(sys.modules[name]), functions)
    ]
    for module, key, _, original in replaced:
        module[key] = original
    entered = _inside.set(True)
    try:
        yield
    finally:
        _inside.reset(entered)
        for module, key, now, _ in replaced:
            module[key] = now


def _replaced(module: dict, functions: dict) -> list[tuple[str, object, object]]:
    """Name, function now and original of what was replaced; what is gone stays so.

    A verdict asks after each call for two thousand functions, so a loop in C does it.
    """
    now = map(module.get, functions, functions.values())
    if all(map(operator.is_, now, functions.values())):
        return []
    pairs = ((key, module.get(key, original), original) for key, original in functions.items())
    return [one for one in pairs if one[1] is not one[2]]


keep_originals()
