"""Below a wrong answer of a rule: the letters of its text, each above the number of its place."""

import numpy as np

from course_lib.figures.letters import visible
from course_lib.judging.exercise import Caused

MOST = 16  # letters; a longer text would not stand in one line


def with_places(output: object, text: str, place: int) -> tuple[Caused, ...]:
    """What a rule gave, the letters of its text with their places, and what `place` is there.

    Example:
        >>> numbered("cap").tolist()
        [['c', 'a', 'p'], ['0', '1', '2']]
    """
    table = (Caused("The places", numbered(text)),) if len(text) <= MOST else ()
    return Caused("Yours", output), *table, Caused("place is", place)


def numbered(text: str) -> np.ndarray:
    """The letters of a text, and below them their places. Shapes: -> (2, n)"""
    return np.array([[visible(letter) for letter in text], list(map(str, range(len(text))))])
