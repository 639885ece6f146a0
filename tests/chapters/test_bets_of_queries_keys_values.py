"""Chapter 5's bets in the core: their answers, and the numbers that they say."""

import numpy as np
import pytest

from course_lib.chapters.queries_keys_values import handout
from course_lib.chapters.queries_keys_values.apple import apple_in
from course_lib.figures.numerals import share
from course_lib.models.words import TEMPLATES
from tests.chapters.samples import FIRM


def test_the_bet_on_strangers_asks_whether_each_capital_finds_its_country():
    which = handout.bets["perfect_strangers"].answer.which
    one_way, none = np.eye(8, k=4), np.eye(8)
    assert [which(one) for one in (one_way, one_way + one_way.T, none)] == [2, 2, 0]
    assert which(one_way + none) == 0  # a capital finds itself as much


def test_the_bet_on_the_same_weight_says_the_numbers_of_the_picture():
    data, bet = apple_in(FIRM), handout.bets["same_weight"]
    assert data["words"][2:4] == ["the", "new"]
    assert bet.answer.options[bet.answer.which(data["pushes"])] == "hardly at all"
    assert [share(data["weights"][at]) for at in (2, 3)] == [".21", ".21"]
    assert f"{-data['pushes'][3]:.2f}".removeprefix("0") == ".53"
    for at, word in ((2, "the"), (3, "new")):
        push = f"{data['pushes'][at]:.2f}".replace("-0", "−")
        assert push in bet.model_answer.split(f"{word} ", 1)[1]


@pytest.mark.parametrize(("the", "said"), [(-0.5, 0), (0.5, 0), (-0.25, 1), (0.07, 2), (0, 2)])
def test_the_bet_on_the_same_weight_compares_the_two_pushes(the, said):
    pushes = np.array([0, 0, the, -0.53, 0, 0])
    assert handout.bets["same_weight"].answer.which(pushes) == said


def test_the_stood_in_every_sentence_and_new_beside_products_only():
    assert all("the" in one.split() for one in TEMPLATES)
    assert all("{product}" in one for one in TEMPLATES if "{look}" in one)
