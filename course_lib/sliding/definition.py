"""What an author writes of an explorer: its parts, without any picture made."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from course_lib.figures.png import COLOURS
from course_lib.figures.theme import WIDEST
from course_lib.sliding.handles import AnyHandle, checked
from course_lib.sliding.held import Slider
from course_lib.sliding.picture import Draw

Params = Mapping[str, Any]


@dataclass(frozen=True)
class Goal:
    """A task with an end that can be checked.

    text: what to find.   reached: params, data -> bool.
    solution: parameters (those that differ from the start) at which it is reached; a test looks.
    """

    text: str
    reached: Callable[[dict, Any], object]
    solution: Params = field(default_factory=dict)


class Definition:
    """The parts of an explorer; explorer.py says what each is.

    Raises: ValueError, if there is no slider, a name is both a slider and a function, a handle
    does not fit the sliders, or there is an answer without a question.
    """

    def __init__(
        self,
        compute: Callable[..., Any],
        draw: Draw,
        describe: Callable[[dict, Any], str],
        *,
        sliders: Mapping[str, Slider],
        handles: Mapping[str, AnyHandle] | None = None,
        functions: Mapping[str, Callable] | None = None,
        goal: Goal | None = None,
        question: str = "",
        answer: str = "",
        numbers: Callable[[dict, Any], list] | None = None,
        size: tuple[float, float] = (WIDEST, 3.5),
        colours: int = COLOURS,
    ):
        self.compute, self.draw, self.describe = compute, draw, describe
        self.sliders, self.functions = dict(sliders), dict(functions or {})
        self.goal, self.numbers, self.size, self.colours = goal, numbers, size, colours
        self.question, self.answer = question, answer
        if not self.sliders:
            raise ValueError("sliders is empty: a picture without a slider is a still figure")
        if answer and not question:
            raise ValueError(f"there is an answer, but no question: {answer!r}")
        if both := set(self.sliders) & set(self.functions):
            raise ValueError(f"{sorted(both)} are named as slider and as function")
        self.handles = checked(handles or {}, self.sliders)

    @property
    def start(self) -> dict[str, Any]:
        """The parameters before a slider is moved."""
        return {name: slider.start for name, slider in self.sliders.items()}
