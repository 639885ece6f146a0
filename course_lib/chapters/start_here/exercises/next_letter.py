"""Exercise `next_letter`: the letter that followed the last letter when it stood before."""

from collections import Counter
from itertools import pairwise

from course_lib.chapters.start_here.places import with_places
from course_lib.chapters.start_here.stops import called, picked, undefined
from course_lib.judging.exercise import Exercise, Mistake, inputs


def next_letter(text):
    """The letter that followed the last letter where it came before.

    text: a text whose last letter came before, too   returns: one letter
    """
    place = text[:-1].rindex(text[-1])  # given: the latest place where the last letter came before
    # SOLUTION
    return text[place + 1]
    # STUB
    # return ...  # the letter that followed it there
    # END SOLUTION


def _next_letter_with_a_loop(text):
    for place in range(len(text) - 2, -1, -1):
        if text[place] == text[-1]:
            return text[place + 1]


def _next_letter_by_cutting(text):
    *_, after = text[:-1].split(text[-1])
    return (after + text[-1])[0]


def _most_frequent_follower(text):
    followers = [then for letter, then in pairwise(text) if letter == text[-1]]
    return Counter(followers).most_common(1)[0][0]


def _next_letter_of_what_is_earlier(text):
    earlier = text[:-1]
    place = earlier.rindex(text[-1])
    return earlier[place + 1]


def _place(text: str) -> int:
    """What the given line finds."""
    return text[:-1].rindex(text[-1])


def _places(got, case):
    """The letters and their places, where another letter comes than should."""
    (text,) = case.args
    return with_places(got["output"], text, _place(text))


def _random_text(rng):
    """Five letters, some more, and the second of the five again, which occurs nowhere else."""
    letters = [chr(97 + int(number)) for number in rng.permutation(26)]
    return "".join([*letters[:5], *letters[5:9], letters[1]])


NEXT_LETTER = Exercise(
    answer=next_letter,
    cases=(
        lambda rng: inputs("giraffe pogir"),
        lambda rng: inputs("la da li d"),
        lambda rng: inputs("banana"),
        lambda rng: inputs("attention at"),
        lambda rng: inputs("sat sit sit set s"),  # first, most often and latest: a, i and e
        lambda rng: inputs("hill"),  # what follows is the end itself
        lambda rng: inputs("sonar so"),  # its last letter stands in the onion of the example, too
        lambda rng: inputs(_random_text(rng)),
    ),
    mistakes=(
        Mistake(
            "That is the last letter itself, which also stands at place. The one that followed it "
            "there has the next higher number.",
            lambda text: text[_place(text)],
        ),
        Mistake(
            "To pick a letter, write text[...]. Before the square brackets stands what you pick "
            "from. Between them, without quotes, stand the place and all that you compute with it.",
            lambda text: called(text, _place(text) + 1),
            also=(
                lambda text: picked(_place(text), text),
                lambda text: picked(text, "place + 1"),
                lambda text: text.place,
            ),
        ),
        Mistake(
            "A comma stands where you meant a plus.",
            lambda text: (lambda place: text[place, 1])(_place(text)),
        ),
        Mistake(
            "What stands behind the square bracket is added to the letter. You meant to add it to "
            "the place, so it belongs inside.",
            lambda text: (lambda place: text[place] + 1)(_place(text)),
        ),
        Mistake(
            "What stands in quotes is taken as it is, letter by letter, and nothing is computed. "
            "Write it without quotes.",
            lambda text: "text[place + 1]",
            also=(lambda text: "place + 1", lambda text: "text[place]"),
        ),
        Mistake(
            "You took the letter out of the word of the example, onion. Take it out of the text "
            "that you are given, text.",
            lambda text: "onion"[_place(text) + 1],
            also=(
                lambda text: "onion"[_place(text)],
                lambda text: "onion"[_place(text) - 1],
                lambda text: "onion",
            ),
        ),
        Mistake(
            "That is the same letter after every text. Pick it out of the text that you are given: "
            "text[...].",
            lambda text: "onion"[2],
            also=(lambda text: "onion"[0], lambda text: "onion"[1], lambda text: "giraffe"[3]),
        ),
        Mistake(
            "That is the letter before the place. The one after it has the next higher number.",
            lambda text: text[_place(text) - 1],
        ),
        Mistake(
            "That is the number of a place. text[...] gives the letter that is there.",
            lambda text: _place(text) + 1,
        ),
        Mistake(
            "That is a number, and the same one for every text. text[...] gives a letter. Between "
            "its brackets goes what you compute from place.",
            lambda text: 3,
            also=(lambda text: 2, lambda text: 1, lambda text: 4),
        ),
        Mistake(
            "That is the number of the place that you were given. text[...] gives a letter.",
            lambda text: _place(text),
        ),
        Mistake(
            "Square brackets alone make a list. Before them stands what you pick from: text[...].",
            lambda text: [_place(text) + 1],
            also=(lambda text: [_place(text)],),
        ),
        Mistake(
            "That is everything after the place. One letter is enough, so leave out the colon.",
            lambda text: text[_place(text) + 1 :],
        ),
        Mistake(
            "You took the first time that the letter comes in the text; the latest one before "
            "the end was asked for.",
            lambda text: text[text.index(text[-1]) + 1],
        ),
        Mistake(
            "You took the letter that follows most often. The latest time before the end counts, "
            "however rare it is.",
            _most_frequent_follower,
        ),
        Mistake(
            "That is the letter that follows in the alphabet. Asked for is the one that followed "
            "in the text.",
            lambda text: chr(ord(text[-1]) + 1),
        ),
        Mistake(
            "You looked into the text without its last letter. In hill, that last letter is the "
            "one that follows the earlier l.",
            lambda text: text[:-1][_place(text) + 1],
            also=(_next_letter_of_what_is_earlier,),
        ),
        Mistake(
            "The text has no letter at that place. You found the end itself. Search the text "
            "without its last letter, text[:-1].",
            lambda text: text[len(text)],
        ),
        Mistake(
            "That is everything after the place, up to the last letter. One letter is enough, so "
            "leave out the colon.",
            lambda text: text[_place(text) + 1 : -1],
        ),
        Mistake(
            "That is the whole text. Asked for is one letter of it: text[...].",
            lambda text: text,
        ),
        Mistake(
            "Those are the two letters after the place. The first of them is enough.",
            lambda text: text[_place(text) + 1 : _place(text) + 3],
            also=(lambda text: text[_place(text) + 1] + text[_place(text) + 2],),
        ),
        Mistake(
            "Your letter stands in a list. Leave out the outer square brackets.",
            lambda text: [text[_place(text) + 1]],
        ),
        Mistake(
            "In quotes is the word text, with its four letters. Write text without quotes.",
            lambda text: "text"[_place(text) + 1],
            also=(lambda text: "text"[_place(text)],),
        ),
        Mistake(
            "Python knows a name only if somebody has made it, and spelled as it was made. Here "
            "you need two: text and place.",
            lambda text: undefined("Place"),
        ),
        Mistake(
            "That is two places after, one too far.",
            lambda text: text[_place(text) + 2],
        ),
        Mistake(
            "That is the first letter of the text.",
            lambda text: text[0],
        ),
        Mistake(
            "A number alone means the same place in every text. Where the last letter came before, "
            "place says. Begin with place, and go on from there.",
            lambda text: text[3],
            also=(lambda text: text[1], lambda text: text[2], lambda text: text[4]),
        ),
        Mistake(
            "That is the letter before the end. The one after the earlier place was asked for.",
            lambda text: text[-2],
        ),
        Mistake(
            "That is everything from the place on. One letter is enough, the one after it, so "
            "leave out the colon.",
            lambda text: text[_place(text) :],
        ),
        Mistake(
            "That is the letter at the place and the one after it. The second of them is enough, "
            "so leave out the colon.",
            lambda text: text[(place := _place(text)) : place + 2],
        ),
        Mistake(
            "That is everything up to the place. One letter is enough, the one after it, so leave "
            "out the colon.",
            lambda text: text[: _place(text) + 1],
        ),
    ),
    alternatives=(
        _next_letter_with_a_loop,
        _next_letter_by_cutting,
        lambda text: text[text.rfind(text[-1], 0, -1) + 1],
    ),
    hints=(
        "The last letter of giraffe pogir is r. Where did an r come before, and what followed?",
        "Count the places of giraffe pogir from 0: g is at 0, i at 1, r at 2. So place is 2. At "
        "which place is the letter that you want, and how do you get from place to that number?",
        "The cell above picks the letter before a place, out of word. You pick the one after it, "
        "and out of text. In salsa, place is 1, and the answer is the letter at place 2, an l.",
    ),
    effect=_places,
    minutes=2,
    stars=1,
    reward=(
        "You have written a language model: it says the next letter, wherever the last one came "
        "before. It has two lines and no learned numbers, and the line that answers is yours. "
        "Below, it writes."
    ),
)
