"""Exercise `dimmed`: what a layer adds, when each head is as loud as you like."""

import torch

from course_lib.judging.exercise import Exercise, Mistake, Refused, inputs
from course_lib.judging.tensors import counted, drawn, floats


def dimmed(parts, loudness):
    """What the heads add together, when each is as loud as said.

    parts: (b, h, n, m), what each head adds   loudness: (h,), 0 is off   returns: (b, n, m)
    """
    # SOLUTION
    return (parts * loudness[:, None, None]).sum(dim=1)
    # END SOLUTION


def _by_loop(parts, loudness):
    return sum(loudness[i] * parts[:, i] for i in range(len(loudness)))


def _side_by_side(parts, loudness):
    return (parts * loudness[:, None, None]).transpose(1, 2).flatten(2)


DIMMED = Exercise(
    answer=dimmed,
    cases=(
        lambda rng: inputs(counted(1, 2, 3, 2), floats(1.0, 0.5)),  # as many heads as columns
        lambda rng: inputs(drawn(rng, 2, 3, 5, 3), floats(0.5, 0.0, 1.0)),
        lambda rng: inputs(drawn(rng, 2, 4, 4, 3), floats(1.0, 0.0, 0.25, 0.5)),  # as many as words
        lambda rng: inputs(drawn(rng, 3, 2, 5, 7), floats(0.25, 2.0)),
        lambda rng: inputs(
            drawn(rng, 3, 3, 2, 5, dtype=torch.float64),  # as many as sentences
            torch.tensor([0.0, 0.75, 0.5], dtype=torch.float64),
        ),
        lambda rng: inputs(drawn(rng, 2, 1, 3, 4), floats(0.5)),
        lambda rng: inputs(counted(1, 2, 3, 2), floats(1.0, 0.5)),
    ),
    mistakes=(
        Mistake(
            "You dimmed columns, not heads. parts * loudness lines up the last axes, and there "
            "stand the m columns. Where there are as many heads as columns, no error tells you. "
            "Give loudness two more axes, one for the words and one for the columns.",
            lambda parts, loudness: (parts * loudness).sum(dim=1),
            also=(lambda parts, loudness: parts.sum(dim=1) * loudness,),
        ),
        Mistake(
            "You dimmed words, not heads. loudness[:, None] is (h, 1): its h meets the n words. "
            "One more axis is missing: loudness[:, None, None].",
            lambda parts, loudness: (parts * loudness[:, None]).sum(dim=1),
        ),
        Mistake(
            "You dimmed sentences, not heads: with three more axes, the h meets the b sentences. "
            "Two more axes are enough.",
            lambda parts, loudness: (parts * loudness[:, None, None, None]).sum(dim=1),
        ),
        Mistake(
            "Each part is as loud as it should be, and they are not added up yet. The sum runs "
            "over the heads, axis 1.",
            lambda parts, loudness: parts * loudness[:, None, None],
            also=(lambda parts, loudness: torch.einsum("bhnm,h->bhnm", parts, loudness),),
        ),
        Mistake(
            "You took the mean over the heads. They add, and nobody divides by their number.",
            lambda parts, loudness: (parts * loudness[:, None, None]).mean(dim=1),
        ),
        Mistake(
            "You divided by the sum of the loudness, as in a weighted mean. Then a head that is "
            "off would make the others louder. Nobody divides here.",
            lambda parts, loudness: dimmed(parts, loudness) / loudness.sum(),
        ),
        Mistake(
            "You switched heads off or left them on. Loudness has all the levels between, too: "
            "multiply by the number itself.",
            lambda parts, loudness: parts[:, loudness > 0].sum(dim=1),
            also=(lambda parts, loudness: dimmed(parts, (loudness != 0).to(parts.dtype)),),
        ),
        Mistake(
            "All heads are as loud as before: loudness was not used.",
            lambda parts, loudness: parts.sum(dim=1),
        ),
        Mistake(
            "You added the words up. The sum runs over the heads, axis 1.",
            lambda parts, loudness: (parts * loudness[:, None, None]).sum(dim=2),
        ),
        Mistake(
            "What should be loud is off: 0 means off, and 1 means as learned.",
            lambda parts, loudness: dimmed(parts, 1 - loudness),
        ),
        Mistake(
            "You put the parts side by side. Each of them is as wide as a word already: add them.",
            _side_by_side,
        ),
    ),
    refused=(Refused(lambda parts, loudness: parts, "dimmed"),),
    alternatives=(
        lambda parts, loudness: torch.einsum("bhnm,h->bnm", parts, loudness),
        _by_loop,
        lambda parts, loudness: parts.movedim(1, -1) @ loudness,
        lambda parts, loudness: torch.tensordot(loudness, parts, dims=([0], [1])),
        lambda parts, loudness: (parts * loudness.reshape(1, -1, 1, 1)).sum(1).numpy(),
    ),
    hints=(
        "By which number do you multiply the part of a head that is off? Which axis of parts "
        "counts the heads?",
        "parts * loudness would line up the last axes. loudness[:, None, None] is (h, 1, 1): one "
        "factor a head, the same for all words and columns. Then add the heads up: sum(dim=1).",
        "return (parts * loudness[:, ..., ...]).sum(dim=...)",
    ),
    minutes=3,
    stars=2,
    depth=True,
)
