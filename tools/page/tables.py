"""An explorer as a table: its frames, drawn here and now by the course's functions.

A table is plain JSON. What repeats is stored once in `strings`; a frame refers to it by number:

    axes      each with its parameter, its number in it, its stops; the place of the start
    start     what explorer.js needs before the first question (answers.py says what)
    moves     by handle, for each of its circles the axes that it moves
    at        by axis, for each frame the place of its stop
    parts     by moving artist, for each frame its SVG (one number where it never changes)
    words, alt, places, numbers, reached      for each frame

The picture that stays below is a file of its own.
"""

import base64
import gzip
import json
import re
from dataclasses import dataclass
from typing import Any

from course_lib.sliding.answers import Answers
from course_lib.sliding.definition import Definition
from course_lib.sliding.handles import Handle, moved
from course_lib.sliding.session import Session
from tools.page.stops import Axis, Plan, axes_of, plan

LARGEST = 300_000  # bytes of a table, compressed as a server sends it
MOST = 1200  # frames: some seconds of drawing for each explorer
LONG_NUMBER = re.compile(r"(?<![\w.#])(-?[1-9]\d*\.\d\d)\d+")  # a hundredth of a point is enough
REFERENCE = re.compile(r"#([\w-]+)")
NAME = re.compile(r' id="([^"]*)"')
EMPTY = re.compile(r"<(g|defs)\s*/>|<(g|defs)>\s*</\2>")


@dataclass(frozen=True)
class Table:
    """What a page loads to move an explorer.

    data: as the module says.   below: the PNG that stays.
    """

    data: dict[str, Any]
    below: bytes

    @property
    def text(self) -> str:
        """The table as JSON."""
        return json.dumps(self.data, ensure_ascii=False, separators=(",", ":"))

    @property
    def size(self) -> int:
        """Bytes, compressed."""
        return compressed(self.text)

    @property
    def frames(self) -> int:
        """How many frames there are."""
        return len(self.data["words"])

    @property
    def told(self) -> dict[str, Any]:
        """As plain data."""
        return {"data": self.data, "below": base64.b64encode(self.below).decode()}

    @classmethod
    def heard(cls, told: dict[str, Any]) -> "Table":
        """From plain data."""
        return cls(told["data"], base64.b64decode(told["below"]))


def compressed(text: str) -> int:
    """How many bytes a server sends for a text."""
    return len(gzip.compress(text.encode(), 6))


def drawn(explorer: Definition, mark: str, *, largest: int = LARGEST, most: int = MOST) -> Table:
    """The frames of an explorer, thinned until they are small enough.

    mark: goes into the names that SVG refers to by; two explorers on a page need two marks.

    Raises: RuntimeError, if the course's own functions fail at one of the settings.
    """
    frames = Frames(explorer, mark)
    axes = axes_of(explorer)
    while True:
        made = frames.table(plan(axes, most))
        if made.size <= largest:
            return made
        most = int(min(0.95, largest / made.size) * made.frames)


class Frames:
    """The frames of one explorer, each drawn once."""

    def __init__(self, explorer: Definition, mark: str):
        self.explorer, self.mark = explorer, mark
        self.answers = Answers(Session(explorer))
        self.start = self.answers.start()
        self._drawn: dict[str, dict] = {}

    def frame(self, params: dict[str, Any]) -> dict:
        """What is shown at a setting.

        Raises: RuntimeError, if it cannot be drawn.
        """
        key = json.dumps(params)
        if key not in self._drawn:
            told = self.answers.to({"params": params})
            if len(told["panes"]) != 1:
                raise RuntimeError(f"{self.mark} at {params}: {told['words']}")
            (pane,) = told["panes"]
            if pane["below"] != self.start["frame"]["panes"][0]["below"]:
                raise RuntimeError(f"{self.mark}: a picture without moving parts has no table")
            pane["parts"] = [slim(part, self.mark) for part in pane["parts"]]
            del pane["below"]
            self._drawn[key] = told
        return self._drawn[key]

    def table(self, chosen: Plan) -> Table:
        """The table of these frames."""
        settings = list(chosen.settings())
        frames = [self.frame(chosen.params(setting)) for setting in settings]
        strings = Strings()
        panes = [frame["panes"][0] for frame in frames]
        parts = [
            strings.column([pane["parts"][i] for pane in panes])
            for i in range(len(panes[0]["parts"]))
        ]
        start = tuple(axis.start for axis in chosen.axes)
        data = {
            "axes": [_axis(axis) for axis in chosen.axes],
            "start": self._start(chosen),
            "first": settings.index(start),
            "moves": {name: self._moves(name, chosen.axes) for name in self.explorer.handles},
            "size": panes[0]["size"],
            "at": [list(places) for places in zip(*settings, strict=True)],
            "parts": parts,
            "words": strings.column([frame["words"] for frame in frames], fold=False),
            "alt": strings.column([pane["alt"] for pane in panes]),
            "places": {
                name: [[strings.json(place) for place in pane["places"][name]] for pane in panes]
                for name in self.explorer.handles
            },
            "numbers": [[strings.json(row) for row in frame["numbers"]] for frame in frames],
            "reached": [int(bool(frame["reached"])) for frame in frames],
            "strings": list(strings.known),
        }
        below = self.start["frame"]["panes"][0]["below"].partition(",")[2]
        return Table(data, base64.b64decode(below))

    def _start(self, chosen: Plan) -> dict[str, Any]:
        """What the front end needs at first: sliders that stop where the table has frames."""
        controls = []
        for control in self.start["controls"]:
            mine = [axis for axis in chosen.axes if axis.name == control["name"]]
            stops = sorted({stop for axis in mine for stop in axis.stops})
            controls.append(control | {"stops": stops})
        return self.start | {"controls": controls, "frame": None}

    def _moves(self, name: str, axes: tuple[Axis, ...]) -> list[list[int]]:
        """For each circle of a handle the places of its axes; one entry where all are alike."""
        handle = self.explorer.handles[name]
        mine = [i for i, axis in enumerate(axes) if axis.name in moved(handle)]
        apart = isinstance(handle, Handle) and handle.many
        return [[i] for i in mine] if apart else [mine]


class Strings:
    """Texts, each with its number."""

    def __init__(self) -> None:
        self.known: dict[str, int] = {}

    def number(self, text: str) -> int:
        """The number of a text."""
        return self.known.setdefault(text, len(self.known))

    def json(self, value: Any) -> int:
        """The number of a value's JSON."""
        return self.number(json.dumps(value, ensure_ascii=False, separators=(",", ":")))

    def column(self, texts: list[str], fold: bool = True) -> list[int] | int:
        """The numbers of texts; fold: one number where all are the same."""
        numbers = [self.number(text) for text in texts]
        return numbers[0] if fold and len(set(numbers)) == 1 else numbers


def _axis(axis: Axis) -> dict[str, Any]:
    told = {"name": axis.name, "stops": list(axis.stops), "start": axis.start}
    return told | ({} if axis.index is None else {"index": axis.index})


def slim(fragment: str, mark: str) -> str:
    """The same SVG, shorter: without names that nobody uses, and without endless digits."""
    named = set(NAME.findall(fragment)) & set(REFERENCE.findall(fragment))
    fragment = NAME.sub(lambda m: f' id="{m[1]}{mark}"' if m[1] in named else "", fragment)
    fragment = REFERENCE.sub(lambda m: m[0] + mark if m[1] in named else m[0], fragment)
    return EMPTY.sub("", LONG_NUMBER.sub(r"\1", fragment)).strip()
