"""All explorers of all chapters; a new one is found by itself."""

import importlib
import pkgutil

from course_lib import chapters as room
from course_lib.sliding.explorer import Explorer


def explorers() -> dict[str, Explorer]:
    """Every explorer by its full name, such as "dot_product.explore_two_vectors"."""
    found = {}
    for chapter in pkgutil.iter_modules(room.__path__):
        folder = importlib.import_module(f"{room.__name__}.{chapter.name}.explorers")
        for module in pkgutil.iter_modules(folder.__path__):
            for name, thing in vars(
                importlib.import_module(f"{folder.__name__}.{module.name}")
            ).items():
                if isinstance(thing, Explorer):
                    found[f"{chapter.name}.{name}"] = thing
    return found
