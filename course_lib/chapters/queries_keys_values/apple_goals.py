"""Which of its two goals a learner's own sentence with *apple* has reached."""

from collections.abc import Sequence

import numpy as np

from course_lib.figures.numerals import signed
from course_lib.models.words import SLOTS
from course_lib.words import say

APPLE = "apple"
BEGINS = "apple released the new phone today"
FRUIT = 0.25  # where the apple of BEGINS should end, or above, when one word is changed
NEITHER = 0.1  # nearer to the middle than this, apple is neither
FAR = 0.4  # nearer to the middle, another word of the same kind may do
AGAINST = ("look", "taste")  # kinds of words that push from the fruits, and from the companies
BOTH = ("eating", "product")  # kinds of words whose pushes a sentence should balance


class Goals:
    """The two goals: what a sentence reaches, and what to change in one that misses them."""

    def __init__(self) -> None:
        self.first_reached = False  # who has reached it is told of the other one alone

    def told(self, words: Sequence[str], after: float, pushes: Sequence[str]) -> str:
        """What is said below the picture; "" where no goal is reached and none was tried.

        words: of the sentence.   after: where its apple ends, on the line.
        pushes: of the words, as they are written in the picture.
        """
        both = all(set(words) & set(SLOTS[kind]) for kind in BOTH)
        if abs(after) < NEITHER:
            says = say("✓ Neither: your apple ends between −0.1 and 0.1.")
            if both:
                return says
            too = say("Can you do it with an eating word and a product in the sentence, too?")
            return f"{says} {too}"
        begins = BEGINS.split()
        changed = sum(one != other for one, other in zip(words, begins, strict=False))
        one_changed = len(words) == len(begins) and changed == 1
        if one_changed and round(after, 2) >= FRUIT:
            self.first_reached = True
            return say("✓ One word is changed, and your apple ends at 0.25 or above.")
        more: list[str] = []
        if one_changed and not (both and self.first_reached):
            more.append(say("First goal, one word changed: it should be higher, 0.25 or above."))
        if both:
            more.append(_what_to_change(words, after, pushes))
        if not more:
            return ""
        return " ".join(
            [say("Not yet: your apple ends at {after}.", after=signed(after, 2)), *more]
        )


def _what_to_change(words: Sequence[str], after: float, pushes: Sequence[str]) -> str:
    """On which side of the middle an apple lies that should be neither, and which word keeps it."""
    says = (
        say("Second goal, neither: that is too far to the fruits.")
        if after > 0
        else say("Second goal, neither: that is too far to the companies.")
    )
    sizes = [float(one.replace("−", "-")) * np.sign(after) for one in pushes]
    others = [size if word != APPLE else 0.0 for word, size in zip(words, sizes, strict=True)]
    hardest = int(np.argmax(others))
    if others[hardest] <= 0:
        return says
    word = words[hardest]
    kind = next((one for one, its in SLOTS.items() if word in its), "")
    if not kind:
        do = say("leave it out, or put another word in its place.")
    else:
        do = say("add a word of the kind “{kind}”, which pushes the other way.",
                 kind=AGAINST[after < 0])  # fmt: skip
        if abs(after) <= FAR:
            do = say("try another word of the kind “{kind}”, or {do}", kind=kind, do=do)
    pushed = say("“{word}” pushes it there hardest ({push}):", word=word, push=pushes[hardest])
    return f"{says} {pushed} {do}"
