"""What chapter 0's exercises say of slips of a beginner, typed as such people type them."""

import linecache

import pytest

from course_lib.chapters.start_here.exercises.by_two import BY_TWO
from course_lib.chapters.start_here.exercises.next_letter import NEXT_LETTER, next_letter
from course_lib.judging.answer import verdict_on
from course_lib.judging.report import header
from course_lib.models.copying_numpy import load_copying

FIRST = "def next_letter(text):\n    place = text[:-1].rindex(text[-1])\n"
SECOND = "def by_two(text):\n    place = text[:-1].rfind(text[-2:])\n    if place == -1:\n"


def of_their_own(text):
    """What a learner's notebook calls next_letter: another function than the course's."""
    return next_letter(text)


def verdict(exercise, source):
    space = {"word": "onion", "next_letter": of_their_own, "model": load_copying()}
    cell = f"<cell {source}>"  # a notebook keeps the text of its cells, too
    linecache.cache[cell] = (len(source), None, source.splitlines(keepends=True), cell)
    exec(compile(source, cell, "exec"), space)
    return verdict_on(exercise, space[exercise.name])


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("word[place - 1]", "out of the word of the example, onion"),
        ("word[place + 1]", "out of the word of the example, onion"),
        ("word[place]", "out of the word of the example, onion"),
        ("word[0]", "That is the same letter after every text."),
        ("word[1]", "That is the same letter after every text."),
        ('"i"', "That is the same letter after every text."),
        ('"a"', "That is the same letter after every text."),
        ("text[place - 1]", "That is the letter before the place."),
        ("text[place]", "That is the last letter itself, which also stands at place."),
        ("text[place] + 1", "so it belongs inside."),
        ("text[place + 2]", "That is two places after, one too far."),
        ("text[place + 1:]", "That is everything after the place."),
        ("text[place:]", "That is everything from the place on."),
        ("text[1]", "A number alone means the same place in every text."),
        ("text[2]", "A number alone means the same place in every text."),
        ("text[3]", "A number alone means the same place in every text."),
        ("3", "That is a number, and the same one for every text."),
        ("2", "That is a number, and the same one for every text."),
        ("place", "That is the number of the place that you were given."),
        ("place + 1", "That is the number of a place."),
        ("[place + 1]", "Square brackets alone make a list."),
        ("text(place + 1)", "To pick a letter, write text[...]"),
        ("place[text]", "Before the square brackets stands what you pick from"),
        ('"text[place + 1]"', "What stands in quotes is taken as it is"),
        ('text["place + 1"]', "Between them, without quotes, stand the place"),
        ("text[place, 1]", "A comma stands where you meant a plus."),
        ("text.place", "To pick a letter, write text[...]"),
        ("text", "That is the whole text."),
        ("[text[place + 1]]", "Your letter stands in a list."),
        ("text[place + 1:place + 3]", "Those are the two letters after the place."),
        ("text[place + 1] + text[place + 2]", "Those are the two letters after the place."),
        ('"text"[place + 1]', "Write text without quotes."),
        ("i", "Python knows a name only if somebody has made it"),
        ("text[Place + 1]", "Python knows a name only if somebody has made it"),
    ],
)
def test_what_a_beginner_puts_into_the_gap_is_told(answer, words):
    assert words in verdict(NEXT_LETTER, f"{FIRST}    return {answer}\n").text


@pytest.mark.parametrize(
    "second", ["text[place + 2]", "text[place + 1]", "text[place]", "place + 1", "place + 2"]
)
@pytest.mark.parametrize(
    ("first", "words"),
    [
        ("next_letter", "you gave the rule itself, and not what it says"),
        ('"next_letter"', "In quotes, a name is a word and no rule"),
        ('"next_letter(text)"', "In quotes, a name is a word and no rule"),
        ("next_letter.text", "stand round brackets, not square ones"),
        ("next_letter(place)", "stand round brackets, not square ones"),
        ("next_letter(word)", "you handed your rule the word of the example, onion"),
        ("next_letter(text[-2:])", "your first rule finds nothing: it needs all of the text"),
        ("text", "you gave the whole text"),
        ('next_letter("text")', 'In quotes is the word "text"'),
        ("next_letter()", "stand round brackets, not square ones"),
        ("next_letter(text[-1])", "your first rule finds nothing: it needs all of the text"),
        ("next_letter(text[:-1])", "you left out the last letter. Your first rule"),
        (
            "next_letter[text]",
            "stand round brackets, not square ones, and in them the text that it shall read",
        ),
        ("by_two(text)", "the rule asks itself, again and again. Ask your first rule"),
        ("first_rule(text)", "uses a name that nobody has made. You need two"),
        ("next_leter(text)", "Spell both as you find them above"),
        ("text[place + 1]", "you gave the first letter of the text: place is only -1 there"),
        ("place", "place is only the number -1"),
        ("text[-2]", "you gave the first of the two"),
        ("model.continued(text, 1)", "you asked the model. Ask your own rule"),
    ],
)
def test_a_rule_that_is_not_handed_its_text_is_told_whatever_the_other_gap_has(
    first, words, second
):
    source = f"{SECOND}        return {first}\n    return {second}\n"
    told = verdict(BY_TWO, source).text
    assert words in told
    assert ("Neither gap is right yet" in told) == (second != "text[place + 2]")


@pytest.mark.parametrize(
    ("first", "second", "half"),
    [
        ("next_letter(text)", "...", True),
        ("text[-1]", "...", False),
        ("...", "text[place + 2]", True),
    ],
)
def test_a_gap_that_is_left_is_told_and_what_is_filled_rightly_is_half_of_it(first, second, half):
    told = verdict(BY_TWO, f"{SECOND}        return {first}\n    return {second}\n")
    assert header(told) == ("○ half done" if half else "✗ wrong")
    assert ("What you have filled in is right" in told.text) == half
    assert ("one gap is filled, and another is left" in told.text) != half
    assert ("Now the line below the if" in told.text) == (first == "...")
    assert "One thing to look at" not in told.text  # where the dots stand says it all
    assert "missing on one way" not in told.text


@pytest.mark.parametrize(
    ("second", "words"),
    [
        ("text[place + 1]", "That is the second of the two letters."),
        ("text[place]", "That is the first of the two letters."),
        ("place + 2", "That is the number of a place."),
        ("text[2]", "A number alone means the same place in every text."),
        ("text[place + 2:]", "so leave out the colon."),
    ],
)
def test_with_a_slip_in_the_last_gap_the_first_that_is_left_is_not_yet_spoken_of(second, words):
    told = verdict(BY_TWO, f"{SECOND}        return ...\n    return {second}\n").text
    assert words in told
    assert "never came together" not in told
    assert "Neither" not in told


def test_a_rule_that_is_given_a_number_is_said_to_get_it():
    told = verdict(
        BY_TWO, f"{SECOND}        return next_letter(place)\n    return text[place + 2]\n"
    )
    assert told.text.startswith("You gave next_letter the number -1")
    assert "not a number such as place" in told.text
    assert "Square brackets" not in told.text


@pytest.mark.parametrize("second", ["text[place + 2]", "text[place + 1]", "place + 2"])
@pytest.mark.parametrize(("first", "gave"), [("text[-1]", "the last letter"), ('""', "an empty")])
def test_what_stands_where_no_pair_is_found_is_told_whatever_the_other_gap_has(first, gave, second):
    source = f"{SECOND}        return {first}\n    return {second}\n"
    assert f"you gave {gave}" in verdict(BY_TWO, source).text


@pytest.mark.parametrize(
    ("second", "words"),
    [
        ("text[place + 1]", "That is the second of the two letters."),
        ("place + 2", "That is the number of a place."),
        ("place + 1", "That is the number of a place."),
        ("place", "That is the number of a place."),
        ("word[place + 2]", "You took the letter out of the word of the example, onion."),
        ("text[place + 3]", "That is one letter too far."),
        ("text(place + 2)", "Round brackets would call a rule."),
        ("text[place] + 2", "so it belongs inside."),
        ("text[place, 2]", "A comma stands where you meant a plus."),
        ("place[2]", "To pick a letter, write text[...]"),
        ("text[place:place + 2]", "Those are the two letters themselves."),
        ("text[-2:]", "Those are the two letters themselves."),
        ("text[place + 1:place + 3]", "That is more than one letter."),
        ("text", "That is the whole text."),
        ("[text[place + 2]]", "Your letter stands in a list."),
        ('"text[place + 2]"', "What stands in quotes is taken as it is"),
        ("by_two(text)", "The last line asks a rule. It needs none"),
        ("text[Place + 2]", "Python knows a name only if somebody has made it"),
        ("[place + 1]", "Square brackets alone make a list."),
        ("text[2]", "A number alone means the same place in every text."),
        ("text[3]", "A number alone means the same place in every text."),
        ("2", "A number alone means the same place in every text."),
    ],
)
def test_the_other_gap_is_told_once_the_first_is_right(second, words):
    source = f"{SECOND}        return next_letter(text)\n    return {second}\n"
    assert words in verdict(BY_TWO, source).text


def test_a_first_rule_that_is_called_without_return_is_told_to_return():
    source = f"{SECOND}        next_letter(text)\n    return text[place + 2]\n"
    assert "Does the line below the if begin with return" in verdict(BY_TWO, source).text


def test_below_another_letter_stand_the_letters_with_their_places():
    lines = verdict(NEXT_LETTER, f"{FIRST}    return text[place]\n").text.splitlines()
    above = next(at for at, line in enumerate(lines) if line.startswith("The places: "))
    assert lines[above].split()[2:] == list("giraffe␣pogir")
    assert lines[above + 1].split() == list(map(str, range(13)))
    assert lines[above + 2] == "place is: 2"
