"""The picture of chapter 2 in which one row that is too long comes first for most words.

show_finders("plum", words, counts, by_dot, by_search, longer=50)
"""

import numpy as np

from course_lib.figures.static import show_figure
from course_lib.figures.theme import INK, KEY, QUERY, SMALL, TITLE, new_figure
from course_lib.figures.vectors import draw_plane, draw_vector
from course_lib.kernels.vectors import cosine
from course_lib.words import say

HEADLINE = "{dot} of {count} words find “{word}” first by dot product, by search {search}"
PANELS = ("by dot product: {count} find it", "by search: {count}")
RINGS = (
    "Twice {count} dots, a dot for each word that asks, at its angle to {word}, whose arrow runs "
    "far out on the left and is short on the right; a dot is filled if its word finds {word} "
    "first. By dot product {dot} are, by search {search}. {side}"
)
NONE_BEHIND = "No dot lies behind the line at 90 degrees."
LONGER = "{word}, {longer} times\nas long"
UNIT = "{word}, 1 long"
ITSELF = "{word} itself"
HERE = "no word\nhere"
APART = 0.125  # of the ring's radius: so far from middle to middle stand two dots
ROOM = 0.98 * APART  # so far at least, whatever a last bit does
AHEAD = 0.6  # how long the arrow of the word is at length 1
FAR = 2.55  # an arrow that is longer ends here, and is broken on the way
BREAK = 2.0
BORDER = 1.38  # how far up and down the line at 90 degrees goes


def show_finders(word: str, words: list[str], counts, by_dot, by_search, longer: float) -> None:
    """Show which of the words find `word` first: left by dot product, right by search.

    Each word is a dot at its true angle to `word`, above the arrow or below it, whichever has room.

    words: (n)   counts: (n, n), a row for each   by_dot, by_search: (n, 1) or wider, the places
    in `words` that each of them finds, the best first   longer: so many times too long the row of
    `word` is by dot product
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
    sides = figure.subplots(1, 2, width_ratios=(3.65, 2.4))
    names = (say(LONGER, word=word, longer=longer), say(UNIT, word=word))
    panels = zip(sides, firsts, PANELS, names, (longer, 1), strict=True)
    for axes, found, title, name, length in panels:
        _draw_fan(axes, name, AHEAD * length, spots, found)
        left = {"loc": "left", "fontsize": SMALL, "fontweight": "normal"}
        axes.set_title(say(title, count=int(found.sum())), **left)
    if firsts[1].sum() == 1 and firsts[1][own]:
        look = {"color": QUERY, "fontsize": SMALL, "ha": "right", "va": "top"}
        figure.axes[1].text(1.35, -0.14, say(ITSELF, word=word), **look)
    side = ""
    if (cosines > -1e-9).all():
        look = {"fontsize": SMALL, "ha": "center", "va": "center"}
        figure.axes[0].text(-0.52, 0.25, say(HERE), **look)
        side = say(NONE_BEHIND)
    show_figure(figure, say(RINGS, **told, side=side).strip(), colours=16)


def _draw_fan(axes, name: str, long: float, spots: np.ndarray, found: np.ndarray) -> None:
    """The word as an arrow to the right, a dot for each word, and the line at 90 degrees.

    An arrow that is too long for the picture is broken by two strokes.
    """
    right = max(1.3, min(long, FAR)) + 0.1
    draw_plane(axes, BORDER).set(xlim=(-1.0, right), ylim=(-BORDER, BORDER))
    axes.spines[:].set_visible(False)
    axes.plot([0, 0], [-BORDER, BORDER], color=INK, linewidth=1.5, linestyle=(0, (5, 3)), zorder=1)
    axes.text(-0.12, -BORDER, say("90°"), fontsize=SMALL, ha="right", va="bottom")
    draw_vector(axes, (min(long, FAR), 0.0), KEY, width=0.9, zorder=1.5)
    if long > FAR:
        axes.plot([BREAK, BREAK + 0.08], [0, 0], color="white", linewidth=4, zorder=1.6)
        for start in (BREAK - 0.04, BREAK + 0.04):
            axes.plot([start, start + 0.08], [-0.1, 0.1], color=KEY, linewidth=1.5, zorder=1.7)
    named = {"color": KEY, "fontsize": SMALL, "fontweight": "bold", "ha": "left", "va": "bottom"}
    axes.text(0.06 if long <= FAR else 1.35, 0.12, name, **named)
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
