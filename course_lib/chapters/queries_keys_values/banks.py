"""Picture: two sentences with *bank*, where it looks in each, and what it takes home."""

from collections.abc import Callable

import numpy as np
import torch
from matplotlib.figure import Figure

from course_lib.figures.numerals import share, signed
from course_lib.figures.static import show_figure
from course_lib.figures.theme import FAINT, INK, OUTPUT, SMALL, TEXT, TITLE, WEIGHT, new_figure
from course_lib.kernels.attention import attention
from course_lib.words import say

SCENES = (("sat", "bank", "river"), ("sat", "bank", "loan"))
PLACES = {"sat": 0, "bank": 1, "river": 2, "loan": 3}  # of the ones in the words
HOME = ("water", "money")
ASKS = "bank"
SIZE = (7.0, 3.42)  # inches
LEFTS, WORD, BAR, LONGEST = (0.1, 3.65), 0.62, 0.7, 2.15  # inches: halves, and in each of them
LITTLE = 0.1  # of the other thing: bank is then told what it is
MOST = 2.0  # water or money that a word hands over
LINE, PAIR, THICK, HALF = 0.28, 0.47, 0.2, 0.17  # inches: of rows and bars
STORED = 9  # colours


def banks(asking, answering, handing, attend: Callable = attention) -> list[dict]:
    """For each sentence: words, the weights of bank (3,), the plain mean and what it takes home.

    asking, answering: (4, d), w_q and w_k for sat, bank, river, loan.   handing: (4, 2), w_v.
    attend: q, k, v -> output.
    """
    matrices = [torch.as_tensor(one, dtype=torch.float32) for one in (asking, answering, handing)]
    found = []
    for words in SCENES:
        q, k, v = (one[[PLACES[word] for word in words]] for one in matrices)
        asks = words.index(ASKS)
        weights, home = attend(q, k, torch.eye(len(words)))[asks], attend(q, k, v)[asks]
        mean = v.mean(dim=0)
        found.append({
            "words": words, "weights": np.round(weights.numpy(), 4),
            "mean": np.round(mean.numpy(), 4), "home": np.round(home.numpy(), 4),
        })  # fmt: skip
    return found


def _finding(found: list[dict]) -> str:
    most = [int(np.argmax(one["home"])) for one in found]
    if any(float(one["home"].min()) > LITTLE for one in found):
        return say("Each bank still takes home water and money")
    if most[0] != most[1]:
        return say(
            "Beside {one}, “bank” takes home {this}; beside {other}, {that}",
            one=found[0]["words"][-1], this=say(HOME[most[0]]),
            other=found[1]["words"][-1], that=say(HOME[most[1]]),
        )  # fmt: skip
    return say("Beside both, “bank” takes home {this}", this=say(HOME[most[0]]))


def _bar(axes, left: float, y: float, value: float, most: float, height: float, colour) -> float:
    """A bar whose middle is at y; where it ends."""
    long = LONGEST * float(np.clip(value / most, 0, 1))
    axes.barh(y, long, left=left + BAR, height=height, color=colour)
    return left + BAR + long


def _half(axes, left: float, one: dict) -> None:
    """One sentence: the weights of bank, below them what it takes home."""
    middle = {"va": "center", "fontsize": SMALL}
    axes.text(
        left + BAR, 0.62, say("“{words}”", words=" … ".join(one["words"])), fontsize=TEXT,
        va="center",
    )  # fmt: skip
    for i, (word, weight) in enumerate(zip(one["words"], one["weights"], strict=True)):
        y = 0.97 + i * LINE
        axes.text(left + WORD, y, word, ha="right", color=INK, **middle)
        end = _bar(axes, left, y, weight, 1.0, THICK, WEIGHT)
        axes.text(end + 0.06, y, share(float(weight)), **middle)
    for i, name in enumerate(HOME):
        y = 2.15 + i * PAIR
        axes.text(left + WORD, y, say(name), ha="right", color=INK, **middle)
        for value, place, colour, ink in (
            (one["mean"][i], -HALF / 2, FAINT, INK), (one["home"][i], HALF / 2, OUTPUT, OUTPUT),
        ):  # fmt: skip
            end = _bar(axes, left, y + place, value, MOST, HALF, colour)
            axes.text(end + 0.06, y + 1.15 * place, signed(float(value), 2), color=ink, **middle)


def draw_banks(figure: Figure, found: list[dict]) -> None:
    """Both sentences side by side."""
    figure.set_layout_engine("none")
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(0, SIZE[0]), ylim=(SIZE[1], 0))
    axes.set_axis_off()
    axes.text(0.1, 0.2, _finding(found), fontsize=TITLE, fontweight="bold", va="center")
    for left, one in zip(LEFTS, found, strict=True):
        _half(axes, left, one)
    beside, below = {"va": "center", "fontsize": SMALL}, 3.2
    for at, colour, ink, told in (
        (0, WEIGHT, WEIGHT, say("weight that bank gives")),
        (2.17, FAINT, INK, say("if all three counted alike")),
        (4.5, OUTPUT, OUTPUT, say("what bank takes home")),
    ):
        axes.barh(below, 0.18, left=LEFTS[0] + at, height=0.17, color=colour)
        axes.text(LEFTS[0] + 0.26 + at, below, told, color=ink, **beside)


def describe_banks(found: list[dict]) -> str:
    """The picture in words."""
    told = []
    for one in found:
        weights = ", ".join(
            f"{word} {share(float(w))}"
            for word, w in zip(one["words"], one["weights"], strict=True)
        )
        told.append(say(
            "bank gives {weights}, and takes home water {water} and money {money}, where the "
            "plain mean would be {mean_water} and {mean_money}",
            weights=weights, water=signed(one["home"][0], 2), money=signed(one["home"][1], 2),
            mean_water=signed(one["mean"][0], 2), mean_money=signed(one["mean"][1], 2),
        ))  # fmt: skip
    return say("{finding}. In the first sentence {one}. In the second {other}.",
               finding=_finding(found), one=told[0], other=told[1])  # fmt: skip


def show_banks(asking, answering, handing, attend: Callable = attention) -> None:
    """Show where bank looks in each of its two sentences, and what it takes home.

    asking, answering: (4, d), w_q and w_k for sat, bank, river, loan.   handing: (4, 2), w_v.
    attend: q, k, v -> output.
    """
    found = banks(asking, answering, handing, attend)
    figure = new_figure(*SIZE)
    draw_banks(figure, found)
    show_figure(figure, describe_banks(found), colours=STORED)
