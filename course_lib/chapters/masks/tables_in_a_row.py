"""Pictures of chapter 6 in which small tables of weights stand side by side.

show_slips({"A": weights, ...}, names)    # hatched where a weight is 0, with sums at the right
show_order(one, two, rope_scores)         # who looks at whom, in two orders of three words
show_where_they_look(heap, turned)        # the same eight throws, in two trained models
"""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import torch
from matplotlib.patches import Rectangle

from course_lib.figures.hatched import draw_cell_frames, draw_hatched, only_open
from course_lib.figures.heat_map import WEIGHTS, draw_weights
from course_lib.figures.static import show_figure
from course_lib.figures.theme import INK, KEY, OUTPUT, QUERY, SMALL, TEXT, TITLE, new_figure
from course_lib.kernels.attention import attention_weights
from course_lib.models.dice_in_pairs import PairedDice, eight_throws
from course_lib.words import say

SENTENCES = (("cats", "like", "dogs"), ("dogs", "like", "cats"))
LIKE = 1  # the place of *like* in both


def show_slips(tables: Mapping[str, torch.Tensor], names: Sequence[str]) -> None:
    """Weights of several masks side by side; the sum of each row stands at its right.

    Shapes: each (t, t), t names
    """
    figure = new_figure(7.0, 2.15)
    every = figure.subplots(1, len(tables))
    for axes, (letter, table) in zip(every, tables.items(), strict=True):
        weights = np.asarray(table, dtype=float)
        _draw_table(axes, weights, names if axes is every[0] else None, range(len(names)))
        for row, total in enumerate(weights.sum(axis=1)):
            axes.text(len(names) - 0.35, row, f"{total:.2f}", va="center", fontsize=SMALL)
        axes.text(len(names) - 0.35, -0.85, say("sum"), va="center", fontsize=SMALL)
        axes.set_xlim(-0.55, len(names) + 0.75)
        axes.set_title(letter, fontsize=TEXT)
    words = " ".join(
        say("{letter}: the rows add up to {sums}; hidden are {hidden}.", letter=letter,
            sums=", ".join(f"{row.sum():.2f}" for row in table), hidden=_hidden(table))
        for letter, table in tables.items()
    )  # fmt: skip
    lead = say("Three tables of weights, hatched where a weight is 0.")
    show_figure(figure, f"{lead} {words}", colours=12)


def _hidden(table) -> str:
    """Which part of the table is 0, in words."""
    zero = np.asarray(table) == 0
    later = np.triu(np.ones_like(zero), 1)
    if (zero == later).all():
        return say("the later words")
    if (zero == (later | np.eye(len(zero), dtype=bool))).all():
        return say("the later words and the word itself")
    return say("the earlier words") if (zero == later.T).all() else say("other cells")


def _draw_table(axes, weights, rows, columns) -> None:
    """Cells with their numbers, hatched where they are 0; queries at the left, keys above."""
    count = len(weights)
    draw_hatched(axes, rows=count, columns=count)
    names = list(map(str, columns))
    draw_weights(axes, only_open(weights, weights > 0), rows=rows, columns=names, number="{:.2f}")
    draw_cell_frames(axes, rows=count, columns=count)
    axes.tick_params(labeltop=True, labelbottom=False, pad=1)
    axes.tick_params(axis="x", labelcolor=KEY)
    axes.tick_params(axis="y", labelcolor=QUERY)


def show_order(one: torch.Tensor, two: torch.Tensor, rope_scores: Callable) -> None:
    """The weights of two orders of three words, with nothing, and turned by place.

    Beside each table stands the output of *like*, whose row is framed.

    Shapes: one, two (3, d)
    """
    ways: dict[str, Callable] = {
        say("nothing"): lambda x: attention_weights(x, x),
        say("turned by place"): lambda x: torch.as_tensor(rope_scores(x, x)).softmax(dim=-1),
    }
    figure = new_figure(7.0, 3.6)
    grid = figure.subplots(2, 4, width_ratios=[3, 1.4] * 2)
    words = []
    for column, (name, weights_of) in enumerate(ways.items()):
        outputs = []
        for row, (x, sentence) in enumerate(zip((one, two), SENTENCES, strict=True)):
            table, strip = grid[row, 2 * column : 2 * column + 2]
            weights = np.asarray(weights_of(x), dtype=float)
            outputs.append(weights[LIKE] @ x.numpy())
            _draw_table(table, weights, sentence if column == 0 else None, sentence)
            table.set_aspect("auto")
            _frame_like(table)
            _draw_output(strip, outputs[-1], named=row == 1)
        same = np.allclose(*outputs)
        finding = say("the same") if same else say("not the same")
        grid[0, 2 * column].set_title(f"{name}:\n{finding}", fontsize=TEXT)
        words.append(_in_words(name, outputs, same=same))
    show_figure(figure, " ".join(words), colours=32)


def _frame_like(axes) -> None:
    """A frame around the row of *like*; the numbers of the other rows are left out."""
    for text in axes.texts:
        text.set_visible(text.get_position()[1] == LIKE)
    frame = Rectangle((-0.5, LIKE - 0.5), 3, 1, fill=False, edgecolor=QUERY, zorder=5)
    frame.set(linewidth=2.4, clip_on=False)
    axes.add_patch(frame)


def _draw_output(axes, output, *, named: bool) -> None:
    """The entries of one output as bars to both sides of 0."""
    places = np.arange(len(output))
    axes.barh(places, output, height=0.7, color=OUTPUT)
    axes.axvline(0, color=INK, linewidth=1)
    axes.set(xlim=(-1.5, 1.5), ylim=(len(output) - 0.3, -0.7), yticks=[])
    axes.set_xticks([0], ["0"])
    axes.tick_params(length=0, pad=1)
    axes.spines[:].set_visible(False)
    if named:
        axes.set_xlabel(say("4 numbers\nof like"), color=OUTPUT, fontsize=SMALL)


def show_where_they_look(heap: PairedDice, turned: PairedDice) -> None:
    """The weights of two trained models over the same eight throws, hatched where one is hidden."""
    throws = eight_throws()
    names = [str(side + 1) for side in throws[0].tolist()]
    figure = new_figure(7.0, 3.7)
    told = []
    for axes, (name, model) in zip(
        figure.subplots(1, 2),
        ((say("a heap"), heap), (say("turned by place"), turned)),
        strict=True,
    ):
        with torch.no_grad():
            weights = model.weights(throws)[0].numpy().astype(float)
        _draw_shades(axes, weights, names)
        axes.set_title(name, fontsize=TEXT)
        before = weights.diagonal(-1)[1:]
        told.append(say("{name}: {least:.2f} to {most:.2f}", name=name, least=before.min(),
                        most=before.max()))  # fmt: skip
    figure.suptitle(
        say("The turned model looks right before itself"), x=0.01, ha="left", fontsize=TITLE,
        fontweight="bold",
    )  # fmt: skip
    figure.axes[0].set_ylabel(say("throw that asks"), color=QUERY)
    figure.axes[0].set_xlabel(say("throw that it looks at"), color=KEY)
    words = say(
        "Two tables of weights over the throws {throws}; later throws are hidden. Weight of the "
        "throw right before, from the third row on: {told}.",
        throws=" ".join(names), told="; ".join(told),
    )  # fmt: skip
    show_figure(figure, words, exact=False, colours=48)


def _draw_shades(axes, weights, names: Sequence[str]) -> None:
    """Weights under the causal mask as shades without numbers; throws at the left and above."""
    count = len(weights)
    draw_hatched(axes, rows=count, columns=count)
    below = np.tril(np.ones((count, count), dtype=bool))
    axes.imshow(only_open(weights, below), cmap=WEIGHTS, vmin=0, vmax=1, interpolation="none")
    draw_cell_frames(axes, rows=count, columns=count)
    axes.set_xticks(range(count), names, color=KEY)
    axes.set_yticks(range(count), names, color=QUERY)
    axes.tick_params(length=0, labeltop=True, labelbottom=False, pad=2)
    axes.set(xlim=(-0.55, count - 0.45), ylim=(count - 0.45, -0.55))
    axes.spines[:].set_visible(False)


def _in_words(name: str, outputs, *, same: bool) -> str:
    first, second = (", ".join(f"{x:.2f}" for x in output) for output in outputs)
    if same:
        return say("{name}: the output at like is {first} in both sentences.",
                   name=name.capitalize(), first=first)  # fmt: skip
    return say("{name}: the output at like is {first} in cats like dogs, {second} in dogs like "
               "cats.", name=name.capitalize(), first=first, second=second)  # fmt: skip
