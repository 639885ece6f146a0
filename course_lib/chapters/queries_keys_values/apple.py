"""Picture: how each word of a learner's own sentence pushes *apple* to one of its two meanings."""

from collections.abc import Callable
from functools import lru_cache

import numpy as np
import torch
from matplotlib.figure import Figure

from course_lib.chapters.queries_keys_values.apple_goals import APPLE, NEITHER, Goals
from course_lib.chapters.queries_keys_values.apple_pushes import written_pushes
from course_lib.figures.numerals import share, signed
from course_lib.figures.static import show_figure
from course_lib.figures.theme import (
    FAINT,
    GHOST,
    INK,
    OUTPUT,
    SMALL,
    TEXT,
    VALUE,
    WEIGHT,
    new_figure,
)  # fmt: skip
from course_lib.kernels.attention import attention
from course_lib.models.words import SLOTS, VOCABULARY, Words, load_words, numbers_of
from course_lib.words import say

FRUITS, FIRMS = "pear plum peach banana", "samsung nokia intel huawei"
UNDECIDED = NEITHER  # nearer to the middle than this, apple is called neither
UNMOVED = 0.1  # nearer to where it began than this, it has become nothing
ARRIVED = 0.5  # from here on it has become one of them; before, it leans to them
KNOWN = {**SLOTS, "others": ("the", "was", "grew", "on", "a", "tree", "came", "from", "by")}
ROW, FRAME = 0.3, 1.78  # inches: of a word, and of what is above and below the words
FARTHEST = 2.0  # from the middle that is drawn
LEFT, WORDS_AT, WEIGHTS_FROM, TELLS_AT, PUSHES_AT = -5.3, -3.95, -3.83, -2.1, 2.85
HEAD = -1.35  # the line of the headings
EXAMPLE = {-1: -1.92, 1: 1.26}  # where the bars that say what hollow and filled mean begin
THIN = 0.09  # a bar that is shorter gets a fine edge, so that it is as long as its push
EDGE, FINE = 1.4, 0.6  # points, of the edge of a bar
LONGEST, USUAL = 0.6, 0.3  # a bar of the usual largest weight; a larger one makes all bars shorter
STORED = 4  # colours of the stored picture
GOALS = Goals()  # of who runs the notebook


@lru_cache(maxsize=1)
def _model() -> Words:
    return load_words()


@lru_cache(maxsize=1)
def _untrained() -> Words:
    return Words(torch.Generator().manual_seed(0)).requires_grad_(False)


def _unit(names: str) -> torch.Tensor:
    mean = _model().vectors(names)[0].mean(dim=0)
    return mean / mean.norm()


def on_the_line(vectors: torch.Tensor) -> torch.Tensor:
    """Where vectors stand on the line from the companies to the fruits: (..., 32) -> (...).

    The dot product with the mean fruit less that with the mean firm, both of length 1.
    """
    return vectors @ (_unit(FRUITS) - _unit(FIRMS))


def likenesses_of(words: str) -> np.ndarray:
    """Two dot products of each word, whose difference is its place: with fruits, with firms."""
    return (_model().vectors(words)[0] @ torch.stack([_unit(FRUITS), _unit(FIRMS)]).T).numpy()


def places_of(words: str) -> np.ndarray:
    """Where words of the small model begin on the line, before they have met others."""
    return on_the_line(_model().vectors(words)[0]).numpy()


def apple_in(sentence: str, attend: Callable = attention) -> dict:
    """Where the word apple looks, and how far each word that it looks at pushes it.

    sentence: words of the small model, apple among them.   attend: q, k, v -> output.
    Returns: words, place (of apple), weights, told (values along the line) and pushes (one for each
    word), before and after, all as places `on_the_line`. Each push is weight times value, seen
    along the same line, so before and all pushes make after.
    Raises: ValueError, if a word is not known, or apple is not there.
    """
    words, model = sentence.lower().replace(".", "").split(), _model()
    if APPLE not in words:
        raise ValueError(say("your sentence needs the word apple"))
    if unknown := [word for word in words if word not in VOCABULARY]:
        raise ValueError(say("the small model does not know the word {word!r}", word=unknown[0]))
    place = words.index(APPLE)
    x, q, k, v = model.projected(numbers_of(" ".join(words)))
    weights = attend(q, k, torch.eye(len(words)))[place]
    told = on_the_line(v @ model.w_o)
    after = model.vectors(" ".join(words), attend)[1, place]
    return {
        "words": words, "place": place, "weights": weights.numpy(),
        "told": told.numpy(), "pushes": (weights * told).numpy(),
        "before": float(on_the_line(x[place])), "after": float(on_the_line(after)),
    }  # fmt: skip


def how_alike(
    word: str, sentence: str, other: str, its_sentence: str, attend: Callable = attention
) -> np.ndarray:
    """The cosine of two words after attention, each in its sentence: shape (2,).

    The first is that of the model as it begins, with numbers drawn at random, and the second that
    of the trained one.   word, other: each in its sentence, all of it words of the small model.
    attend: q, k, v -> output.   Raises: ValueError, if a word does not stand in its sentence.
    """
    both = [
        torch.stack(
            [
                model.vectors(text, attend)[1, text.split().index(one)]
                for model in (_untrained(), _model())
            ]
        )
        for one, text in ((word, sentence), (other, its_sentence))
    ]
    return torch.cosine_similarity(*both, dim=-1).numpy().round(2)


def _finding(data: dict) -> str:
    lean = data["after"]
    if abs(lean) < UNDECIDED:
        return say(
            "Here apple is neither fruit nor company: it ends at {lean}", lean=signed(lean, 2)
        )
    if abs(lean - data["before"]) < UNMOVED:
        return say(
            "Here apple stays about where it began, at {before}: it ends at {lean}",
            before=signed(data["before"], 2), lean=signed(lean, 2),
        )  # fmt: skip
    if abs(lean) < ARRIVED:
        side = say("the fruits") if lean > 0 else say("the companies")
        return say("Here apple leans to {side}: it ends at {lean}", side=side, lean=signed(lean, 2))
    kind = say("a fruit") if lean > 0 else say("a company")
    return say("Here apple becomes {kind}: it ends at {lean}", kind=kind, lean=signed(lean, 2))


def _row(
    axes, y: float, word: str, begins: float, push: float, written: str, *, own: bool, most: bool
) -> None:
    """A word and the way that it pushes apple: filled to the fruits, hollow to the companies.

    own: apple itself.   most: the word that pushes hardest; its name and its push are bold.
    """
    axes.text(
        WORDS_AT, y, word, ha="right", va="center", fontsize=TEXT,
        color=OUTPUT if own else INK, fontweight="bold" if own or most else "normal",
    )  # fmt: skip
    ends = np.clip([begins, begins + push], -FARTHEST, FARTHEST)
    axes.plot([ends[1]] * 2, [y - 0.3, y + 1.3], color=FAINT, linewidth=1, zorder=0)
    wide = float(np.ptp(ends))
    axes.barh(
        y, wide, left=ends.min(), height=0.6, linewidth=FINE if wide < THIN else EDGE,
        edgecolor=VALUE, facecolor=VALUE if push >= 0 else "white",
    )  # fmt: skip
    axes.text(
        PUSHES_AT, y, written, color=VALUE, ha="right", va="center", fontsize=SMALL,
        fontweight="bold" if most else "normal",
    )  # fmt: skip


def _weights(axes, weights: np.ndarray, told: np.ndarray) -> None:
    """For each word a grey bar and a number, the share that apple gives it, and what it tells."""
    longest = LONGEST / max(USUAL, float(max(weights)))
    for i, weight in enumerate(weights):
        axes.barh(i + 1, weight * longest, left=WEIGHTS_FROM, height=0.6, color=WEIGHT)
        axes.text(
            WEIGHTS_FROM + weight * longest + 0.06, i + 1, share(float(weight)), ha="left",
            va="center", fontsize=SMALL,
        )  # fmt: skip
        axes.text(
            TELLS_AT, i + 1, signed(float(told[i])), color=VALUE, ha="right", va="center",
            fontsize=SMALL,
        )  # fmt: skip


def _scale(axes, count: int) -> None:
    """The line along which apple moves, with its numbers, and which way hollow and filled push."""
    look = {"fontsize": SMALL, "va": "center"}
    for at in (-1, 0, 1):
        strong = {"color": INK, "linewidth": 1.2} if at == 0 else {"color": FAINT, "linewidth": 1}
        axes.plot([at] * 2, [-1.0, count + 1.7], zorder=0, **strong)
        axes.text(at, count + 2.15, signed(at, 0), ha="center", **look)
    for at, kind in ((-1, say("companies")), (1, say("fruits"))):
        axes.text(at, count + 2.95, kind, ha="center", color=INK, **look)
    for side, colour, says in (
        (-1, "white", say("← to companies")), (1, VALUE, say("to fruits →")),
    ):  # fmt: skip
        axes.text(0.12 * side, HEAD, says, color=INK, ha="left" if side > 0 else "right", **look)
        axes.barh(
            HEAD, 0.16, left=EXAMPLE[side], height=0.55, facecolor=colour, edgecolor=VALUE,
            linewidth=EDGE,
        )  # fmt: skip


def draw_apple(figure: Figure, data: dict) -> None:
    """A row for each word: weight × tells = push, and its bar begins where the last one ended."""
    axes, count = figure.subplots(), len(data["words"])
    axes.set(xlim=(LEFT, PUSHES_AT + 0.05), ylim=(count + 3.35, -1.75))
    axes.set_axis_off()
    _scale(axes, count)
    head = {"fontsize": SMALL, "va": "center"}
    axes.text(WEIGHTS_FROM, HEAD, say("weight"), color=WEIGHT, ha="left", **head)
    axes.text(TELLS_AT, HEAD, say("× tells"), color=VALUE, ha="right", **head)
    axes.text(PUSHES_AT, HEAD, say("= push"), color=VALUE, ha="right", **head)
    axes.text(WORDS_AT, 0, say("apple, before"), ha="right", color=INK, fontsize=TEXT, va="center")
    at = data["before"]
    axes.plot([at], [0], "o", color="white", markeredgecolor=INK, markeredgewidth=1.6,
              markersize=9)  # fmt: skip
    axes.plot([at] * 2, [0, 1.3], color=GHOST, linewidth=1, zorder=0)  # the first bar begins here
    axes.text(PUSHES_AT, 0, signed(at, 2), ha="right", **head)
    _weights(axes, data["weights"], data["told"])
    hardest = int(np.argmax(np.abs(data["pushes"])))
    rows = zip(data["words"], data["pushes"], written_pushes(data), strict=True)
    for i, (word, push, written) in enumerate(rows):
        _row(axes, i + 1, word, at, float(push), written, own=word == APPLE, most=i == hardest)
        at += float(push)
    after = float(np.clip(data["after"], -FARTHEST, FARTHEST))
    look = {"color": OUTPUT, "va": "center", "ha": "right", "fontweight": "bold"}
    axes.text(WORDS_AT, count + 1, say("apple, after"), fontsize=TEXT, **look)
    axes.plot([after], [count + 1], "o", color=OUTPUT, markersize=11)
    axes.plot([PUSHES_AT - 0.55, PUSHES_AT], [count + 0.5] * 2, color=INK, linewidth=1)
    axes.text(PUSHES_AT, count + 1, signed(data["after"], 2), fontsize=SMALL, **look)
    figure.headline(_finding(data))


def describe_apple(data: dict) -> str:
    """The picture in words."""
    rows = zip(data["words"], data["weights"], data["told"], written_pushes(data), strict=True)
    told = ", ".join(
        f"{word} {share(float(weight))} × {signed(float(tells))} = {push}"
        for word, weight, tells, push in rows
    )
    return say(
        "{finding}. It begins at {before}; the other fruits begin at about 1, and the other "
        "companies at about −1. Weight × what a word tells = push, "
        "+ to the fruits: {told}. All together end at {after}.",
        finding=_finding(data), before=signed(data["before"], 2), told=told,
        after=signed(data["after"], 2),
    )  # fmt: skip


def _print_known_words() -> None:
    """Print the words that a sentence for `show_apple` may have, by their kind."""
    print(say("The small model knows these words:"))
    for name, words in KNOWN.items():
        print(f"  {name:8}", ", ".join(words))


def seen_in(sentence: str, attend: Callable = attention) -> dict:
    """`apple_in` to a thousandth: what is drawn does not depend on the last bits of a sum."""
    data = apple_in(sentence, attend)
    many = {name: np.round(data[name], 3) for name in ("weights", "told", "pushes")}
    return data | many | {name: round(data[name], 3) for name in ("before", "after")}


def show_apple(sentence: str, attend: Callable = attention) -> None:
    """Show how a sentence pushes its apple, word by word; else say what is missing.

    sentence: words of the small model, apple among them; dots stand for those to come.
    attend: q, k, v -> output.
    """
    if "..." in sentence:
        print(say("Write a sentence of your own with an apple, in place of the dots."))
        _print_known_words()
        return
    try:
        data = seen_in(sentence, attend)
    except ValueError as problem:
        print(say("No picture yet: {problem}.", problem=problem))
        _print_known_words()
        return
    figure = new_figure(7.0, FRAME + ROW * len(data["words"]))
    draw_apple(figure, data)
    show_figure(figure, describe_apple(data), colours=STORED)
    if says := GOALS.told(data, lambda words: seen_in(" ".join(words), attend)["after"]):
        print(says)
