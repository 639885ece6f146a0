"""Explorer `two_lengths`: what the length of a query does, and what that of a key."""

import numpy as np

from course_lib.figures.heat_map import WEIGHTS
from course_lib.figures.theme import GHOST, SMALL
from course_lib.kernels.softmax import softmax
from course_lib.kernels.vectors import pairwise_cosines
from course_lib.sliding.explorer import Drawing, Explorer, Goal
from course_lib.sliding.sliders import FloatRange
from course_lib.words import say

NAMES = ("A", "B", "C")
COSINES = np.array([1.0, 0.8, 0.1])  # of each key with the query
DIRECTIONS = np.stack([COSINES, np.sqrt(1 - COSINES**2)], axis=1)


def two_lengths(*, query, key_c, cosine_matrix) -> dict:
    """One query and three keys, the last of length `key_c`: weights from dot and from cosine."""
    q = query * np.array([[1.0, 0.0]])
    keys = DIRECTIONS * np.array([[1.0], [1.0], [key_c]])
    cosines = np.array(cosine_matrix(q, keys), dtype=float)
    if cosines.shape != (1, len(keys)):
        raise ValueError(f"cosine_matrix gave shape {cosines.shape}; expected (1, {len(keys)})")
    scores = (q @ keys.T)[0]
    return {
        "scores": scores,
        "by_dot": softmax(scores),
        "by_cosine": softmax(cosines[0]),
    }


def draw_two_lengths(figure, data) -> Drawing:
    """Two sets of three bars: the weights from the dot product and from the cosine."""
    panels = figure.subplots(1, 2)
    drawn = [
        _Weights(axes, data[name])
        for axes, name in zip(panels, ("by_dot", "by_cosine"), strict=True)
    ]
    panels[0].set_ylabel(say("weight"))
    panels[1].set_yticks([])

    def update(data) -> None:
        best = int(data["by_dot"].argmax())
        drawn[0].move(data["by_dot"])
        drawn[1].move(data["by_cosine"])
        drawn[0].title.set_text(
            say(
                "dot: {name} leads with {weight:.2f}", name=NAMES[best], weight=data["by_dot"][best]
            )
        )
        best = int(data["by_cosine"].argmax())
        drawn[1].title.set_text(
            say("cosine: {name} leads with {weight:.2f}", name=NAMES[best],
                weight=data["by_cosine"][best])
        )  # fmt: skip

    return Drawing(update, moving=[artist for one in drawn for artist in one.artists])


class _Weights:
    """Three bars with their number on top; the start stays behind as an outline, open above."""

    def __init__(self, axes, start):
        axes.set(ylim=(0, 1.18), yticks=(0, 0.5, 1), xlim=(-0.6, 2.6), xticks=range(3))
        axes.set_xticklabels(
            [f"{name}\ncos {cosine:g}" for name, cosine in zip(NAMES, COSINES, strict=True)]
        )
        axes.tick_params(axis="x", length=0)
        for place, weight in enumerate(start):  # open, so that no line crosses a number
            for side in (-1, 1):
                x = place + side * np.array([0.3, 0.4, 0.4])
                axes.plot(x, [weight, weight, 0], color=GHOST, linewidth=1)
        self._bars = axes.bar(range(3), start, width=0.6, color=WEIGHTS(0.75))
        self._numbers = [
            axes.text(i, 0, "", ha="center", va="bottom", fontsize=SMALL) for i in range(3)
        ]
        self.title = axes.set_title("")
        self.artists = [*self._bars, *self._numbers, self.title]

    def move(self, weights) -> None:
        for bar, number, weight in zip(self._bars, self._numbers, weights, strict=True):
            bar.set_height(float(weight))
            number.set_y(float(np.clip(weight, 0, 1)) + 0.02)
            number.set_text(f"{weight:.3f}")


def describe_two_lengths(params, data) -> str:
    """The picture in words."""
    return say(
        "The query is {query:g} long and key C {key_c:g}. From dot products, A gets {a:.3f}, B "
        "{b:.3f} and C {c:.3f}; from cosines {x:.3f}, {y:.3f} and {z:.3f}.",
        query=params["query"], key_c=params["key_c"],
        **dict(zip("abc", map(float, data["by_dot"]), strict=True)),
        **dict(zip("xyz", map(float, data["by_cosine"]), strict=True)),
    )  # fmt: skip


explore_two_lengths = Explorer(
    two_lengths,
    draw_two_lengths,
    describe_two_lengths,
    sliders={
        "query": FloatRange(0.1, 10, start=1.0, label="length of the query", log=True),
        "key_c": FloatRange(1, 30, start=1.0, step=0.5, label="length of key C"),
    },
    functions={"cosine_matrix": pairwise_cosines},
    numbers=lambda params, data: [
        (
            say("key {name}: score, weight by dot, weight by cosine", name=name),
            f"{score:.2f}, {dot:.3f}, {cosine:.3f}",
        )
        for name, score, dot, cosine in zip(
            NAMES, data["scores"], data["by_dot"], data["by_cosine"], strict=True
        )
    ],
    goal=Goal(
        "C points almost across the query. Leave the query at length 1 and find the shortest C "
        "that takes more than .6 of the attention.",
        lambda params, data: (
            params["query"] == 1 and data["by_dot"][2] > 0.6 and params["key_c"] <= 20.5
        ),
        solution={"key_c": 20.5},
    ),
)
