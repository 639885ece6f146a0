"""Whether a chapter's translations still belong to the English above them.

The build writes of="..." (a hash of the English) on a translation that has none; a translator
who has renewed a text removes it. A stale or missing translation is told, never an error.
"""

from pathlib import Path

from course_lib.files import replace
from tools.chapter import Chapter, digest, read_chapter


def stamp(source: Path) -> bool:
    """Write of="..." on each translation in `source` without one; True where there was any."""
    chapter = read_chapter(source)
    lines = source.read_text(encoding="utf-8").splitlines(keepends=True)
    changed, english = False, ""
    for cell in chapter.cells:
        if cell.language == "en":
            english = digest(cell.text)
        elif "of" not in cell.options:
            old = lines[cell.header_line - 1]
            new = old.replace(f'lang="{cell.language}"', f'lang="{cell.language}" of="{english}"')
            lines[cell.header_line - 1] = new
            changed = True
    if changed:
        replace({source: "".join(lines)})
    return changed


def problems(chapter: Chapter) -> list[str]:
    """One line for each stale or missing translation of a chapter that has any."""
    if all(cell.language == "en" for cell in chapter.cells):
        return []
    translated = {cell.id: cell for cell in chapter.cells if cell.language != "en"}
    found = []
    for cell in chapter.english:
        where = f"{chapter.path}:{cell.header_line}"
        if cell.kind == "markdown" and cell.id not in translated:
            found.append(f"{where}: not translated: {cell.lines[0][1]}")
        elif cell.id in translated and translated[cell.id].options.get("of") != digest(cell.text):
            found.append(f"{where}: the translation is stale: {cell.lines[0][1]}")
    return found
