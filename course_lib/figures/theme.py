"""One look for every picture: colours with fixed meanings, text sizes, and a figure without pyplot.

    figure = new_figure(7.0, 3.5)            # inches; 100 pixels each on the page
    axes = figure.subplots()
    axes.plot(x, y, color=QUERY)

Sizes. A picture is at most WIDEST inches wide, which is 700 pixels on the page. In a notebook of
600 pixels it shrinks to 600/700, and SMALL text is then still 10 pt (13.3 pixels), because a
narrow window or a phone is where a picture is read with the least patience. Write nothing smaller.

Density. On the page, what stays of an explorer's picture is drawn at LIVE_DPI, two pixels for one,
and shown at half of its size; what moves is SVG (figures/svg.py). Both are sharp on a phone and on
most laptops. What is stored stays at DPI: there, twice the density would double the notebook's
size, and GitHub would not halve it on show.

Colours. Query, key, value, output and weights keep one colour each in all chapters. Each is dark
enough for text on white (4.5 to 1) and they stay apart for the common kinds of colour blindness
(tested); still, never tell two things apart by colour alone.

`style()` is a context in which artists are made, changed and drawn. It starts from matplotlib's
defaults, so a learner's own rcParams neither change our pictures nor are changed by them.
"""

import contextlib
import functools

import matplotlib
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure, FigureBase, SubFigure
from matplotlib.rcsetup import cycler
from matplotlib.text import Text

from course_lib.figures.fonts import families

QUERY = "#0a5fa8"  # blue
KEY = "#b84300"  # vermilion
VALUE = "#00795a"  # bluish green
OUTPUT = "#8f2d7c"  # purple
WEIGHT = "#3d4450"  # slate: always a filled bar or cell, an output always an arrow or a point
RIGHT = "#222222"  # what the course computes
YOURS = "#8a5a00"  # what the learner's code computes; always named in words as well
GHOST = "#8c8c8c"  # the start state, left behind for comparison
INK = "#222222"
FAINT = "#d9d9d9"  # grids and frames: to be seen, not to be read

WIDEST = 7.0
DPI = 100  # what is stored in a notebook
LIVE_DPI = 200  # what an explorer shows: sharp on a screen of two pixels for one
SMALL, TEXT, TITLE = 11.5, 12.0, 13.0  # points
HEADLINE_AT = 0.012  # of the width: in line with most axes' labels, and never cut

RC = {
    "font.size": TEXT,
    "axes.titlesize": TITLE,
    "axes.titleweight": "bold",
    "axes.titlepad": 8.0,
    "axes.labelsize": TEXT,
    "xtick.labelsize": SMALL,
    "ytick.labelsize": SMALL,
    "legend.fontsize": SMALL,
    "figure.titlesize": TITLE,
    "figure.titleweight": "bold",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": "#666666",
    "axes.labelcolor": INK,
    "xtick.color": "#666666",
    "ytick.color": "#666666",
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "text.color": INK,
    "axes.prop_cycle": cycler(color=[QUERY, KEY, VALUE, OUTPUT]),
    "axes.grid": False,
    "grid.color": FAINT,
    "lines.linewidth": 2.0,
    "legend.frameon": False,
    "figure.facecolor": "white",
    "axes.facecolor": "white",
    "figure.constrained_layout.h_pad": 0.06,
    "figure.constrained_layout.w_pad": 0.06,
    "axes.axisbelow": True,
}


@functools.cache
def _settings() -> dict:
    left_alone = {
        "backend",
        "backend_fallback",
        "interactive",
        "toolbar",
        "timezone",
        "webagg.port",
    }
    default = {k: v for k, v in matplotlib.rcParamsDefault.items() if k not in left_alone}
    return {**default, **RC, "font.family": families(), "figure.dpi": DPI}


def style():
    """A context with the course's look; matplotlib's settings are as before when it ends."""
    now = dict.copy(matplotlib.rcParams)
    return settings({name: value for name, value in _settings().items() if now[name] != value})


@contextlib.contextmanager
def settings(other: dict):
    """matplotlib's rc_context in a tenth of its time, which counts at each step of a slider.

    It copies the settings without asking for each; `other` are those that differ, since each one
    that is set is checked.
    """
    before = dict.copy(matplotlib.rcParams)
    before.pop("backend", None)  # a figure may have chosen it meanwhile
    matplotlib.rcParams.update(other)
    try:
        yield
    finally:
        dict.update(matplotlib.rcParams, before)


class ThemedAxes(Axes):
    """Axes whose title is in the course's look whenever it is set."""

    def set_title(self, *args, **kwargs):
        """As matplotlib's, in the course's look."""
        with style():
            return super().set_title(*args, **kwargs)


class Headed(FigureBase):
    """A figure, or a part of one, that has a headline, and so have its parts."""

    def headline(self, text: str = "", **place) -> Text:
        """The picture's answer in one line, bold, where a reader begins: at its upper left.

        place: `y` from 0 to 1, where a picture needs more room above than below.
        """
        with style():
            return self.suptitle(text, x=HEADLINE_AT, ha="left", **place)

    def add_subfigure(self, *args, **kwargs):
        """As matplotlib's; the part has a headline, too."""
        part = super().add_subfigure(*args, **kwargs)
        part.__class__ = HeadedPart  # matplotlib names the class itself, and asks nobody
        return part


class HeadedPart(Headed, SubFigure):
    """A part of a figure."""


class ThemedFigure(Headed, Figure):
    """A figure that makes its axes, and draws itself, in the course's look."""

    def add_subplot(self, *args, **kwargs):
        """As matplotlib's, in the course's look."""
        with style():
            return super().add_subplot(*args, **{"axes_class": ThemedAxes, **kwargs})

    def draw(self, renderer):
        """As matplotlib's, in the course's look (ticks are made while drawing)."""
        with style():
            super().draw(renderer)


def new_figure(width: float = WIDEST, height: float = 3.5, dpi: float = DPI) -> ThemedFigure:
    """An empty figure in the course's look, laid out without overlaps, without pyplot.

    width, height: inches; one inch is 100 pixels on the page, whatever the dpi.
    Raises: ValueError, if it is wider than WIDEST: its text would be too small in a narrow window.
    """
    if not 0 < width <= WIDEST:
        raise ValueError(
            f"width is {width:g} inches, but a figure is at most {WIDEST:g} wide: "
            "a wider one shrinks in a narrow window until its text cannot be read"
        )
    with style():
        figure = ThemedFigure(figsize=(width, height), dpi=dpi, layout="constrained")
    FigureCanvasAgg(figure)
    return figure
