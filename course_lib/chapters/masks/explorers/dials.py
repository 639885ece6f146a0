"""RoPE as dials: a query and a key turned by their places, and the score that is left."""

import numpy as np
import torch
from matplotlib.patches import Rectangle, Wedge

from course_lib.chapters.masks.exercises.rotate import rotate
from course_lib.figures.ghosts import GoalMark
from course_lib.figures.hatched import draw_hatched
from course_lib.figures.numerals import signed
from course_lib.figures.theme import FAINT, INK, KEY, QUERY, SMALL, TEXT
from course_lib.kernels.positions import frequencies
from course_lib.models.threads import one_thread
from course_lib.sliding.explorer import Drawing, Explorer, Goal
from course_lib.sliding.handles import Handle
from course_lib.sliding.sliders import IntRange
from course_lib.words import say

DIALS, BEFORE, AFTER, BACK = 4, 15, 5, 3  # the key stands so many places before the query, or after
QUERIES = (BEFORE, BEFORE + AFTER)  # places of the query at which all those keys are on the strip
PLACES = QUERIES[1] + AFTER + 1
SPEEDS = frequencies(2 * DIALS, base=16.0)  # 1, 1/2, 1/4, 1/8 radian a place
ANGLES = torch.arange(PLACES)[:, None] * SPEEDS
UPRIGHT = torch.tensor([0.0, 1.0] * DIALS, dtype=torch.float64)  # every hand points up at place 0
STRIP, FOOT, BRACKET = -2.1, -1.7, -3.15
FAR = 4  # places before the query: from here on no key may stand in the goal's box
FLOOR = 0.5  # of the highest score that is possible: there the box begins
ROOF = 1.15
ARC, HEAD = 0.72, 0.2  # of a dial: so far out lies the arc of the query's turn back; its head


def dials(*, place, apart, back, dials, rotate) -> dict:
    """The hands of a query, `back` places turned back, and of a key `apart` before it; scores."""
    with one_thread():
        turned = torch.as_tensor(rotate(UPRIGHT.repeat(PLACES, 1), ANGLES)).double()
    if turned.shape != (PLACES, 2 * DIALS):
        raise ValueError(f"rotate gave shape {tuple(turned.shape)}, not {(PLACES, 2 * DIALS)}")
    hands = turned.numpy().reshape(PLACES, DIALS, 2)
    key, asks = place - apart, hands[place - back]
    products = (hands * asks).sum(axis=2)  # of each place, on each dial
    return {
        "key": key,
        "query": place,
        "used": dials,
        "back": back,
        "hands": np.stack((hands[key], asks)),
        "unturned": hands[place],  # the query's, were it not turned back
        "products": products[key].round(9) + 0.0,
        "scores": products[:, :dials].sum(axis=1).round(9) + 0.0,
    }


def draw_dials(figure, data) -> Drawing:
    """Above a dial for each pair in use; below the scores of all places, the goal, the strip."""
    rows = figure.subplot_mosaic([[0, 1, 2, 3], ["strip"] * DIALS], height_ratios=(1.0, 1.35))
    title = figure.headline()
    shown = [_Dial(rows[i], i) for i in range(DIALS)]
    strip = _Strip(rows["strip"])

    def update(data) -> None:
        for i, dial in enumerate(shown):
            dial.move(data["hands"][:, i], data["products"][i], i < data["used"])
            dial.turn_back(data["unturned"][i], data["hands"][1, i], i < data["used"])
        strip.move(data)
        title.set_text(_finding(data))

    moving = [*(a for d in shown for a in d.artists), *strip.artists, title]
    return Drawing(update, moving=moving, goal=GoalMark([strip.ring, strip.box], strip.show))


class _Dial:
    """One pair of entries: the key's hand, the query's, the wedge between them, their product."""

    def __init__(self, axes, number: int):
        axes.set(xlim=(-1.15, 1.15), ylim=(-2.1, 1.15), aspect="equal")
        axes.axis("off")
        axes.set_label(f"dial {number}")
        axes.plot(*_circle(), color=FAINT, linewidth=1.4)
        axes.set_title(say("dial {i}", i=number), fontsize=SMALL, fontweight="normal", pad=2)
        self.speed = say("every {n:.1f} places", n=2 * np.pi / float(SPEEDS[number]))
        self.around = axes.text(0, -1.42, "", ha="center", va="center", fontsize=SMALL)
        self.wedge = axes.add_patch(Wedge((0, 0), 0.45, 0, 0, color=FAINT, linewidth=0))
        (self.key,) = axes.plot([], [], color=KEY, linewidth=5, solid_capstyle="round")
        (self.query,) = axes.plot([], [], color=QUERY, linewidth=3, solid_capstyle="round")
        self.text = axes.text(0, -1.9, "", ha="center", va="center", fontsize=TEXT)
        (self.ghost,) = axes.plot([], [], color=QUERY, linewidth=1.4, linestyle=(0, (2, 2)))
        (self.arc,) = axes.plot([], [], color=QUERY, linewidth=1.8)
        self.artists = [self.wedge, self.ghost, self.arc, self.key, self.query]
        self.artists += [self.around, self.text]

    def move(self, hands, product: float, used: bool) -> None:
        """Both hands and their dot product; an empty dial where it is not used."""
        for line, hand in zip((self.key, self.query), hands, strict=True):
            line.set_data([0, hand[0]], [0, hand[1]])
            line.set_visible(used)
        first, between = _between(*hands)
        self.wedge.set_theta1(first + min(between, 0))
        self.wedge.set_theta2(first + max(between, 0))
        self.wedge.set_visible(used)
        self.around.set_text(self.speed if used else say("not used"))
        self.text.set_text(signed(product, 2) if used else "")

    def turn_back(self, unturned, hand, used: bool) -> None:
        """An arc from where the query's hand would stand, dashed, to where it stands."""
        first, between = np.radians(_between(unturned, hand))
        shown = used and abs(between) > 1e-6
        self.ghost.set_data([0, unturned[0]], [0, unturned[1]])
        self.arc.set_data(*_arrow(first, between))
        for line in (self.ghost, self.arc):
            line.set_visible(shown)


class _Strip:
    """The scores of one query with a key at every place; below, the places of both."""

    def __init__(self, axes):
        axes.set(xlim=(-2.2, PLACES + 0.2), ylim=(-3.5, 1.9))
        axes.axis("off")
        axes.set_label("strip")
        axes.plot([-0.5, PLACES - 0.5], [0, 0], color=FAINT, linewidth=1, zorder=0)
        self.marks = [
            axes.text(-0.8, height, "", ha="right", va="center", fontsize=SMALL)
            for height in (-1, 0, 1)
        ]
        what = say("score with a key at each place")
        axes.text(-0.5, 1.65, what, va="center", fontsize=TEXT)
        aim = say("task 4: top dot in the ring, none in the box")
        self.aim = axes.text(PLACES - 0.5, 1.65, aim, va="center", ha="right", fontsize=SMALL)
        for place in range(0, PLACES, 5):
            axes.text(place, STRIP, str(place), ha="center", va="center", fontsize=SMALL)
        self.later = draw_hatched(axes, rows=2 * ROOF, columns=0, top=-ROOF)
        end = {"va": "center", "ha": "right", "fontsize": SMALL}
        axes.text(-0.6, STRIP, say("place"), **end)
        axes.text(PLACES - 0.5, -1.45, say("later places"), **end)
        dashed = {"linewidth": 1.4, "linestyle": (0, (3, 2))}
        self.box = axes.add_patch(
            Rectangle((0, FLOOR), 0, ROOF - FLOOR, edgecolor=INK, zorder=-1, **dashed)
        )
        self.ring = axes.scatter([0], [1], s=17**2, facecolors="none", edgecolors=KEY, zorder=3)
        self.ring.set(**dashed)
        (self.curve,) = axes.plot([], [], ".-", color=INK, linewidth=1.2, markersize=6)
        (self.here,) = axes.plot([], [], "o", color=KEY, markersize=9, zorder=4)
        (self.own,) = axes.plot([], [], "o:", color=QUERY, markersize=6.5, markevery=[0], zorder=5)
        (self.bracket,) = axes.plot([], [], "|-", color=INK, linewidth=1.6, markersize=12)
        look = {"ha": "center", "va": "center", "fontsize": SMALL, "fontweight": "bold"}
        self.key = axes.text(0, STRIP - 0.55, say("key"), color=KEY, **look)
        self.query = axes.text(0, STRIP - 0.55, say("query"), color=QUERY, **look)
        self.artists = [self.curve, self.here, self.own, self.bracket, self.key, self.query]
        self.artists += [self.later, self.aim, *self.marks]

    def move(self, data) -> None:
        """The curve, and where query and key stand; near by, their names part."""
        heights = data["scores"] / data["used"]  # the highest score possible is at the top
        key, query = data["key"], data["query"]
        self.curve.set_data(range(PLACES), heights)
        self.here.set_data([key], [heights[key]])
        self.own.set_data([query, query], [heights[query], FOOT])  # down to the query's name
        for mark, sign in zip(self.marks, (-1, 0, 1), strict=True):
            mark.set_text(signed(sign * data["used"], 2)[:-3])
        self.ask(query, data["back"] > 0)
        self.later.set(x=query, width=PLACES - 0.5 - query)
        self.bracket.set_data([key, query], [BRACKET, BRACKET])
        close, left = abs(query - key) < 3, key <= query
        for name, place, is_left in ((self.key, key, left), (self.query, query, not left)):
            aside = (-0.2 if is_left else 0.2) if close else 0.0
            name.set(x=place + aside, ha=("right" if is_left else "left") if close else "center")

    def ask(self, query: int, turned: bool) -> None:
        """The goal of a query: black, and in colour once the query is turned back."""
        self.ring.set_offsets([(query - 1, 1)])
        self.ring.set_edgecolor(KEY if turned else INK)
        self.box.set(x=-0.5, width=query - FAR + 1)
        self.box.set_facecolor(FAINT if turned else "none")
        self.aim.set_color(KEY if turned else INK)

    def show(self, reached: bool) -> None:
        """The ring is filled once the goal is reached."""
        self.ring.set_facecolor((KEY, 0.3) if reached else "none")


def _between(one, other) -> tuple[float, float]:
    """In degrees: where the first hand points, and the shorter way from it to the other."""
    first, second = (np.degrees(np.arctan2(hand[1], hand[0])) for hand in (one, other))
    return first, (second - first + 180) % 360 - 180


def _arrow(first: float, between: float) -> tuple[np.ndarray, np.ndarray]:
    """An arc around the middle, in radians; its head takes half of a short one at most."""
    angles, head = first + np.linspace(0, between, 33), min(HEAD, abs(between) / 2)
    behind = angles[-1] - np.sign(between) * head
    angles = np.append(angles, (behind, angles[-1], behind))
    out = np.append(np.full(33, ARC), (ARC + head / 2, ARC, ARC - head / 2))
    return out * np.cos(angles), out * np.sin(angles)


def _circle() -> tuple[np.ndarray, np.ndarray]:
    turn = np.linspace(0, 2 * np.pi, 73)
    return np.cos(turn), np.sin(turn)


def _where(data) -> str:
    apart = data["query"] - data["key"]
    if apart == 0:
        return say("Key at the query's own place")
    many, side = abs(apart), say("before") if apart > 0 else say("after")
    return say("Key {many} {places} {side} the query", many=many, side=side,
               places=say("place") if many == 1 else say("places"))  # fmt: skip


def _finding(data) -> str:
    score = signed(data["scores"][data["key"]], 2)
    if data["used"] == 1:
        return say("{where}: score {score}", where=_where(data), score=score)
    return say("{where}: score {score}, of {used} at most", where=_where(data), score=score,
               used=data["used"])  # fmt: skip


def describe_dials(params, data) -> str:
    """The picture in words."""
    used = data["products"][: data["used"]]
    return say(
        "The key stands at place {key}, the query at {query}. The hands' products, the fast dial "
        "first: {products}. The score is {score}. With this query the highest score is {highest}, "
        "at {where}.",
        key=data["key"], query=data["query"],
        products=", ".join(signed(one, 2) for one in used),
        score=signed(data["scores"][data["key"]], 2), highest=signed(data["scores"].max(), 2),
        where=say("place {n}", n=int(data["scores"].argmax())),
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


def _fast_hand(xy, params) -> dict:
    """How far the query is turned back, when its hand on the fast dial points to `xy`."""
    turn = (params["place"] - np.arange(BACK + 1)) * float(SPEEDS[0])
    tips = np.column_stack((-np.sin(turn), np.cos(turn)))
    return {"back": int(np.hypot(*(tips - xy).T).argmin())}


def _looks_one_place_back_alone(params, data) -> bool:
    far = data["scores"][: params["place"] - FAR + 1]
    one_before = data["scores"][params["place"] - 1]
    return one_before == data["scores"].max() and far.max() < FLOOR * params["dials"]


explore_dials = Explorer(
    dials,
    draw_dials,
    describe_dials,
    sliders={
        "place": IntRange(*QUERIES, start=18, label="place of the query (the key goes along)"),
        "apart": IntRange(-AFTER, BEFORE, start=3,
                          label="places from the key to the query (below 0: the key comes after)"),
        "back": IntRange(0, BACK, start=0, label="places by which the query is turned back"),
        "dials": IntRange(1, DIALS, start=1, label="dials in use, fast ones first"),
    },
    handles={
        "both": Handle(
            at=lambda data: ("strip", (data["key"] + data["query"]) / 2, BRACKET),
            to=lambda xy, params: {"place": xy[0] + params["apart"] / 2},
            moves=("place",), label="both at once", colour=INK,
        ),
        "key": Handle(
            at=lambda data: ("strip", data["key"], STRIP),
            to=lambda xy, params: {"apart": params["place"] - xy[0]},
            moves=("apart",), label="key", colour=KEY,
        ),
        "hand": Handle(
            at=lambda data: ("dial 0", *data["hands"][1, 0]),
            to=_fast_hand,
            moves=("back",), label="the query's hand on the fastest dial", colour=QUERY,
        ),
    },
    functions={"rotate": rotate},
    numbers=numbers_dials,
    size=(7.0, 4.6),
    colours=8,
    goal=Goal(
        "Task 4: let the query look one place back, and at nothing far away. Its highest dot must "
        "lie in the ring, and no dot in the box: it begins at half of the highest possible score.",
        _looks_one_place_back_alone,
        solution={"back": 1, "dials": 3},
    ),
    question="What would the fourth dial add in a longer text?",
    answer="After 25.1 places, off the left end, the first three have all come round, and a key "
    "would score as high as in the ring. There the fourth dial is half round.",
)  # fmt: skip
