"""Chapter 2's bets: what is asked for."""

from course_lib.betting.bet import Number
from course_lib.chapters.cosine_or_dot import handout


def test_most_bets_ask_for_a_number_and_some_for_a_choice():
    numbers = [one for one in handout.bets.values() if isinstance(one.answer, Number)]
    assert 0.5 < len(numbers) / len(handout.bets) < 0.8
