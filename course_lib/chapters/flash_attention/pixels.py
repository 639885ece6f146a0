"""Pictures of chapter 8 that are laid out in pixels: edges are sharp, and stored in few bytes.

figure, axes = new_pixels(390, "A title")     # 700 pixels wide, y grows downwards
words(axes, 10, 40, "q, k, v"); arrow(axes, (10, 60), (90, 60))
"""

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from course_lib.figures.theme import INK, SMALL, new_figure

WIDTH = 700


def new_pixels(height: int, title: str, title_y: float = 12) -> tuple[Figure, Axes]:
    """A figure of 700 by `height` pixels and its axes, whose unit is a pixel; a headline on top.

    title_y: how far down the middle of the title stands.
    """
    figure = new_figure(WIDTH / 100, height / 100)
    figure.set_layout_engine("none")
    axes = figure.subplots()
    axes.set_position((0, 0, 1, 1))
    axes.set(xlim=(0, WIDTH), ylim=(height, 0), aspect="equal")
    axes.axis("off")
    figure.headline(title, y=1 - title_y / height, va="center")
    return figure, axes


def words(axes: Axes, x: float, y: float, text: str, ha: str = "left", **look) -> None:
    """Small words, whose middle stands at the height y."""
    axes.text(x, y, text, **{"fontsize": SMALL, "va": "center", "ha": ha, **look})


def arrow(
    axes: Axes, begin: tuple[float, float], end: tuple[float, float], width: float = 1.6
) -> None:
    """A straight arrow from a place to another."""
    look = {"arrowstyle": "-|>", "color": INK, "linewidth": width, "shrinkA": 0, "shrinkB": 0}
    axes.annotate("", xy=end, xytext=begin, arrowprops=look)
