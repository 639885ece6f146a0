"""A picture in two layers: what stays, as pixels, and what a slider moves, as SVG over it.

The lower layer is drawn and sent once. A step of a slider sends the SVG of the moving artists
alone, and writes again only those that changed: a third of the work of pixels, in the kernel and in
the browser (benchmarks/).
"""

import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.image import AxesImage
from matplotlib.spines import Spine

from course_lib.figures import svg
from course_lib.figures.ghosts import GoalMark, leave_ghosts
from course_lib.figures.png import pixels, quick_png
from course_lib.figures.theme import DPI, TITLE, new_figure, style


@dataclass(frozen=True)
class Drawing:
    """What an explorer's `draw` returns.

    update: takes new data and changes the artists; it creates none.
    moving: the artists that `update` may change, titles included. None: anything may change, axis
    limits and ticks too, and every step draws all pixels (several times slower). The places of
    the axes are laid out once, for the start, so that nothing jumps: leave room for tick labels.
    ghosts: of the moving lines, bars and patches, those whose start stays as a dashed outline.
    goal: a mark where the goal lies, filled once it is reached (figures/ghosts.py makes both).
    """

    update: Callable[[Any], object]
    moving: list[Artist] | None = None
    ghosts: Sequence[Artist] = ()
    goal: GoalMark | None = None


Draw = Callable[[Any, Any], Drawing]  # a Figure or SubFigure, and data


class Picture:
    """One persistent figure.

    draw: figure, data -> Drawing   data: what it is drawn with first   size: inches (width, height)
    heading: (text, colour) of a line above the picture, or None.
    """

    def __init__(
        self,
        draw: Draw,
        data: Any,
        size: tuple[float, float],
        *,
        dpi: int = DPI,
        heading: tuple[str, str] | None = None,
    ):
        width, height = size
        strip = 0.32 if heading else 0.0
        self.size, self.dpi = (width, height + strip), dpi
        self.figure = new_figure(*self.size, dpi)
        self.canvas = self.figure.canvas
        with style():
            body = self._body(heading, strip, height)
            self.drawing = draw(body, data)
            self.drawing.update(data)
            leave_ghosts(self.drawing.ghosts)
            self._lay_out()
        self.moving: list[Artist] | None = None
        if self.drawing.moving is not None:
            goal = self.drawing.goal.artists if self.drawing.goal else []
            self.moving = in_drawing_order(self.figure, [*self.drawing.moving, *goal])
        self._reached = False
        self._below: bytes | None = None
        self._mark = svg.new_mark()
        self._fragments: dict[int, str] = {}  # by artist

    def _body(self, heading, strip, height):
        if not heading:
            return self.figure
        top, body = self.figure.subfigures(2, 1, squeeze=False, height_ratios=(strip, height))[:, 0]
        text, colour = heading
        top.text(0.01, 0.5, text, color=colour, fontsize=TITLE, fontweight="bold", va="center")
        return body

    def _lay_out(self) -> None:
        engine = self.figure.get_layout_engine()
        for _ in range(2):  # the second pass knows how large axes of equal scales became
            if engine is not None:
                engine.execute(self.figure)
            self.figure.draw_without_rendering()
        self.figure.set_layout_engine("none")

    def reach(self, reached: bool) -> None:
        """Show the goal as reached, or as open, from the next drawing on."""
        if self.drawing.goal and reached != self._reached:
            self.drawing.goal.show(reached)
            self._reached = reached

    def at(self, data: Any) -> np.ndarray:
        """The whole picture of `data`. Shapes: (height, width, 3); valid until the next call."""
        with style():  # some settings count while drawing
            self.drawing.update(data)
            return self._drawn()

    def layers(self, data: Any) -> tuple[bytes, str]:
        """The picture of `data` as a PNG and the SVG that lies over it.

        The PNG is the same object at every call where artists are named as moving.
        """
        below, parts = self.parts(data)
        return below, svg.layer(parts, self.size) if parts else ""

    def parts(self, data: Any) -> tuple[bytes, list[str]]:
        """The same, with the SVG of each moving artist by itself, in drawing order.

        A text that did not change is the same object as at the last call.
        """
        if self.moving is None:
            return quick_png(self.at(data)), []
        return self.below(), self._written(data)

    def below(self) -> bytes:
        """What never changes, drawn once; kept as PNG, since its pixels would take megabytes."""
        if self._below is None:
            self._below = quick_png(self.unmoved())
        return self._below

    def unmoved(self) -> np.ndarray:
        """Everything but the moving artists, drawn now."""
        with style(), left_out(self.moving or []):
            return self._drawn().copy()

    def above(self, data: Any) -> str:
        """The moving artists at `data`, as SVG to lie over what is below."""
        return svg.layer(self._written(data), self.size)

    def _written(self, data: Any) -> list[str]:
        # matplotlib marks an artist that was changed as stale; the others keep their text.
        moving = self.moving or []
        if self.figure.dpi != svg.UNIT:
            self.figure.dpi = svg.UNIT
        with style(), svg.writing(self._mark):
            self.drawing.update(data)
            for artist in moving:
                if artist.stale or id(artist) not in self._fragments:
                    self._fragments[id(artist)] = svg.fragment(artist, self.size)
                    artist.stale = False
        return [self._fragments[id(artist)] for artist in moving]

    def points(self, place: tuple[int | str, float, float]) -> tuple[float, float]:
        """Where (axes, x, y) lies: points from the left and from the top of the picture.

        axes: their number in the figure, or their label.
        """
        axes, x, y = place
        part = self._axes(axes).transData + self.figure.transFigure.inverted()
        right, up = part.transform((float(x), float(y)))
        return right * self.size[0] * svg.UNIT, (1 - up) * self.size[1] * svg.UNIT

    def coordinates(self, axes: int | str, right: float, down: float) -> tuple[float, float]:
        """The inverse of `points`: x, y in the coordinates of the axes."""
        part = self.figure.transFigure + self._axes(axes).transData.inverted()
        width, height = self.size
        x, y = part.transform((right / width / svg.UNIT, 1 - down / height / svg.UNIT))
        return float(x), float(y)

    def _axes(self, which: int | str):
        if isinstance(which, int):
            return self.figure.axes[which]
        return next(axes for axes in self.figure.axes if axes.get_label() == which)

    def let_go(self) -> None:
        """Give the memory of whole pictures back, 4 MB for the usual size; `at` takes it anew.

        Each text holds on to the canvas that it was last drawn on, so a smaller one has its turn.
        (Ticks that the first layout tried and left out may still hold the large one.)
        """
        self.figure.dpi = svg.UNIT
        with style():
            self.figure.draw_without_rendering()
        self._fragments.clear()  # as after a full drawing

    def _drawn(self) -> np.ndarray:
        self.figure.dpi = self.dpi
        self.canvas.draw()
        self._fragments.clear()  # a full drawing leaves nothing stale
        return pixels(self.canvas)


@contextlib.contextmanager
def left_out(artists: list[Artist]) -> Iterator[None]:
    """While a figure is drawn without `artists`; an invisible title would lose its place."""
    images = [one for one in artists if isinstance(one, AxesImage) and one.get_visible()]
    for artist in artists:
        artist.set_animated(True)
    for image in images:  # before 3.10 matplotlib draws an animated image all the same
        image.set_visible(False)
    try:
        yield
    finally:
        for artist in artists:
            artist.set_animated(False)
        for image in images:
            image.set_visible(True)


def in_drawing_order(figure: Figure, moving: list[Artist]) -> list[Artist]:
    """The moving artists, and what must be drawn again because it lies above one of them.

    A frame line or a fixed label that lies over a moving one would else be covered by it. Axes
    with grid lines above the moving artists count; ticks alone touch nothing and do not.
    """
    wanted = {id(artist) for artist in moving}
    order = []
    for axes in figure.axes:
        children = [child for child in axes.get_children() if child is not axes.patch]
        children.sort(key=lambda artist: artist.get_zorder())
        first = next((i for i, child in enumerate(children) if id(child) in wanted), None)
        if first is None:
            continue
        order += [c for c in children[first:] if id(c) in wanted or _covers(c, axes)]
    placed = {id(artist) for artist in order}
    return order + [artist for artist in moving if id(artist) not in placed]


def _covers(artist, axes) -> bool:
    if not artist.get_visible():
        return False
    if isinstance(artist, Spine | Axis) and not axes.axison:  # axes.axis("off") leaves them visible
        return False
    if isinstance(artist, Axis):
        return any(line.get_visible() for line in artist.get_gridlines())
    return not (hasattr(artist, "get_text") and not artist.get_text())
