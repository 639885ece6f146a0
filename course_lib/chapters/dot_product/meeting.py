"""The picture of a matrix product: queries in rows, keys in columns, scores where they cross.

show_meeting(queries, keys, ["Rex", "you"], ["kitten", "puppy"], ["animal", "barks"])

A row is framed in the colour of queries, and a column in that of keys. The tables lie as in the
explorer `rows_and_columns`, which comes after it.
"""

import numpy as np
from matplotlib.patches import Rectangle

from course_lib.figures.numerals import signed
from course_lib.figures.static import show_figure
from course_lib.figures.theme import FAINT, INK, KEY, QUERY, SMALL, TEXT, new_figure
from course_lib.words import say

MEETING = (
    "Below left the queries, a row for each; above right the keys, turned, a column for each; "
    "where a row and a column cross, their score. The row of {who} and the column of {whom} are "
    "framed. Above left their products are added up: {sum}. All scores, row by row: {scores}. "
    "The {shapes}."
)
NARROW, WIDE, HIGH = 0.75, 0.85, 0.5  # cells of the queries, of the keys; of all
LEFT, ABOVE, GAP = 0.75, 0.4, 1.1  # where the tables begin; the room for names between them
FIRST, TIMES, SECOND, IS, PRODUCT = 0.9, 1.37, 1.75, 2.2, 2.9  # the columns of the sum


def show_meeting(queries, keys, who, whom, traits) -> None:
    """Show the scores of queries with keys, and how the last query's first one is made.

    queries: (t, d)   keys: (s, d)   who, whom: the names of t queries and of s keys
    traits: the names of d columns.
    Raises: ValueError, if there are not as many names as rows and columns.
    """
    queries, keys = np.asarray(queries, dtype=float), np.asarray(keys, dtype=float)
    named = (len(who), len(traits)), (len(whom), len(traits))
    if (queries.shape, keys.shape) != named:
        raise ValueError(
            f"queries has shape {queries.shape} and keys {keys.shape}, but their names are for "
            f"{named[0]} and {named[1]}"
        )
    scores, last = queries @ keys.T, len(queries) - 1
    right = LEFT + NARROW * len(traits) + GAP
    below = ABOVE + HIGH * len(traits) + 1.05
    width, height = right + WIDE * len(keys) + 0.05, below + HIGH * len(queries) + 0.8
    figure = new_figure(7.0, 7.0 * height / width)
    axes = figure.subplots()
    axes.set(xlim=(0, width), ylim=(height, 0))
    axes.set_axis_off()
    row = np.arange(len(queries))[:, None] == last
    column = np.arange(len(keys)) == 0
    _draw_table(axes, (LEFT, below), queries, say("queries"), who, traits, wide=NARROW,
                framed=row & np.ones(len(traits), bool), colour=QUERY)  # fmt: skip
    _draw_table(axes, (right, ABOVE), keys.T, say("keys.T"), traits, whom, wide=WIDE,
                framed=column & np.ones((len(traits), 1), bool), colour=KEY)  # fmt: skip
    _draw_table(axes, (right, below), scores, say("scores: queries @ keys.T"), [], [], wide=WIDE,
                framed=row & column, colour=INK)  # fmt: skip
    sum_ = _draw_sum(axes, queries[last], keys[0], say("{who} · {whom}", who=who[-1],
                                                       whom=whom[0]))  # fmt: skip
    shapes = _draw_shapes(axes, len(queries), len(traits), len(keys))
    told = {"who": who[-1], "whom": whom[0], "sum": sum_, "shapes": shapes}
    words = say(MEETING, scores=", ".join(_short(score) for score in scores.flat), **told)
    show_figure(figure, words, colours=16)


def _short(number) -> str:
    """At most two digits behind the point, and none where they are zeros."""
    return signed(round(float(number), 2) + 0.0, 2).rstrip("0").rstrip(".")


def _draw_table(axes, corner, table, name, rows, columns, *, wide, framed, colour) -> None:
    """A table of numbers with its name above, names of the rows beside it and of the columns below.

    corner: above left.   wide: of a cell.   framed: which cells stand in the frame; in its colour.
    """
    x, y = corner
    count, width = table.shape
    look = {"ha": "center", "va": "center", "fontsize": TEXT}
    axes.text(x + wide * width / 2, y - 0.2, name, **look)
    for (i, j), number in np.ndenumerate(table):
        cell = Rectangle((x + wide * j, y + HIGH * i), wide, HIGH)
        axes.add_patch(cell).set(facecolor="white", edgecolor=FAINT)
        strong = {"color": colour, "fontweight": "bold"} if framed[i, j] else {}
        axes.text(x + wide * (j + 0.5), y + HIGH * (i + 0.5), _short(number), **look, **strong)
    (top, start), (down, across) = np.argwhere(framed)[0], np.ptp(np.argwhere(framed), axis=0) + 1
    place = x + wide * start, y + HIGH * top
    frame = Rectangle(place, wide * across, HIGH * down, fill=False, edgecolor=colour)
    axes.add_patch(frame).set(linewidth=2.5, zorder=3)
    look["fontsize"] = SMALL
    for i, row in enumerate(rows):
        axes.text(x - 0.1, y + HIGH * (i + 0.5), row, **{**look, "ha": "right"})
    for j, column in enumerate(columns):
        axes.text(x + wide * (j + 0.5), y + HIGH * count + 0.2, column, **look)


def _draw_sum(axes, query, key, name: str) -> str:
    """Each product beside the row of its trait, added up below a line. Returns it in words."""
    look = {"ha": "center", "va": "center", "fontsize": TEXT}
    axes.text((FIRST + PRODUCT) / 2, ABOVE - 0.2, name, fontweight="bold", **look)
    for place, (mine, its) in enumerate(zip(query, key, strict=True)):
        y = ABOVE + HIGH * (place + 0.5)
        for x, sign in ((TIMES, "·"), (IS, "=")):
            axes.text(x, y, sign, **look)
        for x, number, colour in (
            (FIRST, mine, QUERY),
            (SECOND, its, KEY),
            (PRODUCT, mine * its, INK),
        ):
            side = {"ha": "right"} if x == PRODUCT else {"fontweight": "bold"}
            axes.text(x, y, _short(number), color=colour, **{**look, **side})
    y = ABOVE + HIGH * len(query)
    axes.plot([FIRST - 0.3, PRODUCT + 0.1], [y, y], color=INK, linewidth=1)
    total = _short(query @ key)
    axes.text(PRODUCT, y + 0.25, total, fontweight="bold", **{**look, "ha": "right"})
    parts = (f"{_short(mine)} times {_short(its)}" for mine, its in zip(query, key, strict=True))
    return f"{' plus '.join(parts)} is {total}"


def _draw_shapes(axes, queries: int, traits: int, keys: int) -> str:
    """A line below all: the shapes of the three tables. Returns it in words."""
    q, t = say("{q} queries", q=queries), say("{t} traits", t=traits)
    k, lead, makes = say("{k} keys", k=keys), say("shapes:"), say("makes")
    parts = ((lead, INK), (f"({q},", QUERY), (t, QUERY), (")", QUERY), ("@", INK), ("(", KEY),
             (t, KEY), (f", {k})", KEY), (makes, INK), (f"({q}, {k})", INK))  # fmt: skip
    look = {"va": "center", "fontsize": SMALL, "textcoords": "offset points"}
    place, before, last = (LEFT - 0.5, axes.get_ylim()[0] - 0.2), "(", "data"
    for text, colour in parts:
        aside = (0 if before == "(" or text[0] in ")," else 4, 0)
        weight = "bold" if text == t else "normal"
        last = axes.annotate(text, place, aside, xycoords=last, color=colour, weight=weight, **look)
        place, before = (1, 0.5), text
    return f"{lead} ({q}, {t}) @ ({t}, {k}) {makes} ({q}, {k})"
