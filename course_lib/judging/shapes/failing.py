"""Where an answer's own code raised: the frame, and the expression as the learner wrote it."""

import ast
import functools
import itertools
import linecache
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import FrameType, TracebackType

from course_lib.judging.typed import codes_of
from course_lib.learner.bound import bound_of

WIDTH = 80


@dataclass(frozen=True)
class Failing:
    """An expression (or assignment) that raised, in the frame whose names it reads.

    source: the whole text of the cell or file.   above: the node of which `node` is a part.
    """

    node: ast.AST
    above: ast.AST | None
    frame: FrameType
    source: str

    def text(self, node: ast.AST) -> str:
        """A piece of the source in one line, cut where it is long."""
        found = " ".join(_segment(self.source, node).split())
        return found if len(found) <= WIDTH else found[: WIDTH - 4] + " ..."


def own_step(error: BaseException, candidate: Callable) -> TracebackType | None:
    """The last step of an error's way that lies in the answer's own code.

    Its own are the cell or file in which it stands, and what shares the notebook's names with it;
    but for what another exercise has bound there, which is right: the line that calls it is not.
    Of calls without an end, it is the first step whose code runs again below it.
    """
    codes = codes_of(candidate)
    files = {code.co_filename for code in codes}
    names = getattr(candidate, "__globals__", None)
    bound = [one for one in list((names or {}).values()) if bound_of(one) is not None]
    right = {code for one in bound for code in codes_of(one)}.difference(codes)
    own = [
        step
        for step in itertools.takewhile(
            lambda step: step.tb_frame.f_code not in right, _steps(error.__traceback__)
        )
        if step.tb_frame.f_code.co_filename in files or step.tb_frame.f_globals is names
    ]
    if isinstance(error, RecursionError):
        deeper = own[-1].tb_frame.f_code if own else None
        own = [step for step in own if step.tb_frame.f_code is deeper][:1]
    return own[-1] if own else None


def own_line(error: BaseException, candidate: Callable) -> tuple[int, str]:
    """The number and text of the last line of the answer's own code that an error passed.

    Where a function called itself without an end, that is the line that calls it: the last one that
    ran only happened to be the one too many.
    """
    step = own_step(error, candidate)
    if step is None:
        return 0, ""
    frame, number = step.tb_frame, step.tb_lineno
    line = linecache.getline(frame.f_code.co_filename, number, frame.f_globals)
    return number, line.strip()


def failing(error: BaseException, candidate: Callable) -> Failing | None:
    """The expression that raised; None where the source or the place in it is not known."""
    step = own_step(error, candidate)
    if step is None:
        return None
    frame = step.tb_frame
    lines = linecache.getlines(frame.f_code.co_filename, frame.f_globals)
    source = "".join(lines)
    positions = list(frame.f_code.co_positions())
    first, last, begin, end = positions[step.tb_lasti // 2]
    if not source or None in (first, last, begin, end):
        return None
    found = _node_at(source, (first, begin, last, end))
    return None if found is None else Failing(*found, frame, source)


def named_above(place: Failing) -> Iterator[tuple[ast.Name, ast.Call]]:
    """The calls in the lines above a failed one, each with the name that its line gives a value.

    Only those whose names have still the values that they had then.
    """
    at, code = getattr(place.node, "lineno", 0), place.frame.f_code
    functions = [node for node, _ in _nodes(place.source) if isinstance(node, ast.FunctionDef)]
    around = [one for one in functions if one.lineno <= at <= (one.end_lineno or 0)]
    if not around or around[-1].name != code.co_name:
        return
    given = [one.id for one in _names(around[-1]) if isinstance(one.ctx, ast.Store)]
    for line in around[-1].body:
        if not isinstance(line, ast.Assign) or (line.end_lineno or at) >= at:
            continue
        (name, *others) = line.targets
        if others or not isinstance(name, ast.Name) or given.count(name.id) > 1:
            continue
        for call in ast.walk(line.value):
            if isinstance(call, ast.Call) and not {one.id for one in _names(call)} & {*given}:
                yield name, call


def _names(node: ast.AST) -> list[ast.Name]:
    return [one for one in ast.walk(node) if isinstance(one, ast.Name)]


def is_of_the_course(error: BaseException) -> bool:
    """Whether a function of the course raised it: its message is written for learners."""
    steps = list(_steps(error.__traceback__))
    name = steps[-1].tb_frame.f_globals.get("__name__") if steps else None
    return isinstance(name, str) and name.startswith("course_lib.")


def _steps(step: TracebackType | None) -> Iterator[TracebackType]:
    while step is not None:
        yield step
        step = step.tb_next


def _segment(source: str, node: ast.AST) -> str:
    """What ast.get_source_segment gives, which takes a source apart sign by sign."""
    first, begin, last, end = _place(node)
    if None in (last, end) or -1 in (first, last):
        return ""
    lines = [line.encode() for line in source.split("\n")[first - 1 : last]]
    lines[-1] = lines[-1][:end]
    lines[0] = lines[0][begin:]
    return b"\n".join(lines).decode()


Place = tuple[int | None, int | None, int | None, int | None]


def _node_at(source: str, place: Place) -> tuple[ast.AST, ast.AST | None] | None:
    """The widest node at a place; a call over several lines is known by its end alone."""
    pairs = _nodes(source)
    for node, above in pairs:
        if _place(node) == place:
            return node, above
    calls = [pair for pair in pairs if isinstance(pair[0], ast.Call)]
    return next((pair for pair in calls if _place(pair[0])[2:] == place[2:]), None)


@functools.lru_cache(maxsize=4)
def _nodes(source: str) -> list[tuple[ast.AST, ast.AST | None]]:
    """Every node with the one above it, from the widest to the narrowest."""
    found: list[tuple[ast.AST, ast.AST | None]] = [(ast.parse(source), None)]
    for node, _ in found:
        found += [(inner, node) for inner in ast.iter_child_nodes(node)]
    return [pair for pair in found if not isinstance(pair[0], ast.Expr | ast.Module)]


def _place(node: ast.AST) -> tuple:
    names = ("lineno", "col_offset", "end_lineno", "end_col_offset")
    return tuple(getattr(node, name, -1) for name in names)
