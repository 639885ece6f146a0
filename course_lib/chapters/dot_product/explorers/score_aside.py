"""A score in the plane: how far a word reaches along a query, and the sum of it beside the map.

told = ScoreAside(plane)
told.update("dog", [2.0, -0.4], [1.2, 1.2])      # the name of a word, the word, the query
Drawing(update, moving=[*told.artists])
as_product("dog", [2.0, -0.4], [1.2, 1.2])       # 'dog: reach 1.131 · length of "it" 1.697 = ...'
"""

import numpy as np

from course_lib.figures.numerals import signed
from course_lib.figures.theme import INK, KEY, QUERY, SMALL
from course_lib.figures.vectors import draw_projection
from course_lib.words import say

SUM = 4.05  # of the sum beside the map: where its numbers end, and its names begin
PAD = "\u2007"  # as wide as a digit: so the decimal points stand below each other
STACKED = (
    "{reach}|reach of {word}\n"  # three digits of both: so they multiply to the two of the score
    '· {length:.3f}|length of "it"\n'
    f"= {{score}}{PAD}|score of {{word}}"
)
IN_A_LINE = '{word}: reach {reach} · length of "it" {length:.3f} = score {score}'
ASIDE = 0.26  # from the query to the strip beside it
CLOSE = 0.4  # so near to the query's line a word hides the line that falls there


class ScoreAside:
    """Of one word on the query's line: its reach, a strip beside the query, and so its score."""

    def __init__(self, axes):
        (self._line,) = axes.plot([], [], color=QUERY, linewidth=0.8, alpha=0.5, zorder=1.1)
        self._fall = draw_projection(axes, (1.0, 0.0), (1.0, 0.0), KEY, zorder=2.2)
        self._fall.artists[1].set_linewidth(6)
        look = {"fontsize": SMALL, "va": "center"}
        rows = list(zip((KEY, QUERY, INK), (2.5, 2.12, 1.7), strict=True))
        self._numbers = [axes.text(SUM, y, "", ha="right", color=c, **look) for c, y in rows]
        self._names = [axes.text(SUM + 0.1, y, "", color=c, **look) for c, y in rows]
        (self._rule,) = axes.plot([SUM - 0.85, SUM + 1.5], [1.92, 1.92], color=INK, linewidth=0.8)
        self._none = axes.text(SUM - 0.75, 2.3, "", color=QUERY, **look)
        told = [*self._numbers, *self._names, self._rule, self._none]
        self.artists = [self._line, *self._fall.artists, *told]

    def update(self, name: str, word, q) -> None:
        """Let fall another word, or on another line; on a query of length 0 nothing falls."""
        length = float(np.hypot(*q))
        self._fall.move(word, q)
        drop, shadow, corner = self._fall.artists
        apart = length and abs(word[0] * q[1] - word[1] * q[0]) / length > CLOSE
        drop.set_visible(bool(apart)), corner.set_visible(bool(apart))
        if length:
            shadow.set_data(*strip(word, q).T)
        far = max(length, abs(word @ q) / length) if length else 0.0
        self._line.set_data(*np.outer(q, [0, far / length if length else 0]))
        told = as_product(name, word, q, STACKED) if length else "\n\n"
        for number, named, line in zip(self._numbers, self._names, told.split("\n"), strict=True):
            both = line.partition("|")
            number.set_text(both[0]), named.set_text(both[2])
        self._rule.set_visible(length > 0)
        self._none.set_text("" if length else as_product(name, word, q))


def strip(word, q) -> np.ndarray:
    """The reach of a word, drawn beside the query: on the side where the word is not.

    So it stays apart from both arrows, even where they lie on one line. Shape: (2, 2)
    """
    across = np.array([-q[1], q[0]]) / np.hypot(*q)
    side = -1 if word @ across > 0 else 1
    return np.outer([0, word @ q / (q @ q)], q) + ASIDE * side * across


def as_product(name: str, word, q, template: str = IN_A_LINE) -> str:
    """The score of a word as its reach along the query times the query's length."""
    length = float(np.hypot(*q))
    if not length:
        return say('"it" is 0 long,\nso every score is 0')
    return say(
        template,
        word=say(name), length=length,
        reach=signed(word @ q / length, 3),
        score=signed(word @ q, 2),
    )  # fmt: skip
