"""The rows as a table for programs (CSV), each written as soon as it is there."""

import csv
import io
import os
from collections.abc import Sequence
from dataclasses import astuple, fields
from pathlib import Path
from types import TracebackType

from course_lib.grade.judged import Row

FORMULA = ("=", "+", "-", "@", "\t", "\r")  # what a spreadsheet would compute
MARK = "\ufeff"  # with it at the start, Excel reads the file as UTF-8 too


class Table:
    """A file of rows that grows.

    Raises: OSError, if it cannot be written.
    """

    def __init__(self, path: Path):
        self.path = path
        self._file = open(path, "w", encoding="utf-8", errors="backslashreplace", newline="")  # noqa: SIM115
        self._put(MARK + as_csv([]))

    def add(self, rows: Sequence[Row]) -> None:
        """Write rows to the end of the file; they are there even if all ends now."""
        self._put(_lines(rows))

    def rewrite(self, rows: Sequence[Row]) -> None:
        """Write all rows anew, in their order; the old file stays until the new one is whole."""
        draft = self.path.with_name(self.path.name + ".draft")
        draft.write_text(
            MARK + as_csv(rows), encoding="utf-8", errors="backslashreplace", newline=""
        )
        draft.replace(self.path)

    def _put(self, text: str) -> None:
        self._file.write(text)
        self._file.flush()
        os.fsync(self._file.fileno())

    def __enter__(self) -> "Table":
        return self

    def __exit__(
        self, kind: type | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()


def as_csv(rows: Sequence[Row]) -> str:
    """One line for each exercise of each notebook; a spreadsheet computes none of it."""
    return ",".join(field.name for field in fields(Row)) + "\n" + _lines(rows)


def _lines(rows: Sequence[Row]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    for row in rows:
        writer.writerow([_inert(value) for value in astuple(row)])
    return out.getvalue()


def _inert(value: str) -> str:
    return f"'{value}" if value.startswith(FORMULA) else value
