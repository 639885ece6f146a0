"""Judge a folder of handed-in notebooks.

    python -m course_lib.grade FOLDER                    writes grades.csv and grades.html here
    python -m course_lib.grade FOLDER --out REPORT       ... into the folder REPORT
    python -m course_lib.grade FOLDER --seconds 600 --memory 8 --jobs 4

Every notebook in FOLDER and below it is judged, whatever it is called; what is left out is listed.
Each row is written as soon as it is there. The cells run in a process of their own, in a machine
of its own where bubblewrap is installed, with limits of time and memory; the answers are judged in
another process.
"""

import argparse
import os
import sys
import time
from pathlib import Path

from course_lib.grade.confinement import Limits, adopt_orphans, end_children
from course_lib.grade.finding import Handed, find_notebooks, printable
from course_lib.grade.jobs import Judges
from course_lib.grade.judged import Row
from course_lib.grade.pages import as_page
from course_lib.grade.sandbox import why_not
from course_lib.grade.table import Table
from course_lib.progress_bar import with_progress

PAGE_EVERY = 10  # seconds
NO_WINDOWS = "The grader needs Linux or macOS; on Windows run it in WSL."
OPEN = (
    "Without bubblewrap the cells of a hand-in run as you: they can read your files and other "
    "hand-ins, write what you may write, and leave programs behind. Marks are judged in another "
    "process all the same."
)


def main(arguments: list[str] | None = None) -> int:
    """Judge, write both files, say where they are; returns the exit status."""
    asked = _parsed(arguments)
    if sys.platform == "win32":
        print(NO_WINDOWS, file=sys.stderr)
        return 2
    try:
        handed = find_notebooks(asked.folder)
    except NotADirectoryError as why:
        print(printable(str(why)), file=sys.stderr)
        return 2
    if not handed.notebooks:
        print(f"There is no notebook (*.ipynb) in {_name(asked.folder)}.", file=sys.stderr)
        return 2
    try:
        asked.out.mkdir(parents=True, exist_ok=True)
        table = Table(asked.out / "grades.csv")
        (asked.out / "grades.html").write_text("", encoding="utf-8")
    except OSError as error:
        print(f"--out {_name(asked.out)} cannot be written: {error.strerror}.", file=sys.stderr)
        return 2
    with table:
        return _judge(asked, handed, table)


def _judge(asked, handed: Handed, table: Table) -> int:
    warning = why_not()
    if warning:
        print(f"{warning} {OPEN}", file=sys.stderr)
    adopt_orphans()
    limits = Limits(asked.seconds, int(asked.memory * 1e9))
    closed = [os.path.abspath(asked.folder), os.path.abspath(table.path)]
    judges = Judges(asked.folder, limits, asked.jobs, closed)
    page = _Page(asked, handed, warning)
    rows: list[Row] = []
    count, stopped = 0, ""
    try:
        found = judges.rows(handed.notebooks)
        for some in with_progress(found, "judging", total=len(handed.notebooks)):
            table.add(some)
            rows += some
            count += 1
            page.write(rows, now=False)
    except KeyboardInterrupt:
        stopped = f"Stopped by you: {len(handed.notebooks) - count} are not judged. "
    finally:
        judges.stop()
        end_children()
        rows.sort(key=lambda row: row.notebook)
        table.rewrite(rows)
        page.write(rows, now=True)
    left = f" {len(handed.left_out)} files were left out." if handed.left_out else ""
    print(f"{stopped}{count} judged.{left} For you: {page.path}; for a spreadsheet: {table.path}")
    return 130 if stopped else 0


class _Page:
    """The page for the teacher, written again as rows come."""

    def __init__(self, asked, handed: Handed, warning: str):
        self.path = asked.out / "grades.html"
        self.title = f"Handed in: {_name(Path(asked.folder.resolve().name))}"
        self.handed, self.warning = handed, f"{warning} {OPEN}" if warning else ""
        self.last = time.monotonic()

    def write(self, rows: list[Row], now: bool) -> None:
        if not now and time.monotonic() - self.last < PAGE_EVERY:
            return
        self.last = time.monotonic()
        page = as_page(rows, self.title, self.handed.left_out, self.warning)
        self.path.write_text(page, encoding="utf-8", errors="backslashreplace")


def _name(path: Path) -> str:
    return printable(str(path))


def _parsed(arguments):
    about, _, usage = __doc__.partition("\n")
    parser = argparse.ArgumentParser(
        prog="python -m course_lib.grade", description=about, epilog=usage,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    cores = (
        len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    )
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("--out", type=Path, default=Path(), help="where to write (here)")
    parser.add_argument("--seconds", type=_positive, default=300, help="for a notebook (300)")
    parser.add_argument("--memory", type=_positive, default=4, help="gigabytes each (4)")
    parser.add_argument(
        "--jobs", type=_whole, default=cores, help=f"notebooks at a time ({cores}, the cores)"
    )
    return parser.parse_args(arguments)


def _positive(text: str) -> float:
    value = float(text)
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"expected a number above 0; got {text}")
    return value


def _whole(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"expected 1 or more; got {text}")
    return value


if __name__ == "__main__":
    sys.exit(main())
