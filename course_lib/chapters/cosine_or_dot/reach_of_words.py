"""The picture of chapter 2 in which long words reach further along plum than plum itself.

show_reach("plum", ["is", "dog", "plum"], words, counts)
"""

import numpy as np

from course_lib.figures.static import show_figure
from course_lib.figures.theme import GHOST, KEY, QUERY, SMALL, new_figure
from course_lib.figures.vectors import draw_plane, draw_vector
from course_lib.words import say

FURTHER = "“{far}” reaches {times:.0f} times as far along “{word}” as “{word}” itself"
REACH = "How far words reach along {word}"
TWICE = 2  # from so many times on, the headline says how many
STEP = 0.115  # from bar to bar, as a share of the longest arrow
ARROW = "{name} {length:.0f} long at {angle:.0f} degrees"
ARROWS = (
    "Arrows, each as long as a word's row, {word} along the ground: {arrows}. A dashed line falls "
    "from each tip to the end of a bar below the ground. The bars say how far each reaches along "
    "{word}: {reaches}."
)


def show_reach(word: str, names: list[str], words: list[str], counts) -> None:
    """Show words as arrows beside the direction of `word`, and how far they reach along it.

    A reach is the dot product with `word`, divided by the length of `word`. All arrows are turned
    into one plane: lengths and angles with `word` are true, angles between others are not. The
    bars stand below the arrows on the same scale, the longest on top; a line from a tip to its bar
    runs behind the longer bars.

    names: those that are drawn, `word` among them   words: (n)   counts: (n, n), a row for each
    """
    table = np.asarray(counts, dtype=float)
    rows, own = table[[words.index(name) for name in names]], table[words.index(word)]
    lengths = np.linalg.norm(rows, axis=1)
    reaches = rows @ own / np.linalg.norm(own)
    figure = new_figure(6.4, 4.4)
    far = int(reaches.argmax())
    times = reaches[far] / np.linalg.norm(own)
    template = FURTHER if times >= TWICE else REACH
    figure.headline(say(template, word=word, far=names[far], times=times))
    longest = lengths.max()
    plane = draw_plane(figure.subplots(), 0.8 * longest)  # by this reach heads get their size
    plane.spines[:].set_visible(False)
    heights = np.sqrt(np.maximum(lengths**2 - reaches**2, 0))
    for line, i in enumerate(np.argsort(-reaches, kind="stable"), start=1):
        colour = QUERY if names[i] == word else KEY
        _draw_word(plane, names[i], (reaches[i], heights[i]), reaches.max(), colour)
        below = -STEP * line * longest
        plane.barh([below], [reaches[i]], height=0.7 * STEP * longest, color=colour, zorder=2)
        ends = [heights[i], below + 0.35 * STEP * longest]
        plane.plot([reaches[i]] * 2, ends, color=GHOST, linestyle="--", linewidth=1.2, zorder=1)
        told = say("{name} reaches {reach:.0f}", name=names[i], reach=reaches[i])
        beside = {"ha": "right", "va": "center_baseline", "fontsize": SMALL, "color": colour}
        plane.text(-0.03 * longest, below, told, fontweight="bold", **beside)
    ground = -STEP * (len(names) + 0.5) * longest
    plane.set(xlim=(-0.45 * longest, 1.27 * longest), ylim=(ground, 1.06 * heights.max()))
    show_figure(figure, _in_words(word, names, lengths, reaches), colours=8)


def _draw_word(plane, name: str, tip: tuple[float, float], farthest: float, colour: str) -> None:
    """An arrow with its name, its length and its angle, right of all lines to the ground."""
    unit = plane.get_xlim()[1] / 100
    draw_vector(plane, tip, colour, width=0.8)
    length = float(np.hypot(*tip))
    template, place = "{name}: {length:.0f} long, {angle:.0f}°", (farthest + 4 * unit, tip[1])
    if tip[1] < unit:  # it lies on the ground, and its name stands above its tip
        template, place = "{name}: {length:.0f}", (tip[0] + 2 * unit, 4.5 * unit)
    told = say(template, name=name, length=length, angle=np.degrees(np.arctan2(*tip[::-1])))
    look = {"fontsize": SMALL, "fontweight": "bold", "color": colour, "va": "center_baseline"}
    plane.text(*place, told, ha="left", **look)


def _in_words(word: str, names: list[str], lengths, reaches) -> str:
    """What the picture shows."""
    angles = np.degrees(np.arccos(np.clip(reaches / lengths, -1, 1)))
    arrows = ", ".join(
        say(ARROW, name=name, length=length, angle=angle)
        for name, length, angle in zip(names, lengths, angles, strict=True)
    )
    told = ", ".join(f"{name} {reach:.0f}" for name, reach in zip(names, reaches, strict=True))
    return say(ARROWS, word=word, arrows=arrows, reaches=told)
