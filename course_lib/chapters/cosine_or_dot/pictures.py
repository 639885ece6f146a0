"""The pictures of chapter 2 that do not move, each with its words.

show_neighbours("hot", "cold", words, counts)       # the rows of two words, side by side
show_rankings(asked, words, counts, by_dot, by_cosine)   # what a search finds in two ways
show_lengths(frequencies, tables)                   # is a word's length how often it occurs?
show_two_words(20, -30)                             # cat and dog beside an axis
show_strangers(cosines)                             # cosines of random directions
"""

from collections.abc import Callable

import numpy as np

from course_lib.figures.numerals import share
from course_lib.figures.spreads import draw_cloud, draw_histograms
from course_lib.figures.static import show_figure
from course_lib.figures.theme import FAINT, GHOST, INK, KEY, QUERY, SMALL, TEXT, new_figure
from course_lib.figures.vectors import draw_angle, draw_plane, draw_vector
from course_lib.words import say

NEIGHBOURS = (
    "Two bars back to back for each word that stands near {one} or near {other}, as long as it "
    "does so often, {one} on the left. Neighbours of both: {shared}, about equally often. Only "
    "{one} has {only}; only {other} has {only_other}."
)
RANKING = "Asked for {word}. By dot product: {by_dot}, whose rows are long. By cosine: {by_cosine}"
LEFT_BEHIND = " By dot product {word} itself stands at place {place} of {count}."
ALL_ALIKE = ", which are used like it."
THEN_FILLED = "; then, behind a gap and only to fill the places, {filled}."
LENGTHS = (
    "Length against frequency of {count} words. Raw counts rise along a line; PPMI makes a "
    "level cloud, with cat and kitten at one height."
)
TWO_WORDS = (
    "Two arrows, cat {up} degrees above the axis, dog {down} below: {between} degrees apart."
)
STRANGERS = (
    "Three histograms of cosines of random pairs. In 2 dimensions every cosine is likely, above "
    "all those near -1 and 1; in 64 they crowd within .4 of 0, in 768 within .15."
)

LOST_BY_DOT = "By dot product neither word finds itself, by cosine both do"
PLACES = "By dot product “{word}” is at place {dot}, by cosine at place {cosine}"
ONE_PLACE = "By dot product and by cosine “{word}” is at place {dot}"
FOUND = "Words that find themselves: by dot product {dot} of {count}, by cosine {cosine}"
ONLY_FILLS = "dotted: more than .1 behind, only fills a place"
ROOM = 1.6  # of the longest bar: behind it stands its number
SIGN = 6.3  # points: how wide a sign is in the column of lengths and cosines
GAP = 0.1  # of a cosine: what comes behind such a fall is no neighbour any more


def show_neighbours(one: str, other: str, words: list[str], counts) -> None:
    """Show beside which words two words stand, and how often.

    words: (n) of them   counts: (n, n), a row for each word
    """
    rows = np.asarray(counts)[[words.index(one), words.index(other)]]
    order = np.argsort(-rows.sum(axis=0), kind="stable")  # tea and water come equally often
    places = [int(place) for place in order if rows[:, place].any()]
    figure = new_figure(7.0, 0.29 * len(places) + 0.9)
    sides = figure.subplots(1, 2)
    for axes, row, colour in zip(sides, rows, (INK, "white"), strict=True):
        axes.barh(range(len(places)), row[places], height=0.7, facecolor=colour, edgecolor=INK)
        axes.set(xlim=(0, 1.2 * rows.max()), xticks=[], yticks=[], ylim=(len(places) - 0.5, -0.6))
        axes.spines["bottom"].set_visible(False)
        for height, place in enumerate(places):
            beside = {"xytext": (-5 if axes is sides[0] else 5, 0), "textcoords": "offset points"}
            look = {"ha": "right" if axes is sides[0] else "left", "va": "center_baseline"}
            number = f"{row[place]:.0f}"
            axes.annotate(number, (row[place], height), fontsize=SMALL, **beside, **look)
    sides[0].invert_xaxis()  # back to back: what is alike is as long to the left as to the right
    sides[0].spines["left"].set_visible(False)
    sides[0].spines["right"].set_visible(True)
    for axes, name, side in zip(sides, (one, other), ("right", "left"), strict=True):
        head = say("how often near “{name}”", name=name)
        axes.set_title(head, loc=side, fontsize=TEXT, fontweight="normal")
    sides[1].set_yticks(range(len(places)), [say(words[place]) for place in places], ha="center")
    sides[1].tick_params(axis="y", length=0, pad=34)
    alone = [
        [words[p] for p in places if row[p] and not rest[p]] for row, rest in (rows, rows[::-1])
    ]
    told = {"one": one, "other": other}
    shared = sum(bool(rows[:, place].all()) for place in places)
    told |= {"shared": shared, "all": len(places)}
    title = "Near both: {shared} of the {all} words near {one} or {other}"
    figure.headline(say(title, **told))
    only = {"only": ", ".join(alone[0]), "only_other": ", ".join(alone[1])}
    show_figure(figure, say(NEIGHBOURS, **told, **only), colours=8)


def show_rankings(asked, words: list[str], counts, by_dot, by_cosine) -> None:
    """Show what a search finds for each word by dot product, left, and by cosine, right.

    Left, a bar is the length of the row times its cosine with the question: the dot product at a
    question of length 1. Right, it is the cosine; empty from the first on that lies behind a GAP.
    Where a word does not find itself, it stands below on the left, and on the right what was found
    instead. Before each name stands its place: so one sees the one rise and the other fall.

    asked: (t) words   words: (n)   counts: (n, n)   by_dot, by_cosine: (t, count) places in words
    """
    figure = new_figure(7.0, 0.33 * (np.size(by_dot) + len(asked)) + 1.3)
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
    beneath = {"loc": "left", "fontsize": TEXT, "fontweight": "normal"}
    head = say("by dot product: the reach")
    if len(asked) == 1:  # several questions have several lengths
        long = float(np.linalg.norm(table[words.index(asked[0])]))
        head = say("by dot product: {long:.0f} · the reach", long=long)
    panels[0, 0].set_title(head, **beneath)
    panels[0, 1].set_title(say("by cosine"), **beneath)
    if any(bar.get_linestyle() != "solid" for axes in panels[:, 1] for bar in axes.patches):
        panels[-1, 1].set_xlabel(say(ONLY_FILLS), loc="right")
    show_figure(figure, _rankings_in_words(asked, words, table, by_dot, by_cosine), colours=8)


def _draw_question(
    pair, word: str, words: list[str], table: np.ndarray, loud, near, *, several: bool
) -> None:
    """What one word finds: by dot product in the left of a pair of axes, by cosine in the right.

    several: whether other words are asked for too, so that each pair has to name its own
    """
    (left, right), own = pair, words.index(word)
    lengths = np.linalg.norm(table, axis=1)
    cosines = table @ table[own] / lengths / lengths[own]
    reaches, instead, lost = lengths * cosines, loud[0], own not in loud
    marked = {own: QUERY, instead: KEY} if lost else {}
    factors = [f"{long:.0f} · {_fine(one)} =" for long, one in zip(lengths, cosines, strict=True)]
    _draw_ranking(left, words, reaches, loud, [own] if lost else [], "{:.0f}".format, marked)
    _write_before(left, factors, [*loud, own] if lost else loud)
    below = [instead] if lost and instead not in near else []
    _draw_ranking(right, words, cosines, near, below, _fine, marked)
    for bar, only_fills in zip(right.patches, _behind_a_gap(cosines[near]), strict=False):
        if only_fills:
            bar.set(facecolor="white", edgecolor=GHOST, linestyle=(0, (1, 2)), linewidth=1.5)
    right.set_ylim(left.get_ylim())
    if several:
        left.set_ylabel(say("asked: {word}", word=word))


def _who_finds_itself(asked, words: list[str], table, by_dot, by_cosine) -> str:
    """The headline: where the one word that was asked for stands, or how many were found."""
    if len(asked) == 1 and (own := words.index(asked[0])) in by_cosine[0]:
        loud, near = list(by_dot[0]), list(by_cosine[0])
        dot = 1 + loud.index(own) if own in loud else _place_by_dot(table, own)
        cosine = 1 + near.index(own)
        template = ONE_PLACE if dot == cosine else PLACES
        return say(template, word=asked[0], dot=dot, cosine=cosine)
    dot, cosine = (
        sum(words.index(word) in row for word, row in zip(asked, found, strict=True))
        for found in (by_dot, by_cosine)
    )
    template = LOST_BY_DOT if (dot, cosine, len(asked)) == (0, 2, 2) else FOUND
    return say(template, dot=dot, cosine=cosine, count=len(asked))


def _rankings_in_words(asked, words: list[str], table, by_dot, by_cosine) -> str:
    """What was found for each word, and which of it fills a place."""
    told = []
    units = table / np.linalg.norm(table, axis=1, keepdims=True)
    for word, loud, near in zip(asked, by_dot, by_cosine, strict=True):
        fills = _behind_a_gap(units[near] @ units[words.index(word)])
        dot, alike, filled = (
            ", ".join(words[i] for i in places)
            for places in (loud, np.asarray(near)[~fills], np.asarray(near)[fills])
        )
        end = say(THEN_FILLED, filled=filled) if filled else say(ALL_ALIKE)
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
    its bar   marked: the colours of those that change places
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


def show_lengths(frequencies, tables: dict, marked: dict[str, int]) -> None:
    """Show each word's length against how often it occurs: counts and PPMI, each its panel.

    frequencies: (n,)   tables: name -> (n, width)   marked: from a word to its place
    """
    figure = new_figure(5.6, 2.4)
    panels = figure.subplots(1, 2)
    heights = {"counts": (150, 40_000), "PPMI": (0.5, 50)}
    for axes, (name, limits) in zip(panels, heights.items(), strict=True):
        draw_cloud(axes, frequencies, np.linalg.norm(tables[name], axis=1), marked)
        axes.set(xlim=(50, 60_000), ylim=limits)
        axes.set_title(say(name), fontsize=TEXT, fontweight="normal")
    figure.headline(say("Counts rise with frequency, PPMI does not"))
    panels[0].set_ylabel(say("length"))
    figure.supxlabel(
        say("how often a word occurs (each tick is ten times the last)"), fontsize=TEXT
    )
    show_figure(figure, say(LENGTHS, count=len(frequencies)), colours=8, exact=False)


def show_two_words(up: float, down: float) -> None:
    """Show cat and dog as arrows at two angles, in degrees from an axis."""
    cat, dog = ([np.cos(turn), np.sin(turn)] for turn in np.radians((up, down)))
    figure = new_figure(5.0, 2.9)
    axes = draw_plane(figure.subplots(), 1.3)
    axes.set(xlim=(-0.5, 1.45), ylim=(-0.75, 0.6))
    draw_vector(axes, cat, INK, "cat", width=0.6)
    draw_vector(axes, dog, INK, "dog", side=-1, width=0.6)
    for one, degrees in ((cat, up), (dog, down)):  # each with the axis
        draw_angle(axes, (1, 0), one, radius=0.25, template="").artists[0].set_color(GHOST)
        middle = 0.53 * np.array([np.cos(np.radians(degrees / 2)), np.sin(np.radians(degrees / 2))])
        axes.text(*middle, f"{abs(degrees)}°", fontsize=SMALL, ha="center", va="center_baseline")
    arc, number = draw_angle(axes, cat, dog, radius=0.49).artists
    arc.set_linewidth(2.5)
    number.set(fontweight="bold", bbox={"facecolor": "white", "edgecolor": "none", "pad": 1})
    axes.text(-0.47, 0.03, say("the axis"), fontsize=SMALL)
    cosine = float(np.cos(np.radians(up - down)))
    told = {"apart": up - down, "cosine": share(cosine)}
    figure.headline(say("cat and dog: cos {apart}° = {cosine}", **told))
    show_figure(figure, say(TWO_WORDS, up=up, down=-down, between=up - down), colours=8)


def show_strangers(cosines: dict) -> None:
    """Show how the cosines of random directions are spread, for 2, 64 and 768 dimensions.

    cosines: name -> (n,)
    """
    figure = new_figure(6.0, 2.5)
    places = [(-0.9, 1.6), (-0.43, 2.4), (-0.35, 8.5)]
    axes = draw_histograms(figure.subplots(), cosines, np.linspace(-1, 1, 81), places)
    axes.axvline(0.2, color=INK, linewidth=1, zorder=0)
    axes.text(0.22, 9.0, say("a cosine of .2"), fontsize=SMALL)
    axes.set_xticks((-1, -0.5, 0, 0.2, 0.5, 1), ("−1", "−.5", "0", ".2", ".5", "1"))
    axes.set_xlabel(say("cosine of two random directions"))
    figure.headline(say("The wider, the more a cosine of .2 says"))
    show_figure(figure, say(STRANGERS), colours=8)
