"""What stands in the code of an answer that gave nothing or raised. It makes none right."""

import dis
import inspect
import itertools
import textwrap
from collections import Counter
from collections.abc import Callable, Iterator
from types import CodeType

from course_lib.judging.marks import MARKER, MisplacedMark, with_stub
from course_lib.learner.errors import shown_error

WORK = (
    "BINARY",
    "CALL",
    "COMPARE",
    "CONTAINS",
    "INPLACE",
    "LOAD_ATTR",
    "LOAD_GLOBAL",
    "LOAD_METHOD",
    "UNARY",
)
KEPT = ("STORE_FAST", "STORE_DEREF", "STORE_GLOBAL", "STORE_NAME")


def codes_of(candidate: Callable) -> list[CodeType]:
    """The code of a function, or of each method of a class."""
    candidate = inspect.unwrap(candidate) if not inspect.isclass(candidate) else candidate
    parts = vars(candidate).values() if inspect.isclass(candidate) else (candidate,)
    functions = (getattr(one, "__func__", one) for one in parts)
    codes = (getattr(one, "__code__", None) for one in functions)
    return [code for code in codes if isinstance(code, CodeType)]


def is_typed(candidate: Callable, answer: Callable) -> bool:
    """Whether it is certain that an answer does more than the stub that the learner was given."""
    stub = _stub_of(answer)
    if stub is None:
        return False
    typed = sum((_work_in(code) for code in codes_of(candidate)), Counter())
    return bool(typed - _work_in(stub))


def hands_out(candidate: Callable) -> bool:
    """Whether a value stands behind a `return`; where a function ends without one, None is given.

    Example:
        >>> hands_out(lambda a: a.sort()), hands_out(lambda a: None)
        (True, False)
    """
    return any(
        then.opname == "RETURN_VALUE" and not _loads_none(step)
        for code in codes_of(candidate)
        for step, then in itertools.pairwise(dis.get_instructions(code))
    )


def has_dots(candidate: Callable) -> bool:
    """Whether a `...` stands anywhere in an answer's code.

    Example:
        >>> has_dots(lambda a: ...), has_dots(lambda a: None)
        (True, False)
    """
    return any(Ellipsis in code.co_consts for code in _all_codes(candidate))


def _loads_none(step: dis.Instruction) -> bool:
    return step.opname.startswith("LOAD_CONST") and step.argval is None


def keeps_blank(candidate: Callable, error: BaseException) -> bool:
    """Whether an answer that raised still has a `...` of its stub: one is kept under a name, or
    the error is about one. `x[..., 0]` is none.
    """
    if any(map(_names_blank, _all_codes(candidate))):
        return True
    about = "ellipsis" in shown_error(error).lower() and not isinstance(error, IndexError)
    return about and has_dots(candidate)


def _names_blank(code: CodeType) -> bool:
    steps = list(dis.get_instructions(code))
    return any(
        one.argval is Ellipsis and then.opname.startswith(KEPT)
        for one, then in itertools.pairwise(steps)
    )


def _work_in(code: CodeType) -> Counter:
    """What code computes, calls and looks up, and how often; not what it only names."""
    return Counter(
        (step.opname, step.argrepr)
        for inner in with_inner(code)
        for step in dis.get_instructions(inner)
        if step.opname.startswith(WORK)
    )


def with_inner(code: CodeType) -> Iterator[CodeType]:
    yield code
    for one in code.co_consts:
        if isinstance(one, CodeType):
            yield from with_inner(one)


def _all_codes(candidate: Callable) -> list[CodeType]:
    return [inner for code in codes_of(candidate) for inner in with_inner(code)]


def _stub_of(answer: Callable) -> CodeType | None:
    """The code of an answer's source with the stub in the answer's place; None without marks."""
    try:
        source = textwrap.dedent(inspect.getsource(answer))
        lines = list(enumerate(source.splitlines(), start=1))
        if not any(MARKER.search(line) for _, line in lines):
            return None
        stub = "\n".join(line for _, line in with_stub(lines))
        return compile(stub, "<stub>", "exec")
    except (OSError, TypeError, SyntaxError, MisplacedMark):
        return None
