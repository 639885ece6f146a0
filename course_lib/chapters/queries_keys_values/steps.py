"""Pictures: every table on the way to the output, and one table of weights alone."""

import itertools
from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from course_lib.figures.heat_map import draw_scores, draw_weights
from course_lib.figures.numerals import Share, share, signed
from course_lib.figures.static import show_figure
from course_lib.figures.theme import INK, KEY, OUTPUT, QUERY, TITLE, VALUE, new_figure
from course_lib.words import say

TRAITS = {
    "q": ("thing?", "action?"),
    "k": ("thing", "action"),
    "v": ("thing", "action", "grammar"),
    "output": ("thing", "action", "grammar"),
}
HEADINGS = {
    "q": ("q: looks for", QUERY),
    "k": ("k: offers", KEY),
    "v": ("v: hands over", VALUE),
    "scores": ("scores: q · k / √{d}", INK),
    "weights": ("weights: softmax", INK),
    "output": ("output", OUTPUT),
}
WIDTH, SMALLER = 0.88, 0.92  # of the tables in the first line, and in the second
STORED = 3  # colours: cells of few tints, and words
LINES = (("q", "k", "v"), ("scores", "weights", "output"))
ALIKE = (("q", "k", "v", "output"), ("scores",))  # tables of one scale of shades


class _Short:
    """Whole numbers as such, others with two digits."""

    def format(self, value: float) -> str:
        return signed(value, 0 if float(value).is_integer() else 2)


def draw_steps(
    figure: Figure, steps: Mapping[str, np.ndarray], words: Sequence[str], asks: int
) -> None:
    """The tables of one head, each under its name, with the row of the word that asks framed.

    steps: name -> (rows, columns), as `trace` names them.   words: (n,)   asks: place of a word.
    """
    grid, drawn = figure.add_gridspec(2, 1, hspace=0.2), {}
    shades = {name: _largest(steps, names) for names in ALIKE for name in names}
    for line, names in zip(grid, LINES, strict=True):
        tables = [np.asarray(steps[name], dtype=float) for name in names]
        cells = line.subgridspec(1, len(names), width_ratios=[one.shape[1] for one in tables])
        for place, (name, table) in enumerate(zip(names, tables, strict=True)):
            axes = drawn[name] = figure.add_subplot(cells[place])
            rows = words if place == 0 else None
            if name == "weights":
                cells_of = draw_weights(axes, table, rows=rows, number=Share())
                for text, weight in zip(axes.texts, table.flat, strict=True):
                    text.set_color("white" if weight > 0.5 else "black")
            else:
                cells_of = draw_scores(axes, table, rows=rows, number=_Short(), limit=shades[name])
            if name not in ("k", "v"):
                cells_of.highlight(row=asks)
            columns = TRAITS.get(name, words)
            axes.set_xticks(range(len(columns)), labels=columns)
            if names == LINES[0]:
                axes.set_aspect("auto")  # wide cells: room for the names below
            else:
                axes.tick_params("x", rotation=30)
                for text in axes.get_xticklabels():
                    text.set(ha="right", rotation_mode="anchor")
            heading, colour = HEADINGS[name]
            axes.set_title(
                say(heading, d=steps["q"].shape[-1]), color=colour, fontsize=TITLE - 1,
                fontweight="normal",
            )  # fmt: skip
    figure.headline(_finding(steps, words, asks))
    _say_who_asks_whom(drawn)
    _say_what_meets_what(figure, drawn)
    _say_what_follows(figure, drawn)


def _finding(steps: Mapping[str, np.ndarray], words: Sequence[str], asks: int) -> str:
    """Whom the word that asks gives most, and what it takes home."""
    most, home = (int(np.argmax(steps[name][asks])) for name in ("weights", "output"))
    return say(
        "{word} gives most to {other}, and takes home mostly {trait}",
        word=words[asks], trait=TRAITS["output"][home],
        other=say("itself") if most == asks else words[most],
    )  # fmt: skip


def _say_who_asks_whom(drawn: Mapping) -> None:
    """Beside the scores and below the two square tables: who asks, and who answers."""
    drawn["scores"].set_ylabel(say("asks"), color=QUERY)
    for name in ("scores", "weights"):
        drawn[name].set_xlabel(say("answers"), color=KEY)


def _largest(steps: Mapping[str, np.ndarray], names: Sequence[str]) -> float:
    """The size of number that has the darkest shade in all of these tables."""
    return max(float(np.abs(np.asarray(steps[name])).max()) for name in names) or 1.0


def _say_what_meets_what(figure: Figure, drawn: Mapping) -> None:
    """Lines with arrows: q and k lead to the scores, v to the output."""
    figure.draw_without_rendering()  # places the tables
    figure.set_layout_engine("none")
    for name, axes in drawn.items():  # room between the tables, for arrows
        place, above = axes.get_position(), name in LINES[0]
        smaller = place.shrunk(WIDTH, 0.82) if above else place.shrunk(SMALLER, SMALLER)
        axes.set_position(smaller.anchored("NW" if above else "C", place))
    places = {name: axes.get_position() for name, axes in drawn.items()}
    below, above = places["scores"].y1 + 0.105, places["scores"].y1 + 0.075
    for name, to, colour in (("q", "scores", QUERY), ("k", "scores", KEY), ("v", "output", VALUE)):
        start = places[name].x1 + 0.012
        end = {"q": places[to].x0 + 0.11, "k": places[to].x0 + 0.16}.get(name, start)
        line = {"color": colour, "linewidth": 1.4, "transform": figure.transFigure}
        bend = below + (0.035 if name == "q" else 0.0)  # so that no line lies on another
        path = [(start, places[name].y0 + 0.02), (start, bend), (end, bend), (end, above)]
        figure.add_artist(Line2D(*zip(*path, strict=True), **line))
        figure.add_artist(
            Line2D([end], [above], marker="v", markersize=7, **{**line, "linestyle": "none"})
        )


def _say_what_follows(figure: Figure, drawn: Mapping) -> None:
    """An arrow from each table of the second line to the next."""
    for left, right in itertools.pairwise(LINES[1]):
        one, other = drawn[left].get_position(), drawn[right].get_position()
        figure.text(
            (one.x1 + other.x0) / 2, (one.y0 + one.y1) / 2, "→", ha="center", va="center",
            fontsize=TITLE,
        )  # fmt: skip


def describe_steps(steps: Mapping[str, np.ndarray], words: Sequence[str], asks: int) -> str:
    """The picture in words."""
    weights = ", ".join(
        f"{word} {share(float(one))}"
        for word, one in zip(words, steps["weights"][asks], strict=True)
    )
    scores = ", ".join(_Short().format(float(one)) for one in steps["scores"][asks])
    output = ", ".join(_Short().format(float(one)) for one in steps["output"][asks])
    return say(
        "Six tables in two lines: queries, keys and values; then scores divided by the root, "
        "weights and output. Queries and keys lead to the scores, and values to the output. "
        "A row is a word. The row of {word}: scaled scores {scores}; weights {weights}; "
        "output {output}.",
        word=words[asks], scores=scores, weights=weights, output=output,
    )  # fmt: skip


def _drawn(steps: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The tables that are drawn: the scores as they go into the softmax, scaled."""
    tables = {name: np.asarray(table) for name, table in steps.items()}
    return {**tables, "scores": tables["scaled"]}


def show_steps(steps: Mapping[str, np.ndarray], words: Sequence[str], asks: int = 0) -> None:
    """Show the tables of `trace` for one sentence, the row of one word framed.

    steps: name -> table, as `trace` gives them.   words: (n,)   asks: place of the framed word.
    """
    tables = _drawn(steps)
    figure = new_figure(7.0, 5.5)
    draw_steps(figure, tables, words, asks)
    show_figure(figure, describe_steps(tables, words, asks), colours=STORED)
