"""Picture: two sentences with *bank*: where *sat* and *bank* look, and what they take home."""

from collections.abc import Callable

import numpy as np
import torch
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from course_lib.figures.heat_map import WEIGHTS, black_reads_better
from course_lib.figures.numerals import share
from course_lib.figures.static import show_figure
from course_lib.figures.theme import FAINT, INK, OUTPUT, SMALL, TEXT, TITLE, new_figure
from course_lib.kernels.attention import attention
from course_lib.words import say

SCENES = (("I", "sat", "bank", "river"), ("I", "sat", "bank", "loan"))
PLACES = {"I": 0, "sat": 1, "bank": 2, "river": 3, "loan": 4}  # rows of the words
TRAITS = torch.eye(5)  # of each word: person, action, thing, water, money
TRAITS[3:, 2] = 1  # river and loan are things, too
ASKERS = ("sat", "bank")
HOME = ("person", "water", "money")
LITTLE, MUCH = 0.1, 0.5  # of another thing, and of its own: bank is then told what it is
HOMES = LinearSegmentedColormap.from_list("homes", ["#ffffff", "#d3a6ca", OUTPUT])
SIZE = (6.8, 3.33)  # inches
WIDE, HIGH = 0.72, 0.36  # inches: of a cell
WEIGHTS_AT, HOME_AT = 1.06, 4.56  # inches: left ends of the cells
TOPS = (1.22, 2.5)  # inches: where the rows of each sentence begin
STORED = 4  # colours: with more, the edge of a dark cell gets a tint of purple


def banks(w_q, w_k, w_v, attend: Callable = attention) -> list[dict]:
    """For each sentence: its words, and of sat and bank the weights (2, 4) and the output (2, 3).

    w_q, w_k: (5, d)   w_v: (5, 3)   a row for each of the traits.   attend: q, k, v -> output.
    """
    made = [TRAITS @ torch.as_tensor(one, dtype=torch.float32) for one in (w_q, w_k, w_v)]
    found = []
    for words in SCENES:
        q, k, v = (one[[PLACES[word] for word in words]] for one in made)
        asks = [words.index(word) for word in ASKERS]
        weights, home = (
            np.round(attend(q, k, told).numpy(), 4) for told in (torch.eye(len(words)), v)
        )
        found.append({
            "words": words, "weights": weights[asks], "home": home[asks],
        })  # fmt: skip
    return found


def _finding(found: list[dict]) -> str:
    rows = [one["home"][ASKERS.index("bank")] for one in found]
    most = [int(np.argmax(row)) for row in rows]
    if any(row.max() < MUCH or np.sort(row)[-2] > LITTLE for row in rows):
        return say("Each bank takes home a little of several things")
    if most[0] != most[1]:
        return say(
            "Beside {one}, “bank” takes home {this}; beside {other}, {that}",
            one=found[0]["words"][-1], this=say(HOME[most[0]]),
            other=found[1]["words"][-1], that=say(HOME[most[1]]),
        )  # fmt: skip
    return say("Beside both, “bank” takes home {this}", this=say(HOME[most[0]]))


def _names(axes, left: float, top: float, columns) -> None:
    for j, name in enumerate(columns):
        axes.text(left + (j + 0.5) * WIDE, top - 0.17, name, fontsize=SMALL, ha="center",
                  va="center")  # fmt: skip


def _table(axes, left: float, top: float, table, shades, number) -> None:
    """Rows of shaded cells with a number in each."""
    for i, row in enumerate(table):
        for j, value in enumerate(row):
            at = (left + j * WIDE, top + i * HIGH)
            fill = shades(float(np.clip(value, 0, 1)))
            axes.add_patch(Rectangle(at, WIDE, HIGH, facecolor=fill, edgecolor=FAINT, linewidth=1))
            axes.text(
                at[0] + WIDE / 2, at[1] + HIGH / 2, number(float(value)), fontsize=SMALL,
                color=_letters(fill), ha="center", va="center",
            )  # fmt: skip


def _letters(fill) -> str:
    return INK if black_reads_better(fill) else "white"


def draw_banks(figure: Figure, found: list[dict]) -> None:
    """A sentence below the other: whom sat and bank find, and on the right what they take home."""
    figure.set_layout_engine("none")
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(0, SIZE[0]), ylim=(SIZE[1], 0))
    axes.set_axis_off()
    axes.text(0.1, 0.2, _finding(found), fontsize=TITLE, fontweight="bold", va="center")
    head = {"fontsize": TEXT, "va": "center", "ha": "center"}
    axes.text(WEIGHTS_AT + 2 * WIDE, 0.62, say("weights: who is listened to"), **head)
    axes.text(HOME_AT + 1.5 * WIDE, 0.62, say("what is taken home"), color=OUTPUT, **head)
    for top, one in zip(TOPS, found, strict=True):
        _names(axes, WEIGHTS_AT, top, one["words"])
        _names(axes, HOME_AT, top, [say(name) for name in HOME])
        _table(axes, WEIGHTS_AT, top, one["weights"], WEIGHTS, share)
        _table(axes, HOME_AT, top, one["home"], HOMES, share)
        for i, word in enumerate(ASKERS):
            y = top + (i + 0.5) * HIGH
            axes.text(WEIGHTS_AT - 0.1, y, say("{word} asks", word=word), ha="right", va="center",
                      fontsize=SMALL, color=INK)  # fmt: skip
            axes.text((WEIGHTS_AT + 4 * WIDE + HOME_AT) / 2, y, "→", **head)


def _given(words, weights) -> str:
    pairs = zip(words, weights, strict=True)
    return ", ".join(f"{word} {share(float(weight))}" for word, weight in pairs)


def describe_banks(found: list[dict]) -> str:
    """The picture in words."""
    told = []
    for one in found:
        rows = []
        for word, weights, home in zip(ASKERS, one["weights"], one["home"], strict=True):
            given = _given(one["words"], weights)
            taken = ", ".join(
                f"{say(name)} {share(float(x))}" for name, x in zip(HOME, home, strict=True)
            )
            rows.append(say("{word} gives {given}, and takes home {taken}", word=word, given=given,
                            taken=taken))  # fmt: skip
        told.append("; ".join(rows))
    return say("{finding}. In the first sentence {one}. In the second {other}.",
               finding=_finding(found), one=told[0], other=told[1])  # fmt: skip


def show_banks(w_q, w_k, w_v, attend: Callable = attention) -> None:
    """Show where sat and bank look in each of two sentences, and what they take home.

    w_q, w_k: (5, d)   w_v: (5, 3)   a row for each of the traits.   attend: q, k, v -> output.
    """
    found = banks(w_q, w_k, w_v, attend)
    figure = new_figure(*SIZE)
    draw_banks(figure, found)
    show_figure(figure, describe_banks(found), colours=STORED)
