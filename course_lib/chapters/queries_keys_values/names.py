"""Where the names of several arrows stand, so that none lies on an arrow or on another name."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

HIGH, LETTER, EDGE = 0.46, 0.25, 0.25  # of a name in the plane's units: height, a letter, its room
ASIDE = np.radians([0, 40, -40, 75, -75, 110, -110, 150, -150, 180])  # from the arrow, best first
AWAY = (0.2, 0.28, 0.42, 0.58, 0.75)  # from the tip, clear of its ring, best first
NEAREST = 0.3  # a name that lies no farther from its tip lies at it
# What it costs to stand away from the tip, behind another arrow, on an axis.
FAR, BEHIND, ON_AXIS = 1.4, 0.3, 0.15
GAP = np.array([0.2, 0.02])  # names side by side read as one: so much apart, at least
TOUCHES = 0.25  # what it costs where two are nearer
LOST = 0.5  # a name that lies farther from its tip has a line to it
NARROW = "il frt'"  # letters of half the width
LONG = 2.0  # a name of at least this width
NEAR_SHAFT = 0.02  # from a shaft to a name beside it
ALONG = np.linspace(0, 1, 25)[:, None]
ALONG_SHAFT = (1.0, 0.75, 0.55, 0.35, 0.15)  # of two close arrows, best first
AT_SHAFT = (0.75, 0.85, 0.95, 0.65, 1.25)  # of an arrow's length: where a name stands beside it
TURNS = np.radians(np.arange(0, 360, 12))
ROUNDS = 3  # the later ones let a name give way to one that came after it
RING = 0.15 * np.column_stack([np.cos(TURNS), np.sin(TURNS)])  # about a tip: what is dragged by it


@dataclass(frozen=True)
class Room:
    """A plane from -half to half and from its lowest to its highest place.

    unit: how large a letter is here; smaller than 1, where a unit takes more pixels.
    edge: what is kept free on the left and on the right.
    below: how far the plane goes on under its lowest place, for a line of words.
    """

    half: float
    lowest: float
    highest: float
    unit: float = 1.0
    edge: float = 0.0
    below: float = 0.0


def size_of(name: str, unit: float = 1.0) -> np.ndarray:
    """Width and height of a name, with a little room around it."""
    letters = len(name) - 0.5 * sum(name.count(one) for one in NARROW)
    return unit * np.array([LETTER * letters + EDGE, HIGH])


def names_at(
    tips: np.ndarray,
    names: Sequence[str],
    room: Room,
    at_shaft: int = 0,
    rings=(),
    tails=0.0,
    nameless=(),
) -> list[np.ndarray]:
    """The middle of each name, near the tip of its arrow.

    tips: (n, 2), of arrows.   tails: where they begin: (n, 2), or 0.
    names: n of them, the most important first; but a LONG one, with few places, chooses before.
    at_shaft: so many of the first stand beside the shaft, where other tips may be near theirs.
    rings: more places that no name should hide, where a tip is held beside itself.
    nameless: the two ends of further lines (n, 2, 2), which no name should hide either.
    """
    points = _not_to_hide(tips, tails, rings, nameless)
    sizes = np.array([size_of(name, room.unit) for name in names])
    choices = [
        _at_shaft(tip, size, room) if i < at_shaft else _beside(tip, size, room)
        for i, (tip, size) in enumerate(zip(tips, sizes, strict=True))
    ]
    own = [
        _on_arrows(some, size, points)
        + FAR * _apart(some, size, tip)
        + BEHIND * _behind(some, tip, tips)
        + ON_AXIS * (np.abs(some) < size / 2).any(axis=-1)
        for some, size, tip in zip(choices, sizes, tips, strict=True)
    ]
    short = sizes[:, 0] < LONG * room.unit
    order = sorted(range(len(names)), key=lambda i: i >= at_shaft and short[i])
    # What stands beside a shaft chooses first, and last: the better of the two is taken.
    orders = (order, order[at_shaft:] + order[:at_shaft])[: 1 + bool(at_shaft)]
    found = [_chosen(one, choices, sizes, own) for one in orders]
    return min(found, key=lambda one: round(one[0], 6))[1]


def _chosen(order, choices, sizes, own) -> tuple[float, list[np.ndarray]]:
    """What it costs that the names choose in this order, and the place of each."""
    found: dict[int, int] = {}
    for _ in range(ROUNDS):
        for i in order:
            costs = own[i] + _beside_others(i, found, choices, sizes)
            found[i] = int(np.argmin(np.round(costs, 6)))
    shared = [_beside_others(i, found, choices, sizes)[found[i]] / 2 for i in order]
    cost = sum(shared) + sum(own[i][found[i]] for i in order)
    return cost, [choices[i][found[i]] for i in range(len(choices))]


def _beside_others(i: int, found, choices, sizes) -> np.ndarray:
    """What the other names that have been `found` a place cost, for each place of name i."""
    rest = [j for j in found if j != i]
    others = np.array([choices[j][found[j]] for j in rest]).reshape(-1, 2)
    return _on_names(choices[i], sizes[i], others, sizes[rest])


def _not_to_hide(tips, tails, rings, nameless) -> np.ndarray:
    """Places (m, 2) along all arrows, and around their tips and rings."""
    begin, end = np.asarray(nameless, dtype=float).reshape(-1, 2, 2).swapaxes(0, 1)
    shafts = [
        *(tails + ALONG[:, None] * (tips - tails)),
        *(begin + ALONG[:, None] * (end - begin)),
    ]
    return np.vstack([*shafts, *(np.asarray(one) + RING for one in (*tips, *rings))])


def way_to(tip, name_at, name: str, unit: float) -> tuple:
    """The line from a name to its tip, as its x and its y; none where it lies at its tip.

    unit: of the name, as in a Room; 0 for one that has no such line.
    """
    half = size_of(name, unit) / 2 - unit * np.array([EDGE, EDGE]) / 2
    nearest = np.clip(tip, name_at - half, name_at + half)
    way = tip - nearest
    far = bool(unit) and np.hypot(*way) > LOST * unit
    return tuple(np.array([nearest + 0.1 * way, tip - 0.12 * way]).T) if far else ([], [])


def at_rings(tips, tails, names: Sequence[str], room: Room) -> np.ndarray:
    """The middles of the names of two arrows of one direction, each on the outer side of its own.

    tips, tails: (2, 2), side by side.   returns: (2, 2), beside the tips, or the shafts if the room
    ends too near
    """
    points = _not_to_hide(tips, tails, tips, ())
    ahead, between = np.mean(tips - tails, axis=0), tips[0] - tips[1]
    across = np.array([-ahead[1], ahead[0]]) / max(np.hypot(*ahead), 1e-9)
    across = across * (np.sign(across @ between) or 1)
    found = []
    for tip, tail, name, side in zip(tips, tails, names, (across, -across), strict=True):
        size = size_of(name, room.unit)
        base = tail + np.array(ALONG_SHAFT)[:, None] * (tip - tail)
        middles = base + AWAY[0] * side + np.clip(2 * side, -1, 1) * size / 2
        far = np.array([room.half - size[0] / 2, room.highest - size[1] / 2])
        middles = np.clip(middles, [-far[0], room.lowest + size[1] / 2], far)
        covered = _on_arrows(middles, size - EDGE * np.array([1, 0]), points)
        found.append(middles[np.argmin(np.round(covered, 6))])
    return np.array(found)


def outline(middle, name: str, unit: float = 1.0) -> np.ndarray:
    """Three lines through a name, which no other name should hide: (3, 2, 2)."""
    half = (size_of(name, unit) - [EDGE, 0]) / 2
    return np.array(
        [[middle - half * (1, high), middle + half * (1, -high)] for high in (-0.8, 0, 0.8)]
    )


def _beside(tip, size, room) -> np.ndarray:
    """Middles (m, 2) of a name in several directions from the tip, inside of the room."""
    angles = np.arctan2(tip[1], tip[0]) + np.tile(ASIDE, len(AWAY))
    directions = np.column_stack([np.cos(angles), np.sin(angles)])
    middles = tip + directions * (size / 2 + np.repeat(AWAY, len(ASIDE))[:, None])
    far = room.half - size[0] / 2 - room.edge
    return np.clip(
        middles, [-far, room.lowest + size[1] / 2], [far, room.highest - size[1] / 2]
    )  # fmt: skip


def _at_shaft(tip, size, room) -> np.ndarray:
    """Middles (m, 2) of a name on both sides of an arrow, which no letter of it touches."""
    across = np.array([-tip[1], tip[0]]) / max(np.hypot(*tip), 1e-9)
    away = (np.abs(across) * size).sum() / 2 + NEAR_SHAFT
    far = np.array([room.half - size[0] / 2, room.highest - size[1] / 2])
    middles = [share * tip + side * away * across for share in AT_SHAFT for side in (1, -1)]
    return np.clip(middles, [-far[0], room.lowest + size[1] / 2], far)


def _on_arrows(middles, size, points) -> np.ndarray:
    """How much of the arrows a name would cover, for each place (m,)."""
    covered = (np.abs(points - middles[:, None]) < size / 2).all(axis=-1)
    return 2 * covered.sum(axis=-1) / len(ALONG)


def _apart(middles, size, tip) -> np.ndarray:
    """How much farther a name lies from its tip than it needs to, for each place (m,)."""
    apart = np.hypot(*np.clip(np.abs(tip - middles) - size / 2, 0, None).T)
    return np.maximum(apart - NEAREST, 0)


def _behind(middles, tip, tips) -> np.ndarray:
    """How many arrows pass between a name and its tip, for each place (m,)."""
    ways = middles - tip
    across = np.outer(ways[:, 1], tips[:, 0]) - np.outer(ways[:, 0], tips[:, 1])
    across = np.where(np.abs(across) < 1e-9, np.inf, across)
    along_arrow = (tip[0] * ways[:, 1] - tip[1] * ways[:, 0])[:, None] / across
    along_way = (tip[0] * tips[:, 1] - tip[1] * tips[:, 0]) / across
    passes = (along_arrow > 0) & (along_arrow < 1) & (along_way > 1e-6) & (along_way < 1)
    return passes.sum(axis=-1)


def _on_names(middles, size, others, sizes) -> np.ndarray:
    """How much of other names (o, 2), so large, a name would cover, for each place (m,)."""
    both = (size + sizes) / 2 - np.abs(middles[:, None] - others)
    covers = np.clip(both, 0, np.minimum(size, sizes)).prod(axis=-1).sum(axis=-1) / size.prod()
    return 4 * covers + TOUCHES * (both > -GAP).all(axis=-1).sum(axis=-1)
