"""Explorer `heads`: a model's heads, each as loud as you like, where it looks, and what is said."""

from functools import cache, lru_cache

import numpy as np
from matplotlib.patches import Rectangle

from course_lib.chapters.start_here import notes
from course_lib.chapters.start_here import sentences as s
from course_lib.chapters.start_here.outwitting import begun_again, copied_on
from course_lib.figures.arcs import LEAST_SHOWN, LOWEST, draw_arcs
from course_lib.figures.ghosts import goal_band
from course_lib.figures.letters import visible
from course_lib.figures.theme import GHOST, INK, QUERY, SMALL, TEXT, VALUE, WEIGHT
from course_lib.models.copying_numpy import load_copying, share_right, without
from course_lib.models.copying_text import BLOCKS, HEADS, decode, fitted
from course_lib.sliding.explorer import Drawing, Explorer, Goal
from course_lib.sliding.handles import Chosen, Handle
from course_lib.sliding.sliders import FloatRange, IntRange
from course_lib.words import say

MORE, SHOWN = 8, 24  # letters that are added; that are shown before
ALL, FEWER, DRAW = 200, 21, 2492  # strings that the chapter's list is counted on; of these, so few
LEAST_WIDE = 24  # boxes: a short text has no larger ones
CHANCE = 100 / 27  # letters of 100 that a guess gets right
LOW, HIGH = 40, 60  # the goal: about half of the letters
SIDE, MARGIN = 0.5, 0.07  # how wide a level is, and how much wider the bar that it fills
KNOB, OUT = 0.24, 0.13  # by which a level is taken: its height, and how far it sticks out
WIDE, DOWN = 1.1, 1.8  # how far the next bar stands, to the right and down
PALE, GREY, LEAST_LOOK = "#b9bfc9", "#666666", 0.5  # arcs before the last; no weaker ones
THINNER = 1 / 3  # than the dark arcs: eight of them side by side would be one grey band
ROOMY = 15  # right of 100, from where the bar has room for its number
RISE = 0.27  # of an arc over the letters

model = cache(load_copying)


@cache
def _some() -> np.ndarray:
    """Fewer strings, drawn so that they give the numbers of the list: a hand need not wait."""
    return np.random.default_rng(DRAW).choice(ALL, FEWER, replace=False)


@lru_cache(maxsize=512)
def _right(head: int, loudness: float) -> float:
    """Of 100 letters of fresh strings, how many it says right."""
    loud = without(head, loudness=loudness)
    return 100 * share_right(model(), ALL, rows=_some(), loudness=loud)


@lru_cache(maxsize=512)
def _said(text: str, head: int, loudness: float) -> str:
    """What the model adds to the text."""
    return model().continued(text, MORE, without(head, loudness=loudness))


@lru_cache(maxsize=64)
def _maps(text: str) -> np.ndarray:
    """Where each head looks among the letters that are shown. Shapes: -> (heads, t, t)"""
    maps = model().maps(text)
    shown = maps.reshape(-1, *maps.shape[2:])[:, -SHOWN:, -SHOWN:]
    shown.flags.writeable = False  # cached: nobody may change it
    return shown


def draw_heads(figure, data) -> Drawing:
    """Above, eight faders and how much is right; below, the text with arcs, and what is added."""
    (faders, right), below = figure.subplots(2, 2, height_ratios=(1.5, 1), width_ratios=(1.3, 1))
    for half in below:  # one strip stands in place of the two
        half.set_visible(False)
    strip = figure.add_subplot(below[0].get_subplotspec().get_gridspec()[1, :])
    title = figure.headline()
    levels, knobs, ridges, frame, drag = _draw_faders(faders)
    bar, count, goal = _draw_right(right)
    boxes, letters, marks, words, empty = _draw_strip(strip, data)
    before = draw_arcs(strip, len(data["text"]), foot=0.5, rise=RISE)
    before.artist.set_color(PALE)
    arcs = draw_arcs(strip, len(data["text"]), foot=0.5, rise=RISE)

    def update(data) -> None:
        for number, (level, knob) in enumerate(zip(levels, knobs, strict=True)):
            height = data["loudness"] if number == data["head"] - 1 else 1.0
            level.set_height(height), knob.set_y(_corner(number)[1] + height - KNOB / 2)
            knob.set_facecolor(QUERY if number == data["head"] - 1 else "white")
        ridges.set_ydata([knob.get_y() + KNOB / 2 for knob in knobs])
        x, y = _corner(data["head"] - 1)
        frame.set_xy((x - MARGIN, y - MARGIN))
        drag.set_position((x + SIDE + OUT + 0.03, y + data["loudness"]))
        bar.set_width(data["right"]), _write_in(count, data["right"])
        slip = next((n for n in range(MORE) if data["said"][n] != data["should"][n]), None)
        for number, (box, letter, mark) in enumerate(zip(boxes, letters, marks, strict=True)):
            right = slip is None or number < slip
            colour = VALUE if right else INK
            letter.set(text=visible(data["said"][number]), color=colour)
            box.set_edgecolor(colour)
            mark.set_text("✗" if number == slip else "")
        others, last = (looks * data["loudness"] for looks in _apart(data))
        before.update(others), arcs.update(last)
        before.artist.set_linewidths([THINNER * one for one in before.artist.get_linewidths()])
        empty.set_text(notes.why_no_arcs(data) if (others + last).max() < LEAST_SHOWN else "")
        words.set_text(notes.title_of_look(data)), title.set_text(notes.share_told(data))

    moving = [*levels, *knobs, ridges, frame, drag, bar, count, *boxes, *letters, *marks]
    moving += [words, title, before.artist, arcs.artist, empty]
    return Drawing(update, moving=moving, ghosts=[bar], goal=goal)


def _apart(data) -> tuple[np.ndarray, np.ndarray]:
    """How the letters before the last look at others, and how the last one does: each by itself.

    Their loops, and what is small, would be a thicket. A head of block 2 looks for an earlier time:
    where a letter had none, its look says nothing.

    Shapes: -> (t, t), (t, t)
    """
    looks, text = data["looks"], data["text"]
    others = np.where(looks >= LEAST_LOOK, looks, 0)
    np.fill_diagonal(others, 0)
    if data["head"] > HEADS:
        others[[letter not in text[:place] for place, letter in enumerate(text)]] = 0
    others[-1] = 0
    last = np.zeros_like(looks)
    last[-1] = looks[-1]
    return others, last


def _corner(number: int) -> tuple[float, float]:
    """Where the fader of a head stands: block 1 in the upper row."""
    block, place = divmod(number, HEADS)
    return WIDE * place, -DOWN * block


def _draw_faders(axes) -> tuple:
    axes.set(xlim=(-1.7, 4.2), ylim=(-2.33, 1.2), xticks=[], yticks=[])
    axes.spines[:].set_visible(False)
    levels, knobs, grey = [], [], {"color": GREY, "fontsize": SMALL, "va": "center"}
    for number in range(BLOCKS * HEADS):
        x, y = _corner(number)
        axes.add_patch(_bar(x, y, facecolor="#eef0f3", edgecolor=GREY))
        levels.append(axes.add_patch(Rectangle((x, y), SIDE, 1.0, facecolor=WEIGHT)))
        knob = Rectangle((x - OUT, y + 1 - KNOB / 2), SIDE + 2 * OUT, KNOB, zorder=5)
        knob.set(edgecolor=WEIGHT, linewidth=1.4)
        knobs.append(axes.add_patch(knob))
        axes.text(x + SIDE / 2, y - 0.37, f"{number + 1}", ha="center", va="center", fontsize=SMALL)
    for block in range(BLOCKS):
        y = _corner(HEADS * block)[1]
        axes.text(-0.62, y + 0.5, say("block {n}", n=block + 1), ha="right", va="center",
                  fontsize=SMALL)  # fmt: skip
        for level in (0, 1):  # of the first bar in each row; the others have the same
            axes.text(-0.24, y + level, f"{level}", ha="right", **grey)
    frame = _bar(0, 0, fill=False, edgecolor=QUERY, linewidth=3, zorder=4)
    middles = [_corner(number)[0] + SIDE / 2 for number in range(BLOCKS * HEADS)]
    look = {"color": GHOST, "markersize": 13, "markeredgewidth": 1.4, "zorder": 6}
    (ridges,) = axes.plot(middles, [0] * len(middles), "_", **look)
    drag = axes.text(0, 0, "↕", color=QUERY, fontsize=TEXT + 2, fontweight="bold", va="center")
    return levels, knobs, ridges, axes.add_patch(frame), drag


def _bar(x: float, y: float, **look) -> Rectangle:
    """The bar that a level fills when it is 1."""
    return Rectangle((x - MARGIN, y - MARGIN), SIDE + 2 * MARGIN, 1 + 2 * MARGIN, **look)


def _draw_right(axes) -> tuple:
    """A thin bar for the letters that are right, with the goal and what chance gives."""
    axes.set(xlim=(0, 104), ylim=(-1.1, 1.1), yticks=[], xticks=(0, 50, 100))
    axes.set_xlabel(say("right of 100"))
    axes.spines["left"].set_visible(False)
    goal = goal_band(axes, LOW, HIGH, INK)
    axes.plot([CHANCE] * 2, [-1.1, 0.55], color=GHOST, linewidth=1.5, zorder=3)
    axes.text(1, 0.75, say(s.A_GUESS, n=CHANCE), fontsize=SMALL, color=GREY, va="center")
    bar = axes.add_patch(Rectangle((0, -0.22), 0, 0.44, facecolor=INK, zorder=2))
    count = axes.text(0, 0, "", fontsize=SMALL, fontweight="bold", va="center", zorder=4)
    return bar, count, goal


def _write_in(count, right: float) -> None:
    """The number of a bar at its end: within a long one, behind a short one."""
    within = right > ROOMY
    count.set(x=right - 2 if within else right + 2, text=f"{right:.0f}",
              ha="right" if within else "left", color="white" if within else INK)  # fmt: skip


def _draw_strip(axes, data) -> tuple:
    text = data["text"]
    total = len(text) + MORE
    axes.set(
        xlim=(-0.6, max(total, LEAST_WIDE) - 0.2),
        ylim=(-1.2, 0.6 + LOWEST + RISE * len(text) ** 0.6),
        xticks=[],
        yticks=[],
    )
    axes.spines[:].set_visible(False)
    look = {"ha": "center", "va": "center", "fontsize": TEXT}
    shape = {"facecolor": "white", "zorder": 2, "edgecolor": GHOST}
    boxes = [axes.add_patch(Rectangle((place - 0.43, -0.45), 0.86, 0.9, **shape))
             for place in range(total)]  # fmt: skip
    for place, letter in enumerate(text):
        axes.text(place, -0.03, visible(letter), color=INK, zorder=3, **look)
    added, boxes = range(len(text), total), boxes[len(text) :]
    for box in boxes:
        box.set_linestyle((0, (3, 1.5)))
    letters = [axes.text(place, -0.03, "", fontweight="bold", **look) for place in added]
    marks = [axes.text(place, -0.9, "", **look) for place in added]
    heading = axes.set_title("", loc="left")
    heading.set(fontweight="normal", fontsize=SMALL)
    empty = axes.text(-0.43, 1.0, "", color=GREY, fontsize=SMALL, va="center")
    return boxes, letters, marks, heading, empty


def describe_heads(params, data) -> str:
    """The picture in words."""
    most = int(data["looks"][-1].argmax())
    back = len(data["text"]) - 1 - most
    looked_at = say(s.LOOKED_AT[min(back, 2)], letter=data["text"][most], back=back)
    sentence = say(
        "Head {head} has loudness {loudness:.2f}, the others are as learned: the model goes on "
        'with "{said}", and in fresh strings {right:.0f} of 100 letters are right.',
        **{name: data[name] for name in ("head", "loudness", "said", "right")},
    )
    looked_at = say(s.NOT_DRAWN) if notes.looks_further(data) else looked_at
    silent = params["loudness"] == 0
    sentence += " " + (say(s.IS_SILENT) if silent else say(s.LOOKS_MOST, looked_at=looked_at))
    return sentence + (say(s.END_DRAWN, n=SHOWN) if data["cut"] else "")


def _level(data) -> tuple[int, float, float]:
    """Where the knob of the chosen head stands, by its right end."""
    x, y = _corner(data["head"] - 1)
    return 0, x + SIDE, y + data["loudness"]


HANDLES = {
    "head": Chosen(
        at=lambda data: [
            (0, x + SIDE / 2, y + 0.3) for x, y in map(_corner, range(BLOCKS * HEADS))
        ],
        moves="head",
        label="the head that is chosen",
        colour=QUERY,
    ),
    "level": Handle(
        at=_level,
        to=lambda xy, params: {"loudness": xy[1] - _corner(params["head"] - 1)[1]},
        moves=("loudness",),
        label="knob of the chosen head",
        colour=QUERY,
    ),
}


def heads_of(text: str) -> Explorer:
    """The explorer for a text of the learner's; it is read as `fitted` reads it.

    Where it does not begin again, nobody can know what is right: another text stands in for it.
    """
    typed = decode(fitted(begun_again(text), MORE))
    should = copied_on(typed, MORE)

    def heads(*, head, loudness) -> dict:
        return {
            "text": typed[-SHOWN:], "cut": len(typed) > SHOWN, "head": head, "loudness": loudness,
            "before": _said(typed, 1, 1.0), "said": _said(typed, head, loudness),
            "should": should, "right": _right(head, loudness), "looks": _maps(typed)[head - 1],
        }  # fmt: skip

    return Explorer(
        heads,
        draw_heads,
        describe_heads,
        sliders={
            "head": IntRange(1, BLOCKS * HEADS, start=6, label="head"),
            "loudness": FloatRange(0.0, 1.0, start=1.0, step=0.02, label="its loudness"),
        },
        numbers=lambda params, data: [
            (say("text"), data["text"]), (say("all heads on"), data["before"]),
            (say("now"), data["said"]), (say("right of 100"), f"{data['right']:.0f}"),
        ],
        handles=HANDLES,
        size=(7.0, 4.2),
        goal=Goal(
            "Find the head that the copying cannot do without: press a head, then drag its knob "
            "down. Then raise it until about half of the letters are right, 40 to 60 of 100.",
            lambda params, data: LOW <= data["right"] <= HIGH,
            solution={"head": 2, "loudness": 0.26},
        ),
    )  # fmt: skip


def explore_heads_of(text: str) -> None:
    """Show the explorer for a text."""
    heads_of(text)()


explore_heads = heads_of("giraffe pogir")
