"""What a moving picture leaves behind, and where it should go: ghosts and goals.

    return Drawing(update, moving=[curve, dot, *bars], ghosts=[curve, *bars],
                   goal=goal_band(axes, 0.4, 0.6, WEIGHT, across="y"))

A ghost is the start's outline, dashed and grey, below lines and above bars. A goal is drawn, not
only said: a hatched band or a dashed ring with its word, which is filled once it is reached.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from matplotlib.artist import Artist
from matplotlib.collections import LineCollection
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, PathPatch

from course_lib.figures.theme import GHOST, SMALL
from course_lib.words import say

LINE = {"linewidth": 1.2, "linestyle": (0, (3, 2))}
BELOW = 1.2  # below lines, above bars, which would hide it, and above grids


def leave_ghosts(artists: Iterable[Artist]) -> list[Artist]:
    """A dashed grey outline of each artist as it is now, in the same axes.

    Raises: TypeError, if one is neither a line, a patch nor a collection of lines.
    """
    return [_ghost(artist) for artist in artists]


def _ghost(artist: Artist) -> Artist:
    axes = artist.axes
    if isinstance(artist, Line2D):
        x, y = artist.get_data()
        marks = {"marker": artist.get_marker(), "markersize": artist.get_markersize()}
        style = LINE if artist.get_linestyle() != "None" else {"linestyle": "none"}
        (ghost,) = axes.plot(x, y, color=GHOST, markerfacecolor="none", **{**marks, **style})
    elif isinstance(artist, Patch):
        path = artist.get_patch_transform().transform_path(artist.get_path())
        ghost = PathPatch(path, fill=False, edgecolor=GHOST, **LINE)
        axes.add_patch(ghost)
    elif isinstance(artist, LineCollection):
        ghost = LineCollection(artist.get_segments(), colors=GHOST, **LINE)
        axes.add_collection(ghost, autolim=False)
    else:
        raise TypeError(f"a ghost of a {type(artist).__name__} is not known")
    ghost.set_zorder(BELOW)
    return ghost


@dataclass(frozen=True)
class GoalMark:
    """A goal in a picture. artists: they move; show: told whether the goal is reached."""

    artists: Sequence[Artist]
    show: Callable[[bool], None]


def goal_band(
    axes, low: float, high: float, colour: str, *, across: str = "x",
    ends: tuple[float, float] = (0.0, 1.0), name: str | None = None,
) -> GoalMark:  # fmt: skip
    """A hatched band from `low` to `high` on the axis `across`, a line where both are one.

    ends: how far it goes along the other axis, as shares of it.   name: stands in place of "goal".
    Raises: ValueError, if `across` is neither "x" nor "y".
    """
    if across not in ("x", "y"):
        raise ValueError(f"across is {across!r}, but a band lies across 'x' or 'y'")
    span = axes.axvspan if across == "x" else axes.axhspan
    band = span(low, high, *ends, facecolor="none", edgecolor=colour, zorder=0.5, **LINE)
    if across == "x":
        where, aside = {"xy": (high, 0.98), "xycoords": axes.get_xaxis_transform()}, (3, 0)
        align = {"ha": "left", "va": "top"}
    else:
        beyond = ends[1] < 1  # then there is room for the word behind the end
        at, aside = (ends[1], (4, 0)) if beyond else (0.99, (0, 2))
        where = {"xy": (at, high), "xycoords": axes.get_yaxis_transform()}
        align = {"ha": "left", "va": "center"} if beyond else {"ha": "right", "va": "bottom"}
    word = _word(axes, aside, colour, name, **where, **align)

    def show(reached: bool) -> None:
        band.set(facecolor=(colour, 0.3) if reached else "none", hatch=None if reached else "//")

    show(False)
    return GoalMark([band, word], show)


def goal_ring(axes, x: float, y: float, colour: str) -> GoalMark:
    """A dashed ring around a place."""
    ring = axes.scatter([x], [y], s=19**2, facecolors="none", edgecolors=colour, zorder=0.5)
    ring.set(linewidth=LINE["linewidth"], linestyle=LINE["linestyle"])
    word = _word(axes, (0, 11), colour, xy=(x, y), ha="center", va="bottom")

    def show(reached: bool) -> None:
        ring.set_facecolor((colour, 0.3) if reached else "none")

    return GoalMark([ring, word], show)


def goal_words(axes, words: Sequence[tuple[float, float, str]], colour: str) -> GoalMark:
    """Where only words tell a goal: each in a dashed frame at its place, x, y, text."""
    frame = {"boxstyle": "round,pad=0.25", "facecolor": "none", "edgecolor": colour, **LINE}
    texts = [
        axes.text(x, y, text, color=colour, fontsize=SMALL, va="center", bbox=frame)
        for x, y, text in words
    ]

    def show(reached: bool) -> None:
        for text in texts:
            text.get_bbox_patch().set_facecolor((colour, 0.3) if reached else "none")
            text.stale = True

    return GoalMark(texts, show)


def _word(axes, aside: tuple[float, float], colour: str, name: str | None = None, **options):
    """The word "goal", or a name, `aside` points from its place, so that nothing lies under it."""
    look = {"color": colour, "fontsize": SMALL, "textcoords": "offset points"}
    return axes.annotate(name or say("goal"), xytext=aside, **look, **options)
