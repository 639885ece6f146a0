"""Exercise `hidden_score`: the test that a mask below the maximum does not pass."""

import numpy as np
import torch

from course_lib.chapters.flash_attention.changed_loops import changed_sums
from course_lib.judging.exercise import Caused, Exercise, Mistake, Refused, inputs
from course_lib.judging.verdict import Sentence, sentence


def hidden_score(seen):
    """A hidden score with which C's loop goes wrong, and the right loop does not.

    seen: (3,), the scores that the query may see   returns: one number, to stand after them
    """
    # SOLUTION
    return seen.max() + 200
    # END SOLUTION


VALUES, BLOCK = torch.tensor([10.0, 20, 30, 40, 50, 60])[:, None], 2

ONE_NUMBER = "Return one number: the score that stands in the fourth place."

NOT_FINITE = (
    "That is no score: a score is a finite number. A finite one is enough to break C's loop."
)

NOT_ABOVE = (
    "Your hidden score is not above those that the query sees. Then it never raises C's maximum, "
    "and breaks nothing."
)

TOO_SMALL = (
    "That is too small. C counts from a maximum that is too high, so all its powers are small. But "
    "float32 still has numbers for them, and in mixed / total their smallness cancels."
)

WITH_NUMBERS = (
    "{said} The largest score that the query sees is {top:g}, and yours is {score:g}: in C's sums "
    "its power ends as e^{lead:g}."
)

WITH_THE_NEXT = (
    "{said} The largest score that the query sees is {top:g}, and yours is {score:g}. Behind yours "
    "stand two more hidden scores, {next:g} and {last:g}. So C's maximum ends at {next:g}, and in "
    "C's sums the power of {top:g} ends as e^-1, which is not too small for float32."
)


def both_loops(seen, score: float) -> tuple[float, float]:
    """What C's loop and the right one give for a row of six, such as 1, 3, 2, score, 4, 0.

    Its last three are hidden; of the last two, one is above all that are seen, and by 1.
    """
    right, c = both_sums(seen, score).values()
    return (c[0] / c[1]).item(), (right[0] / right[1]).item()


def both_sums(seen, score: float) -> dict[str, tuple]:
    """`mixed` and `total` of the right loop and of C's, for the same row of six."""
    top = max(seen.tolist())
    row = torch.tensor([*seen.tolist(), score, top + 1, top - 3], dtype=torch.float32)
    mask = torch.tensor([[True] * 3 + [False] * 3])
    given = torch.ones(1, 1), row[:, None], VALUES, BLOCK, mask  # q = 1: the keys are the scores
    loops = {"right loop": "", "C's loop": "C"}
    return {
        name: tuple(one.squeeze() for one in changed_sums(change, *given))
        for name, change in loops.items()
    }


def _breaks_c(got, want, case) -> bool | str | Sentence:
    """Accepts any number for which the two loops differ, or says why they agree."""
    seen = case.args[0]
    try:
        score = float(np.asarray(got["output"], dtype=float).reshape(()))
    except (TypeError, ValueError):
        return ONE_NUMBER
    if not np.isfinite(score):
        return NOT_FINITE
    if not np.allclose(*both_loops(seen, score), rtol=1e-4):  # a NaN is close to nothing
        return True
    top = seen.max().item()
    said = Sentence(TOO_SMALL if score > top else NOT_ABOVE)
    if score > top + 1:
        return sentence(WITH_NUMBERS, said=said, top=top, score=score, lead=top - score)
    return sentence(WITH_THE_NEXT, said=said, top=top, score=score, next=top + 1, last=top - 3)


def _what_both_give(got, case):
    """The outputs of both loops with this score in the fourth place."""
    found, right = both_loops(case.args[0], float(np.asarray(got["output"], dtype=float)))
    return (
        Caused("C's loop gives", found, "nan, which is no number"),
        Caused("the right loop gives", right, "a number"),
    )


HIDDEN_SCORE = Exercise(
    answer=hidden_score,
    cases=(
        lambda rng: inputs(torch.tensor([1.0, 3, 2])),
        lambda rng: inputs(torch.tensor([1000.0, 1003, 1002])),
        lambda rng: inputs(torch.tensor([-500.0, -420, -450])),
        lambda rng: inputs(torch.tensor([0.0, 0, 0])),
    ),
    accept=_breaks_c,
    open_answer=True,
    effect=_what_both_give,
    mistakes=(
        Mistake(
            TOO_SMALL,
            lambda seen: 50.0,
            also=(lambda seen: seen.max() + 60, lambda seen: 5.0, lambda seen: 2 * seen.max() + 1),
        ),
        Mistake(
            NOT_ABOVE,
            lambda seen: -1000.0,
            also=(lambda seen: seen.min() - 200, lambda seen: 900.0, lambda seen: seen.max()),
        ),
        Mistake(
            NOT_FINITE,
            lambda seen: float("inf"),
            also=(lambda seen: torch.tensor(torch.nan), lambda seen: -torch.inf),
        ),
        Mistake(
            ONE_NUMBER,
            lambda seen: seen + 200,
            also=(lambda seen: [1.0, 3.0, 2.0, 300.0, 4.0, 0.0],),
        ),
    ),
    alternatives=(
        lambda seen: seen.max().item() + 110,
        lambda seen: 1e6,
        lambda seen: int(max(seen.tolist())) + 1000,
        lambda seen: seen.sum().abs() + 300,
        lambda seen: seen.numpy().max() + np.float32(1000),
    ),
    refused=(Refused(lambda seen: "large", "hidden_score"),),
    hints=(
        "In C's loop the maximum may be your hidden number. What becomes of the powers of "
        "the scores that the query sees?",
        "They are e^(score - yours). float32 has no number between 0 and about e^-104. What are "
        "mixed and total, if every power that counts is 0?",
        "return seen.max() + ...",
    ),
    minutes=3,
    stars=2,
    depth=True,
)
