"""How a text can go on: by its longest ending that stood before, and what followed that.

fitting_letters("banana band ban")      # ("ban", ["a", "d"])
"""

from random import Random

from course_lib.figures.letters import visible


def can_go_on(text: str) -> bool:
    """Whether the last letter stands in the text earlier, too; an empty text has none."""
    return text[-1:] in set(text[:-1])


def fitting_letters(text: str) -> tuple[str, list[str]]:
    """The longest ending that stood before, and each letter that followed it, once, in order.

    Where the text begins again as a whole, what came after its beginning fits, too: the ending is
    then as short as that beginning.

    text: one after which something can go on.
    Example:
        >>> fitting_letters("onion on"), fitting_letters("banana band ban")
        (('on', ['i', ' ']), ('ban', ['a', 'd']))
    """
    ending = text[1:]
    while ending not in text[:-1]:
        ending = ending[1:]
    letters = _followers(text, ending)
    begun = next((many for many in range(len(text) - 1, 0, -1) if text.endswith(text[:many])), 0)
    word = begun > 1 or text[-2:-1] == " "  # one letter is a beginning at that of a word
    if begun and word and text[begun] not in letters:
        return text[:begun], _followers(text, text[:begun])
    return ending, letters


def _followers(text: str, ending: str) -> list[str]:
    """Each letter that followed an ending in the text, once, in order."""
    many = len(ending)
    places = range(len(text) - many)
    found = [text[at + many] for at in places if text[at:][:many] == ending]
    return list(dict.fromkeys(found))


def toss_a_coin(text: str) -> str:
    """The rule by one letter, where all places that fit are as likely: a fixed seed for a text."""
    places = [at for at in range(len(text) - 1) if text[at] == text[-1]]
    return text[Random(text).choice(places) + 1]


def quoted(letters: list[str], last: str) -> str:
    """Letters in quotes, the last two joined by the word `last`; a space is a low mark."""
    *others, end = [f'"{visible(letter)}"' for letter in letters]
    return f"{', '.join(others)} {last} {end}" if others else end
