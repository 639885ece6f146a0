"""What a chapter holds, section by section: bets, exercises, explorers, questions with answers.

Read from the chapter's source; what a run said, from its stored notebook. The pages for teachers
and the list of concepts are made from it.
"""

import json
import re
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property, lru_cache
from importlib import import_module
from pathlib import Path
from urllib.parse import quote

from course_lib.betting.sentences import NO_BET
from course_lib.judging import registry as exercises
from course_lib.sliding import registry as explorers
from course_lib.sliding.explorer import Explorer
from tools.chapter import Cell, Chapter, read_chapter

ROOT = Path(__file__).resolve().parent.parent
HEADING = re.compile(r"^(#{1,4}) (.+)$", re.M)
CALL = re.compile(r"^(?P<verb>bet|settle)\(\"(?P<bet>\w+)\"|^(?P<explorer>explore_\w+)\(", re.M)
QUESTION = re.compile(r"<summary>(.*?)</summary>(.*?)</details>", re.S)
RUN = re.compile(re.escape(NO_BET).replace(r"\{run\}", "(.+)"))


@dataclass
class Section:
    """What stands below one heading, up to the next; level 1 is the chapter's title."""

    title: str
    level: int
    depth: bool
    minutes: int = 0
    bets: list[str] = field(default_factory=list)
    exercises: list[str] = field(default_factory=list)
    explorers: list[str] = field(default_factory=list)
    text: str = ""

    @property
    def questions(self) -> list[str]:
        """The questions whose answers are folded."""
        return [flat(asked) for asked, _ in QUESTION.findall(self.text)]

    @property
    def anchor(self) -> str:
        """The heading as JupyterLab names it."""
        return quote(self.title.replace("`", "").replace(" ", "-"), safe="-:,?'")  # it knows no %3A


def flat(text: str) -> str:
    """Text on one line."""
    return " ".join(text.split())


class Syllabus:
    """One chapter: its sections in order, its data, and what its stored notebook shows."""

    def __init__(self, source: Path):
        self.source: Chapter = read_chapter(source)
        self.name = self.source.name
        self.after: dict[str, str] = {}  # explorer: the question below it
        self.sections = self._read()
        self.title = self.sections[0].title
        (self.data,) = exercises.chapters(self.name)

    @property
    def number(self) -> int:
        """The chapter's number."""
        return int(self.name[:2])

    def find(self, title: str) -> Section:
        """The section with this heading.

        Raises: KeyError, if there is none, or several.
        """
        found = [one for one in self.sections if one.title == title]
        if len(found) != 1:
            close = get_close_matches(title, [one.title for one in self.sections], 1, 0.3)
            raise KeyError(f"{self.name} has {len(found)} headings {title!r}; close is {close}")
        return found[0]

    def holding(self, kind: str, name: str) -> Section:
        """The section in which a bet, an exercise or an explorer stands (kind: "bets" ...).

        Raises: KeyError, if there is none.
        """
        for section in self.sections:
            if name in getattr(section, kind):
                return section
        raise KeyError(f"{self.name} has nothing named {name!r} among its {kind}")

    def link(self, section: Section, folder: str = "..") -> str:
        """The address of a section in the learner's notebook; folder: the way to the root.

        JupyterLab finds a heading by `#heading=`, also where the cell is not drawn yet.
        """
        return f"{folder}/notebooks/{self.name}.ipynb#heading={section.anchor}"

    @cached_property
    def runs(self) -> dict[str, str]:
        """What the stored run says to each bet."""
        path = ROOT / "notebooks" / "solutions" / f"{self.name}.ipynb"
        found = {}
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            names = [m["bet"] for m in CALL.finditer("".join(cell["source"])) if m["bet"]]
            said = [RUN.match(text) for text in _plain(cell)]
            runs = [match[1] for match in said if match]
            if runs:
                found |= dict(zip(names, runs, strict=True))
        return found

    def _read(self) -> list[Section]:
        """Each cell under the heading that stands before it."""
        depth = {cell.id for cell in self.source.part(depth=True)}
        sections: list[Section] = []
        last = None  # the explorer whose question is waited for
        for cell in self.source.english:
            if cell.kind == "markdown":
                last = self._asked_after(last, cell)
                self._add_prose(sections, cell, cell.id in depth)
                continue
            code = cell.text
            sections[-1].exercises += [cell.exercise] if cell.exercise else []
            sections[-1].minutes += int(cell.options.get("minutes", 0))
            for call in CALL.finditer(code):
                if call["verb"] == "bet":
                    sections[-1].bets.append(call["bet"])
                elif call["explorer"]:
                    last = self._explorer(call["explorer"])
                    sections[-1].explorers.append(last)
        return sections

    def _asked_after(self, explorer: str | None, cell: Cell) -> None:
        """Keep the question that the prose below an explorer begins with."""
        if explorer and (found := QUESTION.search(cell.text)):
            self.after[explorer] = flat(found[1])

    @staticmethod
    def _add_prose(sections: list[Section], cell: Cell, depth: bool) -> None:
        minutes, place = int(cell.options.get("minutes", 0)), 0
        for heading in HEADING.finditer(cell.text):
            if sections:
                sections[-1].text += cell.text[place : heading.start()] + "\n"
            sections.append(Section(heading[2], len(heading[1]), depth))
            place = heading.end()
        sections[-1].text += cell.text[place:] + "\n"
        if minutes:
            first = len(HEADING.findall(cell.text)) or 1
            sections[-first].minutes += minutes

    def _explorer(self, called: str) -> str:
        """Its full name; a call that makes an explorer of the learner's text means its file's."""
        explorers, stem = all_explorers(), self.name.partition("_")[2]
        if f"{stem}.{called}" in explorers:
            return f"{stem}.{called}"
        function = getattr(import_module(f"course_lib.chapters.{stem}"), called)
        (made,) = [
            name
            for name, one in explorers.items()
            if vars(import_module(function.__module__)).get(name.partition(".")[2]) is one
        ]
        return made


def _plain(cell: dict) -> list[str]:
    """The texts of a cell's outputs."""
    data = [output.get("data", {}) for output in cell.get("outputs", ())]
    return ["".join(one.get("text/plain", "")) for one in data]


@lru_cache(maxsize=1)
def all_explorers() -> dict[str, Explorer]:
    """Every explorer by its full name."""
    return explorers.explorers()


@lru_cache(maxsize=1)
def course() -> tuple[Syllabus, ...]:
    """All chapters, in order."""
    return tuple(Syllabus(path) for path in sorted((ROOT / "chapters").glob("[0-9][0-9]_*.py")))
