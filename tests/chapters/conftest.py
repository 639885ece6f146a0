"""What tests of chapters are given; explorers come one after the other.

An explorer's figure is made once in a process, and then serves all its tests.
"""

import pytest

from course_lib.figures import static
from course_lib.figures.static import show_figure


@pytest.fixture
def shown_by(monkeypatch):
    """A function of modules: the list that receives every figure that they show from now on.

    A figure is laid out as for showing; its pixels, which take longest, are left to the tests of
    the built notebooks.
    """

    def laid_out(figure, colours):
        figure.draw_without_rendering()
        return b""

    def listen(*modules):
        shown = []
        monkeypatch.setattr(static, "figure_png", laid_out)

        def keep(figure, words, **options):
            shown.append(figure)
            show_figure(figure, words, **options)

        for module in modules:
            monkeypatch.setattr(module, "show_figure", keep)
        return shown

    return listen


def pytest_collection_modifyitems(items):
    """Put the tests of test_every_explorer.py into the order of the explorers."""
    places = [n for n, item in enumerate(items) if item.path.name == "test_every_explorer.py"]
    of_one = {}
    for n in places:
        explorer = getattr(items[n], "callspec", None) and items[n].callspec.params["explorer"]
        of_one.setdefault(id(explorer), []).append(items[n])
    in_order = [item for items_of_one in of_one.values() for item in items_of_one]
    for n, item in zip(places, in_order, strict=True):
        items[n] = item
