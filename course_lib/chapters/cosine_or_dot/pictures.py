"""The pictures of chapter 2 that do not move, each with its words.

show_neighbours("hot", "cold", words, counts)       # the rows of two words, side by side
show_lengths(frequencies, tables)                   # is a word's length how often it occurs?
show_two_words(20, -30)                             # cat and dog beside an axis
show_strangers(cosines)                             # cosines of random directions
"""

import numpy as np

from course_lib.figures.numerals import share
from course_lib.figures.spreads import draw_cloud, draw_histograms
from course_lib.figures.static import show_figure
from course_lib.figures.theme import GHOST, INK, SMALL, TEXT, new_figure
from course_lib.figures.vectors import draw_angle, draw_plane, draw_vector
from course_lib.words import say

NEIGHBOURS = (
    "Two bars back to back for each word that stands near {one} or near {other}, as long as it "
    "does so often, {one} on the left. Neighbours of both: {shared}, about equally often. Only "
    "{one} has {only}; only {other} has {only_other}."
)
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
