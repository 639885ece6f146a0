"""Tables of numbers as coloured cells: keys on x, queries on y, one row for each query.

    scores = draw_scores(axes, q @ k.T, rows=["cat", "dog"], columns=["apple", "pear", "plum"])
    weights = draw_weights(axes, softmax(q @ k.T))
    scores.update(new); scores.highlight(row=1, column=2)
    Drawing(update, moving=scores.artists)     # or scores.frames, where only the frame moves

Scores: a diverging map centred on 0, blue above and orange below, so that the sign is seen.
Weights: a sequential map, always from 0 to 1, so that two pictures can be compared.
What is masked in a masked array has no cell and no number: a mask hides it (figures/hatched.py).
Small tables carry their numbers in the cells, in black or white, whichever reads better; a large
one has a colour bar instead.
"""

import numpy as np
from matplotlib.colors import LinearSegmentedColormap, Normalize
from matplotlib.patches import Rectangle

from course_lib.figures.theme import INK, SMALL

SCORES = LinearSegmentedColormap.from_list(
    "scores", ["#8a3200", "#d9772e", "#f3c9a5", "#ffffff", "#a9cdea", "#3b86c6", "#073f78"]
)
SIGNS = LinearSegmentedColormap.from_list(
    "signs", ["#b07c00", "#dcae2c", "#f7e6b5", "#ffffff", "#d6d6d6", "#919191", "#3c3c3c"]
)  # gold below zero, grey above: where blue and orange stand for query and key beside it
WEIGHTS = LinearSegmentedColormap.from_list(
    "weights", ["#ffffff", "#c9ced6", "#8b93a1", "#3d4450", "#15181d"]
)
MOST_NUMBERS = 64  # cells; more of them cannot be read at the width of a notebook


def luminance(rgb) -> np.ndarray:
    """Relative luminance of sRGB colours in 0..1, as contrast rules define it. Shapes: (..., 3)."""
    rgb = np.asarray(rgb, dtype=float)[..., :3]
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    return linear @ np.array([0.2126, 0.7152, 0.0722])


def contrast(a, b) -> np.ndarray:
    """Contrast ratio of two colours or arrays of colours, from 1 (none) to 21 (black on white)."""
    high, low = np.maximum(luminance(a), luminance(b)), np.minimum(luminance(a), luminance(b))
    return (high + 0.05) / (low + 0.05)


def black_reads_better(fill) -> np.ndarray:
    """Whether black letters stand out from a colour, or from each of several, as well as white."""
    return contrast(fill, (0, 0, 0)) >= contrast(fill, (1, 1, 1))


class HeatMap:
    """A table of coloured cells that can be updated in place."""

    def __init__(self, axes, table, cmap, limits, *, rows, columns, number, numbers):
        table = np.ma.asarray(table, dtype=float)
        if table.ndim != 2 or 0 in table.shape:
            raise ValueError(
                f"table has shape {table.shape}, but a heat map needs rows and columns"
            )
        self._number, self._shape = number, table.shape
        norm = Normalize(*limits, clip=True)
        self._image = axes.imshow(table, cmap=cmap, norm=norm, aspect="equal", interpolation="none")
        self._label_cells(axes, rows, columns)
        show = table.size <= MOST_NUMBERS if numbers is None else numbers
        self._texts = [
            axes.text(j, i, "", ha="center", va="center", fontsize=SMALL, zorder=4)
            for i in range(table.shape[0] if show else 0)
            for j in range(table.shape[1])
        ]
        self._bands = [
            axes.add_patch(
                Rectangle(
                    (0, 0),
                    0,
                    0,
                    fill=False,
                    edgecolor=INK,
                    linewidth=2.5,
                    visible=False,
                    zorder=5,
                    clip_on=False,
                )
            )
            for _ in range(2)
        ]
        if not show:
            axes.figure.colorbar(self._image, ax=axes, shrink=0.8)
        self._table = self._hidden = None
        self.frames = self._bands
        self.artists = [self._image, *self._texts, *self._bands]
        self.update(table)

    def _label_cells(self, axes, rows, columns) -> None:
        axes.tick_params(length=0)
        axes.spines[:].set_visible(False)
        for names, size, axis in (
            (rows, self._shape[0], axes.yaxis),
            (columns, self._shape[1], axes.xaxis),
        ):
            if names is None:
                axis.set_ticks([])
                continue
            if len(names) != size:
                raise ValueError(f"{len(names)} names for {size} rows or columns: {list(names)}")
            axis.set_ticks(range(size), labels=names)

    def update(self, table) -> None:
        """Show another table of the same shape."""
        hidden = np.ma.getmaskarray(table)
        table = np.ma.filled(np.ma.asarray(table, dtype=float), np.nan)
        if table.shape != self._shape:
            raise ValueError(f"table has shape {table.shape}, but the heat map {self._shape}")
        same = self._table is not None and np.array_equal(hidden, self._hidden)
        if same and np.array_equal(table, self._table, equal_nan=True):
            return  # nothing to redraw
        self._table, self._hidden = table.copy(), hidden
        self._image.set_data(table)
        if not self._texts:
            return
        colours = self._image.cmap(self._image.norm(table))[..., :3].reshape(-1, 3)
        blacks = black_reads_better(colours)
        cells = zip(self._texts, table.flat, hidden.flat, blacks, strict=True)
        for text, value, away, black in cells:
            shown = self._number.format(value + 0.0).replace("-", "\N{MINUS SIGN}")
            text.set_text("" if away else shown)
            text.set_color("black" if black else "white")

    def highlight(self, row: int | None = None, column: int | None = None) -> None:
        """Frame a row, a column or (both) one cell; without arguments nothing is framed."""
        height, width = self._shape
        both = row is not None and column is not None
        first = second = None
        if both:
            first = (column - 0.5, row - 0.5, 1, 1)
        elif row is not None:
            first = (-0.5, row - 0.5, width, 1)
        elif column is not None:
            second = (column - 0.5, -0.5, 1, height)
        for band, bounds in zip(self._bands, (first, second), strict=True):
            if band.get_visible() != (bounds is not None):
                band.set_visible(bounds is not None)
            if bounds is not None and band.get_bbox().bounds != bounds:
                band.set_bounds(bounds)


def draw_scores(
    axes, scores, *, rows=None, columns=None, limit=None, number="{:.3g}", numbers=None,
    colours=SCORES,
) -> HeatMap:  # fmt: skip
    """Scores (any sign) as cells, white at 0.

    scores: (t, s)   rows, columns: names of the queries and keys.   number: format of a cell.
    limit: the size of score that has the full colour; the largest of `scores` where it is None.
    numbers: True or False to force numbers in the cells or a colour bar.   colours: a map that is
    white in its middle.
    Raises: ValueError, if the table is empty, or the names do not fit it.
    """
    if limit is None:
        finite = np.abs(np.asarray(scores, dtype=float))
        limit = max(float(np.max(finite, initial=0.0, where=np.isfinite(finite))), 1e-12)
    return HeatMap(
        axes,
        scores,
        colours,
        (-limit, limit),
        rows=rows,
        columns=columns,
        number=number,
        numbers=numbers,
    )


def draw_weights(
    axes, weights, *, rows=None, columns=None, number="{:.2f}", numbers=None
) -> HeatMap:
    """Weights (0 to 1, each row a query's) as cells, white at 0 and darkest at 1.

    weights: (t, s)   The other arguments are those of `draw_scores`.
    Raises: ValueError, if the table is empty, or the names do not fit it.
    """
    return HeatMap(
        axes,
        weights,
        WEIGHTS,
        (0.0, 1.0),
        rows=rows,
        columns=columns,
        number=number,
        numbers=numbers,
    )
