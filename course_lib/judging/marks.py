"""The marks in the file of an exercise: which lines are the answer, and which the learner's stub.

    # SOLUTION          from here to END SOLUTION (or STUB) stands the answer, runnable
    # STUB              optional: commented lines that become the learner's stub
    # END SOLUTION

Without a STUB the learner gets `return ...  # your code here`.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

DEFAULT_STUB = "return ...  # your code here"
MARKER = re.compile(r"#\s*(?P<name>END SOLUTION|SOLUTION|STUB)\b")
ALONE = re.compile("# (END SOLUTION|SOLUTION|STUB)")
ORDER = {"plain": ("SOLUTION",), "answer": ("STUB", "END SOLUTION"), "stub": ("END SOLUTION",)}
FOLLOWING = {"SOLUTION": "answer", "STUB": "stub", "END SOLUTION": "plain"}

NumberedLines = list[tuple[int, str]]


class MisplacedMark(ValueError):
    """The marks do not stand as they should. number: the line."""

    def __init__(self, number: int, what: str):
        super().__init__(what)
        self.number = number


@dataclass(frozen=True)
class Piece:
    """Some lines of a kind: "plain", "answer", "stubbed answer" (one with a stub) or "stub".

    mark: the line that opens it, with its number.
    """

    kind: str
    mark: tuple[int, str]
    lines: NumberedLines


def pieces(lines: Iterable[tuple[int, str]]) -> Iterator[Piece]:
    """The pieces of a source, in order. Raises: MisplacedMark."""
    kind, mark, block = "plain", (0, ""), []
    for number, line in lines:
        found = MARKER.search(line)
        if found is None:
            block.append((number, line))
            continue
        name = found["name"]
        if not ALONE.fullmatch(line.strip()):
            raise MisplacedMark(number, f"a marker stands alone on its line: '# {name}'")
        if name not in ORDER[kind]:
            wanted = " or ".join(ORDER[kind])
            raise MisplacedMark(number, f"'# {name}' where only {wanted} can come")
        if kind == "answer" and not any(text.strip() for _, text in block):
            raise MisplacedMark(mark[0], "the answer is empty")
        yield Piece("stubbed answer" if name == "STUB" else kind, mark, block)
        kind, mark, block = FOLLOWING[name], (number, line), []
    if kind != "plain":
        raise MisplacedMark(mark[0], "this answer has no '# END SOLUTION'")
    yield Piece(kind, mark, block)


def with_stub(lines: Iterable[tuple[int, str]]) -> NumberedLines:
    """The source as the learner gets it. Raises: MisplacedMark."""
    kept: NumberedLines = []
    for piece in pieces(lines):
        if piece.kind == "plain":
            kept += piece.lines
        elif piece.kind == "stub":
            kept += [(number, _uncommented(number, line)) for number, line in piece.lines]
        elif piece.kind == "answer":
            number, mark = piece.mark
            kept.append((number, mark[: -len(mark.lstrip())] + DEFAULT_STUB))
    return kept


def with_answer(lines: Iterable[tuple[int, str]]) -> NumberedLines:
    """The source without marks and stubs. Raises: MisplacedMark."""
    return [one for piece in pieces(lines) if piece.kind != "stub" for one in piece.lines]


def answer_alone(lines: Iterable[tuple[int, str]]) -> NumberedLines:
    """The lines that the learner is not to see, without their indent. Raises: MisplacedMark."""
    return [
        (number, line.strip())
        for piece in pieces(lines)
        if piece.kind in ("answer", "stubbed answer")
        for number, line in piece.lines
        if line.strip()
    ]


def _uncommented(number: int, line: str) -> str:
    indent, sign, text = re.fullmatch(r"(\s*)(# ?)?(.*)", line, re.DOTALL).groups()  # type: ignore[union-attr]
    if text and not sign:
        raise MisplacedMark(number, "a line of a # STUB is commented: '# ' and the line")
    return indent + text
