"""What is shown: a live widget, the picture that remains without a kernel, and its words.

A front end takes the richest part that it can show: a live notebook the widget, GitHub or a
print the picture or the HTML, a terminal or a screen reader the words.

Of a bundle with a widget, a saved notebook shows "model not found" and no picture where the
widget's state was not saved (Notebook 7, the classic notebook). So the picture and the widget are
two outputs, and a style between them hides the one that is not wanted. Colab and VS Code show
each output in another place, where no style reaches its neighbours: there it is one bundle.
"""

import base64
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

LOOK = Path(__file__).with_name("look.css")
SAVED = Path(__file__).with_name("saved.css")
BESIDE = "beside-widget"  # a class in `saved.css`, and the mark of the output that carries it
WIDGET = "application/vnd.jupyter.widget-view+json"


def show(
    plain: str,
    *,
    html: str | None = None,
    png: bytes | None = None,
    drawn: list[str] | None = None,
    widget: Any = None,
) -> None:
    """Display one output; outside a notebook, print its words.

    plain: what a reader without pictures should know. It is also the picture's alt text.
    html: the same as HTML.   png: a picture.   widget: an ipywidgets widget.
    drawn: what the picture shows, in words and numbers (course_lib/figures/drawn.py), where its
    pixels are not the same on every machine.
    """
    if running_shell() is None:
        print(plain)
        return
    from IPython.display import display

    bundle: dict[str, object] = {"text/plain": plain}
    metadata: dict[str, object] = {}
    if html is not None:
        bundle["text/html"] = html
    if png is not None:
        bundle["image/png"] = base64.b64encode(png).decode()
        metadata["image/png"] = {"alt": plain} | ({"drawn": drawn} if drawn else {})
    live = {} if widget is None else {WIDGET: _view(widget)}
    if live and len(bundle) > 1 and _outputs_are_neighbours():
        display(bundle, raw=True, metadata=metadata)
        style = f'<style class="{BESIDE}">{SAVED.read_text(encoding="utf-8")}</style>'
        display({"text/html": style, "text/plain": ""}, raw=True)
        display({**live, "text/plain": ""}, raw=True)
        return
    display(bundle | live, raw=True, metadata=metadata)


def _view(widget: Any) -> dict[str, object]:
    return {"version_major": 2, "version_minor": 0, "model_id": widget.model_id}


def _outputs_are_neighbours() -> bool:
    """Whether the outputs of a cell stand in one page, as in JupyterLab."""
    return "google.colab" not in sys.modules and "VSCODE_PID" not in os.environ


def with_look(style: Path) -> str:
    """The style sheet of a front end, after what all of them take from the page."""
    return LOOK.read_text(encoding="utf-8") + style.read_text(encoding="utf-8")


def running_shell() -> Any:
    """The IPython that runs this code, or None; it is not imported where nobody did."""
    if "IPython" in sys.modules:
        with suppress(Exception):
            return sys.modules["IPython"].get_ipython()
    return None
