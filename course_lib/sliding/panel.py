"""An explorer on the page: controls above, picture, sentence, goal, and the folded numbers."""

from collections.abc import Callable, Mapping
from html import escape

import ipywidgets
import traitlets

from course_lib.figures.theme import DPI
from course_lib.showing import running_shell, show
from course_lib.sliding.controls import Control, name_it
from course_lib.sliding.debounce import Debounced
from course_lib.sliding.definition import Definition, Goal
from course_lib.sliding.session import Session
from course_lib.words import say

STATUS = '<div role="status" aria-live="polite" style="line-height: 1.45">{lines}</div>'
BESIDE = "1 1 440px"  # two pictures stand side by side where each has 440 pixels, else stacked


class NamedImage(ipywidgets.Image):
    """An image whose tooltip can be set: its name for who cannot see it.

    ipywidgets has no alternative text for images. A tooltip becomes the element's title, which is
    its accessible name; but the front end of version 8 asks for a description that images lack,
    and stops drawing. An empty one mends that.
    """

    description = traitlets.Unicode("").tag(sync=True)


class Pane:
    """One picture on the page: an image of what stays, and over it the SVG of what moves."""

    def __init__(self, width: int):
        same = {"max_width": "100%", "grid_area": "1 / 1 / 2 / 2", "align_self": "flex-start"}
        self.image = NamedImage(
            format="png", layout=ipywidgets.Layout(**same), width=str(width)
        )  # half of its pixels: sharp on dense screens
        self.above = ipywidgets.HTML(layout=ipywidgets.Layout(width=f"{width}px", **same))
        self.widget = ipywidgets.GridBox(
            [self.image, self.above],
            layout=ipywidgets.Layout(
                grid_template_columns="minmax(0, 1fr)", max_width="100%", display="none"
            ),
        )
        self._sent: bytes | None = None

    def show(self, below: bytes, above: str) -> None:
        """Put a new PNG, where it is new, and new SVG."""
        if below is not self._sent:
            self._sent = self.image.value = below
        self.above.value = above

    def place(self, beside: bool) -> None:
        """Show it, alone or beside another."""
        layout = self.widget.layout
        layout.display = "grid"
        layout.flex, layout.min_width = (BESIDE, "0") if beside else (None, None)

    def hide(self) -> None:
        """Take it off the page."""
        self.widget.layout.display = "none"


class Panel:
    """One shown explorer: each step of a slider redraws; half a second later the words follow."""

    def __init__(self, explorer: Definition, functions: Mapping[str, Callable | None]):
        self.explorer = explorer
        self.session = Session(explorer, functions)
        self.frame = self.session.start
        self.was_reached, self._shown = False, 0
        self.controls = {n: Control(s, self.moved) for n, s in explorer.sliders.items()}
        width = round(DPI * explorer.size[0])
        self.panes = [Pane(width), Pane(width)]
        self.words = ipywidgets.HTML()
        self.fold = ipywidgets.Checkbox(description=say("Show the numbers"), indent=False)
        self.fold.layout.display = None if explorer.numbers else "none"
        self.fold.observe(lambda change: self.rewrite(), "value")
        self.table = ipywidgets.HTML()
        self.rewrite_later = Debounced(self.rewrite)
        self.widget = ipywidgets.VBox(
            [
                *[control.widget for control in self.controls.values()],
                ipywidgets.HBox(
                    [pane.widget for pane in self.panes],
                    layout=ipywidgets.Layout(flex_flow="row wrap", max_width="100%"),
                ),
                self.words, self.fold, self.table,
            ]
        )  # fmt: skip
        self.redraw()
        self.rewrite()

    def show(self) -> None:
        """Put the widget, and the picture that stays without a kernel, on the page."""
        plain = self.session.sentence(self.frame)
        if self.explorer.goal:
            plain = f"{plain} {say('Goal:')} {say(self.explorer.goal.text)}"
        png = None if self.frame.broken else self.session.stored_picture(self.frame)
        _replace(self)
        show(plain, png=png, widget=self.widget)
        self.session.let_go()

    def close(self) -> None:
        """Let the widgets go: their models would else stay in memory, and in the saved notebook."""
        waiting = [self.widget]
        while waiting:
            widget = waiting.pop()
            waiting += getattr(widget, "children", ())
            for part in ("layout", "style"):
                if hasattr(widget, part):
                    getattr(widget, part).close()
            widget.close()

    def moved(self) -> None:
        """A parameter changed."""
        self.frame = self.session.frame({n: c.value for n, c in self.controls.items()})
        self.redraw()
        self.rewrite_later()

    def redraw(self) -> None:
        """Show the pictures of the current frame; a broken frame leaves the last ones."""
        pictures = self.session.layers(self.frame)
        if not pictures:
            return
        for pane, (below, above) in zip(self.panes, pictures, strict=False):
            pane.show(below, above)
        if len(pictures) != self._shown:
            self._shown = len(pictures)
            for number, pane in enumerate(self.panes):
                pane.place(self._shown > 1) if number < self._shown else pane.hide()

    def rewrite(self) -> None:
        """Say what the picture shows now."""
        reached = self.session.reached(self.frame)
        self.was_reached = self.was_reached or reached
        lines = [f"<p>{escape(self.session.sentence(self.frame))}</p>"]
        if self.explorer.goal:
            lines.append(f"<p>{self._goal(self.explorer.goal, reached)}</p>")
        if self.was_reached and self.explorer.question:
            lines.append(f"<p>{escape(say(self.explorer.question))}</p>")
        self.words.value = STATUS.format(lines="".join(lines))
        self.table.value = self._rows() if self.fold.value else ""
        for pane, text in zip(self.panes, self.session.sentences(self.frame), strict=False):
            name_it(pane.image, text)

    def _goal(self, goal: Goal, reached: bool) -> str:
        state = (
            say("Reached ✓") if reached
            else say("Reached before; not at this setting") if self.was_reached
            else say("Not reached yet")
        )  # fmt: skip
        text = escape(say(goal.text))
        return f"<b>{escape(say('Goal:'))}</b> {text} <b>{escape(state)}.</b>"

    def _rows(self) -> str:
        cells = "".join(
            "<tr>" + "".join(f"<td>{escape(str(cell))}</td>" for cell in row) + "</tr>"
            for row in self.session.numbers(self.frame)
        )
        return f"<table>{cells}</table>"


# by cell: the run that showed panels, and these, which a rerun replaces
_SHOWN: dict[str, tuple[str | None, list[Panel]]] = {}


def _replace(panel: Panel) -> None:
    """Close what an earlier run of the same cell showed; its output is gone from the page."""
    cell, run = _cell()
    if cell is None:
        return
    before, panels = _SHOWN.get(cell, (run, []))
    if before != run:
        for old in panels:
            old.close()
        panels = []
    _SHOWN[cell] = (run, [*panels, panel])


def _cell() -> tuple[str | None, str | None]:
    """The running cell and this run of it, where the front end tells them (JupyterLab 4 does)."""
    try:
        parent = running_shell().get_parent()
        return parent["metadata"]["cellId"], parent["header"]["msg_id"]
    except (AttributeError, KeyError, TypeError):
        return None, None
