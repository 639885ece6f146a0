"""Texts like "Luis pays Ana.", of which the model of the dice learns to say who pays.

    with_turns = train_on_payers(turned=True)
    count_right(with_turns, scores=rope_scores)     # of the texts that it has not read

A text is four numbers: who pays, *pays*, who is paid, the full stop. Only the full stop is asked.
Two names make two texts of the same four words, so a model that sees no order is right in half.
"""

from collections.abc import Iterable
from itertools import permutations

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from course_lib.models.dice import LEARNING_RATE, STEPS
from course_lib.models.dice_in_pairs import PairedDice, Scores
from course_lib.models.threads import one_thread

NAMES = 12
PAYS, STOP = NAMES, NAMES + 1


def payer_texts(*, kept: bool) -> Tensor:
    """All texts of two names: those to learn from, or those that are kept for the test.

    Kept are both texts of any two names that are neighbours in a ring of all names.
    Shapes: -> (texts, 4)
    """
    return torch.tensor(
        [
            [one, PAYS, other, STOP]
            for one, other in permutations(range(NAMES), 2)
            if kept == ((one - other) % NAMES in (1, NAMES - 1))
        ]
    )


def train_on_payers(*, turned: bool, seed: int = 0, steps: Iterable = STEPS) -> PairedDice:
    """Train a fresh model. steps: anything to loop over, once a step; torch's generator stays."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model = PairedDice(turned=turned, sides=NAMES + 2)
    texts = payer_texts(kept=False)
    optimizer = torch.optim.Adam(model.parameters(), lr=LEARNING_RATE, fused=True)
    with one_thread():
        for _ in steps:
            loss = cross_entropy(model(texts)[:, -1], texts[:, 0])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    return model


def named_payers(model: PairedDice, texts: Tensor, *, scores: Scores | None = None) -> Tensor:
    """Whom the model names at the full stop of each text. Shapes: texts (n, 4) -> (n,)"""
    with one_thread(), torch.no_grad():
        return model(texts, scores)[:, -1].argmax(dim=-1)


def count_right(model: PairedDice, *, scores: Scores | None = None) -> tuple[int, int]:
    """How many of the texts that were kept the model gets right, and of how many.

    scores: in place of the course's, as in `PairedDice.forward`.
    """
    texts = payer_texts(kept=True)
    right = named_payers(model, texts, scores=scores) == texts[:, 0]
    return int(right.sum()), len(texts)
