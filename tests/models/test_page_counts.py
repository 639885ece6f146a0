"""Pages as rows of counts."""

import numpy as np
import pytest

from course_lib.models.page_counts import word_counts


def test_each_word_has_a_column_and_the_question_shares_them():
    rows, question = word_counts(["Plum jam: plum!", "the tea"], "tea or jam")
    assert rows.tolist() == [[1, 0, 2, 0, 0], [0, 0, 0, 1, 1]]  # jam, or, plum, tea, the
    assert question.tolist() == [[1, 1, 0, 1, 0]]


def test_words_of_other_alphabets_and_marks_are_words():
    rows, question = word_counts(["Käse, сыр 2"], "KÄSE")
    assert rows.tolist() == [[1, 1, 1]]
    assert (rows @ question.T).tolist() == [[1]]


def test_an_empty_page_is_a_row_of_zeros():
    rows, _ = word_counts(["", "tea"], "tea")
    assert rows.tolist() == [[0], [1]]


def test_a_word_that_no_page_has_scores_0_everywhere():
    rows, question = word_counts(["plum jam", "tea"], "marmalade")
    assert not np.any(rows @ question.T)


@pytest.mark.parametrize(
    ("pages", "question", "error", "sentence"),
    [
        ("plum jam", "jam", TypeError, "pages is 'plum jam'; expected a list of texts"),
        (3, "jam", TypeError, "pages is 3; expected a list"),
        ([], "jam", ValueError, "pages is an empty list"),
        (["jam", 4], "jam", TypeError, r"pages\[1\] is 4; expected a text in quotes"),
        (["jam"], None, TypeError, "question is None; expected a text"),
        (["!"], "", ValueError, "there is no word"),
    ],
)
def test_what_is_no_text_is_named(pages, question, error, sentence):
    with pytest.raises(error, match=sentence):
        word_counts(pages, question)
