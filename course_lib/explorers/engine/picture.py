"""A picture that is drawn once and then updated in place.

What never changes is kept as a saved background. A step of a slider restores it and draws only
the moving artists over it ("blit"): a quarter of the work of drawing everything, or less.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from matplotlib.axis import Axis

from course_lib.figures.png import pixels
from course_lib.figures.theme import DPI, TITLE, new_figure, style


@dataclass(frozen=True)
class Drawing:
    """What an explorer's `draw` returns.

    update: takes new data and changes the artists; it creates none.
    moving: the artists that `update` may change, titles included. None: anything may change, axis
    limits and ticks too, and every step redraws everything (several times slower). The places of
    the axes are settled once, for the start, so that nothing jumps: leave room for tick labels.
    """

    update: Callable
    moving: list | None = None


class Picture:
    """One persistent figure.

    draw: figure, data -> Drawing   data: what it is drawn with first   size: inches (width, height)
    heading: (text, colour) of a line above the picture, or None.
    """

    def __init__(self, draw, data, size, *, dpi=DPI, heading=None):
        width, height = size
        strip = 0.32 if heading else 0.0
        self.figure = new_figure(width, height + strip, dpi)
        self.canvas = self.figure.canvas
        with style():
            body = self._body(heading, strip, height)
            self.drawing = draw(body, data)
            self.drawing.update(data)
            self.moving = None
            self._kept, self._kept_key = None, []
            self._settle_layout()
            if self.drawing.moving is not None:
                self.moving = in_drawing_order(self.figure, self.drawing.moving)
                self._save_background()

    def _body(self, heading, strip, height):
        if not heading:
            return self.figure
        top, body = self.figure.subfigures(2, 1, height_ratios=(strip, height))
        text, colour = heading
        top.text(0.01, 0.5, text, color=colour, fontsize=TITLE, fontweight="bold", va="center")
        return body

    def _settle_layout(self) -> None:
        for _ in range(2):  # the second pass knows how large axes of equal scales became
            self.figure.get_layout_engine().execute(self.figure)
            self.figure.draw_without_rendering()
        self.figure.set_layout_engine("none")

    def _save_background(self) -> None:
        for artist in self.moving:
            artist.set_animated(True)  # leaves it out of a full drawing
        self.canvas.draw()
        self.background = self.canvas.copy_from_bbox(self.figure.bbox)

    def at(self, data) -> np.ndarray:
        """The picture of `data`. Shapes: (height, width, 3); valid until the next call."""
        with style():  # some settings count while drawing
            self.drawing.update(data)
            if self.moving is None:
                self.canvas.draw()
                return pixels(self.canvas)
            for artist in self._on_unchanged():
                artist.draw(self.canvas.renderer)
                artist.stale = False
        return pixels(self.canvas)

    def _on_unchanged(self) -> list:
        """Bring back everything below the changed artists; returns what is to be drawn on it.

        matplotlib marks an artist that was changed as stale. In each axes the artists below the
        first stale one are kept as pixels: with three heat maps of which a slider moves a frame,
        a step draws the frame and not fifty numbers.
        """
        below, rest = split_at_stale(self.moving)
        key = [id(artist) for artist in below]
        if key and key == self._kept_key:
            self.canvas.restore_region(self._kept)
            return rest
        self.canvas.restore_region(self.background)
        for artist in below:
            artist.draw(self.canvas.renderer)
        self._kept_key = key
        self._kept = self.canvas.copy_from_bbox(self.figure.bbox) if key else None
        return rest

    def redrawn(self, data) -> np.ndarray:
        """The same picture with everything drawn again: what `at` is compared with in tests."""
        with style():
            self.drawing.update(data)
        for artist in self.moving or ():
            artist.set_animated(False)
        self.canvas.draw()
        for artist in self.moving or ():
            artist.set_animated(True)
        self._kept_key = []  # what was kept may be older than what is drawn now
        return pixels(self.canvas).copy()


def in_drawing_order(figure, moving) -> list:
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
        order += [c for c in children[first:] if id(c) in wanted or _covers(c)]
    placed = {id(artist) for artist in order}
    return order + [artist for artist in moving if id(artist) not in placed]


def split_at_stale(artists) -> tuple[list, list]:
    """In each axes, the artists below the first changed one, and the others; in drawing order."""
    below, rest, changed = [], [], set()
    for artist in artists:
        if artist.stale or artist.axes in changed:
            changed.add(artist.axes)
            rest.append(artist)
        else:
            below.append(artist)
    return below, rest


def _covers(artist) -> bool:
    if not artist.get_visible():
        return False
    if isinstance(artist, Axis):
        return any(line.get_visible() for line in artist.get_gridlines())
    return not (hasattr(artist, "get_text") and not artist.get_text())
