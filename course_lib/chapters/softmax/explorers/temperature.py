"""Explorer `temperature`: four scores, divided by T, and the strip of their weights."""

import numpy as np
from matplotlib.patches import Rectangle
from matplotlib.patheffects import Normal, Stroke

from course_lib.chapters.softmax.hues import FOUR
from course_lib.chapters.softmax.leads import Leads
from course_lib.figures.numerals import share, signed
from course_lib.figures.shares import Strip, ink_on, strip_axes
from course_lib.figures.theme import FAINT, INK, SMALL, TEXT
from course_lib.kernels.softmax import softmax as course_softmax
from course_lib.sliding.explorer import Drawing, Explorer, Goal
from course_lib.sliding.handles import Handle
from course_lib.sliding.sliders import FloatRange
from course_lib.words import say

SCORES = np.array([3.5, -2.1, 8.7, 0.3])
NAMES = [signed(score) for score in SCORES]
KEYS = [f"key {name}:" for name in NAMES]
PRINTED = np.array([0.05, 0.00, 0.94, 0.01])  # the weights of a table in print
COLDEST, HOTTEST = 0.5, 20.0
TEMPERATURES = np.geomspace(COLDEST, HOTTEST, 81)
NEAR_THE_END = 70  # of the temperatures: where the layers are wide enough for their names
MIDDLE = 0.5  # the height of the handle
NARROW_LETTER = 0.0137  # of the strip's length: "key −2.1: .19" is mostly narrow ones
GOAL, MARGIN = 1.5, 0.115  # where the strip of the goal lies; room for the names of both
SECOND, BEST = 0, 2  # the keys between which the lead is drawn
BESIDE, CLEAR = 1.76, 3.1  # where its bracket stands; its words stand so far above the second score
SHORT = 1.5  # a bracket of a shorter lead is a smudge
DOT = 1.1  # so far the second score must be above the worst, or its line runs through a dot
START = {"fontsize": SMALL, "color": "white", "ha": "right", "va": "center"}  # the ghosts' name
TOO_NEAR = (0.74, 1.05)  # temperatures at which the handle's line would cross it


def temperature(*, temperature, softmax) -> dict:
    """The weights of four scores at a temperature, and at all others."""
    weights = np.asarray(softmax(SCORES / temperature), dtype=float)
    rows = np.asarray(softmax(SCORES / TEMPERATURES[:, None]), dtype=float)
    return {"T": temperature, "weights": weights, "rows": rows}


def _draw_layers(axes, rows: np.ndarray) -> None:
    """The strip of every temperature beside the next: a layer for each score."""
    ends = np.cumsum(np.maximum(rows, 0), axis=1)
    bottoms = np.column_stack([np.zeros(len(rows)), ends[:, :-1]])
    look = {"edgecolor": "white", "linewidth": 1.5, "zorder": 1}
    for low, high, fill in zip(bottoms.T, ends.T, FOUR, strict=True):
        axes.fill_between(TEMPERATURES, low, high, facecolor=fill, **look)
    last = NEAR_THE_END
    for name, low, high, fill in zip(NAMES, bottoms[last], ends[last], FOUR, strict=True):
        look = {"fontsize": SMALL, "va": "center", "color": ink_on(fill)}
        axes.text(TEMPERATURES[last], (low + high) / 2, name, **look)


def _axes(figure):
    grid = figure.add_gridspec(2, 2, width_ratios=(1.0, 1.45), height_ratios=(2.4, 1.0))
    left, right = figure.add_subplot(grid[0, 0]), figure.add_subplot(grid[0, 1])
    below = figure.add_subplot(grid[1, :])
    left.set_title(say("scores, divided by T"), fontsize=TEXT, fontweight="normal")
    left.set(xlim=(-0.6, 3.6), ylim=(-9.5, 20), yticks=(0, 10, 20))
    left.set_xticks(range(len(NAMES)), labels=[f"{name}/T" for name in NAMES], fontsize=SMALL)
    left.tick_params(axis="x", length=0)
    left.spines["bottom"].set_visible(False)
    left.axhline(0, color=FAINT, linewidth=1, zorder=0)
    right.set_label("temperatures")
    right.set_title(say("the strip at every T, stood upright"), fontsize=TEXT, fontweight="normal")
    right.set(xscale="log", xlim=(0.96 * COLDEST, 1.04 * HOTTEST), ylim=(0, 1), yticks=(0, 0.5, 1))
    right.set_yticks((0, 0.5, 1), labels=["0", ".5", "1"])
    right.set_xticks([0.5, 1, 2, 5, 10, 20], labels=["0.5", "1", "2", "5", "10", "20"])
    right.minorticks_off()
    right.set_xlabel(say("temperature T, logarithmic"))
    strip_axes(below, "strip", low=-1.05, high=3.3)
    below.set_xlim(-MARGIN, 1.005)
    _draw_goal(below)
    return left, right, below


def _draw_goal(axes) -> None:
    """The strip of the printed weights, framed; at its left and that of the other what each is."""
    for low, width, fill in zip(np.cumsum(PRINTED) - PRINTED, PRINTED, FOUR, strict=True):
        axes.add_patch(Rectangle((low, GOAL), width, 0.6, facecolor=fill))
    frame = {"fill": False, "edgecolor": INK, "linestyle": (0, (3, 2))}
    axes.add_patch(Rectangle((0, GOAL), 1, 0.6, **frame))
    axes.text(0, GOAL + 0.95, say("the tutorial prints .05, .00, .94, .01"), fontsize=TEXT)
    for middle, name in ((GOAL + 0.3, say("goal")), (0.5, say("yours"))):
        axes.text(-0.02, middle, name, fontsize=TEXT, ha="right", va="center")


class _Lead:
    """A bracket from the second score up to the best, and in words the lead and what it makes."""

    def __init__(self, axes):
        (self.level,) = axes.plot([], [], color=INK, linewidth=1, linestyle=":", zorder=0.5)
        (self.bracket,) = axes.plot([], [], color=INK, linewidth=1.2, marker="_", markersize=8)
        self.says = axes.text(BESIDE - 0.1, 0, "", fontsize=SMALL, ha="right", va="center")
        self.artists = [self.level, self.bracket, self.says]

    def update(self, data) -> None:
        low, high = SCORES[[SECOND, BEST]] / data["T"]
        self.level.set_data([SECOND, BESIDE], [low, low])
        self.level.set_visible(low - SCORES.min() / data["T"] > DOT)
        self.bracket.set_data([BESIDE, BESIDE], [low, high])
        self.says.set_y(max((low + high) / 2, low + CLEAR))
        short = high - low < SHORT
        if short:  # above the best score's dot, and no bracket
            self.level.set_visible(False)
            self.says.set_y(high + CLEAR)
        self.bracket.set_visible(not short)
        self.says.set(x=BEST if short else BESIDE - 0.1, ha="center" if short else "right")
        self.says.set_text(
            say("lead {lead}:\n{times} to 1", lead=signed(high - low), times=_times(high - low))
        )


def _times(lead: float) -> str:
    """What a lead makes of two weights: 1.3, 13, 181, 32,860."""
    times = np.exp(lead)
    return f"{times:.1f}" if times < 10 else f"{times:,.0f}"


def draw_temperature(figure, data) -> Drawing:
    """Left what softmax sees; right the strip at every T; below the strip at this one."""
    left, right, below = _axes(figure)
    stems = [left.plot([i, i], [0, s], color=INK)[0] for i, s in enumerate(SCORES / data["T"])]
    heads = [
        left.plot([i], [s], "o", color=INK, markerfacecolor=fill, markersize=9)[0]
        for i, (s, fill) in enumerate(zip(SCORES / data["T"], FOUR, strict=True))
    ]
    names = [left.text(x, -8.7, "", fontsize=SMALL, ha="center") for x in range(len(SCORES))]
    _draw_layers(right, data["rows"])
    (cursor,) = right.plot([data["T"]] * 2, [0, 1], color=INK, linewidth=2)
    cursor.set_path_effects([Stroke(linewidth=5, foreground="white"), Normal()])
    look = {"colours": FOUR, "letter": NARROW_LETTER, "ghost": False, "gap": 2.0}
    strip = Strip(below, KEYS, data["weights"], **look)
    leads = Leads(below, strip)
    lead, title = _Lead(left), figure.headline()
    start = right.text(0.95, 0.5, say("dashed: T = 1"), rotation=90, **START)

    def update(data) -> None:
        lead.update(data)
        for stem, head, name, score in zip(stems, heads, names, SCORES / data["T"], strict=True):
            stem.set_ydata([0, score])
            head.set_ydata([score])
            name.set_text(signed(score))
        cursor.set_xdata([data["T"]] * 2)
        start.set_visible(not TOO_NEAR[0] < data["T"] < TOO_NEAR[1])
        strip.update(data["weights"])
        leads.update()
        title.set_text(_finding(data))

    moving = [*stems, *heads, *names, cursor, *lead.artists, *strip.artists, *leads.lines]
    return Drawing(update, moving=[*moving, start, title], ghosts=[*heads, cursor])


def _finding(data) -> str:
    return say("T = {T:.2f}: 8.7 gets {share}", T=data["T"], share=share(data["weights"][2]))


def listed(weights) -> str:
    """The weights in words."""
    return ", ".join(f"{weight:.3f}" for weight in weights)


def describe_temperature(params, data) -> str:
    """The picture in one sentence."""
    return say(
        "At temperature {T:.2f} the scores 3.5, -2.1, 8.7, 0.3 get the weights {weights}. 8.7 "
        "leads 3.5 by {lead}.",
        T=data["T"], weights=listed(data["weights"]),
        lead=signed((SCORES[BEST] - SCORES[SECOND]) / data["T"]),
    )  # fmt: skip


explore_temperature = Explorer(
    temperature,
    draw_temperature,
    describe_temperature,
    sliders={
        "temperature": FloatRange(COLDEST, HOTTEST, start=1, label="temperature T", log=True),
    },
    handles={
        "temperature": Handle(
            at=lambda data: ("temperatures", data["T"], MIDDLE),
            to=lambda xy, params: {"temperature": max(xy[0], 1e-3)},
            moves=("temperature",),
            label="the temperature",
        ),
    },
    functions={"softmax": course_softmax},
    numbers=lambda params, data: [
        (say("weight of score {score:g}", score=score), f"{weight:.5f}")
        for score, weight in zip(SCORES, data["weights"], strict=True)
    ],
    goal=Goal(
        "Find a temperature at which all four weights round to the printed .05, .00, .94, .01.",
        lambda params, data: bool((np.round(data["weights"], 2) == PRINTED).all()),
        solution={"temperature": 1.75},
    ),
    question="And at T = 20, the hottest: are the four weights equal?",
    size=(7.0, 4.4),
    colours=8,
)
