"""Showing a picture that does not move.

figure = new_figure(7.0, 3.0)
...
show_figure(figure, "Two arrows; the angle between them is 60 degrees.")
"""

from matplotlib.figure import Figure

from course_lib.figures.drawn import drawn
from course_lib.figures.png import COLOURS, pixels, small_png
from course_lib.showing import show


def figure_png(figure: Figure, colours: int = COLOURS) -> bytes:
    """The figure as it is stored in a notebook: PNG, few colours, the same each time."""
    figure.canvas.draw()
    return small_png(pixels(figure.canvas), colours)


def show_figure(figure: Figure, alt: str, *, colours: int = COLOURS, exact: bool = True) -> None:
    """Show a figure of `new_figure` as one picture, with the words for who cannot see it.

    alt: what a sighted reader would take from the picture, as a sentence.
    colours: how many are stored; 48 are enough for lines and words.
    exact: False where training or a long sum made the numbers, whose last bits differ from one
    processor to another. Two runs are then compared by what they draw, not by each pixel.
    Raises: ValueError, if alt says nothing.
    """
    if not isinstance(alt, str) or not alt.strip():
        raise ValueError(
            f"alt is {alt!r}, but every figure needs a sentence that says what it shows"
        )
    png = figure_png(figure, colours)
    show(alt.strip(), png=png, drawn=None if exact else drawn(figure))
