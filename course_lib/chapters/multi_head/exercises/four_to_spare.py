"""Exercise `four_to_spare`: the half of the heads without which the model still copies."""

from functools import lru_cache

import numpy as np

from course_lib.chapters.multi_head.silencing import silent
from course_lib.judging.exercise import Caused, Exercise, Mistake, Refused, inputs
from course_lib.judging.verdict import Sentence, sentence
from course_lib.models.copying import BLOCKS, HEADS, copying_accuracy, load_copying
from course_lib.models.threads import one_thread


def four_to_spare():
    """Four heads of eight without which 9 of 10 letters stay right, or more.

    returns: four pairs (layer, head), such as (0, 1), head 1 of the first layer
    """
    # SOLUTION
    return (0, 0), (0, 3), (1, 1), (1, 3)
    # STUB
    # # I guess that of the 70 ways so many will do:
    # return ..., ..., ..., ...  # four pairs (layer, head)
    # END SOLUTION


LEAST = 0.9
WRITER, TWO_BACK = (0, 1), (0, 2)

PAIRS = "Each head is a pair of whole numbers, (layer, head): return (0, 1), (1, 0), and so on."

EXCHANGED = (
    "There is no such head. The layers are 0 and 1, and each has the heads 0, 1, 2 and 3: a pair "
    "names the layer first."
)

NOT_FOUR = "Name four different heads, no more and no fewer."

NO_WRITER = (
    "The writer is among them, head 1 of the first layer. Without its notes the readers seldom "
    "find the right place, however many of them are on."
)

NO_READER = (
    "All four readers are off. The notes are written, and nobody reads them. How many readers does "
    "it take?"
)

ONE_READER = (
    "Three readers are off. The one that is left finds the place, but the letter there and the "
    "first layer push for other letters, too, and often outweigh it. Keep a second one."
)

NO_SECOND_NOTE = (
    "Head 2 of the first layer is off. It looks two places back. In random strings many "
    "letters stand more than once in a round, and then one note is not enough to tell the places "
    "apart. Which heads of the first layer write no such note?"
)

ONE_OF_SIX = (
    "With half of its heads the model still gets {share:.0f} of 100 letters. Of the 70 ways to "
    "choose four, only six will do: heads 0 and 3 of the first layer go, and with them any two of "
    "the four readers. The best of the other 64 ways leaves 83 of 100 letters right. Had you "
    "guessed so few?"
)


@lru_cache(maxsize=128)
def _right_without(heads: tuple) -> float:
    """The share of letters that the model gets right while `heads` are off."""
    with one_thread():
        return copying_accuracy(load_copying(), 256, loudness=silent(*heads))


def _pairs(output) -> list | None:
    """The heads as pairs of whole numbers; None where they are none."""
    try:
        table = np.asarray(output, dtype=float)
    except (TypeError, ValueError):
        return None
    if table.ndim != 2 or table.shape[1] != 2 or (table != np.round(table)).any():
        return None
    return [(int(layer), int(head)) for layer, head in table]


def _malformed(heads: list | None) -> str:
    """What is wrong with the list itself, before any head is off; "" where it is four heads."""
    if heads is None:
        return PAIRS
    if any(not (0 <= layer < BLOCKS and 0 <= head < HEADS) for layer, head in heads):
        return EXCHANGED
    return NOT_FOUR if len(heads) != 4 or len(set(heads)) != 4 else ""


def _still_copies(got, want, case) -> bool | str:
    heads = _pairs(got["output"])
    if said := _malformed(heads):
        return said
    if _right_without(tuple(sorted(heads))) >= LEAST:
        return True
    if WRITER in heads:
        return NO_WRITER
    readers = sum(layer == 1 for layer, _ in heads)
    if readers == HEADS:
        return NO_READER
    return NO_SECOND_NOTE if TWO_BACK in heads else ONE_READER


def _right_letters(got, case):
    heads = _pairs(got["output"])
    if _malformed(heads):
        return ()  # a share would say that it passed
    share = _right_without(tuple(sorted(heads)))
    return (Caused("Share of right letters without these heads", share, "0.90 or more"),)


def _told(got, case) -> Sentence:
    share = _right_without(tuple(sorted(_pairs(got["output"]) or ())))
    return sentence(ONE_OF_SIX, share=100 * share)


FOUR_TO_SPARE = Exercise(
    answer=four_to_spare,
    cases=(lambda rng: inputs(),),
    accept=_still_copies,
    open_answer=True,
    effect=_right_letters,
    reward=_told,
    mistakes=(
        Mistake(
            NO_WRITER,
            lambda: ((0, 0), (0, 1), (0, 2), (0, 3)),
            also=(lambda: ((0, 1), (0, 3), (1, 0), (1, 1)),),
        ),
        Mistake(NO_READER, lambda: ((1, 0), (1, 1), (1, 2), (1, 3))),
        Mistake(
            ONE_READER,
            lambda: ((0, 3), (1, 0), (1, 1), (1, 3)),
            also=(lambda: [(0, 0), (1, 1), (1, 2), (1, 3)],),
        ),
        Mistake(
            NO_SECOND_NOTE,
            lambda: ((0, 0), (0, 2), (0, 3), (1, 3)),
            also=(
                lambda: ((0, 2), (0, 3), (1, 1), (1, 3)),
                lambda: ((0, 2), (1, 0), (1, 1), (1, 3)),
            ),
        ),
        Mistake(EXCHANGED, lambda: ((0, 0), (3, 0), (1, 1), (3, 1))),
        Mistake(
            NOT_FOUR,
            lambda: ((0, 0), (0, 3), (1, 3)),
            also=(
                lambda: ((0, 0), (0, 3), (1, 3), (1, 3)),
                lambda: ((0, 0), (0, 3), (1, 1), (1, 2), (1, 3)),
            ),
        ),
    ),
    refused=(
        Refused(lambda: (0, 0, 1, 3), "(layer, head)"),
        Refused(lambda: ((0, 0), (0, 3), (1, 1), (1, 2.5)), "(layer, head)"),
        Refused(lambda: ((0, 0), (0, 3), (1, 1), ...), "still returns `...`"),
    ),
    alternatives=(
        lambda: [(1, 3), (1, 0), (0, 3), (0, 0)],
        lambda: np.array([[0, 0], [0, 3], [1, 0], [1, 1]]),
        lambda: [[0, 0], [0, 3], [1, 2], [1, 3]],
        lambda: [(0, 3), (0, 0), (1, 1), (1, 2)],
    ),
    hints=(
        "What do you know of each head by now? Some write a note, some read it, and some do "
        "neither.",
        "The writer must stay, and print(without((0, 2))) shows that head 2 is needed, too. Each "
        "of the other six can go alone. Try which of them can go in pairs, then four at once.",
        "Heads 0 and 3 of the first layer look at a little of everything: they write no note that "
        "is needed. And two of the readers can go.",
    ),
    minutes=5,
    stars=2,
)
