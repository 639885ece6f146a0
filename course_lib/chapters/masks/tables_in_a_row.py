"""Pictures of chapter 6 in which small tables of weights stand side by side.

show_slips({"A": weights, ...}, names)    # hatched where a weight is 0, with sums at the right
show_where_they_look(heap, turned)        # the same eight throws, in two trained models
"""

from collections.abc import Mapping, Sequence

import numpy as np
import torch
from matplotlib.patches import Rectangle

from course_lib.figures.hatched import draw_cell_frames, draw_hatched, only_open
from course_lib.figures.heat_map import WEIGHTS, draw_weights
from course_lib.figures.numerals import share
from course_lib.figures.static import show_figure
from course_lib.figures.theme import INK, KEY, QUERY, SMALL, TEXT, new_figure
from course_lib.models.dice_in_pairs import PairedDice, eight_throws
from course_lib.words import say

LEAST_NUMBERED = 0.05  # of the weights that carry a number
SIDES_UP, THROWS_UP = 0.95, 1.8  # rows from the first one up to the two rows of labels
HEADS_APART = 41  # points from the cells to the name of a table: two rows of labels stand between
UNSURE = 6  # the one of the eight throws before which a heap leaves two sides about as likely


def _write_sums(axes, weights, up: float = 0.75) -> None:
    """The sum of each row at its right, below their name, which stands `up` the first row."""
    right = weights.shape[1] - 0.35
    for row, total in enumerate(weights.sum(axis=1)):
        axes.text(right, row, f"{total:.2f}", va="center", fontsize=SMALL)
    axes.text(right, -up, say("sum"), va="center", fontsize=SMALL)


def _frame_row(axes, row: int, columns: int) -> None:
    """A frame around a row, in the queries' colour."""
    axes.add_patch(
        Rectangle((-0.5, row - 0.5), columns, 1, fill=False, edgecolor=QUERY, linewidth=2,
                  antialiased=False, zorder=3)
    )  # fmt: skip


def show_slips(tables: Mapping[str, torch.Tensor], names: Sequence[str]) -> None:
    """Weights of several masks side by side; the sum of each row stands at its right.

    Shapes: each (t, t), t names
    """
    figure = new_figure(7.0, 2.5)
    every = figure.subplots(1, len(tables))
    for axes, (letter, table) in zip(every, tables.items(), strict=True):
        weights = np.asarray(table, dtype=float)
        shown = names if axes is every[0] else [""] * len(names)  # the same for all three
        _draw_table(axes, weights, shown, shown, number="")
        axes.set_xticks(range(len(names)), shown, rotation=40, ha="left", rotation_mode="anchor")
        _write_sums(axes, weights, up=0.85)
        axes.set_xlim(-0.55, len(names) + 0.75)
        axes.set_title(letter, fontsize=TEXT, fontweight="normal")
    words = " ".join(
        say("{letter}: the rows add up to {sums}; hidden are {hidden}.", letter=letter,
            sums=", ".join(f"{row.sum():.2f}" for row in table), hidden=_hidden(table))
        for letter, table in tables.items()
    )  # fmt: skip
    lead = say("Three tables of weights, hatched where a weight is 0.")
    show_figure(figure, f"{lead} {words}", colours=8)


def _hidden(table) -> str:
    """Which part of the table is 0, in words."""
    zero = np.asarray(table) == 0
    later = np.triu(np.ones_like(zero), 1)
    if (zero == later).all():
        return say("the later words")
    if (zero == (later | np.eye(len(zero), dtype=bool))).all():
        return say("the later words and the word itself")
    return say("the earlier words") if (zero == later.T).all() else say("other cells")


def _draw_table(axes, weights, rows, columns, number: str = "{:.2f}") -> None:
    """Cells with their numbers, hatched where they are 0; queries at the left, keys above."""
    count = len(weights)
    draw_hatched(axes, rows=count, columns=count)
    names = list(map(str, columns))
    draw_weights(axes, only_open(weights, weights > 0), rows=rows, columns=names, number=number)
    draw_cell_frames(axes, rows=count, columns=count)
    axes.tick_params(labeltop=True, labelbottom=False, pad=1)
    axes.tick_params(axis="x", labelcolor=KEY)
    axes.tick_params(axis="y", labelcolor=QUERY)


def show_where_they_look(heap: PairedDice, turned: PairedDice) -> None:
    """The weights of two trained models over the same eight throws, hatched where one is hidden."""
    throws = eight_throws()
    names = [str(side + 1) for side in throws[0].tolist()]
    figure = new_figure(7.0, 3.8)
    panels = ((say("a bag"), heap), (say("turned"), turned))
    told = []
    for axes, (name, model) in zip(figure.subplots(1, 2), panels, strict=True):
        with torch.no_grad():
            weights = model.weights(throws)[0].numpy().astype(float)
            says = str(int(model(throws)[0, UNSURE].argmax()) + 1)
        _draw_shades(axes, weights)
        _write_throws(axes, names)
        _number_row(axes, weights, UNSURE)
        _frame_row(axes, UNSURE, UNSURE + 1)
        _outline(axes, [(row, row - 1) for row in range(1, len(names))])
        sums = ", ".join(_sums_of_sides(weights[UNSURE], names))
        below = say("place {i}: {sums}", i=UNSURE, sums=sums)
        axes.set_xlabel(below, loc="left", fontsize=SMALL)
        answer = say("{name}: place {i} says {side}", name=name, i=UNSURE, side=says)
        axes.set_title(answer, fontsize=TEXT, fontweight="normal", pad=HEADS_APART)
        before = weights.diagonal(-1)[1:]
        told.append(say("{name}: {least:.2f} to {most:.2f}, and place {i} says {side} ({sums})",
                        name=name, least=before.min(), most=before.max(), i=UNSURE, side=says,
                        sums=sums))  # fmt: skip
    figure.headline(
        say("Turned by place, the model looks one throw back"),
    )  # fmt: skip
    left = figure.axes[0]
    left.set_ylabel(say("place that asks"), color=QUERY)
    left.text(-0.5, len(names) + 0.1, say("throw that it looks at"), va="center", fontsize=SMALL)
    words = say(
        "Two tables of weights over the throws {throws}; later throws are hidden. Weight of the "
        "throw right before, in a frame, from the third row on: {told}.",
        throws=" ".join(names), told="; ".join(told),
    )  # fmt: skip
    show_figure(figure, words, exact=False, colours=16)


def _sums_of_sides(weights, names: Sequence[str]) -> list[str]:
    """What all throws of a side weigh together, the heaviest side first, from 0.05 on.

    Added up are the numbers as they are written in the cells, so that everybody can check them.
    The lightest side, whose cells have no numbers, is called rest: what is left of 1.
    """
    sides, weights = np.array(names), weights.round(2)
    sums = sorted(((weights[sides == side].sum(), side) for side in set(names)), reverse=True)
    told = [(weight, side) for weight, side in sums[:-1] if weight >= LEAST_NUMBERED]
    names = [say("{side}s {sum}", side=side, sum=share(weight)) for weight, side in told]
    left = 1 - sum(weight for weight, _ in told)
    return [*names, say("rest {sum}", sum=share(left))] if left >= LEAST_NUMBERED else names


def _draw_shades(axes, weights) -> None:
    """Weights under the causal mask as shades; places at the left."""
    count = len(weights)
    draw_hatched(axes, rows=count, columns=count)
    below = np.tril(np.ones((count, count), dtype=bool))
    shown = only_open(weights, below)
    axes.imshow(shown, cmap=WEIGHTS, vmin=0, vmax=1, interpolation="none", aspect="auto")
    draw_cell_frames(axes, rows=count, columns=count)
    axes.set_xticks([])
    axes.set_yticks(range(count), list(map(str, range(count))), color=QUERY)
    axes.tick_params(length=0, pad=4)
    axes.set(xlim=(-0.55, count - 0.45), ylim=(count + 0.5, -0.55))
    axes.spines[:].set_visible(False)


def _write_throws(axes, sides: Sequence[str]) -> None:
    """Above each column: which throw it is, and the side that was thrown."""
    look = {"va": "center", "fontsize": SMALL}  # in ink: orange is left for the frames
    numbers = list(map(str, range(len(sides))))
    for up, name, row in ((THROWS_UP, say("throw"), numbers), (SIDES_UP, say("side"), sides)):
        axes.text(-0.65, -up, name, ha="right", **look)
        for column, text in enumerate(row):
            axes.text(column, -up, text, ha="center", **look)


def _number_row(axes, weights, row: int) -> None:
    """The weights of a row from 0.05 on, in two digits, so that their sums can be checked."""
    for column in np.flatnonzero(weights[row] >= LEAST_NUMBERED):
        weight = weights[row, column]
        axes.text(
            column, row, _short(weight), ha="center", va="center", fontsize=SMALL,
            fontweight="bold", color="white" if weight > 0.5 else INK, zorder=5,
        )  # fmt: skip


def _short(weight: float) -> str:
    """A weight as it is written in a narrow cell: ".34", and "1.0" where it rounds to 1."""
    return share(weight, 2 if weight < 0.995 else 1)


def _outline(axes, cells: Sequence[tuple[int, int]]) -> None:
    """A frame around each cell (row, column), in the keys' colour."""
    for row, column in cells:
        axes.add_patch(
            Rectangle((column - 0.5, row - 0.5), 1, 1, fill=False, edgecolor=KEY, linewidth=2,
                      antialiased=False, zorder=4)
        )  # fmt: skip
