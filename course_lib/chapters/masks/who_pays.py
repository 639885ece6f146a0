"""The picture of chapter 6 of the full stop, which has to know who pays.

show_who_pays(without_turns, with_turns, rope_scores)   # where two trained models look, and say
"""

import numpy as np
import torch

from course_lib.figures.hatched import draw_cell_frames
from course_lib.figures.heat_map import draw_weights
from course_lib.figures.numerals import share
from course_lib.figures.static import show_figure
from course_lib.figures.theme import INK, SMALL, TEXT, new_figure
from course_lib.models.dice_in_pairs import PairedDice, Scores
from course_lib.models.payers import PAYS, STOP, count_right, named_payers
from course_lib.words import say

LUIS, ANA = 0, 1  # two of the names: both of their texts are kept for the test
WORDS = {LUIS: "Luis", PAYS: "pays", ANA: "Ana", STOP: "stop"}
TEXTS = torch.tensor([[LUIS, PAYS, ANA, STOP], [ANA, PAYS, LUIS, STOP]])
LIGHT = 0.6  # the weight above which white letters stand out


def show_who_pays(without: PairedDice, turned: PairedDice, rope_scores: Scores) -> None:
    """What the full stop looks at in two texts, and whom it names, in two trained models.

    The weights are rounded to one digit, so that no last bit of the training is seen.

    rope_scores: makes the scores of the turned model.
    """
    panels = ((say("mask alone"), without, None), (say("mask and turns"), turned, rope_scores))
    figure = new_figure(7.0, 1.95)
    told, counts = [], []
    for axes, (name, model, scores) in zip(figure.subplots(1, 2), panels, strict=True):
        with torch.no_grad():
            weights = model.weights(TEXTS, scores)[:, -1].numpy().astype(float).round(1)
        named = named_payers(model, TEXTS, scores=scores).tolist()
        right, of = count_right(model, scores=scores)
        _draw_rows(axes, weights, named)
        title = say("{name}: {right} of {of} right", name=name, right=right, of=of)
        axes.set_title(title, fontsize=TEXT, fontweight="normal", pad=4)
        told += [title, *_in_words(weights, named)]
        counts.append(right)
    figure.axes[0].set_xlabel(say("places back"), fontsize=SMALL, loc="left", labelpad=1)
    figure.headline(_finding(counts, of))
    words = say("Weights of the full stop. {told}.", told=". ".join(told))
    show_figure(figure, words, colours=8)


def _finding(counts: list[int], of: int) -> str:
    if counts[1] == of > counts[0]:
        return say("With turns the full stop knows who pays")
    return say("With these scores the full stop does not know who pays")


def _draw_rows(axes, weights: np.ndarray, named: list[int]) -> None:
    """A row for each text; in each cell a word and its weight, at the right whom the model names.

    Shapes: weights (2, 4)
    """
    draw_weights(axes, weights, number="")
    draw_cell_frames(axes, rows=len(TEXTS), columns=len(WORDS))
    axes.set_aspect("auto")
    for (i, j), weight in np.ndenumerate(weights):
        parts = {"word": _word(TEXTS[i, j]), "weight": share(float(weight), 1)}
        cell = say("{word}\n{weight}", **parts) if weight else parts["word"]
        axes.text(j, i, cell, linespacing=1.1, ha="center", va="center", fontsize=SMALL,
                  color="white" if weight > LIGHT else INK)  # fmt: skip
    for i, name in enumerate(named):
        axes.text(3.6, i, _verdict(i, name), va="center", fontsize=SMALL)
    axes.set(xlim=(-0.55, 5.4), ylim=(1.55, -0.55))
    axes.set_xticks(range(len(WORDS)), map(str, reversed(range(len(WORDS)))), fontsize=SMALL)
    axes.tick_params(pad=1)


def _word(number) -> str:
    return say(WORDS.get(int(number), "another"))


def _verdict(text: int, name: int) -> str:
    mark = "✓" if name == int(TEXTS[text, 0]) else "✗"
    return say("says {name} {mark}", name=_word(name), mark=mark)


def _in_words(weights: np.ndarray, named: list[int]) -> list[str]:
    """Of each text the weights of its words, in one digit, and whom the model names."""
    return [
        say("{words}: {verdict}", verdict=_verdict(i, name),
            words=", ".join(f"{_word(word)} {share(float(one), 1)}"
                            for word, one in zip(TEXTS[i], weights[i], strict=True)))
        for i, name in enumerate(named)
    ]  # fmt: skip
