"""Exercise `rows_in_pages`: where the words of a text lie, if its cache is kept in pages."""

import numpy as np
import torch

from course_lib.judging.exercise import Exercise, Mistake, Refused, inputs


def rows_in_pages(table, page, length):
    """The rows of the memory that hold a text, in the order of its words.

    table: a list of pages   page: rows in a page   length: words   returns: a list of numbers
    """
    # SOLUTION
    return [table[i // page] * page + i % page for i in range(length)]
    # END SOLUTION


def _rule(row):
    """For each word i, row(i, table, page)."""
    return lambda table, page, length: [row(i, table, page) for i in range(length)]


def _page_after_page(table, page, length):
    rows = []
    for number in table:
        first = number * page
        rows += range(first, first + page)
    return rows[:length]


def _by_divmod(table, page, length):
    places = [divmod(i, page) for i in range(length)]
    return np.array([page * table[which] + row for which, row in places])


def _in_torch(table, page, length):
    starts = torch.tensor(table) * page
    return (starts[:, None] + torch.arange(page)).flatten()[:length]


ROWS_IN_PAGES = Exercise(
    answer=rows_in_pages,
    cases=(
        lambda rng: inputs([2, 0], 3, 5),
        lambda rng: inputs([1, 4, 2], 2, 6),
        lambda rng: inputs([5, 3, 4], 4, 9),
        lambda rng: inputs([3, 1, 0, 6], 2, 3),
        lambda rng: inputs([4, 2], 16, 20),
        lambda rng: inputs(rng.permutation(11).tolist(), 5, int(rng.integers(30, 50))),
        lambda rng: inputs([2, 0], 3, 5),
    ),
    mistakes=(
        Mistake(
            "These rows stand one after another from row 0 on, as if the text had the memory to "
            "itself. Word i lies in the page that the table names.",
            _rule(lambda i, table, page: i),
        ),
        Mistake(
            "You added the number of the page. In front of page p lie p whole pages, so its first "
            "row is p * page.",
            _rule(lambda i, table, page: table[i // page] + i % page),
        ),
        Mistake(
            "These are the pages. Asked are the rows: page p begins at row p * page, and word i is "
            "its row i % page.",
            _rule(lambda i, table, page: table[i // page]),
        ),
        Mistake(
            "This is the first row of each word's page. Within the page, word i has the row "
            "i % page.",
            _rule(lambda i, table, page: table[i // page] * page),
        ),
        Mistake(
            "Inside a page the rows start again at 0: add i % page, what is left of i when whole "
            "pages are taken away, not i itself.",
            _rule(lambda i, table, page: table[i // page] * page + i),
        ),
        Mistake(
            "You dealt the words out to the pages in turn. A page is filled before the next one "
            "begins: word i is in entry i // page of the table.",
            _rule(lambda i, table, page: table[i % len(table)] * page + i // len(table)),
        ),
        Mistake(
            "// and % are exchanged: i // page is how many pages are full before word i, and "
            "i % page is its row in the next one.",
            lambda table, page, length: [
                table[(i % page) % len(table)] * page + i // page for i in range(length)
            ],
        ),
        Mistake(
            "These are all rows of all pages of the table. Behind the last word the page is empty: "
            "stop after `length` rows.",
            lambda table, page, length: _page_after_page(table, page, len(table) * page),
        ),
        Mistake(
            "The pages were sorted. The table stands in the order of the words, whatever numbers "
            "its pages have.",
            lambda table, page, length: rows_in_pages(sorted(table), page, length),
        ),
        Mistake(
            "Rows and words are counted from 0: the first word of page p lies in row p * page.",
            _rule(lambda i, table, page: table[i // page] * page + i % page + 1),
        ),
        Mistake(
            "Only the last page was filled up to its last word, the others are missing. A text has "
            "all pages of its table.",
            lambda table, page, length: rows_in_pages(table, page, length)[
                (length - 1) // page * page :
            ],
        ),
    ),
    refused=(
        Refused(lambda table, page, length: []),
        Refused(lambda table, page, length: table),
    ),
    alternatives=(
        _page_after_page,
        _by_divmod,
        _in_torch,
        lambda table, page, length: tuple(
            table[i // page] * page + i - i // page * page for i in range(length)
        ),
    ),
    hints=(
        "Pages of 16: in which entry of the table does word 20 lie, and in which row of that page?",
        "i // 16 pages are full before word i, and i % 16 words stand before it in its own page. "
        "Page p begins at row p * 16.",
        "return [table[...] * page + ... for i in range(length)]",
    ),
    minutes=4,
    stars=1,
    depth=True,
)
