"""Picture: companies and fruits on one line, and *apple* between them, before any sentence."""

from matplotlib.figure import Figure

from course_lib.chapters.queries_keys_values.apple import (
    APPLE,
    FIRMS,
    FRUITS,
    likenesses_of,
    places_of,
)  # fmt: skip
from course_lib.figures.numerals import signed
from course_lib.figures.static import show_figure
from course_lib.figures.theme import FAINT, INK, SMALL, TEXT, new_figure
from course_lib.words import say

SIZE = (7.0, 1.45)  # inches
REACH = 1.75  # from the middle that is drawn
STORED = 4  # colours of the stored picture
DOT = {"linestyle": "none", "markersize": 6, "zorder": 3}
NAMED_AT = (-1.5, -1.16, -0.8, -0.42, 0.52, 0.83, 1.18, 1.53)  # eight names, from left to right
CLOSE, UP = 0.05, 0.2  # a mark that is nearer to the last one stands above it, by so much


def draw_line(figure: Figure) -> None:
    """A mark for each word, filled for the fruits and hollow for the companies, and its name."""
    axes = figure.subplots()
    axes.set(xlim=(-REACH, REACH), ylim=(-0.8, 1.1))
    axes.set_axis_off()
    axes.plot([-REACH, REACH], [0, 0], color=FAINT, linewidth=1.5, zorder=0)
    middle = {"ha": "center", "va": "center"}
    for at in (-1, 0, 1):
        axes.plot([at] * 2, [-0.2, 0.2], color=FAINT, linewidth=1.5, zorder=0)
        axes.text(at, -0.55, signed(at, 0), fontsize=SMALL, **middle)
    hollow = {"color": "white", "markeredgecolor": INK, "markeredgewidth": 1.3}
    looks = [("s", hollow)] * 4 + [("o", {"color": INK})] * 4
    last, high = -REACH, 0.0
    for (at, name), named_at, (marker, look) in zip(_in_order(), NAMED_AT, looks, strict=True):
        high = high + UP if at - last < CLOSE else 0.0
        axes.plot([at, named_at], [high, 0.7], color=FAINT, linewidth=1, zorder=1)
        if high:  # a stem: its place is on the line
            axes.plot([at, at], [0, high], color=INK, linewidth=1, zorder=2)
        axes.plot([at], [high], marker, **DOT, **look)
        axes.text(named_at, 0.85, say(name), fontsize=SMALL, **middle)
        last = at
    (apple,) = places_of(APPLE)
    axes.plot([apple], [0], "o", **DOT | {"markersize": 9}, color="white", markeredgecolor=INK,
              markeredgewidth=1.6)  # fmt: skip
    axes.text(apple, 0.45, say(APPLE), fontsize=TEXT, fontweight="bold", **middle)
    figure.headline(_finding(apple))


def _in_order() -> list[tuple[float, str]]:
    """The companies and the fruits with their places, from left to right."""
    names = f"{FIRMS} {FRUITS}"
    return sorted(zip(places_of(names).tolist(), names.split(), strict=True))


def _finding(apple: float) -> str:
    (one, other), (fruit, firm) = likenesses_of(f"pear {APPLE}").tolist()
    return say(
        "Pear: {one} (fruit) − {other} (company). Apple: {fruit} − {firm} = {place}",
        one=signed(one, 2), other=signed(other, 2),
        fruit=signed(fruit, 2), firm=signed(firm, 2), place=signed(apple, 2),
    )  # fmt: skip


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
