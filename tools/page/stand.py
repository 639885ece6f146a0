"""Where the course stands: its addresses, all made from the one in pyproject.toml."""

import html
from dataclasses import dataclass

from course_lib.words import say
from tools.editions import GITHUB, Course
from tools.page import sentences as s
from tools.pages import ROOT


@dataclass(frozen=True)
class Addresses:
    """The addresses of a course.

    repository: as pyproject.toml has it.
    """

    repository: str

    @property
    def owner(self) -> str:
        """Whose it is, and its name: owner/name."""
        return self.repository.removeprefix(GITHUB)

    @property
    def site(self) -> str:
        """Where GitHub Pages shows the site."""
        owner, _, name = self.owner.partition("/")
        return f"https://{owner.lower()}.github.io/{name}/"

    def file(self, path: str) -> str:
        """A file of the repository."""
        return f"{self.repository}/blob/main/{path}"

    def notebook(self, chapter: str) -> str:
        """A chapter's notebook in the repository."""
        return self.file(f"notebooks/{chapter}.ipynb")

    def colab(self, chapter: str) -> str:
        """A chapter's notebook in Colab: the copy without results."""
        place = f"{self.owner}/blob/main/notebooks/colab/{chapter}.ipynb"
        return f"https://colab.research.google.com/github/{place}"

    def links(self, chapter: str) -> str:
        """Where a reader writes the code of a chapter: HTML."""
        return (
            f'{html.escape(say(s.OPEN))} <a href="{self.colab(chapter)}">'
            f"{html.escape(say(s.IN_COLAB))}</a>, "
            f'<a href="index.html#write-the-code-yourself">{html.escape(say(s.IN_LAB))}</a>.'
        )


def course() -> Addresses:
    """The addresses of this course."""
    return Addresses(Course(ROOT).repository)
