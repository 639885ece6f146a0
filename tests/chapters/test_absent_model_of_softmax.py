"""What the model without a sink says in other texts, when the name is gone."""

import pytest

from course_lib.chapters.softmax import absent_model, missing_name


def test_a_stranger_is_named_in_nearly_every_text_without_the_name():
    found = absent_model.in_other_texts()
    assert found["strangers"] >= 0.98 * found["texts"]
    assert found["passed"] == 30
    assert 0.608 < found["middle"] < 0.615


def test_a_limit_keeps_every_right_answer():
    found = absent_model.in_other_texts()
    assert found["right"] == found["firm"] == found["texts"] == 200


def test_it_is_told_how_many_answers_a_limit_lets_pass(capsys):
    missing_name.count_sure_answers()
    there, missing = capsys.readouterr().out.splitlines()
    assert there == "with the name:    200 of 200 right numbers"
    assert missing == "without the name: 30 of 200 strangers' numbers (half are above .61)"


@pytest.mark.parametrize("limit", [0.9499, 0.9501])
def test_no_count_of_other_texts_hangs_on_the_last_digits(monkeypatch, limit):
    counted = absent_model.in_other_texts()
    monkeypatch.setattr(absent_model, "LIMIT", limit)
    assert absent_model.in_other_texts.__wrapped__() == counted
