"""Slips in the last line of `by_two`, where the same two letters came together before."""

from course_lib.chapters.start_here.exercises.next_letter import next_letter
from course_lib.chapters.start_here.gaps import or_by_one, place_of_pair
from course_lib.chapters.start_here.stops import asked_itself, called, picked, undefined
from course_lib.judging.exercise import Mistake

AT_THE_LETTERS = (
    Mistake(
        "That is the second of the two letters. In the picture above, how far is what followed "
        "from the first of them, which is at place?",
        lambda text: or_by_one(text, lambda place: text[place + 1]),
    ),
    Mistake(
        "That is the first of the two letters. In the picture above, how far is what followed from "
        "it?",
        lambda text: or_by_one(text, lambda place: text[place]),
        also=(lambda text: text[place_of_pair(text)],),
    ),
    Mistake(
        "Those are the two letters themselves. What followed them is one letter: one place "
        "between the brackets, and no colon.",
        lambda text: or_by_one(text, lambda place: text[place : place + 2]),
    ),
    Mistake(
        "You took the first time that the two come together. place has the latest "
        "one before the end.",
        lambda text: or_by_one(text, lambda _: text[text.find(text[-2:]) + 2]),
    ),
    Mistake(
        "That is one letter too far. Count in the picture above, from the first of the two, which "
        "is at place, to what followed.",
        lambda text: or_by_one(text, lambda place: text[place + 3]),
    ),
    Mistake(
        "A number alone means the same place in every text. Begin at place, which says where "
        "the two came together, and count from there.",
        lambda text: or_by_one(text, lambda _: text[2]),
        also=(
            lambda text: or_by_one(text, lambda _: text[3]),
            lambda text: or_by_one(text, lambda _: 2),
        ),
    ),
    Mistake(
        "That is the letter before the two. What followed them is further on than place.",
        lambda text: or_by_one(text, lambda place: text[place - 1]),
    ),
)
AS_A_BEGINNER_WRITES = (
    Mistake(
        "That is the number of a place. text[...] gives the letter that is there.",
        lambda text: or_by_one(text, lambda place: place + 2),
        also=(
            lambda text: place_of_pair(text) + 2,
            place_of_pair,
            lambda text: or_by_one(text, lambda place: place + 1),
            lambda text: or_by_one(text, lambda place: place),
            lambda text: place_of_pair(text) + 1,
        ),
    ),
    Mistake(
        "Square brackets alone make a list. Before them stands what you pick from: text[...].",
        lambda text: or_by_one(text, lambda place: [place + 2]),
        also=(lambda text: or_by_one(text, lambda place: [place + 1]),),
    ),
    Mistake(
        "Your letter stands in a list. Leave out the outer square brackets.",
        lambda text: or_by_one(text, lambda place: [text[place + 2]]),
    ),
    Mistake(
        "That is everything after the two letters. One letter is enough, so leave out the colon.",
        lambda text: or_by_one(text, lambda place: text[place + 2 :]),
        also=(lambda text: text[place_of_pair(text) + 2 :],),
    ),
    Mistake(
        "That is more than one letter. Asked for is the one that followed the two, so leave out "
        "the colon.",
        lambda text: or_by_one(text, lambda place: text[place:]),
        also=(
            lambda text: or_by_one(text, lambda place: text[place : place + 3]),
            lambda text: or_by_one(text, lambda place: text[place + 1 : place + 3]),
            lambda text: or_by_one(text, lambda place: text[place + 1 :]),
        ),
    ),
    Mistake(
        "A colon cuts out a piece, from one place up to another. For one letter, put one place "
        "between the brackets.",
        lambda text: or_by_one(text, lambda place: text[place:2]),
    ),
    Mistake(
        "That is the whole text. Asked for is one letter of it: text[...].",
        lambda text: or_by_one(text, lambda _: text),
    ),
    Mistake(
        "What stands in quotes is taken as it is, letter by letter, and nothing is computed. "
        "Write it without quotes.",
        lambda text: or_by_one(text, lambda _: "text[place + 2]"),
        also=(
            lambda text: or_by_one(text, lambda _: "text[place + 1]"),
            lambda text: or_by_one(text, lambda _: "place + 2"),
        ),
    ),
    Mistake(
        "You took the letter out of the word of the example, onion. Take it out of the text "
        "that you are given, text.",
        lambda text: or_by_one(text, lambda place: "onion"[place + 2]),
    ),
)
THAT_STOP = (  # each raises
    Mistake(
        "To pick a letter, write text[...]. Round brackets would call a rule. Between the square "
        "ones stand the place and all that you compute with it.",
        lambda text: or_by_one(text, lambda place: called(text, place + 2)),
        also=(lambda text: or_by_one(text, lambda place: picked(place, 2)),),
    ),
    Mistake(
        "A comma stands where you meant a plus.",
        lambda text: or_by_one(text, lambda place: text[place, 2]),
    ),
    Mistake(
        "What stands behind the square bracket is added to the letter. You meant to add it to the "
        "place, so it belongs inside.",
        lambda text: or_by_one(text, lambda place: text[place] + 2),
    ),
    Mistake(
        "The last line asks a rule. It needs none: what followed the two stands in the text. "
        "Pick it: text[...].",
        lambda text: or_by_one(text, lambda _: asked_itself(text)),
        also=(
            lambda text: or_by_one(text, lambda place: next_letter(text[place])),
            lambda text: asked_itself(text),
        ),
    ),
    Mistake(
        "Python knows a name only if somebody has made it, and spelled as it was made. In the last "
        "line you need two: text and place.",
        lambda text: or_by_one(text, lambda _: undefined("first_rule")),
    ),
)
