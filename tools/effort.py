"""Count the minutes that a chapter asks of a learner, from what stands in its notebook.

    python -m tools.effort                  every chapter: the minutes of its core
    python -m tools.effort 03_scaling       its sections, too, core and depth

The rates are those of a careful reader: English prose is read at about 240 words a minute by those
who grew up with it (Brysbaert 2019, doi:10.1016/j.jml.2019.104047), more slowly in a second
language and where each sentence holds a thought. An exercise takes the minutes that it names.

So much for a fluent reader. Twenty-four test readers, newcomers and teachers, named 40 to 95
minutes where 41 to 44 were counted, an hour in the middle; those who never programmed named most.
(Of cores counted at 48 they were held up more: so there is a limit.)
"""

import argparse
import json
import re
import sys
from dataclasses import dataclass
from pathlib import Path

from course_lib.judging import registry

NOTEBOOKS = Path(__file__).resolve().parent.parent / "notebooks"
WORDS = 150  # of prose, a minute
FOLDED_WORDS = 300  # an answer or a card that every second reader opens
PRINTED_WORDS = 300  # of what code prints: a table is looked at, not read
LINES = 10  # of code, a minute
FIGURE, BET, EXPLORER = 0.5, 1.0, 2.0
SLOW = 2.3  # times what is counted: the slowest test reader
MOST = 44.5  # counted for a core: an hour for many newcomers, and SLOW times this for the slowest
HEADING = re.compile(r"^#{1,4} (.+)$", re.M)
FOLD = re.compile(r"<details>.*?</details>", re.S)
EXERCISE = re.compile(r"^@exercise\n+def (\w+)", re.M)


@dataclass
class Counted:
    """A section of a notebook and the minutes counted for it."""

    title: str
    depth: bool
    minutes: float = 0.0


def count(name: str) -> list[Counted]:
    """The sections of chapter `name` (such as 03_scaling) in order, from its stored notebook."""
    notebook = json.loads((NOTEBOOKS / f"{name}.ipynb").read_text(encoding="utf-8"))
    sections: list[Counted] = []
    for cell in notebook["cells"]:
        text = "".join(cell["source"])
        if cell["cell_type"] == "code":
            if sections:  # before the first heading stands what fetches the course on Colab
                sections[-1].minutes += _code(name, text, cell["outputs"])
            continue
        for title in HEADING.findall(text):
            depth = title.startswith("Depth") or bool(sections and sections[-1].depth)
            sections.append(Counted(title, depth))
        if sections:
            sections[-1].minutes += prose(text)
    return sections


def core(name: str) -> float:
    """The minutes counted for the core of chapter `name`."""
    return sum(section.minutes for section in count(name) if not section.depth)


def prose(text: str) -> float:
    """Minutes for a cell of prose; what is folded counts half."""
    folded = _words(" ".join(FOLD.findall(text)))
    return _words(FOLD.sub(" ", text)) / WORDS + folded / FOLDED_WORDS


def _code(chapter: str, text: str, outputs: list[dict]) -> float:
    exercise = EXERCISE.search(text)
    if exercise:
        return registry.find(f"{chapter}/{exercise[1]}").minutes
    lines = sum(bool(line.strip()) for line in text.splitlines())
    printed = sum(_words("".join(one.get("text", ""))) for one in outputs)
    figures = sum("image/png" in one.get("data", {}) for one in outputs)
    bets, explorers = (len(re.findall(rf"^{verb}", text, re.M)) for verb in (r"bet\(", "explore_"))
    return (
        lines / LINES
        + printed / PRINTED_WORDS
        + figures * FIGURE
        + bets * BET
        + explorers * EXPLORER
    )


def _words(text: str) -> int:
    return len(re.sub(r"<[^>]+>|\]\([^)]*\)", " ", text).split())


def main(arguments: list[str] | None = None) -> int:
    """Print the table; `python -m tools.effort`."""
    parser = argparse.ArgumentParser(prog="python -m tools.effort", description=__doc__)
    parser.add_argument("chapter", nargs="?", help="such as 03_scaling; all of them without")
    chosen = parser.parse_args(arguments).chapter
    for path in sorted(NOTEBOOKS.glob("*.ipynb")):
        if chosen in (None, path.stem):
            minutes = core(path.stem)
            print(f"{minutes:5.1f}  {path.stem}, up to {SLOW * minutes:.0f} for slow readers")
    for section in count(chosen) if chosen else ():
        print(f"{section.minutes:5.1f}  {'depth' if section.depth else 'core '}  {section.title}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
