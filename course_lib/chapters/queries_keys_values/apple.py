"""Picture: where *apple* looks in a learner's own sentence, and which of the two it becomes."""

from collections.abc import Callable
from functools import lru_cache

import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch
from torch.nn.functional import cosine_similarity

from course_lib.figures.numerals import share, signed
from course_lib.figures.static import show_figure
from course_lib.figures.theme import FAINT, GHOST, INK, OUTPUT, SMALL, TEXT, TITLE, new_figure
from course_lib.figures.theme import WEIGHT as SLATE
from course_lib.kernels.attention import attention, attention_weights
from course_lib.models.words import SLOTS, VOCABULARY, Words, load_words
from course_lib.words import say

APPLE = "apple"
FRUITS, FIRMS = "pear plum peach banana", "samsung nokia intel huawei"
UNDECIDED = 0.1  # nearer to the middle than this, apple is called neither
KNOWN = {**SLOTS, "others": ("the", "was", "grew", "on", "a", "tree", "came", "from", "by")}


@lru_cache(maxsize=1)
def _model() -> Words:
    return load_words()


def apple_in(sentence: str, attend: Callable = attention) -> dict:
    """Where the word apple looks in the first layer, and how near it comes to fruits and to firms.

    sentence: words of the small model, apple among them.   attend: q, k, v -> output.
    Returns: words, place (of apple), weights (one for each word), before and after: the cosine
    with the mean fruit less that with the mean firm, from -2 to 2.
    Raises: ValueError, if a word is not known, or apple is not there.
    """
    words, model, seen = sentence.lower().replace(".", "").split(), _model(), []
    if APPLE not in words:
        raise ValueError(say("your sentence needs the word apple"))
    if unknown := [word for word in words if word not in VOCABULARY]:
        raise ValueError(say("the small model does not know the word {word!r}", word=unknown[0]))
    place = words.index(APPLE)

    def look(q, k, v):
        seen.append(attention_weights(q, k)[place])
        return attend(q, k, v)

    layers = model.vectors(" ".join(words), look)[:, place]
    fruit, firm = (model.vectors(names)[0].mean(dim=0) for names in (FRUITS, FIRMS))
    leans = cosine_similarity(layers, fruit, dim=-1) - cosine_similarity(layers, firm, dim=-1)
    return {
        "words": words, "place": place, "weights": seen[0].numpy(),
        "before": float(leans[0]), "after": float(leans[-1]),
    }  # fmt: skip


def _finding(data: dict) -> str:
    lean = data["after"]
    if abs(lean) < UNDECIDED:
        return say("Here apple is neither fruit nor firm: {lean}", lean=signed(lean, 2))
    kind = say("a fruit") if lean > 0 else say("a firm")
    return say("Here apple becomes {kind}: {lean}", kind=kind, lean=signed(lean, 2))


def _arcs(axes, data: dict) -> None:
    """The sentence, and from apple an arc to each word, as thick as its weight."""
    count, place = len(data["words"]), data["place"]
    axes.set(xlim=(-0.7, count - 0.3), ylim=(-0.75, 1.35))
    axes.set_axis_off()
    for i, (word, weight) in enumerate(zip(data["words"], data["weights"], strict=True)):
        own = i == place
        axes.text(
            i, 0.0, word, ha="center", va="center", color=OUTPUT if own else INK,
            fontsize=TEXT, fontweight="bold" if own else "normal",
        )  # fmt: skip
        axes.text(i, -0.5, share(float(weight)), ha="center", va="center", color=SLATE,
                  fontsize=SMALL, fontweight="bold")  # fmt: skip
        bend = 0.42 * np.sign(place - i) / max(1, abs(i - place)) ** 0.5
        if not own:
            axes.add_patch(FancyArrowPatch(
                (place, 0.22), (i, 0.22), arrowstyle="-", color=SLATE, linewidth=22 * weight,
                connectionstyle=f"arc3,rad={bend}",
                shrinkA=0, shrinkB=0, alpha=0.8,
            ))  # fmt: skip


def _ruler(axes, data: dict) -> None:
    """A line from firms to fruits, with apple before the first layer and after the last one."""
    axes.set(xlim=(-0.9, 0.9), ylim=(-1, 1))
    axes.set_axis_off()
    axes.plot([-0.75, 0.75], [0, 0], color=FAINT, linewidth=3, solid_capstyle="round", zorder=0)
    axes.plot([0, 0], [-0.3, 0.3], color=FAINT, linewidth=2, zorder=0)
    axes.text(-0.75, -0.62, say("like the firms"), ha="left", va="center", fontsize=SMALL)
    axes.text(0.75, -0.62, say("like the fruits"), ha="right", va="center", fontsize=SMALL)
    before, after = (float(np.clip(data[name], -0.75, 0.75)) for name in ("before", "after"))
    axes.plot([before], [0], "o", color="white", markeredgecolor=GHOST, markeredgewidth=1.6,
              markersize=10)  # fmt: skip
    axes.text(before, -0.62, say("before"), ha="center", va="center", color=INK, fontsize=SMALL)
    axes.plot([after], [0], "o", color=OUTPUT, markersize=12)
    axes.text(after, 0.66, say("after"), ha="center", va="center", color=OUTPUT, fontsize=SMALL,
              fontweight="bold")  # fmt: skip


def draw_apple(figure: Figure, data: dict) -> None:
    """The arcs above, the ruler below."""
    above, below = figure.subplots(2, 1, height_ratios=(1.6, 1.0))
    _arcs(above, data)
    _ruler(below, data)
    figure.suptitle(_finding(data), x=0.012, ha="left", fontsize=TITLE, fontweight="bold")


def describe_apple(data: dict) -> str:
    """The picture in words."""
    order = np.argsort(-data["weights"].round(2), kind="stable")[:3]
    most = ", ".join(f"{data['words'][i]} {share(float(data['weights'][i]))}" for i in order)
    return say(
        "{finding}. In “{sentence}” apple looks most at {most}. On the line from firms to fruits "
        "it was at {before} before the first layer.",
        finding=_finding(data), sentence=" ".join(data["words"]), most=most,
        before=signed(data["before"], 2),
    )  # fmt: skip


def show_apple(sentence: str, attend: Callable = attention) -> None:
    """Show where apple looks in a sentence, and what becomes of it; else say what is missing.

    sentence: words of the small model, apple among them.   attend: q, k, v -> output.
    """
    try:
        data = apple_in(sentence, attend)
    except ValueError as problem:
        print(say("No picture yet: {problem}. It knows these words:", problem=problem))
        for name, words in KNOWN.items():
            print(f"  {name:8}", ", ".join(words))
        return
    figure = new_figure(7.0, 3.1)
    draw_apple(figure, data)
    show_figure(figure, describe_apple(data), colours=32, exact=False)
