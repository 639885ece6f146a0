"""What a learner moves by handles in the picture alone: it has no row among the sliders.

    Numbers(-2, 4, start=(2.0, 1.4, 2.4, -1.0), labels=("Xiao", "Jiangxi", "concert", "done"),
            label="scores", step=0.1)                 # a tuple of numbers, a handle each
    Cells(start=((True, False), (True, True)), label="mask",
          labels=(("query 0", "query 1"), ("key 0", "key 1")))   # rows of cells that are painted

The keyboard reaches each of them through its handle (handles.py).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from course_lib.sliding.sliders import FloatRange, IntRange, Options, Toggle


@dataclass(frozen=True)
class Numbers:
    """A tuple of numbers, each from low to high in steps.

    labels: what each of them is called.   Raises: ValueError, if their counts differ.
    """

    low: float
    high: float
    start: tuple[float, ...]
    labels: Sequence[str]
    label: str
    step: float | None = None

    def __post_init__(self):
        if len(self.labels) != len(self.start):
            raise ValueError(f"{len(self.start)} numbers start, but labels name {len(self.labels)}")
        for number in self.start:
            FloatRange(self.low, self.high, start=number, label=self.label, step=self.step)

    @property
    def each(self) -> FloatRange:
        """The range of one of them."""
        return FloatRange(
            self.low, self.high, start=self.start[0], label=self.label, step=self.step
        )

    def value(self, raw: Any) -> tuple[float, ...]:
        """The parameter's value."""
        return tuple(self.each.value(number) for number in raw)

    def refuse(self, value: Any) -> None:
        """Raise ValueError, if there are more or fewer numbers, or one is out of range."""
        if len(value) != len(self.start):
            raise ValueError(f"{self.label}: {len(value)} numbers, but there are {len(self.start)}")
        for number in value:
            self.each.refuse(number)

    def stops(self) -> list[tuple[float, ...]]:
        """All low, the start, all high: where tests look."""
        count = len(self.start)
        return [self.value([self.low] * count), self.start, self.value([self.high] * count)]

    def nearest(self, value: Any) -> tuple[float, ...]:
        """Each number at its nearest stop."""
        return tuple(self.each.nearest(number) for number in value)

    def told(self) -> dict:
        """What the front end needs to know of it."""
        stops = self.each.notches()
        return {"kind": "held", "label": self.label, "labels": list(self.labels), "stops": stops}

    def sent(self, value: Any) -> list[float]:
        """A value as the front end has it."""
        return list(value)

    def taken(self, raw: Any) -> tuple[float, ...]:
        """The value that the front end means, brought into the range."""
        return tuple(self.each.taken(number) for number in raw)


@dataclass(frozen=True)
class Cells:
    """Rows of cells, each off or on: a mask, as a tuple of tuples of bool.

    labels: names of the rows and names of the columns.
    Raises: ValueError, if their counts are not those of the cells.
    """

    start: tuple[tuple[bool, ...], ...]
    label: str
    labels: tuple[Sequence[str], Sequence[str]]

    def __post_init__(self):
        rows, columns = map(len, self.labels)
        if rows != len(self.start) or any(len(row) != columns for row in self.start):
            raise ValueError(f"labels name {rows} rows of {columns}; the start has others")

    def value(self, raw: Any) -> tuple[tuple[bool, ...], ...]:
        """The parameter's value."""
        return tuple(tuple(bool(cell) for cell in row) for row in raw)

    def refuse(self, value: Any) -> None:
        """Raise ValueError, if there are other rows or columns."""
        if [len(row) for row in value] != [len(row) for row in self.start]:
            raise ValueError(f"{self.label}: not {len(self.start)} rows of {len(self.start[0])}")

    def stops(self) -> list[tuple[tuple[bool, ...], ...]]:
        """None of the cells, the start, all of them: where tests look."""
        rows, columns = map(len, self.labels)
        return [((False,) * columns,) * rows, self.start, ((True,) * columns,) * rows]

    def nearest(self, value: Any) -> tuple[tuple[bool, ...], ...]:
        """The same cells."""
        return self.value(value)

    def told(self) -> dict:
        """What the front end needs to know of it: the cells in one list, row by row."""
        names = [f"{row}, {column}" for row in self.labels[0] for column in self.labels[1]]
        return {"kind": "held", "label": self.label, "labels": names, "stops": [False, True]}

    def sent(self, value: Any) -> list[bool]:
        """A value as the front end has it: in one list, row by row."""
        return [bool(cell) for row in value for cell in row]

    def taken(self, raw: Any) -> tuple[tuple[bool, ...], ...]:
        """The value that the front end means.

        Raises: ValueError, if there are more or fewer cells.
        """
        rows, columns = map(len, self.labels)
        if len(raw) != rows * columns:
            raise ValueError(f"{self.label}: {len(raw)} cells, but there are {rows * columns}")
        return self.value(raw[row * columns : (row + 1) * columns] for row in range(rows))


Slider = IntRange | FloatRange | Options | Toggle | Numbers | Cells
