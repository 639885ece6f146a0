"""A learner's cards: what shapes, numpy and words mean, folded where they are first needed.

    python -m tools.cards            writes docs/cards.md
    python -m tools.cards --check    says whether it is stale

In a chapter, one line is a card:

    # %% [markdown] card="shapes"

All of them are written once, in tools/cards.toml. The card `words` has the words of the chapters up
to the one in which it stands, of that one without its Depth; the page has all. A word with `until`
is said in other words up to that chapter.
"""

import sys
import tomllib
from functools import lru_cache
from pathlib import Path

from tools.pages import ROOT, command

TABLE = Path(__file__).with_suffix(".toml")
PAGE = ROOT / "docs" / "cards.md"
TOP = """\
# Cards

*What you may look up while you work: the letters of shapes, the numpy that exercises use, and the
words of the course, each in one line. The notebooks have the same cards, folded, where they are
first needed. Made by `python -m tools.cards` from [tools/cards.toml](../tools/cards.toml), not
edited by hand. [Concepts](concepts.md) says where each idea is taught.*
"""
LAST = 99  # a chapter behind all others


@lru_cache(maxsize=1)
def _table() -> dict:
    return tomllib.loads(TABLE.read_text(encoding="utf-8"))


def names() -> list[str]:
    """The cards that there are."""
    return [name for name, one in _table().items() if isinstance(one, dict)]


def inside(name: str, chapter: int = LAST) -> str:
    """What stands on a card, in Markdown.

    chapter: where it stands; the card of words has those met until then.
    Raises: KeyError, if there is no such card.
    """
    text = _table()[name]["text"].strip()
    return text or _words(chapter)


def _words(chapter: int) -> str:
    met = [
        one for one in _table()["word"] if one["chapter"] + one.get("depth", False) <= chapter
    ]  # what stands in Depth is still ahead where the card is
    met = [one for one in met if chapter <= one.get("until", LAST)]
    met.sort(key=lambda one: (one["name"].lower(), "until" in one))
    met = list({one["name"]: one for one in met}.values())  # of two, the one that holds until here
    rows = [f"| {one['name']} | {one['means']} | {one['chapter']} |" for one in met]
    return "\n".join(["| word | means | since chapter |", "|---|---|---|", *rows])


def folded_card(name: str, chapter: int) -> str:
    """A card as it stands in a notebook: one line, which opens.

    Raises: KeyError, if there is no such card.
    """
    text = inside(name, chapter)
    return f"<details><summary>{_table()[name]['summary']}</summary>\n\n{text}\n</details>"


def page() -> str:
    """All cards, open, on one page."""
    parts = [TOP]
    for name in names():
        title = name.capitalize()
        parts.append(f"## {title}\n\n{inside(name)}\n")
    return "\n".join(parts)


def main(arguments: list[str] | None = None) -> int:
    """The command line; returns the exit status."""
    about = "Make the page of a learner's cards."
    return command("cards", about, lambda: {PAGE: page()}, PAGE.name, arguments)


if __name__ == "__main__":
    sys.exit(main())
