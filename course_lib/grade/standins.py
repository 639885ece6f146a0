"""The chapters' modules in the process of the cells: all that they hand out but the answers.

A chapter's module is made from the text of its own, without what it imports from its exercises
and bets. What a chapter has of answers, the judge is asked for.
"""

import ast
import importlib.abc
import importlib.machinery
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

ROOM = "course_lib.chapters"
CHAPTERS = Path(__file__).resolve().parents[1] / "chapters"
FIRST_EDITION = ("course_lib.exercises", "course_lib.explorers")


def answer_files() -> list[Path]:
    """The folders and files of the chapters in which answers stand."""
    folders = sorted(CHAPTERS.glob("*/exercises"))
    beside = [
        path
        for path in sorted(CHAPTERS.glob("*/*.py"))
        if path.name != "__init__.py" and "judging.exercise" in path.read_text(encoding="utf-8")
    ]
    return [*folders, *beside]


def answer_modules() -> list[str]:
    """The names of the packages and modules in which answers stand."""
    paths = (path.relative_to(CHAPTERS).with_suffix("") for path in answer_files())
    return [".".join([ROOM, *path.parts]) for path in paths]


class Handout:
    """In place of a chapter's: nothing is saved, bet or shown."""

    def __init__(self, exercise: Callable):
        self.exercise = exercise

    def _nothing(self, *args: object, **kwargs: object) -> None:
        return None

    bet = hint = progress = reveal = settle = placed = _nothing


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def __init__(self, answers: Sequence[str], course: Callable, exercise: Callable):
        self.closed, self.course, self.handout = tuple(answers), course, Handout(exercise)

    def find_spec(self, name, path=None, target=None):
        parts = name.split(".")
        chapter = ".".join(parts[:2]) == ROOM and len(parts) == 3
        if not (chapter and (CHAPTERS / parts[2]).is_dir()) and not self._is_closed(name):
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def _is_closed(self, name: str) -> bool:
        return any(name == one or name.startswith(one + ".") for one in self.closed)

    def exec_module(self, module: Any) -> None:
        parts = module.__name__.split(".")
        if self._is_closed(module.__name__):
            module.__getattr__ = self._answer
            return
        folder = CHAPTERS / parts[2]
        module.__path__ = [str(folder)]
        module.handout = self.handout
        exec(_without_answers((folder / "__init__.py").read_text(encoding="utf-8")), vars(module))

    def _answer(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self.course(name)


def _without_answers(text: str) -> Any:
    tree = ast.parse(text)
    tree.body = [one for one in tree.body if not _of_answers(one)]
    return compile(tree, "<chapter>", "exec")


def _of_answers(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.ImportFrom):
        where = statement.module or ""
        return ".exercises" in where or where.endswith((".bets", "notebook.handout"))
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    return any(isinstance(one, ast.Name) and one.id == "handout" for one in targets)


def bind_chapters(
    chapter: str, answers: Sequence[str], course: Callable[[str], Any], exercise: Callable
) -> ModuleType:
    """From here on, the chapters are imported without answers.

    answers: the modules in which they stand (`answer_modules`).
    course: makes the function of a name for which the judge is asked.   exercise: the decorator.
    Notebooks of the first edition import course_lib.exercises.NAME: that is the chapter too.

    Returns: the module of `chapter`, such as "03_scaling".
    """
    sys.meta_path.insert(0, _Finder(answers, course, exercise))
    stem = chapter.partition("_")[2]
    module = importlib.import_module(f"{ROOM}.{stem}")
    for name in FIRST_EDITION:
        package = ModuleType(name)
        package.__path__ = []
        setattr(package, stem, module)
        sys.modules |= {name: package, f"{name}.{stem}": module}
    return module
