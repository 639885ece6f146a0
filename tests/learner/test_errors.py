"""An error of the learner's code as one line, for a sentence that has a full stop of its own."""

import numpy as np
import pytest

from course_lib.learner.errors import shown_error


@pytest.mark.parametrize(
    ("message", "told"),
    [
        ("use the `~` operator instead.", "ValueError: use the `~` operator instead"),
        ("sizes differ", "ValueError: sizes differ"),
        ("and so on ...", "ValueError: and so on ..."),
        ("", "ValueError"),
    ],
)
def test_the_full_stop_of_a_message_is_left_to_the_sentence_around_it(message, told):
    assert shown_error(ValueError(message)) == told


def test_a_long_message_is_cut_and_ends_in_three_dots():
    assert shown_error(ValueError("a" * 300)).endswith("a ...")


def test_numpys_letters_for_axes_are_left_out():
    with pytest.raises(ValueError, match="gufunc") as met:
        np.ones((2, 3)) @ np.ones((4, 3))
    told = shown_error(met.value)
    assert "gufunc" not in told
    assert told.endswith("(size 4 is different from 3)")
