"""A position's likeness to all others."""

from functools import lru_cache

import numpy as np
import torch

from course_lib.chapters.masks.exercises.rotate import rotate
from course_lib.figures.theme import FAINT, GHOST, INK, OUTPUT, QUERY
from course_lib.kernels.positions import frequencies, sinusoidal
from course_lib.models.threads import one_thread
from course_lib.sliding.explorer import Drawing, Explorer, Goal
from course_lib.sliding.sliders import IntRange
from course_lib.words import say

COUNT, WIDTH = 64, 32

FREQUENCIES = frequencies(WIDTH)[None]

ANGLES = torch.arange(COUNT)[:, None] * FREQUENCIES

PATTERN = torch.ones(COUNT, WIDTH, dtype=torch.float64)


@lru_cache(maxsize=COUNT)
def _waves(place: int) -> np.ndarray:
    """The dot product of one position's waves with those of all, as a share of its own."""
    waves = sinusoidal(COUNT, WIDTH).double()
    likeness = (waves @ waves[place]).numpy() / (WIDTH / 2)
    likeness.flags.writeable = False  # cached: nobody may change it
    return likeness


def likeness(*, place, back, rotate) -> dict:
    """Waves of `place` with all waves; a query there with the same key at all places."""
    with one_thread():
        keys = torch.as_tensor(rotate(PATTERN, ANGLES)).double()
        ahead = torch.as_tensor(rotate(PATTERN[:1], (place - back) * FREQUENCIES)).double()
    if keys.shape != PATTERN.shape or ahead.shape != (1, WIDTH):
        raise ValueError(f"rotate gave shape {tuple(keys.shape)}, not {tuple(PATTERN.shape)}")
    scores = keys.numpy() @ ahead.numpy()[0] / WIDTH
    return {
        "place": place,
        "waves": _waves(place),
        "scores": scores,
        "best": int(scores.round(9).argmax()),
    }


def draw_likeness(figure, data) -> Drawing:
    """Above what waves say, below what rotated queries and keys score, at every place."""
    above, below = figure.subplots(2, 1)
    parts = []
    for axes, name, colour in ((above, "waves", QUERY), (below, "scores", OUTPUT)):
        axes.set(xlim=(-1, COUNT), ylim=(-0.05, 1.15), yticks=(0, 0.5, 1))
        axes.axhline(0, color=FAINT, linewidth=1, zorder=0)
        axes.plot(data[name], color=GHOST, linewidth=1)
        (line,) = axes.plot([], [], color=colour)
        (peak,) = axes.plot([], [], "o", color=colour, markersize=8)
        here = axes.axvline(0, color=INK, linewidth=1.5, linestyle=(0, (4, 2)))
        parts.append((name, line, peak, here, axes.set_title("")))
    above.set_xticks([])
    above.set_ylabel(say("likeness"))
    below.set_ylabel(say("score"))
    below.set_xlabel(say("place in the text"))

    def update(data) -> None:
        for name, line, peak, here, _ in parts:
            line.set_data(range(COUNT), data[name])
            best = data["place"] if name == "waves" else data["best"]
            peak.set_data([best], [data[name][best]])
            here.set_xdata([data["place"]] * 2)
        place, best = data["place"], data["best"]
        parts[0][-1].set_text(say("sinusoidal: place {place} is most like itself", place=place))
        parts[1][-1].set_text(
            say("rotary: the query at {place} scores best at {best}", place=place, best=best)
        )

    return Drawing(update, moving=[artist for part in parts for artist in part[1:]])


def describe_likeness(params, data) -> str:
    """The picture in one sentence."""
    near = data["place"] + (3 if data["place"] + 3 < COUNT else -3)
    return say(
        "By their waves, place {place} is 1.00 like itself and {near_value:.2f} like place {near}. "
        "The query at {place} looks {back} places back and scores best with the key at {best}.",
        near=near, near_value=data["waves"][near], back=params["back"],
        place=data["place"], best=data["best"],
    )  # fmt: skip


def numbers_likeness(params, data) -> list[tuple[str, str]]:
    """Both curves at every eighth place."""
    return [
        (
            say("place {place}", place=j),
            say("waves {w:.2f}, rotary {r:.2f}", w=data["waves"][j], r=data["scores"][j]),
        )
        for j in range(0, COUNT, 8)
    ]


explore_likeness = Explorer(
    likeness,
    draw_likeness,
    describe_likeness,
    sliders={
        "place": IntRange(16, COUNT - 1, start=20, label="place of the query"),
        "back": IntRange(0, 16, start=0, label="the query looks this many places back"),
    },
    functions={"rotate": rotate},
    numbers=numbers_likeness,
    size=(7.0, 4.6),
    colours=48,  # lines and words
    goal=Goal(
        "Let the query at place 40 score best with the key at place 31.",
        lambda params, data: params["place"] == 40 and data["best"] == 31,
        solution={"place": 40, "back": 9},
    ),
)
