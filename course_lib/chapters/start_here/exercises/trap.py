"""Exercise `trap`: a text on which the rule by one letter goes wrong."""

from course_lib.chapters.start_here.endings import can_go_on, fitting_letters, quoted
from course_lib.chapters.start_here.exercises.next_letter import next_letter
from course_lib.figures.letters import visible
from course_lib.judging.exercise import Caused, Exercise, Mistake, Refused, inputs
from course_lib.judging.verdict import Sentence, sentence


def trap():
    """A text that begins again, and ends where your rule says a wrong letter.

    returns: a text whose last two letters, or more, came together before: so you know the next one
    """
    # SOLUTION
    return "sun gum su"
    # STUB
    # return ...  # instead of the dots: your text, between quotes
    # END SOLUTION


NO_TEXT = "Return a text: letters between quotes."
NOTHING_AGAIN = (
    'The last letter, "{last}", does not come earlier, so nobody can say what comes next. Begin '
    "something again."
)
ONE_ALONE = (
    'The last two letters, "{two}", never came together before, so nobody can be sure of the '
    "next one. Write on, until two letters or more have begun again."
)
ONE_BEGUN = (
    'Only one letter has begun again, the "{last}", so nobody can be sure of the next one. Write '
    "on, until two letters or more have begun again."
)
PAST_A_TRAP = (
    'You would say "{should}", and so does the rule. But you have walked past a trap: with fewer '
    "letters at the end, this text is one. Take them away one by one."
)
BEFORE_A_TRAP = (
    'You would say "{should}", and so does the rule. But a trap is near: write on, up to the next '
    '"{last}". After that one, the rule says another letter than you.'
)
NO_TRAP = (
    'You would say "{should}", and so does the rule. It goes by the latest "{last}". So put one '
    'more "{last}" before the last "{ending}", in a short word: for example "... {word} {ending}".'
)
NO_TRAP_INSIDE = (
    'You would say "{should}", and so does the rule. It goes by the latest "{last}". So write on: '
    'a short word with "{shared}" in it, then the beginning of your text up to "{shared}", for '
    'example "... {word} {ending}".'
)
NO_TRAP_ANYWHERE = (  # hardly more than spaces
    'You would say "{should}", and so does the rule. Take two short words that share a letter, and '
    "begin one of them again."
)
WORKS = (
    'The trap works: you would say "{should}", and the rule says "{rule}". Now try it on the model.'
)
WORKS_FOR_ALL = (
    'The trap works: after "{ending}" came {letters}, so each of them fits, and the rule says '
    '"{rule}". Now try it on the model.'
)
WORKS_FOR_SOME = (
    'Half a trap: after "{ending}" came {letters}, so each of them fits. If you would say '
    '{others}, the trap works: the rule says "{rule}". For a whole one, take two words that begin '
    "differently and share a later letter."
)


def _fails(got, want, case) -> bool | Sentence:
    """Accepts every trap, or says what it lacks."""
    text = got["output"]
    if not isinstance(text, str):
        return sentence(NO_TEXT)
    text = text.lower()
    if not can_go_on(text):
        return sentence(NOTHING_AGAIN, last=text[-1:])
    if text[-2:] not in text[:-1]:
        return sentence(ONE_ALONE, two=text[-2:])
    if not _is_sure(text):
        return sentence(ONE_BEGUN, last=text[-1])
    ending, letters = fitting_letters(text)
    if _is_trap(text):
        return True
    told = {"should": visible(letters[0])}
    if any(_is_trap(text[:many]) for many in range(3, len(text))):
        return sentence(PAST_A_TRAP, **told)
    if longer := _trap_ahead(text):
        return sentence(BEFORE_A_TRAP, last=visible(longer[-1]), **told)
    told["last"] = visible(text[-1])
    before = text.rindex(ending, 0, len(text) - 1) + len(ending)
    kept, whole = text.removesuffix(ending), ending[0] == " " or text[-len(ending) - 1] == " "
    if text[-1] not in ending[:-1] and before + len(ending) <= len(text) and whole:
        kept, ending = f"{kept.rstrip()} ", ending.lstrip()  # there is room between the two
        if word := _word(kept, ending):
            return sentence(NO_TRAP, word=word, ending=ending, **told)
    first = text.index(text[-1], 1) + 1
    begun = [text[:many] for many in (first, *range(2, len(text)))]
    for ending in begun:
        if word := _word(f"{text} ", ending):
            return sentence(NO_TRAP_INSIDE, word=word, ending=ending, shared=ending[-1], **told)
    return sentence(NO_TRAP_ANYWHERE, **told)


def _trap_ahead(text: str, most: int = 3) -> str:
    """The text with the letters that come next, as far as that makes it a trap; or "".

    Its last letter can be named: it is no space, and new among those that were added.
    """
    added = ""
    while len(added) < most and len(letters := fitting_letters(text + added)[1]) == 1:
        added += letters[0]
        if _is_trap(text + added):
            return text + added if added[-1] not in added[:-1] + " " else ""
    return ""


def _word(kept: str, ending: str) -> str:
    """A short word between what is kept of a text and its ending, which makes it a trap; or "".

    The ending is not in it: else another letter would fit as well, and the trap be half a one.
    """
    last = ending[-1]
    words = [before + last for before in (("b", "z") if last in "aeiou" else ("ba", "zu"))]
    words += [f"{words[0]}{'d' if last in 'aeiou' else 'o'}", f"{last}z"]
    words = [one for one in words if last != " " and ending not in one]
    return next((one for one in words if _is_trap(f"{kept}{one} {ending}")), "")


def _is_sure(text: str) -> bool:
    """Whether two letters or more have begun again; a space before one is none."""
    return len(fitting_letters(text)[0].strip()) > 1


def _is_trap(text: str) -> bool:
    """Whether one can be sure of a letter that the rule does not say."""
    begun = can_go_on(text) and text[-2:] in text[:-1] and _is_sure(text)
    return begun and fitting_letters(text)[1] != [next_letter(text)]


def _said(got, case):
    """What comes next, and what the rule says."""
    text = got["output"].lower()
    _, letters = fitting_letters(text)
    return (
        Caused("You would say", " or ".join(map(visible, letters)) if _is_sure(text) else "?"),
        Caused("The rule says", visible(next_letter(text)), "another letter"),
    )


def _works(got, case) -> Sentence:
    """Who says what."""
    text = got["output"].lower()
    ending, letters = fitting_letters(text)
    rule = next_letter(text)
    if len(letters) == 1:
        return sentence(WORKS, should=visible(letters[0]), rule=visible(rule))
    others = [letter for letter in letters if letter != rule]
    told = {"ending": ending, "letters": quoted(letters, "and"), "others": quoted(others, "or")}
    return sentence(
        WORKS_FOR_SOME if rule in letters else WORKS_FOR_ALL, rule=visible(rule), **told
    )


TRAP = Exercise(
    answer=trap,
    cases=(lambda rng: inputs(),),
    accept=_fails,
    open_answer=True,
    effect=_said,
    mistakes=(
        Mistake(
            'The last letter, "x", does not come earlier, so nobody can say what comes next. '
            "Begin something again.",
            lambda: "hat cap x",
        ),
        Mistake(
            'The last two letters, "po", never came together before, so nobody can be sure of '
            "the next one. Write on, until two letters or more have begun again.",
            lambda: "cap hot po",
        ),
        Mistake(
            'Only one letter has begun again, the "k", so nobody can be sure of the next one. '
            "Write on, until two letters or more have begun again.",
            lambda: "kal kit k",
            also=(lambda: "kitap kalem k",),
        ),
        Mistake(
            'You would say "m", and so does the rule. It goes by the latest "e". So put one more '
            '"e" before the last "le", in a short word: for example "... be le".',
            lambda: "lemon tray le",
        ),
        Mistake(
            'You would say "p", and so does the rule. It goes by the latest "a". So put one more '
            '"a" before the last "ca", in a short word: for example "... ba ca".',
            lambda: "hat cap ca",
        ),
        Mistake(
            'You would say "s", and so does the rule. But you have walked past a trap: with fewer '
            "letters at the end, this text is one. Take them away one by one.",
            lambda: "mississippi missi",
        ),
        Mistake(
            'You would say "r", and so does the rule. But a trap is near: write on, up to the next '
            '"r". After that one, the rule says another letter than you.',
            lambda: "court sour cou",
        ),
        Mistake(
            'You would say "n", and so does the rule. It goes by the latest "a". So write on: '
            'a short word with "a" in it, then the beginning of your text up to "a", for example '
            '"... za ba".',
            lambda: "banana",
        ),
        Mistake(
            'You would say "␣", and so does the rule. It goes by the latest "t". So write on: '
            'a short word with "t" in it, then the beginning of your text up to "t", for example '
            '"... bato light".',
            lambda: "light night",
        ),
    ),
    refused=(
        Refused(lambda: "", "does not come earlier"),
        Refused(lambda: 7, "Return a text"),
        Refused(lambda: ("hat cap ha", "t"), "Return a text"),
    ),
    alternatives=(
        lambda: "hat cap ha",
        lambda: "Giraffe pogiraf",
        lambda: "what chap wha",
        lambda: "onion on",  # on came twice, with another letter behind it
        lambda: "abracadabra abra",
        lambda: "banana band ban",  # it begins again as a whole, with an a; after " ban" came a d
    ),
    hints=(
        "The rule goes by the last letter alone, and takes the latest place where it came. When "
        "is the latest place not the one that you mean?",
        "Take two short words that share a letter in the middle, such as hat and cap. Which of "
        "them do you begin again?",
        "After hat cap, begin hat again, up to the letter that both words have. Then change the "
        "words.",
    ),
    minutes=3,
    stars=1,
    reward=_works,
)
