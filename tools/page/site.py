"""From the chapters to a folder that any static host can serve: Sphinx makes the pages."""

import html
import os
import re
import shutil
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from course_lib.showing import with_look
from course_lib.sliding.front_end import front_end
from course_lib.sliding.registry import explorers
from course_lib.words import say
from tools.page import sentences as s
from tools.page import stand
from tools.page.chapter import page_of
from tools.page.html import Files
from tools.page.kept import kept
from tools.page.quiz import Question, questions
from tools.page.tables import Table, compressed, drawn
from tools.pages import ROOT
from tools.syllabus import Syllabus

SOURCES = ROOT / "page"
LIBRARY = ROOT / "course_lib"
BET = LIBRARY / "betting" / "front" / "bet.js"
FRONT = {  # the notebook's own front ends, unchanged
    "explorer.js": front_end(),
    "bet.js": BET.read_text(encoding="utf-8"),
}
TO_THE_TOP = re.compile(r'<a href="#" class="back-to-top.*?</a>', re.S)
CORNER = '<th class="head"><p></p></th>'
STYLES = {  # each after what all of them take from the page
    "explorer.css": LIBRARY / "sliding" / "front" / "explorer.css",
    "bet.css": LIBRARY / "betting" / "front" / "bet.css",
}


def table_of(name: str) -> Table:
    """The table of an explorer by its full name."""
    chapter, _, short = name.partition(".")
    mark = "-" + short.removeprefix("explore_").replace("_", "")

    def make() -> dict:
        return drawn(explorers()[name], mark).told

    return Table.heard(kept(f"table-{name}", chapter, make))


def questions_of(chapter: str, exercises: dict) -> dict[str, list[Question]]:
    """The questions of each exercise of a chapter."""

    def make() -> dict:
        return {n: [one.told for one in questions(e)] for n, e in exercises.items()}

    told = kept(f"quiz-{chapter}", chapter.partition("_")[2], make)
    return {name: [Question(**one) for one in asked] for name, asked in told.items()}


def write_sources(chapters: Iterable[Path], folder: Path, jobs: int = 1) -> None:
    """Everything that Sphinx reads, into an empty folder."""
    read = [Syllabus(path) for path in chapters]
    names = [one.name for one in read]
    files = Files(folder / "beside")
    files.root.mkdir(parents=True)
    shutil.copytree(SOURCES, folder, dirs_exist_ok=True)
    for name, text in FRONT.items():
        (folder / "static" / name).write_text(text, encoding="utf-8")
    for name, path in STYLES.items():
        (folder / "static" / name).write_text(with_look(path), encoding="utf-8")
    wanted = [one for chapter in read for part in chapter.sections for one in part.explorers]
    made = dict(zip(wanted, _tables(wanted, jobs), strict=True))
    for chapter in read:
        asked = questions_of(chapter.name, chapter.data.exercises)
        text = page_of(chapter, files, made, asked, names)
        (folder / f"{chapter.name}.md").write_text(text, encoding="utf-8")
    _write_index(read, folder / "index.md")


def _tables(names: list[str], jobs: int) -> list[Table]:
    if jobs == 1 or len(names) < 2:
        return [table_of(name) for name in names]
    with ProcessPoolExecutor(jobs) as pool:
        return list(pool.map(table_of, names))


def _write_index(chapters: list[Syllabus], path: Path) -> None:
    """Fill the list of chapters and the addresses into the front page."""
    course = stand.course()
    rows = [f"- [{one.title}]({one.name}.md)" for one in chapters]
    toc = ["```{toctree}", ":hidden:", "", *(one.name for one in chapters), "```"]
    text = path.read_text(encoding="utf-8")
    for name, value in {
        "@chapters@": "\n".join(rows),
        "@contents@": "\n".join(toc),
        "@repository@": course.repository,
        "@colab@": course.colab(chapters[0].name),
    }.items():
        text = text.replace(name, value)
    path.write_text(text, encoding="utf-8")


def build(chapters: Iterable[Path], site: Path, work: Path, jobs: int = 1) -> None:
    """Make the site.

    work: a folder for what lies between; it is emptied first.   jobs: processes that draw tables.
    Raises: SystemExit, if Sphinx warns of anything, such as a link that leads nowhere.
    """
    from sphinx.cmd.build import main

    shutil.rmtree(work, ignore_errors=True)
    shutil.rmtree(site, ignore_errors=True)
    work.mkdir(parents=True)
    write_sources(chapters, work / "source", jobs)
    arguments = ["-b", "html", "-W", "--keep-going", "-q", "-d", str(work / "trees")]
    if main([*arguments, str(work / "source"), str(site)]):
        raise SystemExit("Sphinx could not make the page; its words are above.")
    for page in site.glob("*.html"):
        page.write_text(_readable(page.read_text(encoding="utf-8")), encoding="utf-8")
    (site / ".nojekyll").touch()


def _readable(page: str) -> str:
    """A page whose side bars have names, by which a screen reader tells them apart.

    The theme's link to the top gets a landmark, too, and the empty corner of a table is no heading.
    """
    page = page.replace(CORNER, '<td class="head"></td>')
    label = html.escape(say(s.TO_THE_TOP))
    page = TO_THE_TOP.sub(lambda m: f'<nav aria-label="{label}">{m[0]}</nav>', page)
    for look, name in {"sidebar-drawer": s.SITE, "toc-drawer": s.ON_THIS_PAGE}.items():
        found = f'<aside class="{look}'
        page = page.replace(found, f'<aside aria-label="{html.escape(say(name))}" class="{look}')
    return page


def processes() -> int:
    """How many tables may be drawn at a time."""
    return max(1, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1)


def compressed_size(path: Path) -> int:
    """How many bytes a server sends for a file of text."""
    return compressed(path.read_text(encoding="utf-8"))


def told(site: Path) -> str:
    """How large the site is."""
    files = [path for path in site.rglob("*") if path.is_file()]
    size = sum(path.stat().st_size for path in files)
    return f"{site.name}: {len(files)} files, {size / 1e6:.1f} MB"
