"""The running maximum and the two sums of a softmax in pieces: what shrinks, and when."""

from itertools import permutations

import numpy as np
from matplotlib.patches import Polygon, Rectangle

from course_lib.figures.theme import FAINT, GHOST, INK, OUTPUT, SMALL, WEIGHT
from course_lib.sliding.explorer import Drawing, Explorer, Goal
from course_lib.sliding.handles import Handle
from course_lib.sliding.held import Numbers
from course_lib.sliding.sliders import IntRange, Options, Toggle
from course_lib.words import say

SCORES, VALUES = (1.0, 3.0, 2.0, 5.0, 4.0, 0.0), (10, 20, 30, 40, 50, 60)
BLOCK, HIGHEST, FRAME = 2, 6.0, 7.6  # FRAME: its height, above the name of the highest line
COUNT = len(SCORES) // BLOCK
ORDERS = {" ".join(str(one + 1) for one in order): order for order in permutations(range(COUNT))}
SHADES = ("#cacaca", "#909090", WEIGHT)  # of the blocks, in the order in which they are read
PURPLES = ("#e4cbdf", "#bd84b2", OUTPUT)  # the same blocks, with their values
ABOVE, BELOW, HIGH = 1.3, 0.0, 0.75  # where the bars before and after stand, and how high they are
FORGOTTEN = "#b3261e"  # what should have shrunk
MEAN = 35  # of the six values: where all counted alike, both sums would be as long


def running_sums(*, step, order, forget, scores) -> dict:
    """The state after `step` blocks in the given order.

    total, mixed: what each block read so far holds of a sum, before and after the last one.
    stale: how many blocks in them should have shrunk and did not, before and after the last one.
    """
    places = [BLOCK * block + i for block in order for i in range(BLOCK)]
    x, v = np.array(scores)[places], np.array(VALUES, dtype=float)[places]
    tops = np.maximum.accumulate(x)[BLOCK - 1 :: BLOCK]
    factors = np.exp(-np.diff(tops, prepend=tops[0]))
    before = after = np.zeros((2, COUNT))  # of total and of mixed
    for i in range(step):
        here, shrink = slice(BLOCK * i, BLOCK * (i + 1)), 1.0 if forget else factors[i]
        powers = np.exp(x[here] - tops[i])
        before, after = after, shrink * after
        after[:, i] = powers.sum(), powers @ v[here]
    total, mixed = after.sum(axis=1)
    right = np.exp(x - tops[-1])
    return {
        "x": x,
        "tops": tops,
        "step": step,
        "blocks": np.array(order) + 1,
        "places": np.array(places),
        "factor": float(factors[step - 1]),
        "rescaled": int((factors < 1).sum()),
        "forget": forget,
        "stale": [
            max((i for i in range(read) if forget and factors[i] < 1), default=0)
            for read in (step - 1, step)
        ],
        "total": (before[0], after[0]),
        "mixed": (before[1], after[1]),
        "mean": float(mixed / total),
        "right": float(right @ v / right.sum()),
    }


def draw_running_sums(figure, data) -> Drawing:
    """The scores with their maximum so far; both sums before and after; the mean."""
    title = figure.headline(_finding(data))
    top, one, other, bottom = figure.subplots(4, 1, height_ratios=(3, 1.4, 1.4, 1.4))
    total = _draw_sum(one, "total", say("total before"), say("total after"), SHADES, 1)
    mixed = _draw_sum(other, "mixed", say("mixed before"), say("mixed after"), PURPLES, MEAN)
    shown = [_draw_scores(top), total, mixed, _draw_mean(bottom, data)]

    def update(data) -> None:
        title.set_text(_finding(data))
        for _, follow in shown:
            follow(data)

    moving = [title, *(one for artists, _ in shown for one in artists)]
    return Drawing(update, moving=moving)


def _draw_scores(axes):
    axes.set(xlim=(-0.75, len(SCORES) + 1.2), ylim=(-3.1, 8.2), label="scores")
    axes.axis("off")
    axes.axhline(0, color=FAINT, linewidth=1, xmax=0.82)
    bars = [axes.add_patch(Rectangle((i - 0.36, 0), 0.72, 0, linewidth=1.2)) for i in range(6)]
    look = {"va": "center", "fontsize": SMALL}
    names = [axes.text(0, 0, "", ha="center", **look) for _ in range(COUNT)]
    pairs = [axes.text(i, y, "", ha="center", **look) for i in range(6) for y in (-0.75, -1.75)]
    for y, line in ((-0.75, say("score")), (-1.75, say("value"))):
        axes.text(len(SCORES) - 0.35, y, line, **look)
    steps = [axes.plot([], [], color=INK, linewidth=3)[0] for _ in range(COUNT)]
    plate = {"facecolor": "white", "linewidth": 0, "pad": 1}  # where a score started may lie there
    label = axes.text(0, 0, "", ha="center", bbox=plate, **look)
    frame = axes.add_patch(Rectangle((0, 0), 2, FRAME, fill=False, edgecolor=INK, linewidth=1.4))
    ghosts = [axes.add_patch(Rectangle((i - 0.36, 0), 0.72, 0, fill=False)) for i in range(6)]
    for ghost in ghosts:
        ghost.set(edgecolor=GHOST, linestyle=(0, (3, 2)), linewidth=1.2, zorder=1.2)

    def follow(data) -> None:
        now = data["step"] - 1
        for i, bar in enumerate(bars):
            bar.set_height(data["x"][i])
            block = i // BLOCK
            bar.set(facecolor=SHADES[block] if block <= now else "white", edgecolor=WEIGHT)
            pairs[2 * i].set_text(f"{data['x'][i]:g}")
            pairs[2 * i + 1].set_text(str(VALUES[data["places"][i]]))
            started = SCORES[data["places"][i]]  # where this score stood, wherever its block is
            ghosts[i].set(height=started, visible=bool(started != data["x"][i]))
        for i, name in enumerate(names):
            name.set_text(say("block {number}", number=data["blocks"][i]))
            name.set_position((BLOCK * i + 0.5, -2.75))
        for i, line in enumerate(steps):
            line.set_data([BLOCK * i - 0.5, BLOCK * i + 1.5], [data["tops"][i]] * 2)
            line.set_visible(i <= now)
        frame.set_x(BLOCK * now - 0.5)
        label.set_text(say("largest {top:g}", top=data["tops"][now]))
        below = [SCORES[place] for place in data["places"][BLOCK * now : BLOCK * (now + 1)]]
        label.set_position((BLOCK * now + 0.5, max(data["tops"][now], *below) + 0.75))

    return [*bars, *names, *pairs, *steps, label, frame, *ghosts], follow


def _draw_sum(axes, name, above, below, shades, unit):
    """A sum before and after a block, a shade for each block; `unit` of it is as long as 1."""
    axes.set(xlim=(-1.3, 6.9), ylim=(-0.15, 2.2))
    axes.axis("off")
    for y, label in ((ABOVE, above), (BELOW, below)):
        axes.text(-0.12, y + HIGH / 2, label, ha="right", va="center", fontsize=SMALL)
    if unit > 1:
        drawn, middle = say("(drawn 1/{unit})", unit=unit), (ABOVE + HIGH) / 2
        axes.text(-0.12, middle, drawn, ha="right", va="center", fontsize=SMALL)
    link = axes.add_patch(Polygon([(0, 0)] * 4, color="#ececec", linewidth=0))
    rows = [[axes.add_patch(Rectangle((0, y), 0, HIGH, facecolor=shade, linewidth=0))
             for shade in shades] for y in (ABOVE, BELOW)]  # fmt: skip
    numbers = [axes.text(0, y + HIGH / 2, "", va="center", fontsize=SMALL) for y in (ABOVE, BELOW)]
    factor = axes.text(0, (ABOVE + HIGH) / 2, "", va="center", ha="left", fontsize=SMALL)

    def follow(data) -> None:
        for when, (row, parts) in enumerate(zip(rows, data[name], strict=True)):
            left = 0.0
            for i, (bar, part) in enumerate(zip(row, parts / unit, strict=True)):
                bar.set_x(left), bar.set_width(part)
                stale = i < data["stale"][when]
                bar.set(hatch="//" if stale else None, edgecolor=FORGOTTEN if stale else "none")
                left += part
            numbers[when].set(text=_digits(parts.sum()), x=left + 0.08)
        before, after = data[name]
        whole, old = before.sum() / unit, after[: data["step"] - 1].sum() / unit
        link.set_xy([(0, ABOVE), (whole, ABOVE), (old, BELOW + HIGH), (0, BELOW + HIGH)])
        factor.set(text=_factor(data), x=max(whole, old) + 0.08)

    return [link, *rows[0], *rows[1], *numbers, factor], follow


def _digits(number: float) -> str:
    return f"{number:.3f}" if number < 10 else f"{number:.2f}"


def _factor(data) -> str:
    if data["step"] == 1:
        return say("nothing was summed yet")
    if data["forget"] and data["factor"] < 1:
        return say("× 1, and should be × {factor:.2g}", factor=data["factor"])
    return say("× {factor:.2g}", factor=data["factor"])


def _draw_mean(axes, data):
    axes.set(xlim=(-6.5, 66), ylim=(-2.1, 3.2))
    axes.axis("off")
    axes.plot([10, 60], [0, 0], color=FAINT, linewidth=2, zorder=0)
    for value in VALUES:
        axes.text(value, -1.65, str(value), ha="center", va="center", fontsize=SMALL)
    axes.text(8.6, 0, say("mean"), ha="right", va="center", fontsize=SMALL)
    (ring,) = axes.plot([], [], "o", markersize=19, markerfacecolor="none", color=OUTPUT)
    ring.set(markeredgewidth=1.2, linestyle="none")
    (dot,) = axes.plot([], [], "o", markersize=9, color=OUTPUT)
    look = {"ha": "center", "va": "center", "fontsize": SMALL, "color": OUTPUT}
    label, name = axes.text(0, 2.7, "", **look), axes.text(0, 1.35, say("all six"), **look)

    def follow(data) -> None:
        ring.set_data([data["right"]], [0]), dot.set_data([data["mean"]], [0])
        name.set_x(data["right"])
        label.set_text(_division(data))
        label.set_x(min(max(data["mean"], 22), 50))

    return [ring, dot, label, name], follow


def _sums(data) -> dict:
    """Both sums after the last block that was read."""
    return {name: float(data[name][1].sum()) for name in ("total", "mixed")}


def _division(data) -> str:
    return say(
        "mixed {mixed:.2f} / total {total:.3f} = {mean:.1f}", mean=data["mean"], **_sums(data),
    )  # fmt: skip


def _finding(data) -> str:
    top, factor = data["tops"][data["step"] - 1], data["factor"]
    if data["step"] == 1:
        return say("The first block: both sums are counted from {top:g}", top=top)
    if factor == 1:
        if data["stale"][1]:
            return say("No new maximum, but one rescaling is missing")
        return say("No new maximum: both sums stay as they are")
    if data["forget"]:
        return say("New maximum {top:g}, and the old part did not shrink", top=top)
    return say("New maximum {top:g}: both old sums are multiplied by {x:.2g}", top=top, x=factor)


def describe_running_sums(params, data) -> str:
    """The picture in words."""
    return say(
        "{finding}. {step} of 3 blocks are read, in the order {order}. The total is {total:.3f}, "
        "mixed is {mixed:.2f}, the mean so far {mean:.1f}; the mean of all six, the ring, is "
        "{right:.1f}. The bars of mixed are drawn {unit} times as short. In this order the sums "
        "have to be rescaled {times} of 2 times.",
        finding=_finding(data), step=data["step"], mean=data["mean"], right=data["right"],
        order=", ".join(map(str, data["blocks"])), times=data["rescaled"], unit=MEAN, **_sums(data),
    )  # fmt: skip


def _never(params, data) -> bool:
    """Whether all is read in another order than at first, and nothing had to be rescaled."""
    tops = {max(params["scores"][i : i + BLOCK]) for i in range(0, len(SCORES), BLOCK)}
    moved = params["order"] != (0, 1, 2) and len(tops) == COUNT
    return moved and data["step"] == COUNT and not data["rescaled"] and not params["forget"]


def _handles_of_scores(data) -> list:
    """Where each score stands, in the order of the six, wherever its block is read."""
    where = np.argsort(data["places"])
    return [("scores", float(i), float(data["x"][i])) for i in where]


explore_running_sums = Explorer(
    running_sums,
    draw_running_sums,
    describe_running_sums,
    sliders={
        "step": IntRange(1, COUNT, start=2, label="blocks read"),
        "order": Options(ORDERS, start=(0, 1, 2), label="order of the blocks"),
        "forget": Toggle(start=False, label="forget to rescale"),
        "scores": Numbers(
            0, HIGHEST, start=SCORES, labels=[f"score {i + 1}" for i in range(6)], label="scores",
            step=0.5,
        ),
    },
    handles={
        "scores": Handle(
            at=_handles_of_scores,
            to=lambda xy, params, which: {
                "scores": (*params["scores"][:which], xy[1], *params["scores"][which + 1 :])
            },
            moves=("scores",),
            colour=WEIGHT,
        ),
        "read": Handle(
            at=lambda data: ("scores", BLOCK * data["step"] - 0.5, FRAME),
            to=lambda xy, params: {"step": (xy[0] + 0.5) / BLOCK},
            moves=("step",),
            label="how far is read",
            colour=INK,
        ),
    },
    numbers=lambda params, data: [
        (say("total"), f"{_sums(data)['total']:.3f}"),
        (say("mixed"), f"{_sums(data)['mixed']:.2f}"),
        (say("mixed / total"), f"{data['mean']:.3f}"),
        (say("factor of the last block"), f"{data['factor']:.3f}"),
    ],
    size=(7.0, 5.2),
    colours=4,
    goal=Goal(
        "Read all three blocks in an order in which nothing is ever rescaled, with “forget to "
        "rescale” off.",
        _never,
        solution={"order": (1, 0, 2), "step": COUNT},
    ),
    question="Tick “forget to rescale” in this order. Why does nobody notice?",
    answer="The block with the largest score comes first. So the largest never grows, each factor "
    "would be 1, and to forget it changes nothing. A test needs an order in which it grows.",
)  # fmt: skip
