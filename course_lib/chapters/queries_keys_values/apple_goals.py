"""Which of its two goals a learner's own sentence with *apple* has reached."""

from collections.abc import Callable

import numpy as np

from course_lib.chapters.queries_keys_values.apple_pushes import written_pushes
from course_lib.figures.numerals import signed
from course_lib.models.words import SLOTS
from course_lib.words import say

APPLE = "apple"
BEGINS = "apple released the new phone today"
FRUIT = 0.25  # where the apple of BEGINS should end, or above, when one word is changed
NEITHER = 0.1  # nearer to the middle than this, apple is neither
FAR = 0.4  # nearer to the middle, another word of the same kind may do
AGAINST = ("look", "taste")  # kinds of words that push from the fruits, and from the companies
LEAST = 0.005  # a push that is smaller is not named: it is written 0.00, or nearly so
PATIENCE = 3  # from the third sentence on that misses the second goal, a word is named that does it
BOTH = ("eating", "product")  # kinds of words whose pushes a sentence should balance


class Goals:
    """The two goals: what a sentence reaches, and what to change in one that misses them."""

    def __init__(self) -> None:
        self.first_reached = False  # who has reached it is told of the other one alone
        self.missed = 0  # how many sentences tried the second one, and missed it

    def told(self, data: dict, ends: Callable[[list[str]], float]) -> str:
        """What is said below the picture; "" where no goal is reached and none was tried.

        data: the numbers that are drawn (`seen_in`).   ends: of other words, where apple ends.
        """
        words, after = data["words"], data["after"]
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
            more.append(_to_the_fruits(data))
        if both:
            self.missed += 1
            does_it = _what_does_it(words, ends) if self.missed >= PATIENCE else ""
            more.append(_what_to_change(data, does_it))
        if not more:
            return ""
        return " ".join(
            [say("Not yet: your apple ends at {after}.", after=signed(after, 2)), *more]
        )


def _kind_of(word: str) -> str:
    return next((kind for kind, its in SLOTS.items() if word in its and word != APPLE), "")


def _to_the_fruits(data: dict) -> str:
    """Of one changed word: where apple should end, and which word keeps it from there."""
    says = say("First goal, one word changed: it should be higher, 0.25 or above.")
    others = np.where([word == APPLE for word in data["words"]], 0.0, data["pushes"])
    hardest = int(np.argmin(others))
    if others[hardest] > -LEAST:
        return says
    pushes = say("“{word}” pushes hardest to the companies ({push}).", word=data["words"][hardest],
                 push=written_pushes(data)[hardest])  # fmt: skip
    return f"{says} {pushes}"


def _what_to_change(data: dict, does_it: str) -> str:
    """How far an apple lies from where it would be neither, and which word keeps it there.

    does_it: what to do, where it is known; otherwise it is said by kinds.
    """
    words, after = data["words"], data["after"]
    far = f"{max(abs(after) - NEITHER, 0.01):.2f}"
    says = (
        say("Second goal, neither: that is {far} too far to the fruits.", far=far)
        if after > 0
        else say("Second goal, neither: that is {far} too far to the companies.", far=far)
    )
    sizes = np.where([word == APPLE for word in words], 0.0, np.sign(after) * data["pushes"])
    hardest = int(np.argmax(sizes))
    if sizes[hardest] < LEAST:
        return f"{says} {does_it}".rstrip()
    word = words[hardest]
    pushed = say("“{word}” pushes it there hardest ({push}):", word=word,
                 push=written_pushes(data)[hardest])  # fmt: skip
    return f"{says} {pushed} {does_it or _by_kind(word, after)}"


def _by_kind(word: str, after: float) -> str:
    kind = _kind_of(word)
    if not kind:
        return say("leave it out, or put another word in its place.")
    against = AGAINST[0 if after > 0 else 1]
    do = say("add a word or two of the kind “{kind}”, which push the other way.", kind=against)
    if abs(after) > FAR:
        return do
    return say("try another word of the kind “{kind}”, or {do}", kind=kind, do=do)


def _what_does_it(words: list[str], ends: Callable[[list[str]], float]) -> str:
    """One word, exchanged for another of its kind or added, that makes apple neither; else ""."""
    for i, word in enumerate(words):
        for other in SLOTS.get(_kind_of(word), ()):
            if other != APPLE and abs(ends([*words[:i], other, *words[i + 1 :]])) < NEITHER:
                return say("“{other}” in place of “{word}” does it.", other=other, word=word)
    for word in (one for kind in AGAINST for one in SLOTS[kind]):
        if abs(ends([*words, word])) < NEITHER:
            return say("“{word}” at the end of the sentence does it.", word=word)
    return ""
