"""The picture of chapter 2 that shows how large a factor cosines need before a softmax.

show_half(factor_for_half)        # the learner's, from the number of keys to the factor
"""

from collections.abc import Callable

import numpy as np

from course_lib.figures.numerals import share, signed
from course_lib.figures.static import show_figure
from course_lib.figures.theme import GHOST, INK, SMALL, WEIGHT, new_figure
from course_lib.kernels.softmax import softmax
from course_lib.words import say

MANY = (10, 100, 1000)  # keys
FACTORS = np.linspace(0, 6, 121)
NAMED_AT = 0.8  # how high beside its curve a name stands
NEAR = 0.05  # a dot so near to the line of one half carries its number; the title has all three
REACHED = "The best key gets half at factor {factors}"
MISSED = "At these factors the best key gets {weights}"
CURVES = (
    "Three curves: the weight of the best key, cosine 1, among 10, 100 and 1000 keys whose other "
    "cosines are -1, over the factor that multiplies all cosines. At factor 1, the plain cosine, "
    "it is {plain}. Dots: at the factors {factors} it is {weights}."
)


def weight_of_best(factor: float, n_keys: int) -> float:
    """What the softmax gives to cosine 1 among `n_keys` keys, the others -1, after the factor.

    Example:
        >>> weight_of_best(0.0, 4)
        0.25
    """
    cosines = np.full(n_keys, -1.0)
    cosines[0] = 1.0
    return float(softmax(factor * cosines)[0])


def show_half(factor_for_half: Callable[[int], float]) -> None:
    """Show the weight of the best key over the factor, and the factors that a learner found.

    factor_for_half: from the number of keys to the factor at which the best one gets half
    """
    figure = new_figure(6.0, 2.6)
    axes = figure.subplots()
    axes.axhline(0.5, color=GHOST, linewidth=1, zorder=0)
    axes.text(5.98, 0.515, say("half"), fontsize=SMALL, ha="right", va="bottom")
    axes.axvline(1, color=GHOST, linewidth=1, zorder=0)
    axes.text(0.95, 1.0, say("the plain\ncosine"), fontsize=SMALL, ha="right", va="top")
    found = [float(factor_for_half(count)) for count in MANY]
    reached = [weight_of_best(*pair) for pair in zip(found, MANY, strict=True)]
    for count, *dot in zip(MANY, found, reached, strict=True):
        _draw_curve(axes, count, dot)
    axes.set(xlim=(0, 6), ylim=(-0.02, 1.02), yticks=(0, 0.5, 1), yticklabels=("0", ".5", "1"))
    axes.set(xlabel=say("factor"), ylabel=say("weight of the best key"))
    told = {"factors": _listed(signed(factor, 2) for factor in found)}
    told["weights"] = _listed(map(share, reached))
    axes.set_title(say(REACHED if np.allclose(reached, 0.5) else MISSED, **told), loc="left")
    plain = _listed(share(weight_of_best(1, count)) for count in MANY)
    show_figure(figure, say(CURVES, plain=plain, **told), colours=6)


def _draw_curve(axes, count: int, dot: list[float]) -> None:
    """The curve for so many keys with its name, and the dot that was found with its number."""
    heights = [weight_of_best(factor, count) for factor in FACTORS]
    axes.plot(FACTORS, heights, color=WEIGHT)
    right = float(np.interp(NAMED_AT + 0.04, heights, FACTORS)) + 0.07
    name = say("{count} keys", count=count)
    axes.text(right, NAMED_AT, name, fontsize=SMALL, va="center_baseline")
    axes.plot(*dot, "o", color=INK, markersize=8, zorder=3)
    aside = {"xytext": (7, -5), "textcoords": "offset points"}
    if abs(dot[1] - 0.5) < NEAR:
        axes.annotate(signed(dot[0], 2), dot, va="top", fontsize=SMALL, fontweight="bold", **aside)


def _listed(parts) -> str:
    """Three of them in a row, as a sentence writes them."""
    one, two, three = parts
    return say("{one}, {two} and {three}", one=one, two=two, three=three)
