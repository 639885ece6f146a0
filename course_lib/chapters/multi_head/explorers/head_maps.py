"""The maps of all heads of a model on one text: choose layer, head and the place that looks.

    explore_head_maps(gpt2.maps(text), gpt2.pieces(text))
    explore_copying_heads()             # of the model that comes with the course

The text is the learner's, so the explorer is made when it is called.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np
import torch

from course_lib.figures.fonts import missing
from course_lib.figures.maps import LookingMap, row_of
from course_lib.figures.theme import QUERY
from course_lib.models.copying import BLOCKS, HEADS, encode, load_copying
from course_lib.models.threads import one_thread
from course_lib.sliding.explorer import Drawing, Explorer, Goal
from course_lib.sliding.handles import Chosen
from course_lib.sliding.sliders import IntRange
from course_lib.words import say

MOST = 20  # tokens whose names can be read beside each other
LONGEST = 9  # letters of a name
FEW, SMALL, LARGE = 12, (7.0, 4.6), (7.0, 6.2)  # tokens; inches


def explore_head_maps(maps, names: Sequence[str]) -> None:
    """Show the maps of a model on one text, with sliders for layer, head and place.

    An underscore stands for a space.

    maps: as `Transformer.maps` gives them.   names: the t tokens.
    Shapes: maps (layers, h, t, t)
    Raises: ValueError for other shapes, too few or too many tokens.
    """
    head_maps_explorer(maps, names)()


def head_maps_explorer(maps, names: Sequence[str]) -> Explorer:
    """The explorer that `explore_head_maps` shows; arguments and errors as there."""
    maps = np.asarray(maps, dtype=float)
    if maps.ndim != 4 or maps.shape[2:] != (len(names), len(names)):
        raise ValueError(
            f"maps has shape {maps.shape}; expected (layers, heads, t, t) for {len(names)} tokens"
        )
    if not 2 <= len(names) <= MOST:
        raise ValueError(
            f"the text has {len(names)} tokens; the picture has room for 2 to {MOST} of them"
        )
    layers, heads = maps.shape[:2]
    first, start = _best(maps), (0, 0)
    if first == start:  # what is looked for is not shown at once
        start = (layers - 1, heads - 1)
    return _explorer(lambda: maps, names, (layers, heads), start, first)


def _best(maps: np.ndarray) -> tuple[int, int]:
    """Layer and head of the map with the largest mean weight on the token right before."""
    before = maps.diagonal(-1, axis1=2, axis2=3).mean(axis=2)
    layer, head = np.unravel_index(before.argmax(), before.shape)
    return int(layer), int(head)


def _rows(data) -> list[tuple]:
    """Left of the name of each token."""
    longest = max(map(len, data["names"]))
    return [(0, *row_of(place, longest)) for place in range(len(data["names"]))]


HANDLES = {
    "place": Chosen(at=_rows, moves="place", label="the token that looks", colour=QUERY),
}


def _explorer(maps_of: Callable, names, size, start, best) -> Explorer:
    """The explorer of maps that are computed at the first look."""
    layers, heads = size
    names = [_shown(name) for name in names]
    ranges = {  # what a model has one of needs no slider
        "layer": (layers, start[0], "layer, the first is 0"),
        "head": (heads, start[1], "head, the first is 0"),
        "place": (len(names), len(names) - 1, "place that looks, the first is 0"),
    }
    sliders = {
        name: IntRange(0, count - 1, start=first, label=label)
        for name, (count, first, label) in ranges.items()
        if count > 1
    }

    def compute(*, place, layer=0, head=0) -> dict:
        weights = maps_of()[layer, head]
        return {
            "names": names, "layer": layer, "head": head, "place": place, "weights": weights,
            "at": int(weights[place].argmax()),
            "before": float(weights.diagonal(-1).mean()),
            "reached": (layer, head) == best,
        }  # fmt: skip

    return Explorer(
        compute, _draw, _describe, sliders=sliders, numbers=_numbers,
        handles=HANDLES, size=LARGE if len(names) > FEW else SMALL, colours=24,
        goal=Goal(
            "Find the head that gives the most, on average, to the token right before.",
            lambda params, data: data["reached"],
            solution={"layer": best[0], "head": best[1]},
        ),
        question="Before you look: what does this head do at place 0, where nothing is before?",
        answer="It gives place 0 itself all of its weight: no other place is allowed, and a row "
        "must add up to 1.",
    )  # fmt: skip


def _shown(name: str) -> str:
    """A token as a label: a space is seen, what no font has is "?", and nothing is too long."""
    name = name.replace("\n", "\\n").replace(" ", "_")
    unknown = missing(name)
    name = "".join("?" if x in unknown or not x.isprintable() else x for x in name)
    return name if len(name) <= LONGEST else name[: LONGEST - 1] + "…"


def _draw(figure, data) -> Drawing:
    """One map with the tokens at both sides, and the arcs of the place that looks."""
    title = figure.headline(_finding(data))
    table = LookingMap(
        figure.subplots(), data["weights"], data["names"], place=data["place"], held=True
    )
    title.set_parse_math(False)  # a token may be a dollar sign

    def update(data) -> None:
        table.update(data["weights"], data["place"])
        title.set_text(_finding(data))

    return Drawing(update, moving=[*table.artists, title])


def _finding(data) -> str:
    return say("layer {layer}, head {head}: '{name}' looks most at '{other}'", **_looking(data))


def _looking(data) -> dict:
    place, at = data["place"], data["at"]
    return {
        "layer": data["layer"], "head": data["head"], "place": place, "at": at,
        "name": data["names"][place], "other": data["names"][at],
        "share": data["weights"][place, at], "before": data["before"],
    }  # fmt: skip


def _describe(params, data) -> str:
    """The picture in words."""
    return say(
        "In layer {layer}, head {head}, '{name}' at place {place} gives the most, {share:.2f}, to "
        "'{other}' at place {at}. On average, this head gives {before:.2f} to the token right "
        "before.",
        **_looking(data),
    )


def _numbers(params, data) -> list[tuple[str, str]]:
    """The row of the place."""
    row = data["weights"][data["place"], : data["place"] + 1]
    return [
        (say("place {j}: {name}", j=j, name=data["names"][j]), f"{weight:.2f}")
        for j, weight in enumerate(row)
    ]


# The model that comes with the course

TEXT = "cat cat cat"  # as in the chapter, where it stands in for GPT-2


@lru_cache(maxsize=1)
def _copying_maps() -> np.ndarray:
    with one_thread():
        maps = load_copying().maps(torch.from_numpy(encode(TEXT))).numpy()
    maps.flags.writeable = False  # cached: nobody may change it
    return maps


explore_copying_heads = _explorer(_copying_maps, TEXT, (BLOCKS, HEADS), (0, 0), (0, 1))
