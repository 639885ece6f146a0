"""What chapter 0 says of texts: of a trap for the rule by one letter, and of what is none."""

from itertools import product

import pytest

from course_lib.chapters.start_here.endings import fitting_letters
from course_lib.chapters.start_here.exercises.trap import (
    BEFORE_A_TRAP,
    NO_TRAP,
    NO_TRAP_ANYWHERE,
    NO_TRAP_INSIDE,
    PAST_A_TRAP,
    TRAP,
)
from course_lib.judging.answer import verdict_on
from course_lib.words import say


def is_trap(text):
    return TRAP.accept({"output": text}, None, None) is True


def trap_of(text):
    def trap():
        return text

    return trap


def advice_of(text):
    return TRAP.accept({"output": text}, None, None)


WORDS = ("banana", "lemon tray le", "hat cap ca", "hat cap hat", "mississippi missi", "ananas an")
SIGNS = ("abc", "ab ")
TYPED = ["".join(one) for signs in SIGNS for n in range(3, 8) for one in product(signs, repeat=n)]


@pytest.mark.parametrize("texts", [WORDS, TYPED], ids=["words", "every short text"])
def test_what_is_advised_about_a_text_that_is_no_trap_leads_to_one(texts):
    followed = set()
    for text in texts:
        if is_trap(text):
            continue
        told = advice_of(text)
        advice, named = told.template, told.values
        if advice == PAST_A_TRAP:
            assert any(is_trap(text[:-many]) for many in range(1, len(text)))
        elif advice == BEFORE_A_TRAP:
            grown = text + fitting_letters(text)[1][0]
            while not grown.endswith(named["last"]):
                grown += fitting_letters(grown)[1][0]
            assert is_trap(grown), text
        elif advice == NO_TRAP:
            kept = text.removesuffix(fitting_letters(text)[0])
            assert is_trap(f"{kept}{named['word']} {named['ending']}"), text
            assert named["last"] in named["word"]
            assert text.endswith(named["ending"])
        elif advice == NO_TRAP_INSIDE:
            assert is_trap(f"{text} {named['word']} {named['ending']}"), text
            assert named["shared"] == named["ending"][-1]
            assert named["shared"] in named["word"]
            assert text.startswith(named["ending"])
        else:
            continue
        followed.add(advice)
    assert followed >= {PAST_A_TRAP, NO_TRAP, NO_TRAP_INSIDE}


@pytest.mark.parametrize(
    ("text", "last"), [("court sour cou", "r"), ("court sour co", "r"), ("giraffe pogir", "f")]
)
def test_before_a_trap_one_is_told_up_to_which_letter_to_write_on(text, last):
    told = advice_of(text)
    assert told.template == BEFORE_A_TRAP
    assert told.values["last"] == last


def test_the_text_that_is_no_trap_yet_becomes_one_by_writing_on():
    assert is_trap("court sour cour")
    assert is_trap("giraffe pogiraf")  # the chapter's own


def test_a_trap_that_is_advised_has_words_and_letters_for_its_example():
    told = advice_of("sugar hill sug")
    assert say(told.template, **told.values).endswith(
        'So put one more "g" before the last "sug", in a short word: for example "... bag sug".'
    )
    told = advice_of("banana")
    assert say(told.template, **told.values).endswith('up to "a", for example "... za ba".')


@pytest.mark.parametrize(("text", "example"), [("abcab", "zub ab"), ("banana", "za ba")])
def test_the_word_of_an_example_does_not_hold_the_ending_itself(text, example):
    told = advice_of(text)
    assert f'"... {example}"' in say(told.template, **told.values)


@pytest.mark.parametrize("text", [" aaa", "b  b b b"])
def test_of_hardly_more_than_spaces_two_short_words_are_asked_for(text):
    assert advice_of(text).template == NO_TRAP_ANYWHERE


def test_no_sentence_about_a_trap_is_said_twice():
    texts = (
        "lemon tray le",
        "court sour cou",
        "hat cap ca",
        "mississippi missi",
        "banana",
        "hat cap x",
        "kal kit k",
    )
    for text in texts:
        told = verdict_on(TRAP, trap_of(text))
        assert told.diagnosis == ""
        assert told.symptom


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "onion on",
            'Half a trap: after "on" came "i" and "␣", so each of them fits. If you would say "i", '
            'the trap works: the rule says "␣".',
        ),
        (
            "abracadabra abra",
            'The trap works: after "abra" came "c" and "␣", so each of them fits, and the rule '
            'says "b". Now try it on the model.',
        ),
        (
            "hat cap ha",
            'The trap works: you would say "t", and the rule says "p". Now try it on the model.',
        ),
        (
            "cat, cab, car, ca",
            'Half a trap: after "ca" came "t", "b" and "r", so each of them fits. If you would say '
            '"t" or "b", the trap works: the rule says "r".',
        ),
        (
            "banana band ban",
            'Half a trap: after "ban" came "a" and "d", so each of them fits. If you would say '
            '"a", the trap works: the rule says "d".',
        ),
    ],
)
def test_a_trap_after_which_two_letters_fit_is_one_and_both_are_named(text, told):
    found = verdict_on(TRAP, trap_of(text))
    assert found.state == "right"
    assert any(note.text.startswith(told) for note in found.notes)
