"""The picture of chapter 6 of the full stop, which has to know who pays.

show_who_pays(contract, swapped, causal_weights, rope_scores)   # its weights without turns and with
"""

from collections.abc import Callable

import numpy as np
import torch

from course_lib.figures.hatched import draw_cell_frames
from course_lib.figures.heat_map import draw_weights
from course_lib.figures.numerals import share
from course_lib.figures.static import show_figure
from course_lib.figures.theme import INK, SMALL, TEXT, new_figure
from course_lib.words import say

WORDS = ("Luis", "pays", "Ana", "stop")
ALIKE = 1e-4  # outputs that differ by less are the same
LIGHT = 0.6  # the weight above which white letters stand out
SAME, TWO = say("outputs alike"), say("outputs differ")


def show_who_pays(
    contract: torch.Tensor, swapped: torch.Tensor, weigh: Callable, rope_scores: Callable
) -> None:
    """The weights of the full stop in two texts, with the mask alone and with turns, too.

    contract: "Luis pays Ana."   swapped: "Ana pays Luis."   weigh: from scores, under the mask.
    Shapes: contract, swapped (4, d)
    """
    texts = ((contract, WORDS), (swapped, (*WORDS[2::-1], WORDS[3])))
    panels = (
        (say("mask alone"), lambda x: x @ x.T / x.shape[1] ** 0.5),
        (say("mask and turns"), lambda x: rope_scores(x, x)),
    )
    figure = new_figure(7.0, 1.45)
    every, told = figure.subplots(1, 2), []
    for axes, (name, scores) in zip(every, panels, strict=True):
        rows = [torch.as_tensor(weigh(torch.as_tensor(scores(x))))[-1] for x, _ in texts]
        _draw_rows(axes, torch.stack(rows).numpy(), [words for _, words in texts])
        each = tuple(zip(rows, texts, strict=True))
        one, two = (row @ x for row, (x, _) in each)
        alike = torch.allclose(one.float(), two.float(), atol=ALIKE)
        title = say("{name}: {same}", name=name, same=SAME if alike else TWO)
        axes.set_title(title, fontsize=TEXT, fontweight="normal", pad=4)
        told += [title, *(_in_words(row.tolist(), words) for row, (_, words) in each)]
    every[0].set_yticks([0, 1], [say("Luis pays"), say("Luis is paid")])
    figure.headline(say("With turns the two texts no longer end alike"))
    show_figure(figure, ". ".join(told) + ".", colours=8)


def _draw_rows(axes, weights, rows) -> None:
    """A row for each text; in each cell a word and its weight."""
    draw_weights(axes, weights, number="")
    draw_cell_frames(axes, rows=len(rows), columns=len(WORDS))
    axes.set_aspect("auto")
    for (i, j), weight in np.ndenumerate(weights):
        cell = say("{word} {weight}", word=rows[i][j], weight=share(float(weight)))
        axes.text(j, i, cell, ha="center", va="center", fontsize=SMALL,
                  color="white" if weight > LIGHT else INK)  # fmt: skip


def _in_words(weights, words) -> str:
    return ", ".join(f"{word} {share(one)}" for word, one in zip(words, weights, strict=True))
