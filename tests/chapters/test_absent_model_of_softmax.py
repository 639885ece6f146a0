"""What the model without a sink says in other texts, when the name is gone."""

import pytest

from course_lib.chapters.softmax import absent_model


def test_a_stranger_is_named_in_nearly_every_text_without_the_name():
    found = absent_model.in_other_texts()
    assert found["strangers"] >= 0.98 * found["texts"]
    assert (found["sure"], found["alone"], found["both"]) == (117, 102, 99)


@pytest.mark.parametrize("half", [0.4999, 0.5001])
def test_no_count_of_other_texts_hangs_on_the_last_digits(monkeypatch, half):
    counted = absent_model.in_other_texts()
    monkeypatch.setattr(absent_model, "HALF", half)
    assert absent_model.in_other_texts.__wrapped__() == counted
