"""The learner's loop and the kernel's, line beside line: what is the same step is one row.

    show_two_loops(attention_by_tiles)   # each line is read from where it was written

A line is known by what it does, or else by its name. Where the learner's loop has no such line,
words say what the kernel does there: an exercise that is open shows nothing of its answer.
"""

import ast
import inspect
import textwrap
from collections.abc import Callable
from contextlib import suppress

from course_lib.chapters.flash_attention.steps_by_form import steps_of
from course_lib.figures.theme import INK, KEY, OUTPUT, VALUE, WEIGHT
from course_lib.learner.bound import bound_of
from course_lib.markup import escaped
from course_lib.measures.source import source_of
from course_lib.showing import show
from course_lib.words import say

COLOURS = {"k_tile": KEY, "v_tile": VALUE, "scores": INK, "powers": WEIGHT, "mixed": OUTPUT}
HEADS = "your loop, in PyTorch", "the kernel's loop, in Triton"
IN_WORDS = "what your loop does, in words"  # the head, where no line of it was found
LOOP = "for"  # stands for the line of the loop itself, among the names
WORDS = {
    LOOP: "block by block, all keys pass by",
    "k_tile": "the next keys",
    "scores": "one tile of scores",
    "new": "the maximum of each row so far, with this tile",
    "shrink": "what the old sums have to be multiplied by",
    "powers": "e to the power of each score, counted from the maximum",
    "total": "the old sum shrinks, and the new powers come in",
    "v_tile": "the values of these keys",
    "mixed": "the same with the values",
    "largest": "the maximum is kept for the next tile",
}
LEFT = "text-align: left;"
CARD = "background: white;"  # whatever the page is


def show_two_loops(attention_by_tiles: Callable) -> None:
    """A row for each name that the kernel's loop gives a value to, in its order."""
    rows = two_loops(attention_by_tiles)
    written = any(yours for _, yours, _ in rows)
    heads = say(HEADS[0] if written else IN_WORDS), say(HEADS[1])
    lines = [heads, *((yours or say(WORDS[name]), line) for name, yours, line in rows)]
    wide = max(len(yours) for yours, _ in lines) + 2
    plain = "\n".join(f"{yours:{wide}}| {kernels}" for yours, kernels in lines)
    show(plain, html=table(heads, "".join(_row(*row) for row in rows)))


def two_loops(attention_by_tiles: Callable) -> list[tuple[str, str, str]]:
    """Step, the learner's line or nothing, and the kernel's line, for each line of the kernel."""
    record = bound_of(attention_by_tiles)
    yours = _of(record.yours if record else attention_by_tiles)
    kernels = _lines(source_of("triton_bare", "bare"))
    return [(name, yours.get(name, ""), line) for name, line in kernels.items()]


def _of(attempt: Callable | None) -> dict[str, str]:
    """The lines of an attempt; none where nothing was attempted, or its source is not found."""
    if attempt is None:
        return {}
    with suppress(OSError, TypeError, SyntaxError):
        return lines_by_step(textwrap.dedent(inspect.getsource(inspect.unwrap(attempt))))
    return {}


def lines_by_step(source: str) -> dict[str, str]:
    """By step: the lines whose form is that of the step, else the line of that name."""
    named = _lines(source)
    functions = [one for one in ast.walk(ast.parse(source)) if isinstance(one, ast.FunctionDef)]
    loop = _innermost(source)
    if not functions or loop is None:
        return named
    formed = steps_of(functions[0], loop)
    taken = {line for lines in formed.values() for line in lines.split("; ")}
    return {name: line for name, line in named.items() if line not in taken} | formed


def _lines(source: str) -> dict[str, str]:
    """The lines of the innermost loop of a function, by the name that each gives a value to."""
    loop = _innermost(source)
    if loop is None:
        return {}
    found = {LOOP: ast.unparse(loop).splitlines()[0]}
    for line in loop.body:
        if isinstance(line, ast.Assign | ast.AugAssign):
            target = line.targets[0] if isinstance(line, ast.Assign) else line.target
            names = target.elts if isinstance(target, ast.Tuple) else [target]
            found.update({ast.unparse(name): ast.unparse(line) for name in names})
    return found


def _innermost(source: str) -> ast.For | None:
    loops = [one for one in ast.walk(ast.parse(source)) if isinstance(one, ast.For)]
    return loops[-1] if loops else None


def table(heads: tuple[str, ...], body: str) -> str:
    """A table below two heads; body: its rows, as HTML."""
    top = "".join(f'<th style="{LEFT}">{escaped(one)}</th>' for one in heads)
    return f'<table><tr style="{CARD} color: {INK};">{top}</tr>{body}</table>'


def _row(name: str, yours: str, kernels: str) -> str:
    colour = COLOURS.get(name, INK)
    left = code(yours) if yours else f"<i>{escaped(say(WORDS[name]))}</i>"
    cells = (
        f'<td style="{LEFT} border-left: 4px solid;">{left}</td>'
        f'<td style="{LEFT}">{code(kernels)}</td>'
    )
    return f'<tr style="{CARD} color: {colour};">{cells}</tr>'


def code(line: str) -> str:
    """A line of code in the colour of its row, which `code` would not take from it."""
    return f"<samp>{escaped(line)}</samp>"
