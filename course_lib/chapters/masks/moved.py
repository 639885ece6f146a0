"""The picture of chapter 6 of which word moves which output.

show_moves(layers, words, leaks)   # each word in turn, in several layers, and what leaks says
"""

from collections.abc import Callable, Mapping

import numpy as np
import torch

from course_lib.figures.hatched import draw_cell_frames, staircase
from course_lib.figures.static import show_figure
from course_lib.figures.theme import FAINT, INK, KEY, OUTPUT, SMALL, TEXT, new_figure
from course_lib.words import say

MARGIN = 1e-4  # an output that differs by less has not moved
STAYS, MOVES, LEAK, NOTHING = range(4)
LOOK = {  # the ground of a cell, and the colour of what stands in it
    STAYS: ("white", INK),
    MOVES: (FAINT, INK),
    LEAK: (INK, "white"),
    NOTHING: ("white", INK),
}


def show_moves(
    layers: Mapping[str, Callable], words: torch.Tensor, leaks: Callable[..., bool]
) -> None:
    """For each layer which word moves which output, and above it what `leaks` says of the layer.

    Shapes: words (t, d)
    """
    figure = new_figure(2.7 * len(layers), 2.8)
    every = figure.subplots(1, len(layers))
    names = {STAYS: "", MOVES: "", LEAK: say("leak"), NOTHING: "NaN"}
    told, seen = [], []
    for axes, (name, layer) in zip(every, layers.items(), strict=True):
        states, verdict = _states(layer, words), bool(leaks(layer, words))
        _draw_states(axes, states, names, rows=axes is every[0])
        _draw_edge(axes, len(states))
        axes.set_title(
            say("{name}:\nleaks says {verdict}", name=name, verdict=verdict),
            fontsize=TEXT, fontweight="normal", pad=4,
        )  # fmt: skip
        told.append(_in_words(name, states, verdict))
        seen.append(states)
    every[0].set_xlabel(say("word that is changed"), color=KEY)
    found = _finding(seen)
    figure.headline(found)
    show_figure(figure, " ".join((*told, found)), colours=8)


def _states(layer: Callable, words: torch.Tensor) -> np.ndarray:
    """What each output (row) does when a word (column) is changed.

    Shapes: words (t, d) -> (t, t)
    """
    with torch.no_grad():
        before = layer(words)
        states = np.full((len(words), len(words)), STAYS)
        for j in range(len(words)):
            changed = words.clone()
            changed[j] = torch.arange(words.shape[1]) - words[j].flip(0)  # a norm sees it, too
            for i in ((layer(changed) - before).abs() > MARGIN).any(dim=1).nonzero().flatten():
                states[i, j] = MOVES if i >= j else LEAK
    states[before.isnan().any(dim=1).numpy()] = NOTHING
    return states


def _finding(seen: list[np.ndarray]) -> str:
    """What the colours mean while something leaks; then, whether all that is allowed is seen."""
    if any((states == LEAK).any() for states in seen):
        return say("Grey: this word moves the output. Black: a leak")
    if all((states[np.tri(len(states), dtype=bool)] == MOVES).all() for states in seen):
        return say("✓ Mended: no later word moves an output")
    return say("No leak, but too much is hidden")


def _draw_states(axes, states: np.ndarray, names: Mapping[int, str], *, rows: bool) -> None:
    """A cell for each output and each changed word."""
    count = len(states)
    axes.set(xlim=(-0.55, count - 0.45), ylim=(count - 0.45, -0.55))
    for (i, j), state in np.ndenumerate(states):
        ground, ink = LOOK[state]
        axes.fill([j - 0.5, j + 0.5, j + 0.5, j - 0.5], [i - 0.5, i - 0.5, i + 0.5, i + 0.5],
                  color=ground, linewidth=0, zorder=1)  # fmt: skip
        axes.text(j, i, names[state], color=ink, ha="center", va="center", fontsize=SMALL, zorder=5)
    draw_cell_frames(axes, rows=count, columns=count)
    outputs = [say("output {i}", i=i) for i in range(count)] if rows else [""] * count
    axes.set_xticks(range(count), [str(j) for j in range(count)], color=KEY)
    axes.set_yticks(range(count), outputs, color=OUTPUT)
    axes.tick_params(length=0, labeltop=True, labelbottom=False, pad=2)
    axes.spines[:].set_visible(False)


def _draw_edge(axes, count: int) -> None:
    """A dashed edge below the later words, as in the painted mask."""
    axes.plot(*staircase(count - 1, 0.5), color=INK, linestyle=(0, (3, 2)), zorder=4)


def _in_words(name: str, states: np.ndarray, verdict: bool) -> str:
    rows = "; ".join(
        say("output {i} is NaN", i=i)
        if (row == NOTHING).any()
        else say("output {i} moves with {words}", i=i,
                 words=", ".join(map(str, np.flatnonzero(row != STAYS))) or say("none"))
        for i, row in enumerate(states)
    )  # fmt: skip
    return say("{name}, leaks says {verdict}: {rows}.", name=name, verdict=verdict, rows=rows)
