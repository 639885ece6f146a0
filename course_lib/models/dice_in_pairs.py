"""Dice that often repeat the last throw but one, and a model that has no vectors for its places.

    heap = train_on_pairs(turned=False)         # throws without order: it can only count
    turned = train_on_pairs(turned=True)        # queries and keys are turned by their places
    share_right(turned, scores=rope_scores)     # tried with scores of your own

At place i the model is to say throw i + 1, and throw i - 1 tells it: the one right before. Which
one that is cannot be seen from the throws themselves. What is turned is the course's `rotary`; a
trained model can be tried with any function that makes the same scores.
"""

from collections.abc import Callable, Iterable

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from course_lib.kernels.attention import masked_softmax
from course_lib.kernels.masks import causal, may_attend
from course_lib.kernels.positions import rotary
from course_lib.models.dice import BATCH, LEARNING_RATE, LENGTH, SIDES, STEPS, WIDTH
from course_lib.models.threads import one_thread

BACK = 2
REPEAT = 0.75
BEST = REPEAT + (1 - REPEAT) / SIDES  # of who knows the throw two back: right so often
SHOWN = 184  # seed of the row that is drawn: in one place a heap is misled
TESTS = 500  # rows on which a trained model is tried

Scores = Callable[[Tensor, Tensor], object]


class PairedDice(nn.Module):
    """Embeddings of the sides, one head of attention under the causal mask, a score for each side.

    turned: whether queries and keys are turned by their places.
    Shapes: rolls (b, t) -> (b, t, sides)
    """

    def __init__(self, *, turned: bool, sides: int = SIDES):
        super().__init__()
        self.turned, self.side = turned, nn.Embedding(sides, WIDTH)
        self.query, self.key, self.value = (nn.Linear(WIDTH, WIDTH, bias=False) for _ in range(3))
        self.out = nn.Linear(WIDTH, sides, bias=False)

    def forward(self, rolls: Tensor, scores: Scores | None = None) -> Tensor:
        """Scores for what comes after each place.

        scores: makes the table of one row, (t, d) and (t, d) -> (t, t); the course's, if left out.
        """
        x = self.side(rolls)
        return self.out(self._weights(x, scores) @ self.value(x))

    def weights(self, rolls: Tensor, scores: Scores | None = None) -> Tensor:
        """Where each throw looks; scores as in `forward`.

        Shapes: rolls (b, t) -> (b, t, t)
        """
        return self._weights(self.side(rolls), scores)

    def _weights(self, x: Tensor, scores: Scores | None) -> Tensor:
        q, k = self.query(x), self.key(x)
        if scores is None:
            table = (rotary(q) @ rotary(k).mT if self.turned else q @ k.mT) / WIDTH**0.5
        else:
            rows = [torch.as_tensor(scores(*row)) for row in zip(q, k, strict=True)]
            table = torch.stack(rows).to(q.dtype)
        return masked_softmax(table, may_attend(causal, x.shape[1]))


def throw_in_pairs(rows: int, generator: torch.Generator) -> Tensor:
    """Rows of dice; with the chance REPEAT a throw shows what the last but one showed.

    Shapes: -> (rows, LENGTH), from 0 to SIDES - 1
    """
    rolls = torch.randint(SIDES, (rows, LENGTH), generator=generator)
    again = torch.rand(rows, LENGTH, generator=generator) < REPEAT
    for place in range(BACK, LENGTH):
        rolls[:, place] = torch.where(again[:, place], rolls[:, place - BACK], rolls[:, place])
    return rolls


def eight_throws() -> Tensor:
    """A row of eight throws to look at: the same each time. Shapes: -> (1, 8)"""
    return throw_in_pairs(1, torch.Generator().manual_seed(SHOWN))[:, :8]


def train_on_pairs(*, turned: bool, seed: int = 0, steps: Iterable = STEPS) -> PairedDice:
    """Train a fresh model. steps: anything to loop over, once a step; torch's generator stays."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model = PairedDice(turned=turned)
    generator = torch.Generator().manual_seed(seed)
    optimizer = torch.optim.Adam(model.parameters(), lr=LEARNING_RATE, fused=True)
    with one_thread():
        for _ in steps:
            rolls = throw_in_pairs(BATCH, generator)
            loss = cross_entropy(model(rolls)[:, :-1].flatten(0, 1), rolls[:, 1:].flatten())
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    return model


def share_right(model: PairedDice, *, scores: Scores | None = None) -> float:
    """The share of fresh throws that the model predicts, among those that can be known.

    scores: in place of the course's, as in `PairedDice.forward`.
    """
    rolls = throw_in_pairs(TESTS, torch.Generator().manual_seed(1))
    with one_thread(), torch.no_grad():
        says = model(rolls, scores).argmax(dim=-1)
    return float((says[:, BACK - 1 : -1] == rolls[:, BACK:]).double().mean())
