"""Where names stand in a plane full of arrows: beside their tips, off all lines and each other.

    names = NamesAside(plane, unit=0.012)
    names.add(text, ((0.1, -0.3), (0.4, 0.0)))       # places from a tip, the best one first
    names.place([tip], lines=[((0, 0), (1, 2))])     # a tip for each name, in the order of `add`

The first place that is free is taken, so a name moves only where something would cross it.
"""

import itertools

import numpy as np

ALONG = np.linspace(0, 1, 60)[:, None]
MARGIN, AWAY = 0.04, 0.14  # of free room around a name; from the middle of a shaft
FAR, THIN, ON_NAMES = 4.0, 0.4, 2000.0  # what it costs to be far, on a thin line, on a name
LETTER, HIGH, GAP = 10.4, 17, 5  # pixels: of a letter, and from a tip to its name


class NamesAside:
    """The names of a plane, each with the places at which it may stand."""

    def __init__(self, axes, unit: float):
        """unit: how much of the plane is a pixel at the usual density."""
        self._axes, self._unit = axes, unit
        self._texts, self._choices, self._halves, self._beside = [], [], [], []

    def add(self, text, places, *, beside: bool = False) -> None:
        """Let a text, centred, stand at one of these places, counted from its tip.

        places: (n, 2), the best one first.   beside: or at the shaft of its arrow, which starts at
        the origin.
        """
        text.set(ha="center", va="center")
        self._texts.append(text)
        self._choices.append(np.asarray(places, dtype=float))
        self._halves.append(_half(text, self._unit))
        self._beside.append(beside)

    def place(self, tips, lines, thin=()) -> None:
        """Put each name where no line and no earlier name is, if there is such a place near by.

        tips: a point for each name.   lines: pairs of points.   thin: others, which a name rather
        covers than stands far off.
        """
        points = [np.vstack([_along(*line) for line in some]) for some in (lines, thin) if some]
        taken: list[tuple[np.ndarray, np.ndarray]] = []
        low, high = np.sort([self._axes.get_xlim(), self._axes.get_ylim()], axis=1).T
        each = zip(self._texts, tips, self._choices, self._halves, self._beside, strict=True)
        for text, tip, choices, half, beside in each:
            places = np.asarray(tip, dtype=float) + choices
            places = np.vstack([places, *([_at_shaft(tip, half)] if beside else [])])
            places = np.clip(places, low + half, high - half)
            costs = [
                _crossed(place, half, points, taken) + FAR * _apart(place, half, tip)
                for place in places
            ]
            place = places[int(np.argmin(costs))]
            text.set_position(place)
            taken.append((place, half))


def _apart(place, half, tip) -> float:
    """How far a name is from its tip."""
    return float(np.hypot(*np.clip(np.abs(place - tip) - half, 0, None)))


def _half(text, unit: float) -> np.ndarray:
    """Half the width and the height of a text of small, bold letters."""
    return np.array([LETTER * len(text.get_text()), HIGH]) * unit / 2


def _at_shaft(tip, half) -> np.ndarray:
    """Places on both sides of an arrow, which no letter of the name touches. Shape: (6, 2)"""
    length = float(np.hypot(*tip))
    across = np.array([-tip[1], tip[0]]) / length if length else np.array([0.0, 1.0])
    away = (np.abs(across) * half).sum() + AWAY
    return np.array([at * np.asarray(tip) + side * away * across
                     for at in (0.6, 0.8, 0.4) for side in (1, -1)])  # fmt: skip


def _along(start, end) -> np.ndarray:
    """Points all along a line. Shape: (60, 2)"""
    start, end = np.asarray(start, dtype=float), np.asarray(end, dtype=float)
    return start + ALONG * (end - start)


def _crossed(place, half, points, taken) -> float:
    """How much of the lines and of earlier names a name would cover here; 0 is free."""
    room = half + MARGIN
    covered = [(np.abs(some - place) < room).all(axis=1).sum() for some in points]
    overlaps = (
        np.clip(half + its + MARGIN - np.abs(place - other), 0, None) for other, its in taken
    )
    names = sum(float(both.prod()) for both in overlaps)
    lines = sum(weight * float(count) for weight, count in zip((1, THIN), covered, strict=False))
    return lines + ON_NAMES * names


def around(name: str, unit: float, *, off: float = 0.0) -> list:
    """Places all around a tip for this name: right, left, above, below, corners; then further off.

    off: how far around the tip nothing is to stand
    """
    places: list[tuple[float, float]] = []
    for gap in (GAP, 3 * GAP, 5.5 * GAP, 7 * GAP):
        across, up = off + unit * (LETTER * len(name) / 2 + gap), off + unit * (HIGH / 2 + gap)
        places += [(across, 0.0), (-across, 0.0), (0.0, up), (0.0, -up)]
        places += itertools.product((across, -across), (up, -up))
    return places
