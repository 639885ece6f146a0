"""The process in which one notebook runs and is judged; started by `judged.py` only.

    python -m course_lib.grade.worker CELLS.json FOUND.jsonl MEMORY

The cells run in order, each to its end or its error, as "Run all" would do if no error stopped it:
a learner's wrong line does not hide what stands below it. What is found is written line by line,
so that it is there even if a cell ends Python.
"""

import importlib
import json
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

from course_lib.grade.confinement import confine
from course_lib.grade.handed_in import EXERCISE
from course_lib.judging import judge
from course_lib.judging.verdict import Verdict
from course_lib.learner.adapter import adapt
from course_lib.learner.time_limit import TimeUp, limited

CELL_SECONDS = 60


def main(cells: str, found: str, memory: str) -> None:
    """Run and judge what CELLS.json holds: the chapter's name and its cells."""
    with open(cells, encoding="utf-8") as file:
        handed_in = json.load(file)
    with open(found, "w", encoding="utf-8", buffering=1) as file:
        confine(int(memory))
        _Notebook(handed_in["chapter"], lambda **line: print(json.dumps(line), file=file)).run(
            handed_in["cells"]
        )


class _Notebook:
    """One chapter's exercises, and the shell in which the cells run."""

    def __init__(self, chapter: str, tell: Callable[..., object]):
        from IPython.core.interactiveshell import InteractiveShell

        stem = chapter.partition("_")[2]
        module: Any = importlib.import_module(f"course_lib.chapters.{stem}")
        self.chapter, self.tell = module.handout, tell
        self.judged: set[str] = set()
        module.exercise = self.exercise
        self.shell = InteractiveShell.instance()
        self._accept_first_edition(stem, module)

    def exercise(self, attempt: Callable) -> Callable:
        """The decorator of the cells: judges and tells; what works is bound, as in the course."""
        found = self.chapter.exercises.get(getattr(attempt, "__name__", ""))
        if found is None:
            return attempt
        return adapt(found, attempt, self._judge(found.name, attempt), tell=lambda line: None)

    def _judge(self, name: str, attempt: Callable) -> Verdict:
        verdict = judge(f"{self.chapter.name}/{name}", attempt)
        self.tell(
            exercise=name,
            state=verdict.state,
            symptom="" if verdict.state == "right" else verdict.symptom,
            mistake="" if verdict.mistake is None else verdict.mistake.text,
            defect=verdict.cause == "defect",
        )
        self.judged.add(name)
        return verdict

    def _accept_first_edition(self, stem: str, module: ModuleType) -> None:
        """Let notebooks run that import from course_lib.exercises and course_lib.explorers.

        What else they import may have moved too, so the chapter's names are there from the start.
        """
        for room in ("exercises", "explorers"):
            package = ModuleType(f"course_lib.{room}")
            package.__path__ = []
            setattr(package, stem, module)
            sys.modules[package.__name__] = package
            sys.modules[f"{package.__name__}.{stem}"] = module
        self.shell.user_ns.update({name: getattr(module, name) for name in module.__all__})

    def run(self, cells: list[str]) -> None:
        """Run all cells, then judge what was defined without the decorator."""
        for place, cell in enumerate(cells):
            self.tell(cell=place)
            error = self._error(cell)
            if error is not None:
                self.tell(failed=place, error=_shown(error))
                self._stand_in(cell)
        for name in self.chapter.exercises.keys() - self.judged:
            attempt = self.shell.user_ns.get(name)
            if getattr(attempt, "__module__", None) == "__main__":
                self._judge(name, attempt)
        self.tell(end=True)

    def _stand_in(self, cell: str) -> None:
        """Bind the course's answers where a cell could not: the cells below it may need them."""
        for name in set(EXERCISE.findall(cell)) & self.chapter.exercises.keys() - self.judged:
            self.shell.user_ns[name] = self.chapter.exercises[name].answer

    def _error(self, cell: str):
        """What a cell raised; None where it ran to its end."""
        try:
            done = limited(lambda: self.shell.run_cell(cell, store_history=False), CELL_SECONDS)
        except TimeUp:
            return TimeoutError(f"stopped after {CELL_SECONDS} s")
        error = done.error_before_exec or done.error_in_exec
        if isinstance(error, TimeUp):
            return TimeoutError(f"stopped after {CELL_SECONDS} s")
        return error


def _shown(error: BaseException) -> str:
    said = str(error).strip().partition("\n")[0]
    if isinstance(error, SyntaxError):  # str() would name a file that nobody has
        said = f"{error.msg}, line {error.lineno}"
    return f"{type(error).__name__}: {said}".rstrip(": ")[:200]


if __name__ == "__main__":
    main(*sys.argv[1:])
