"""Make the notebooks from the chapters.

    python -m tools.build                        build every chapter
    python -m tools.build chapters/01_*.py       build some; the others stay as they are
    python -m tools.build --check                compare without running; say what has drifted

How a source is written: tools/chapter.py (cells and their options) and tools/answers.py
(exercises). A chapter's notebooks are replaced together, after all of them ran.
"""

import argparse
import sys
import time
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from course_lib.files import replace
from tools import outputs, running, translations
from tools.answers import LEAST_LEAK_ELSEWHERE, answer_lines, leaks
from tools.chapter import Chapter, SourceError, read_chapter
from tools.editions import (
    METADATA,
    Course,
    Edition,
    assemble,
    cell_lines,
    check_chapter,
    editions,
)
from tools.squeeze import squeeze

ROOT = Path(__file__).resolve().parent.parent


def build(course: Course, source: Path) -> list[Path]:
    """Run all editions of the chapter at `source` and write them; returns their paths.

    Raises: SourceError, which names file and line, for anything that is wrong with the chapter.
    """
    translations.stamp(source)
    chapter = read_chapter(source)
    check_chapter(course, chapter)
    written: dict[Path, str] = {}
    for edition in editions(chapter):
        path = edition.path(course, chapter)
        path.parent.mkdir(parents=True, exist_ok=True)  # its cells run there
        written[path] = _finished(course, chapter, edition, path)
    replace(written)
    return list(written)


def _finished(course: Course, chapter: Chapter, edition: Edition, path: Path) -> str:
    """The text of the notebook of `edition`; run and cleaned, where it has results."""
    notebook = assemble(course, chapter, edition)
    if edition.runs:
        _add_results(course, chapter, edition, notebook)
    text = nbformat.writes(notebook, version=4).rstrip("\n") + "\n"
    if len(text.encode()) > outputs.LARGEST:
        what = f"{path.name} has {len(text.encode())} bytes and may have {outputs.LARGEST}"
        raise SourceError(chapter.path, 1, what)
    return text


def _add_results(
    course: Course, chapter: Chapter, edition: Edition, notebook: NotebookNode
) -> None:
    """Run the notebook of `edition` and keep what lasts."""
    path = edition.path(course, chapter)
    try:
        running.run(notebook, path.parent, course.root)
        outputs.keep_what_lasts(notebook, edition.solutions, METADATA)
        outputs.refuse(notebook, (str(course.root), sys.prefix, str(Path.home())))
    except running.CellFailed as error:
        what = f"this cell failed in {_named(edition)}:\n\n{error.trace}"
        where = _place(chapter, edition, error.cell_id, error.line)
        raise SourceError(*where, what) from None
    except outputs.OutputError as error:
        what = f"an output of this cell in {_named(edition)} {error}"
        raise SourceError(*_place(chapter, edition, error.cell_id), what) from None
    if not edition.solutions:
        _refuse_leaks(chapter, notebook)
    previous = _stored(path)
    if previous is not None:
        outputs.keep_pictures(notebook, previous)
    squeeze(notebook, previous)


def _refuse_leaks(chapter: Chapter, notebook: NotebookNode) -> None:
    """No output of the learner's edition prints a line of an answer."""
    shown = outputs.shown_text(notebook)
    for cell in chapter.english:
        for number, answer in answer_lines(cell) if cell.kind == "code" else ():
            for shown_by, text in shown:
                if len(answer) >= LEAST_LEAK_ELSEWHERE and leaks(answer, text):
                    path, line = _place(chapter, Edition(False), shown_by)
                    where = f"the cell at {path.name}:{line}"
                    what = f"the output of {where} shows this line of the answer: {answer}"
                    raise SourceError(cell.path, number, what)


def _place(
    chapter: Chapter, edition: Edition, cell_id: str, line: int | None = None
) -> tuple[Path, int]:
    """File and line of a cell, or of a line in it; an exercise's cell has a file of its own."""
    for cell in chapter.english:
        if cell.id == cell_id:
            lines = cell_lines(cell, edition)
            inside = line is not None and line < len(lines)
            return cell.path, lines[line][0] if inside else cell.first_line
    return chapter.path, 1  # the bootstrap, which is no cell of the source


def _named(edition: Edition) -> str:
    whose = "the solutions" if edition.solutions else "the learner's notebook"
    return whose if edition.language == "en" else f"{whose} ({edition.language})"


def drift(course: Course, source: Path) -> list[str]:
    """What differs between the chapter at `source` and its notebooks, without running anything."""
    chapter = read_chapter(source)
    check_chapter(course, chapter)
    problems = []
    for edition in editions(chapter):
        path = edition.path(course, chapter)
        name = path.relative_to(course.root)
        if not path.exists():
            problems.append(f"{name}: missing; build {source.name}")
            continue
        stored = _stored(path)
        if stored is None:
            problems.append(f"{name}: not a notebook; build {source.name}")
        elif _comparable(stored) != _comparable(assemble(course, chapter, edition)):
            problems.append(f"{name}: differs from {source.name}; build it")
        elif not edition.runs and _has_results(stored):
            problems.append(f"{name}: has results, which would give bets away; build {source.name}")
    return problems


def _stored(path: Path) -> NotebookNode | None:
    """The notebook at `path`, or None where there is none that can be read."""
    try:
        return nbformat.read(path, 4)
    except (OSError, ValueError, nbformat.ValidationError):  # not JSON is a ValueError too
        return None


def _comparable(notebook: NotebookNode) -> tuple:
    cells = [
        (cell.get("id"), cell.cell_type, cell.source, cell.metadata) for cell in notebook.cells
    ]
    return cells, notebook.metadata


def _has_results(notebook: NotebookNode) -> bool:
    return any(cell.get("outputs") or cell.get("execution_count") for cell in notebook.cells)


def superfluous(course: Course) -> list[str]:
    """Notebooks that no chapter makes."""
    made: set[Path] = set()
    for source in course.sources():
        chapter = read_chapter(source)
        made |= {edition.path(course, chapter) for edition in editions(chapter)}
    found = sorted(course.notebooks.rglob("*.ipynb"))
    strays = [path for path in found if path not in made and ".ipynb_checkpoints" not in path.parts]
    return [f"{path.relative_to(course.root)}: no chapter makes it; remove it" for path in strays]


def build_all(course: Course, sources: list[Path]) -> list[str]:
    """Build the chapters at `sources`; returns the problems. One that fails stops no other."""
    problems = []
    running.find_fonts()
    for source in sources:
        begun = time.perf_counter()
        try:
            paths = build(course, source)
        except SourceError as error:
            problems.append(str(error))
            continue
        chapter = read_chapter(source)
        for problem in translations.problems(chapter):
            print(problem, file=sys.stderr)
        spent = f"core {chapter.minutes()} of {chapter.budget} minutes"
        seconds = time.perf_counter() - begun
        print(f"{chapter.name}: {len(paths)} notebooks, {spent}, built in {seconds:.1f} s")
    return problems


def check_all(course: Course, sources: list[Path], everything: bool) -> list[str]:
    """The drift of the chapters at `sources`; with `everything`, also superfluous notebooks."""
    problems = []
    for source in sources:
        try:
            problems += drift(course, source)
        except SourceError as error:
            problems.append(str(error))
    if everything and not problems:
        problems += superfluous(course)
    return problems


def main(arguments: list[str], course: Course) -> int:
    """Do what the command line says for `course`; returns the exit status."""
    parser = argparse.ArgumentParser(prog="build", description=__doc__.partition("\n")[0])
    parser.add_argument("chapters", nargs="*", type=Path, help="sources; default: all")
    parser.add_argument("--check", action="store_true", help="compare without running")
    options = parser.parse_args(arguments)
    sources = [path.resolve() for path in options.chapters] or course.sources()
    absent = [path for path in sources if path not in course.sources()]
    if absent or not sources:
        named = absent[0] if absent else course.chapters
        print(f"{named}: no chapter; one is named chapters/01_name.py", file=sys.stderr)
        return 2
    try:
        if options.check:
            problems = check_all(course, sources, everything=not options.chapters)
        else:
            problems = build_all(course, sources)
    except (SourceError, OSError) as error:
        problems = [str(error)]
    print("\n".join(problems), end="\n" if problems else "", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:], Course(ROOT)))
    except KeyboardInterrupt:
        sys.exit("\nInterrupted: the notebooks are as they were.")
