"""What every test starts from, and every notebook that nbval runs: an empty learner's state.

And what nbval does not do by itself: it compares the texts of a notebook, here the pictures too.
"""

import functools
import os
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import settings

collect_ignore_glob = ["*/colab/*"]  # what Colab opens: nbval has no results there to compare
ROOT = Path(__file__).resolve().parent
STATE = tempfile.TemporaryDirectory(prefix="course-state-")  # removed when the process ends
ANOTHER_PICTURE = """\
The cell draws another picture now; build it again. Where only the last bits of training or of a
long sum are others, as on another processor, say show_figure(..., exact=False)."""
last_notebook = None

os.environ["COURSE_STATE"] = STATE.name
for name in ("COURSE_EDITION", "COURSE_LANG"):
    os.environ.pop(name, None)
# The list of fonts is this environment's own: one that another program left, made while files were
# missing, would change our pictures and make matplotlib warn below a figure.
os.environ["MPLCONFIGDIR"] = str(Path(sys.prefix) / "share" / "matplotlib-of-tests")
# Several tests run at a time: threads of torch that wait for each other would take both cores.
os.environ.setdefault("OMP_NUM_THREADS", "1")
# The same examples on every machine: a test that fails, fails for everyone.
settings.register_profile("course", derandomize=True, deadline=None)
settings.load_profile("course")


def pytest_configure(config):
    """Make the list of fonts once, before there are several processes that look for it."""
    if not any(Path(os.environ["MPLCONFIGDIR"]).glob("fontlist-*.json")):
        from tools.running import find_fonts

        find_fonts()


def pytest_terminal_summary(terminalreporter, config):
    """Say where pictures were counted only."""
    from tools.outputs import draws_as_pinned

    if config.getoption("nbval", False) and not draws_as_pinned():
        terminalreporter.write_line(
            "pictures: counted, not compared, since this matplotlib is not the pinned one"
        )


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    """Give each notebook its own state and its arithmetic, before nbval starts its kernel.

    Without a state of its own the learner's edition would show as done what its solutions did.
    The learner's edition is run as on an old processor, the solutions as on this one: so each
    chapter's numbers are compared in both, and so are its pictures, in no more time.
    """
    global last_notebook
    if item.path.suffix == ".ipynb" and item.path != last_notebook:
        last_notebook = item.path
        os.environ["COURSE_STATE"] = tempfile.mkdtemp(dir=STATE.name)
        here, old = arithmetics()
        for name, value in (here if is_solutions(item) else old).items():
            os.environ.pop(name, None)
            if value is not None:
                os.environ[name] = value


@functools.cache
def arithmetics():
    """The environment's words on arithmetic, as it was (None: none) and for an old processor."""
    from tools.running import old_processor

    old = old_processor()
    return {name: os.environ.get(name) for name in old}, old


def is_solutions(item):
    """Whether a cell belongs to a notebook with solutions."""
    return item.path.parent.name == "solutions"


def pytest_itemcollected(item):
    """Let nbval compare a cell's pictures when it has found the texts equal."""
    compare_texts = getattr(item, "compare_outputs", None)
    if compare_texts is None:
        return

    def compare(new, stored, *options):
        from tools.outputs import (
            draws_as_pinned,
            same_pictures,
            with_the_same_words,
            without_live,
        )

        new = without_live(new)
        same = compare_texts(new, stored, *options)
        if is_solutions(item):
            stored = with_the_same_words(learners_outputs(item), new)
        if same and not same_pictures(stored, new, by_sight=draws_as_pinned()):
            item.comparison_traceback.append(ANOTHER_PICTURE)
            same = False
        return same

    item.compare_outputs = compare


def learners_outputs(item):
    """What the same cell of the learner's edition has stored; [] where there is none."""
    stored = outputs_by_cell(item.path.parent.parent / item.path.name)
    return stored.get(item.cell.get("id"), [])


@functools.cache
def outputs_by_cell(path):
    """The outputs of a notebook, by the ids of its cells; {} where there is no such notebook."""
    import nbformat

    cells = nbformat.read(path, 4).cells if path.exists() else []
    return {cell.get("id"): cell.get("outputs", []) for cell in cells}
