"""The picture of chapter 2 in which one row that is too long comes first for most words.

show_finders("plum", words, counts, by_dot, by_search)
"""

import numpy as np

from course_lib.figures.numerals import share
from course_lib.figures.static import show_figure
from course_lib.figures.theme import QUERY, SMALL, TITLE, new_figure
from course_lib.kernels.vectors import cosine
from course_lib.words import say

HEADLINE = "{dot} of {count} words find “{word}” first by dot product, by search {search}"
DOTS = (
    "Two rows of {count} dots, a dot for each word that asks, those that point most like {word} on "
    "the left. A dot is filled if its word finds {word} first: by dot product {dot}, by search "
    "{search}. {side}"
)
ALL_LEFT = "In both rows these are the dots on the left."


def show_finders(word: str, words: list[str], counts, by_dot, by_search) -> None:
    """Show which of the words find `word` first, by dot product above and by search below.

    words: (n)   counts: (n, n), a row for each   by_dot, by_search: (n, 1) or wider, the places
    in `words` that each of them finds, the best first
    """
    table, own = np.asarray(counts, dtype=float), words.index(word)
    cosines = cosine(table, table[own])
    order = np.argsort(-cosines, kind="stable")
    firsts = [np.asarray(places)[order, 0] == own for places in (by_dot, by_search)]
    figure = new_figure(7.0, 2.1)
    told = {"word": word, "count": len(words)}
    told |= {"dot": int(firsts[0].sum()), "search": int(firsts[1].sum())}
    headline = {"x": 0.01, "ha": "left", "fontsize": TITLE, "fontweight": "bold"}
    figure.suptitle(say(HEADLINE, **told), **headline)
    axes = figure.subplots()
    for height, found in zip((1, 0), firsts, strict=True):
        for filled, colour in ((found, QUERY), (~found, "white")):
            look = {"color": QUERY, "markerfacecolor": colour, "markersize": 8}
            axes.plot(np.flatnonzero(filled), [height] * int(filled.sum()), "o", **look)
    axes.set(yticks=(1, 0), ylim=(-0.5, 1.5), xlim=(-1, len(words)))
    axes.set_yticklabels([say("by dot product"), say("by search")], fontsize=SMALL)
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
    ends = [0, len(words) - 1]
    told_ends = [say("cosine {value}", value=share(cosines[order[end]])) for end in ends]
    axes.set_xticks(ends, told_ends)
    axes.get_xticklabels()[0].set_ha("left"), axes.get_xticklabels()[1].set_ha("right")
    axes.set_xlabel(say("the {count} words, most like {word} first", **told))
    left = all((np.diff(found.astype(int)) <= 0).all() for found in firsts)
    show_figure(figure, say(DOTS, **told, side=say(ALL_LEFT) if left else "").strip(), colours=16)
