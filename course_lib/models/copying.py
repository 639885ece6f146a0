"""A small model that has learned to copy: it goes on with a string that repeats itself.

    model = load_copying()
    continued_text(model, "giraffe pogir", 6)                   # "affe p"
    training = Training(new_copying(seed=0), copying_loss)      # or train it, in a minute
    training.run(with_progress(range(STEPS), "training"))

    loudness = torch.ones(BLOCKS, HEADS)
    loudness[0, 1] = 0                                          # the second head of block 1 is off
    copying_accuracy(model, loudness=loudness)

It was trained for this and nothing else: on random strings of 5 to 24 letters, repeated until they
fill 48 places. The loss counts the letters that can be known: from the second one of the second
round on. It has attention alone, no MLP: two blocks of four heads.

What it finds is known as an induction head, and takes two heads behind each other: one that looks
at the place before (`previous_token_scores`), so that each place knows its letter and the one
before, and one that looks behind the last place with the same letter (`induction_scores`).

The weights are made by `python -m course_lib.models.copying`, with seeds 0 and 3. Of the seeds 0 to
4 all copy (.992 or .993) and all have four induction heads; four have one previous-token head,
without which .10 to .13 are right, and seed 3 has two that share the work (.83 and .93 without one,
.14 without both): the one looks at the place before in the first thirty places, the other behind.

Source: Olsson et al., "In-context Learning and Induction Heads" (2022).
"""

from collections.abc import Iterable
from importlib.resources import as_file, files
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from course_lib.models.copying_text import (
    ALPHABET,
    BLOCKS,
    HEADS,
    LENGTH,
    LONGEST,
    SHORTEST,
    WEIGHTS,
    WIDTH,
    decode,
    encode,
    fitted,
)
from course_lib.models.training import Training
from course_lib.models.transformer import Transformer

__all__ = ["ALPHABET", "BLOCKS", "HEADS", "LENGTH", "decode", "encode"]  # and what stands below

STEPS, BATCH, FRESH = 1200, 64, 987_654_321
SHIPPED = {0: WEIGHTS, 3: "copying3.safetensors"}  # by the seed of the training


def new_copying(seed: int = 0) -> Transformer:
    """The model before training."""
    generator = torch.Generator().manual_seed(seed)
    return Transformer(len(ALPHABET), LENGTH, generator, blocks=BLOCKS, m=WIDTH, heads=HEADS)


def copying_batch(
    generator: torch.Generator, count: int = BATCH, period: int | None = None
) -> tuple[Tensor, Tensor]:
    """Random strings, repeated until they fill all places, and the period of each.

    period: of all of them; drawn from SHORTEST to LONGEST where it is None.

    Shapes: -> (count, LENGTH), (count,)
    Raises: ValueError for a period that leaves nothing to repeat.
    """
    if period is not None and not 1 <= period < LENGTH:
        raise ValueError(f"period is {period}; expected 1 to {LENGTH - 1}")
    low, high = (SHORTEST, LONGEST) if period is None else (period, period)
    periods = torch.randint(low, high + 1, (count,), generator=generator)
    letters = torch.randint(len(ALPHABET), (count, LENGTH), generator=generator)
    return letters.gather(1, torch.arange(LENGTH) % periods[:, None]), periods


def _asked(periods: Tensor) -> Tensor:
    """Which of the letters 1, 2, ... can be known: those behind the first of the second round.

    Were that first one asked for too, the model would learn to guess at every new letter that the
    string starts over.

    Shapes: (b,) -> (b, LENGTH - 1)
    """
    return torch.arange(1, LENGTH) > periods[:, None]


def copying_loss(model: nn.Module, generator: torch.Generator) -> Tensor:
    """How much the letters that can be known surprise the model, in a fresh batch."""
    ids, periods = copying_batch(generator)
    asked = _asked(periods)
    return cross_entropy(model(ids[:, :-1])[asked], ids[:, 1:][asked])


@torch.no_grad()
def copying_accuracy(
    model: Transformer, count: int = 512, *, loudness: Tensor | None = None, seed: int = FRESH
) -> float:
    """The share of the letters that can be known that the model says right, in fresh strings.

    count: how many strings.   loudness: of the heads, as in `Transformer.states`.
    """
    ids, periods = copying_batch(torch.Generator().manual_seed(seed), count)
    asked = _asked(periods)
    said = model(ids[:, :-1], loudness=loudness).argmax(dim=-1)
    return float((said == ids[:, 1:])[asked].double().mean())


@torch.no_grad()
def previous_token_scores(
    model: Transformer, *, back: int = 1, loudness: Tensor | None = None
) -> Tensor:
    """How much each head looks at the place before: its mean weight from place i to i - 1.

    back: how many places before, where it is another one.
    loudness: of the heads, as in `Transformer.states`.

    Shapes: -> (BLOCKS, HEADS)
    """
    ids, _ = copying_batch(torch.Generator().manual_seed(FRESH), 128)
    maps = model.maps(ids, loudness=loudness)
    return maps.diagonal(-back, dim1=-2, dim2=-1).mean(dim=(1, 3))


def two_rounds() -> Tensor:
    """Strings of two rounds of LONGEST letters, of which none but the round makes two alike.

    Shapes: -> (128, 2 LONGEST)
    """
    generator = torch.Generator().manual_seed(FRESH)
    order = torch.rand(128, len(ALPHABET), generator=generator).argsort(dim=1)[:, :LONGEST]
    return order.repeat(1, 2)


@torch.no_grad()
def induction_scores(model: Transformer, *, loudness: Tensor | None = None) -> Tensor:
    """How much each head looks behind where its letter stood a round ago.

    It is the mean weight from place i to i - period + 1, in the strings of `two_rounds`.

    Shapes: -> (BLOCKS, HEADS)
    """
    maps = model.maps(two_rounds(), loudness=loudness)
    return maps.diagonal(1 - LONGEST, dim1=-2, dim2=-1)[..., 1:].mean(dim=(1, 3))


def continued_text(
    model: Transformer, text: str, count: int = 8, *, loudness: Tensor | None = None
) -> str:
    """The `count` letters with which the model goes on, each the likeliest one.

    text: as `fitted` reads it.   loudness: of the heads, as in `Transformer.states`.
    """
    ids = torch.from_numpy(fitted(text, count))
    return decode(model.continued(ids, count, loudness=loudness)[len(ids) :])


def train_copying(steps: int | Iterable = STEPS, seed: int = 0) -> Transformer:
    """A model that learned from scratch.

    steps: how many, or something to loop over, such as `with_progress(range(600), "training")`.
    """
    model = new_copying(seed)
    Training(model, copying_loss, seed=seed).run(steps)
    return model.requires_grad_(False)


def load_copying(seed: int = 0) -> Transformer:
    """A trained model that comes with the course; all chapters use that of seed 0.

    Raises: ValueError for a seed whose weights do not come with the course.
    """
    if seed not in SHIPPED:
        raise ValueError(
            f"seed is {seed}; weights come with the course for {sorted(SHIPPED)}: "
            f"train_copying(seed={seed}) makes others, in a minute or two"
        )
    model = new_copying()
    with as_file(files("course_lib.models") / "weights" / SHIPPED[seed]) as path:
        model.load_state_dict(load_file(path))
    return model.requires_grad_(False)


def save_copying(model: Transformer, path: Path, *, half: bool = False) -> None:
    """Write the weights of a model into a file; in half precision it takes half the room."""
    kept = {name: w.half() if half else w for name, w in model.state_dict().items()}
    save_file(kept, path)


if __name__ == "__main__":
    for shipped, file in SHIPPED.items():  # numpy reads that of seed 0: it stays in full precision
        path = Path(__file__).parent / "weights" / file
        save_copying(train_copying(seed=shipped), path, half=shipped != 0)
