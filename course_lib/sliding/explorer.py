"""Sliders that redraw a picture in place, and say in words what it shows.

    explore_two_vectors = Explorer(
        compute, draw, describe,
        sliders={"angle": IntRange(0, 180, start=60, label="angle in degrees")},
        functions={"dot": dot},                    # the course's; a notebook passes the learner's
        goal=Goal("Find an angle at which the dot product is 0.",
                  lambda params, data: data["dot"] == 0, solution={"angle": 90}),
        question="What happens at 270 degrees?",   # shown once the goal is reached
        numbers=lambda params, data: [("dot", f"{data['dot']:.2f}")],   # rows of the folded table
        size=(7.0, 3.5),                           # inches, 100 pixels each
        colours=32,                                # of the stored picture; 128, if left out
    )
    explore_two_vectors(dot=dot)                   # in a notebook: shows it
    explore_two_vectors.render(angle=90)           # PNG bytes, without widgets

compute(*, angle, dot) -> data
    Pure: a dict (or dataclass, tuple) of numbers and arrays. It gets the functions by keyword;
    those of the learner run on copies, in silence, and whatever goes wrong in them is caught.
draw(figure, data) -> Drawing(update, moving=[artists])
    `figure` may be a SubFigure. It is always called with the data of the START values, once: what
    it draws and leaves out of `moving` stays, which is how a ghost of the start is made
    (`draw_ghost(axes, data["b"])`). Then `update(data)` is called at each step.
    Draw in `moving` whatever `update` changes, titles too (`axes.title`). Keep titles to the same
    number of lines. With moving=None every step redraws everything.
describe(params, data) -> sentence
    Already in words (use `say`). It stands under the picture half a second after the last step,
    and is the picture's text for who cannot see it.

Two pictures are drawn, yours and right, where the learner's function is wrong but gives data.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from course_lib.figures.png import COLOURS, halved, small_png
from course_lib.figures.theme import WIDEST
from course_lib.sliding.picture import Drawing
from course_lib.sliding.session import Frame, Session

__all__ = ["Drawing", "Explorer", "Goal"]


@dataclass(frozen=True)
class Goal:
    """A task with an end that can be checked.

    text: what to find.   reached: params, data -> bool.
    solution: parameters (those that differ from the start) at which it is reached; a test looks.
    """

    text: str
    reached: Callable
    solution: Mapping = field(default_factory=dict)


class Explorer:
    """A picture with sliders; the module's docstring says how to write one.

    Raises: ValueError, if there is no slider, or a name is both a slider and a function.
    """

    def __init__(
        self, compute, draw, describe, *, sliders, functions=None, goal=None, question="",
        numbers=None, size=(WIDEST, 3.5), colours=COLOURS,
    ):  # fmt: skip
        self.compute, self.draw, self.describe = compute, draw, describe
        self.sliders, self.functions = dict(sliders), dict(functions or {})
        self.goal, self.question, self.numbers, self.size = goal, question, numbers, size
        self.colours = colours
        if not self.sliders:
            raise ValueError("sliders is empty: a picture without a slider is a still figure")
        if both := set(self.sliders) & set(self.functions):
            raise ValueError(f"{sorted(both)} are named as slider and as function")
        self._session = None

    @property
    def start(self) -> dict:
        """The parameters before a slider is moved."""
        return {name: slider.start for name, slider in self.sliders.items()}

    def session(self, **functions) -> Session:
        """This explorer with a learner's functions, without widgets.

        Raises: TypeError, if there is no function of that name.
        """
        self._check_names(functions, self.functions, "function")
        return Session(self, functions)

    def frame(self, **params) -> Frame:
        """The setting `params` (the start, where one is left out) with the course's functions."""
        self._check_names(params, self.sliders, "slider")
        for name, value in params.items():
            self.sliders[name].refuse(value)
        return self._ours().frame({**self.start, **params})

    def render(self, **params) -> bytes:
        """The picture at `params` with the course's functions, as PNG, without widgets.

        Raises: TypeError for a name that is no slider; ValueError for a value out of range.
        """
        return still(self._ours(), self.frame(**params))

    def _ours(self) -> Session:
        if self._session is None:
            self._session = Session(self)
        return self._session

    def __call__(self, **functions) -> None:
        """Show picture and sliders, drawn by the learner's `functions` where they are given.

        Raises: TypeError, if there is no function of that name.
        """
        from course_lib.sliding.panel import Panel

        self._check_names(functions, self.functions, "function")
        Panel(self, functions).show()

    def _check_names(self, given, known, kind: str) -> None:
        if unknown := [name for name in given if name not in known]:
            raise TypeError(
                f"{unknown[0]} is no {kind} of this explorer; it has: {', '.join(known) or 'none'}"
            )


def still(session: Session, frame: Frame) -> bytes:
    """The pictures of a frame, one below the other, as PNG for storing."""
    pictures = session.draw(frame)
    if not pictures:
        raise RuntimeError(frame.broken)
    return small_png(halved(np.concatenate(pictures)), session.explorer.colours)
