"""The picture of chapter 2 in which one row that is too long comes first for most words.

show_finders("plum", words, counts, by_dot, longer=50)
"""

import numpy as np

from course_lib.figures.static import show_figure
from course_lib.figures.theme import INK, QUERY, SMALL, TEXT, new_figure
from course_lib.kernels.vectors import cosine
from course_lib.words import say

HEADLINE = "{found} of {count} words find the long “{word}” first"
ANGLES = (
    "Angles to {word}, from 0 to 180 degrees. Above them {count} dots stand in columns, a dot for "
    "each word at its angle. {found} dots are filled, up to {last:.0f} degrees: those words find "
    "{word} first. The others are open. {side}"
)
NONE_BEHIND = "No dot lies behind the line at 90 degrees."
FIND = "{count} words\nfind it"
ACROSS = "{count} words at 90°:\n{longer} · 0 is 0"
TOO_WIDE = "{count} words:\ntoo wide"
HERE = "no word stands here:\nno count is negative"
COLUMN = 5  # degrees: words whose angles round to the same multiple stand in one column
RIGHT = 1e-6  # of a cosine: nearer to 0 it is one of a right angle


def show_finders(word: str, words: list[str], counts, found, longer: float) -> None:
    """Show which of the words find `word` first, each as a dot over its angle to `word`.

    words: (n)   counts: (n, n), a row for each   found: (n, 1) or wider, the places in `words`
    that each of them finds, the best first   longer: so many times too long the row of `word` is
    """
    table, own = np.asarray(counts, dtype=float), words.index(word)
    cosines = cosine(table, table[own])
    angles = np.degrees(np.arccos(np.clip(cosines, -1, 1)))
    finds = np.asarray(found)[:, 0] == own
    spots = _in_columns(angles, finds)
    told = {"word": word, "count": len(words), "found": int(finds.sum())}
    figure = new_figure(7.0, 3.5)
    figure.headline(say(HEADLINE, **told))
    axes = figure.subplots()
    top = max(11.0, spots[:, 1].max() + 1)
    axes.set(xlim=(-6, 184), ylim=(-0.8, top), yticks=[])
    axes.set_xticks(range(0, 181, 45), [f"{angle}°" for angle in range(0, 181, 45)])
    axes.set_xlabel(say("angle to {word}", word=word))
    axes.spines["left"].set_visible(False)
    axes.axvline(90, color=INK, linewidth=1.5, linestyle=(0, (5, 3)), zorder=1)
    for filled, colour in ((finds, QUERY), (~finds, "white")):
        look = {"color": QUERY, "markerfacecolor": colour, "markersize": 8}
        axes.plot(*spots[filled].T, "o", **look)
    _name_groups(axes, cosines, finds, top, longer)
    behind = (cosines < -RIGHT).any()
    if not behind:
        axes.text(95, 0.16 * top, say(HERE), fontsize=SMALL, va="center")
    side = "" if behind else say(NONE_BEHIND)
    last = angles[finds].max(initial=0)
    show_figure(figure, say(ANGLES, **told, last=last, side=side).strip(), colours=8)


def _name_groups(axes, cosines, finds, top: float, longer: float) -> None:
    """How many find it, how many stand across it, and how many are between the two."""
    across = ~finds & (np.abs(cosines) <= RIGHT)
    wide = ~finds & (cosines > RIGHT)
    look = {"fontsize": TEXT, "color": QUERY, "fontweight": "bold"}
    axes.text(2, 0.6 * top, say(FIND, count=int(finds.sum())), va="center", **look)
    if across.any():
        told = say(ACROSS, count=int(across.sum()), longer=longer)
        axes.text(95, 0.6 * top, told, va="center", **look)
    if wide.any():
        axes.text(74, 0.42 * top, say(TOO_WIDE, count=int(wide.sum())), ha="center", **look)


def _in_columns(angles: np.ndarray, finds: np.ndarray) -> np.ndarray:
    """A place for each dot: over its angle, the next free one from below, the filled ones first.

    angles: (n,) in degrees   finds: (n,)   returns: (n, 2)
    """
    columns = COLUMN * np.floor(angles / COLUMN + 0.5)
    spots, heights = np.zeros((len(angles), 2)), dict.fromkeys(columns.tolist(), 0)
    for place in np.argsort(~finds, kind="stable"):
        column = float(columns[place])
        spots[place] = column, heights[column]
        heights[column] += 1
    return spots
