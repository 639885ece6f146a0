"""The picture of chapter 6 of a model that was trained with a leak, and then writes without it.

show_sure_and_wrong(leaky, writing)   # one row of its weights under both masks, and its guess
"""

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from course_lib.figures.hatched import draw_cell_frames, draw_hatched, only_open
from course_lib.figures.heat_map import WEIGHTS
from course_lib.figures.static import show_figure
from course_lib.figures.theme import INK, KEY, QUERY, SMALL, TEXT, WEIGHT, new_figure
from course_lib.models.dice import SIDES, Dice, Trained, throw
from course_lib.words import say

SEED = 1  # of the series that is drawn
ASKED = 5  # the place that is asked for the next throw
SHOWN = 8  # throws; the later ones are closed to it in both masks
BELOW, ABOVE = 0.95, 0.82  # where the number of each throw stands, in rows, and the word "side"


def show_sure_and_wrong(leaky: Trained, writing: Trained) -> None:
    """The weights of one place under two masks, and below them its chances for the next throw.

    leaky: tried as it was trained.   writing: the same model, as it writes.
    Raises: ValueError, if one of them came without its model.
    """
    throws = throw(1, torch.Generator().manual_seed(SEED))
    figure = new_figure(7.0, 3.1)
    grid = figure.subplots(2, 2, height_ratios=(1, 2.6))
    told = []
    names = (say("as trained (j <= i + 1)"), say("as it writes (j <= i)"))
    for (above, below), name, trained in zip(grid.T, names, (leaky, writing), strict=True):
        weights, allowed, scores = _looked(trained, throws)
        _draw_row(above, weights, allowed, [str(side + 1) for side in throws[0, :SHOWN].tolist()])
        above.set_title(name, fontsize=TEXT, fontweight="normal", pad=7)
        loss = _draw_chances(below, scores, int(throws[0, ASKED + 1]))
        told.append(_in_words(name, weights, scores, loss))
    grid[0, 0].set_yticks([0], [say("weights of\nplace {i}", i=ASKED)], color=QUERY)
    names = ((-ABOVE, say("side"), KEY), (BELOW, say("throw"), INK))
    for height, name, colour in names:  # of what stands above the row, and below it
        grid[0, 0].text(-0.75, height, name, color=colour, ha="right", va="center", fontsize=SMALL)
    grid[1, 0].set_ylabel(say("chance"))
    figure.headline(
        say("It is as sure as in training, and wrong"),
    )  # fmt: skip
    words = say(
        "Place {i} of the throws {throws} is asked for the next throw, a {side}. {told}",
        i=ASKED, throws=" ".join(str(side + 1) for side in throws[0, :SHOWN].tolist()),
        side=int(throws[0, ASKED + 1]) + 1, told=" ".join(told),
    )  # fmt: skip
    show_figure(figure, words, exact=False, colours=8)


def _model(trained: Trained) -> Dice:
    if trained.model is None:
        raise ValueError("trained has no model; expected what train(...) returns")
    return trained.model


def _looked(trained: Trained, throws: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """The weights of the place that is asked, which throws are open to it, its scores of sides.

    Shapes: throws (1, t) -> (SHOWN,), (SHOWN,), (sides,)
    """
    model = _model(trained)
    with torch.no_grad():
        row = model.weights(throws)[0, ASKED, :SHOWN]
        return row, model.allowed[ASKED, :SHOWN], model(throws)[0, ASKED]


def _draw_row(axes, weights: Tensor, allowed: Tensor, names: list[str]) -> None:
    """One row of weights, hatched where a throw is hidden, with the throws above."""
    draw_hatched(axes, rows=1, columns=SHOWN)
    shown = only_open(weights.numpy()[None], allowed.numpy()[None])
    axes.imshow(shown, cmap=WEIGHTS, vmin=0, vmax=1, interpolation="none", aspect="auto")
    draw_cell_frames(axes, rows=1, columns=SHOWN)
    axes.set_xticks(range(SHOWN), names, color=KEY)
    axes.set_yticks([])
    axes.tick_params(length=0, labeltop=True, labelbottom=False, pad=2)
    for place in range(SHOWN):
        axes.text(place, BELOW, str(place), ha="center", va="center", fontsize=SMALL)
    axes.set(xlim=(-0.55, SHOWN - 0.45), ylim=(0.55, -0.55))
    axes.spines[:].set_visible(False)


def _draw_chances(axes, scores: Tensor, comes: int) -> float:
    """A bar for each side, and a dashed frame around the one that comes; returns its loss."""
    chances = scores.double().softmax(dim=-1).tolist()
    loss = float(cross_entropy(scores.double(), torch.tensor(comes)))
    axes.bar(range(SIDES), chances, width=0.7, color=WEIGHT)
    left, right = comes - 0.45, comes + 0.45
    axes.plot([left, left, right, right], [0, 1.06, 1.06, 0], color=INK, linestyle=(0, (3, 2)))
    what = say("the {side} comes: loss {loss}", side=comes + 1, loss=_short(loss))
    axes.text(comes, 1.1, what, ha="center", va="bottom", fontsize=SMALL)
    axes.set_xticks(range(SIDES), [str(side + 1) for side in range(SIDES)])
    axes.set(xlim=(-0.6, SIDES - 0.4), ylim=(0, 1.4), yticks=(0, 1), xlabel=say("side"))
    axes.tick_params(axis="x", length=0)
    return loss


def _short(loss: float) -> str:
    return f"{loss:.2f}" if loss < 1 else f"{loss:.0f}"


def _in_words(name: str, weights: Tensor, scores: Tensor, loss: float) -> str:
    most, guess = int(weights.argmax()), int(scores.argmax())
    return say(
        "{name}: weight {weight:.2f} on throw {place}; it gives side {side} a chance of "
        "{chance:.2f}, and its loss is {loss}.",
        name=name.capitalize(), weight=float(weights[most]), place=most, side=guess + 1,
        chance=float(scores.softmax(dim=-1)[guess]), loss=_short(loss),
    )  # fmt: skip
