"""A chapter's stored notebook as a page in Markdown: what is alive there gets its place."""

import html
import json
import re
from collections.abc import Iterator, Sequence

import nbformat
from nbformat import NotebookNode

from course_lib.words import say
from tools.page import bets, sentences, stand
from tools.page.exercises import exercise
from tools.page.explorers import explorer
from tools.page.html import Files, decoded, picture, printed
from tools.page.model import panel
from tools.syllabus import Syllabus

EXERCISE = re.compile(r"^@exercise\s+(?:def|class) (\w+)", re.M)
BET = re.compile(r'^bet\("(\w+)"\)', re.M)
SETTLE = re.compile(r'\bsettle\("(\w+)"')
EXPLORER = re.compile(r"^explore_\w+\(", re.M)
TRIES_MODEL = re.compile(r"\bmodel\.continued\(")
LINK = re.compile(r"\]\((\d\d_\w+)\.ipynb(#[^)]*)?\)")
ENGINE = re.compile(
    r"(?:bet|progress|explore_\w+)\([^\n]*\)"
)  # a cell that shows, and says nothing
LEFT_OUT = {"badge", "bootstrap"}


class ChapterPage:
    """One chapter on its way to a page.

    made: of each explorer, by its full name, its table.   asked: of each exercise its questions.
    pages: the chapters that have a page; links to others go to the repository.
    """

    def __init__(
        self, syllabus: Syllabus, files: Files, made: dict, asked: dict, pages: Sequence[str]
    ):
        self.syllabus, self.files, self.made, self.asked = syllabus, files, made, asked
        self.name, self.pages, self.course = syllabus.name, pages, stand.course()
        self.explorers = iter([one for part in syllabus.sections for one in part.explorers])
        self.waiting = ""  # a bet whose run has not come yet
        self.pictures = 0
        self.has_model = False

    def text(self, notebook: NotebookNode) -> str:
        """The page in Markdown."""
        parts = []
        for cell in notebook.cells:
            if cell.id in LEFT_OUT:
                continue
            parts += (
                [self._prose(cell.source)] if cell.cell_type == "markdown" else self._code(cell)
            )
        told = bets.data(self.name, self.syllabus.data.bets, self.syllabus.runs)
        safe = json.dumps(told, ensure_ascii=False).replace("<", "\\u003c")
        parts.append(raw(f'<script type="application/json" id="bets-of-chapter">{safe}</script>'))
        parts.insert(1, raw(self._open()))  # below the chapter's first words
        return "\n\n".join(parts) + "\n"

    def _prose(self, text: str) -> str:
        def address(found: re.Match) -> str:
            if found[1] in self.pages:
                return f"]({found[1]}.md)"
            return f"]({self.course.notebook(found[1])})"

        return LINK.sub(address, text)

    def _code(self, cell: NotebookNode) -> Iterator[str]:
        source = cell.source.strip()
        if not ENGINE.fullmatch(source):
            yield f"```python\n{source}\n```"
        shown = self._shown(cell)
        if shown:
            yield raw(shown)
        if TRIES_MODEL.search(source) and not self.has_model:
            self.has_model = True
            yield raw(panel(self.files))

    def _shown(self, cell: NotebookNode) -> str:
        """What stands below a cell's code."""
        data = self.syllabus.data
        if found := EXERCISE.search(cell.source):
            one = data.exercises[found[1]]
            return exercise(one, self.asked[one.name], self.course.links(self.name))
        if found := BET.search(cell.source):
            self.waiting = found[1]
            told = bets.data(self.name, data.bets, self.syllabus.runs)["bets"][found[1]]["form"]
            return bets.form(found[1], told)
        if EXPLORER.search(cell.source):
            return self._explorer(cell)
        if cell.source.strip() == "progress()":
            return bets.all_bets(data.bets)
        settles = SETTLE.findall(cell.source)
        outputs = "".join(filter(None, map(self._output, cell.outputs)))
        for name in settles:
            outputs = bets.settled(name, data.bets[name], self.syllabus.runs[name], outputs)
        return outputs

    def _explorer(self, cell: NotebookNode) -> str:
        name = next(self.explorers)
        (stored,) = [one for one in cell.outputs if "image/png" in one.get("data", {})]
        short = name.partition(".")[2].removeprefix("explore_")
        return explorer(self.files, f"{self.name}-{short}", self.made[name], stored)

    def _output(self, output: NotebookNode) -> str:
        if output.output_type == "stream":
            return printed(output.text)
        data = output.get("data", {})
        if "image/png" in data:
            self.pictures += 1
            name = f"{self.name}-{self.pictures}"
            alt = output.metadata["image/png"]["alt"]
            image = picture(self.files, decoded(data["image/png"]), alt, name)
            return f'<figure class="picture">{image}</figure>'
        if "text/html" in data:
            text = data["text/html"]
            return "" if _settled(data) else f'<div class="shown">{text}</div>'
        return printed(data.get("text/plain", ""))

    def _open(self) -> str:
        said = html.escape(say(sentences.FROM_PAGE))
        return f'<p class="open">{said} {self.course.links(self.name)}</p>'


def _settled(data: NotebookNode) -> bool:
    """Whether an output says how a bet came out."""
    from tools.syllabus import RUN

    return bool(RUN.match("".join(data.get("text/plain", ""))))


def raw(text: str) -> str:
    """HTML as it is, also with empty lines in it."""
    return f"`````````{{raw}} html\n{text}\n`````````\n"


def page_of(
    syllabus: Syllabus, files: Files, made: dict, asked: dict, others: Sequence[str]
) -> str:
    """The page of a chapter."""
    path = stand.ROOT / "notebooks" / f"{syllabus.name}.ipynb"
    page = ChapterPage(syllabus, files, made, asked, others)
    return page.text(nbformat.read(path, as_version=4))
