"""Pages of text as rows of counts: the simplest vectors that a search can compare.

rows, question = word_counts(["plum jam: cook plums", "the dentist, at nine"], "plum jam")
"""

import re
from collections.abc import Sequence

import numpy as np

WORD = re.compile(r"\w+")


def word_counts(pages: Sequence[str], question: str) -> tuple[np.ndarray, np.ndarray]:
    """How often each word stands on each page, and in the question; capitals count as small.

    The columns are all words of the pages and of the question, in the order of the alphabet.

    Shapes: n pages with w different words -> rows (n, w), question (1, w)
    Raises: TypeError, if pages are not texts in a list or the question is not a text; ValueError,
        if there is no page or no word.
    Source: Salton, Wong, Yang (1975), A Vector Space Model for Automatic Indexing.
    Example:
        >>> rows, question = word_counts(["Jam, jam", "tea"], "jam")
        >>> print(rows.tolist(), question.tolist())
        [[2, 0], [0, 1]] [[1, 0]]
    """
    texts = [*_checked(pages), question]
    for place, text in enumerate(texts):
        if not isinstance(text, str):
            name = f"pages[{place}]" if place < len(pages) else "question"
            raise TypeError(f"{name} is {text!r}; expected a text in quotes")
    found = [WORD.findall(text.lower()) for text in texts]
    words = sorted({word for each in found for word in each})
    if not words:
        raise ValueError("there is no word in pages and question; expected one at least")
    counts = np.array([[each.count(word) for word in words] for each in found])
    return counts[:-1], counts[-1:]


def _checked(pages: Sequence[str]) -> list[str]:
    if isinstance(pages, str) or not isinstance(pages, Sequence):
        raise TypeError(f"pages is {pages!r}; expected a list of texts, as in ['plum jam', 'tea']")
    if not pages:
        raise ValueError("pages is an empty list; expected one text at least")
    return list(pages)
