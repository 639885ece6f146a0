"""Which loop passes which test, as a table of marks.

show_tests(passed_tests())
"""

from collections.abc import Mapping

from course_lib.chapters.flash_attention.two_loops import CARD, LEFT, table
from course_lib.figures.theme import INK
from course_lib.markup import escaped
from course_lib.showing import show
from course_lib.words import say

MARKS = {True: "✓", False: "✗"}


def show_tests(tests: Mapping[str, Mapping[str, bool]]) -> None:
    """A row for each test, a column for each loop.

    tests: for each test, for each loop whether it passes, as `passed_tests` gives it.
    """
    loops = list(next(iter(tests.values())))
    heads = (say("test"), *loops)
    rows = [(say(test), *(MARKS[passed[loop]] for loop in loops)) for test, passed in tests.items()]
    wide = max(len(test) for test, *_ in rows)
    plain = "\n".join(f"{test:{wide}}  {'  '.join(marks)}" for test, *marks in [heads, *rows])
    show(plain, html=table(heads, "".join(_row(*row) for row in rows)))


def _row(test: str, *marks: str) -> str:
    cells = "".join(f"<td>{mark}</td>" for mark in marks)
    first = f'<td style="{LEFT}">{escaped(test)}</td>'
    return f'<tr style="{CARD} color: {INK};">{first}{cells}</tr>'
