"""Explorer `who_looks_at_whom`: the weights of one word, and what it takes of each value."""

import numpy as np

from course_lib.chapters.queries_keys_values.attend_on_arrays import outputs_and_weights
from course_lib.figures.ghosts import goal_band
from course_lib.figures.numerals import share
from course_lib.figures.theme import GHOST, OUTPUT, QUERY, SMALL, TEXT, VALUE, WEIGHT
from course_lib.figures.vectors import draw_ghost, draw_plane, draw_vector
from course_lib.kernels.attention import attention
from course_lib.sliding.explorer import Drawing, Explorer, Goal
from course_lib.sliding.handles import Chosen
from course_lib.sliding.sliders import FloatRange, Options
from course_lib.words import say

WORDS = ("Xiao Shenyang", "Jiangxi", "concert", "invited", "done")

CHINESE = ("小沈阳", "江西", "演唱会", "邀请", "了")

# Invented. Columns of both: person, place, event, action. A query says what the word looks for.
LOOKS_FOR = np.array([
    [0.5, 0.0, 1.0, 2.0],
    [0.0, 0.5, 2.0, 0.0],
    [2.0, 1.5, 0.0, 0.0],
    [2.0, 0.0, 2.5, 0.0],
    [0.0, 0.0, 0.0, 2.5],
])  # fmt: skip

OFFERS = np.array([
    [2.0, 0.0, 0.0, 0.0],
    [0.0, 2.0, 0.0, 0.0],
    [0.0, 0.5, 2.0, 0.0],
    [0.0, 0.0, 0.5, 2.0],
    [0.0, 0.0, 0.0, 1.0],
])  # fmt: skip

HANDS_OVER = np.array([[-3.2, 0.8], [2.4, -2.4], [3.3, 1.2], [0.4, 3.1], [-1.8, -2.0]])

NAMED_AT = np.array([[-2.7, 1.45], [2.5, -2.85], [3.4, 1.75], [0.5, 3.5], [-1.9, -2.45]])

INVITED = 3
ROOM = (3.4, 3.7)  # from the middle of the plane to the middle of a name at its edge
MOST = 0.95  # the weight that is looked for
DASHED = (0, (3, 2))
PANEL = {"fontsize": TEXT, "fontweight": "normal"}


def who_looks_at_whom(*, query, sharpness, attend) -> dict:
    """The weights of one word, and the sums of its weighted values so far, one word at a time."""
    outputs, weights = outputs_and_weights(attend, sharpness * LOOKS_FOR, OFFERS, HANDS_OVER)
    steps = np.cumsum(weights[query, :, None] * HANDS_OVER, axis=0)
    return {
        "query": query,
        "weights": weights[query],
        "output": outputs[query],
        "joints": np.vstack([np.zeros((1, 2)), steps]),
    }


def _bars(axes, data):
    """Left: a bar of weight for each word, with the start's outline and the goal's line."""
    places = np.arange(len(WORDS))
    axes.set(xlim=(0, 1.28), ylim=(len(WORDS) - 0.4, -0.6), xticks=(0, 0.5, 1), label="bars")
    axes.set_yticks(places, labels=WORDS)
    axes.tick_params(axis="y", length=0)
    axes.set_xlabel(say("weight"))
    bars = axes.barh(places, data["weights"], height=0.6, color=WEIGHT)
    axes.barh(
        places, data["weights"], height=0.6, fill=False, edgecolor=GHOST, linestyle=DASHED,
        linewidth=1.2, zorder=3,
    )  # fmt: skip
    return bars, [axes.text(0, place, "", va="center", fontsize=SMALL) for place in places]


def _values(plane, data):
    """Right: each value as a thin ray, and on it the thick part that its weight leaves."""
    draw_plane(plane, 4.1)
    plane.set(ylim=(-3.4, 4.0), anchor="N", label="values")
    plane.spines[:].set_visible(False)
    plane.set_title(say("the values, and what is taken of each"), **PANEL)
    for word, value, place in zip(WORDS, HANDS_OVER, NAMED_AT, strict=True):
        plane.plot(*zip((0, 0), value, strict=True), color=VALUE, linewidth=1, alpha=0.55)
        plane.plot(*value, "o", color=VALUE, markersize=4)
        plane.text(*place, word, color=VALUE, fontsize=SMALL, ha="center", va="center")
    draw_ghost(plane, data["output"], "")
    taken = [plane.plot([], [], color=VALUE, linewidth=3, solid_capstyle="butt")[0] for _ in WORDS]
    (path,) = plane.plot([], [], color=OUTPUT, linewidth=1.2, linestyle=(0, (1, 1.5)), zorder=4)
    output = draw_vector(plane, data["output"], OUTPUT, width=1.3, zorder=5)
    name = plane.text(
        0, 0, say("output"), color=OUTPUT, fontsize=SMALL, fontweight="bold", ha="center",
        va="center", zorder=6,
        bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.5, "alpha": 0.85},
    )  # fmt: skip
    return taken, path, output, name


def draw_who_looks_at_whom(figure, data) -> Drawing:
    """Left the weights of the chosen word; right what is taken of each value, and the sum."""
    left, plane = figure.subplots(1, 2, width_ratios=(1.0, 2.2))
    bars, numbers = _bars(left, data)
    goal = goal_band(left, MOST, 1.0, WEIGHT)
    taken, path, output, name = _values(plane, data)
    title = figure.headline()
    first = data["weights"]

    def update(data) -> None:
        for i, weight in enumerate(data["weights"]):
            bars[i].set_width(weight)
            numbers[i].set_text(share(weight))
            far = max(weight, first[i])
            numbers[i].set_x((1.0 if far > 0.78 else max(far, 0.0)) + 0.03)  # clear of the goal
            taken[i].set_data(*zip((0, 0), weight * HANDS_OVER[i], strict=True))
        path.set_data(*data["joints"].T)
        output.move(data["output"])
        name.set_position(_beside(data["output"]))
        title.set_text(_finding(data))

    return Drawing(
        update, moving=[*bars, *numbers, *taken, path, *output.artists, name, title], goal=goal
    )


def _beside(tip: np.ndarray) -> np.ndarray:
    """The middle of the output's name: about its tip, as far as can be from rays and names."""
    turns = np.radians(np.arange(0, 360, 15))
    places = tip + np.column_stack([1.15 * np.cos(turns), 0.55 * np.sin(turns)])
    rays = (np.linspace(0, 1, 30)[:, None] * end for end in (*HANDS_OVER, tip))
    names = (NAMED_AT + np.array([aside, 0]) for aside in (-0.8, 0, 0.8))
    drawn = np.concatenate([*rays, *names])
    places = places[(np.abs(places) <= ROOM).all(axis=1)]
    apart = np.abs(places[:, None] - drawn) / (1.0, 0.4)
    return places[int(np.argmax(np.round(apart.max(axis=-1).min(axis=-1), 6)))]


def _finding(data) -> str:
    weights = data["weights"].round(2)
    best = int(np.argmax(weights))
    if np.ptp(weights) == 0:
        return say("{word} looks at all five alike", word=WORDS[data["query"]])
    return say(
        "{word} looks most at {other}: {share}",
        word=WORDS[data["query"]], other=WORDS[best], share=share(data["weights"][best]),
    )  # fmt: skip


def describe_who_looks_at_whom(params, data) -> str:
    """The picture in one sentence."""
    order = np.argsort(-data["weights"].round(2), kind="stable")  # by what is printed, then place
    shares = ", ".join(f"{WORDS[i]} {data['weights'][i]:.2f}" for i in order)
    return say(
        "{word} at sharpness {sharpness:.1f} takes: {shares}. Its output is ({x:.2f}, {y:.2f}), "
        "the sum of what it takes of each value.",
        word=WORDS[params["query"]], sharpness=params["sharpness"], shares=shares,
        x=data["output"][0], y=data["output"][1],
    )  # fmt: skip


explore_who_looks_at_whom = Explorer(
    who_looks_at_whom,
    draw_who_looks_at_whom,
    describe_who_looks_at_whom,
    sliders={
        "query": Options(
            {f"{WORDS[i]} {CHINESE[i]}": i for i in range(len(WORDS))},
            start=INVITED,
            label="the word that asks",
        ),
        "sharpness": FloatRange(
            0, 8, start=1.0, step=0.1, label="sharpness: what each query is multiplied by"
        ),
    },
    handles={
        "query": Chosen(
            at=lambda data: [("bars", 0.0, i) for i in range(len(WORDS))],
            moves="query",
            label="the word that asks",
            colour=QUERY,
        ),
    },
    functions={"attend": attention},
    numbers=lambda params, data: [
        *(
            (
                say("weight · value of {word}", word=word),
                f"{weight:.2f} · ({value[0]:.1f}, {value[1]:.1f})",
            )
            for word, weight, value in zip(WORDS, data["weights"], HANDS_OVER, strict=True)
        ),
        (say("output"), f"({data['output'][0]:.2f}, {data['output'][1]:.2f})"),
    ],
    goal=Goal(
        "Two words attract invited. Let it ask, and bring the weight of one of them above .95.",
        lambda params, data: params["query"] == INVITED and data["weights"].max() > MOST,
        solution={"query": INVITED, "sharpness": 6.5},
    ),
    size=(7.0, 4.5),
    colours=7,
)
