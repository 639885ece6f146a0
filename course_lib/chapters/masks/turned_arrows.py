"""Pictures of chapter 6 in which arrows are turned.

show_order(one, two, rope_scores)   # Luis and pays, in two orders
show_turn(30)             # where two arrows of length 1 go, and what is made of them
"""

from collections.abc import Callable

import numpy as np
import torch

from course_lib.figures.static import show_figure
from course_lib.figures.theme import FAINT, GHOST, INK, KEY, QUERY, SMALL, TEXT, new_figure
from course_lib.kernels.positions import frequencies
from course_lib.words import say

TURNED = ("no turn", "1 turn", "2 turns")  # at places 0, 1 and 2
COLOURS = {"query": QUERY, "key": KEY}
ACROSS, UP = 3, 4  # the pair that the exercise asks for
LUIS, PAYS = 0, 1  # their places in "Luis pays Ana"


def show_order(one: torch.Tensor, two: torch.Tensor, rope_scores: Callable) -> None:
    """The fast pair of *Luis* and *pays* in two orders, and the weights.

    one: "Luis pays Ana".   two: the same words from last to first.
    Shapes: one, two (3, d)
    """
    panels = (  # the contract, and where Luis stands in it
        (say("Luis pays Ana"), one, LUIS),
        (say("Ana pays Luis"), two, len(two) - 1 - LUIS),
    )
    figure = new_figure(7.0, 3.0)
    told = []
    for axes, (name, words, place) in zip(figure.subplots(1, 2), panels, strict=True):
        looks = torch.as_tensor(rope_scores(words, words)).softmax(dim=-1)[PAYS, place]
        apart = _draw_pays_and_luis(axes, one[PAYS], one[LUIS], (PAYS, place))
        weight = f"{float(looks):.2f}"
        axes.set_title(say("{name}: weight {weight}", name=name, weight=weight), fontsize=TEXT,
                       pad=4)  # fmt: skip
        told.append(
            say("{name}: {angle:.0f} degrees apart, weight {weight}", name=name, angle=apart,
                weight=weight)
        )  # fmt: skip
    _title(figure, say("The smaller the angle, the more “pays” looks at “Luis”"))
    alt = say(
        "Entries 0 and 1 of Luis and pays as arrows, each turned by its place, and the weight "
        "that pays gives to Luis. {told}.",
        told="; ".join(told),
    )
    show_figure(figure, alt, colours=8)


def _draw_pays_and_luis(axes, pays: torch.Tensor, luis: torch.Tensor, places) -> float:
    """Both arrows turned to their places, an arc for the later word; returns the angle between."""
    axes.set(xlim=(-2.2, 2.8), ylim=(-1.35, 2.4), aspect="equal")
    axes.axis("off")
    turn = float(torch.rad2deg(frequencies(len(pays))[0]))
    ends = []
    for name, word, place in zip(("pays", "Luis"), (pays, luis), places, strict=True):
        start, length = np.degrees(np.arctan2(float(word[1]), float(word[0]))), word[:2].norm()
        colour, end = COLOURS["query" if name == "pays" else "key"], start + place * turn
        if place == max(places):
            _draw_turn(axes, 0.8 * float(length), start, end, colour)
        tip = float(length) * _on_circle(end)
        _arrow(axes, tip, colour)
        up, left = tip[1] > 1, tip[0] < -0.5
        axes.text(
            tip[0] + (-0.12 if left else 0.15 * up), tip[1] - 0.12 * (not (up or left)),
            say("{name}: {turns}", name=say(name), turns=say(TURNED[place])), color=colour,
            ha="left" if up else "right" if left else "center",
            va="center" if up or left else "top", fontsize=TEXT,
        )  # fmt: skip
        ends.append(end)
    axes.fill(*np.column_stack(((0, 0), 0.6 * _on_circle(np.linspace(*ends, 25)))), color=FAINT,
              linewidth=0, zorder=0)  # fmt: skip
    apart = abs(float(ends[0] - ends[1]))
    beside = 0.72 * _on_circle(float(sum(ends)) / 2)
    axes.text(*beside, f"{apart:.0f}°", ha="left" if beside[0] > 0.3 else "center", va="bottom",
              fontsize=TEXT, fontweight="bold")  # fmt: skip
    return apart


def _draw_turn(axes, radius: float, start: float, end: float, color: str) -> None:
    """A dotted arc, from a dot where an arrow stood to where it has been turned."""
    axes.plot(*(radius * _on_circle(np.linspace(start, end, 49))), color=color, linewidth=1.4,
              linestyle=(0, (1, 1.5)))  # fmt: skip
    axes.plot(*(radius * _on_circle(start)), "o", color=color, markersize=5)


def _title(figure, text: str) -> None:
    figure.headline(text)


def _on_circle(degrees) -> np.ndarray:
    """Shapes: () -> (2,), (n,) -> (2, n)"""
    return np.array((np.cos(np.radians(degrees)), np.sin(np.radians(degrees))))


def _arrow(axes, tip, color: str, *, tail=(0.0, 0.0), dashed: bool = False) -> None:
    look = {"arrowstyle": "-|>", "color": color, "linewidth": 1.4 if dashed else 2.6}
    look |= {"shrinkA": 0, "shrinkB": 0, "linestyle": "--" if dashed else "-"}
    above = 4 if dashed else 3  # a whole arrow may not hide where another started
    axes.annotate("", tip, tail, arrowprops=look, zorder=above)


def show_turn(degrees: float) -> None:
    """Left where (1, 0) and (0, 1) go when they are turned; right what is made of the two."""
    figure = new_figure(7.0, 2.7)
    left, right = figure.subplots(1, 2, width_ratios=(2.6, 1))
    _draw_unit_arrows(left, degrees)
    _draw_sum(right, degrees)
    _title(figure, say("3 of one arrow and 4 of the other, before and after the turn"))
    words = say(
        "Left, two arrows of length 1, turned anticlockwise by the angle α: (1, 0) goes to "
        "(cos α, sin α), (0, 1) to (−sin α, cos α). The cosine is how far right the first tip "
        "stands, the sine how far up. Right, (3, 4) as 3 of the first arrow and 4 of the second, "
        "before the turn and after it. Here α is {degrees:g} degrees.",
        degrees=degrees,
    )
    show_figure(figure, words, colours=8)


def _draw_unit_arrows(axes, degrees: float) -> None:
    axes.set(xlim=(-1.75, 2.1), ylim=(-0.36, 1.32), aspect="equal")
    axes.axis("off")
    axes.plot(*_on_circle(np.linspace(0, 180, 61)), color=FAINT, linewidth=1.2, zorder=0)
    _draw_legs(axes, *_on_circle(degrees))
    arrows = (
        (0, "(1, 0)", say("(cos α, sin α)"), "left"),
        (90, "(0, 1)", say("(−sin α, cos α)"), "right"),
    )
    for start, before, after, side in arrows:
        axes.plot(*(0.4 * _on_circle(np.linspace(start, start + degrees, 13))), color=INK,
                  linewidth=1.4)  # fmt: skip
        axes.text(
            *(0.52 * _on_circle(start + degrees / 2)), "α", ha="center", va="center", fontsize=14
        )
        for at, name, dashed in ((start, before, True), (start + degrees, after, False)):
            tip = _on_circle(at)
            _arrow(axes, tip, INK, dashed=dashed)
            upright = abs(tip[0]) < 1e-9
            axes.text(
                tip[0] if upright else 1.08 * tip[0], 1.12 * tip[1], name,
                ha="center" if upright else side, va="center", fontsize=TEXT,
            )  # fmt: skip


def _draw_legs(axes, right: float, up: float) -> None:
    """How far right a tip stands, and how far up, with what that is called."""
    look = {"color": GHOST, "linewidth": 1.4, "zorder": 0}
    axes.plot([right, right], [0, up], linestyle=(0, (1, 1)), **look)
    axes.text(1.05, up / 2, say("sin α: how far up"), va="center", fontsize=SMALL)
    axes.plot([0, 0, right, right], [-0.06, -0.11, -0.11, -0.06], **look)
    axes.text(right / 2, -0.17, say("cos α: how far right"), ha="center", va="top", fontsize=SMALL)


def _draw_sum(axes, degrees: float) -> None:
    """(3, 4) as steps along two arrows, thin before the turn, thick after it."""
    axes.set(xlim=(-0.6, 4.2), ylim=(-0.7, 5.9), aspect="equal")
    axes.axis("off")
    for turned, dashed in ((0, True), (degrees, False)):
        first, second = _on_circle(turned), _on_circle(turned + 90)
        corner, tip = ACROSS * first, ACROSS * first + UP * second
        look = {"color": GHOST if dashed else INK, "linewidth": 1.4, "zorder": 1}
        axes.plot(
            *np.column_stack(((0, 0), corner, tip)), linestyle="--" if dashed else "-", **look
        )
        marks = [n * first for n in range(1, ACROSS)] + [corner + n * second for n in range(UP)]
        axes.plot(*np.transpose(marks), "o", markersize=3.5, **look)
        _arrow(axes, tip, INK, dashed=dashed)
        name = "(3, 4)" if dashed else "?"
        axes.text(tip[0], tip[1] + 0.1, name, ha="center", va="bottom", fontsize=TEXT)
    axes.text(ACROSS / 2, -0.2, str(ACROSS), ha="center", va="top", fontsize=SMALL)
    axes.text(ACROSS + 0.25, UP / 2, str(UP), va="center", fontsize=SMALL)
