"""Exercise `by_longest`: the letter that followed the longest ending that stood before."""

from course_lib.chapters.start_here.exercises.by_two import by_two
from course_lib.chapters.start_here.exercises.next_letter import next_letter
from course_lib.judging.exercise import Exercise, Mistake, inputs


def by_longest(text):
    """The letter that followed when the longest possible ending of the text stood before.

    text: a string whose last letter stands in it earlier, too   returns: one letter
    """
    # SOLUTION
    for many in range(len(text) - 1, 0, -1):
        place = text[:-1].rfind(text[-many:])
        if place >= 0:
            return text[place + many]
    # STUB
    # for many in [...]:  # how many letters to go by: which number first, which one last?
    #     place = ...  # the latest place where the last `many` letters stood before, or -1
    #     if place != -1:
    #         return ...  # the letter that followed them
    # END SOLUTION


def _by_cutting(text):
    ending = text[1:]
    while ending not in text[:-1]:
        ending = ending[1:]
    return text[text[:-1].rindex(ending) + len(ending)]


def _common(text, place):
    """How many letters up to and with `place` are those of the end."""
    many = 0
    while many <= place and text[place - many] == text[-1 - many]:
        many += 1
    return many


def _by_every_place(text):
    places = range(len(text) - 1)
    return text[max(places, key=lambda place: (_common(text, place), place)) + 1]


def _searched(text, answer, counts=None, whole=False, least=0):
    """`answer(place, many)` for the first of `counts` whose ending is found."""
    for many in counts or range(len(text) - 1, 0, -1):
        place = (text if whole else text[:-1]).rfind(text[-many:])
        if place >= least:
            return answer(place, many)
    return None


def _by_three(text):
    place = text[:-1].rfind(text[-3:]) if len(text) > 3 else -1
    return by_two(text) if place < 0 else text[place + 3]


def _random_text(rng):
    """Three letters and a fourth, two of the three and another, and the three again."""
    a, b, c, d, e, f, g = (chr(97 + int(number)) for number in rng.permutation(26)[:7])
    return a + b + c + d + e + b + c + f + g + a + b + c


BY_LONGEST = Exercise(
    answer=by_longest,
    cases=(
        lambda rng: inputs("giraffe pogir"),
        lambda rng: inputs("that chap tha"),  # three letters, and they stand at place 0
        lambda rng: inputs("the cat, a cab, the ca"),  # six letters; three would say b
        lambda rng: inputs("hat cap ha"),  # one letter would say p
        lambda rng: inputs("giraffe bar"),  # only the last letter stood before
        lambda rng: inputs("qabx wabz eab"),  # twice, as long: the latest
        lambda rng: inputs("hill"),
        lambda rng: inputs("zaaa"),  # the ending overlaps with itself
        lambda rng: inputs(_random_text(rng)),
    ),
    mistakes=(
        Mistake(
            "You begin with the shortest ending, and the last letter alone is always found. Begin "
            "with the longest: range(len(text) - 1, 0, -1) counts down.",
            next_letter,
        ),
        Mistake(
            "You went by two letters at most. In the cat, a cab, the ca, six came "
            "together before: go by as many as you can.",
            by_two,
        ),
        Mistake(
            "You went by three letters at most. In the cat, a cab, the ca, six came "
            "together before: go by as many as you can.",
            _by_three,
        ),
        Mistake(
            "The text has no letter at that place. You found the end itself. Search the text "
            "without its last letter, text[:-1].",
            lambda text: _searched(text, lambda at, many: text[at + many], whole=True),
        ),
        Mistake(
            "Place 0 is a place, too: the text may begin with the ending. Only -1 says that it was "
            "not found.",
            lambda text: _searched(text, lambda at, many: text[at + many], least=1),
        ),
        Mistake(
            "You stop before many is 1. In giraffe bar only the last letter came before, so one "
            "letter must be tried, too: range leaves out its second number.",
            lambda text: _searched(
                text, lambda at, many: text[at + many], counts=range(len(text) - 1, 1, -1)
            ),
        ),
        Mistake(
            "You took the first time that the ending comes in the text. The latest one before the "
            "end was asked for: .rfind searches from the right.",
            lambda text: _searched(text, lambda at, many: text[text.find(text[-many:]) + many]),
        ),
        Mistake(
            "That is the second letter of the ending. It takes `many` places, so what followed "
            "it is at place + many.",
            lambda text: _searched(text, lambda at, many: text[at + 1]),
        ),
        Mistake(
            "That is the first letter of the ending. What followed it is `many` places on.",
            lambda text: _searched(text, lambda at, many: text[at]),
        ),
        Mistake(
            "That is the number of a place. text[...] gives the letter that is there.",
            lambda text: _searched(text, lambda at, many: at + many),
        ),
        Mistake(
            "That is everything after the ending. One letter is enough, so leave out the colon.",
            lambda text: _searched(text, lambda at, many: text[at + many :]),
        ),
        Mistake(
            "That is how many letters you went by. Asked for is the letter that followed them.",
            lambda text: _searched(text, lambda at, many: many),
        ),
    ),
    alternatives=(_by_cutting, _by_every_place),
    hints=(
        "In the cat, a cab, the ca, you go by the six letters the ca, with the space. "
        "By three of them, space, c and a, you would go on as in cab. So which number of letters "
        "do you try first?",
        "range(5, 0, -1) counts 5, 4, 3, 2, 1: the second number is left out. The whole text "
        "cannot stand before its own end, so begin with one letter less than it has.",
        "The body of the loop is by_two with many in place of 2. It returns as soon as an ending "
        "is found, and else the loop goes on with one letter less.",
    ),
    depth=True,
    minutes=8,
    stars=3,
)
