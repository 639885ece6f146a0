"""RoPE as dials: a query and a key turned by their places, and the score that is left."""

import numpy as np
import torch
from matplotlib.patches import Rectangle, Wedge

from course_lib.chapters.masks.exercises.rotate import rotate
from course_lib.figures.ghosts import goal_band
from course_lib.figures.numerals import signed
from course_lib.figures.theme import FAINT, GHOST, INK, KEY, QUERY, SMALL, TEXT, TITLE
from course_lib.kernels.positions import frequencies
from course_lib.models.threads import one_thread
from course_lib.sliding.explorer import Drawing, Explorer, Goal
from course_lib.sliding.handles import Handle
from course_lib.sliding.sliders import IntRange
from course_lib.words import say

DIALS, FARTHEST = 4, 20
PLACES = 2 * FARTHEST + 1
SPEEDS = frequencies(2 * DIALS, base=16.0)  # 1, 1/2, 1/4, 1/8 radian a place
ANGLES = torch.arange(PLACES)[:, None] * SPEEDS
UPRIGHT = torch.tensor([0.0, 1.0] * DIALS, dtype=torch.float64)  # every hand points up at place 0
STRIP, BRACKET = -1.75, -2.75
AROUND = (-2.8, PLACES + 4.5)  # of the strip's axes
CURVE = tuple((x - AROUND[0]) / (AROUND[1] - AROUND[0]) for x in (-0.5, PLACES - 0.5))
GOAL_BELOW = 0.5  # of the highest score that is possible
FAR = (10, 15)  # places: at 12 and 13 the two fast dials have come round, and two are not enough
MEETS = 0.8  # the product of hands that point nearly the same way


def dials(*, place, apart, dials, rotate) -> dict:
    """The hands of a query `apart` places after its key, and its scores with all places."""
    with one_thread():
        turned = torch.as_tensor(rotate(UPRIGHT.repeat(PLACES, 1), ANGLES)).double()
    if turned.shape != (PLACES, 2 * DIALS):
        raise ValueError(f"rotate gave shape {tuple(turned.shape)}, not {(PLACES, 2 * DIALS)}")
    hands = turned.numpy().reshape(PLACES, DIALS, 2)
    products = (hands * hands[place + apart]).sum(axis=2)  # of each place, on each dial
    scores = products[:, :dials].sum(axis=1)
    return {
        "key": place,
        "query": place + apart,
        "used": dials,
        "hands": hands[[place, place + apart]],
        "products": products[place].round(9) + 0.0,
        "scores": scores.round(9) + 0.0,
    }


def draw_dials(figure, data) -> Drawing:
    """Above a dial for each pair, fast to slow; below the scores of all places, and the strip."""
    rows = figure.subplot_mosaic([[0, 1, 2, 3], ["strip"] * DIALS], height_ratios=(1.0, 1.35))
    title = figure.suptitle("", x=0.01, ha="left", fontsize=TITLE, fontweight="bold")
    shown = [_Dial(rows[i], i) for i in range(DIALS)]
    strip = _Strip(rows["strip"], data)

    def update(data) -> None:
        for i, dial in enumerate(shown):
            dial.move(data["hands"][:, i], data["products"][i], i < data["used"])
        strip.move(data)
        title.set_text(_finding(data))

    moving = [*(a for d in shown for a in d.artists), *strip.artists, title]
    name = say("half of\nthe highest")
    goal = goal_band(rows["strip"], GOAL_BELOW, GOAL_BELOW, KEY, across="y", ends=CURVE, name=name)
    return Drawing(update, moving=moving, goal=goal)


class _Dial:
    """One pair of entries: the key's hand, the query's, the wedge between them, their product."""

    def __init__(self, axes, number: int):
        axes.set(xlim=(-1.15, 1.15), ylim=(-1.6, 1.15), aspect="equal")
        axes.axis("off")
        axes.set_label(f"dial {number}")
        axes.plot(*_circle(), color=FAINT, linewidth=1.4)
        axes.plot([0, 0], [0, 1], color=GHOST, linewidth=1.2, linestyle=(0, (3, 2)))
        around = 2 * np.pi / float(SPEEDS[number])
        name = say("dial {i}, round\nin {n:.0f} places", i=number, n=around)
        axes.set_title(name, fontsize=SMALL, fontweight="normal", pad=2)
        self.asked = say("{p}, goal: > {least:.2f}", p="{}", least=MEETS) if number == 0 else "{}"
        self.wedge = axes.add_patch(Wedge((0, 0), 0.45, 0, 0, color=FAINT, linewidth=0))
        (self.key,) = axes.plot([], [], color=KEY, linewidth=5, solid_capstyle="round")
        (self.query,) = axes.plot([], [], color=QUERY, linewidth=3, solid_capstyle="round")
        self.text = axes.text(0, -1.38, "", ha="center", va="center", fontsize=TEXT)
        self.artists = [self.wedge, self.key, self.query, self.text]

    def move(self, hands, product: float, used: bool) -> None:
        """Both hands and their dot product; pale where the dial is not used."""
        for line, hand in zip((self.key, self.query), hands, strict=True):
            line.set_data([0, hand[0]], [0, hand[1]])
            line.set_alpha(1.0 if used else 0.25)
        first, second = np.degrees(np.arctan2(hands[:, 1], hands[:, 0]))
        between = (second - first + 180) % 360 - 180
        self.wedge.set_theta1(first + min(between, 0))
        self.wedge.set_theta2(first + max(between, 0))
        self.wedge.set_visible(used)
        told = signed(product, 2) if used else say("not used")
        self.text.set_text(self.asked.format(told))


class _Strip:
    """The scores of one query with a key at every place; below, the places of both."""

    def __init__(self, axes, data):
        axes.set(xlim=AROUND, ylim=(-3.1, 1.7))
        axes.axis("off")
        axes.set_label("strip")
        axes.plot([-0.5, PLACES - 0.5], [0, 0], color=FAINT, linewidth=1, zorder=0)
        self.marks = [
            axes.text(-1, height, "", ha="right", va="center", fontsize=SMALL)
            for height in (-1, 0, 1)
        ]
        what = say("score with a key at each place")
        axes.text(-0.5, 1.5, what, va="center", fontsize=TEXT)
        line = say("goal: the dot in the grey box")
        axes.text(PLACES - 0.5, 1.5, line, va="center", ha="right", color=KEY, fontsize=SMALL)
        self.start = data["scores"] / data["used"]
        self.used = data["used"]
        (self.ghost,) = axes.plot(self.start, color=GHOST, linewidth=1.2, linestyle=(0, (3, 2)))
        self.before = axes.text(
            PLACES - 0.2, self.start[-1], say("before"), va="center", fontsize=SMALL
        )
        axes.plot([-0.5, PLACES - 0.5], [STRIP, STRIP], color=FAINT, linewidth=12, zorder=0)
        for place in range(0, PLACES, 10):
            axes.text(place, STRIP, str(place), ha="center", va="center", fontsize=SMALL)
        self.box = axes.add_patch(Rectangle((0, -1.3), 0, 1.3 + GOAL_BELOW, color=FAINT, zorder=-1))
        (self.curve,) = axes.plot([], [], ".-", color=INK, linewidth=1.4, markersize=5)
        (self.here,) = axes.plot([], [], "o", color=KEY, markersize=8)
        (self.bracket,) = axes.plot([], [], "|-", color=INK, linewidth=1.6, markersize=12)
        look = {"ha": "center", "va": "center", "fontsize": SMALL, "fontweight": "bold"}
        self.key = axes.text(0, STRIP - 0.55, say("key"), color=KEY, **look)
        self.query = axes.text(0, STRIP - 0.55, say("query"), color=QUERY, **look)
        self.artists = [self.curve, self.here, self.bracket, self.key, self.query, *self.marks]
        self.artists += [self.ghost, self.before, self.box]

    def move(self, data) -> None:
        """The curve, and where query and key stand; their names part where they would meet."""
        heights = data["scores"] / data["used"]  # the highest score possible is at the top
        self.curve.set_data(range(PLACES), heights)
        same_scale = data["used"] == self.used  # another number of dials, another axis
        self.ghost.set_visible(same_scale)
        self.before.set_visible(same_scale and not np.allclose(heights, self.start))
        self.here.set_data([data["key"]], [heights[data["key"]]])
        for mark, sign in zip(self.marks, (-1, 0, 1), strict=True):
            mark.set_text(signed(sign * data["used"], 2)[:-3])
        near, far = (data["query"] - n for n in FAR)  # the keys that are as far as the goal asks
        left, right = max(far - 0.5, -0.5), max(near + 0.5, -0.5)
        self.box.set(x=left, width=right - left)
        self.bracket.set_data([data["key"], data["query"]], [BRACKET, BRACKET])
        close = data["query"] - data["key"] < 4
        aside = 0.3 if close else 0.0
        self.key.set(x=data["key"] - aside, ha="right" if close else "center")
        self.query.set(x=data["query"] + aside, ha="left" if close else "center")


def _circle() -> tuple[np.ndarray, np.ndarray]:
    turn = np.linspace(0, 2 * np.pi, 73)
    return np.cos(turn), np.sin(turn)


def _finding(data) -> str:
    return say(
        "{apart} places apart: score {score}, the sum of {used} of 4 dials",
        apart=data["query"] - data["key"], score=signed(data["scores"][data["key"]], 2),
        used=data["used"],
    )  # fmt: skip


def describe_dials(params, data) -> str:
    """The picture in words."""
    used = data["products"][: data["used"]]
    return say(
        "The key stands at place {key}, the query at {query}. The hands' products, the fast dial "
        "first: {products}. The score is {score}. With this query, a key scores {lowest} at worst, "
        "at place {where}.",
        key=data["key"], query=data["query"],
        products=", ".join(signed(one, 2) for one in used),
        score=signed(data["scores"][data["key"]], 2), lowest=signed(data["scores"].min(), 2),
        where=int(data["scores"].argmin()),
    )  # fmt: skip


def numbers_dials(params, data) -> list[tuple[str, str]]:
    """What each dial says, and whether it counts."""
    return [
        (
            say("dial {n}: {speed:g} radian a place", n=i, speed=float(SPEEDS[i])),
            signed(product, 2) if i < data["used"] else say("{p}, not used", p=signed(product, 2)),
        )
        for i, product in enumerate(data["products"])
    ]


def _slowest_hand(xy, params) -> dict:
    """How far apart query and key are, when the query's hand on the slowest dial points to `xy`."""
    turn = (params["place"] + np.arange(FARTHEST + 1)) * float(SPEEDS[-1])
    tips = np.column_stack((-np.sin(turn), np.cos(turn)))
    return {"apart": int(np.hypot(*(tips - xy).T).argmin())}


def _told_apart_by_a_slow_dial(params, data) -> bool:
    return (
        data["products"][0] > MEETS
        and FAR[0] <= params["apart"] <= FAR[1]
        and data["scores"][data["key"]] < GOAL_BELOW * params["dials"]
    )


explore_dials = Explorer(
    dials,
    draw_dials,
    describe_dials,
    sliders={
        "place": IntRange(0, FARTHEST, start=9, label="place of the key (the query goes along)"),
        "apart": IntRange(0, FARTHEST, start=3, label="how many places later the query stands"),
        "dials": IntRange(1, DIALS, start=1, label="dials in use, fast ones first"),
    },
    handles={
        "both": Handle(
            at=lambda data: ("strip", (data["key"] + data["query"]) / 2, BRACKET),
            to=lambda xy, params: {"place": xy[0] - params["apart"] / 2},
            moves=("place",), label="both at once", colour=INK,
        ),
        "query": Handle(
            at=lambda data: ("strip", data["query"], STRIP),
            to=lambda xy, params: {"apart": xy[0] - params["place"]},
            moves=("apart",), label="query", colour=QUERY,
        ),
        "hand": Handle(
            at=lambda data: (f"dial {DIALS - 1}", *data["hands"][1, -1]),
            to=_slowest_hand,
            moves=("apart",), label="the query's hand on the slowest dial", colour=QUERY,
        ),
    },
    functions={"rotate": rotate},
    numbers=numbers_dials,
    size=(7.0, 4.6),
    colours=8,
    goal=Goal(
        "Find a query 10 to 15 places later than the key, so that the two hands of dial 0 point "
        "nearly the same way (product above 0.80). Then use more dials, until the score there is "
        "below half of the highest that is possible (the line).",
        _told_apart_by_a_slow_dial,
        solution={"apart": 13, "dials": 3},
    ),
    question="With all four dials: at which distance is the score lowest, and does it depend "
    "on where the key stands?",
)  # fmt: skip
