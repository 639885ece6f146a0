"""The symbols of the copying model, and what it was trained for: strings that repeat themselves.

    ids = encode("giraffe pogir")        # numbers from 0 to 26
    decode(ids)                          # "giraffe pogir"

No torch here: `copying.py` trains the model with torch, `copying_numpy.py` runs it without.
"""

import unicodedata
from collections.abc import Iterable

import numpy as np

ALPHABET = "abcdefghijklmnopqrstuvwxyz "
LENGTH = 48  # places that the model knows
SHORTEST, LONGEST = 5, 24  # periods that it was trained on
BLOCKS, HEADS, WIDTH = 2, 4, 64
WEIGHTS = "copying.safetensors"
NEAREST = dict(
    zip("\u0131øłđðħŧæœßþ", "iolddhtaost", strict=True)
)  # those that are no letter with a mark


def encode(text: str) -> np.ndarray:
    """The number of each letter in ALPHABET.

    Shapes: -> (t,), whole numbers from 0 to 26
    Raises: TypeError if text is no text; ValueError for what the model does not know: it is named.
    Example:
        >>> encode("cab ").tolist()
        [2, 0, 1, 26]
    """
    if not isinstance(text, str):
        raise TypeError(f"text is of type {type(text).__name__}; expected a text in quotes")
    if not text:
        raise ValueError("text is empty; expected at least one letter")
    if unknown := sorted(set(text) - set(ALPHABET)):
        raise ValueError(
            f"text has {', '.join(map(repr, unknown))}; the model knows the small letters a to z "
            "and the space"
        )
    return np.array([ALPHABET.index(letter) for letter in text])


def decode(ids: Iterable[int]) -> str:
    """The letters of these numbers.

    Raises: ValueError for a number that is no letter's.
    Example:
        >>> decode([2, 0, 1])
        'cab'
    """
    numbers = [int(number) for number in ids]
    for number in numbers:
        if not 0 <= number < len(ALPHABET):
            raise ValueError(f"{number} is the number of no letter: 0 to {len(ALPHABET) - 1}")
    return "".join(ALPHABET[number] for number in numbers)


def as_read(text: str) -> str:
    """A text in the model's own letters.

    A capital letter is read as a small one, a letter with a mark as the one without it, and
    anything else that the model does not know as a space.

    Example:
        >>> as_read("Ağaç 7"), as_read("\u0131ş\u0131k")
        ('agac  ', 'isik')
    """
    signs = unicodedata.normalize("NFC", text.lower())
    return "".join(_nearest(sign) for sign in signs if not "\u0300" <= sign <= "\u036f")


def _nearest(sign: str) -> str:
    letter = NEAREST.get(sign, unicodedata.normalize("NFD", sign)[0])
    return letter if letter in ALPHABET else " "


def fitted(text: str, count: int) -> np.ndarray:
    """The numbers of a text as it was typed, with room behind it for `count` letters.

    It is read as `as_read` reads it, no text as one space; of a long text only the end, as far as
    there is room.

    Shapes: -> (t,), t + count at most LENGTH
    Raises: TypeError if text is no text; ValueError for a count that leaves no room.
    """
    if not isinstance(text, str):
        raise TypeError(f"text is of type {type(text).__name__}; expected a text in quotes")
    if type(count) is not int or not 0 <= count < LENGTH:
        raise ValueError(f"count is {count!r}; expected a whole number from 0 to {LENGTH - 1}")
    return encode(as_read(text)[count - LENGTH :] or " ")
