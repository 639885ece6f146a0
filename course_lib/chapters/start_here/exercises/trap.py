"""Exercise `trap`: a text on which the rule by one letter goes wrong."""

from course_lib.chapters.start_here.exercises.next_letter import (
    can_go_on,
    fitting_letters,
    next_letter,
    quoted,
)
from course_lib.judging.exercise import Caused, Exercise, Mistake, Refused, inputs
from course_lib.judging.verdict import Sentence, sentence


def trap():
    """A text that begins again, and after which the rule by one letter goes on wrongly.

    returns: a text; two letters or more have begun again at its end, so that you can be sure
    """
    # SOLUTION
    return "sun gum su"
    # STUB
    # return ...  # your text, between quotes
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
NO_TRAP = (
    'You would say "{should}", and so does the rule. It goes by the latest "{last}". So let there '
    'be one more "{last}" on the way, with another letter behind it.'
)
SPRUNG = (
    'The trap is sprung: you would say "{should}", and the rule says "{rule}". Now let the model '
    "walk into it."
)
SPRUNG_FOR_ALL = (
    'The trap is sprung: after "{ending}" came {letters}, so each of them fits, and the rule says '
    '"{rule}". Now let the model walk into it.'
)
SPRUNG_FOR_SOME = (
    'After "{ending}" came {letters}, so each of them fits. If you would say {others}, the trap is '
    'sprung: the rule says "{rule}".'
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
    _, letters = fitting_letters(text)
    same = letters == [next_letter(text)]
    return sentence(NO_TRAP, should=letters[0], last=text[-1]) if same else True


def _said(got, case):
    """What comes next, and what the rule says."""
    text = got["output"].lower()
    _, letters = fitting_letters(text)
    sure = text[-2:] in text[:-1]
    return (
        Caused("You would say", " or ".join(letters) if sure else "?"),
        Caused("The rule says", next_letter(text), "another letter"),
    )


def _sprung(got, case) -> Sentence:
    """Who says what."""
    text = got["output"].lower()
    ending, letters = fitting_letters(text)
    rule = next_letter(text)
    if len(letters) == 1:
        return sentence(SPRUNG, should=letters[0], rule=rule)
    others = [letter for letter in letters if letter != rule]
    told = {"ending": ending, "letters": quoted(letters, "and"), "others": quoted(others, "or")}
    return sentence(SPRUNG_FOR_SOME if rule in letters else SPRUNG_FOR_ALL, rule=rule, **told)


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
            'You would say "m", and so does the rule. It goes by the latest "e". So let there be '
            'one more "e" on the way, with another letter behind it.',
            lambda: "lemon tray le",
        ),
        Mistake(
            'You would say "p", and so does the rule. It goes by the latest "a". So let there be '
            'one more "a" on the way, with another letter behind it.',
            lambda: "hat cap ca",
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
    reward=_sprung,
)
