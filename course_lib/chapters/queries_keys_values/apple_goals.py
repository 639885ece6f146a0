"""Which of its two goals a learner's own sentence with *apple* has reached."""

from course_lib.figures.numerals import signed
from course_lib.models.words import SLOTS
from course_lib.words import say

BEGINS = "apple released the new phone today"
FRUIT = 0.25  # where the apple of BEGINS should end, or above, when one word is changed
NEITHER = 0.1  # nearer to the middle than this, apple is neither
BOTH = ("eating", "product")  # kinds of words whose pushes a sentence should balance


def reached(words: list[str], after: float) -> str:
    """What is said below the picture; "" where no goal is reached and none was tried.

    words: of the sentence.   after: where its apple ends, on the line.
    """
    both = all(set(words) & set(SLOTS[kind]) for kind in BOTH)
    if abs(after) < NEITHER:
        says = say("✓ Neither: your apple ends between −0.1 and 0.1.")
        if both:
            return says
        more = say("Can you do it with an eating word and a product in the sentence, too?")
        return f"{says} {more}"
    begins = BEGINS.split()
    changed = sum(one != other for one, other in zip(words, begins, strict=False))
    one_changed = len(words) == len(begins) and changed == 1
    if one_changed and round(after, 2) >= FRUIT:
        return say("✓ One word is changed, and your apple ends at 0.25 or above.")
    return _not_yet(after, one_changed, both)


def _not_yet(after: float, one_changed: bool, both: bool) -> str:
    """How far a sentence that tries one of the goals, or both, is from them; "" for another."""
    if not one_changed and not both:
        return ""
    says = [say("Not yet: your apple ends at {after}.", after=signed(after, 2))]
    if one_changed:
        says.append(say("With one word changed, it should be 0.25 or above."))
    if both:
        more = (
            "For “neither”, it should be between −0.1 and 0.1: not every eating word tells as much."
        )
        says.append(say(more))
    return " ".join(says)
