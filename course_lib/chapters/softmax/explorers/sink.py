"""Explorer `sink`: one more key, which takes the weight where nothing else fits."""

import numpy as np

from course_lib.chapters.softmax.hues import FITS as HERS
from course_lib.chapters.softmax.hues import SINK, STRANGER
from course_lib.figures.numerals import share, signed
from course_lib.figures.shares import Strip, strip_axes
from course_lib.figures.theme import FAINT, INK, KEY, SMALL, TEXT
from course_lib.kernels.softmax import softmax as course_softmax
from course_lib.sliding.explorer import Drawing, Explorer, Goal
from course_lib.sliding.handles import Handle
from course_lib.sliding.sliders import FloatRange
from course_lib.words import say

KEYS = 100
POOR, FITS = -9.0, 3.0  # the score of the keys that do not fit, and of one that does
LOWEST, HIGHEST = -15.0, 8.0
ENOUGH = 0.9
LANE = 0.62  # the height at which the sink moves


def sink(*, sink, softmax) -> dict:
    """The weights of a hundred keys and a sink, and of the same with a key that fits.

    nothing, fits: the weights of (the fitting key, the hundred together, the sink).
    """
    nothing = np.append(np.full(KEYS, POOR), sink)
    data = {"sink": sink}
    for name, scores in (("nothing", nothing), ("fits", np.append(nothing, FITS))):
        weights = np.asarray(softmax(scores), dtype=float)
        one = weights[KEYS + 1 :].sum()  # 0 where it has not come
        data[name] = np.array([one, weights[:KEYS].sum(), weights[KEYS]])
    return data


def _line(axes) -> None:
    """The line of scores, with the hundred and the key that comes in the lower strip."""
    axes.set_label("scores")
    axes.set(xlim=(LOWEST - 0.7, HIGHEST + 0.7), ylim=(0, 3.3), yticks=[])
    axes.spines["left"].set_visible(False)
    axes.set_xticks((-15, -9, -3, 3, 8), labels=["−15", "−9", "−3", "3", "8"])
    axes.set_xlabel(say("score"))
    for place in (POOR, FITS):
        axes.plot([place] * 2, [0, 1.6], color=FAINT, linewidth=1.2, zorder=0)
    across, up = np.divmod(np.arange(KEYS), 10)
    dots = POOR + 0.17 * (across - 4.5), 1.7 + 0.145 * up
    axes.plot(*dots, "o", color=STRANGER, markersize=2.8, markeredgewidth=0)
    axes.plot([FITS], [1.9], "o", color=INK, markerfacecolor=HERS, markersize=9)
    look = {"fontsize": SMALL, "va": "center", "color": KEY}
    axes.text(POOR + 1.2, 2.35, say("a hundred keys\nthat do not fit"), **look)
    axes.text(FITS + 0.5, 2.35, say("one key\nthat fits"), **look)


def _axes(figure):
    line, strips = figure.subplots(2, 1, height_ratios=(1.0, 2.1))
    _line(line)
    strip_axes(strips, "strips", low=-0.6, high=4.1)
    strips.set_xlim(-0.2, 1.005)
    for bottom, text in ((2.4, "the hundred"), (0.0, "the hundred\nand one\nthat fits")):
        strips.text(-0.195, bottom + 0.5, say(text), fontsize=TEXT, va="center")
    return line, strips


def draw_sink(figure, data) -> Drawing:
    """Above the scores on a line; below the strip of the hundred, and that with a key that fits."""
    line, strips = _axes(figure)
    look = {"color": INK, "markerfacecolor": SINK, "markersize": 10, "zorder": 4}
    (place,) = line.plot([data["sink"]], [LANE], "s", **look)
    behind = {"facecolor": "white", "edgecolor": "none", "pad": 1.5}
    name = line.text(0, LANE, "", fontsize=SMALL, va="center", bbox=behind, zorder=3)
    fills = (HERS, STRANGER, SINK)
    looks = {"nothing": 2.4, "fits": 0.0}
    pieces = {
        row: Strip(strips, ("", "the hundred", "sink") if row == "nothing" else
                   ("the key", "the hundred", "sink"), data[row], colours=fills, bottom=bottom,
                   ghost=False, gap=4.0)
        for row, bottom in looks.items()
    }  # fmt: skip
    goal = looks["nothing"], say("goal: all of this for the sink")
    _mark_goal(strips, 1 - ENOUGH, 1.0, *goal)
    _mark_goal(strips, 0.0, ENOUGH, looks["fits"], say("goal: all of this for the key"))
    title = figure.headline()

    def update(data) -> None:
        place.set_xdata([data["sink"]])
        after = data["sink"] < 0
        name.set(x=data["sink"] + (0.6 if after else -0.6), ha="left" if after else "right")
        name.set_text(say("the sink"))
        for row, strip in pieces.items():
            strip.update(data[row])
        title.set_text(_finding(data))

    moving = [place, name, *pieces["nothing"].artists, *pieces["fits"].artists]
    return Drawing(update, [*moving, title], ghosts=[place])


def _mark_goal(axes, low: float, high: float, bottom: float, words: str) -> None:
    """A bracket above a strip, named: what lies below it should be one piece."""
    foot, top = bottom + 1.06, bottom + 1.24
    axes.plot([low, low, high, high], [foot, top, top, foot], color=INK, linewidth=1.2)
    axes.text((low + high) / 2, top + 0.06, words, fontsize=SMALL, ha="center", va="bottom")


def _finding(data) -> str:
    facts = {"sink": share(data["nothing"][2]), "one": share(data["fits"][0])}
    return say("Nothing fits: the sink takes {sink}. One fits: that key has {one}", **facts)


def describe_sink(params, data) -> str:
    """The picture in one sentence."""
    return say(
        "The sink scores {score}. Beside a hundred keys that score −9 it takes {sink}. "
        "With a key that scores 3, that key has {one}, and the sink {rest}.",
        score=signed(data["sink"]), sink=share(data["nothing"][2]),
        one=share(data["fits"][0]), rest=share(data["fits"][2]),
    )  # fmt: skip


explore_sink = Explorer(
    sink,
    draw_sink,
    describe_sink,
    sliders={"sink": FloatRange(LOWEST, HIGHEST, start=-15.0, step=0.1, label="score of the sink")},
    handles={
        "sink": Handle(
            at=lambda data: ("scores", data["sink"], LANE),
            to=lambda xy, params: {"sink": xy[0]},
            moves=("sink",),
            label="the sink",
        ),
    },
    functions={"softmax": course_softmax},
    numbers=lambda params, data: [
        (say("no key fits: the sink"), f"{data['nothing'][2]:.4f}"),
        (say("one key fits: that key"), f"{data['fits'][0]:.4f}"),
        (say("one key fits: the sink"), f"{data['fits'][2]:.4f}"),
    ],
    goal=Goal(
        "Find a score of the sink with which the query can do both: where nothing fits, the sink "
        "takes more than .9; where one key fits, that key still has more than .9.",
        lambda params, data: data["nothing"][2] > ENOUGH and data["fits"][0] > ENOUGH,
        solution={"sink": 0.0},
    ),
    question="And at 8, the highest: can the query still look at the key that scores 3?",
    size=(7.0, 4.4),
    colours=8,
)
