"""A bar for a loop that lasts, such as a training run.

    for step in with_progress(range(400), "training"):
        ...

In a notebook it is tqdm's widget, with the time that is left; what is stored with the notebook is
the label alone, because a time would differ at each run. Elsewhere it is a line in the terminal,
and nothing where the output goes into a file.
"""

import time
from collections.abc import Iterable, Iterator

from course_lib.showing import running_shell, show


def with_progress(
    items: Iterable, label: str, total: int | None = None, *, seconds: float | None = None
) -> Iterator:
    """Yield what `items` yields, and show how many of them are done.

    label: what is going on, for the learner, already in their language.
    total: how many there will be, where len(items) does not tell.
    seconds: it stops behind the first item that ends later than that; never, where it is None.
    """
    end = None if seconds is None else time.monotonic() + seconds
    bar = _in_a_notebook if hasattr(running_shell(), "kernel") else _in_a_terminal
    shown = bar(items, label, total)
    for item in shown:
        yield item
        if end is not None and time.monotonic() > end:
            shown.close()
            return


def _in_a_notebook(items, label, total):
    from tqdm.notebook import tqdm

    # Displayed by tqdm, the bar would leave its text in the notebook: percent, seconds and speed.
    bar = tqdm(items, desc=label, total=total, display=False)
    show(label, widget=bar.container)
    return bar


def _in_a_terminal(items, label, total):
    from tqdm.std import tqdm

    return tqdm(items, desc=label, total=total, disable=None)  # None: only where a person looks
