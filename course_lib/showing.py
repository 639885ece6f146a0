"""One output bundle: a live widget, the picture that remains without a kernel, and its words.

A front end takes the richest part that it can show: a live notebook the widget, GitHub or a
print the picture or the HTML, a terminal or a screen reader the words.
"""

import base64
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

LOOK = Path(__file__).with_name("look.css")
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
    if widget is not None:
        bundle[WIDGET] = {"version_major": 2, "version_minor": 0, "model_id": widget.model_id}
    display(bundle, raw=True, metadata=metadata)


def with_look(style: Path) -> str:
    """The style sheet of a front end, after what all of them take from the page."""
    return LOOK.read_text(encoding="utf-8") + style.read_text(encoding="utf-8")


def running_shell() -> Any:
    """The IPython that runs this code, or None; it is not imported where nobody did."""
    if "IPython" in sys.modules:
        with suppress(Exception):
            return sys.modules["IPython"].get_ipython()
    return None
