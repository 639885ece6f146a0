"""All explorers of all chapters; a new one is found by itself."""

import importlib
import pkgutil

from course_lib import explorers as room
from course_lib.sliding.explorer import Explorer


def explorers() -> dict[str, Explorer]:
    """Every explorer by its full name, such as "dot_product.explore_two_vectors"."""
    return {
        f"{module.name}.{name}": thing
        for module in pkgutil.iter_modules(room.__path__)
        if not module.ispkg
        for name, thing in vars(importlib.import_module(f"{room.__name__}.{module.name}")).items()
        if isinstance(thing, Explorer)
    }
