"""chapters/start_here/outwitting.py: a learner's text against rule and model."""

import pytest

from course_lib.chapters.start_here.exercises.by_two import by_two
from course_lib.chapters.start_here.exercises.next_letter import next_letter
from course_lib.chapters.start_here.outwitting import (
    continued_by,
    go_on,
    outwit,
    show_what_counts,
    walk_into,
)
from course_lib.models.copying_numpy import load_copying


@pytest.fixture(scope="module")
def model():
    return load_copying()


@pytest.mark.parametrize(
    ("text", "you", "rule", "verdict"),
    [
        ("hat cap ha", "t", by_two, "Rule and model follow you"),
        ("hat cap ha", "t", next_letter, "outwitted the rule. The model follows"),
        ("what chap wha", "t", by_two, "outwitted the rule. The model follows"),
        ("that chap tha", "t", by_two, "outwitted both"),
        ("That chap tha", "T", by_two, "outwitted both"),
        ("hat cap ha", "p", by_two, 'Why would you say "p"?'),
        ("onion on", "i", by_two, 'After "on" came "i" and "␣" before, so each of them fits.'),
        ("onion on", " ", by_two, "each of them fits. Nobody can be sure."),
        ("onion on", "n", by_two, 'After "on" came "i" and "␣" before. Why would you say "n"?'),
        ("abracadabra abra", "c", by_two, 'After "abra" came "c" and "␣" before, so each'),
        ("abracadabra abra", "c", next_letter, "You have outwitted the rule."),
        ("banana band ban", "a", by_two, 'After "ban" came "a" and "d" before, so each'),
        ("banana band ban", "d", by_two, "each of them fits. Nobody can be sure."),
        ("do di d", "o", by_two, 'After "d" came "o" and "i" before, so each'),
        ("hat cap ha", "", by_two, 'one letter, and you gave ""'),
        ("hat cap ha", "et", by_two, 'one letter, and you gave "et"'),
        ("hat cap x", "t", by_two, "does not come earlier in the text"),
        ("", "t", by_two, "does not come earlier in the text"),
    ],
)
def test_each_text_gets_the_verdict_that_fits(capsys, model, text, you, rule, verdict):
    outwit(text, you, rule, model)

    assert verdict in capsys.readouterr().out


def test_a_rule_reads_what_it_has_said():
    assert continued_by(next_letter, "thunderclap th", 12) == "underclap th"
    assert continued_by(next_letter, "giraffe pogir", 4) == "afe "  # the latest f goes on with an e
    assert continued_by(next_letter, "Giraffe poGIR", 4) == "afe "  # capitals are small letters


@pytest.mark.parametrize("text", ["", "a", "lemon"])
def test_what_nothing_can_follow_is_told_and_not_continued(capsys, text):
    assert continued_by(next_letter, text, 5) == ""
    assert "Begin something again" in capsys.readouterr().out


def test_where_only_the_model_errs_it_is_outwitted(capsys):
    class Mistaken:
        def continued(self, text, count):
            return "x"

    outwit("hat cap ha", "t", by_two, Mistaken())

    assert "outwitted the model" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "caught"),
    [
        ("giraffe pogir", ""),
        ("qxzvkj qxz", ""),
        ("papaya pap", '"aya papa" comes next'),
        ("Papaya! Pap", '"aya  pap" comes next'),
        ("lemon tray", ""),  # begins nothing again
        ("zz zz", ""),  # a round of fewer letters than it was trained on
        ("", ""),
    ],
)
def test_who_catches_the_model_is_told_and_nobody_else(capsys, model, text, caught):
    go_on(model, text)

    said = capsys.readouterr().out
    assert f"{text}|{model.continued(text, 8)}" in said
    assert caught in said
    assert ("You have caught the model" in said) == bool(caught)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("tomato tom", 'wrong letter is "m", after "tomato tomato". Keep'),
        ("Mein Name Mei", 'wrong letter is "i", after "Mein Name Mein name". Keep'),
        ("papaya pap", 'wrong letter is "p", after "papaya papa". Keep'),
        ("giraffe pogir", ""),
    ],
)
def test_the_first_wrong_letter_is_named_with_the_text_up_to_it(capsys, model, text, kept):
    go_on(model, text)

    said = capsys.readouterr().out
    assert kept in said
    assert ("Its first wrong letter" in said) == bool(kept)
    assert ("says small ones" in said) == (text != text.lower())


@pytest.mark.parametrize(
    ("text", "signs"),
    [
        ("bibliothèque bibli", "è as e"),
        ("Ça va, ça", "ç as c and , as a space"),
        ("Ağaç ş\u0131k ağaç", "ç as c, ğ as g, \u0131 as i and ş as s"),
        ("Ω 7", "7 ω as a space"),
        ("İstanbul ist", ""),
        ("lemon lem", ""),
    ],
)
def test_a_sign_that_is_read_as_another_is_named(capsys, model, text, signs):
    go_on(model, text)

    said = capsys.readouterr().out
    assert (f"it reads {signs}." in said) == bool(signs)


def test_a_text_with_marks_is_continued_in_the_model_s_letters(capsys, model):
    go_on(model, "gülbahçe gül")

    first, second = capsys.readouterr().out.splitlines()
    assert (first, second[-24:]) == ("gülbahçe gül|bahce gu", "reads ç as c and ü as u.")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("o rato roeu a rolha da garrafa e fugiu o rato r", "has 47 letters. The model reads 40"),
        ("o rato roeu a rolha da garrafa o rato r", "begins again after 31 letters. The model has"),
        ("trinca espinhas rindo trin", ""),  # again after 22, as it was trained for
    ],
)
def test_a_text_for_which_the_model_reads_too_little_is_told_so(capsys, model, text, words):
    go_on(model, text)

    told = capsys.readouterr().out.splitlines()[1:]
    assert (words in told[0]) if words else (told == [])


@pytest.mark.parametrize(
    ("text", "decides"),
    [
        ("trinca espinhas trin", '"in" came more than once before, so two notes do not'),
        ("brand ranch bran", '"ran" came more than once before, so two notes do not'),
        ("Hat cap ha", ""),
        ("onion on", ""),  # nobody can be sure, by however many letters
        (
            "chap what cat fan wha",
            "",
        ),  # two notes do not decide, and the rule is right all the same
    ],
)
def test_a_rule_that_is_still_trapped_is_told_why(capsys, text, decides):
    walk_into(by_two, text, 9)

    first, *told = capsys.readouterr().out.splitlines()
    assert first.startswith(f"by_two: {text}|")
    assert (decides in told[0] and "still trapped" in told[0]) if decides else (told == [])


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("spot stop sp", '"p" is wrong after "spot stop spot s": there "t" comes next'),
        ("hat cap ha", ""),
        ("onion on", ""),
    ],
)
def test_a_rule_that_errs_later_is_told_where(capsys, text, told):
    walk_into(by_two, text, 9)

    _, *lines = capsys.readouterr().out.splitlines()
    assert (told in lines[0] and '"␣s" came more than once' in lines[0]) if told else not lines


@pytest.mark.parametrize(
    ("text", "rounds", "marks"),
    [
        ("Giraffe pogir", "giraffe␣po · giraffe␣po · giraffe␣po · gir ...", 9 + 10 + 3),
        ("abcde abc", "abcde␣ · abcde␣ · abcde␣ · abc ...", 5 + 6 + 3),
    ],
)
def test_what_can_be_known_has_a_mark_below_it(capsys, text, rounds, marks):
    show_what_counts(text)

    names, first, second = capsys.readouterr().out.splitlines()
    assert first == rounds
    assert second.count("^") == marks
    below = dict(enumerate(second))
    assert all(first[place] not in " ·." for place, mark in below.items() if mark == "^")
    start = rounds.index("· ") + 2
    assert (below[start], below[start + 1]) == (" ", "^"), "the first letter of the second round"
    starts = [0, start, rounds.index("· ", start) + 2]
    assert [names.index(f"round {n}") for n in (1, 2, 3)] == starts


@pytest.mark.parametrize("text", ["lemon tray", "", "zz zz"])
def test_a_text_that_does_not_begin_again_is_told_so(capsys, text):
    show_what_counts(text)

    assert "does not begin again after 5 to 24 letters" in capsys.readouterr().out


@pytest.mark.parametrize("text", ["banana saging bana", "tomato tom", "hannah hann"])
def test_what_comes_next_is_what_came_a_round_ago(capsys, model, text):
    go_on(model, text)

    word = text[: text.rindex(" ") + 1]
    begun = len(text) - len(word)
    right = (word * 3)[len(text) :][:8]
    assert word[:begun] == text[len(word) :]
    said = model.continued(text, 8)
    assert (f'"{right}" comes next' in capsys.readouterr().out) == (said != right)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("hello", True),
        ("lemon tray", True),
        ("kitap k", True),
        ("giraffe pogir", False),
        ("papapa", False),
    ],
)
def test_where_the_model_goes_on_a_text_that_does_not_begin_again_is_told_so(
    capsys, model, text, told
):
    go_on(model, text)
    assert ("Your text does not begin again: its first" in capsys.readouterr().out) == told


def test_a_text_that_begins_again_too_soon_is_told_so(capsys, model):
    go_on(model, "papapa")
    assert "begins again after 2 letters" in capsys.readouterr().out
