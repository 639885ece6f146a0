"""Judge a folder of handed-in notebooks.

    python -m course_lib.grade FOLDER                    writes grades.csv and grades.html here
    python -m course_lib.grade FOLDER --out REPORT       ... into the folder REPORT
    python -m course_lib.grade FOLDER --seconds 600 --memory 8 --jobs 4

Every *.ipynb in FOLDER and below it is judged, whatever it is called. Its cells run in a process
of its own, with limits of time and memory, without the network and without starting programs; so
whoever judges notebooks of strangers still does it on a machine that holds nothing secret.
"""

import argparse
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from course_lib.grade.confinement import Limits
from course_lib.grade.handed_in import find_notebooks
from course_lib.grade.judged import Row, judge_notebook
from course_lib.grade.pages import as_csv, as_page
from course_lib.progress_bar import with_progress


def main(arguments: list[str] | None = None) -> int:
    """Judge, write both files, say where they are; returns the exit status."""
    asked = _parsed(arguments)
    try:
        notebooks = find_notebooks(asked.folder)
    except NotADirectoryError as why:
        print(why, file=sys.stderr)
        return 2
    if not notebooks:
        print(f"There is no notebook (*.ipynb) in {asked.folder}.", file=sys.stderr)
        return 2
    rows = judge_all(
        notebooks, asked.folder, Limits(asked.seconds, int(asked.memory * 1e9)), asked.jobs
    )
    asked.out.mkdir(parents=True, exist_ok=True)
    table, page = asked.out / "grades.csv", asked.out / "grades.html"
    # With this mark at its start, Excel reads the file as UTF-8 too.
    table.write_text(as_csv(rows), encoding="utf-8-sig")
    page.write_text(as_page(rows, f"Handed in: {asked.folder.resolve().name}"), encoding="utf-8")
    print(f"{len(notebooks)} judged. For you: {page}; for a spreadsheet: {table}")
    return 0


def judge_all(notebooks: list[Path], folder: Path, limits: Limits, jobs: int) -> list[Row]:
    """The rows of all notebooks, in their order; `jobs` of them run at a time."""
    names = [path.relative_to(folder).with_suffix("").as_posix() for path in notebooks]
    with ThreadPoolExecutor(jobs) as pool:
        found = pool.map(lambda path, name: judge_notebook(path, name, limits), notebooks, names)
        done = with_progress(found, "judging", total=len(notebooks))
        return [row for rows in done for row in rows]


def _parsed(arguments):
    about, _, usage = __doc__.partition("\n")
    parser = argparse.ArgumentParser(
        prog="python -m course_lib.grade", description=about, epilog=usage,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("--out", type=Path, default=Path(), help="where to write (here)")
    parser.add_argument("--seconds", type=_positive, default=300, help="for a notebook (300)")
    parser.add_argument("--memory", type=_positive, default=4, help="gigabytes each (4)")
    parser.add_argument("--jobs", type=_whole, default=1, help="notebooks at a time (1)")
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
