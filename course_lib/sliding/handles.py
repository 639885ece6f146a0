"""What a learner takes hold of in the picture.

    handles={
        "b": Handle(
            at=lambda data: ("plane", *data["b"]),           # axes (number or label), x, y
            to=lambda xy, params: {"angle": turn_of(xy), "length_b": hypot(*xy)},
            moves=("angle", "length_b"), label="tip of b", colour=KEY,
        ),
        "scores": Handle(                                    # one for each number of a Numbers
            at=lambda data: [("scores", i, s) for i, s in enumerate(data["scores"])],
            to=lambda xy, params, which: {"scores": replaced(params["scores"], which, xy[1])},
            moves=("scores",),
        ),
        "word": Chosen(at=lambda data: [...], moves="word"),     # a press chooses
        "mask": Painted(at=lambda data: [...], moves="mask"),    # a press turns over, a drag paints
    }

`at` tells where a handle stands for the data of a frame, in the coordinates of its axes; a list
makes as many handles. `to` tells which values a place asks for: any numbers, which the engine
brings to the nearest stops. It needs no mathematics in the browser.

The keyboard does the same: an arrow key moves a handle to the next allowed place in its direction,
or, where the handle moves one slider, by one stop of it.
"""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from course_lib.figures.theme import INK
from course_lib.sliding.held import Cells, Numbers, Slider
from course_lib.sliding.sliders import FloatRange, IntRange, Options, Toggle
from course_lib.words import say

Place = tuple[int | str, float, float]  # axes, x, y
At = Callable[[Any], Place | Sequence[Place]]
DIRECTIONS = {"ArrowRight": (1, 0), "ArrowLeft": (-1, 0), "ArrowUp": (0, 1), "ArrowDown": (0, -1)}
FARTHEST = 1000.0  # points that an arrow key looks ahead for the next allowed place


@dataclass(frozen=True)
class Handle:
    """Something that is dragged.

    at: data -> (axes, x, y), or a list of them.   moves: the parameters that it changes.
    to: (x, y), params -> their new values; of a list, it also gets which one is dragged.
    label: what it is called; of a list, the names come from the Numbers that it moves.
    square: its look; else it is a ring. Two kinds of handles in one picture are told apart by it.
    """

    at: At
    to: Callable[..., Mapping[str, Any]]
    moves: tuple[str, ...]
    label: str = ""
    colour: str = INK
    square: bool = False
    kind = "drag"

    def asks(self, xy: tuple[float, float], params: Mapping[str, Any], which: int) -> dict:
        """The values that a place asks for, not yet brought to stops."""
        return dict(self.to(xy, params, which) if self.many else self.to(xy, params))

    @property
    def many(self) -> bool:
        """Whether it is a list of handles, of which `to` learns the one that is dragged."""
        return len(inspect.signature(self.to).parameters) > 2


@dataclass(frozen=True)
class Chosen:
    """Places of which one is chosen by a press: the values of one parameter, in their order."""

    at: At
    moves: str
    label: str = ""
    colour: str = INK
    kind = "choose"


@dataclass(frozen=True)
class Painted:
    """Cells that a press turns over and a drag paints; `moves` is a Cells, `at` their middles."""

    at: At
    moves: str
    label: str = ""
    colour: str = INK
    kind = "paint"


AnyHandle = Handle | Chosen | Painted


def moved(handle: AnyHandle) -> tuple[str, ...]:
    """The names of the parameters that a handle changes."""
    return (handle.moves,) if isinstance(handle.moves, str) else tuple(handle.moves)


def checked(handles: Mapping[str, AnyHandle], sliders: Mapping[str, Slider]) -> dict:
    """The same handles.

    Raises: ValueError, if one moves what is no parameter, paints what is not Cells, or a parameter
    that has no row among the sliders is moved by none.
    """
    for name, handle in handles.items():
        if unknown := [one for one in moved(handle) if one not in sliders]:
            raise ValueError(f"handle {name!r} moves {unknown[0]!r}, which is no parameter")
        if isinstance(handle, Painted) and not isinstance(sliders[handle.moves], Cells):
            raise ValueError(f"handle {name!r} paints {handle.moves!r}, which is no Cells")
    reached = {one for handle in handles.values() for one in moved(handle)}
    for name, spec in sliders.items():
        if isinstance(spec, Numbers | Cells) and name not in reached:
            raise ValueError(f"{name!r} has no row among the sliders and no handle moves it")
    return dict(handles)


def told(name: str, handle: AnyHandle, sliders: Mapping[str, Slider]) -> dict:
    """What the front end needs to know of a handle."""
    names = moved(handle)
    first = sliders[names[0]].told()
    many = not isinstance(handle, Handle) or handle.many
    return {
        "name": name,
        "kind": handle.kind,
        "look": "square" if isinstance(handle, Handle) and handle.square else "round",
        "label": say(handle.label or first["label"]),
        "labels": first.get("labels") or first.get("names") or [] if many else [],
        "moves": list(names),
        "colour": handle.colour,
        "last": len(first["stops"]) - 1,
    }


def value_told(
    handle: AnyHandle, sliders: Mapping[str, Slider], params: Mapping[str, Any], which: int
) -> tuple[int | bool, str]:
    """What a screen reader is told of a handle: the number of its stop, or whether it is on; words.

    A handle that moves two sliders, or two numbers of one, has the first one's number, and both in
    its words.
    """
    name, *_ = names = moved(handle)
    spec, sent = sliders[name], sliders[name].sent(params[name])
    if isinstance(handle, Painted):
        return bool(sent[which]), ""  # type: ignore[index]
    stops = spec.told()["stops"]
    if isinstance(handle, Chosen):
        return sent == stops[which], ""
    number = which if isinstance(handle, Handle) and handle.many else None
    words = ", ".join(_in_words(sliders[one], params[one], number) for one in names)
    one = spec.each if isinstance(spec, Numbers) else spec
    value = params[name][which] if isinstance(spec, Numbers) else params[name]
    return stops.index(one.sent(one.nearest(value))), words  # type: ignore[union-attr]


def _in_words(spec: Slider, value: Any, which: int | None) -> str:
    """A value in words; of a tuple its number `which`, or all of them where it is None."""
    if isinstance(spec, Numbers):
        return ", ".join(f"{one:g}" for one in (value if which is None else [value[which]]))
    if isinstance(spec, Options):
        value = next(name for name, one in spec.named().items() if one == value)
    return f"{spec.label} {value}"


def places(handle: AnyHandle, data: Any) -> list[Place]:
    """Where it stands: a list, also of one."""
    found = handle.at(data)
    one = len(found) == 3 and not isinstance(found[0], tuple | list)
    return [found] if one else list(found)  # type: ignore[list-item, arg-type]


def snapped(
    sliders: Mapping[str, Slider], handle: Handle, asked: Mapping[str, Any], params: dict
) -> dict:
    """`params` with what a handle asks for, at the nearest stops."""
    return params | {name: sliders[name].nearest(asked[name]) for name in handle.moves}


def stepped(
    sliders: Mapping[str, Slider],
    handle: Handle,
    params: dict,
    which: int,
    key: str,
    ahead: Callable[[float, float], tuple[float, float]],
) -> dict:
    """`params` after an arrow key: the next stop of one slider, or the next place that way.

    ahead: points to the right, points up -> (x, y) in the coordinates of the handle's axes.
    """  # fmt: skip
    right, up = DIRECTIONS[key]
    if len(handle.moves) == 1:
        name, spec = handle.moves[0], sliders[handle.moves[0]]
        if isinstance(spec, Numbers):
            if handle.many:
                number = _next_stop(spec.each, params[name][which], right + up)
                return params | {name: (*params[name][:which], number, *params[name][which + 1 :])}
        elif not isinstance(spec, Cells):
            return params | {name: _next_stop(spec, params[name], right + up)}
    far = 1.0
    while far < FARTHEST:
        asked = handle.asks(ahead(far * right, far * up), params, which)
        new = snapped(sliders, handle, asked, params)
        if new != params:
            return new
        far *= 1.3
    return params


def _next_stop(spec: IntRange | FloatRange | Options | Toggle, value: Any, step: int) -> Any:
    stops = spec.notches()
    place = stops.index(spec.nearest(value)) + step
    return stops[min(max(place, 0), len(stops) - 1)]
