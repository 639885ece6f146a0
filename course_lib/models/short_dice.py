"""A game of dice so short that a model is trained while somebody paints its mask.

    known = known_places(torch.ones(6, 6).tril().bool())     # j <= i: honest
    known.losses                                             # ln 8 at each place

As in dice.py, one head of attention is to say at each place what the next one will show. Here a
row has six throws, and before them stands a mark that every place may look at: a model that knows
nothing can rest its weight there, and an honest place beside one that leaks stays honest. A fresh
model is trained for each mask, in about a tenth of a second.

Trained in float64, so that two processors give the same numbers to many digits.
"""

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from course_lib.kernels.attention import attention_weights
from course_lib.models.dice import SIDES, throw
from course_lib.models.threads import one_thread

THROWS = 6
WIDTH = 16
STEPS = 60
BATCH = 48
LEARNING_RATE = 0.03
TESTS = 8000  # rows of dice on which a trained model is tried


class ShortDice(nn.Module):
    """Sides and places get learned vectors, a start mark too; one head looks, one matrix answers.

    allowed: (n, n), True where the place of the row may look at the place of the column.
    Shapes: rolls (b, n) -> scores (b, n, sides), weights (b, n, 1 + n), the start mark first
    """

    allowed: Tensor

    def __init__(self, allowed: Tensor):
        super().__init__()
        places = len(allowed)
        self.side, self.place = nn.Embedding(SIDES, WIDTH), nn.Embedding(places, WIDTH)
        self.start = nn.Parameter(torch.randn(1, 1, WIDTH))
        self.query, self.key, self.value = (nn.Linear(WIDTH, WIDTH, bias=False) for _ in range(3))
        self.out = nn.Linear(WIDTH, SIDES, bias=False)
        with_start = torch.cat((torch.ones(places, 1, dtype=torch.bool), allowed), dim=1)
        self.register_buffer("allowed", with_start, persistent=False)

    def forward(self, rolls: Tensor) -> tuple[Tensor, Tensor]:
        """Scores for what comes after each place, and where it looked."""
        x = self.side(rolls) + self.place.weight
        seen = torch.cat((self.start.expand(len(rolls), 1, WIDTH), x), dim=1)
        weights = attention_weights(self.query(x), self.key(seen), mask=self.allowed)
        return self.out(weights @ self.value(seen)), weights


@dataclass(frozen=True)
class Known:
    """losses: (n - 1,), of each throw that is asked, from the second on, on fresh dice.

    weights: (n - 1, 1 + n), where each place looks on average, the start mark first.
    """

    losses: Tensor
    weights: Tensor


def known_places(allowed: Tensor, *, repeat: float = 0.0, seed: int = 0) -> Known:
    """Train a fresh model under the mask `allowed`; see where it knows the next throw.

    Shapes: allowed (n, n), boolean
    Units: losses in nats; ln 8, about 2.079, is chance.
    Raises: ValueError if allowed is no square boolean table, or repeat no chance.
    """
    if allowed.dtype != torch.bool or allowed.ndim != 2 or len(set(allowed.shape)) != 1:
        raise ValueError(
            f"allowed has shape {tuple(allowed.shape)} and holds {allowed.dtype}; expected a "
            "square table of True and False"
        )
    with one_thread(), torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model = ShortDice(allowed).double()
        return _trained(model, len(allowed), repeat, torch.Generator().manual_seed(seed))


def _trained(model: ShortDice, places: int, repeat: float, generator: torch.Generator) -> Known:
    optimizer = torch.optim.Adam(model.parameters(), lr=LEARNING_RATE, fused=True)
    for _ in range(STEPS):
        losses, _weights = _measured(model, throw(BATCH, generator, repeat=repeat, length=places))
        optimizer.zero_grad()
        losses.mean().backward()
        optimizer.step()
    with torch.no_grad():
        return Known(*_measured(model, throw(TESTS, generator, repeat=repeat, length=places)))


def _measured(model: ShortDice, rolls: Tensor) -> tuple[Tensor, Tensor]:
    """The loss at each place that has a next throw, and the mean of its weights."""
    scores, weights = model(rolls)
    labels = rolls[:, 1:]
    losses = cross_entropy(scores[:, :-1].transpose(1, 2), labels, reduction="none")
    return losses.mean(dim=0), weights[:, :-1].mean(dim=0)
