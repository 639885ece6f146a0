"""A position's likeness to all others."""

from functools import lru_cache

import numpy as np
import torch

from course_lib.chapters.masks.exercises.rotate import rotate
from course_lib.figures.ghosts import goal_ring
from course_lib.figures.theme import FAINT, GHOST, INK, KEY, QUERY, SMALL, TITLE
from course_lib.kernels.positions import frequencies, sinusoidal
from course_lib.models.threads import one_thread
from course_lib.sliding.explorer import Drawing, Explorer, Goal
from course_lib.sliding.handles import Handle
from course_lib.sliding.sliders import IntRange
from course_lib.words import say

COUNT, WIDTH = 64, 32

GOAL_KEY = 31

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
        "back": back,
        "waves": _waves(place),
        "scores": scores,
        "best": int(scores.round(9).argmax()),
    }


def draw_likeness(figure, data) -> Drawing:
    """Above what waves say, below what rotated queries and keys score, at every place."""
    above, below = figure.subplots(2, 1)
    title = figure.suptitle("", x=0.01, ha="left", fontsize=TITLE, fontweight="bold")
    parts = [_curve(above, data["waves"], "waves"), _curve(below, data["scores"], "scores")]
    for axes, heading in (
        (above, say("waves: how alike the pattern of the dashed place and that of each place are")),
        (
            below,
            say("RoPE: the score of the query at the dashed place with a key at each place"),
        ),
    ):
        axes.set_title(heading, fontsize=SMALL, fontweight="normal", loc="left", pad=4)
    above.set_xticks([])
    below.set_xlabel(say("place in the text"))

    def update(data) -> None:
        for name, line, peak, here in parts:
            line.set_data(range(COUNT), data[name])
            best = data["place"] if name == "waves" else data["best"]
            peak.set_data([best], [data[name][best]])
            here.set_xdata([data["place"]] * 2)
        title.set_text(
            say("the query at {place} scores best with the key at {best}", **_places(data))
        )

    moving = [artist for part in parts for artist in part[1:]]
    return Drawing(update, moving=[title, *moving], goal=goal_ring(below, GOAL_KEY, 1, KEY))


def _curve(axes, start, name) -> tuple:
    """The curve with its peak, its start as a ghost, and the dashed place."""
    axes.set(xlim=(-1, COUNT), ylim=(-0.05, 1.35), yticks=(0, 0.5, 1))
    axes.axhline(0, color=FAINT, linewidth=1, zorder=0)
    axes.plot(start, color=GHOST, linewidth=1.2, linestyle=(0, (3, 2)))
    (line,) = axes.plot([], [], color=INK)
    (peak,) = axes.plot([], [], "o", color=KEY if name == "scores" else INK, markersize=8)
    here = axes.axvline(0, color=QUERY, linewidth=1.5, linestyle=(0, (4, 2)))
    return name, line, peak, here


def _places(data) -> dict:
    return {name: data[name] for name in ("place", "best")}


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
    handles={
        "place": Handle(
            at=lambda data: (0, data["place"], 1.2),
            to=lambda xy, params: {"place": xy[0]},
            moves=("place",), label="place of the query", colour=QUERY,
        ),
        "best": Handle(
            at=lambda data: (1, data["place"] - data["back"], 1.0),
            to=lambda xy, params: {"back": params["place"] - xy[0]},
            moves=("back",), label="where the query looks", colour=KEY,
        ),
    },
    functions={"rotate": rotate},
    numbers=numbers_likeness,
    size=(7.0, 4.6),
    colours=12,  # lines and words
    goal=Goal(
        "Let the query at place 40 score best with the key at place 31.",
        lambda params, data: params["place"] == 40 and data["best"] == GOAL_KEY,
        solution={"place": 40, "back": 9},
    ),
)  # fmt: skip
