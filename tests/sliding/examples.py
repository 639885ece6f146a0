"""A small explorer for the tests of the engine, and what a learner might write for it."""

import sys
import time

import numpy as np

from course_lib.learner.bound import Bound
from course_lib.sliding.explorer import Drawing, Explorer, Goal
from course_lib.sliding.sliders import FloatRange, IntRange, Options, Toggle

BASE = np.array([1.0, 2.0, 3.0])


def total(values):
    """The course's function."""
    return values.sum()


def compute(*, count, scale, sign, doubled, total):
    values = BASE * scale * sign * (2 if doubled else 1)
    return {"values": values, "count": count, "total": float(total(values)) * count}


def draw(figure, data):
    axes = figure.subplots()
    axes.set(xlim=(-0.5, 2.5), ylim=(-30, 30))
    axes.plot(data["values"], color="0.6", linewidth=1)
    (line,) = axes.plot([], [])
    axes.axhline(0, color="black", zorder=5)

    def update(data):
        line.set_data(range(3), data["values"])
        axes.set_title(f"total {data['total']:.2f}")

    return Drawing(update, moving=[line, axes.title])


def describe(params, data):
    return f"{params['count']} times the sum is {data['total']:.2f}."


def explorer(**changes):
    options = {
        "sliders": {
            "count": IntRange(1, 9, start=2, label="count n"),
            "scale": FloatRange(0.5, 2, start=1, label="scale s"),
            "sign": Options({"plus": 1, "minus": -1}, start=1, label="sign"),
            "doubled": Toggle(start=False, label="doubled"),
        },
        "functions": {"total": total},
        "goal": Goal("Make the total 54.", lambda p, d: d["total"] == 54, solution={"count": 9}),
        "question": "And with ten?",
        "answer": "60 would come out.",
        "numbers": lambda params, data: [("total", data["total"])],
        "size": (5.0, 3.0),
        **changes,
    }
    parts = {"compute": compute, "draw": draw, "describe": describe}
    parts = [options.pop(name, usual) for name, usual in parts.items()]
    return Explorer(*parts, **options)


class Adapter:
    """What an exercise binds to the learner's name."""

    def __init__(self, yours, source):
        vars(self).update(Bound(yours, source).attributes())

    def __call__(self, *args):
        return total(*args)


def raises(*_):
    raise ValueError("not like this")


def exits(*_):
    sys.exit(3)


def interrupted(*_):
    raise KeyboardInterrupt


def recurses(*args):
    return recurses(*args)


def generates(*_):
    yield 1


def changes_its_input_and_raises(values, *_):
    values = np.asarray(values)
    values[...] = -99
    raise ValueError("too late")


def slow_to_fail(*_):
    time.sleep(0.01)
    return None


FAILING = {
    "raises": raises,
    "exits": exits,
    "is interrupted": interrupted,
    "recurses": recurses,
    "returns None": slow_to_fail,
    "returns ...": lambda *_: ...,
    "returns text": lambda *_: "twelve",
    "returns a generator": generates,
    "returns NaN": lambda *_: np.nan,
    "returns another shape": lambda *_: np.zeros((5, 7, 11)),
    "changes its input": changes_its_input_and_raises,
    "takes no argument": lambda: 1.0,
}
