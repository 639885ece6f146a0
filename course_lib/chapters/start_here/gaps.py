"""Two gaps in one rule: slips in the first, each with slips in the second, as `by_two` meets them.

alone, *with_slips = with_any_second_gap(lambda text: text[-1])
"""

from collections.abc import Callable

from course_lib.chapters.start_here.exercises.next_letter import next_letter
from course_lib.judging.exercise import Mistake

NEITHER = "Neither gap is right yet."
PAIR = (
    "and in the last line, pick the one letter that followed the two: in the picture above, count "
    "to it from place."
)


def place_of_pair(text):
    """The latest place where the last two letters came together before the end, or -1."""
    return text[:-1].rfind(text[-2:])


def or_by_one(text, answer):
    """What a mistake gives where the two letters were found, and the rule by one elsewhere."""
    place = place_of_pair(text)
    return next_letter(text) if place < 0 else answer(place)


def with_any_second_gap(first: Callable) -> tuple[Callable, ...]:
    """One slip in the first gap, with the right answer in the second, then with slips there."""

    def filled(second):
        def answer(text):
            place = place_of_pair(text)
            return first(text) if place < 0 else second(text, place)

        return answer

    return tuple(
        filled(second)
        for second in (
            lambda text, place: text[place + 2],
            lambda text, place: text[place + 1],
            lambda text, place: text[place],
            lambda text, place: text[place + 2 :],
            lambda text, place: place + 2,
            lambda text, place: place + 1,
            lambda text, place: place,
            lambda text, place: "onion"[place + 2],
            lambda text, place: text[place - 1],
            lambda text, place: text[2],
            lambda text, place: text[3],
            lambda text, place: 2,
        )
    )


def also_with_the_first_left(mistake: Mistake) -> Mistake:
    """A slip in the second gap, which is told as such while the first gap is still left, too."""

    def left(wrong: Callable) -> Callable:
        return lambda text: ... if place_of_pair(text) < 0 else wrong(text)

    every = (mistake.wrong, *mistake.also)
    return Mistake(mistake.says, every[0], (*every[1:], *map(left, every)))


def alone_and_not(says: str, one: Callable, too, *also: Callable) -> tuple[Mistake, Mistake]:
    """A slip in the first gap: alone, and with slips in the second, which is what is shown then."""
    both = f"{NEITHER} {says.removesuffix('.')}; {PAIR}"
    return Mistake(says, one, also), Mistake(both, too[0], tuple(too[1:]))
