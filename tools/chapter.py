"""Read chapters/NN_name.py into cells; every mistake in a source names its file and line.

A source is a jupytext percent script without a header. What a cell's first line may say:

    # %%                                                    code
    # %% exercise="scale"                                   an exercise: its cell stands in its file
    # %% [markdown] minutes=5                               prose; what follows takes 5 minutes
    # %% [markdown] minutes=4 depth                         not counted into the core's minutes
    # %% [markdown] sittings=2                              first cell only: a core of two sittings
    # %% exercise="attention" shuffled                      its stub shows the answer's own lines
    # %% [markdown] lang="zh" of="4274b54b"                 translates the markdown cell above it
    # %% [markdown] card="shapes"                           a learner's card, folded: tools/cards.py

The cell of an exercise is what its file in `course_lib/chapters/name/exercises/` defines under its
name: signature, docstring, answer and stub, between the marks that tools/answers.py reads.
"""

import ast
import hashlib
import re
from dataclasses import dataclass, field
from pathlib import Path

from tools import cards

HEADER = "# %%"
OPTION = re.compile(r'(?P<key>\w+)(?:=(?:"(?P<text>[^"]*)"|(?P<number>\d+)))?(?=\s|$)')
FORMS = {  # option: the form of its value; None: it has none
    "minutes": re.compile(r"[1-9]\d*"),
    "sittings": re.compile(r"[1-9]"),
    "exercise": re.compile(r"[A-Za-z]\w*"),
    "card": re.compile(r"[a-z]\w*"),
    "lang": re.compile(r"zh"),
    "of": re.compile(r"[0-9a-f]{8}"),
    "depth": None,
    "shuffled": None,
}
CORE_MINUTES = 60  # one sitting, as learners were counted


class SourceError(Exception):
    """A mistake in a source: `where` is file:line, `what` one sentence."""

    def __init__(self, path: Path, line: int, what: str):
        here = path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path
        super().__init__(f"{here}:{line}: {what}")


@dataclass
class Cell:
    """One cell of a source; `lines` are its text's lines with their numbers in the file `path`.

    That is the chapter's source, and for an exercise the exercise's own file.
    """

    path: Path
    kind: str
    header_line: int
    options: dict[str, str]
    lines: list[tuple[int, str]] = field(default_factory=list)
    id: str = ""

    @property
    def text(self) -> str:
        """The cell as it stands in the source, markers included."""
        return "\n".join(line for _, line in self.lines)

    @property
    def exercise(self) -> str:
        """The name of the exercise whose cell it is; "" for any other cell."""
        return self.options.get("exercise", "")

    @property
    def first_line(self) -> int:
        """The number of its first line of text, or of its header where it is empty."""
        return self.lines[0][0] if self.lines else self.header_line

    @property
    def language(self) -> str:
        """ "en" or "zh"."""
        return self.options.get("lang", "en")


@dataclass
class Chapter:
    """A chapter's source: its path and its cells."""

    path: Path
    cells: list[Cell]

    @property
    def name(self) -> str:
        """The name that its notebooks have, such as 01_dot_product."""
        return self.path.stem

    @property
    def english(self) -> list[Cell]:
        """The cells of the English edition."""
        return [cell for cell in self.cells if cell.language == "en"]

    def part(self, depth: bool) -> list[Cell]:
        """The English cells of the core, or of the depth: a "## Depth" heading opens it."""
        found, inside = [], False
        for cell in self.english:
            if heading_is_depth(cell) or _opens_a_part(cell):
                inside = "depth" in cell.options
            if (inside or "depth" in cell.options) == depth:
                found.append(cell)
        return found

    def minutes(self, depth: bool = False) -> int:
        """The sum of the minutes in the headers of the core, or of the depth."""
        return sum(int(cell.options.get("minutes", 0)) for cell in self.part(depth))

    @property
    def budget(self) -> int:
        """The minutes that its core may take."""
        return CORE_MINUTES * int(self.cells[0].options.get("sittings", 1))


def digest(text: str) -> str:
    """Eight hex digits that stand for `text`."""
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def read_chapter(path: Path) -> Chapter:
    """The chapter in the file at `path`.

    Raises: SourceError, where the file is no source or a header is not understood.
    """
    cells: list[Cell] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if line.startswith(HEADER):
            cells.append(_read_header(path, number, line))
        elif cells:
            cells[-1].lines.append((number, line))
        elif line.strip():
            raise SourceError(path, number, f"a chapter begins with a cell ({HEADER!r}), not text")
    if not cells:
        raise SourceError(path, 1, "the chapter has no cells")
    for cell in cells:
        if cell.exercise:
            _fill(cell, exercises_of(path))
        elif "card" in cell.options:
            _lay_card(path, cell)
        else:
            _trim(path, cell)
    _check_options(path, cells)
    _number(cells)
    return Chapter(path, cells)


def _read_header(path: Path, number: int, line: str) -> Cell:
    rest = line.removeprefix(HEADER).strip()
    kind = "markdown" if rest.startswith("[markdown]") else "code"
    rest = rest.removeprefix("[markdown]").strip()
    options: dict[str, str] = {}
    while rest:
        match = OPTION.match(rest)
        if match is None:
            raise SourceError(path, number, f"cannot read the cell option at {rest!r}")
        key, value = match["key"], match["text"] or match["number"] or ""
        if key not in FORMS:
            known = ", ".join(sorted(FORMS))
            raise SourceError(path, number, f"unknown cell option {key!r}; known are {known}")
        form = FORMS[key]
        if (form is None) != (not value) or (form and not form.fullmatch(value)):
            wanted = "nothing" if form is None else f"the form {form.pattern}"
            raise SourceError(path, number, f"option {key!r} takes {wanted}, got {value!r}")
        if key in options:
            raise SourceError(path, number, f"option {key!r} stands twice")
        options[key] = value
        rest = rest[match.end() :].strip()
    return Cell(path, kind, number, options)


def exercises_of(path: Path) -> Path:
    """The folder with the exercises of the chapter whose source is `path`, one a file."""
    name = path.stem.partition("_")[2]
    return path.parent.parent / "course_lib" / "chapters" / name / "exercises"


def _fill(cell: Cell, folder: Path) -> None:
    """Put into an exercise's cell what its file holds: the definition of that name."""
    source, path, line = cell.path, folder / f"{cell.exercise}.py", cell.header_line
    written = [(number, text) for number, text in cell.lines if text.strip()]
    if cell.kind != "code":
        raise SourceError(source, line, "an exercise's cell holds code: drop [markdown]")
    if written:
        what = f"the cell of an exercise is written in {path.name}; here stands its header alone"
        raise SourceError(source, written[0][0], what)
    if not path.exists():
        place = path.relative_to(path.parents[4]).as_posix()
        raise SourceError(source, line, f"the exercise {cell.exercise!r} has no file {place}")
    cell.path, cell.lines = path, _definition(path, cell.exercise)


def _lay_card(path: Path, cell: Cell) -> None:
    """Put into a cell the learner's card that its header names."""
    name, line = cell.options["card"], cell.header_line
    if cell.kind != "markdown" or any(text.strip() for _, text in cell.lines):
        what = "a card is one line, # %% [markdown] card=...; its words stand in tools/cards.toml"
        raise SourceError(path, line, what)
    if name not in cards.names():
        known = ", ".join(cards.names())
        raise SourceError(path, line, f"there is no card {name!r}; there are {known}")
    number = int(path.stem[:2])
    cell.lines = [(line, text) for text in cards.folded_card(name, number).splitlines()]


def _definition(path: Path, name: str) -> list[tuple[int, str]]:
    """The lines that define `name` in the file at `path`, below the decorator of a notebook."""
    text = path.read_text(encoding="utf-8")
    try:
        body = ast.parse(text, str(path)).body
    except SyntaxError as error:
        raise SourceError(path, error.lineno or 1, f"not valid Python: {error.msg}") from None
    kinds = ast.FunctionDef | ast.ClassDef
    found = [one for one in body if isinstance(one, kinds) and one.name == name]
    if not found:
        raise SourceError(path, 1, f"the file defines no {name!r}, which its cell is to show")
    lines = text.splitlines()
    start = min([found[0].lineno, *(one.lineno for one in found[0].decorator_list)])
    end = found[0].end_lineno
    while end < len(lines) and (not lines[end].strip() or lines[end].startswith(" ")):
        end += 1  # its last comments, too: they end the answer
    numbered = [(start, "@exercise"), *enumerate(lines[start - 1 : end], start)]
    while not numbered[-1][1].strip():
        numbered.pop()
    return numbered


def _trim(path: Path, cell: Cell) -> None:
    """Drop the blank lines around a cell; uncomment its prose."""
    while cell.lines and not cell.lines[-1][1].strip():
        cell.lines.pop()
    while cell.lines and not cell.lines[0][1].strip():
        cell.lines.pop(0)
    if not cell.lines:
        raise SourceError(path, cell.header_line, "the cell is empty")
    if cell.kind == "markdown":
        for number, line in cell.lines:
            if not (line == "#" or line.startswith("# ")):
                raise SourceError(path, number, "a line of prose begins with '# '")
        cell.lines = [(number, line[2:]) for number, line in cell.lines]


def _check_options(path: Path, cells: list[Cell]) -> None:
    above = None  # the English cell that a translation may follow
    for cell in cells:
        options, line = cell.options, cell.header_line
        if "sittings" in options and cell is not cells[0]:
            raise SourceError(path, line, "option 'sittings' stands in the first cell only")
        if "shuffled" in options and not cell.exercise:
            raise SourceError(path, line, "option 'shuffled' belongs to an exercise's cell")
        if "of" in options and "lang" not in options:
            raise SourceError(path, line, "option 'of' belongs to a translation (lang=\"zh\")")
        if heading_is_depth(cell) and "depth" not in options:
            raise SourceError(path, line, "a heading that begins 'Depth:' needs the option 'depth'")
        if cell.language == "en":
            above = cell if cell.kind == "markdown" else None
        elif cell.kind != "markdown":
            raise SourceError(path, line, "code is the same in all languages: drop lang=")
        elif above is None:
            raise SourceError(path, line, "a translation follows the English prose, once")
        else:
            above = None


def _opens_a_part(cell: Cell) -> bool:
    """Whether it begins with a heading of the first or the second level."""
    return cell.kind == "markdown" and cell.lines[0][1].startswith(("# ", "## "))


def heading_is_depth(cell: Cell) -> bool:
    """Whether the cell opens a section that begins "Depth:"."""
    return cell.kind == "markdown" and bool(re.match(r"#+ Depth:", cell.lines[0][1]))


def _number(cells: list[Cell]) -> None:
    """Give each English cell an id that survives moves; a translation has its English cell's."""
    used: set[str] = set()
    name = ""
    for cell in cells:
        if cell.language == "en":
            name = digest(cell.text)
            while name in used:
                name = digest(name)
            used.add(name)
        cell.id = name
