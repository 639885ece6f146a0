"""The picture of chapter 2 in which long words reach further along plum than plum itself.

show_reach("plum", ["is", "in", "dog", "plum"], words, counts)
"""

import numpy as np

from course_lib.figures.static import show_figure
from course_lib.figures.theme import GHOST, KEY, QUERY, SMALL, TITLE, new_figure
from course_lib.figures.vectors import draw_plane, draw_vector
from course_lib.words import say

FURTHER = "“{far}” reaches {times:.0f} times as far along “{word}” as “{word}” itself"
REACH = "How far words reach along {word}"
TWICE = 2  # from so many times on, the headline says how many
ARROW = "{name} {length:.0f} long at {angle:.0f} degrees"
ARROWS = (
    "Arrows, each as long as a word's row, {word} along the ground: {arrows}. Dashed lines fall "
    "from their tips to the ground. Bars say how far each reaches along {word}: {reaches}."
)


def show_reach(word: str, names: list[str], words: list[str], counts) -> None:
    """Show words as arrows beside the direction of `word`, and how far they reach along it.

    A reach is the dot product with `word`, divided by the length of `word`. All arrows are turned
    into one plane: lengths and angles with `word` are true, angles between others are not.

    names: those that are drawn, `word` among them   words: (n)   counts: (n, n), a row for each
    """
    table = np.asarray(counts, dtype=float)
    rows, own = table[[words.index(name) for name in names]], table[words.index(word)]
    lengths = np.linalg.norm(rows, axis=1)
    reaches = rows @ own / np.linalg.norm(own)
    colours = [QUERY if name == word else KEY for name in names]
    figure = new_figure(7.0, 3.5)
    far = int(reaches.argmax())
    times = reaches[far] / np.linalg.norm(own)
    headline = {"x": 0.01, "ha": "left", "fontsize": TITLE, "fontweight": "bold"}
    template = FURTHER if times >= TWICE else REACH
    figure.suptitle(say(template, word=word, far=names[far], times=times), **headline)
    plane, bars = figure.subplots(1, 2, width_ratios=(1.2, 1))
    longest = lengths.max()
    draw_plane(plane, longest)
    plane.spines[:].set_visible(False)
    plane.set(xlim=(-0.05 * longest, 1.05 * longest), ylim=(-0.14 * longest, 0.93 * longest))
    for name, length, reach, colour in zip(names, lengths, reaches, colours, strict=True):
        _draw_word(plane, name, length, reach, colour)
    _draw_reaches(bars, names, reaches, colours)
    bars.set_xlabel(say("reach along {word}", word=word))
    show_figure(figure, _in_words(word, names, lengths, reaches), colours=16)


def _draw_word(plane, name: str, length: float, reach: float, colour: str) -> None:
    """An arrow with its name and length at the tip, and the way from there to the ground."""
    height = float(np.sqrt(max(length**2 - reach**2, 0)))
    unit = plane.get_xlim()[1] / 100
    lies = height < unit
    if not lies:
        plane.plot([reach, reach], [0, height], color=GHOST, linestyle=(0, (4, 3)), zorder=1)
    draw_vector(plane, (reach, height), colour, width=0.8)
    place = (0, -8 * unit) if lies else (reach + 3.5 * unit, height)
    told = say("{name} {length:.0f}", name=name, length=length)
    look = {"fontsize": SMALL, "fontweight": "bold", "color": colour, "va": "center_baseline"}
    clear = {"facecolor": "white", "edgecolor": "none", "pad": 1}
    plane.text(*place, told, ha="left", bbox=clear, zorder=2, **look)


def _draw_reaches(axes, names: list[str], reaches, colours: list[str]) -> None:
    """A bar for each word, with its number."""
    places = range(len(names))
    axes.barh(places, reaches, height=0.7, color=colours)
    for place, reach in zip(places, reaches, strict=True):
        far = reach + 0.02 * reaches.max()
        axes.text(far, place, f"{reach:.0f}", va="center_baseline", fontsize=SMALL)
    axes.set(xlim=(0, 1.2 * reaches.max()), xticks=[], yticks=places)
    axes.set_yticklabels([say(name) for name in names])
    axes.tick_params(length=0)
    axes.invert_yaxis()
    axes.spines["bottom"].set_visible(False)


def _in_words(word: str, names: list[str], lengths, reaches) -> str:
    """What the picture shows."""
    angles = np.degrees(np.arccos(np.clip(reaches / lengths, -1, 1)))
    arrows = ", ".join(
        say(ARROW, name=name, length=length, angle=angle)
        for name, length, angle in zip(names, lengths, angles, strict=True)
    )
    told = ", ".join(f"{name} {reach:.0f}" for name, reach in zip(names, reaches, strict=True))
    return say(ARROWS, word=word, arrows=arrows, reaches=told)
