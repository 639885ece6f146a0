"""A learner's own text, continued by model or rule, or held against both.

go_on(model, "giraffe pogir")                    # giraffe pogir|affe pog
show_what_counts("giraffe pogir")                # its rounds, and a mark below what can be known
continued_by(next_letter, "thunderclap th", 5)   # "under"
walk_into(by_two, "hat cap ha", 9)               # by_two: hat cap ha|t cap hat
outwit("what chap wha", "t", by_two, model)
"""

import unicodedata
from collections.abc import Callable

from course_lib.chapters.start_here.endings import can_go_on, fitting_letters, quoted
from course_lib.chapters.start_here.notes import why_two_notes_fail
from course_lib.chapters.start_here.sentences import NOT_AGAIN, STILL_TRAPPED, TRAPPED_LATER
from course_lib.figures.letters import visible
from course_lib.models.copying_numpy import Copying
from course_lib.models.copying_text import ALPHABET, LONGEST, SHORTEST, as_read, decode, fitted
from course_lib.words import say

SAMPLE, DOT, ROUND = "giraffe pogir", " · ", "round {n}"
NO_ROUND = "Your text does not begin again after {low} to {high} letters. So this is {sample}:"
ROOM = 8  # letters that are said, as in the explorer
CAUGHT = 'You have caught the model: "{should}" comes next, and it says "{said}".'
KEEP = (
    'Its first wrong letter is "{wrong}", after "{kept}". Keep that text: after the break you can '
    "look into it."
)
SMALL_LETTERS = "The model reads capitals as small letters, and says small ones."
NOTHING_BEFORE = "The last letter does not come earlier in the text. Begin something again."
ASKED = 'By the longest ending that came before, "{should}" comes next. Why would you say "{you}"?'
ASKED_OF_SOME = 'After "{ending}" came {letters} before. Why would you say "{you}"?'
EACH_FITS = 'After "{ending}" came {letters} before, so each of them fits. {others}'
ONE_ONLY = 'Between the second quotes goes one letter, and you gave "{you}".'
READ_AT_MOST = "Your text has {n} letters. The model reads {most} at most, the last ones."
LEARNED_PERIODS = (
    "Your text begins again after {n} letters. The model has learned to go on where a text begins "
    "again after {low} to {high}."
)
READ_AS = "The model knows the letters a to z only: it reads {signs}."
ONE_AS, A_SPACE, AND = "{sign} as {letter}", "a space", " and "
VERDICTS = {  # does the rule say what you say, and does the model?
    (True, True): "Rule and model follow you. Make three letters decide.",
    (True, False): "The rule follows you. You have outwitted the model.",
    (False, True): "You have outwitted the rule. The model follows you.",
    (False, False): "You have outwitted both.",
}
VERDICTS_OF_SOME = {  # does the rule say a letter that fits, and does the model?
    (True, True): "Nobody can be sure.",
    (True, False): "The model says another one. You have outwitted the model.",
    (False, True): "The rule says another one. You have outwitted the rule.",
    (False, False): "Rule and model say another one. You have outwitted both.",
}


def go_on(model: Copying, text: str) -> None:
    """Print a text and the letters with which the model goes on, and say so where it errs.

    It errs where the text begins again as a whole, and another letter comes than the first time:
    that letter is named, and the text up to it. Capitals are named, too, which it does not say.
    A sign that it reads as another is named, and a text that is longer than it reads, or begins
    again sooner or later than it has learned, or not at all.
    """
    said = model.continued(text, ROOM)
    print(f"{text}|{said}")
    if text != text.lower():
        print(say(SMALL_LETTERS))
    if signs := _read_as(text):
        print(say(READ_AS, signs=signs))
    read = decode(fitted(text, ROOM))
    if len(as_read(text)) > len(read):
        print(say(READ_AT_MOST, n=len(as_read(text)), most=len(read)))
    elif (period := _period(read, len(read) - 2, least=2)) is None:
        print(say(NOT_AGAIN))
    elif not SHORTEST <= period <= LONGEST:
        print(say(LEARNED_PERIODS, n=period, low=SHORTEST, high=LONGEST))
    should = copied_on(read, ROOM)
    if should not in (None, said):
        wrong = next(n for n in range(ROOM) if said[n] != should[n])
        print(say(CAUGHT, should=should, said=said))
        print(say(KEEP, wrong=visible(said[wrong]), kept=text + said[:wrong]))


def show_what_counts(text: str) -> None:
    """Print a text as rounds with their names, and a mark below each letter that can be known.

    A text that does not begin again as a whole is told so, and another stands in for it.
    """
    read = decode(fitted(begun_again(text), ROOM))
    period = _period(read, min(LONGEST, len(read) - 2)) or len(read)
    part = "".join(map(visible, read[:period]))
    wide = period + len(DOT)
    print("".join(say(ROUND, n=n).ljust(wide) for n in (1, 2, 3)).rstrip())
    print(DOT.join([part, part, part, part[:3]]), "...")
    known = ["^" * (period - 1), "^" * period, "^" * 3]  # nobody can tell that the first round ends
    print((" " * len(DOT)).join([" " * period, " " + known[0], *known[1:]]))


def begun_again(text: str) -> str:
    """The text, or where it does not begin again as a whole, another: a printed line says so."""
    read = decode(fitted(text, ROOM))
    if copied_on(read, 1) is not None:
        return text
    print(say(NO_ROUND, low=SHORTEST, high=LONGEST, sample=SAMPLE))
    return SAMPLE


def _read_as(text: str) -> str:
    """What of a text is read as something else, in words.

    Example:
        >>> _read_as("Ağaç, a7")
        'ç as c, ğ as g and , 7 as a space'
    """
    signs = sorted(set(unicodedata.normalize("NFC", text.lower())) - set(ALPHABET))
    known = [one for one in signs if as_read(one).strip()]
    parts = [say(ONE_AS, sign=one, letter=as_read(one)) for one in known]
    if others := [one for one in signs if as_read(one) == " "]:
        parts.append(say(ONE_AS, sign=" ".join(others), letter=say(A_SPACE)))
    return say(AND).join([", ".join(parts[:-1])] * (len(parts) > 1) + parts[-1:])


def copied_on(read: str, many: int) -> str | None:
    """The letters that come next where a text begins again as a whole; elsewhere nobody can know.

    read: the text as the model reads it.
    Example:
        >>> copied_on("banana split banana", 8), copied_on("lemon tray", 8)
        (' split b', None)
    """
    period = _period(read, min(LONGEST, len(read) - 2))
    if period is None:
        return None
    whole = read
    while len(whole) < len(read) + many:
        whole += whole[-period]
    return whole[len(read) :]


def _period(read: str, most: int, least: int = SHORTEST) -> int | None:
    """After how many letters a text begins again as a whole, from least to most."""
    periods = range(least, most + 1)
    return next((one for one in periods if read[one:] == read[:-one]), None)


def continued_by(rule: Callable[[str], str], text: str, count: int) -> str:
    """The `count` letters with which a rule goes on; it reads what it has said.

    Capitals count as small letters. A text whose last letter does not stand in it before is told
    so, and not continued.
    """
    text = text.lower()
    if not can_go_on(text):
        print(say(NOTHING_BEFORE))
        return ""
    whole = text
    for _ in range(count):
        whole += rule(whole)
    return whole[len(text) :]


def walk_into(rule: Callable[[str], str], text: str, count: int) -> None:
    """Print how a rule goes on after a trap, and where and why it errs."""
    said = continued_by(rule, text, count)
    print(f"{rule.__name__}: {text}|{said}")
    text = text.lower()
    if not can_go_on(text):
        return
    if rule(text) in fitting_letters(text)[1]:
        _tell_of_later(text, said)
        return
    if why := why_two_notes_fail(text):
        print(say(STILL_TRAPPED, why=why))


def _tell_of_later(text: str, said: str) -> None:
    """Print the first wrong letter that a rule says after right ones, where one can be sure."""
    should = copied_on(text, len(said))
    if should in (None, said):
        return
    wrong = next(n for n, (one, other) in enumerate(zip(said, should, strict=True)) if one != other)
    kept = text + said[:wrong]
    if said[wrong] not in fitting_letters(kept)[1]:
        told = {"wrong": visible(said[wrong]), "right": visible(should[wrong])}
        print(say(TRAPPED_LATER, kept=kept, why=why_two_notes_fail(kept), **told))


def outwit(text: str, you: str, rule: Callable[[str], str], model: Copying) -> None:
    """Print what a rule and the model say after a text, and whether that is what you say.

    you: a letter that followed the longest ending that stood before; another is questioned.
    Where several did, each of them fits, and nobody is said to err who says one of them.
    """
    text, you = text.lower(), you.lower()
    if not can_go_on(text):
        print(say(NOTHING_BEFORE))
        return
    theirs, its_own = rule(text), model.continued(text, 1)
    told = {"you": visible(you), "rule": visible(theirs), "model": visible(its_own)}
    print(say("you: {you}   the rule: {rule}   the model: {model}", **told))
    ending, letters = fitting_letters(text)
    found = {"ending": ending, "letters": quoted(letters, "and")}
    if len(you) != 1:
        print(say(ONE_ONLY, you=you))
    elif you not in letters:
        template = ASKED if len(letters) == 1 else ASKED_OF_SOME
        print(say(template, should=letters[0], you=you, **found))
    elif len(letters) == 1:
        print(say(VERDICTS[theirs == you, its_own == as_read(you)]))
    else:
        verdict = VERDICTS_OF_SOME[theirs in letters, its_own in map(as_read, letters)]
        print(say(EACH_FITS, others=say(verdict), **found))
