"""The words of chapter 0's notes: what heads leave at a letter, and what asks for it.

notes_at("hat cap ha", 2)  # ["before me: a", "two before me: h"]
"""

from course_lib.chapters.start_here import sentences as s
from course_lib.chapters.start_here.endings import can_go_on, fitting_letters
from course_lib.figures.letters import visible
from course_lib.models.copying_text import HEADS
from course_lib.words import say

AN = set("aefhilmnorsx")  # letters whose names begin with a vowel: an f, a g


def numbered(steps: str, lines: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Lines, each behind its number in a circle."""
    return [(f"{step} {line}", colour) for step, (line, colour) in zip(steps, lines, strict=False)]


def letters_before(text: str, place: int) -> list[str]:
    """The letters one and two places before, as far as there are any."""
    return [visible(text[place - back]) for back in (1, 2) if place >= back]


def notes_at(
    text: str, place: int, one: str = s.BEFORE_ME, two: str = s.TWO_BEFORE_ME
) -> list[str]:
    """What heads 2 and 3 leave at a place; or the questions that ask for it."""
    before = zip((one, two), letters_before(text, place), strict=False)
    return [say(template, letter=letter) for template, letter in before]


def fitting(text: str, many: int = 1) -> tuple[int, ...]:
    """The places before which the last `many` letters of the text stand, as they do at its end."""
    places = range(many, len(text))
    return tuple(one for one in places if text[one - many : one] == text[-many:])


def why_two_notes_fail(text: str) -> str:
    """Where both notes answer at a wrong place, too: the letters that would decide; elsewhere "".

    Example:
        >>> why_two_notes_fail("hat cap ha")
        ''
    """
    letters = fitting_letters(text)[1] if can_go_on(text) else []
    many = 2
    while {text[one] for one in fitting(text, many)} - set(letters):
        many += 1
    ending = "".join(map(visible, text[-many:]))
    return say(s.SHARE_TWO, shared=ending[1:], ending=ending) if many > 2 else ""


def tied(text: str) -> list[str]:
    """The letters that have both notes asked for, where they are not the same; elsewhere none.

    Example:
        >>> tied("hat cap ha"), tied("bread bran br")
        ([], ['e', 'a'])
    """
    letters = list(dict.fromkeys(text[one] for one in fitting(text, 2)))
    return letters if len(letters) > 1 else []


def letters_at(text: str, places: tuple[int, ...]) -> str:
    """The letters at these places, in words."""
    return ", ".join(visible(text[one]) for one in places) or say(s.NONE_FITS)


def title_of_run(
    at: str, then: str, *, with_head_3: bool, still: bool, fits: bool, missed: str, outvoted: bool
) -> str:
    """What is seen: where the arc ends, and what the model says.

    at: the letter where the arc ends.   then: what the model says.
    still: it says so with and without head 3.   fits: the notes there are those asked for.
    missed: the letters that have the notes asked for, where the arc ends elsewhere; or "".
    outvoted: the arc ends elsewhere, but other heads look at the letter that is said.
    """
    if at != then:
        template = s.WITH_IT_ELSEWHERE if with_head_3 else s.WITHOUT_IT_ELSEWHERE
        template = s.OUTVOTED if outvoted else template
    elif missed:
        template = s.WITH_IT_MISSED if with_head_3 else s.WITHOUT_IT_MISSED
    elif not fits:
        template = s.WITH_IT_UNFIT if with_head_3 else s.WITHOUT_IT_UNFIT
    elif with_head_3:
        template = s.WITH_HEAD_3
    else:
        template = s.STILL if still else s.WITHOUT_HEAD_3
    return say(template, at=visible(at), said=visible(then), missed=missed)


def looks_further(data) -> bool:
    """Whether the last letter looks more at what is not drawn than at any letter that is.

    data: of the explorer of heads.
    """
    return data["cut"] and bool(1 - data["looks"][-1].sum() > data["looks"][-1].max())


def title_of_look(data) -> str:
    """What the arcs of a head show, and why a letter may have none.

    data: of the explorer of heads.
    """
    last = len(data["text"]) - 1
    loop = data["looks"][-1].argmax() == last  # the last letter looks at itself
    if data["loudness"] == 0:
        template = s.SILENT
    elif looks_further(data):
        template = s.LOOKS_FURTHER
    elif data["cut"]:
        template = s.LOOKS_AT_ITSELF_IN_END if loop else s.LOOKS_IN_END
    elif loop:
        template = s.LOOKS_AT_ITSELF
    else:
        template = s.LOOKS_FOR_EARLIER if data["head"] > HEADS else s.LOOKS
    return say(template, head=data["head"], n=last + 1)


def share_told(data) -> str:
    """How much is right with a head as loud as it is.

    data: of the explorer of heads.
    """
    told = {name: data[name] for name in ("head", "loudness", "right")}
    return say(s.AS_LEARNED if data["loudness"] == 1 else s.TURNED_DOWN, **told)


def why_no_arcs(data) -> str:
    """What stands where the arcs of a head would be; nothing where the title tells it.

    data: of the explorer of heads.
    """
    if data["loudness"] > 0 and looks_further(data):
        return ""
    return say(s.NO_ARCS if data["loudness"] == 0 else s.TOO_WEAK, head=data["head"])


def with_article(letter: str) -> str:
    """A letter with its article."""
    if letter == " ":
        return say(s.A_SPACE)
    return say(s.AN_LETTER if letter in AN else s.A_LETTER, letter=letter)
