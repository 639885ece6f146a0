"""Make the list of concepts: what each means, and where it is taught, shown and exercised.

    python -m tools.concepts            writes docs/concepts.md
    python -m tools.concepts --check    says whether it is stale

The concepts are in tools/concepts.toml; each heading, explorer and exercise that is named there is
looked up, and becomes a link into the notebook.
"""

import re
import sys
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from course_lib.judging import registry
from tools.pages import ROOT, command
from tools.syllabus import Section, Syllabus, course

TABLE = Path(__file__).with_suffix(".toml")
PAGE = ROOT / "docs" / "concepts.md"
TOP = """\
# Concepts 概念

*Each concept of the course in one line, with its Chinese term, and links to where it is taught,
shown by a slider, and written by you. Made by `python -m tools.concepts` from
[tools/concepts.toml](../tools/concepts.toml), not edited by hand. GitHub opens a notebook at its
top; JupyterLab (open this page as *Markdown Preview*) jumps to the heading once the notebook is
open.*"""
HEADER = "| concept | in one line | taught | slide | write |\n|---|---|---|---|---|"


@dataclass(frozen=True)
class Concept:
    """One concept as it stands in the table.

    taught: "chapter: heading".   shown: full names of explorers.   exercised: of exercises.
    """

    name: str
    chinese: str
    means: str
    taught: tuple[str, ...]
    shown: tuple[str, ...] = ()
    exercised: tuple[str, ...] = ()

    @property
    def chapter(self) -> int:
        """The chapter that teaches it first."""
        return int(self.taught[0].partition(":")[0])

    @property
    def anchor(self) -> str:
        """The name of its place on the page."""
        return re.sub(r"\W+", "-", self.name.lower()).strip("-")


def concepts(table: Path = TABLE) -> list[Concept]:
    """The concepts of the table, in its order.

    Raises: TypeError, if one has a field that is unknown, or lacks one.
    """
    found = tomllib.loads(table.read_text(encoding="utf-8"))["concept"]
    return [
        Concept(**{key: tuple(v) if isinstance(v, list) else v for key, v in one.items()})
        for one in found
    ]


def taught(place: str) -> tuple[Syllabus, Section]:
    """The chapter and section of "chapter: heading".

    Raises: KeyError, if there is none.
    """
    number, _, title = place.partition(": ")
    for chapter in course():
        if chapter.number == int(number):
            return chapter, chapter.find(title)
    raise KeyError(f"there is no chapter {number}")


def shown(name: str) -> tuple[Syllabus, Section]:
    """The chapter and section in which an explorer stands.

    Raises: KeyError, if there is none.
    """
    for chapter in course():
        for section in chapter.sections:
            if name in section.explorers:
                return chapter, section
    raise KeyError(f"no chapter shows the explorer {name!r}")


def exercised(name: str) -> tuple[Syllabus, Section]:
    """The chapter and section in which an exercise stands.

    Raises: KeyError, if there is none.
    """
    exercise = registry.find(name).name
    (chapter,) = [one for one in course() if one.name == name.partition("/")[0]]
    return chapter, chapter.holding("exercises", exercise)


def page(found: list[Concept]) -> str:
    """The page of these concepts."""
    parts = [TOP, _index(found)]
    for chapter in course():
        rows = [_row(one) for one in found if one.chapter == chapter.number]
        if rows:
            link = f"../notebooks/{chapter.name}.ipynb"
            parts += [f"## [{chapter.title}]({link})", "\n".join([HEADER, *rows])]
    return "\n\n".join(parts) + "\n"


def _index(found: list[Concept]) -> str:
    """All names in alphabetical order, each leading to its row."""
    names = sorted(found, key=lambda one: one.name.lower())
    return " · ".join(f"[{one.name}](#{one.anchor})" for one in names)


def problems(found: list[Concept]) -> list[str]:
    """A line for each place that a concept names and the course does not have."""
    lines = []
    for concept in found:
        for look_up, names in (
            (taught, concept.taught),
            (shown, concept.shown),
            (exercised, concept.exercised),
        ):
            for name in names:
                try:
                    look_up(name)
                except KeyError as why:
                    lines.append(f"tools/concepts.toml: {concept.name}: {why.args[0]}")
    return lines


def _row(concept: Concept) -> str:
    sections = [taught(place) for place in concept.taught]
    slides = [(shown(name), name.partition(".explore_")[2]) for name in concept.shown]
    tasks = [(exercised(name), f"`{name.partition('/')[2]}`") for name in concept.exercised]
    columns = (
        f'<a id="{concept.anchor}"></a>**{concept.name}** {concept.chinese}',
        concept.means,
        _links(((chapter, one), one.title) for chapter, one in sections),
        _links((place, name.replace("_", " ")) for place, name in slides),
        _links(tasks),
    )
    return f"| {' | '.join(columns)} |"


def _links(items: Iterable[tuple[tuple[Syllabus, Section], str]]) -> str:
    """Links into the notebooks, each with the number of its chapter."""
    return "<br>".join(
        f"{chapter.number} [{text}]({chapter.link(section)})" for (chapter, section), text in items
    )


def main(arguments: list[str] | None = None) -> int:
    """Write the page, or check it."""

    found = concepts()
    if wrong := problems(found):
        print("\n".join(wrong), file=sys.stderr)
        return 1

    def make() -> dict[Path, str]:
        return {PAGE: page(found)}

    return command("concepts", __doc__.partition("\n")[0], make, "concepts.md", arguments)


if __name__ == "__main__":
    sys.exit(main())
