"""Numbers are made and compared by the libraries as they were imported, not as a cell left them."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

WATCHED = ("numpy", "numpy.linalg", "math", "torch", "torch.nn.functional")

_kept: dict[str, dict[str, object]] = {}


def keep_originals() -> None:
    """Remember the functions of the libraries; those that were seen before stay as they were."""
    for name in WATCHED:
        if name in sys.modules and name not in _kept:
            found = vars(sys.modules[name])
            _kept[name] = {key: one for key, one in found.items() if callable(one)}


@contextmanager
def originals() -> Iterator[None]:
    """While it lasts, a function that a learner's cell replaced (`np.isclose = ...`) is itself."""
    keep_originals()
    replaced = [
        (module, key, module[key], original)
        for name, functions in _kept.items()
        for module in [vars(sys.modules[name])]
        for key, original in functions.items()
        if key in module and module[key] is not original
    ]
    for module, key, _, original in replaced:
        module[key] = original
    try:
        yield
    finally:
        for module, key, now, _ in replaced:
            module[key] = now


keep_originals()
