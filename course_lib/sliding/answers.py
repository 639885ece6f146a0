"""What the front end asks, and what it is told: plain data that goes through JSON.

    answers = Answers(session)
    answers.start()                                   # controls, handles, texts, the first frame
    answers.to({"id": 7, "since": 3, "params": {...}})                       # a slider moved
    answers.to({"handle": "b", "which": 0, "pane": 0, "at": [x, y], ...})    # a handle was dragged
    answers.to({"handle": "b", "which": 0, "pane": 0, "key": "ArrowUp", ...})

A frame tells the values of all parameters, each picture (the PNG where it is new, the SVG of each
moving artist, where the handles stand, its words), the sentence, the goal's state, the numbers.
`since` is the number of the frame that the asker has: of its SVG only what changed is sent then.
No widgets here, so all of it is tested without a browser, and a page without a kernel can be made
of it.
"""

import base64
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from course_lib.figures import svg
from course_lib.figures.theme import DPI
from course_lib.sliding.handles import Handle, places, snapped, stepped, told, value_told
from course_lib.sliding.picture import Picture
from course_lib.sliding.sentences import texts
from course_lib.sliding.session import Frame, Session, defect
from course_lib.words import say

BASES = 4  # frames that a next one may refer to: so many may be on their way
Pictures = dict[str, tuple[bytes, list[str]]]  # by kind: the PNG, the SVG of each moving artist


class Answers:
    """The answers of one session, in order: each may refer to one of the last."""

    def __init__(self, session: Session):
        self.session, self.explorer = session, session.explorer
        self._number, self._frame = 0, session.start
        self._told: dict[int, Pictures] = {}  # by the frame's number
        self._png: dict[str, tuple[bytes, str]] = {}

    def start(self) -> dict:
        """All that the front end needs before the first question."""
        explorer = self.explorer
        return {
            "controls": [{"name": n} | spec.told() for n, spec in explorer.sliders.items()],
            "handles": [told(n, one, explorer.sliders) for n, one in explorer.handles.items()],
            "width": round(DPI * explorer.size[0]),
            "goal": say(explorer.goal.text) if explorer.goal else "",
            "question": say(explorer.question) if explorer.question else "",
            "answer": say(explorer.answer) if explorer.answer else "",
            "texts": texts(),
            "frame": self._frame_told(self.session.start, since=None),
        }

    def to(self, question: Mapping[str, Any]) -> dict:
        """The frame that a question asks for. Never raises: what goes wrong becomes its words."""
        try:
            frame = self.session.frame(self._params(question))
            answer = self._frame_told(frame, question.get("since"))
            self._frame = frame
        except BaseException as error:  # also SystemExit, which a learner's result may raise
            answer = {"panes": [], "words": defect(error), "number": self._number}
        return answer | {"id": question.get("id")}

    def _params(self, question: Mapping[str, Any]) -> dict[str, Any]:
        sliders = self.explorer.sliders
        params = {name: spec.taken(question["params"][name]) for name, spec in sliders.items()}
        handle = self.explorer.handles.get(question.get("handle", ""))
        if not isinstance(handle, Handle):
            return params
        which = int(question.get("which", 0))
        frame = self._frame
        if "key" in question and frame.params != params:
            frame = self.session.frame(params)
        kind = list(frame.pictures)[int(question.get("pane", 0))]
        picture, data = self.session.picture(kind), frame.pictures[kind]
        axes, *xy = places(handle, data)[which]
        if "key" not in question:
            asked = handle.asks(picture.coordinates(axes, *question["at"]), params, which)
            return snapped(sliders, handle, asked, params)
        right, down = picture.points((axes, *xy))  # type: ignore[arg-type]

        def ahead(more: float, up: float) -> tuple[float, float]:
            return picture.coordinates(axes, right + more, down - up)

        return stepped(sliders, handle, params, which, question["key"], ahead)

    def _frame_told(self, frame: Frame, since: int | None) -> dict:
        session, before = self.session, self._told.get(since or 0, {})
        shown = session.parts(frame)
        self._number += 1
        now: Pictures = {kind: (below, parts) for kind, _, below, parts in shown}
        self._told[self._number] = now
        self._told.pop(self._number - BASES, None)
        alts = session.sentences(frame)
        return {
            "number": self._number,
            "since": since if before else None,
            "mode": session.mode,
            "params": {n: spec.sent(frame.params[n]) for n, spec in self.explorer.sliders.items()},
            "panes": [
                self._pane_told(kind, picture, before.get(kind), now[kind], frame)
                | {"alt": alt, "kind": kind}
                for (kind, picture, *_), alt in zip(shown, alts, strict=False)
            ],
            "words": session.sentence(frame),
            "reached": session.reached(frame),
            "numbers": [[str(cell) for cell in row] for row in session.numbers(frame)],
        }

    def _pane_told(
        self, kind: str, picture: Picture, before: Any, now: tuple, frame: Frame
    ) -> dict[str, Any]:
        below, parts = now
        size = [side * svg.UNIT for side in picture.size]
        pane: dict[str, Any] = {"size": size, "places": self._places(picture, kind, frame)}
        if before is None or before[0] is not below:
            pane["below"] = self._address(kind, below)
        if before is None or len(before[1]) != len(parts):
            return pane | {"parts": parts}
        pairs = enumerate(zip(before[1], parts, strict=True))
        return pane | {"changed": {i: new for i, (old, new) in pairs if old != new}}

    def _address(self, kind: str, png: bytes) -> str:
        kept = self._png.get(kind)
        if kept is None or kept[0] is not png:
            address = f"data:image/png;base64,{base64.b64encode(png).decode()}"
            kept = self._png[kind] = png, address
        return kept[1]

    def _places(self, picture: Picture, kind: str, frame: Frame) -> dict[str, list]:
        """Of each handle where it stands, in points, and its value."""
        found, sliders = {}, self.explorer.sliders
        for name, handle in self.explorer.handles.items():
            with suppress(Exception):  # data of a wrong function may have no place for it
                found[name] = [
                    [round(side, 1) for side in picture.points(place)]
                    + [*value_told(handle, sliders, frame.params, which)]
                    for which, place in enumerate(places(handle, frame.pictures[kind]))
                ]
        return found
