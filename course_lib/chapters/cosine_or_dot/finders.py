"""The picture of chapter 2 in which one row that is too long comes first for most words.

show_finders("plum", words, counts, by_dot, by_search)
"""

import numpy as np

from course_lib.figures.static import show_figure
from course_lib.figures.theme import FAINT, INK, KEY, QUERY, SMALL, TITLE, new_figure
from course_lib.figures.vectors import draw_plane, draw_vector
from course_lib.kernels.vectors import cosine
from course_lib.words import say

HEADLINE = "{dot} of {count} words find “{word}” first by dot product, by search {search}"
PANELS = ("by dot product: {count} find it", "by search: {count}")
RINGS = (
    "Two rings of {count} dots, a dot for each word that asks, at its angle to {word}; a dot is "
    "filled if its word finds {word} first. By dot product {dot} are, by search {search}. {side}"
)
NONE_BEHIND = "No dot of either ring lies behind the line at 90 degrees."
HERE = "no word\nhere"
APART = 0.125  # of the ring's radius: so far from middle to middle stand two dots
ROOM = 0.98 * APART  # so far at least, whatever a last bit does
AHEAD = 0.6  # how long the arrow of the word is
BORDER = 1.38  # how far up and down the line at 90 degrees goes


def show_finders(word: str, words: list[str], counts, by_dot, by_search) -> None:
    """Show which of the words find `word` first: left by dot product, right by search.

    Each word is a dot at its true angle to `word`, above the arrow or below it, whichever has room.

    words: (n)   counts: (n, n), a row for each   by_dot, by_search: (n, 1) or wider, the places
    in `words` that each of them finds, the best first
    """
    table, own = np.asarray(counts, dtype=float), words.index(word)
    cosines = cosine(table, table[own])
    spots = _spread_out(np.arccos(np.clip(cosines, -1, 1)))
    firsts = [np.asarray(places)[:, 0] == own for places in (by_dot, by_search)]
    told = {"word": word, "count": len(words)}
    told |= {"dot": int(firsts[0].sum()), "search": int(firsts[1].sum())}
    figure = new_figure(7.0, 3.7)
    headline = {"x": 0.01, "ha": "left", "fontsize": TITLE, "fontweight": "bold"}
    figure.suptitle(say(HEADLINE, **told), **headline)
    for axes, found, title in zip(figure.subplots(1, 2), firsts, PANELS, strict=True):
        _draw_ring(axes, word, spots, found)
        left = {"loc": "left", "fontsize": SMALL, "fontweight": "normal"}
        axes.set_title(say(title, count=int(found.sum())), **left)
    side = ""
    if (cosines > -1e-9).all():
        look = {"fontsize": SMALL, "ha": "center", "va": "center"}
        figure.axes[0].text(-0.52, 0.25, say(HERE), **look)
        side = say(NONE_BEHIND)
    show_figure(figure, say(RINGS, **told, side=side).strip(), colours=16)


def _draw_ring(axes, word: str, spots: np.ndarray, found: np.ndarray) -> None:
    """The word as an arrow to the right, a dot for each word, and the line at 90 degrees."""
    draw_plane(axes, BORDER).set(xlim=(-1.15, 1.4), ylim=(-BORDER, BORDER))
    axes.spines[:].set_visible(False)
    around = np.radians(np.arange(0, 361, 3))
    axes.plot(np.cos(around), np.sin(around), color=FAINT, linewidth=1.5, zorder=0)
    axes.plot([0, 0], [-BORDER, BORDER], color=INK, linewidth=1.5, linestyle=(0, (5, 3)), zorder=1)
    axes.text(-0.12, -BORDER, say("90°"), fontsize=SMALL, ha="right", va="bottom")
    draw_vector(axes, (AHEAD, 0.0), KEY, width=0.9)
    named = {"color": KEY, "fontsize": SMALL, "fontweight": "bold", "ha": "center", "va": "bottom"}
    axes.text(AHEAD / 2, 0.06, word, **named)
    for filled, colour in ((found, QUERY), (~found, "white")):
        look = {"color": QUERY, "markerfacecolor": colour, "markersize": 7}
        axes.plot(*spots[filled].T, "o", **look)


def _spread_out(angles: np.ndarray) -> np.ndarray:
    """A place for each dot: at its angle, above or below, as near to the circle as there is room.

    angles: (n,) in radians, from 0 on   returns: (n, 2)
    """
    steps = APART * np.array([0, 1, -1, 2, -2, 3, -3, 4, -4, 5])
    spots = np.zeros((len(angles), 2))
    taken: list[int] = []
    for place in np.argsort(angles, kind="stable"):
        upwards = np.array([np.cos(angles[place]), np.sin(angles[place])])
        tries = [(1 + step) * upwards * (1, side) for step in steps for side in (1, -1)]
        gaps = [np.linalg.norm(spots[taken] - one, axis=1).min(initial=2.0) for one in tries]
        free = [one for one, gap in zip(tries, gaps, strict=True) if gap > ROOM]
        spots[place] = (free or tries)[0]
        taken.append(int(place))
    return spots
