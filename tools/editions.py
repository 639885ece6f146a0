"""From a chapter's cells to its notebooks, still without outputs.

Three editions of each chapter, in each language that it has: for the learner and with solutions,
both with the results of our run, and for the learner without them, which is the one that Colab
opens. The same cell has the same id in all of them.
"""

import re
import tomllib
from dataclasses import dataclass, replace
from pathlib import Path

from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from tools.answers import check_answers, learner_lines, solution_lines
from tools.bets import check_bets
from tools.chapter import Cell, Chapter, SourceError, heading_is_depth
from tools.prose import check_prose

METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
GITHUB = "https://github.com/"
BADGE = "[![Open in Colab](https://colab.research.google.com/assets/colab-badge.svg)]({address})"
COLAB_LINE = {
    "en": "The button runs it in your browser, on Colab, without our results.",
    "zh": "点击按钮即可在浏览器里用 Colab 运行，其中不含我们的结果。",
}
EMPTY_LINE = {
    "en": "On Colab: choose *File, Save a copy in Drive*, and what you write is kept.",
    "zh": "在 Colab 上：请选择“文件”→“在云端硬盘中保存一份副本”，这样才能保留你写的内容。",
}
SOLUTIONS_LINE = {
    "en": "**With solutions**: every exercise has its answer here. Your progress stays as it is.",
    "zh": "**参考答案**：这里的每道练习都附有答案，且不影响你的学习进度。",
}
BOOTSTRAP = """\
import sys

if "google.colab" in sys.modules:  # on Colab, the course's library comes first
    %pip install -q "git+{repository}"
"""
APART = """\
os.environ["COURSE_EDITION"] = "solutions"  # what is done here is kept apart from your progress
"""
USE_LANGUAGE = """\
import os

os.environ["COURSE_LANG"] = "{language}"  # the language of the checks' sentences
"""
IMAGE = re.compile(r"!\[(?P<alt>[^\]]*)\](?P<target>\([^)]*\)|\[[^\]]*\])|<img\b(?P<tag>[^>]*)>")
ABSOLUTE = re.compile(r"https?://|data:image/")


@dataclass(frozen=True)
class Course:
    """Where the parts of the course lie; tests give another root."""

    root: Path

    @property
    def chapters(self) -> Path:
        """The folder of the sources."""
        return self.root / "chapters"

    @property
    def notebooks(self) -> Path:
        """The folder of what is built."""
        return self.root / "notebooks"

    @property
    def repository(self) -> str:
        """The course's address, from pyproject.toml."""
        table = tomllib.loads((self.root / "pyproject.toml").read_text(encoding="utf-8"))
        return table["project"]["urls"]["Repository"].rstrip("/")

    def sources(self) -> list[Path]:
        """The sources of all chapters, in order."""
        return sorted(self.chapters.glob("[0-9][0-9]_*.py"))


@dataclass(frozen=True)
class Edition:
    """One of a chapter's notebooks: for whom, in which language, and with results or without.

    runs: whether it is run, and the results are stored in it.
    """

    solutions: bool
    language: str = "en"
    runs: bool = True

    def path(self, course: Course, chapter: Chapter) -> Path:
        """Where its notebook lies."""
        folder = course.notebooks if self.language == "en" else course.notebooks / self.language
        inside = "solutions" if self.solutions else "" if self.runs else "colab"
        return folder / inside / f"{chapter.name}.ipynb"


def editions(chapter: Chapter) -> list[Edition]:
    """The editions that `chapter` has: a language counts from its first translated cell on."""
    languages = sorted({cell.language for cell in chapter.cells} | {"en"})
    kinds = [(False, True), (True, True), (False, False)]
    return [Edition(solutions, lang, runs) for lang in languages for solutions, runs in kinds]


def check_chapter(course: Course, chapter: Chapter) -> None:
    """Raise SourceError where the source breaks a rule that can be seen without running it."""
    check_answers(chapter)
    check_bets(chapter)
    check_prose(chapter)
    for cell in chapter.cells:
        for number, line in cell.lines if cell.kind == "markdown" else ():
            problem = image_problem(line)
            if problem:
                raise SourceError(chapter.path, number, problem)
    spent = chapter.minutes()
    if spent > chapter.budget:
        what = f"the core takes {spent} minutes and may take {chapter.budget}: mark some 'depth'"
        raise SourceError(chapter.path, 1, what)


def image_problem(line: str) -> str | None:
    """What is wrong with an image in a line of prose, or None."""
    for match in IMAGE.finditer(line):
        if match["tag"] is None:
            address, described = match["target"][1:-1], bool(match["alt"].strip())
        else:
            source = re.search(r'\bsrc\s*=\s*["\']?([^"\'\s>]*)', match["tag"])
            address = source[1] if source else ""
            described = re.search(r"\balt\s*=\s*[\"'][^\"']", match["tag"]) is not None
        if not ABSOLUTE.match(address):
            return f"the image {address!r} is relative: it breaks on Colab; draw it in a code cell"
        if not described:
            return f"the image {address!r} has no alt text"
    return None


def assemble(course: Course, chapter: Chapter, edition: Edition) -> NotebookNode:
    """The notebook of `edition`, without outputs."""
    cells = [_badge(course, chapter, edition), _bootstrap(course, edition)]
    if edition.language != "en":
        code = USE_LANGUAGE.format(language=edition.language)
        cells.append(new_code_cell(code.rstrip(), id="language"))
    translations = {cell.id: cell for cell in chapter.cells if cell.language == edition.language}
    for cell in chapter.english:
        if cell.kind == "code":
            lines = cell_lines(cell, edition)
            code = "\n".join(line for _, line in lines)
            cells.append(new_code_cell(code, id=cell.id))
        else:
            text = translations.get(cell.id, cell).text
            folded = {"jp-MarkdownHeadingCollapsed": True} if heading_is_depth(cell) else {}
            cells.append(new_markdown_cell(text, id=cell.id, metadata=folded))
    return new_notebook(cells=cells, metadata=METADATA)


def cell_lines(cell: Cell, edition: Edition) -> list[tuple[int, str]]:
    """The lines of a code cell in `edition`, each with its number in the cell's file."""
    return solution_lines(cell) if edition.solutions else learner_lines(cell)


def _badge(course: Course, chapter: Chapter, edition: Edition) -> NotebookNode:
    if not course.repository.startswith(GITHUB):
        raise SourceError(course.root / "pyproject.toml", 1, "Repository is not on GitHub")
    opened = edition if edition.solutions else replace(edition, runs=False)
    place = opened.path(course, chapter).relative_to(course.root).as_posix()
    path = f"{course.repository.removeprefix(GITHUB)}/blob/main/{place}"
    badge = BADGE.format(address=f"https://colab.research.google.com/github/{path}")
    lines = SOLUTIONS_LINE if edition.solutions else COLAB_LINE if edition.runs else EMPTY_LINE
    line = lines[edition.language]
    return new_markdown_cell(f"{badge}\n\n{line}", id="badge")


def _bootstrap(course: Course, edition: Edition) -> NotebookNode:
    code = BOOTSTRAP.format(repository=course.repository).rstrip()
    if edition.solutions:
        imports, _, rest = code.partition("\n\n")
        code = f"import os\n{imports}\n\n{APART}{rest}"
    return new_code_cell(code, id="bootstrap")
