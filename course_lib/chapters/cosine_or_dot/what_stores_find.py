"""The picture of chapter 2's five stores: what does each metric find, and why?

show_stores(which_metric)   # a row for each store, a column for each metric
"""

from collections.abc import Callable

import numpy as np
from matplotlib.patches import Circle, Polygon

from course_lib.chapters.cosine_or_dot.stores import (
    ANY,
    COSINE,
    DISTANCE,
    INNER_PRODUCT,
    STORES,
    Store,
    first_hit,
    metric_named,
)
from course_lib.figures.static import show_figure
from course_lib.figures.theme import INK, KEY, QUERY, SMALL, TITLE, YOURS, new_figure
from course_lib.words import say

METRICS = (COSINE, INNER_PRODUCT, DISTANCE)
HEADLINE = "Your metrics (framed) find what was wanted in {right} of {count} stores"
COLUMN = "{metric}: {right} of {count}"
PALE, EDGE, MISSED = "#ece8df", "#b9b2a3", "#5c5c5c"
FAR = 100.0  # beyond the frame of every store
WIDE, HIGH = 1.88, 0.63  # inches of one small plane
ROOM = 0.13  # left free around the tips, in inches
IN_WORDS = (
    "Five stores, once for each metric: the question an arrow, the rows dots, the one that is "
    "found filled. Found, ✓ where it was wanted: {stores} Chosen: {chosen}."
)


def show_stores(which_metric: Callable) -> None:
    """Show what each store finds by each metric; the learner's choices are framed.

    The area that is shaded holds all places that score higher than the row that was found: a wedge
    about the question, what lies farther along it, or a disc about its tip. No row lies in it.

    which_metric: without arguments, to the names of metrics in the order of STORES
    """
    chosen = [metric_named(metric) for metric in which_metric()]
    right = [_right(store, metric) for store, metric in zip(STORES.values(), chosen, strict=True)]
    figure = new_figure(7.0, 5.0)
    figure.set_layout_engine("none")
    told = say(HEADLINE, right=sum(right), count=len(STORES))
    figure.suptitle(told, x=0.01, y=0.985, ha="left", fontsize=TITLE, fontweight="bold")
    edges = {"left": 0.165, "right": 0.99, "top": 0.85, "bottom": 0.015}
    grid = figure.subplots(
        len(STORES), len(METRICS), gridspec_kw={**edges, "hspace": 0.4, "wspace": 0.04}
    )
    for line, (name, store), metric in zip(grid, STORES.items(), chosen, strict=True):
        _head(line[0], name, store.asked)
        for plane, column in zip(line, METRICS, strict=True):
            _draw_store(plane, store, column)
            if metric in (column, ANY):
                plane.spines[:].set(color=YOURS, linewidth=2.4)
    for plane, column in zip(grid[0], METRICS, strict=True):
        hits = sum(_right(store, column) for store in STORES.values())
        head = say(COLUMN, metric=say(column), right=hits, count=len(STORES))
        look = {"fontsize": SMALL, "fontweight": "bold", "transform": plane.transAxes}
        plane.text(0, 1.46, head, **look)
    show_figure(figure, _in_words(chosen), colours=8)


def _right(store: Store, metric: str) -> bool:
    """Whether the store finds by a metric what was wanted of it."""
    return metric != "" and first_hit(store, metric) == first_hit(store, store.metric)


def _head(axes, name: str, asked: str) -> None:
    """The name of a store, and below it in the question's colour what it is asked for."""
    look = {"fontsize": SMALL, "transform": axes.transAxes, "va": "center"}
    axes.text(-0.57, 0.66, say(name), fontweight="bold", **look)
    axes.text(-0.57, 0.3, say(asked), color=QUERY, **look)


def _draw_store(plane, store: Store, metric: str) -> None:
    """The rows of a store, its question, and the empty area that lies before what was found."""
    rows, question = store.table, np.array(store.question)
    _frame(plane, np.vstack([rows, question, [0, 0]]))
    found = first_hit(store, metric)
    tip = np.array(store.rows[found])
    plane.add_patch(_better(metric, question, tip))
    plane.annotate(
        "", question, (0, 0), arrowprops={"arrowstyle": "-|>", "color": QUERY, "shrinkA": 0,
        "shrinkB": 0, "linewidth": 2, "mutation_scale": 11}, zorder=3,
    )  # fmt: skip
    plane.plot(*rows.T, "o", color=KEY, markerfacecolor="white", markersize=7, zorder=4)
    plane.plot(*tip, "o", color=KEY, markersize=9, zorder=5)
    colour = INK if _right(store, metric) else MISSED
    look = {"fontsize": SMALL, "fontweight": "normal", "color": colour}
    plane.set_title(_told(store, metric), loc="left", pad=4, **look)


def _frame(plane, tips) -> None:
    """The plane around the tips, the same scale both ways, as wide and as high as its place."""
    low, high = tips.min(axis=0), tips.max(axis=0)
    room = 2 * ROOM
    scale = max((high - low) / (np.array([WIDE, HIGH]) - room))
    middle, half = (low + high) / 2, scale * np.array([WIDE, HIGH]) / 2
    plane.set(xticks=[], yticks=[], xlim=(middle[0] - half[0], middle[0] + half[0]))
    plane.set(ylim=(middle[1] - half[1], middle[1] + half[1]))
    plane.set_aspect("equal")
    plane.spines[:].set(visible=True, color="#dddddd", linewidth=1)


def _better(metric: str, question, tip):
    """The area in which a row would come before the one whose tip is found."""
    look = {"facecolor": PALE, "edgecolor": EDGE, "linewidth": 1, "zorder": 1}
    if metric == DISTANCE:
        return Circle(question, float(np.linalg.norm(tip - question)), **look)
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
    return Polygon(corners, closed=True, **look)


def _in_words(chosen: list[str]) -> str:
    """What the picture shows."""
    stores = " ".join(f"{say(name)}: {_finds(store)}." for name, store in STORES.items())
    choices = ", ".join(say(metric or "none") for metric in chosen)
    return say(IN_WORDS, stores=stores, chosen=choices)


def _finds(store: Store) -> str:
    return ", ".join(f"{say(metric)} {_told(store, metric)}" for metric in METRICS)


def _told(store: Store, metric: str) -> str:
    """The name of what a store finds, with a tick where it is what was wanted."""
    template = "✓ {found}" if _right(store, metric) else "{found}"
    return say(template, found=say(first_hit(store, metric)))
