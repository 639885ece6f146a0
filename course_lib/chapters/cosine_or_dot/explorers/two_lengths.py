"""Explorer `two_lengths`: what the length of a query does, and what that of a key."""

import numpy as np
from matplotlib.patches import Rectangle

from course_lib.chapters.cosine_or_dot.exercises.cosine_weights import cosine_weights
from course_lib.figures.ghosts import LINE, GoalMark, leave_ghosts
from course_lib.figures.numerals import share, signed
from course_lib.figures.theme import GHOST, INK, KEY, QUERY, SMALL, WEIGHT
from course_lib.figures.vectors import Vector, draw_ghost, draw_plane, draw_vector
from course_lib.kernels.softmax import softmax
from course_lib.kernels.vectors import pairwise_cosines
from course_lib.sliding.explorer import Drawing, Explorer, Goal
from course_lib.sliding.handles import Handle
from course_lib.sliding.sliders import FloatRange
from course_lib.words import say

NAMES = ("A", "B", "C", "D")
BEYOND = [-0.5, 0.75**0.5]  # D: 120 degrees from the query, so its score is negative
DIRECTIONS = np.array([[0.96, 0.28], [0.8, -0.6], [0.6, 0.8], BEYOND])  # the query: (1, 0)
LONGEST = 3.0
LONGEST_C = 4.0  # half of the weight, which C should take, lies well before its end
NUMBER = 0.08  # how high a number is, as a weight
HUNDREDTH = 0.01  # what is nearer to 0 than to this is "<.01"
ASIDE = 0.15  # so far to the right that word stands, off the bar of C, which may be high
FARTHEST = 2.4  # and the farthest: beyond it, the name of a long `q` would leave the frame
NEAREST = 0.7  # how near to the middle the name of `q` may stand: nearer, key B would cross it
HIGHER = (0.2, 0.36)  # so much the name of C stands above its tip; more where A's name is near
NEAR_A = 0.8  # so short is a C at whose tip the name of A is near
OVER, FAR_OUT = (0.7, 0.3), 2.0  # from that length on the name of D stands above its tip
SHORT = 0.35  # a query so short is lost between the other arrows; a ring marks its tip
BEFORE_SHORT = (-0.15, -0.25)  # there the name of such a query ends
UNDER = (*3 * (((0, -20), "center"),), ((-8, -20), "left"))  # scores; that of D has a minus
HALF = 0.495  # what C should take, or more: so its bar reads .50
BAND = (HALF, 1.0)  # what C should reach
NO_ROOM = ((0.4, 1.9), (0.99, 1.3), (0.99, 1.6))  # for "start", between these lengths of q, C, D
COSINES = 5.2  # where the bars by cosine begin; the word of the goal ends before them
MOST = "Most goes to {best} by dot product, to {other} by cosine"
MOST_BOTH = "Most goes to {best}, by dot product and by cosine"


def two_lengths(*, query, key_c, key_d, cosine_weights) -> dict:
    """One query and four keys, C and D of free lengths: weights from dot and from cosine."""
    q = query * np.array([[1.0, 0.0]])
    keys = DIRECTIONS * np.array([[1.0], [1.0], [key_c], [key_d]])
    by_cosine = np.array(cosine_weights(q.copy(), keys.copy()), dtype=float)
    if by_cosine.shape != (1, len(keys)):
        shape = by_cosine.shape
        raise ValueError(f"cosine_weights gave shape {shape}; here it should be {(1, len(keys))}")
    scores = (q @ keys.T)[0]
    return {
        "q": q[0],
        "keys": keys,
        "scores": scores,
        "cosines": pairwise_cosines(q, keys)[0],
        "by_dot": softmax(scores),
        "by_cosine": by_cosine[0],
    }


def draw_two_lengths(figure, data) -> Drawing:
    """Left query and keys as arrows; right the weights from dot products and from cosines."""
    plane, bars = figure.subplots(1, 2)
    query, keys = _draw_arrows(plane, data)
    starts, places = _draw_starts(plane, data)
    ring_look = {"color": QUERY, "markersize": 7, "markerfacecolor": "white", "markeredgewidth": 2}
    (ring,) = plane.plot([], [], "o", zorder=6, **ring_look)
    by_dot = _Weights(bars, data["by_dot"], 0.0, filled=True, banded=NAMES.index("C"))
    by_cosine = _Weights(bars, data["by_cosine"], COSINES, filled=False)
    bars.set(xlim=(-0.6, COSINES + 3.8), ylim=(0, 1.12), yticks=(0, 0.5, 1), ylabel=say("weight"))
    bars.set_xticks([left + i for left in (0, COSINES) for i in range(4)], 2 * NAMES)
    _name_scores(bars)
    bars.tick_params(axis="x", length=0)
    title = figure.headline()

    def update(data) -> None:
        _move_free(query, data["q"], "q", np.clip(data["q"], (NEAREST, 0), (FARTHEST, 0)))
        short = data["q"][0] <= SHORT
        ring.set_data(*(data["q"][:, None] if short else ([], [])))
        query.artists[1].set_ha("right" if short else "left")
        if short:
            query.artists[1].set_position(BEFORE_SHORT)
        lengths = [float(np.hypot(*tip)) for tip in (data["q"], *data["keys"][2:])]
        asides = ((0, HIGHER[lengths[1] < NEAR_A]), OVER if lengths[2] > FAR_OUT else (0, 0))
        for arrow, key, name, aside in zip(keys[2:], data["keys"][2:], "CD", asides, strict=True):
            _move_free(arrow, key, name, key + np.array(aside))
        named = False  # one word is enough for all grey arrows
        for word, place, (low, high), length in zip(starts, places, NO_ROOM, lengths, strict=True):
            word.set_visible(not named and not low <= length <= high)
            word.set_position(place[length < 1])
            named = named or word.get_visible()
        by_dot.move(data["by_dot"], data["scores"])
        by_cosine.move(data["by_cosine"], data["cosines"])
        best, other = _largest(data["by_dot"]), _largest(data["by_cosine"])
        title.set_text(say(MOST_BOTH if best == other else MOST, best=best, other=other))

    arrows = [artist for arrow in (*keys, query) for artist in arrow.artists]
    goal = _goal_over_c(bars)
    moving = [*arrows, *starts, ring, *by_dot.artists, *by_cosine.artists, title]
    return Drawing(update, goal=goal, moving=moving)


def _name_scores(bars) -> None:
    """Below each half, what makes the scores."""
    below = {"xytext": (0, -38), "textcoords": "offset points", "annotation_clip": False}
    look = {"ha": "center", "va": "top", "fontsize": SMALL}
    for middle, name in ((1.5, say("score: dot product")), (COSINES + 1.5, say("score: cosine"))):
        bars.annotate(name, (middle, 0), **below, **look)


def _largest(weights) -> str:
    """The key with the largest weight, or those that share it."""
    tied = np.flatnonzero(np.isclose(weights, np.max(weights)))
    return say(" and ").join(NAMES[i] for i in tied)


def _draw_arrows(plane, data) -> tuple[Vector, list[Vector]]:
    """The query and the keys as arrows, and where their scores turn negative."""
    draw_plane(plane, LONGEST).set(xlim=(-2.35, 3.3), ylim=(-1.0, 3.65))
    plane.spines[:].set_visible(False)
    plane.axvline(0, color=GHOST, linewidth=1.2, linestyle=(0, (5, 3)), zorder=0.5)
    plane.text(-0.1, -0.95, say("90° from q"), fontsize=SMALL, ha="right", va="center")
    keys = [
        draw_vector(plane, key, KEY, name, side=side, width=0.7)
        for key, name, side in zip(data["keys"], NAMES, (0, -1, -1, 1), strict=True)
    ]
    query = draw_vector(plane, data["q"], QUERY, "q", side=-1, width=0.7, zorder=2.5)
    for arrow in (query, keys[2]):  # name and length begin beside the tip
        arrow.artists[1].set(ha="left", in_layout=False)
    keys[3].artists[1].set(ha="right", in_layout=False)  # or end there
    return query, keys


def _draw_starts(plane, data) -> tuple[list, list]:
    """Grey arrows where those of free length begin, and their words.

    Returned too: where each word stands while its arrow is longer than that, or shorter.
    """
    tips = (data["q"], *data["keys"][2:])
    longer = ((0.05, -0.28), (0.16, -0.04), (-0.12, -0.12))
    shorter = ((0.1, -0.14), (-0.05, 0.56), (0.05, 0.38))
    words, places = [], []
    for tip, *asides, side in zip(tips, longer, shorter, ("left", "left", "right"), strict=True):
        draw_ghost(plane, tip, "")
        look = {"color": GHOST, "fontsize": SMALL, "ha": side, "va": "center", "in_layout": False}
        places.append([tip + np.array(aside) for aside in asides])
        words.append(plane.text(*places[-1][0], say("start"), **look))
    return words, places


def _move_free(arrow: Vector, tip, name: str, named_at) -> None:
    """Move an arrow of free length; its name and its length go with its tip."""
    length = float(np.hypot(*tip))
    arrow.move(tip, label=say("{name} {length:.1f}", name=name, length=length), named_at=named_at)


def _score(value: float) -> str:
    """A score with two digits, halves away from 0: ".96", "1.3", "−.50"."""
    told = signed(value * (1 + 1e-9), 2 if abs(value) < 0.995 else 1)
    return told.replace("0.", ".", 1) if abs(value) < 0.995 else told


def _goal_over_c(axes) -> GoalMark:
    """A hatched band from half up to all, which the bar of C by dot product should reach."""
    look = {"facecolor": "none", "edgecolor": WEIGHT, "zorder": 0.5, **LINE}
    piece = axes.add_patch(Rectangle((1.4, BAND[0]), 1.2, BAND[1] - BAND[0], **look))
    told = say("goal (q and D at 1.0)")
    word = axes.text(-0.4, BAND[1] + 0.02, told, color=WEIGHT, fontsize=SMALL, va="bottom")

    def show(reached: bool) -> None:
        piece.set(facecolor=(WEIGHT, 0.3) if reached else "none", hatch=None if reached else "////")

    show(False)
    return GoalMark([piece, word], show)


class _Weights:
    """Four bars from `left` on, their numbers, and below each the score that it comes from.

    A number stands on its bar, and in it where the bar has fallen: so it covers no outline of the
    start. Hollow bars have an outline only.

    banded: which bar has the goal's band behind it, so that its number, up there, stands in it
    """

    def __init__(self, axes, start, left: float, *, filled: bool, banded: int | None = None):
        self._banded, self._start = banded, np.array(start)
        self._inside = "white" if filled else INK
        look = {"color": WEIGHT} if filled else {"facecolor": "#c9ced6", "edgecolor": WEIGHT}
        self._bars = axes.bar(left + np.arange(len(NAMES)), start, width=0.86, **look)
        leave_ghosts(self._bars)
        self._numbers = [
            axes.text(left + i, 0, "", ha="center", va="bottom", fontsize=SMALL)
            for i in range(len(NAMES))
        ]
        look = {"va": "top", "fontsize": SMALL, "in_layout": False, "annotation_clip": False}
        self._scores = [
            axes.annotate(
                "", (left + i, 0), xytext=aside, textcoords="offset points", ha=side, **look
            )
            for i, (aside, side) in enumerate(UNDER)
        ]
        self.artists = [*self._bars, *self._numbers, *self._scores]

    def move(self, weights, scores) -> None:
        for i, (bar, number) in enumerate(zip(self._bars, self._numbers, strict=True)):
            weight, start = float(weights[i]), float(self._start[i])
            bar.set_height(weight)
            fallen = weight < start - 0.002
            inside = fallen and weight > NUMBER
            tiny = weight < HUNDREDTH / 2  # its word is wider than the outline of the start
            near = fallen and (tiny or start - weight < NUMBER)
            at = float(np.clip(start if near and not inside else weight, 0, 1)) + 0.01
            inside = inside or (i == self._banded and at > BAND[0] - NUMBER)
            x, _, width, _ = bar.get_bbox().bounds
            number.set_x(x + width / 2 + tiny * ASIDE)
            number.set_y(weight - 0.01 if inside else at)
            number.set(va="top" if inside else "bottom", color=self._inside if inside else INK)
            number.set_text(say("<.01") if tiny else share(weight))
            self._scores[i].set_text(_score(float(scores[i])))


def describe_two_lengths(params, data) -> str:
    """The picture in words."""
    return say(
        "The query is {query:.1f} long, key C {key_c:.1f} and key D {key_d:.1f}. The scores of A, "
        "B, C and D by dot product are {scores}. From these, A gets {a:.2f}, B {b:.2f}, C {c:.2f} "
        "and D {d:.2f}; from the cosines {w:.2f}, {x:.2f}, {y:.2f} and {z:.2f}.",
        scores=", ".join(_score(float(score)) for score in data["scores"]),
        query=params["query"], key_c=params["key_c"], key_d=params["key_d"],
        **dict(zip("abcd", map(float, data["by_dot"]), strict=True)),
        **dict(zip("wxyz", map(float, data["by_cosine"]), strict=True)),
    )  # fmt: skip


def _key_handle(name: str, which: int) -> Handle:
    """The tip of a key that keeps its direction."""
    return Handle(
        at=lambda data: (0, *data["keys"][which]),
        to=lambda xy, params: {f"key_{name}": float(np.dot(xy, DIRECTIONS[which]))},
        moves=(f"key_{name}",),
        label=f"tip of key {name.upper()}",
        colour=KEY,
    )


explore_two_lengths = Explorer(
    two_lengths,
    draw_two_lengths,
    describe_two_lengths,
    sliders={
        "query": FloatRange(0.1, LONGEST, start=1.0, step=0.1, label="length of the query"),
        "key_c": FloatRange(0.5, LONGEST_C, start=1.0, step=0.1, label="length of key C"),
        "key_d": FloatRange(0.5, LONGEST, start=1.0, step=0.1, label="length of key D"),
    },
    handles={
        "query": Handle(
            at=lambda data: (0, *data["q"]),
            to=lambda xy, params: {"query": float(xy[0])},
            moves=("query",),
            label="tip of the query",
            colour=QUERY,
        ),
        "key_c": _key_handle("c", 2),
        "key_d": _key_handle("d", 3),
    },
    functions={"cosine_weights": cosine_weights},
    numbers=lambda params, data: [
        (
            say("key {name}: score, weight by dot; cosine, weight by cosine", name=name),
            f"{score:.2f}, {dot:.3f}; {cosine:.2f}, {weight:.3f}",
        )
        for name, score, dot, cosine, weight in zip(
            NAMES, data["scores"], data["by_dot"], data["cosines"], data["by_cosine"], strict=True
        )
    ],
    size=(7.0, 4.0),
    colours=8,
    goal=Goal(
        "With q and D at 1.0, let C take half of the attention, or more.",
        lambda params, data: (
            (params["query"], params["key_d"]) == (1, 1) and data["by_dot"][2] >= HALF
        ),
        solution={"key_c": 2.8},
    ),
    question="Now C has the largest score. Who gains if you make q longer?",
    answer="C does. A longer query multiplies all scores by the same number, so their order stays, "
    "and the largest one takes more and more.",
)
