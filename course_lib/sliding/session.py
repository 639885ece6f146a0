"""One explorer with one learner's functions: parameters in, pictures and sentences out.

No widgets here, so all of it is tested without a browser.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np

from course_lib.figures.png import halved, small_png
from course_lib.figures.theme import LIVE_DPI, RIGHT, YOURS
from course_lib.learner.compare import all_finite, drawn_alike, misfit
from course_lib.learner.time_limit import TimeUp, limited
from course_lib.sliding.definition import Definition, Params
from course_lib.sliding.own_function import Stopped, own_function, undisturbed
from course_lib.sliding.picture import Picture
from course_lib.words import say

PATIENCE = 1.0  # seconds that a learner's code may take for one step of a slider
TOO_SLOW = "it takes too long for a slider"
RERUN = "Rerun this cell after changing yours."


@dataclass
class Frame:
    """What the explorer shows for one setting.

    right: the data that goal and numbers are about; None where ours failed.
    yours: the data of the learner's function, where it is drawn beside.
    note: whose code drew it, in words.   broken: what to say where ours failed.
    """

    params: dict[str, Any]
    right: Any = None
    yours: Any = None
    own: bool = False  # `right` comes from the learner's function, which was judged right
    note: str = ""
    broken: str = ""

    @property
    def pictures(self) -> dict[str, Any]:
        """The data of each picture by its kind: "one", or "yours" and "right"."""
        if self.right is None:
            return {}
        if self.yours is None:
            return {"one": self.right}
        return {"yours": self.yours, "right": self.right}


class Session:
    """An explorer, the learner's functions, and the pictures made so far.

    given: by name, what exercises bound or plain functions, as the notebook passed them.
    """

    def __init__(
        self,
        explorer: Definition,
        given: Mapping[str, Callable | None] | None = None,
        *,
        dpi: int = LIVE_DPI,
    ):
        self.explorer, self.dpi = explorer, dpi
        course = explorer.functions
        self.own = [own_function(name, one, course[name]) for name, one in (given or {}).items()]
        self.written = [one for one in self.own if one.function is not None]
        self.judged_right = all(one.judged_right for one in self.written)
        self.beside = any(one.judged and not one.judged_right for one in self.written)
        self.too_slow = False
        self._pictures: dict[str, Picture] = {}
        self.start = self.frame(explorer.start)

    @property
    def mode(self) -> str:
        """Another where earlier frames would now be drawn otherwise."""
        return f"{self.beside} {self.judged_right} {self.too_slow}"

    def frame(self, params: Params) -> Frame:
        """Compute one setting with the learner's functions, or with the course's where they fail.

        Never raises: a defect of ours becomes `broken`, a sentence.
        """
        frame = Frame(dict(params))
        yours, problem = self._theirs(params)
        if yours is not None and self.judged_right and all_finite(yours):
            frame.right, frame.own = yours, True  # judged already: no need to compute it twice
            frame.note = say("Your {names} draws this.", names=self._names())
            return frame
        return self._with_course(frame, yours, problem)

    def _with_course(self, frame: Frame, yours: Any, problem: str) -> Frame:
        """The frame with the course's data, and the learner's beside it where they are useful."""
        params = frame.params
        try:
            with undisturbed():
                frame.right = self.explorer.compute(**params, **self.explorer.functions)
        except BaseException as error:
            frame.broken = defect(error)
            return frame
        if yours is not None and not problem:
            problem = misfit(yours, frame.right)
        self._compare(frame, yours, problem)
        return frame

    def _theirs(self, params: Params) -> tuple[Any, str]:
        """The data computed with the learner's functions, or None and the reason why not."""
        if not self.written:
            return None, ""
        if self.too_slow:
            return None, say(TOO_SLOW)
        functions = {**self.explorer.functions, **{one.name: one.function for one in self.written}}
        try:
            with undisturbed():
                try:
                    return self._in_time(params, functions), ""
                except TimeUp:  # what our own part draws once and keeps may have taken the second
                    self.explorer.compute(**params, **self.explorer.functions)
                    return self._in_time(params, functions), ""
        except TimeUp:  # enough: each further step would take as long
            self.too_slow = True
            return None, say(TOO_SLOW)
        except Stopped as stopped:
            return None, stopped.reason
        except BaseException as error:
            return None, say("what it gives cannot be used here ({text})", text=_short(error))

    def _in_time(self, params: Params, functions: Mapping[str, Any]) -> Any:
        return limited(lambda: self.explorer.compute(**params, **functions), PATIENCE)

    def _compare(self, frame: Frame, yours: Any, problem: str) -> None:
        """Say whose code draws a frame, and draw the learner's beside the right one's."""
        if not self.written:
            if self.own:
                names = ", ".join(one.name for one in self.own)
                template = "The course's {names} draws this: yours is not written yet."
                frame.note = f"{say(template, names=names)} {say(RERUN)}"
        elif problem:
            template = "The course's {names} draws this, because yours fails here: {problem}."
            text = say(template, names=self._names(), problem=problem)
            frame.note = f"{text} {say(RERUN)}"
        else:
            same = drawn_alike(yours, frame.right)
            self.beside = self.beside or not same
            frame.yours = yours if self.beside else None
            template = (
                "Your {names} draws this; it agrees with the course's here."
                if not self.beside
                else "Your {names} was judged wrong; at this setting it agrees with the right one."
                if same
                else "Your {names} is drawn beside the right one: they differ."
            )
            frame.note = f"{say(template, names=self._names())} {say(RERUN)}"

    def _names(self) -> str:
        return ", ".join(one.name for one in self.written)

    def draw(self, frame: Frame) -> list[np.ndarray]:
        """One or two whole pictures of a frame; none where ours is broken. Never raises."""
        return self._each(frame, Picture.at)

    def layers(self, frame: Frame) -> list[tuple[bytes, str]]:
        """The same as a PNG that stays and SVG over it, which is quicker to show."""
        return self._each(frame, Picture.layers)

    def parts(self, frame: Frame) -> list[tuple[str, Picture, bytes, list[str]]]:
        """For each picture its kind, itself, the PNG, and the SVG of each moving artist."""

        def show(picture: Picture, data: Any) -> tuple[Picture, bytes, list[str]]:
            return picture, *picture.parts(data)

        shown = self._each(frame, show)
        return [(kind, *one) for kind, one in zip(frame.pictures, shown, strict=False)]

    def stored_picture(self, frame: Frame) -> bytes:
        """The pictures of a frame, one below the other, as a PNG that is small to store.

        Raises: RuntimeError, if the frame cannot be drawn.
        """
        pictures = self.draw(frame)
        if not pictures:
            raise RuntimeError(frame.broken)
        return small_png(halved(np.concatenate(pictures)), self.explorer.colours)

    def let_go(self) -> None:
        """Give back the memory that whole pictures took; the next ones take it anew."""
        for picture in self._pictures.values():
            with suppress(Exception):  # a picture that cannot be drawn keeps its memory
                picture.let_go()

    def _each(self, frame: Frame, show: Callable[[Picture, Any], Any]) -> list:
        for _ in range(2):
            try:
                return [
                    show(self._marked(kind, frame), data) for kind, data in frame.pictures.items()
                ]
            except BaseException as error:
                if frame.own:
                    self._distrust(frame, say("it cannot be drawn: {e}", e=_short(error)))
                elif frame.yours is not None:
                    frame.yours = None
                    self._compare(frame, None, say("it cannot be drawn: {e}", e=_short(error)))
                else:
                    frame.broken, frame.right = defect(error), None
                    return []
        return []

    def _distrust(self, frame: Frame, problem: str) -> None:
        """Take the course's data from now on, also for a function that was judged right."""
        self.judged_right = False
        for one in {id(frame): frame, id(self.start): self.start}.values():
            if one.own:
                one.own = False
                self._with_course(one, None, problem)

    def _marked(self, kind: str, frame: Frame) -> Picture:
        picture = self.picture(kind)
        picture.reach(self.reached(frame))
        return picture

    def picture(self, kind: str) -> Picture:
        """The picture of a kind of data, which is drawn the first time."""
        if kind not in self._pictures:
            start = self.start.yours if kind == "yours" else None
            start = self.start.right if start is None else start
            heading = {"yours": (say("yours"), YOURS), "right": (say("right"), RIGHT)}.get(kind)
            self._pictures[kind] = Picture(
                self.explorer.draw, start, self.explorer.size, dpi=self.dpi, heading=heading
            )
        return self._pictures[kind]

    def sentences(self, frame: Frame) -> list[str]:
        """What each picture of a frame shows, in words."""
        texts = []
        for kind, data in frame.pictures.items():
            try:
                text = self.explorer.describe(frame.params, data)
            except BaseException as error:
                text = "" if kind == "yours" else defect(error)
            lead = {"yours": say("Yours:"), "right": say("Right:")}.get(kind, "")
            texts.append(f"{lead} {text}".strip())
        return texts

    def sentence(self, frame: Frame) -> str:
        """What the explorer shows, and whose code drew it."""
        if frame.broken:
            return frame.broken
        return " ".join([*self.sentences(frame), frame.note]).strip()

    def reached(self, frame: Frame) -> bool:
        """Whether the goal is reached at this frame; a goal that fails is not."""
        if self.explorer.goal is None or frame.right is None:
            return False
        try:
            return bool(self.explorer.goal.reached(frame.params, frame.right))
        except BaseException:
            return False

    def numbers(self, frame: Frame) -> list[tuple]:
        """The rows of the table of numbers; none where there is no table."""
        if self.explorer.numbers is None or frame.right is None:
            return []
        try:
            return [tuple(row) for row in self.explorer.numbers(frame.params, frame.right)]
        except BaseException as error:
            return [(defect(error),)]


def _short(error: BaseException) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())[:160]}"


def defect(error: BaseException) -> str:
    """What is said where ours fails."""
    if isinstance(error, KeyboardInterrupt):
        return say("Interrupted. Move a slider to draw again.")
    return say(
        "This picture has a defect of ours at these settings ({text}). The rest of the chapter "
        "works without it.",
        text=_short(error),
    )
