"""The widget of one parameter: a slider with a field for the number, a list, or a box to tick."""

import math
from collections.abc import Callable
from typing import Any, get_args

import ipywidgets

from course_lib.sliding.sliders import FloatRange, IntRange, Options, Slider, Toggle

STYLE = {"description_width": "initial"}


class Control:
    """Holds the value of one parameter and tells when it changed.

    spec: IntRange, FloatRange, Options or Toggle.   changed: called with no argument.
    """

    def __init__(self, spec: Slider, changed: Callable[[], None]):
        self.spec, self._changed, self._following = spec, changed, False
        self.value: Any = spec.start
        self._notches: list[float] = []  # where a slider that counts them stops
        self.inputs = self._made(spec)
        for one in self.inputs:
            one.observe(self._moved, "value")
        self.widget = ipywidgets.HBox(
            self.inputs,
            layout=ipywidgets.Layout(align_items="center", max_width="100%", flex_flow="row wrap"),
        )

    def _made(self, spec: Slider) -> list:
        if isinstance(spec, IntRange | FloatRange):
            return self._range(spec)
        if isinstance(spec, Options):
            return self._options(spec)
        if isinstance(spec, Toggle):
            return self._toggle(spec)
        kinds = ", ".join(kind.__name__ for kind in get_args(Slider))
        raise TypeError(f"a slider is one of {kinds}; got {type(spec).__name__}")

    def _range(self, spec: IntRange | FloatRange) -> list:
        whole = isinstance(spec, IntRange)
        wide = ipywidgets.Layout(
            flex="1 1 auto", width="auto", min_width="240px", max_width="560px"
        )
        common = {"description": spec.label, "style": STYLE, "layout": wide, "readout": False}
        step: float | None = spec.step or (1 if whole else _nice_step(spec.low, spec.high))
        if spec.log:  # the slider counts the stops
            self._notches = spec.notches()
            slider = ipywidgets.IntSlider(
                value=spec.nearest_notch(spec.start), min=0, max=len(self._notches) - 1, **common
            )
            step = 1 if whole else None
        else:
            kind = ipywidgets.IntSlider if whole else ipywidgets.FloatSlider
            slider = kind(value=spec.start, min=spec.low, max=spec.high, step=step, **common)
        # A field for whole numbers drops the point while one types: 63.5 would become 635.
        typed = ipywidgets.BoundedFloatText(
            value=spec.start, min=spec.low, max=spec.high, step=step,
            layout=ipywidgets.Layout(width="5.5em", flex="0 0 auto"),
        )  # fmt: skip
        name_it(typed, spec.label)
        return [slider, typed]

    def _options(self, spec: Options) -> list:
        return [
            ipywidgets.Dropdown(
                options=list(spec.named().items()), value=spec.start,
                description=spec.label, style=STYLE,
                layout=ipywidgets.Layout(width="auto", max_width="100%"),
            )
        ]  # fmt: skip

    def _toggle(self, spec: Toggle) -> list:
        return [ipywidgets.Checkbox(value=spec.start, description=spec.label, indent=False)]

    def _moved(self, change) -> None:
        if self._following:
            return
        owner, value = change["owner"], change["new"]
        if self._counts(owner):
            value = self._notches[value]
        value = self.spec.value(value)
        if value != self.value:
            self.value = value
            self._changed()  # the picture first: it is what the learner waits for
            self._follow(owner, value)
        # A slider that is being dragged is left alone; a field shows what was made of its text.
        if isinstance(owner, ipywidgets.BoundedFloatText):
            owner.value = value

    def _follow(self, owner, value) -> None:
        """Bring the other input to the value that one of them was set to."""
        self._following = True
        try:
            for one in self.inputs:
                if one is not owner:
                    one.value = self._place(value) if self._counts(one) else value
        finally:
            self._following = False

    def _counts(self, one) -> bool:
        """Whether an input holds the number of a stop and not the value itself."""
        return bool(self._notches) and isinstance(one, ipywidgets.IntSlider)

    def _place(self, value: float) -> int:
        assert isinstance(self.spec, IntRange | FloatRange)  # nothing else has notches
        return self.spec.nearest_notch(value)


def name_it(widget: ipywidgets.Widget, text: str) -> None:
    """Give a widget without a label of its own a name for screen readers (ipywidgets 8)."""
    if widget.has_trait("tooltip"):
        widget.tooltip = text


def _nice_step(low: float, high: float) -> float:
    """A step of 1, 2 or 5 times a power of ten that makes 50 to 200 steps of the range."""
    rough = (high - low) / 100
    power = 10 ** math.floor(math.log10(rough))
    return min((1, 2, 5, 10), key=lambda m: abs(math.log(m * power / rough))) * power
