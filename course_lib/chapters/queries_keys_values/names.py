"""Where the names of several arrows stand, so that none lies on an arrow or on another name."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

HIGH, LETTER, EDGE = 0.46, 0.235, 0.25  # of a name in the plane's units: height, a letter, its room
ASIDE = np.radians([0, 40, -40, 75, -75, 110, -110, 150, -150, 180])  # from the arrow, best first
AWAY = (0.16, 0.28, 0.42, 0.58)  # from the tip, clear of its ring, best first
NEAREST = 0.3  # a name that lies no farther from its tip lies at it
FAR, BEHIND = 1.4, 0.3  # what it costs to stand away from the tip, and behind another arrow
NARROW = "il"  # letters of half the width
NEAR_SHAFT = 0.02  # from a shaft to a name beside it
ALONG = np.linspace(0, 1, 25)[:, None]
AT_SHAFT = (0.75, 0.85, 0.95, 0.65)  # of an arrow's length: where a name stands beside it
TURNS = np.radians(np.arange(0, 360, 12))
ROUNDS = 3  # the later ones let a name give way to one that came after it
RING = 0.15 * np.column_stack([np.cos(TURNS), np.sin(TURNS)])  # about a tip: what is dragged by it


@dataclass(frozen=True)
class Room:
    """A plane from -half to half and from its lowest to its highest place.

    unit: how large a letter is here; smaller than 1, where a unit takes more pixels.
    edge: what is kept free on the left and on the right.
    """

    half: float
    lowest: float
    highest: float
    unit: float = 1.0
    edge: float = 0.0


def size_of(name: str, unit: float = 1.0) -> np.ndarray:
    """Width and height of a name, with a little room around it."""
    letters = len(name) - 0.5 * sum(name.count(one) for one in NARROW)
    return unit * np.array([LETTER * letters + EDGE, HIGH])


def names_at(
    tips: np.ndarray, names: Sequence[str], room: Room, at_shaft: int = 0, loose: int = 0
) -> list[np.ndarray]:
    """The middle of each name, near the tip of its arrow.

    tips: (n, 2), of arrows that begin at 0.   names: n of them, the most important first.
    at_shaft: so many of the first stand beside the shaft, where other tips may be near theirs.
    loose: so many of the last may stand away from their tips.
    """
    points = np.concatenate([np.vstack([ALONG * tip, tip + RING]) for tip in tips])
    sizes = [size_of(name, room.unit) for name in names]
    choices = [
        _at_shaft(tip, size, room) if i < at_shaft
        else [_beside(tip, size, turn, away, room) for away in AWAY for turn in ASIDE]
        for i, (tip, size) in enumerate(zip(tips, sizes, strict=True))
    ]  # fmt: skip
    covered = [
        [
            _on_arrows(one, size, points)
            + (FAR if i < len(names) - loose else 0) * _apart(one, size, tip)
            + BEHIND * _behind(one, tip, tips)
            for one in some
        ]
        for i, (some, size, tip) in enumerate(zip(choices, sizes, tips, strict=True))
    ]
    found: list[np.ndarray] = []
    for _ in range(ROUNDS):
        for i, size in enumerate(sizes):
            rest = [j for j in range(len(found)) if j != i]
            others = [(found[j], sizes[j]) for j in rest]
            costs = [
                own + _on_names(one, size, others)
                for one, own in zip(choices[i], covered[i], strict=True)
            ]
            best = choices[i][int(np.argmin(np.round(costs, 6)))]
            found[i : i + 1] = [best]
    return found


def _beside(tip, size, turn, away, room) -> np.ndarray:
    """The middle of a name in a direction from the tip, inside of the room."""
    angle = np.arctan2(tip[1], tip[0]) + turn
    middle = tip + np.array([np.cos(angle), np.sin(angle)]) * (size / 2 + away)
    far = room.half - size[0] / 2 - room.edge, size[1] / 2
    x = np.clip(middle[0], -far[0], far[0])
    return np.array([x, np.clip(middle[1], room.lowest + far[1], room.highest - far[1])])


def _at_shaft(tip, size, room) -> list[np.ndarray]:
    """Middles of a name on both sides of an arrow, which no letter of it touches."""
    across = np.array([-tip[1], tip[0]]) / max(np.hypot(*tip), 1e-9)
    away = (np.abs(across) * size).sum() / 2 + NEAR_SHAFT
    far = np.array([room.half - size[0] / 2, room.highest - size[1] / 2])
    return [
        np.clip(share * tip + side * away * across, [-far[0], room.lowest + size[1] / 2], far)
        for share in AT_SHAFT for side in (1, -1)
    ]  # fmt: skip


def _on_arrows(middle, size, points) -> float:
    """How much of the arrows a name would cover."""
    return float((np.abs(points - middle) < size / 2).all(axis=-1).sum() / len(ALONG))


def _apart(middle, size, tip) -> float:
    """How much farther a name lies from its tip than it needs to."""
    apart = np.hypot(*np.clip(np.abs(tip - middle) - size / 2, 0, None))
    return max(float(apart) - NEAREST, 0.0)


def _behind(middle, tip, tips) -> int:
    """How many arrows pass between a name and its tip."""
    way = middle - tip
    across = tips[:, 0] * way[1] - tips[:, 1] * way[0]
    across = np.where(np.abs(across) < 1e-9, np.inf, across)
    along_arrow = (tip[0] * way[1] - tip[1] * way[0]) / across
    along_way = (tip[0] * tips[:, 1] - tip[1] * tips[:, 0]) / across
    passes = (along_arrow > 0) & (along_arrow < 1) & (along_way > 1e-6) & (along_way < 1)
    return int(passes.sum())


def _on_names(middle, size, others) -> float:
    """How much of other names a name would cover."""
    covered = 0.0
    for other, its in others:
        both = np.clip((size + its) / 2 - np.abs(middle - other), 0, np.minimum(size, its))
        covered += 4 * both.prod() / size.prod()
    return float(covered)
