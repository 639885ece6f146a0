"""The parts of the model from top to bottom, what chapter 0 showed of them, and who writes each.

show_road_map()        # chapter 0: the whole model
show_road_map(3)       # at the head of chapter 3: the same parts in one row, "you are here"
"""

import re

from matplotlib.font_manager import FontProperties
from matplotlib.patches import FancyBboxPatch

from course_lib.figures.static import show_figure
from course_lib.figures.theme import (
    GHOST,
    INK,
    KEY,
    QUERY,
    SMALL,
    TEXT,
    VALUE,
    new_figure,
)
from course_lib.words import say

PARTS = (  # what happens; the chapters in which it is written, none where it is given
    ("letters, places become numbers", (6,)),
    ("queries, keys, values are made", (5,)),
    ("scores: query meets key", (1, 2)),
    ("the scores are scaled", (3,)),
    ("later letters are hidden", (6,)),
    ("scores become weights", (4,)),
    ("the weights mix the values", (1,)),
    ("heads side by side make a block", (7,)),
    ("a number for each next letter", ()),
)
SHORT = ("places", "q, k, v", "scores", "scale", "hide", "weights", "mix", "heads", "letters")
COLOURED = {  # words of PARTS that have a colour in all pictures
    "queries": QUERY, "query": QUERY, "keys": KEY, "key": KEY, "values": VALUE,
}  # fmt: skip
CHAPTERS = range(1, 9)
HERE = {
    1: "Chapter 1 writes two parts: the scores, and the mixing",
    2: "Chapter 2 asks what the scores should measure",
    3: "Chapter 3 scales the scores before they become weights",
    4: "Chapter 4 turns scores into weights",
    5: "Chapter 5 makes queries, keys and values",
    6: "Chapter 6 tells where words stand, and hides some",
    7: "Chapter 7 puts heads side by side",
    8: "Chapter 8 computes five of these parts faster",
}
MET = {  # the parts that chapter 0 has shown, and what was seen there
    2: ("before you: r?", QUERY),
    5: ("the a: 91 of 100", INK),
    6: ("here is an a", VALUE),
    7: ("2 blocks of 4 heads", INK),
}
GREY = "#666666"
TITLE_OF_ALL = "You have met four of nine parts, and will write all but the last"
WHOLE = (
    "The model as nine boxes, one below the other: letters and places become numbers; queries, "
    "keys and values are made; query meets key, the scores; the scores are scaled; later letters "
    "are hidden; scores become weights; the weights mix the values; heads side by side make a "
    "block; a number for each next letter. Four are dark, and beside them stands what was seen: "
    "query meets key, before you: r?; scores become weights, the a: 91 of 100; the weights mix the "
    "values, here is an a; heads make a block, 2 blocks of 4 heads. On the right stands the "
    "chapter that writes the part: {written}. The last part is given. A bracket holds the five "
    "boxes from the scores to the mixing: chapter 8 makes them faster."
)
FASTER = "chapter 8:\nthe same,\nbut faster"
WRITES = "chapter {n}: {parts}"
OF_WORDS = {0: "places become vectors", 4: "later words are hidden"}  # chapter 6 has no letters
YOU_ARE_HERE = "The parts of the model in one row, from places to letters. You are here: {parts}."
WRITTEN = " Written before, with a tick: {parts}."
HELD = " A bracket holds the parts from q, k, v to mix: each head does this for itself."
GIVEN = " The last part, a number for each next letter, is given."
ONE_HEAD, BLOCK_ENDS = (1, 6), 7  # the first and the last part of a head; the last of a block
FAST = (2, 6)  # what chapter 8 computes in tiles
BOX, STEP = 3.98, 0.6  # the width of a box, and the height of a row
SEEN, WRITER = -0.2, 4.4  # where what was seen ends, and the middle of the column of chapters
DONE = "#e4e8ef"  # a part that an earlier chapter has written
ROUND = "round,pad=0,rounding_size=0.08"


def show_road_map(chapter: int = 0) -> None:
    """Show the whole model; at the head of a chapter, the parts in one row with its own filled.

    Raises: KeyError, if there is no such chapter.
    """
    if chapter == 0:
        figure = new_figure(7.0, 4.75)
        draw_road_map(figure.subplots())
        show_figure(figure, say(WHOLE, written=_written()), colours=64)
        return
    figure = new_figure(7.0, 1.5)
    draw_here(figure.subplots(), chapter)
    told = OF_WORDS if chapter == 6 else {}
    parts = ", ".join(say(told.get(place, PARTS[place][0])) for place in parts_of(chapter))
    sentence = say(YOU_ARE_HERE, parts=parts)
    if before := done_before(chapter):
        sentence += say(WRITTEN, parts=", ".join(say(SHORT[place]) for place in before))
    if BLOCK_ENDS in parts_of(chapter):
        sentence += say(HELD)
    if chapter == CHAPTERS[-1]:
        sentence += say(GIVEN)
    show_figure(figure, sentence, colours=32)


def _written() -> str:
    """Which parts each chapter writes, in the order of the chapters."""
    told = [(n, ", ".join(say(SHORT[place]) for place in parts_of(n))) for n in CHAPTERS[:-1]]
    return "; ".join(say(WRITES, n=n, parts=parts) for n, parts in told)


def parts_of(chapter: int) -> tuple[int, ...]:
    """The places in PARTS of what a chapter writes, or makes faster."""
    if chapter == CHAPTERS[-1]:
        return tuple(range(FAST[0], FAST[1] + 1))
    return tuple(place for place, (_, chapters) in enumerate(PARTS) if chapter in chapters)


def done_before(chapter: int) -> tuple[int, ...]:
    """The places in PARTS of what earlier chapters wrote, and this one leaves alone."""
    here = parts_of(chapter)
    return tuple(
        place for place, (_, chapters) in enumerate(PARTS)
        if place not in here and any(one < chapter for one in chapters)
    )  # fmt: skip


def draw_here(axes, chapter: int) -> None:
    """All parts in one row; those of `chapter` are filled, earlier ones tinted, with a tick.

    Raises: KeyError, if there is no such chapter.
    """
    axes.set(xlim=(-0.5, len(PARTS) - 0.5), ylim=(-1.15, 0.4))
    axes.set_axis_off()
    axes.set_title(say(HERE[chapter]), loc="left")
    here, before = parts_of(chapter), done_before(chapter)
    for place, name in enumerate(SHORT):
        filled, done = place in here, place in before
        axes.add_patch(
            FancyBboxPatch(
                (place - 0.46, -0.3), 0.92, 0.6, boxstyle=ROUND, linewidth=1.4, zorder=2,
                facecolor=INK if filled else DONE if done else "white",
                edgecolor=INK if filled or done else GHOST,
            )
        )  # fmt: skip
        axes.text(
            place, -0.02, say(name), ha="center", va="center", fontsize=SMALL, zorder=3,
            color="white" if filled else INK if done else GREY,
        )  # fmt: skip
        if done:
            axes.text(
                place, -0.56, say("✓ yours"), ha="center", va="center", fontsize=SMALL, color=INK
            )
        elif chapter == CHAPTERS[-1] and not PARTS[place][1]:  # at the end: no part is missing
            axes.text(
                place, -0.56, say("given"), ha="center", va="center", fontsize=SMALL, color=GREY
            )
        if place < len(PARTS) - 1:
            axes.plot([place + 0.46, place + 0.54], [0, 0], color="#666666", zorder=1)
    _you_are_here(axes, here)
    if BLOCK_ENDS in here:  # the chapter of the heads
        _one_head(axes)


def _one_head(axes) -> None:
    """A bracket above the parts that each head goes through for itself."""
    axes.set_ylim(top=0.95)
    first, last = ONE_HEAD[0] - 0.46, ONE_HEAD[1] + 0.46
    axes.plot([first, first, last, last], [0.4, 0.5, 0.5, 0.4], color=INK, linewidth=1.4)
    axes.text((first + last) / 2, 0.58, say("each head does this for itself"), ha="center",
              va="bottom", fontsize=SMALL, color=INK)  # fmt: skip


def _you_are_here(axes, here: tuple[int, ...]) -> None:
    """A stroke below each filled box; a line joins those of neighbours, and of no others."""
    firsts = [place for place in here if place - 1 not in here]
    for first in firsts:
        last = next(place for place in range(first, len(PARTS) + 1) if place + 1 not in here)
        axes.plot([first, last], [-0.6, -0.6], color=INK, linewidth=1.4)
        at_the_edge = last == 0  # alone there, the words begin with its box
        axes.text(
            -0.46 if at_the_edge else (first + last) / 2, -0.68,
            say("you are here" if first == here[0] else "and here"),
            ha="left" if at_the_edge else "center", va="top", fontsize=SMALL, color=INK,
            fontweight="bold",
        )  # fmt: skip
    for place in here:
        axes.plot([place, place], [-0.6, -0.44], color=INK, linewidth=1.4)


def draw_road_map(axes) -> None:
    """A box for each part; on its left what chapter 0 showed of it, on its right who writes it."""
    axes.set(xlim=(-2.6, 6.68), ylim=(-STEP * len(PARTS) + 0.25, 0.85), aspect="equal")
    axes.set_axis_off()
    axes.figure.headline(say(TITLE_OF_ALL))
    heads = {"va": "center", "fontsize": SMALL, "color": INK, "fontweight": "bold"}
    axes.text(SEEN, STEP, say("you have seen"), ha="right", **heads)
    axes.text(WRITER, STEP, say("chapter"), ha="center", **heads)
    for row, (part, chapters) in enumerate(PARTS):
        _part(axes, row, say(part), chapters)
    _faster(axes)


def _part(axes, row: int, part: str, chapters: tuple[int, ...]) -> None:
    y, met = -STEP * row, row in MET
    colour = INK if met else GREY
    axes.add_patch(
        FancyBboxPatch((0.05, y - 0.21), BOX - 0.05, 0.42, boxstyle=ROUND, zorder=2,
                       facecolor=DONE if met else "white", edgecolor=INK if met else GHOST,
                       linewidth=2.4 if met else 0.8)
    )  # fmt: skip
    _write(axes, 0.14, y, part, colour)
    if row < len(PARTS) - 1:
        axes.plot([BOX / 2, BOX / 2], [y - 0.21, y - STEP + 0.21], color=GREY, zorder=1)
    if met:
        seen, its_own = MET[row]
        axes.text(SEEN, y, say(seen), ha="right", va="center", fontsize=SMALL, color=its_own)
    writers = ", ".join(str(one) for one in chapters) or say("given")
    axes.text(WRITER, y, writers, ha="center", va="center", fontsize=TEXT, color=colour,
              fontweight="bold" if met else "normal")  # fmt: skip


def _faster(axes) -> None:
    """A bracket at the right of what chapter 8 makes faster."""
    top, bottom = (-STEP * row for row in FAST)
    x = WRITER + 0.42
    edge = [x, x + 0.1, x + 0.1, x], [top + 0.21, top + 0.21, bottom - 0.21, bottom - 0.21]
    axes.plot(*edge, color=INK, linewidth=1.4)
    axes.text(x + 0.25, (top + bottom) / 2, say(FASTER), ha="left", va="center", fontsize=SMALL,
              color=INK)  # fmt: skip


def _write(axes, x: float, y: float, part: str, colour: str) -> None:
    """A part's words side by side, in `colour` but for those that have their own."""
    renderer, left = axes.figure.canvas.get_renderer(), 0.0
    for run in re.findall(r"\w+|\W+", part):
        weight = "bold" if run in COLOURED else "normal"
        look = {"color": COLOURED.get(run, colour), "fontsize": SMALL, "fontweight": weight}
        axes.annotate(run, (x, y), (left, -SMALL / 3), textcoords="offset points", va="baseline",
                      annotation_clip=False, zorder=3, **look)  # fmt: skip
        font = FontProperties(size=SMALL, weight=weight)
        with_edges, edges = (
            renderer.get_text_width_height_descent(words, font, ismath=False)[0]
            for words in (f"|{run}|", "||")  # spaces at an edge count, too
        )
        left += (with_edges - edges) * 72 / axes.figure.dpi
