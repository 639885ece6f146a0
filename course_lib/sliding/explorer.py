"""Sliders that redraw a picture in place, and say in words what it shows.

    explore_two_vectors = Explorer(
        compute, draw, describe,
        sliders={"angle": IntRange(0, 180, start=60, label="angle in degrees")},
        handles={"b": Handle(...)},                # what one takes hold of; see handles.py
        functions={"dot": dot},                    # the course's; a notebook passes the learner's
        goal=Goal("Find an angle at which the dot product is 0.",
                  lambda params, data: data["dot"] == 0, solution={"angle": 90}),
        question="What happens at 270 degrees?",   # shown once the goal is reached,
        answer="It is 0 again.",                   # and this folded below it
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
    it draws and leaves out of `moving` stays. Then `update(data)` is called at each step. Lines,
    bars and patches named as `ghosts` leave the start behind as a dashed outline; `goal` is a mark
    in the picture (`goal_band`, `goal_ring`), filled once the goal is reached (figures/ghosts.py).
    Draw in `moving` whatever `update` changes, titles too (`axes.title`). Keep titles to the same
    number of lines. With moving=None every step redraws everything.
describe(params, data) -> sentence
    Already in words (use `say`). It stands under the picture .3 seconds after the last step,
    and is the picture's text for who cannot see it.

Two pictures are drawn, yours and right, where the learner's function is wrong but gives data.
"""

from collections.abc import Callable, Iterable
from typing import Any

from course_lib.sliding.definition import Definition, Goal
from course_lib.sliding.picture import Drawing
from course_lib.sliding.session import Frame, Session

__all__ = ["Drawing", "Explorer", "Goal"]


class Explorer(Definition):
    """A picture with sliders; the module's docstring says how to write one.

    Raises: ValueError, if there is no slider, a name is both a slider and a function, a handle
    does not fit the sliders, or there is an answer without a question.
    """

    _course: Session | None = None  # drawn by the course's functions alone

    def session(self, **functions: Callable | None) -> Session:
        """This explorer with a learner's functions, without widgets.

        Raises: TypeError, if there is no function of that name.
        """
        _check_names(functions, self.functions, "function")
        return Session(self, functions)

    def frame(self, **params: Any) -> Frame:
        """The setting `params` (the start, where one is left out) with the course's functions."""
        _check_names(params, self.sliders, "slider")
        for name, value in params.items():
            self.sliders[name].refuse(value)
        return self._ours().frame({**self.start, **params})

    def render(self, **params: Any) -> bytes:
        """The picture at `params` with the course's functions, as PNG, without widgets.

        Raises: TypeError for a name that is no slider; ValueError for a value out of range.
        """
        return self._ours().stored_picture(self.frame(**params))

    def _ours(self) -> Session:
        if self._course is None:
            self._course = Session(self)
        return self._course

    def __call__(self, **functions: Callable | None) -> None:
        """Show picture and sliders, drawn by the learner's `functions` where they are given.

        Raises: TypeError, if there is no function of that name.
        """
        from course_lib.sliding.panel import Panel

        _check_names(functions, self.functions, "function")
        Panel(self, functions).show()


def _check_names(given: Iterable[str], known: Iterable[str], kind: str) -> None:
    if unknown := [name for name in given if name not in known]:
        raise TypeError(
            f"{unknown[0]} is no {kind} of this explorer; it has: {', '.join(known) or 'none'}"
        )
