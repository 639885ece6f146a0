"""The picture of chapter 2 with what a search finds by dot product, and by cosine beside it.

show_rankings(["plum"], words, counts, by_dot, by_cosine)
"""

from collections.abc import Callable

import numpy as np

from course_lib.figures.numerals import share
from course_lib.figures.static import show_figure
from course_lib.figures.theme import FAINT, GHOST, KEY, QUERY, SMALL, TEXT, new_figure
from course_lib.words import say

RANKING = "Asked for {word}. By dot product: {by_dot}, whose rows are long. By cosine: {by_cosine}"
LEFT_BEHIND = " By dot product {word} itself stands at place {place} of {count}."
ALL_ALIKE = ", which are used like it."
THEN_FAR_BEHIND = "; then, far less alike, {far}."

LOST_BY_DOT = "By dot product neither word finds itself, by cosine both do"
PLACES = "By dot product “{word}” is at place {dot}, by cosine at place {cosine}"
FIRST_BY_BOTH = "“{word}” is first by both"
FOUND = "Words that find themselves: by dot product {dot} of {count}, by cosine {cosine}"
FAR_BEHIND = "dotted: far less alike"
REACH = "reach = dot product / {length:.0f}"
ROOM = 1.6  # of the longest bar: behind it stands its number
SIGN = 6.3  # points: how wide a sign is in the column of lengths and cosines
GAP = 0.1  # of a cosine: what comes behind such a fall is no neighbour any more


def show_rankings(asked, words: list[str], counts, by_dot, by_cosine) -> None:
    """Show what a search finds for each word by dot product, left, and by cosine, right.

    Left, a bar is the length of the row times its cosine with the question: the dot product at a
    question of length 1. Right, it is the cosine; empty from the first on that lies behind a GAP.
    The word itself has the colour of a query, and what beats it by dot product that of a key. Where
    one of the two was not found, it stands below the others. Before each name stands its place: so
    one sees the one rise and the other fall.

    asked: (t) words   words: (n)   counts: (n, n)   by_dot, by_cosine: (t, count) places in words
    """
    figure = new_figure(7.0, 0.33 * (np.size(by_dot) + len(asked)) + 1.5)
    table = np.asarray(counts, dtype=float)
    figure.headline(_who_finds_itself(asked, words, table, by_dot, by_cosine))
    panels = figure.subplots(len(asked), 2, squeeze=False, width_ratios=(1.15, 1))
    figure.get_layout_engine().set(wspace=0.06)  # or a number on the left reads on to the right
    for pair, word, loud, near in zip(panels, asked, by_dot, by_cosine, strict=True):
        _draw_question(pair, word, words, table, loud, near, several=len(asked) > 1)
    for column in panels.T:  # one scale for all questions
        reach = ROOM * max(bar.get_width() for axes in column for bar in axes.patches)
        for axes in column:
            axes.set_xlim(0, reach)
    _write_heads(panels[0], [np.linalg.norm(table[words.index(word)]) for word in asked])
    if any(bar.get_linestyle() != "solid" for axes in panels[:, 1] for bar in axes.patches):
        panels[-1, 1].set_xlabel(say(FAR_BEHIND), loc="right")
    show_figure(figure, _rankings_in_words(asked, words, table, by_dot, by_cosine), colours=8)


def _write_heads(pair, lengths) -> None:
    """By what each side ranks, and beneath it on the left what stands in its columns.

    lengths: of the rows that are asked for, since a reach is the dot product divided by that
    """
    reach = say(REACH, length=lengths[0]) if len(lengths) == 1 else say("reach")
    heads = say("ranked by dot product"), say("ranked by cosine")
    for axes, told in zip(pair, heads, strict=True):
        axes.set_title(told, loc="left", fontsize=TEXT, fontweight="normal", pad=22)
    look = {"xycoords": "axes fraction", "textcoords": "offset points", "fontsize": SMALL}
    for told, aside, side in ((say("length · cosine ="), -5, "right"), (reach, 5, "left")):
        pair[0].annotate(told, (0, 1), xytext=(aside, 6), ha=side, **look)


def _draw_question(
    pair, word: str, words: list[str], table: np.ndarray, loud, near, *, several: bool
) -> None:
    """What one word finds: by dot product in the left of a pair of axes, by cosine in the right.

    several: whether other words are asked for too, so that each pair has to name its own
    """
    (left, right), own = pair, words.index(word)
    lengths = np.linalg.norm(table, axis=1)
    cosines = table @ table[own] / lengths / lengths[own]
    reaches, first = lengths * cosines, loud[0]
    marked = {first: KEY, own: QUERY}  # blue alone, where the word itself comes first
    below = [] if own in loud else [own]
    factors = [f"{long:.0f} · {_fine(one)} =" for long, one in zip(lengths, cosines, strict=True)]
    _draw_ranking(left, words, reaches, loud, below, "{:.0f}".format, marked)
    _write_before(left, factors, [*loud, *below])
    _draw_ranking(right, words, cosines, near, [] if first in near else [first], _fine, marked)
    for bar, is_far in zip(right.patches, _behind_a_gap(cosines[near]), strict=False):
        if is_far:
            bar.set(facecolor="white", edgecolor=GHOST, linestyle=(0, (1, 2)), linewidth=1.5)
    for axes in pair:  # level rows, whichever side has one more below
        axes.set_ylim(max(left.get_ylim(), right.get_ylim()))
    if several:
        left.set_ylabel(say("asked: {word}", word=word))


def _who_finds_itself(asked, words: list[str], table, by_dot, by_cosine) -> str:
    """The headline: where the one word that was asked for stands, or how many were found."""
    if len(asked) == 1 and (own := words.index(asked[0])) in by_cosine[0]:
        loud, near = list(by_dot[0]), list(by_cosine[0])
        dot = 1 + loud.index(own) if own in loud else _place_by_dot(table, own)
        cosine = 1 + near.index(own)
        template = FIRST_BY_BOTH if dot == cosine == 1 else PLACES
        return say(template, word=asked[0], dot=dot, cosine=cosine)
    dot, cosine = (
        sum(words.index(word) in row for word, row in zip(asked, found, strict=True))
        for found in (by_dot, by_cosine)
    )
    template = LOST_BY_DOT if (dot, cosine, len(asked)) == (0, 2, 2) else FOUND
    return say(template, dot=dot, cosine=cosine, count=len(asked))


def _rankings_in_words(asked, words: list[str], table, by_dot, by_cosine) -> str:
    """What was found for each word, and which of it is far less alike."""
    told = []
    units = table / np.linalg.norm(table, axis=1, keepdims=True)
    for word, loud, near in zip(asked, by_dot, by_cosine, strict=True):
        behind = _behind_a_gap(units[near] @ units[words.index(word)])
        dot, alike, far = (
            ", ".join(words[i] for i in places)
            for places in (loud, np.asarray(near)[~behind], np.asarray(near)[behind])
        )
        end = say(THEN_FAR_BEHIND, far=far) if far else say(ALL_ALIKE)
        told.append(say(RANKING, word=word, by_dot=dot, by_cosine=alike) + end)
        if (own := words.index(word)) not in loud:
            place = _place_by_dot(table, own)
            told[-1] += say(LEFT_BEHIND, word=word, place=place, count=len(words))
    return " ".join(told)


def _place_by_dot(table: np.ndarray, own: int) -> int:
    """At which place a row stands, from 1 on, where its own dot products rank all rows."""
    scores = table @ table[own]
    return 1 + int((scores > scores[own]).sum())


def _behind_a_gap(cosines) -> np.ndarray:
    """Which of the cosines, the largest first, come behind a fall by more than GAP."""
    falls = np.diff(cosines, prepend=cosines[0]) < -GAP
    return np.maximum.accumulate(falls)


def _fine(cosine: float) -> str:
    """Four digits without the zero in front, so that only a word itself reads 1.0000."""
    return share(cosine, 4)


def _draw_ranking(
    axes, words: list[str], scores, found, below: list[int], told: Callable, marked: dict[int, str]
) -> None:
    """A bar for each that was found, the best on top, with place and name before it.

    below: what else is shown below the others and a gap   told: from a score to what stands behind
    its bar   marked: the colours of the word that was asked for and of the one that beats it
    """
    shown = [*found, *below]
    heights = np.arange(len(shown)) + 0.25 * (np.arange(len(shown)) >= len(found))
    bars = axes.barh(heights, scores[shown], height=0.8, color=FAINT)
    more = scores > scores[shown][:, None] + 1e-9 * abs(scores[shown][:, None])
    places = [*range(1, 1 + len(found)), *(1 + more.sum(axis=1)[len(found) :])]
    names = [f"{place}. {say(words[i])}" for place, i in zip(places, shown, strict=True)]
    axes.set(xticks=[])
    axes.set_yticks(heights, names)
    look = {"va": "center_baseline", "fontsize": SMALL, "textcoords": "offset points"}
    for bar, height, label, i in zip(bars, heights, axes.get_yticklabels(), shown, strict=True):
        end = (max(scores[i], 0), height)
        number = axes.annotate(told(scores[i]), end, xytext=(5, 0), **look)
        if colour := marked.get(i):
            bar.set(facecolor=colour), number.set(color=colour)
            label.set(color=colour, fontweight="bold")
    axes.tick_params(length=0)
    axes.invert_yaxis()
    axes.spines["bottom"].set_visible(False)


def _write_before(axes, told: list[str], shown) -> None:
    """Words between the names and the bars, in a column of their own."""
    look = {"va": "center_baseline", "ha": "right", "fontsize": SMALL}
    for height, label, i in zip(axes.get_yticks(), axes.get_yticklabels(), shown, strict=True):
        before = {"xytext": (-5, 0), "textcoords": "offset points", "color": label.get_color()}
        axes.annotate(told[i], (0, height), **before, **look)
    axes.tick_params(pad=12 + SIGN * max(len(told[i]) for i in shown))
