"""The pictures of chapter 2's stores: what does a metric find, and why?

show_metrics("notes", "bakeries")   # a row for each store, a column for each metric
show_stores(which_metric)           # all stores, each by the metric chosen for it, wrong or not
"""

from collections.abc import Callable

import numpy as np
from matplotlib.patches import Circle, Polygon, Rectangle
from matplotlib.patheffects import withStroke

from course_lib.chapters.cosine_or_dot.exercises.which_metric import which_metric as course_choice
from course_lib.chapters.cosine_or_dot.stores import (
    ANY,
    COSINE,
    DISTANCE,
    INNER_PRODUCT,
    STORES,
    Store,
    all_hits,
    first_hit,
    metric_named,
    metrics_of,
)
from course_lib.figures.static import show_figure
from course_lib.figures.theme import INK, KEY, QUERY, SMALL, new_figure
from course_lib.learner.time_limit import TimeUp
from course_lib.sliding.own_function import Stopped, own_function
from course_lib.words import say

METRICS = (COSINE, INNER_PRODUCT, DISTANCE)
EACH_ANOTHER = "Each metric finds another row (filled)"
BY_METRIC = "What each metric finds (filled)"
YOURS = "Your metrics find what was wanted in {right} of {count} stores"
COURSES = "The course's metrics find what was wanted in {right} of {count} stores"
ONE_FOR_ALL = "one metric for all:"
SHADED = "Shaded is where a row would beat it: a wedge, all beyond a line, or a disc."
ALONE = "{metric}: {right} of {count}"
CHOSEN = "{store}: {metric}"
NO_METRIC = "no metric"
SHAPES = {COSINE: "a wedge", INNER_PRODUCT: "farther along", DISTANCE: "a disc"}
PALE, EDGE, DARK = "#ece8df", "#b9b2a3", "#6b6457"
SHADE = {"facecolor": PALE, "edgecolor": EDGE, "linewidth": 1, "zorder": 1}
CLEAR = [withStroke(linewidth=3, foreground="white")]  # no line runs through a name
HEAD = {"fontsize": SMALL, "fontweight": "normal"}  # of one plane; bold is the headline alone
FAR = 100.0  # beyond the frame of every store
HIGH = 1.36  # inches of one small plane
BESIDE_HEADS, ALONE_IN_ITS_THIRD = 1.88, 2.22  # how wide it is, in inches
ROOM = 0.13  # left free beside the tips, in inches
LEFT = {"notes": 0.8}  # and left of the tips, for the question
RIGHT = {"bakeries": 0.75}  # and right of them, for the names there
ABOVE = 0.31  # and above and below them, for a name
# Where a name stands at its dot, or does by one metric: no border runs through what is found.
NAMED: dict[str | tuple[str, str], str] = {
    "diary": "before", "a bill": "beside", "a hit": "above left",
    "rare song": "beside", "a poor fit": "beside", "station": "beside",
    "airport": "beside", "corner": "above",
    "water bill": "before", "heating bill": "below left",
    ("station", COSINE): "above left", ("a bill", DISTANCE): "below",
    ("station", INNER_PRODUCT): "above left",
    ("a poor fit", COSINE): "above right", ("a poor fit", DISTANCE): "above right",
    ("a poor fit", ANY): "above right",
    "jam": "above", "dentist": "above left",
}  # fmt: skip
# Where the word for the question stands, beside the tail of its arrow: in points, and its side.
QUESTION_AT: dict[str, tuple[float, float, str]] = {
    "notes": (-6, 0, "right"), "songs": (-5, -12, "left"), "bakeries": (-5, -11, "left"),
    "whole": (-6, 0, "right"), "cut": (22, -15, "right"),
}  # fmt: skip
ASKING = {"bakeries": "market to you"}  # what stands there instead, where the tail is a place
IN_WORDS = (
    "Small planes with the question as an arrow and the rows as named dots. What is found is "
    "filled, ✓ where it was wanted, ✗ where not. {stores}"
)


def show_metrics(*names: str) -> None:
    """Show what stores find by each of the three metrics.

    The area that is shaded holds all places that score higher than the row that was found: a wedge
    about the question, what lies farther along it, or a disc about its tip. No row lies in it.

    names: those of some stores
    """
    stores = {name: STORES[name] for name in names}
    figure = _new_figure(0.82 + (HIGH + 0.08) * len(stores))
    each = all(len(all_hits(store, ANY)) == len(METRICS) for store in stores.values())
    _headline(figure, say(EACH_ANOTHER if each else BY_METRIC))
    high = figure.get_size_inches()[1]
    edges = {"left": 0.165, "right": 0.99, "top": 1 - 0.8 / high, "bottom": 0.05 / high}
    space = {"hspace": 0.06, "wspace": 0.04}
    grid = figure.subplots(len(stores), len(METRICS), squeeze=False, gridspec_kw={**edges, **space})
    for line, (name, store) in zip(grid, stores.items(), strict=True):
        head = {"fontsize": SMALL, "transform": line[0].transAxes, "va": "center"}
        line[0].text(-0.57, 0.6, say(name), **head)
        line[0].text(-0.57, 0.42, say(store.asked), color=QUERY, **head)
        for plane, metric in zip(line, METRICS, strict=True):
            _draw_store(plane, store, metric, (BESIDE_HEADS, 0, RIGHT.get(name, 0)))
    for plane, metric in zip(grid[0], METRICS, strict=True):
        head = f"{say(metric)}\n{say(SHAPES[metric])}"
        plane.set_title(head, loc="left", pad=4, **HEAD)
    told = [f"{say(name)}: {_finds(store, METRICS)}." for name, store in stores.items()]
    show_figure(figure, say(IN_WORDS, stores=" ".join(told)), colours=8)


def show_stores(which_metric: Callable) -> None:
    """Show what each store finds by the metric that was chosen for it, shaded as above.

    A wrong choice is drawn, too: it shows what it finds. The course's are drawn where the learner
    has named no metric at all, and the headline says whose they are. In the last place stands how
    many stores each metric alone would serve.

    which_metric: without arguments, to the names of metrics in the order of STORES
    """
    yours = _yours(which_metric)
    chosen = yours or [store.metric for store in STORES.values()]
    pairs = list(zip(STORES.items(), chosen, strict=True))
    figure = _new_figure(4.0)
    right = sum(_right(store, metric) for (_, store), metric in pairs)
    headline = say(YOURS if yours else COURSES, right=right, count=len(STORES))
    _headline(figure, headline)
    edges = {"left": 0.01, "right": 0.99, "top": 0.85, "bottom": 0.015}
    grid = figure.subplots(2, 3, gridspec_kw={**edges, "hspace": 0.24, "wspace": 0.04})
    *planes, last = grid.flat
    told = [f"{headline}."]
    for plane, ((name, store), metric) in zip(planes, pairs, strict=True):
        room = (ALONE_IN_ITS_THIRD, LEFT.get(name, 0), RIGHT.get(name, 0))
        _draw_store(plane, store, metric, room)
        head = say(CHOSEN, store=say(name), metric=say(metric or NO_METRIC))
        plane.set_title(head, loc="left", pad=4, **HEAD)
        *aside, side = QUESTION_AT[name]
        look = {"color": QUERY, "fontsize": SMALL, "zorder": 2.5, "path_effects": CLEAR}
        look |= {"ha": side, "va": "center", "xytext": aside, "textcoords": "offset points"}
        plane.annotate(say(ASKING.get(name) or store.asked + "?"), (0, 0), **look)
        told.append(f"{head} {_finds(store, (metric,))}".strip() + ".")
    told += _one_for_all(last)
    show_figure(figure, say(IN_WORDS, stores=" ".join(told)), colours=8)


def _yours(which_metric: Callable) -> list[str]:
    """The metrics that the learner chose, wrong or not, "" for what is none; [] if all are that."""
    own = own_function("which_metric", which_metric, course_choice)
    try:
        named = [metric_named(one) for one in own.function()] if own.function else []
    except (Stopped, TimeUp, TypeError):
        return []
    return named if len(named) == len(STORES) and any(named) else []


def _one_for_all(plane) -> list[str]:
    """The area of each metric, and how many stores it alone would serve; returned in words."""
    plane.set_axis_off()
    plane.set(xlim=(0, ALONE_IN_ITS_THIRD), ylim=(0, HIGH))  # in inches
    look = {"fontsize": SMALL, "va": "center"}
    plane.text(0.18, 1.12, say(ONE_FOR_ALL), **look)
    told: list[str] = []
    for line, metric in enumerate(METRICS):
        hits, high = sum(_right(store, metric) for store in STORES.values()), 0.84 - 0.28 * line
        told.append(say(ALONE, metric=say(metric), right=hits, count=len(STORES)))
        _draw_in_small(plane, metric, 0.18, high)
        plane.text(0.56, high, told[-1], **look)
    return [say(SHADED), say(ONE_FOR_ALL), *(f"{one}." for one in told)]


def _draw_in_small(plane, metric: str, left: float, middle: float) -> None:
    """The area of a metric as a sign: a wedge, all right of a line, a disc."""
    right, low, high = left + 0.28, middle - 0.1, middle + 0.1
    if metric == COSINE:
        corners = [(right, high), (left, middle), (right, low)]
        plane.add_patch(Polygon(corners, closed=False, **SHADE))
    elif metric == DISTANCE:
        plane.add_patch(Circle((left + 0.14, middle), 0.1, **SHADE))
    else:
        plane.add_patch(Rectangle((left, low), 0.28, 0.2, facecolor=PALE))
        plane.plot([left, left], [low, high], color=EDGE, linewidth=1)


def _new_figure(high: float):
    figure = new_figure(7.0, high)
    figure.set_layout_engine("none")
    return figure


def _headline(figure, told: str) -> None:
    top = 1 - 0.06 / figure.get_size_inches()[1]
    figure.headline(told, y=top)


def _right(store: Store, metric: str) -> bool:
    """Whether the store finds by a metric what was wanted of it, and nothing else."""
    return all_hits(store, metric) == [first_hit(store, store.metric)]


def _draw_store(plane, store: Store, metric: str, room: tuple[float, float, float]) -> None:
    """The rows of a store, its question, and the empty area that lies before what was found.

    By "any" that is the cosine's area, with an arc of all tips as long as the question: where the
    rows lie on it, the other two find the same.
    """
    rows, question = store.table, np.array(store.question)
    _frame(plane, np.vstack([rows, question, [0, 0]]), *room)
    found = all_hits(store, metric)
    for one in metrics_of(metric)[:1]:
        plane.add_patch(_better(one, question, np.array(store.rows[first_hit(store, one)])))
    if metric == ANY:
        turns = np.arctan2(*np.vstack([rows, question]).T[::-1])
        turns = np.linspace(turns.min(), turns.max(), 60)
        arc = np.linalg.norm(question) * np.stack([np.cos(turns), np.sin(turns)])
        plane.plot(*arc, color=DARK, linewidth=1.4, zorder=1.5)
    plane.annotate(
        "", question, (0, 0), arrowprops={"arrowstyle": "-|>", "color": QUERY, "shrinkA": 0,
        "shrinkB": 0, "linewidth": 2, "mutation_scale": 11}, zorder=3,
    )  # fmt: skip
    for name, tip in store.rows.items():
        full = name in found
        told = _told(store, name) if full else say(name)
        look = {"markerfacecolor": KEY if full else "white", "markersize": 9 if full else 7}
        plane.plot(*tip, "o", color=KEY, zorder=5 if full else 4, **look)
        _name(plane, tip, told, NAMED.get((name, metric)) or NAMED.get(name))


def _name(plane, tip, told: str, where: str | None) -> None:
    """The name at a dot, moved so that it stays in the frame; `where`, if it has a place."""
    low, high = plane.get_xlim()
    side = "left" if (tip[0] - low) / (high - low) < 0.3 else "center"
    place = {"ha": side, "va": "bottom", "xytext": (0 if side == "center" else -5, 8)}
    if where == "beside":
        place = {"ha": "left", "va": "center_baseline", "xytext": (9, 0)}
    elif where == "before":
        place = {"ha": "right", "va": "center_baseline", "xytext": (-10, 0)}
    elif where == "below":
        side = "right" if tip[0] > 0.75 * high + 0.25 * low else side
        place = {"ha": side, "va": "top", "xytext": (5 if side == "right" else -5, -8)}
    elif where == "below left":
        place = {"ha": "right", "va": "top", "xytext": (-7, -7)}
    elif where == "above":
        place |= {"ha": "center", "xytext": (0, 8)}
    elif where == "above left":
        place |= {"ha": "right", "xytext": (-7, 7)}
    elif where == "above right":
        place |= {"ha": "left", "xytext": (-4, 8)}
    look = {"fontsize": SMALL, "color": INK, "zorder": 2.5, "path_effects": CLEAR}
    plane.annotate(told, tip, textcoords="offset points", **place, **look)


def _frame(plane, tips, wide: float, left: float, right: float) -> None:
    """The plane around the tips, the same scale both ways, as wide and as high as its place.

    left, right: so much stays free on these sides
    """
    low, high = tips.min(axis=0), tips.max(axis=0)
    free = np.array([wide - left - right - 2 * ROOM, HIGH - 2 * ABOVE])
    scale = max((high - low) / free)
    middle, half = (low + high) / 2, scale * np.array([wide, HIGH]) / 2
    middle[0] += scale * (right - left) / 2
    plane.set(xticks=[], yticks=[], xlim=(middle[0] - half[0], middle[0] + half[0]))
    plane.set(ylim=(middle[1] - half[1], middle[1] + half[1]))
    plane.set_aspect("equal")
    plane.spines[:].set(visible=True, color="#dddddd", linewidth=1)


def _better(metric: str, question, tip):
    """The area in which a row would come before the one whose tip is found."""
    if metric == DISTANCE:
        return Circle(question, float(np.linalg.norm(tip - question)), **SHADE)
    along = question / np.linalg.norm(question)
    across = np.array([-along[1], along[0]])
    reach, off = tip @ along, abs(tip @ across)
    if metric == COSINE:
        corners = [(0, 0), *(FAR * (along + side * off / reach * across) for side in (1, -1))]
    else:
        corners = [
            step * along + side * FAR * across
            for step, side in ((reach, 1), (FAR, 1), (FAR, -1), (reach, -1))
        ]
    return Polygon(corners, closed=True, **SHADE)


def _finds(store: Store, metrics: tuple[str, ...]) -> str:
    """What a store finds by each of some metrics, in words."""
    found = [(metric, ", ".join(_told(store, one) for one in all_hits(store, metric)))
             for metric in metrics]  # fmt: skip
    if len(found) == 1:
        return found[0][1]
    return ", ".join(f"{say(metric)} {names}" for metric, names in found)


def _told(store: Store, name: str) -> str:
    """The name of a row that was found, with a mark: was it wanted?"""
    wanted = name == first_hit(store, store.metric)
    return say("✓ {found}" if wanted else "✗ {found}", found=say(name))
