"""Which of its two goals a learner's own sentence with *apple* has reached."""

from course_lib.words import say

BEGINS = "apple released the new phone today"
FRUIT = 0.3  # where the apple of BEGINS should end, or above, when one word is changed
NEITHER = 0.1  # nearer to the middle than this, apple is neither


def reached(words: list[str], after: float) -> str:
    """What is said below the picture; "" where no goal is reached.

    words: of the sentence.   after: where its apple ends, on the line.
    """
    if abs(after) < NEITHER:
        return say("✓ Neither: your apple ends between −0.1 and 0.1.")
    begins = BEGINS.split()
    changed = sum(one != other for one, other in zip(words, begins, strict=False))
    if len(words) == len(begins) and changed == 1 and round(after, 2) >= FRUIT:
        return say("✓ One word is changed, and your apple ends at 0.3 or above.")
    return ""
