"""An explorer on the page: a widget whose front end asks, and a session that answers."""

from collections.abc import Callable, Mapping

import anywidget
import traitlets

from course_lib.showing import running_shell, show, with_look
from course_lib.sliding.answers import Answers
from course_lib.sliding.definition import Definition
from course_lib.sliding.front_end import FRONT, front_end
from course_lib.sliding.session import Session
from course_lib.words import say


class Widget(anywidget.AnyWidget):
    """Carries the front end to the page, and questions and frames to and fro.

    start: what `Answers.start` tells.
    """

    _esm, _css = front_end(), with_look(FRONT / "explorer.css")
    start = traitlets.Dict().tag(sync=True)


class Panel:
    """One shown explorer."""

    def __init__(self, explorer: Definition, functions: Mapping[str, Callable | None]):
        self.explorer = explorer
        self.session = Session(explorer, functions)
        self.answers = Answers(self.session)
        self.widget = Widget(start=self.answers.start())
        self.widget.on_msg(lambda _, message, buffers: self.heard(message))

    def heard(self, message: Mapping) -> None:
        """Answer what the front end asks; of anything else take no notice."""
        if message.get("kind") == "ask":
            self.widget.send({"kind": "frame"} | self.answers.to(message))

    def show(self) -> None:
        """Put the widget, and the picture that stays without a kernel, on the page."""
        frame = self.session.start
        plain = self.session.sentence(frame)
        if self.explorer.goal:
            plain = f"{plain} {say('Goal:')} {say(self.explorer.goal.text)}"
        png = None if frame.broken else self.session.stored_picture(frame)
        _replace(self)
        show(plain, png=png, widget=self.widget)
        self.session.let_go()

    def close(self) -> None:
        """Let the widget go: its model would else stay in memory, and in the saved notebook."""
        self.widget.layout.close()
        self.widget.close()


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
