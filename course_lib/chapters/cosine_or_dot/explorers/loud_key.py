"""Explorer `loud_key`: how many queries of a ring a key wins when it is made longer."""

import numpy as np

from course_lib.figures.ghosts import GoalMark, goal_band
from course_lib.figures.theme import GHOST, INK, KEY, QUERY, SMALL
from course_lib.figures.vectors import draw_ghost, draw_plane, draw_vector
from course_lib.kernels.vectors import norm, normalize
from course_lib.sliding.explorer import Drawing, Explorer, Goal
from course_lib.sliding.handles import Handle
from course_lib.sliding.sliders import FloatRange
from course_lib.words import say

SHORTEST, LONGEST = 0.2, 5.0
LOUD = 20  # degrees: where the loud key points
KEYS = np.radians([LOUD, 78, 152, 236, 318])  # the loud one first
QUERIES = np.radians(np.arange(3, 363, 6))  # a ring of 60
HALF = len(QUERIES) // 2
RING = 2.2  # how far out the queries are drawn; their length plays no part in who wins
FINE = np.radians(np.arange(0, 360.5, 0.5))
BORDER = (-2.5, 2.02)  # how far the line at 90 degrees goes; below, to its name outside of the ring
BEHIND = (-0.62, -1.28)  # the middle of "score below 0", off the axis and off the arrows
WIDE = (5.4, 2.6)  # how far the two planes reach to the right
GOAL = 25  # queries, or more; half of them is beyond reach
START = 2.5
SHORT, BESIDE_SHORT = 0.5, (1.4, -0.3)  # where the name of a shorter key is on no other arrow
LED_TO = (0.9, -0.17)  # where the line from its tip to that name ends
INSIDE, OUTSIDE = 1.3, 2.45  # between these lengths a name at the tip would lie on the ring's dots
LOUDER = "{length:.1f} long, the loud key wins {won} of the 60 queries"
NOT_LOUD = "Only {length:.1f} long, the key “loud” wins {won} of the 60 queries"
KEYS_AND_QUERIES = (
    "Five keys, and a ring of 60 queries that point in all directions. One key is {length:.1f} "
    "long, the others 1."
)
PICKED = (
    "By dot product {won} of the queries pick it, all on the side to which it points; with all "
    "keys at length 1, {quiet}."
)
NOT_PICKED = "By dot product none of the queries picks it; with all keys at length 1, {quiet} do."


def _directions(angles: np.ndarray) -> np.ndarray:
    return np.stack([np.cos(angles), np.sin(angles)], axis=-1)


def _won(angles: np.ndarray, keys: np.ndarray) -> np.ndarray:
    """Whether the first key has the best score. Shapes: angles (t,), keys (s, 2) -> (t,)"""
    scores = _directions(angles) @ keys.T
    return scores[:, 0] > scores[:, 1:].max(axis=1)


def loud_key(*, length, unit_rows) -> dict:
    """The first of five keys made longer: which queries pick it, before and after `unit_rows`."""
    keys = _directions(KEYS)
    keys[0] *= length
    units = np.array(unit_rows(keys), dtype=float)
    if units.shape != keys.shape:
        raise ValueError(f"unit_rows gave shape {units.shape} for {keys.shape}")
    return {
        "length": float(length), "keys": keys, "units": units,
        "won": _won(QUERIES, keys), "won_units": _won(QUERIES, units),
        "realm": _won(FINE, keys), "realm_units": _won(FINE, units),
        "heard": float(norm(units[0])),
    }  # fmt: skip


class _Ring:
    """Five keys as arrows, a ring of queries, and the sector that the loud key wins."""

    def __init__(self, axes, start: np.ndarray, name: str, right: float):
        draw_plane(axes, RING).set(xlim=(-2.4, WIDE[0]), ylim=(-2.5, 2.4))
        axes.spines[:].set_visible(False)
        self._name, self._ring = name, RING * _directions(QUERIES)
        (self._realm,) = axes.fill([0], [0], color=KEY, alpha=0.16, linewidth=0, zorder=0.5)
        self._start = draw_ghost(axes, start[0], say("start")).artists[1]
        self._long = norm(start[0])
        axes.plot(*self._ring.T, "o", color=QUERY, markersize=6, markerfacecolor="white", zorder=2)
        (self._won,) = axes.plot([], [], "o", color=QUERY, markersize=6, zorder=3)
        self._keys = [
            draw_vector(axes, key, KEY, name, side=1, width=0.9, zorder=over)
            for key, name, over in zip(start, ("loud", *[""] * 4), (5, *[3] * 4), strict=True)
        ]
        for quiet in self._keys[1:]:
            quiet.artists[0].set_alpha(0.45)
        axes.set_xlim(-2.4, right)  # the arrows of both planes are equally thick
        (self._lead,) = axes.plot([], [], color=KEY, linewidth=0.8, zorder=3.5)  # tip to name
        self.title = axes.set_title("", fontweight="normal", fontsize=SMALL, loc="left")
        moving = [artist for key in self._keys for artist in key.artists]
        self.artists = [self._realm, self._won, *moving, self._lead, self._start, self.title]

    def move(self, keys: np.ndarray, won: np.ndarray, realm: np.ndarray) -> None:
        reach = np.where(realm, RING, 0.0)[:, None] * _directions(FINE)
        self._realm.set_xy(np.vstack([[0, 0], reach, [0, 0]]))
        self._won.set_data(*self._ring[won].T)
        loud, *others = self._keys
        long = norm(keys[0])
        self._start.set_visible(abs(long - self._long) > 0.05)  # the grey arrow is in sight
        named = 1.0 if long < 1 else INSIDE if INSIDE < long < OUTSIDE else long
        loud.move(keys[0], named_at=named * normalize(keys[:1])[0])
        if long < SHORT:
            loud.artists[1].set_position(BESIDE_SHORT)
        self._lead.set_data(*np.stack([keys[0], LED_TO]).T)
        self._lead.set_visible(long < SHORT)
        for arrow, key in zip(others, keys[1:], strict=True):
            arrow.move(key)
        self.title.set_text(say(self._name, won=int(won.sum())))


def _draw_border(axes) -> None:
    """The line at right angles to the loud key: behind it all scores with that key are negative."""
    ends = np.outer(BORDER, _directions(np.radians([LOUD + 90])))
    axes.plot(*ends.T, color=INK, linewidth=1.5, linestyle=(0, (5, 3)), zorder=1)
    beside = ends[0] + (0.15, 0.08)
    told = say("90° from loud: score 0")
    axes.text(*beside, told, fontsize=SMALL, ha="left", va="center_baseline")
    behind = {"fontsize": SMALL, "ha": "center", "va": "center"}
    axes.text(*BEHIND, say("score\nbelow 0"), **behind)
    told = say("queries: only their\ndirection counts")
    axes.text(2.35, -1.25, told, fontsize=SMALL, color=QUERY, va="center")


def draw_loud_key(figure, data) -> Drawing:
    """Left the keys as they are, right after `unit_rows`; below how many the loud one wins."""
    panels = figure.subplot_mosaic(
        [["left", "right"], ["strip", "strip"]],
        height_ratios=(5, 1),
        width_ratios=(WIDE[0] + 2.4, WIDE[1] + 2.4),
    )
    rings = {
        "": _Ring(panels["left"], data["keys"], "by dot product: {won}", WIDE[0]),
        "_units": _Ring(panels["right"], data["units"], "after unit_rows: {won}", WIDE[1]),
    }
    _draw_border(panels["left"])
    strip = panels["strip"]
    strip.set(xlim=(0, len(QUERIES)), ylim=(-0.45, 1.15), yticks=[])
    strip.set(
        xticks=(0, 15, GOAL, HALF, 45, 60), xlabel=say("queries, of 60, that pick the loud key")
    )
    strip.spines["left"].set_visible(False)
    (bar,) = strip.barh([0], [data["won"].sum()], height=0.7, color=KEY)
    strip.axvline(HALF, color=GHOST, linewidth=1.5, zorder=0)
    strip.text(HALF + 0.5, 1.12, say("half"), fontsize=SMALL, va="top")
    title = figure.headline()

    def update(data) -> None:
        for end, ring in rings.items():
            ring.move(data["units" if end else "keys"], data["won" + end], data["realm" + end])
        bar.set_width(int(data["won"].sum()))
        template = LOUDER if data["length"] >= 1 else NOT_LOUD
        title.set_text(say(template, length=data["length"], won=int(data["won"].sum())))

    moving = [artist for ring in rings.values() for artist in ring.artists]
    goal = _goal_up_to_half(strip)
    moving += [bar, title]
    return Drawing(update, moving=moving, ghosts=[bar], goal=goal)


def _goal_up_to_half(axes) -> GoalMark:
    """A hatched band from the goal to half of the queries, its word before it."""
    goal = goal_band(axes, GOAL - 0.4, HALF, INK)
    word = goal.artists[1]
    word.xy = (GOAL - 0.4, word.xy[1])
    word.set(ha="right", position=(-3, 0))
    return goal


def describe_loud_key(params, data) -> str:
    """The picture in words."""
    won, quiet = int(data["won"].sum()), int(data["won_units"].sum())
    picked = say(PICKED if won else NOT_PICKED, won=won, quiet=quiet)
    return f"{say(KEYS_AND_QUERIES, length=data['length'])} {picked}"


def _along(xy, params) -> dict:
    return {"length": float(np.dot(xy, _directions(KEYS[0])))}


explore_loud_key = Explorer(
    loud_key,
    draw_loud_key,
    describe_loud_key,
    sliders={
        "length": FloatRange(
            SHORTEST, LONGEST, start=START, step=0.1, label="length of the loud key"
        )
    },
    handles={
        "tip": Handle(
            at=lambda data: ("left", *data["keys"][0]),
            to=_along,
            moves=("length",),
            label="tip of the loud key",
            colour=KEY,
        )
    },
    functions={"unit_rows": normalize},
    numbers=lambda params, data: [
        (say("length of the loud key"), f"{data['length']:.1f}"),
        (say("queries that pick it, by dot product"), f"{int(data['won'].sum())}"),
        (say("after unit_rows"), f"{int(data['won_units'].sum())}"),
        (say("its length after unit_rows"), f"{data['heard']:.3g}"),
    ],
    size=(7.0, 4.2),
    colours=8,
    goal=Goal(
        "Pull the loud key out until 25 or more of the 60 queries pick it.",
        lambda params, data: int(data["won"].sum()) >= GOAL,
        solution={"length": 3.8},
    ),
    question="And if the key grew without end: how many of the 60 would it win?",
    answer="30, all that point less than 90 degrees away from it. With these its score is above 0 "
    "and grows without end. With the other 30 it is below 0 and falls.",
)
