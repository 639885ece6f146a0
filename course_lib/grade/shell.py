"""IPython for the cells of a notebook that is judged: nothing is installed, nothing starts."""

from collections.abc import Callable
from typing import Any

from course_lib.grade.errors import CELL


def new_shell(place: Callable[[], int]) -> Any:
    """A shell whose cells are files named after their number (`place`, from 0).

    Lines for the system (`!pip install ...`) do nothing; a magic that is not here or fails does
    nothing either, so that what stands below it runs.
    """
    from IPython.core.interactiveshell import InteractiveShell

    shell: Any = InteractiveShell.instance()
    shell.history_manager.enabled = False
    shell.compile.get_code_name = lambda *about: CELL.format(place() + 1)
    shell.system = shell.system_raw = shell.system_piped = _nothing
    shell.getoutput = lambda *line, **options: []
    line_magic, cell_magic = shell.run_line_magic, shell.run_cell_magic
    shell.run_line_magic = _skipping(line_magic)
    shell.run_cell_magic = _skipping(cell_magic)
    shell.showtraceback = shell.showsyntaxerror = _nothing
    return shell


PROGRAMS = {"pip", "conda", "mamba", "micromamba", "uv", "sx", "sc", "system", "cd"}


def _nothing(*args: object, **options: object) -> None:
    """In place of what would reach out of the notebook."""


def _skipping(run: Callable) -> Callable:
    def tolerant(name, *others, **options):
        from IPython.core.error import UsageError

        if name in PROGRAMS:
            return None
        try:
            return run(name, *others, **options)
        except (UsageError, ImportError, PermissionError):
            return None

    return tolerant


def run_cell(shell: Any, text: str) -> BaseException | None:
    """What a cell raised; None where it ran to its end."""
    done = shell.run_cell(text, store_history=False)
    return done.error_before_exec or done.error_in_exec
