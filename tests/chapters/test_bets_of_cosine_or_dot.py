"""Chapter 2's bets: what is asked for."""

from course_lib.betting.bet import Number
from course_lib.chapters.cosine_or_dot import handout


def test_about_half_of_the_bets_ask_for_a_number():
    numbers = [one for one in handout.bets.values() if isinstance(one.answer, Number)]
    assert 0.4 < len(numbers) / len(handout.bets) < 0.7
