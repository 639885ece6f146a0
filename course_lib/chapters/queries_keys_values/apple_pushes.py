"""The pushes of the words in a sentence with *apple*, as they are written."""

import numpy as np

from course_lib.figures.numerals import rounded_to_sum, signed


def written_pushes(data: dict) -> list[str]:
    """Each push in two digits, so that they lead from before to after as these are written.

    A word that stands more than once pushes alike each time, so there its push is written alike,
    and the others make up for it, as far as they can.
    """
    words, pushes = data["words"], np.asarray(data["pushes"], dtype=float)
    wanted = round(data["after"], 2) - round(data["before"], 2)
    again = np.array([words.count(word) > 1 for word in words])
    written = np.round(pushes, 2)
    once = np.floor((pushes[~again] * 100).round(6)) / 100
    left = np.clip(wanted - written[again].sum(), once.sum(), once.sum() + len(once) / 100)
    written[~again] = rounded_to_sum(pushes[~again], float(left))
    return [_pushed(float(push)) for push in written + 0.0]


def _pushed(push: float) -> str:
    text = signed(push, 2)
    return text if push < 0 or float(text) == 0 else f"+{text}"
