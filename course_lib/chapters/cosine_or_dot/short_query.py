"""The picture of chapter 2 in which the query of a hidden word is the shortest of all.

show_query_lengths(norm(trained_queries()))   # that of a hidden word first
"""

from typing import Any

import numpy as np

from course_lib.figures.static import show_figure
from course_lib.figures.theme import QUERY, SMALL, new_figure
from course_lib.words import say

WIDE = 0.25  # lengths that differ by less stand above each other
SHORTEST = "The query of a hidden word is the shortest of all"
NOT_SHORTEST = "Lengths of queries"
IN_WORDS = (
    "Dots on an axis of lengths from 0 to {end}, one for each query. That of a hidden word is "
    "{hidden:.1f} long, those of the {count} words {low:.1f} to {high:.1f}."
)


def show_query_lengths(lengths) -> None:
    """Show the lengths of queries as dots on an axis, the first one filled and named.

    lengths: (n), that of a hidden word first
    """
    hidden, words = float(lengths[0]), np.sort(np.asarray(lengths[1:], dtype=float))
    figure = new_figure(6.0, 1.5)
    figure.headline(say(SHORTEST if hidden < words[0] else NOT_SHORTEST))
    axes = figure.subplots()
    bins = np.floor(words / WIDE)
    above = [int((bins[:i] == one).sum()) for i, one in enumerate(bins)]
    look: dict[str, Any] = {"color": QUERY, "markersize": 6, "clip_on": False}
    axes.plot((bins + 0.5) * WIDE, above, "o", markerfacecolor="white", **look)
    axes.plot([hidden], [0], "o", **look)
    end, top = int(np.ceil(max(hidden, words[-1]))), max(above) + 1.5
    axes.set(xlim=(0, end), ylim=(-0.7, top), yticks=[])
    axes.spines["left"].set_visible(False)
    write: dict[str, Any] = {"fontsize": SMALL, "color": QUERY, "ha": "center", "va": "bottom"}
    axes.text(hidden, 0.8, say("hidden word: {length:.1f} long", length=hidden), **write)
    told: dict[str, Any] = {"count": len(words), "low": words[0], "high": words[-1]}
    axes.text(
        words.mean(), top, say("{count} words: {low:.1f} to {high:.1f} long", **told), **write
    )
    show_figure(figure, say(IN_WORDS, hidden=hidden, end=end, **told), colours=8)
