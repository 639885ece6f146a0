"""One attention layer that is to predict dice: what a mask lets through, the loss shows.

Fair dice cannot be predicted, so an honest model ends at a loss of ln(sides) and is right once in
`sides` throws. Whatever is better was read from the answer.

    train(causal)                                              # j <= i: honest
    train(Mask("one too far", lambda b, i, j: j <= i + 1))     # the answer shows through

The layer is small on purpose: sides and places get learned vectors, one head of attention looks at
the places that the mask allows, and one matrix turns what it saw into a score for each side. At
place i it is to say what place i + 1 will show.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from numbers import Real

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from course_lib.kernels.attention import attention, attention_weights
from course_lib.kernels.masks import Mask, may_attend
from course_lib.kernels.whole_numbers import whole_number
from course_lib.models.threads import one_thread

SIDES = 8
LENGTH = 12
WIDTH = 32
STEPS = range(120)
BATCH = 64
LEARNING_RATE = 0.02
TESTS = 2000  # rows of dice on which a trained model is tried


class Dice(nn.Module):
    """Embeddings, one head of attention under a mask, and a score for each side.

    Shapes: rolls (b, t), whole numbers from 0 to sides - 1 -> (b, t, sides)
    """

    allowed: Tensor

    def __init__(self, mask: Mask, *, sides: int = SIDES, length: int = LENGTH, width: int = WIDTH):
        super().__init__()
        self.side, self.place = nn.Embedding(sides, width), nn.Embedding(length, width)
        self.query, self.key, self.value = (nn.Linear(width, width, bias=False) for _ in range(3))
        self.out = nn.Linear(width, sides, bias=False)
        self.register_buffer("allowed", may_attend(mask, length), persistent=False)

    def forward(self, rolls: Tensor) -> Tensor:
        """Scores for what comes after each place.

        Raises: ValueError for rows of another length, or sides that the dice do not have.
        """
        self._refuse_others(rolls)
        x = self.side(rolls) + self.place.weight
        return self.out(attention(self.query(x), self.key(x), self.value(x), mask=self.allowed))

    def weights(self, rolls: Tensor) -> Tensor:
        """How each place looks at all places.

        Shapes: rolls (b, t) -> (b, t, t)
        Raises: as for the scores.
        """
        self._refuse_others(rolls)
        x = self.side(rolls) + self.place.weight
        return attention_weights(self.query(x), self.key(x), mask=self.allowed)

    def _refuse_others(self, rolls: Tensor) -> None:
        length, sides = self.place.num_embeddings, self.side.num_embeddings
        if rolls.ndim != 2 or rolls.shape[1] != length:
            raise ValueError(f"rolls has shape {tuple(rolls.shape)}; expected (b, {length})")
        if rolls.numel() and not 0 <= int(rolls.min()) <= int(rolls.max()) < sides:
            raise ValueError(f"rolls must lie from 0 to {sides - 1}")


@dataclass(frozen=True)
class Trained:
    """losses: of each step.   loss, accuracy: on fresh dice, after the last step.

    model: what was trained, so that it can be tried under another mask.
    """

    losses: tuple[float, ...]
    loss: float
    accuracy: float
    model: Dice | None = field(default=None, compare=False, repr=False)


def throw(
    rows: int, generator: torch.Generator, *, repeat: float = 0.0, length: int = LENGTH
) -> Tensor:
    """Rows of dice; with the chance `repeat` a throw shows again what the one before showed.

    Shapes: -> (rows, length), from 0 to SIDES - 1
    Raises: ValueError if repeat is no chance from 0 to 1, or there are no rows or no throws.
    """
    _a_chance(repeat)
    rows, length = whole_number("rows", rows, 1), whole_number("length", length, 1)
    rolls = torch.randint(SIDES, (rows, length), generator=generator)
    again = torch.rand(rows, length, generator=generator) < repeat
    for place in range(1, length):
        rolls[:, place] = torch.where(again[:, place], rolls[:, place - 1], rolls[:, place])
    return rolls


def honest_loss(repeat: float = 0.0, back: int = 1) -> float:
    """The least loss that is possible for who knows the throw `back` places before, not later ones.

    Units: nats, as in cross-entropy; ln(8), about 2.079, for fair dice.
    Raises: ValueError if repeat is no chance from 0 to 1, or back is below 1.
    """
    _a_chance(repeat)
    again = repeat ** whole_number("back", back, 1)  # the chance of nothing but repetitions
    same, other = again + (1 - again) / SIDES, (1 - again) / SIDES
    terms = [same] + [other] * (SIDES - 1)
    return -sum(p * math.log(p) for p in terms if p > 0)


def train(
    mask: Mask, *, repeat: float = 0.0, seed: int = 0, steps: Iterable = STEPS, shift: int = 1
) -> Trained:
    """Train a fresh model under `mask`, then test it on dice that it has never seen.

    steps: anything to loop over, once a step, such as `with_progress(STEPS, "training")`.
    shift: how many places ahead the label stands: 1 is the next throw, 0 the throw itself.
    Raises: ValueError if repeat is no chance, or shift is neither 0 nor 1.
    """
    if shift not in (0, 1):
        raise ValueError(f"shift is {shift}; expected 1 (the next throw) or 0 (the throw itself)")
    with one_thread():
        return _trained(_fresh(mask, seed), repeat, seed, steps, shift)


def tried_under(mask: Mask, trained: Trained, *, seed: int = 1) -> Trained:
    """The loss and accuracy of a trained model on fresh fair dice, while it sees by another mask.

    Nothing is learned, so there are no losses of steps.
    Raises: ValueError, if `trained` came without its model.
    """
    if trained.model is None:
        raise ValueError("trained has no model; expected what train(...) returns")
    model, generator = Dice(mask), torch.Generator().manual_seed(seed)
    model.load_state_dict(trained.model.state_dict())
    with one_thread(), torch.no_grad():
        loss, right = _measured(model, throw(TESTS, generator), 1)
    return Trained((), loss.item(), right.item(), model)


def _trained(model: Dice, repeat: float, seed: int, steps: Iterable, shift: int) -> Trained:
    generator = torch.Generator().manual_seed(seed)
    optimizer = torch.optim.Adam(model.parameters(), lr=LEARNING_RATE, fused=True)
    losses = []
    for _ in steps:
        loss, _right = _measured(model, throw(BATCH, generator, repeat=repeat), shift)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    with torch.no_grad():
        loss, right = _measured(model, throw(TESTS, generator, repeat=repeat), shift)
    return Trained(tuple(losses), loss.item(), right.item(), model)


def _fresh(mask: Mask, seed: int) -> Dice:
    """A model whose first weights depend on the seed alone; torch's generator stays as it was."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return Dice(mask)


def _measured(model: Dice, rolls: Tensor, shift: int) -> tuple[Tensor, Tensor]:
    """Loss, and the share of throws that are predicted right; the last place has no next throw."""
    scores, labels = model(rolls)[:, : LENGTH - shift], rolls[:, shift:]
    loss = cross_entropy(scores.flatten(0, 1), labels.flatten())
    return loss, (scores.argmax(dim=-1) == labels).double().mean()


def _a_chance(number: float) -> None:
    if isinstance(number, bool) or not isinstance(number, Real):
        raise TypeError(f"repeat is {number!r}; expected a number from 0 to 1")
    if not 0 <= number <= 1:
        raise ValueError(f"repeat is {number}; a chance lies between 0 and 1")
