"""Picture: companies and fruits on one line, and *apple* between them, before any sentence."""

from matplotlib.figure import Figure

from course_lib.chapters.queries_keys_values.apple import APPLE, FIRMS, FRUITS, places_of
from course_lib.figures.numerals import signed
from course_lib.figures.static import show_figure
from course_lib.figures.theme import FAINT, INK, SMALL, TEXT, new_figure
from course_lib.words import say

SIZE = (7.0, 1.45)  # inches
REACH = 1.75  # from the middle that is drawn
STORED = 4  # colours of the stored picture
DOT = {"linestyle": "none", "markersize": 7, "zorder": 3}


def draw_line(figure: Figure) -> None:
    """A dot for each word, filled for the fruits and hollow for the companies."""
    axes = figure.subplots()
    axes.set(xlim=(-REACH, REACH), ylim=(-0.9, 1.0))
    axes.set_axis_off()
    axes.plot([-REACH, REACH], [0, 0], color=FAINT, linewidth=1.5, zorder=0)
    middle = {"ha": "center", "va": "center"}
    for at in (-1, 0, 1):
        axes.plot([at] * 2, [-0.2, 0.2], color=FAINT, linewidth=1.5, zorder=0)
        axes.text(at, -0.6, signed(at, 0), fontsize=SMALL, **middle)
    for names, marker, look in (
        (FIRMS, "s", {"color": "white", "markeredgecolor": INK, "markeredgewidth": 1.4}),
        (FRUITS, "o", {"color": INK}),
    ):
        places = places_of(names)
        axes.plot(places, [0] * len(places), marker, **DOT, **look)
        says = ", ".join(say(name) for name in names.split())
        axes.text(float(places.mean()), 0.65, says, fontsize=SMALL, **middle)
    (apple,) = places_of(APPLE)
    axes.plot([apple], [0], "o", **DOT | {"markersize": 9}, color="white", markeredgecolor=INK,
              markeredgewidth=1.6)  # fmt: skip
    axes.text(apple, 0.65, say(APPLE), fontsize=TEXT, fontweight="bold", **middle)
    figure.headline(_finding(apple))


def _finding(apple: float) -> str:
    return say("Before it meets a sentence, apple stands at {place}", place=signed(apple, 2))


def describe_line() -> str:
    """The picture in words."""
    firms, fruits, (apple,) = places_of(FIRMS), places_of(FRUITS), places_of(APPLE)
    return say(
        "{finding}. The companies {firms} stand from {low} to {high}, and the fruits {fruits} from "
        "{less} to {more}.",
        finding=_finding(apple), firms=", ".join(FIRMS.split()), fruits=", ".join(FRUITS.split()),
        low=signed(firms.min(), 2), high=signed(firms.max(), 2),
        less=signed(fruits.min(), 2), more=signed(fruits.max(), 2),
    )  # fmt: skip


def show_line() -> None:
    """Show where the small model puts companies, fruits and apple before they meet a sentence."""
    figure = new_figure(*SIZE)
    draw_line(figure)
    show_figure(figure, describe_line(), colours=STORED)
