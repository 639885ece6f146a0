"""Who looks at whom: the weights of one word, and the weighted values head to tail."""

import numpy as np

from course_lib.chapters.queries_keys_values.attend_on_arrays import outputs_and_weights
from course_lib.figures.theme import OUTPUT, SMALL, VALUE
from course_lib.figures.vectors import draw_ghost, draw_plane, draw_vector
from course_lib.kernels.attention import attention
from course_lib.sliding.explorer import Drawing, Explorer, Goal
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


def draw_who_looks_at_whom(figure, data) -> Drawing:
    """Left the weights of the chosen word; right its values, shortened and put head to tail."""
    left, plane = figure.subplots(1, 2, width_ratios=(1.0, 1.7))
    places = np.arange(len(WORDS))
    left.set(xlim=(0, 1.3), ylim=(len(WORDS) - 0.4, -0.6), xticks=(0, 0.5, 1))
    left.set_yticks(places, labels=WORDS)
    left.tick_params(axis="y", length=0)
    left.set_xlabel(say("weight"))
    bars = left.barh(places, data["weights"], height=0.6, color=VALUE)
    numbers = [left.text(0, place, "", va="center", fontsize=SMALL) for place in places]
    who = left.set_title("", loc="right")
    draw_plane(plane, 4.4)
    plane.set(ylim=(-4.1, 4.0), anchor="N")
    plane.set_title(say("output: values, head to tail"))
    for word, value, place in zip(WORDS, HANDS_OVER, NAMED_AT, strict=True):
        draw_ghost(plane, value, "")
        plane.text(*place, word, fontsize=SMALL, ha="center", va="center")
    links = [draw_vector(plane, (0, 0), VALUE, width=0.9) for _ in WORDS]
    output = draw_vector(plane, data["output"], OUTPUT, width=1.6)
    for place, side, color, text in (
        (-4.25, "left", VALUE, "thin: weight · value"),
        (4.25, "right", OUTPUT, "thick: output"),
    ):
        plane.text(
            place, -3.7, say(text), color=color, fontsize=SMALL, ha=side, va="center",
            fontweight="bold",
        )  # fmt: skip

    def update(data) -> None:
        for bar, number, weight in zip(bars, numbers, data["weights"], strict=True):
            bar.set_width(weight)
            number.set_text(f"{weight:.2f}")
            number.set_x(np.clip(weight, 0, 1) + 0.02)
        for link, tail, tip in zip(links, data["joints"][:-1], data["joints"][1:], strict=True):
            link.move(tip, tail)
        output.move(data["output"])
        who.set_text(say("{word} looks at", word=WORDS[data["query"]]))

    parts = [artist for link in (*links, output) for artist in link.artists]
    return Drawing(update, moving=[*bars, *numbers, who, *parts])


def describe_who_looks_at_whom(params, data) -> str:
    """The picture in one sentence."""
    order = np.argsort(-data["weights"].round(2), kind="stable")  # by what is printed, then place
    shares = ", ".join(f"{WORDS[i]} {data['weights'][i]:.2f}" for i in order)
    return say(
        "{word} at sharpness {sharpness:.1f} takes: {shares}. Its output is ({x:.2f}, {y:.2f}), "
        "where the shortened values end.",
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
            start=0,
            label="the word that asks",
        ),
        "sharpness": FloatRange(
            0, 8, start=1.0, step=0.1, label="sharpness: what each query is multiplied by"
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
        "Let invited ask: two words attract it. Bring the weight of one of them above .95.",
        lambda params, data: params["query"] == INVITED and data["weights"].max() > 0.95,
        solution={"query": INVITED, "sharpness": 6.5},
    ),
    size=(7.0, 3.9),
)
