"""How the heads of the copying model come into being: loss, accuracy and heads, step by step.

    training, birth = Training(new_copying(), copying_loss), Birth()
    training.run(birth.watched(range(STEPS), training))     # interrupt it, look, and go on
    recorded_birth()                                        # of the weights that are shipped
    recorded_births()                                       # and of models of other seeds

The records are made by `python -m course_lib.models.head_emergence`, or of some seeds alone by
`python -m course_lib.models.head_emergence 1 3`; that takes some minutes for each.
"""

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path

import torch
from torch import Tensor

from course_lib.models.copying import (
    STEPS,
    copying_accuracy,
    copying_loss,
    encode,
    induction_scores,
    new_copying,
    previous_token_scores,
)
from course_lib.models.copying_text import LENGTH
from course_lib.models.training import Training
from course_lib.models.transformer import Transformer

EVERY = 25  # steps between two looks
RECORD = "copying_birth{seed}.json"
SEEDS = (0, 1, 2, 3)  # of the recorded births; 0 is the shipped one
TEXT = "giraffe " * 2


@dataclass
class Birth:
    """What was seen at some steps.

    loss: the mean since the last look.   accuracy: on fresh strings.
    previous, induction, two_back: of each head, a list for each block.
    maps: of all heads on TEXT at the last look; None in a record.
    every: steps between two looks of `watched`.
    """

    step: list[int] = field(default_factory=list)
    loss: list[float] = field(default_factory=list)
    accuracy: list[float] = field(default_factory=list)
    previous: list[list] = field(default_factory=list)
    induction: list[list] = field(default_factory=list)
    two_back: list[list] = field(default_factory=list)
    maps: Tensor | None = None
    every: int = EVERY

    whole = STEPS  # of a birth, so that a picture keeps its scale
    letters = LENGTH  # of each text

    def look(self, training: Training[Transformer]) -> None:
        """Measure the model as it is now, once for each number of steps."""
        step = len(training.losses)
        if self.step and self.step[-1] >= step:
            return
        since = training.losses[self.step[-1] if self.step else 0 :]
        self.step.append(step)
        self.loss.append(round(sum(since) / len(since), 4) if since else float("nan"))
        self.accuracy.append(round(copying_accuracy(training.model, 128), 4))
        model = training.model
        for scores, kept in (
            (previous_token_scores(model), self.previous),
            (induction_scores(model), self.induction),
            (previous_token_scores(model, back=2), self.two_back),
        ):
            kept.append(scores.double().round(decimals=3).tolist())
        self.maps = training.model.maps(torch.from_numpy(encode(TEXT)))

    def watched(
        self, steps: Iterable, training: Training[Transformer], seen: Callable | None = None
    ) -> Iterator:
        """Yield the steps, look every `every` of them and at the end, then call seen(self).

        steps: such as range(400), or with_progress(range(400), "training").
        """
        for step in steps:
            yield step
            if len(training.losses) % self.every == 0:
                self._show(training, seen)
        self._show(training, seen)

    def _show(self, training, seen) -> None:
        self.look(training)
        if seen is not None:
            seen(self)


def recorded_birth(seed: int = 0) -> Birth:
    """The birth of the heads of one of SEEDS; 0 is the model that comes with the course."""
    text = (files("course_lib.models") / "weights" / _record(seed)).read_text(encoding="utf-8")
    return Birth(**json.loads(text))


def recorded_births() -> dict[int, Birth]:
    """The births of all SEEDS, which differ in their first weights and in their strings alone."""
    return {seed: recorded_birth(seed) for seed in SEEDS}


def train_and_record(seed: int = 0) -> Birth:
    """The training of a seed once more, watched; of 0, that of the shipped weights."""
    training, birth = Training(new_copying(seed), copying_loss, seed=seed), Birth()
    training.run(birth.watched(range(STEPS), training))
    return birth


def _record(seed: int) -> str:
    return RECORD.format(seed=seed or "")


if __name__ == "__main__":
    for seed in map(int, sys.argv[1:] or SEEDS):
        path = Path(__file__).parent / "weights" / _record(seed)
        birth = vars(train_and_record(seed))
        kept = {name: what for name, what in birth.items() if name not in ("maps", "every")}
        path.write_text(json.dumps(kept) + "\n", encoding="utf-8")
