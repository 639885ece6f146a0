"""Explorer `ten_scores`: ten scores in hand, and over how many keys their weights spread."""

import numpy as np
from matplotlib.patches import Rectangle

from course_lib.chapters.softmax.exercises.entropy import entropy as course_entropy
from course_lib.figures.ghosts import goal_band
from course_lib.figures.numerals import signed
from course_lib.figures.shares import Strip, apart, strip_axes
from course_lib.figures.theme import FAINT, INK, SMALL, TEXT, WEIGHT
from course_lib.kernels.softmax import softmax as course_softmax
from course_lib.sliding.explorer import Drawing, Explorer, Goal
from course_lib.sliding.handles import Handle
from course_lib.sliding.held import Numbers
from course_lib.words import say

NAMES = tuple(f"key {place}" for place in range(10))
START = (0.4, -0.8, 1.1, 0.2, -0.3, 1.6, -1.2, 0.7, -0.1, 0.5)
LOW, HIGH = -4.0, 6.0
NEAR = 0.05  # how near to two keys is two


def ten_scores(*, scores, softmax, entropy) -> dict:
    """The weights of ten scores, their entropy, and its exponential: a number of keys."""
    weights = np.asarray(softmax(np.array(scores)), dtype=float)
    spread = float(np.asarray(entropy(weights), dtype=float))
    count = float(np.exp(np.clip(spread, -5, 5)))
    return {"scores": np.array(scores), "weights": weights, "entropy": spread, "count": count}


def _axes(figure):
    above, middle, below = figure.subplots(3, 1, height_ratios=(2.6, 0.9, 0.9))
    above.set_label("scores")
    above.set(xlim=(-0.6, 9.6), ylim=(LOW - 0.3, HIGH + 0.3))
    above.set_yticks((-4, 0, 4), labels=["−4", "0", "4"])
    above.set_xticks(range(10))
    above.spines["bottom"].set_visible(False)
    above.tick_params(axis="x", length=0)
    above.set_title(say("scores of the keys 0 to 9"), fontsize=TEXT, fontweight="normal")
    above.axhline(0, color=FAINT, linewidth=1, zorder=0)
    strip_axes(middle, "strip", low=-0.75, high=2.0)
    middle.text(0, 1.45, say("weights: one strip, cut among the keys"), fontsize=TEXT, va="bottom")
    below.set(xlim=(0, 10.05), ylim=(-0.5, 1.1), yticks=[], xticks=range(0, 11, 2))
    below.spines["left"].set_visible(False)
    below.set_xlabel(say("as if spread over so many keys"))
    return above, middle, below


def draw_ten_scores(figure, data) -> Drawing:
    """Above the scores, in the middle their strip, below how many keys that is worth."""
    above, middle, below = _axes(figure)
    stems = [above.plot([], [], color=INK)[0] for _ in NAMES]
    heads = [above.plot([i], [s], "o", color=INK)[0] for i, s in enumerate(data["scores"])]
    strip = Strip(middle, [""] * len(NAMES), data["weights"])
    look = {"fontsize": SMALL, "ha": "center", "va": "top"}
    numbers = [middle.text(0, -0.12, str(key), **look) for key in range(len(NAMES))]
    bar = below.add_patch(Rectangle((0, -0.3), data["count"], 0.6, color=WEIGHT))
    goal = goal_band(below, 2, 2, INK)
    title = figure.headline()

    def update(data) -> None:
        for i, (stem, head, score) in enumerate(zip(stems, heads, data["scores"], strict=True)):
            stem.set_data([i, i], [0, score])
            head.set_data([i], [score])
        strip.update(data["weights"])
        for number, place in zip(numbers, _middles(data["weights"]), strict=True):
            number.set_x(place)
        bar.set_width(data["count"])
        title.set_text(
            say("Entropy {entropy:.2f}: as if spread over {count:.1f} of ten keys", **_facts(data))
        )

    moving = [*stems, *heads, *strip.artists, *numbers, bar, title]
    return Drawing(update, moving=moving, ghosts=[*heads, bar], goal=goal)


def _middles(weights: np.ndarray) -> np.ndarray:
    """Where the number of each piece stands: below its middle, aside where another one stands."""
    widths = np.maximum(weights, 0)
    return apart(np.clip(np.cumsum(widths) - widths / 2, 0, 1), np.full(len(widths), 0.022))


def _facts(data) -> dict:
    return {"entropy": data["entropy"], "count": data["count"]}


def describe_ten_scores(params, data) -> str:
    """The picture in one sentence."""
    return say(
        "Ten keys score {scores}. The largest weight is {largest:.2f}. The entropy is "
        "{entropy:.2f}, as if the 1 were spread evenly over {count:.2f} keys.",
        scores=", ".join(signed(score) for score in data["scores"]),
        largest=data["weights"].max(), **_facts(data),
    )  # fmt: skip


def _drag(xy, params, which):
    changed = list(params["scores"])
    changed[which] = xy[1]
    return {"scores": tuple(changed)}


def _moved(scores: tuple[float, ...]) -> int:
    """How many of them stand elsewhere than at the start."""
    return sum(one != first for one, first in zip(scores, START, strict=True))


explore_ten_scores = Explorer(
    ten_scores,
    draw_ten_scores,
    describe_ten_scores,
    sliders={"scores": Numbers(LOW, HIGH, start=START, labels=NAMES, label="scores", step=0.1)},
    handles={
        "scores": Handle(
            at=lambda data: [("scores", i, score) for i, score in enumerate(data["scores"])],
            to=_drag,
            moves=("scores",),
        ),
    },
    functions={"softmax": course_softmax, "entropy": course_entropy},
    numbers=lambda params, data: [
        *((name, f"{weight:.4f}") for name, weight in zip(NAMES, data["weights"], strict=True)),
        (say("entropy"), f"{data['entropy']:.3f}"),
        (say("as if over so many keys"), f"{data['count']:.3f}"),
    ],
    goal=Goal(
        "Move one score only, until the 1 is spread as if over two keys.",
        lambda params, data: abs(data["count"] - 2) < NEAR and _moved(params["scores"]) == 1,
        solution={"scores": (*START[:5], 4.3, *START[6:])},
    ),
    question="Are the weights of two keys large now? What does the number of keys not tell?",
    size=(7.0, 4.6),
    colours=6,
)
