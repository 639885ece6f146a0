"""A bet as a widget: its front end tells what was chosen, the kernel keeps it."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from course_lib.showing import with_look

FRONT = Path(__file__).parent / "front"


class BetWidget(anywidget.AnyWidget):
    """Carries the front end to the page, and what was chosen back.

    start: what the form shows at first.
    taken: gets each choice, as {"answer": the option's index or what was typed, "confidence": a key
    of CONFIDENCES, "placed": whether by the button}; gives what is said of it.
    """

    _esm, _css = FRONT / "bet.js", with_look(FRONT / "bet.css")
    start = traitlets.Dict().tag(sync=True)

    def __init__(self, start: Mapping[str, Any], taken: Callable[[Mapping], str]):
        super().__init__(start=dict(start))
        self.taken = taken
        self.on_msg(lambda _, message, buffers: self.heard(message))

    def heard(self, message: Mapping) -> None:
        """Keep what was chosen and say where the bet stands; of anything else take no notice."""
        if message.get("kind") == "take":
            self.send({"number": message.get("number"), "said": self.taken(message)})
