"""Explorer `scores`: four scores in hand, their exponentials, and the strip of their weights."""

import numpy as np
from matplotlib.patches import Rectangle

from course_lib.chapters.softmax.hues import FOUR
from course_lib.chapters.softmax.leads import Leads
from course_lib.figures.ghosts import LINE
from course_lib.figures.numerals import share, signed
from course_lib.figures.shares import Strip, strip_axes
from course_lib.figures.theme import FAINT, GHOST, INK, KEY, SMALL, TEXT, WEIGHT
from course_lib.kernels.softmax import softmax as course_softmax
from course_lib.sliding.explorer import Drawing, Explorer, Goal
from course_lib.sliding.handles import Handle
from course_lib.sliding.held import Numbers
from course_lib.sliding.sliders import FloatRange
from course_lib.words import say

WORDS = ("xiao", "shen", "yang", "invited")
START = (1.4, 1.1, 2.4, -1.0)  # "invited" has half at 2.9
LIFTED = 1.0  # the board's highest
HIGHEST = 50.0  # e to the score, of a bar as tall as the panel: "invited" with half, and lifted
NUMBER = 0.7  # how much room a bar's number takes above it
BOARD = -0.75  # where the handle of the board stands, left of the first score
LEVEL = 0.01  # a smaller lead is none
NEAR, AROUND = 0.75, 0.3  # a dot so near to the line of the lead; it stops so far on either side
FEW = 0.005  # a weight below it would be rounded to .00, and none is 0
ONE, ENOUGH = 3, 0.03  # the word of the goal, and how far beyond one half it may be


def scores(*, scores, shift, softmax) -> dict:
    """Four scores on a board that is `shift` high: their exponentials and their weights."""
    moved = np.array(scores) + shift
    weights = np.asarray(softmax(moved), dtype=float)
    return {"leads": np.array(scores), "shift": shift, "scores": moved, "weights": weights}


def _score_axes(figure):
    whole, below = figure.subplots(2, 1, height_ratios=(3.1, 1.0))
    whole.set_label("scores")
    whole.set(xlim=(-1.3, 8.9), ylim=(-5.3, 7.4))
    whole.set_axis_off()
    for height in (-2, 0, 2, 4):
        whole.plot([-0.45, 3.5], [height] * 2, color=FAINT, linewidth=1, zorder=0)
        whole.text(3.6, height, signed(height, 0), fontsize=SMALL, ha="left", va="center")
    whole.text(1.5, 7.0, say("scores, on a board"), fontsize=TEXT, ha="center", va="center")
    for i, word in enumerate(WORDS):
        for x in (i, 5.2 + i):
            whole.text(x, -4.9, word, color=KEY, fontsize=SMALL, ha="center", va="center")
    strip_axes(below, "strip", low=-0.85, high=2.1)
    below.text(0, 1.55, say("weights (thin: at the start)"), fontsize=TEXT, va="bottom")
    for ends in ((1.0, 2.0), (-0.2, 0.0)):
        below.plot([0.5, 0.5], ends, color=INK, zorder=3, **LINE)
    goal = say("goal: all this for invited")
    below.text(0.508, 1.55, goal, fontsize=SMALL, ha="left", va="bottom")
    return whole, below


class _Bars:
    """e to the score, a bar for each word, and dashed what it was at the start, on one scale."""

    def __init__(self, axes, data):
        self.bars = [axes.add_patch(Rectangle((0, 0), 0, 0)) for _ in WORDS]
        for bar, shade in zip(self.bars, FOUR, strict=True):
            bar.set(facecolor=shade, edgecolor=INK, linewidth=1.2)
        self.starts = [axes.add_patch(Rectangle((0, 0), 0, 0)) for _ in WORDS]
        for start in self.starts:
            start.set(fill=False, edgecolor=GHOST, zorder=3, **LINE)
        self.numbers = [axes.text(0, 0, "", fontsize=SMALL, ha="center", zorder=4) for _ in WORDS]
        self.title = axes.text(6.7, 7.0, "", fontsize=TEXT, ha="center", va="center")
        self.told = axes.text(6.7, 6.35, "", fontsize=SMALL, ha="center", va="center")
        self.artists = [*self.bars, *self.starts, *self.numbers, self.title, self.told]
        self.update(data)

    def update(self, data) -> None:
        sizes, at_first = np.exp(data["scores"]), np.exp(START)
        top = max(np.exp(data["leads"].max() + LIFTED), HIGHEST)  # whatever the board
        self.title.set_text(say("e^score; full height: {top:.0f}", top=top))
        scale = 9.2 / top
        for i, (size, start) in enumerate(zip(sizes, at_first, strict=True)):
            high, dashed = scale * size, scale * start
            self.bars[i].set_bounds(5.2 + i - 0.32, -4.3, 0.64, high)
            self.starts[i].set_bounds(5.2 + i - 0.32, -4.3, 0.64, dashed)
            crossed = high < dashed < high + NUMBER
            self.numbers[i].set_position((5.2 + i, -4.2 + (dashed if crossed else high)))
            self.numbers[i].set_text(f"{size:.{0 if size >= 10 else 1 if size >= 0.1 else 2}f}")
        moved = not np.allclose(sizes, at_first)
        for start in self.starts:
            start.set_visible(moved)
        self.told.set_text(say("dashed: at the start") if moved else "")


class _Lead:
    """A bracket between the highest score and the second, with the lead above the highest."""

    def __init__(self, axes):
        (self.level,) = axes.plot([], [], color=INK, linewidth=1, linestyle=":", zorder=1.8)
        (self.bracket,) = axes.plot([], [], color=INK, linewidth=1.2, zorder=1.8)
        self.number = axes.text(0, 0, "", fontsize=SMALL, ha="center", va="bottom", zorder=4)
        self.artists = [self.level, self.bracket, self.number]

    def update(self, data) -> None:
        top, second = _first_two(data)
        high, low = data["scores"][top], data["scores"][second]
        beside = top - 0.24 if second < top else top + 0.24
        onward = 1 if second < top else -1
        across = [second]
        for passed in range(second + onward, top, onward):
            if abs(data["scores"][passed] - low) < NEAR:
                across += [passed - onward * AROUND, np.nan, passed + onward * AROUND]
        across.append(beside)
        self.level.set_data(across, [low] * len(across))
        self.level.set_visible(high - low > LEVEL)
        self.bracket.set_data([beside, beside], [low, high])
        self.number.set_position((top, high + 0.36))
        self.number.set_text("+" + signed(high - low) if high - low > LEVEL else "")


def _first_two(data) -> tuple[int, int]:
    """The places of the highest score and of the second."""
    order = np.argsort(data["leads"], kind="stable")
    return int(order[-1]), int(order[-2])


def draw_scores_in_hand(figure, data) -> Drawing:
    """Left the scores on their board, right e to each; below the strip of the weights."""
    whole, below = _score_axes(figure)
    (board,) = whole.plot([BOARD, 3.5], [data["shift"]] * 2, color=WEIGHT, linewidth=4, zorder=1.5)
    stems = [whole.plot([], [], color=INK, zorder=2)[0] for _ in WORDS]
    heads = [
        whole.plot([i], [s], "o", color=INK, markerfacecolor=shade, markersize=9)[0]
        for i, (s, shade) in enumerate(zip(data["scores"], FOUR, strict=True))
    ]
    bars, lead = _Bars(whole, data), _Lead(whole)
    strip = Strip(below, WORDS, data["weights"], colours=FOUR, few=FEW)
    names = Leads(below, strip)
    title = figure.headline()

    def update(data) -> None:
        board.set_ydata([data["shift"]] * 2)
        for i, (stem, head, score) in enumerate(zip(stems, heads, data["scores"], strict=True)):
            stem.set_data([i, i], [data["shift"], score])
            head.set_data([i], [score])
        bars.update(data), lead.update(data), strip.update(data["weights"]), names.update()
        title.set_text(_finding(data))

    moving = [
        board,
        *stems,
        *heads,
        *bars.artists,
        *lead.artists,
        *strip.artists,
        *names.lines,
        title,
    ]
    return Drawing(update, moving=moving, ghosts=[board, *heads])


def _finding(data) -> str:
    top, second = _first_two(data)
    facts = {"word": WORDS[top], "share": share(data["weights"][top])}
    if data["shift"]:
        template = "All moved by {shift}: {word} keeps {share}"
        return say(template, shift=signed(data["shift"]), **facts)
    lead = data["leads"][top] - data["leads"][second]
    if lead <= LEVEL:
        return say("{word} and {other} are level: {share} each", other=WORDS[second], **facts)
    times = f"{np.exp(lead):.1f}" if np.exp(lead) < 10 else f"{np.exp(lead):.0f}"
    return say(
        "{word} leads {other} by {lead}: e^{lead} = {times} times as much, {share} to {less}",
        other=WORDS[second], lead=signed(lead), times=times, less=share(data["weights"][second]),
        **facts,
    )  # fmt: skip


def describe_scores_in_hand(params, data) -> str:
    """The picture in one sentence."""
    parts = ", ".join(
        say(
            "{word} {score} and {weight}",
            word=word,
            score=signed(score),
            weight=share(weight, 3 if weight < FEW else 2),
        )
        for word, score, weight in zip(WORDS, data["scores"], data["weights"], strict=True)
    )
    return say(
        "Scores and weights: {parts}. All scores were moved by {shift}. Before they are "
        "rounded, the weights add up to {total:.2f}.",
        parts=parts, shift=signed(data["shift"]), total=data["weights"].sum(),
    )  # fmt: skip


def _drag_score(xy, params, which):
    changed = list(params["scores"])
    changed[which] = xy[1] - params["shift"]
    return {"scores": tuple(changed)}


def _given_half(params, data) -> bool:
    others = [i for i in range(len(WORDS)) if i != ONE]
    alone = all(params["scores"][i] == START[i] for i in others)  # the board may be lifted
    return alone and 0 <= data["weights"][ONE] - 0.5 < ENOUGH


explore_scores = Explorer(
    scores,
    draw_scores_in_hand,
    describe_scores_in_hand,
    sliders={
        "scores": Numbers(-2, 4, start=START, labels=WORDS, label="scores", step=0.1),
        "shift": FloatRange(-LIFTED, LIFTED, start=0, step=0.1, label="all scores together"),
    },
    handles={
        "scores": Handle(
            at=lambda data: [("scores", i, score) for i, score in enumerate(data["scores"])],
            to=_drag_score,
            moves=("scores",),
        ),
        "board": Handle(
            at=lambda data: ("scores", BOARD, data["shift"]),
            to=lambda xy, params: {"shift": xy[1]},
            moves=("shift",),
            label="the board: all scores together",
            colour=WEIGHT,
        ),
    },
    functions={"softmax": course_softmax},
    numbers=lambda params, data: [
        (
            say("{word}: score, e to the score, weight", word=word),
            f"{s:.1f}, {np.exp(s):.2f}, {w:.3f}",
        )
        for word, s, w in zip(WORDS, data["scores"], data["weights"], strict=True)
    ],
    goal=Goal(
        'Give "invited" half of the weight by moving its score only.',
        _given_half,
        solution={"scores": (*START[:3], 2.9)},
    ),
    question="Now lift the board. Which of the three panels move, and which stands still?",
    size=(7.0, 4.6),
    colours=48,  # with fewer, the narrow piece of "invited" is salmon
)
