"""Exercise `by_two`: the letter that followed the last two letters when they stood before."""

from course_lib.chapters.start_here.exercises.next_letter import next_letter
from course_lib.chapters.start_here.gaps import (
    alone_and_not,
    also_with_the_first_left,
    place_of_pair,
    with_any_second_gap,
)
from course_lib.chapters.start_here.last_gap import AS_A_BEGINNER_WRITES, AT_THE_LETTERS, THAT_STOP
from course_lib.chapters.start_here.places import with_places
from course_lib.chapters.start_here.stops import (
    asked_itself,
    called,
    picked,
    undefined,
    with_a_dot,
)
from course_lib.judging.exercise import Exercise, Mistake, inputs
from course_lib.models.copying_numpy import load_copying


def by_two(text):
    """The letter that followed the last two letters where they came together before.

    text: a text whose last letter came before, too   returns: one letter
    """
    place = text[:-1].rfind(text[-2:])  # where text[-2:], the last two, stood before; -1 if never
    # SOLUTION
    if place < 0:
        return next_letter(text)
    return text[place + 2]
    # STUB
    # if place == -1:  # is place -1?
    #     return ...  # it is, so they never came together: whom do you ask now?
    # return ...  # it is not, so they did: the letter that followed the two
    # END SOLUTION


def _places(got, case):
    """The letters and their places, where another letter comes than should."""
    (text,) = case.args
    return with_places(got["output"], text, place_of_pair(text))


def _by_two_with_a_loop(text):
    for place in range(len(text) - 3, -1, -1):
        if text[place : place + 2] == text[-2:]:
            return text[place + 2]
    return next_letter(text)


def _by_two_with_an_error(text):
    try:
        return text[text[:-1].rindex(text[-2:]) + 2]
    except ValueError:
        return next_letter(text)


BARE, *BARE_TOO = with_any_second_gap(lambda text: next_letter)
QUOTED, *QUOTED_TOO = with_any_second_gap(lambda text: "next_letter")
CALL_QUOTED, *CALL_QUOTED_TOO = with_any_second_gap(lambda text: "next_letter(text)")
WHOLE, *WHOLE_TOO = with_any_second_gap(lambda text: text)
ONION, *ONION_TOO = with_any_second_gap(lambda text: next_letter("onion"))
TWO, *TWO_TOO = with_any_second_gap(lambda text: next_letter(text[-2:]))
WORD, *WORD_TOO = with_any_second_gap(lambda text: next_letter("text"))
LAST, *LAST_TOO = with_any_second_gap(lambda text: text[-1])
del LAST_TOO[1]  # with text[place]: that is text[place] in both cases, and told as such
PLACE, *PLACE_TOO = with_any_second_gap(place_of_pair)
del PLACE_TOO[5]  # with place: a number in both cases, and told as such
BUT_ONE, *BUT_ONE_TOO = with_any_second_gap(lambda text: text[-2])
MODELS, *MODELS_TOO = with_any_second_gap(lambda text: load_copying().continued(text, 1))
SHORTER, *SHORTER_TOO = with_any_second_gap(lambda text: next_letter(text[:-1]))
ONE, *ONE_TOO = with_any_second_gap(lambda text: next_letter(text[-1]))
EMPTY, *EMPTY_TOO = with_any_second_gap(lambda text: "")
STOPS, *STOPS_TOO = with_any_second_gap(lambda text: picked(next_letter, text))
UNDEFINED, *UNDEFINED_TOO = with_any_second_gap(lambda text: undefined("first_rule"))
ITSELF, *ITSELF_TOO = with_any_second_gap(asked_itself)
FIRST, *FIRST_TOO = with_any_second_gap(lambda text: text[0])
DOTTED, *DOTTED_TOO = with_any_second_gap(lambda text: with_a_dot(next_letter))
CALLED, *CALLED_TOO = with_any_second_gap(lambda text: called(next_letter))


def _random_text(rng):
    """Two letters, a third, some more, the second of the two with another, and the two again."""
    one, two, three, four, five = (chr(97 + int(number)) for number in rng.permutation(26)[:5])
    return one + two + three + four + two + five + one + two


BY_TWO = Exercise(
    answer=by_two,
    cases=(
        lambda rng: inputs("giraffe pogir"),
        lambda rng: inputs("cap sat ca"),  # by one letter it would be the t of sat
        lambda rng: inputs("giraffe bar"),  # a and r never came together: by one letter
        lambda rng: inputs("button at"),  # nor did a and t
        lambda rng: inputs("to the top, ten tops at the to"),
        lambda rng: inputs("abx cby abz db ab"),  # the latest ab, not the first
        lambda rng: inputs("hill"),
        lambda rng: inputs("zaaa"),  # the two letters overlap with themselves
        lambda rng: inputs(_random_text(rng)),
    ),
    mistakes=(
        Mistake(
            "Where the two letters never came together, you gave what the last line gives. But "
            "place is -1 there, and there is nothing to count from. Does the line below the if "
            "begin with return, and does it ask your first rule?",
            lambda text: text[place_of_pair(text) + 2],
        ),
        Mistake(
            "The text has no letter at that place. You found the end itself. Search the text "
            "without its last letter, text[:-1].",
            lambda text: text[text.rfind(text[-2:]) + 2],
            also=(lambda text: text[text[:-1].rfind(text[-2]) + 2],),
        ),
        *alone_and_not(
            "Where the two letters never came together, your line stops with an error. In the last "
            "letters alone your first rule finds nothing: it needs all of the text. If the given "
            "line has .rindex now, put .rfind back, which says -1 there.",
            ONE,
            ONE_TOO + TWO_TOO,
            TWO,
            lambda text: text[text[:-1].rindex(text[-2:]) + 2],
        ),
        *alone_and_not(
            "Where the two letters never came together, you left out the last letter. Your first "
            "rule goes by that letter, so it needs the whole text.",
            SHORTER,
            SHORTER_TOO,
        ),
        *alone_and_not(
            "Where the two letters never came together, you gave the rule itself, and not what it "
            "says. It has been handed no text yet: the cell above hands it onion.",
            BARE,
            BARE_TOO,
        ),
        *alone_and_not(
            "In quotes, a name is a word and no rule. Write it without them, and behind it, in "
            "round brackets, the text that it shall read.",
            QUOTED,
            QUOTED_TOO + CALL_QUOTED_TOO,
            CALL_QUOTED,
        ),
        *alone_and_not(
            'In quotes is the word "text", and your rule says e after it, whatever you are given. '
            "What you are given is called text, without quotes.",
            WORD,
            WORD_TOO,
        ),
        *alone_and_not(
            "Where the two letters never came together, you handed your rule the word of the "
            "example, onion. Hand it the text that you are given.",
            ONION,
            ONION_TOO,
        ),
        *alone_and_not(
            "Where the two letters never came together, you gave the whole text. Asked for is one "
            "letter, the one that your first rule says.",
            WHOLE,
            WHOLE_TOO,
        ),
        *alone_and_not(
            "Where the two letters never came together, your line uses a name that nobody has "
            "made. You need two: that of your first rule, and that of the text. Spell both as you "
            "find them above.",
            UNDEFINED,
            UNDEFINED_TOO,
        ),
        *alone_and_not(
            "Where the two letters never came together, the rule asks itself, again and again. Ask "
            "your first rule.",
            ITSELF,
            ITSELF_TOO,
        ),
        Mistake(
            "The last line is right. Now the line below the if: it runs where the two letters "
            "never came together.",
            lambda text: ... if place_of_pair(text) < 0 else text[place_of_pair(text) + 2],
        ),
        *alone_and_not(
            "Where the two letters never came together, you gave the first letter of the "
            "text: place is only -1 there, and -1 + 1 is 0. Asked for is the letter that your "
            "first rule says.",
            FIRST,
            FIRST_TOO,
        ),
        *alone_and_not(
            "Right behind the name of a rule stand round brackets, not square ones, and in them "
            "the text that it shall read, not a number such as place.",
            STOPS,
            STOPS_TOO + CALLED_TOO + DOTTED_TOO,
            CALLED,
            DOTTED,
        ),
        Mistake(
            "You went by one letter alone. Where the last two came together before, what followed "
            "the two is asked for.",
            next_letter,
        ),
        *map(also_with_the_first_left, AT_THE_LETTERS),
        Mistake(
            "Place 0 is a place, too: the text may begin with the two letters. Only -1 says that "
            "they were not found.",
            lambda text: (
                text[place_of_pair(text) + 2] if place_of_pair(text) > 0 else next_letter(text)
            ),
        ),
        Mistake(
            "You turned the two cases around: where place is -1, nothing was found.",
            lambda text: (
                next_letter(text) if place_of_pair(text) >= 0 else text[place_of_pair(text) + 2]
            ),
        ),
        *alone_and_not(
            "Where the two letters never came together, you gave the last letter. Asked for is the "
            "one that your first rule says.",
            LAST,
            LAST_TOO,
        ),
        *alone_and_not(
            "Where the two letters never came together, place is only the number -1. Asked for is "
            "the letter that your first rule says.",
            PLACE,
            PLACE_TOO,
        ),
        *alone_and_not(
            "Where the two letters never came together, you gave the first of the two. Asked for "
            "is the letter that your first rule says.",
            BUT_ONE,
            BUT_ONE_TOO,
        ),
        *alone_and_not(
            "Where the two letters never came together, you asked the model. Ask your own rule, "
            "the first one.",
            MODELS,
            MODELS_TOO,
        ),
        *alone_and_not(
            "Where the two letters never came together, you gave an empty text. Asked for is the "
            "letter that your first rule says.",
            EMPTY,
            EMPTY_TOO,
        ),
        *map(also_with_the_first_left, AS_A_BEGINNER_WRITES),
        *THAT_STOP,
    ),
    alternatives=(
        _by_two_with_a_loop,
        _by_two_with_an_error,
        lambda text: (
            next_letter(text) if place_of_pair(text) == -1 else text[place_of_pair(text) + 2]
        ),
    ),
    hints=(
        "In giraffe pogir the last two letters are i and r. Where did they come together before, "
        "and which letter came after the two?",
        "place is where the first of the two letters was: 0 in the picture, where what "
        "followed is at 2. And where place is -1, which rule of yours still gives an answer? "
        "You use it by its name, with the text in round brackets.",
        "In cap sat ca, place is 0 and the answer is at place 2: how do you get from one to "
        "the other? In giraffe bar, place is -1, and your first rule says a.",
    ),
    effect=_places,
    minutes=4,
    stars=2,
    reward=(
        "Where two letters find nothing, one still answers. This is called backing off, and the "
        "language models before the neural ones were built on it (Katz, 1987)."
    ),
)
