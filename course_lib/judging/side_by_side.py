"""What was expected and what came as a small table: the two beside each other, what differs marked.
Of a large array only what stands around the first such place."""

from collections.abc import Iterable, Sequence

import numpy as np

from course_lib.judging import sentences as s
from course_lib.judging.pasteable import scalar_shown
from course_lib.judging.verdict import Cell, Comparison, Sentence, sentence
from course_lib.learner.compare import near
from course_lib.markup import COLOURS, MONO, escaped

MARK = "≠"  # no colour alone
GAP = "..."
IN_A_ROW, ROWS, COLUMNS = 6, 5, 3  # entries that are shown of a vector, of a matrix
LONG = 7  # characters; a longer number is shown with four digits


def compared(want: np.ndarray, got: np.ndarray) -> Comparison | None:
    """The comparison of two arrays; None where there is none to make, as of two numbers."""
    if want.shape != got.shape:
        return _of_shapes(want.shape, got.shape)
    if want.ndim == 0 or want.size < 2 or want.dtype.kind == "c":
        return None
    differs = ~near(got, want)
    if not differs.any():
        return None
    place = tuple(map(int, np.argwhere(differs)[0]))
    return (_of_vectors if want.ndim == 1 else _of_tables)(want, got, differs, place)


def plain_lines(comparison: Comparison) -> list[str]:
    """The comparison as aligned lines of text."""
    texts = [[_marked(cell) for cell in row] for row in comparison.rows]
    widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
    return [
        "  ".join(
            f"{'| ' if cell.first else ''}{text:>{width}}"
            for cell, text, width in zip(row, line, widths, strict=True)
        ).rstrip()
        for row, line in zip(comparison.rows, texts, strict=True)
    ]


def html_table(comparison: Comparison) -> str:
    """The comparison as HTML that takes its colours from the page."""
    rows = "".join(
        f'<tr style="background: none;">{"".join(map(_html_cell, row))}</tr>'
        for row in comparison.rows
    )
    return (
        '<div style="overflow-x: auto;"><table style="border-collapse: collapse; margin: 4px 0; '
        f'{MONO}"><tbody>{rows}</tbody></table></div>'
    )


def _html_cell(cell: Cell) -> str:
    style = "padding: 3px 8px; line-height: 1.2; text-align: right; white-space: nowrap;"
    if cell.first:
        style += " border-left: 1px solid currentColor;"
    if cell.head:
        style += " opacity: 0.75;"
    if cell.marked:
        style += f" outline: 2px solid {COLOURS['wrong']}; font-weight: bold;"
    return f'<td style="{style}">{escaped(_marked(cell))}</td>'


def _marked(cell: Cell) -> str:
    return f"{MARK} {cell.shown}" if cell.marked else cell.shown


def _of_shapes(want: tuple[int, ...], got: tuple[int, ...]) -> Comparison | None:
    if not want or not got:
        return None  # the sentence says it: a single number
    width = max(len(want), len(got))
    longer = [(*shape, *("-" * (width - len(shape)))) for shape in (want, got)]
    first = next(place for place in range(width) if longer[0][place] != longer[1][place])
    head = _heads(sentence(s.AXIS, place=place) for place in range(width))
    return Comparison(
        (
            (_head(""), *head),
            (_head(sentence(s.SHAPE_EXPECTED)), *(Cell(str(size)) for size in longer[0])),
            (
                _head(sentence(s.SHAPE_YOURS)),
                *(Cell(str(size), marked=place == first) for place, size in enumerate(longer[1])),
            ),
        ),
        replaces=False,
    )


def _of_vectors(
    want: np.ndarray, got: np.ndarray, differs: np.ndarray, first: tuple[int, ...]
) -> Comparison:
    places = _around(first[0], len(want), IN_A_ROW)
    theirs, mine = _shown(
        want, got, differs, [(place,) for place in places if place is not None], first
    )
    rows = [
        (_head(""), *_heads(GAP if place is None else f"[{place}]" for place in places)),
        (_head(sentence(s.EXPECTED)), *_in_places(places, theirs)),
        (_head(sentence(s.YOURS)), *_in_places(places, mine)),
    ]
    return Comparison(tuple(rows))


def _of_tables(
    want: np.ndarray, got: np.ndarray, differs: np.ndarray, first: tuple[int, ...]
) -> Comparison:
    *before, row, column = first
    rows, columns = _around(row, want.shape[-2], ROWS), _around(column, want.shape[-1], COLUMNS)
    lead = "[:, " if want.ndim == 2 else "[..., "
    heads = _heads(GAP if one is None else f"{lead}{one}]" for one in columns)
    heads = (_first(heads[0]), *heads[1:])
    blank = (_head(""),) * (len(columns) - 1)
    named = [(_first(_head(sentence(title))), *blank) for title in (s.EXPECTED, s.YOURS)]
    lines = [(_head(""), *named[0], *named[1]), (_head(""), *heads, *heads)]
    for one in rows:
        if one is None:
            gap = _heads([GAP] * len(columns))
            gap = (_first(gap[0]), *gap[1:])
            lines.append((_head(GAP), *gap, *gap))
            continue
        index = (*before, one)
        places = [(*index, place) for place in columns if place is not None]
        theirs, mine = (
            _in_places(columns, cells) for cells in _shown(want, got, differs, places, first)
        )
        name = "[" + ", ".join(map(str, index)) + "]"
        lines.append((_head(name), _first(theirs[0]), *theirs[1:], _first(mine[0]), *mine[1:]))
    return Comparison(tuple(lines))


def _around(place: int, count: int, shown: int) -> list[int | None]:
    """The places to show, with None where some are left out; never where it would stand for one."""
    begin = max(min(place - shown // 2, count - shown), 0)
    end = min(begin + shown, count)
    begin, end = (0 if begin == 1 else begin), (count if end == count - 1 else end)
    inner: list[int | None] = list(range(begin, end))
    return [None] * (begin > 0) + inner + [None] * (end < count)


def _shown(
    want: np.ndarray, got: np.ndarray, differs: np.ndarray, places: Sequence[tuple], first: tuple
) -> tuple[list[Cell], list[Cell]]:
    """The numbers of these places; at the first difference with as many digits as it takes.

    Another difference is marked where its digits show it.
    """
    theirs, mine = [], []
    for place in places:
        one, other = _number(want[place]), _number(got[place])
        if tuple(place) == first and one == other:
            one, other = f"{float(want[place]):.12g}", f"{float(got[place]):.12g}"
        theirs.append(Cell(one))
        marked = tuple(place) == first or (bool(differs[place]) and one != other)
        mine.append(Cell(other, marked=marked))
    return theirs, mine


def _number(value: np.generic) -> str:
    shown = scalar_shown(value)
    if len(shown) > LONG and value.dtype.kind == "f":
        return f"{float(value):.4g}"
    return shown


def _in_places(places: Sequence[int | None], cells: Iterable[Cell]) -> tuple[Cell, ...]:
    """The cells at these places, and a gap where some are left out."""
    left = iter(cells)
    return tuple(_head(GAP) if place is None else next(left) for place in places)


def _head(text: str | Sentence) -> Cell:
    return Cell(text, head=True)


def _heads(texts: Iterable[str | Sentence]) -> tuple[Cell, ...]:
    return tuple(map(_head, texts))


def _first(cell: Cell) -> Cell:
    return Cell(cell.text, cell.marked, cell.head, first=True)
