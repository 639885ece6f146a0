"""A figure that is drawn again while something goes on, such as a training run.

    live = LiveFigure("What it shows.", draw)         # draw(figure, data)
    for data in measured:
        live.update(data)

What is stored with the notebook is the picture of the first `update` and the words; in a live
notebook the picture is replaced in place. Outside a notebook nothing is drawn.
"""

from collections.abc import Callable

from matplotlib.figure import Figure

from course_lib.figures.static import figure_png
from course_lib.figures.theme import new_figure
from course_lib.showing import running_shell, show


class LiveFigure:
    """One picture on the page, drawn anew at each update.

    alt: what the picture shows, for who cannot see it.   draw: (figure, data), called each time.
    size: inches.   colours: how many are stored; 48 are enough for lines and words.
    """

    def __init__(
        self, alt: str, draw: Callable[[Figure, object], object], size=(7.0, 2.8), colours=48
    ):
        self.alt, self.draw, self.size, self.colours = alt, draw, size, colours
        self.widget, self.run = None, None

    def update(self, data) -> None:
        """Draw `data`: in place, and below a cell that runs again anew."""
        shell = running_shell()
        if shell is None:
            return
        figure = new_figure(*self.size)
        self.draw(figure, data)
        png = figure_png(figure)
        if self.widget is not None and self.run == shell.execution_count:
            self.widget.value = png
            return
        import ipywidgets

        self.run = shell.execution_count
        self.widget = ipywidgets.Image(value=png, format="png", width=round(100 * self.size[0]))
        show(self.alt, png=figure_png(figure, self.colours), widget=self.widget)
