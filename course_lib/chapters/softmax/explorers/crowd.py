"""Explorer `crowd`: one key that leads, and the crowd that it leads."""

import numpy as np
from matplotlib.patches import Rectangle

from course_lib.figures.numerals import share
from course_lib.figures.shares import Strip, half_mark, strip_axes
from course_lib.figures.theme import FAINT, GHOST, SMALL, TEXT, WEIGHT
from course_lib.kernels.softmax import softmax as course_softmax
from course_lib.sliding.explorer import Drawing, Explorer, Goal
from course_lib.sliding.handles import Handle
from course_lib.sliding.sliders import FloatRange, IntRange
from course_lib.words import say

DEEP, LONG = 20, 50  # dots in a column of the crowd, and columns
HIGHEST = 15.0
OTHERS = "#9aa2af"  # the shade of all others, as dots and in the strip


def crowd(*, s, lead, softmax) -> dict:
    """The weight of one key that scores `lead` above each of s - 1 others."""
    scores = np.zeros(s)
    scores[0] = lead
    weight = np.asarray(softmax(scores), dtype=float)[0]
    return {"s": s, "lead": lead, "weight": float(weight)}


def keys_a_dot(others: int) -> int:
    """How many keys a dot stands for, so that all of them have room: 1, 10 or 100."""
    return next(size for size in (1, 10, 100) if others <= size * DEEP * LONG)


def _covers(s: int) -> list[tuple[float, float, float, float]]:
    """Rectangles over the dots that are too many: the rest of one column, and all behind it."""
    dots = round((s - 1) / keys_a_dot(s - 1))
    column, rest = divmod(dots, DEEP)
    whole = column + (rest > 0)
    return [
        (column - 0.5, -0.6, (whole - column), DEEP - rest + 0.1),
        (whole - 0.5, -0.6, LONG - whole + 0.2, DEEP + 0.2),
    ]


def _axes(figure):
    grid = figure.add_gridspec(2, 2, width_ratios=(1.0, 4.3), height_ratios=(2.3, 1.0))
    left, right = figure.add_subplot(grid[0, 0]), figure.add_subplot(grid[0, 1])
    below = figure.add_subplot(grid[1, :])
    left.set_label("lead")
    left.set(xlim=(-0.7, 1.8), ylim=(-2.6, 16.4), xticks=[], yticks=(0, 5, 10, 15))
    left.set_title(say("scores"), fontsize=TEXT, fontweight="normal")
    left.spines["bottom"].set_visible(False)
    left.axhline(0, color=FAINT, linewidth=1, zorder=0)
    left.plot([1.0], [0], "o", color=OTHERS, markersize=6)
    for x, name in ((0, "one"), (1, "others")):
        left.text(x, -0.9, say(name), fontsize=SMALL, ha="center", va="top")
    right.set(xlim=(-1.0, LONG), ylim=(-1.0, DEEP), xticks=[], yticks=[])
    for spine in right.spines.values():  # a box of its own: its dots are no scores
        spine.set(visible=True, color=GHOST, zorder=4)
    places = np.arange(DEEP * LONG)
    right.plot(places // DEEP, DEEP - 1 - places % DEEP, "o", color=OTHERS, markersize=4.2)
    strip_axes(below, "strip", low=-0.5, high=2.0)
    half_mark(below, at=0.5, word="half", high=1.45)
    below.text(0, 1.45, say("weights: one strip"), fontsize=TEXT, va="bottom")
    return left, right, below


def draw_crowd(figure, data) -> Drawing:
    """Left the lead, beside it a dot for each rival; below what the one gets of the strip."""
    left, right, below = _axes(figure)
    (stem,) = left.plot([0, 0], [0, data["lead"]], color=WEIGHT)
    (head,) = left.plot([0], [data["lead"]], "o", color=WEIGHT)
    covers = [right.add_patch(Rectangle((0, 0), 1, 1, color="white", zorder=3)) for _ in range(2)]
    count = right.set_title(" ", fontsize=TEXT, fontweight="normal")
    strip = Strip(below, ("the one", "all others"), _parts(data), colours=(WEIGHT, OTHERS))
    title = figure.headline()

    def update(data) -> None:
        stem.set_ydata([0, data["lead"]])
        head.set_ydata([data["lead"]])
        for cover, bounds in zip(covers, _covers(data["s"]), strict=True):
            cover.set_bounds(*bounds)
        count.set_text(_counted(data["s"] - 1))
        strip.update(_parts(data))
        title.set_text(
            say("{lead:.1f} ahead of {others:,} others: {share} of the weight", **_facts(data))
        )

    moving = [*covers, count, stem, head, *strip.artists, title]
    return Drawing(update, moving=moving, ghosts=[head])


def _parts(data) -> np.ndarray:
    return np.array([data["weight"], 1 - data["weight"]])


def _counted(others: int) -> str:
    each = keys_a_dot(others)
    if each == 1:
        return say("the others: a dot is a key")
    return say("the others: a dot is {each} keys", each=each)


def _facts(data) -> dict:
    weight = data["weight"]
    small = share(weight, 4)
    return {
        "lead": data["lead"],
        "others": data["s"] - 1,
        "share": small if 0 <= weight < 0.005 else share(weight),
    }


def describe_crowd(params, data) -> str:
    """The picture in one sentence."""
    return say(
        "One key scores {lead:.1f} more than each of the {others:,} others. It has the weight "
        "{weight:.4f}; the others share {rest:.4f}.",
        weight=data["weight"], rest=1 - data["weight"], **_facts(data),
    )  # fmt: skip


explore_crowd = Explorer(
    crowd,
    draw_crowd,
    describe_crowd,
    sliders={
        "s": IntRange(10, 100_000, start=10, label="number of keys s", log=True),
        "lead": FloatRange(0, HIGHEST, start=5, step=0.1, label="lead of the one key"),
    },
    handles={
        "lead": Handle(
            at=lambda data: ("lead", 0, data["lead"]),
            to=lambda xy, params: {"lead": xy[1]},
            moves=("lead",),
            label="the score of the one key",
            colour=WEIGHT,
        ),
    },
    functions={"softmax": course_softmax},
    numbers=lambda params, data: [
        (say("weight of the one"), f"{data['weight']:.5f}"),
        (say("weight of all others together"), f"{1 - data['weight']:.5f}"),
        (say("e to the power of the lead"), f"{np.exp(data['lead']):,.0f}"),
        (say("other keys"), f"{data['s'] - 1:,}"),
    ],
    goal=Goal(
        "Go to 1000 keys. Find the smallest lead, to one decimal, that still gets "
        "half of the weight.",
        lambda params, data: data["s"] == 1000 and round(params["lead"], 3) == 7.0,
        solution={"s": 1000, "lead": 7.0},
    ),
    question="Now ten thousand keys, ten times as many. How much more lead does half cost? And "
    "among a million?",
    size=(7.0, 4.2),
    colours=8,
)
