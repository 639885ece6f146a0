"""The exercise and the bets of chapter 0, start here."""

from course_lib.exercises.engine.bet import Bet, Number
from course_lib.exercises.engine.chapter import Chapter
from course_lib.exercises.engine.exercise import Exercise, Mistake, inputs

# What a head looks for, as a rule


def next_letter(text):
    before = text[:-1].rindex(text[-1])
    return text[before + 1]


def _next_letter_with_a_loop(text):
    for place in range(len(text) - 2, -1, -1):
        if text[place] == text[-1]:
            return text[place + 1]


def _next_letter_by_cutting(text):
    *_, behind = text[:-1].split(text[-1])
    return (behind + text[-1])[0]


def _random_text(rng):
    """Five letters, some more, and the second of the five again, which occurs nowhere else."""
    letters = [chr(97 + int(number)) for number in rng.permutation(26)]
    return "".join([*letters[:5], *letters[5:9], letters[1]])


NEXT_LETTER = Exercise(
    reference=next_letter,
    cases=(
        lambda rng: inputs("giraffe pogir"),
        lambda rng: inputs("la da li d"),
        lambda rng: inputs("banana"),
        lambda rng: inputs("attention at"),
        lambda rng: inputs(_random_text(rng)),
    ),
    mistakes=(
        Mistake(
            "That is the letter with which the text ends; the one behind its earlier place was "
            "asked for.",
            lambda text: text[text[:-1].rindex(text[-1])],
        ),
        Mistake(
            "That is the letter before the place. The one behind it has the next higher number.",
            lambda text: text[text[:-1].rindex(text[-1]) - 1],
        ),
        Mistake(
            "That is the number of a place. text[...] gives the letter that stands there.",
            lambda text: text[:-1].rindex(text[-1]) + 1,
        ),
        Mistake(
            "That is the number of the place that you were given. text[...] gives a letter.",
            lambda text: text[:-1].rindex(text[-1]),
        ),
        Mistake(
            "That is everything behind the place. One letter is enough, so leave out the colon.",
            lambda text: text[text[:-1].rindex(text[-1]) + 1 :],
        ),
        Mistake(
            "You took the first time that the letter stands in the text; the latest one before "
            "the end was asked for.",
            lambda text: text[text.index(text[-1]) + 1],
        ),
        Mistake(
            "That is two places behind, one too far.",
            lambda text: text[text[:-1].rindex(text[-1]) + 2],
        ),
        Mistake(
            "That is the first letter of the text.",
            lambda text: text[0],
        ),
        Mistake(
            "That is the letter at place 1, whatever the text. The place that you want depends on "
            "before.",
            lambda text: text[1],
        ),
        Mistake(
            "That is the letter before the end. The one behind the earlier place was asked for.",
            lambda text: text[-2],
        ),
        Mistake(
            "That is everything from the place on. One letter is enough, the one behind it, so "
            "leave out the colon.",
            lambda text: text[text[:-1].rindex(text[-1]) :],
        ),
        Mistake(
            "That is the letter at the place and the one behind it. The second of them is enough, "
            "so leave out the colon.",
            lambda text: text[(before := text[:-1].rindex(text[-1])) : before + 2],
        ),
        Mistake(
            "That is everything up to the place. One letter is enough, the one behind it, so leave "
            "out the colon.",
            lambda text: text[: text[:-1].rindex(text[-1]) + 1],
        ),
    ),
    alternatives=(
        _next_letter_with_a_loop,
        _next_letter_by_cutting,
        lambda text: text[text.rfind(text[-1], 0, -1) + 1],
    ),
    hints=(
        "The last letter of giraffe pogir is r. Where did an r stand before, and what followed?",
        "before is the number of that place, and text[before] is the letter there. One place "
        "further stands what you want.",
        "return text[before + ...]",
    ),
    minutes=2,
    stars=1,
)

# What is bet

ONE_OF_EIGHT = Bet(
    "one_of_eight",
    question="In fresh strings, random ones that repeat themselves, the model says 99 of 100 "
    "letters right. You switch off one of its eight heads, the one that it needs most. How many of "
    "100 are still right?",
    answer=Number(0, 100, unit="letters", near=15, format="{:.0f}"),
    why="Head 2 tells each letter what stood before it. Without that, the heads of block 2 have "
    "nothing to work with.",
    model_answer="Heads 5 to 8 look for a place where the letter before is the letter that we have "
    "now. Which letter stood before, they hear from head 2 alone.",
)

YOUR_RULE = Bet(
    "your_rule",
    question="Your rule is asked about the same kind of strings, of which the model gets 99 of 100 "
    "letters right. How many does the rule get?",
    answer=Number(0, 100, unit="letters", near=10, format="{:.0f}"),
    why="In a random string the same letter often stands twice in the part that repeats, and then "
    "the rule takes the wrong one.",
    model_answer="The rule goes by one letter. Head 3 looks two letters back, so the model can go "
    "by two, and the same two letters rarely stand twice in the part that repeats.",
)

chapter = Chapter("00_start_here", exercises=(NEXT_LETTER,), bets=(ONE_OF_EIGHT, YOUR_RULE))

bet, exercise, hint = chapter.bet, chapter.exercise, chapter.hint
progress, reveal, settle = chapter.progress, chapter.reveal, chapter.settle
