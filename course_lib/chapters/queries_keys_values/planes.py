"""The planes of the picture `flow`: arrows of words and of a matrix, with their names."""

import numpy as np

from course_lib.chapters.queries_keys_values.lanes import Aside, lanes
from course_lib.chapters.queries_keys_values.names import at_rings, names_at, outline, way_to
from course_lib.figures.theme import GHOST, INK, SMALL
from course_lib.figures.vectors import draw_ghost, draw_plane, draw_vector
from course_lib.words import say

WORDS = ("cat", "is", "sleeping")
TRAITS = ("thing", "action")  # each has a row in a matrix
OF_ROWS = ("thing's row", "action's row")  # the names of its arrows
ROUND, SQUARE = "o", "s"  # the handles of a matrix, and those of words
PALE = 0.6  # the words that do not ask now, and what is not needed yet
CLOSE = 0.5  # two tips that are nearer than this hide each other's ring
IN_LINE = 1e-6  # a tip that lies no farther beside an arrow lies in line with it
MARK, NUMBER_AT = 0.1, 0.32  # of the marks at 1: half their length, and the numbers beside them
NEAR = 0.15  # of where it was: an arrow has not left its start
BRIM = 0.25  # what is left free between a tip and the end of the plane


def grips(tips: np.ndarray, side: float = -1.0) -> np.ndarray:
    """Where two arrows are held: at their tips; where these meet, the second one beside the first.

    tips: (2, 2)   side: 1 for the left of the first arrow, -1 for the right, if they lie in line
    returns: (2, 2), never nearer to each other than CLOSE
    """
    first, second = np.asarray(tips, dtype=float)
    if np.hypot(*(first - second)) >= CLOSE:
        return np.array([first, second])
    angle = np.arctan2(first[1], first[0])
    along = np.array([np.cos(angle), np.sin(angle)])
    across = np.array([-along[1], along[0]])
    beyond, beside = (second - first) @ along, (second - first) @ across
    if abs(beside) > IN_LINE:
        side = np.sign(beside)
    return np.array([first, first + beyond * along + side * np.sqrt(CLOSE**2 - beyond**2) * across])


def side_of(held) -> float:
    """On which side of the first of two arrows the second is held: words leave room for names."""
    return 1.0 if held else -1.0


class Arrow:
    """An arrow with a name."""

    def __init__(self, plane, tip, color, label, *, width=0.8, weight="bold", held="", unit=0.0):
        self._vector = draw_vector(plane, tip, color, width=width)
        self._name = plane.text(
            0, 0, label, color=color, fontsize=SMALL, fontweight=weight, ha="center", va="center",
            zorder=5, bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.3, "alpha": 0.75},
        )  # fmt: skip
        self._ring = self._ring_at(plane, color, held) if held else None
        (self._way,) = plane.plot([], [], ":", color=color, linewidth=1.1, zorder=4)
        self._unit = unit
        rings = [self._ring] if held else []
        self.artists = [self._vector.artists[0], self._way, *rings, self._name]

    @staticmethod
    def _ring_at(plane, color, marker):
        """What says that the tip can be dragged: the page lays a handle of this look on it."""
        color = GHOST if marker == SQUARE else color  # a grey one is better left alone
        look = {"markerfacecolor": "white", "markeredgecolor": color, "markeredgewidth": 2.0}
        return plane.plot([], [], marker, markersize=8, zorder=4, **look)[0]

    @property
    def name(self) -> str:
        """What is written at it."""
        return self._name.get_text()

    @property
    def wide_name(self) -> str:
        """Its name with the room that it needs: by a square, half a letter more on each side."""
        square = self._ring is not None and self._ring.get_marker() == SQUARE
        return f"{self.name}  " if square else self.name

    @property
    def held(self) -> bool:
        """Whether it can be dragged."""
        return self._ring is not None

    def move(self, tip, name_at, grip, aside=(0.0, 0.0), faint: bool = False) -> None:
        """Let it end at `tip`, with its name and its ring at their places.

        aside: where it begins, and so far from its tip it ends, where others lie on it.
        """
        self._vector.move(np.asarray(tip) + aside, tail=aside)
        if self._ring is not None:
            self._ring.set_data([grip[0]], [grip[1]])
        self._name.set_position(name_at)
        self._way.set_data(*way_to(np.asarray(tip) + aside, name_at, self.name, self._unit))
        for artist in self.artists:
            if artist.get_alpha() != (PALE if faint else 1.0):
                artist.set_alpha(PALE if faint else 1.0)


def fit(tips: np.ndarray, room) -> np.ndarray:
    """What share of each arrow the plane has room for: 1, if all of it.   tips: (n, 2) -> (n,)"""
    ends = np.where(tips < 0, [room.half, -room.lowest], [room.half, room.highest]) - BRIM
    return np.minimum(1, (ends / np.maximum(np.abs(tips), IN_LINE)).min(axis=1))


class Start:
    """A grey arrow to where the output of the word that asks ended at the start, once it has left.

    What it is stands below the plane.
    """

    name = "grey: its output at the start"

    def __init__(self, plane, tips, room):
        self.tips = np.array(tips, dtype=float)  # (words, 2)
        self._arrow = draw_ghost(plane, self.tips[0], "")
        self._name = plane.text(
            0, room.lowest - room.below / 2, say(self.name), color=GHOST, fontsize=SMALL,
            ha="center", va="center", zorder=5,
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 1},
        )  # fmt: skip
        self.artists = [self._arrow.artists[0], self._name]

    def move(self, tip, asks: int) -> np.ndarray:
        """Show it if the arrow of the word that asks ends elsewhere now; then 0 and its tip."""
        old = self.tips[asks]
        left = bool(np.hypot(*(np.asarray(tip) - old)) > NEAR)
        self._arrow.move(old)
        for artist in self.artists:
            artist.set_visible(left)
        return np.array([[np.zeros(2), old]]) if left else np.empty((0, 2, 2))


class Way:
    """The dotted way to the query or the key of the word that asks: so much of each black arrow."""

    def __init__(self, plane):
        (self._line,) = plane.plot([], [], color=GHOST, linewidth=1.6, linestyle=(0, (1, 1.2)),
                                   zorder=1.5)  # fmt: skip
        self.artists = [self._line]

    def move(self, traits, rows) -> np.ndarray:
        """Go along the first row of the matrix, then along the second: the ends of the last leg.

        traits: (2,), of the word that asks.   rows: (2, 2), of the matrix.
        """
        legs = np.asarray(traits)[:, None] * np.asarray(rows)
        path = np.vstack([np.zeros(2), np.cumsum(legs, axis=0)])
        self._line.set_data(*path.T)
        return path[1:]


def mark_ones(plane, numbered: bool) -> np.ndarray:
    """Mark where 1 is on both axes; where the numbers stand, if they are written: (n, 2)."""
    for x, y in ((MARK, 0), (0, MARK)):
        plane.plot([y / MARK - x, y / MARK + x], [x / MARK - y, x / MARK + y], color=GHOST,
                   linewidth=1, zorder=0.5)  # fmt: skip
    if not numbered:
        return np.empty((0, 2))
    places = np.array([(1, -NUMBER_AT), (-NUMBER_AT, 1)])
    for place in places:
        plane.text(*place, "1", color=INK, fontsize=SMALL, ha="center", va="center")
    return places


class Plane:
    """The arrows of one plane, one a word, and dark ones for the rows of its matrix.

    name, matrix: of tables in the data of the explorer; a plane without a matrix has no dark ones.
    pale: whether all words but the one that asks are pale.   quiet: whether its words are pale
    until an arrow leaves its first place, or until it is told to be awake.   output: the colour
    of a further arrow, what the word that asks takes home; its name stands beside the shaft.
    It is never pale, and the words beside it wait until they are told to be awake.
    held: the words that can be dragged; they end in a square, and the rows of a matrix in a ring.
    """

    def __init__(
        self, plane, name, data, room, *, colour, matrix="", pale=False, quiet=False, output="",
        held=(),
    ):  # fmt: skip
        self.name, self.matrix, self.room = name, matrix, room
        self.pale, self.quiet = pale, quiet
        self.side = side_of(held)
        self.more = ["output"] if output else []
        self._first = self._tips(data)
        draw_plane(plane, room.half)
        plane.set(ylim=(room.lowest - room.below, room.highest), label=name)
        plane.spines[:].set_visible(False)
        self._start = Start(plane, data["outputs"], room) if output else None
        self._aside = Aside(plane, room) if matrix else None
        self._way = Way(plane) if matrix else None
        self._ones = np.empty((0, 2)) if output else mark_ones(plane, numbered=bool(held))
        ways = 0.0 if output else room.unit  # none across what is taken home
        rows = {"width": 1.3, "weight": "normal", "held": ROUND}
        self.arrows = [
            *(Arrow(plane, data[one], output, say(one), width=1.4) for one in self.more),
            *(
                Arrow(plane, tip, colour, say(word), held=SQUARE * (i in held), unit=ways)
                for i, (tip, word) in enumerate(zip(data[name], WORDS, strict=True))
            ),
            *(
                Arrow(plane, tip, INK, say(row), **rows)
                for tip, row in zip(data.get(matrix, ()), OF_ROWS, strict=False)
            ),
        ]
        parts = [one for one in (self._start, self._way, *self.arrows) if one]
        self.artists = [one for part in parts for one in part.artists]
        if self._aside:
            self.artists.append(self._aside.artist)

    def _tips(self, data) -> np.ndarray:
        more = [data[one] for one in self.more]
        return np.array([*more, *data[self.name], *data.get(self.matrix, ())])

    def move(self, data, awake: bool = False) -> None:
        """Draw the arrows of other data.   awake: whether a quiet plane is as clear as others."""
        tips, words = self._tips(data), range(len(self.more), len(self.more) + len(WORDS))
        waits = bool(self.more) or np.abs(tips - self._first).max() < NEAR
        rests = self.quiet and not awake and waits
        aside, lines = np.zeros_like(tips), np.empty((0, 2, 2))
        if self._aside:
            shares = fit(tips, self.room)
            tips, cut = tips * shares[:, None], bool(shares.min() < 1)
            aside = lanes(tips, len(WORDS))
            asks = shares[data["asks"]] * data["words"][data["asks"]]
            lines = self._way.move(asks, data[self.matrix])[None]
        if self._start:
            lines = self._start.move(data["output"], data["asks"])
        held, at = [i for i, arrow in enumerate(self.arrows) if arrow.held], tips.copy()
        if held:
            at[held] = grips(tips[held], self.side)
            aside[held] += at[held] - tips[held]
        if self._aside:
            lines = np.vstack([lines, self._aside.move(tips, aside, cut)])
        count, rows = len(self.arrows), slice(len(self.arrows) - len(OF_ROWS), None)
        own = np.empty((0, 2))  # the places of the names of two rows that are close together
        if self.matrix and np.hypot(*(tips[rows][0] - tips[rows][1])) < CLOSE:
            count -= len(OF_ROWS)
            own = at_rings(at[rows], aside[rows], OF_ROWS, self.room)
            shafts = np.stack([aside[rows], at[rows]], axis=1)
            lines = np.vstack([lines, shafts, *map(outline, own, OF_ROWS)])
        names = [one.wide_name for one in self.arrows[:count]]
        places = names_at(
            (tips + aside)[:count], names, self.room, at_shaft=len(self.more),
            rings=[*at[held], *self._ones], tails=aside[:count], nameless=lines,
        )  # fmt: skip
        for i, (arrow, tip, place) in enumerate(
            zip(self.arrows, tips, [*places, *own], strict=True)
        ):
            others = self.pale and i in words and i - words[0] != data["asks"]
            arrow.move(tip, place, at[i], aside[i], faint=others or (rests and i >= words[0]))
        for artist in self._way.artists if self._way else ():
            artist.set_alpha(PALE if rests else 1.0)
