"""A cell that Python cannot read: under its SyntaxError, what it may be, in plain words.

So too under a NameError of a name in the cell itself, where a text may have lost its quotes, and
under the error of a product in the cell whose two sides do not fit.

Such a cell stops before its first line, so no check of ours runs. The kernel is asked to tell when
a cell has ended; nothing of its own report is changed, a few words are added below it.
"""

import re
from collections.abc import Container, Mapping
from typing import Any

from course_lib.markup import COLOURS, code_block, framed, marked_up
from course_lib.notebook import sentences as s
from course_lib.notebook.defects import defects_told
from course_lib.notebook.products import of_a_product
from course_lib.showing import running_shell, show
from course_lib.words import say

EVENT = "post_run_cell"

MEANINGS = {  # what Python's message begins with or holds -> what it may be
    r"^'.' was never closed": s.NEVER_CLOSED,
    r"^unmatched ": s.NEVER_OPENED,
    r"^closing parenthesis .* does not match": s.CLOSED_BY_ANOTHER,
    r"^expected ':'": s.COLON_MISSING,
    r"^expected an indented block": s.NOTHING_INSIDE,
    r"^unexpected indent|^unindent does not match|^inconsistent use of tabs": s.UNEVEN_LINES,
    r"^unterminated triple": s.TEXT_NEVER_CLOSED,
    r"^unterminated .*string": s.QUOTE_MISSING,
    r"^invalid character .*U\+(201[89ACDE]|00AB|00BB)": s.OTHER_QUOTES,
    r"^invalid character .*U\+(2212|2013|2014)": s.OTHER_MINUS,
    r"^invalid character .*U\+(00B7|00D7|2219|22C5)": s.OTHER_TIMES,
    r"^invalid character .*U\+221A": s.NO_ROOT_SIGN,
    r"cannot assign to|Maybe you meant '=='": s.ONE_EQUALS_SIGN,
    r"^'return' outside function": s.RETURN_OUTSIDE,
    r"^Missing parentheses in call": s.ROUND_BRACKETS,
    r"^invalid decimal literal": s.DIGIT_AND_NAME,
    r"Perhaps you forgot a comma": s.COMMA_MISSING,
}
METHODS = r"(r?index|r?find)\b"  # at the place, after a name: a dot is missing
TWO_WORDS = r"\w\s+$"  # what stands before the place, where a word stands at the place
INCOMPLETE = "incomplete input"  # all that IPython says where a cell ends too soon
TRANSPOSED = r"^[^'\"#]*[\w)\]]\.?$"  # the same, where a quote stands at the place
DOTS_BESIDE = r"\.\.\.\s*\w|[\w)\]]\s*\.\.\."  # code beside what stood in its place
DOTTED = r"[\w)\]]\s*\.$"  # the same, where * or / or ^ stands at the place


def tell_of_unreadable_cells() -> None:
    """From now on, say something below each SyntaxError of a cell; outside a notebook, nothing."""
    shell = running_shell()
    if shell is not None and told_of not in shell.events.callbacks[EVENT]:
        shell.events.register(EVENT, told_of)


def told_of(result: Any) -> None:
    """What a kernel calls after each cell. result: IPython's ExecutionResult."""
    error = result.error_before_exec or result.error_in_exec
    whole = getattr(result.info, "raw_cell", None) or ""
    if type(error) is NameError and _is_of_a_cell(error):
        with defects_told("NameError"):
            if meaning := without_meaning(error.name or "", whole):
                _show_below(meaning)
    if isinstance(error, RuntimeError | ValueError) and _is_of_a_cell(error):
        with defects_told(type(error).__name__):
            if meaning := of_a_product(str(error)):
                _show_below(meaning)
    if not isinstance(error, SyntaxError):
        return
    with defects_told("SyntaxError"):
        error, cell = _spelled_out(error, whole), whole.splitlines()
        line = cell[error.lineno - 1] if error.lineno and error.lineno <= len(cell) else ""
        known = getattr(running_shell(), "user_ns", {})
        meaning = meaning_of(error.msg or "", line, error.offset or 0, known)
        number = error.lineno or 1
        head = say(s.UNREADABLE)
        where = say(s.UNREADABLE_LINE, number=number)
        inside = f"<b>{head}</b><div>{where}</div>{code_block(line)}" if line else f"<b>{head}</b>"
        inside += f"<div>{marked_up(meaning)}</div>" if meaning else ""
        lines = [
            head,
            *([f"{where} {line.strip()}"] if line else []),
            *([meaning] if meaning else []),
        ]
        show("\n".join(lines), html=framed(inside, COLOURS["todo"]))


def _show_below(meaning: str) -> None:
    show(meaning, html=framed(f"<div>{marked_up(meaning)}</div>", COLOURS["todo"]))


def without_meaning(word: str, cell: str) -> str:
    """Of a name that nobody has made: that a text needs quotes, or what to look at; else "".

    Nothing is said of a name that is not in the cell, and of texts nothing where it is called.
    """
    if not word or not re.search(rf"\b{re.escape(word)}\b", cell):
        return ""
    line = re.search(rf"^(\w+) *= *{re.escape(word)} *(#.*)?$", cell, re.MULTILINE)
    if line:
        return say(s.QUOTES_MISSING, word=word, name=line[1])
    called = re.search(rf"\b{re.escape(word)} *[(.\[]", cell)
    asked = say(s.IS_IT_SPELLED) if called else say(s.IS_IT_A_TEXT, word=word) + say(s.IS_IT_A_NAME)
    return say(s.NO_MEANING, word=word) + asked


def _is_of_a_cell(error: BaseException) -> bool:
    """Whether it arose in a line of a notebook, and not in the library or another package."""
    at = error.__traceback__
    while at is not None and at.tb_next is not None:
        at = at.tb_next
    shell = running_shell()
    return at is not None and shell is not None and at.tb_frame.f_globals is shell.user_ns


def _spelled_out(error: SyntaxError, cell: str) -> SyntaxError:
    """The error itself; where it says only that the cell ends too soon, what Python says of it."""
    if error.msg != INCOMPLETE:
        return error
    try:
        compile(cell, error.filename or "", "exec")
    except SyntaxError as told:
        return error if told.msg == "invalid syntax" else told  # that may be about IPython's own
    return error


def meaning_of(message: str, line: str, offset: int, known: Container[str] = ()) -> str:
    """What may be wrong, in a sentence; "" where it is not known.

    message: Python's.   line: the line it names.   offset: the place in the line, from 1.
    known: the names that there are.
    """
    before, after = line[: max(offset - 1, 0)], line[max(offset - 1, 0) :]
    quote = re.match(r"([bu]?)'", after)  # Python takes the b of b' for a part of the quote
    if quote and re.search(TRANSPOSED, before + quote[1]):
        return say(s.TRANSPOSED)
    if name := _spaced_out(line, len(before), known):
        return say(s.ONE_NAME, name=name)
    for pattern, meaning in MEANINGS.items():
        if re.search(pattern, message):
            return say(meaning)
    if message == "invalid syntax" and re.search(DOTTED, before) and re.match(r"[*/^]", after):
        return say(s.DOTTED_SIGN)
    if message == "invalid syntax" and re.search(DOTS_BESIDE, line.partition("#")[0]):
        return say(s.DOTS_LEFT)
    if message == "invalid syntax" and re.search(r"\w\s*$", before) and after.startswith("{"):
        return say(s.CURLY_BRACKETS)
    if message == "invalid syntax" and re.search(TWO_WORDS, before) and re.match(r"\w", after):
        asked = re.match(METHODS, after)
        return say(s.DOT_MISSING, name=asked[1]) if asked else _two_words(before, after, known)
    return ""


def _two_words(before: str, after: str, known: Container[str]) -> str:
    """Of two words side by side: what may be missing between them, or around the second."""
    first, second = re.findall(r"\w+", before)[-1], re.findall(r"\w+", after)[0]
    if isinstance(known, Mapping) and callable(known.get(first)):
        return say(s.GIVEN_IN_BRACKETS, name=first, given=second)
    return say(s.TWO_WORDS)


def _spaced_out(line: str, place: int, known: Container[str]) -> str:
    """The known name that two words at a place would make with `_` for the space; elsewhere ""."""
    for words in re.finditer(r"(?=\b([^\W\d]\w*) +(\w+))", line):
        name = f"{words[1]}_{words[2]}"
        if words.start(1) <= place <= words.end(2) and name in known:
            return name
    return ""
