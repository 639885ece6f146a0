"""The rival of the copying model: a network that reads letter by letter, with one memory.

It has as many weights as the copying model (40,923 against 39,707) and is trained on the same
task for as many steps, on batches drawn alike. What it knows of the text is 96 numbers, which it
rewrites at each letter. This is a gated recurrent unit (GRU).

    model = train_recurrent(800)
    copying_accuracy(model)

Two other seeds do as well at each length, within .05. Five times as many steps help, but less the
further it must reach: .97 of the letters at a round of 5, .46 at one of 24.

The weights are made by `python -m course_lib.models.recurrent`; recurrent_numpy.py runs them.

Source: Cho et al., "Learning Phrase Representations using RNN Encoder-Decoder" (2014).
"""

from collections.abc import Iterable
from pathlib import Path

import torch
from safetensors.torch import save_file
from torch import Tensor, nn

from course_lib.models.copying import STEPS, copying_loss
from course_lib.models.copying_text import ALPHABET
from course_lib.models.recurrent_numpy import WEIGHTS
from course_lib.models.training import Training

LETTER, MEMORY = 32, 96  # numbers for a letter, and for all that was read


class Recurrent(nn.Module):
    """Letters in, at each place a score for each letter that may come next.

    seed: of the first weights; the global generator stays as it is.
    """

    def __init__(self, seed: int = 0):
        super().__init__()
        with torch.random.fork_rng(devices=()):
            torch.manual_seed(seed)
            self.letters = nn.Embedding(len(ALPHABET), LETTER)
            self.memory = nn.GRU(LETTER, MEMORY, batch_first=True)
            self.says = nn.Linear(MEMORY, len(ALPHABET))

    def forward(self, ids: Tensor, loudness: None = None) -> Tensor:
        """The scores. It has no heads, so there is nothing to make louder.

        Shapes: ids (..., t) -> (..., t, z)
        """
        return self.says(self.memory(self.letters(ids))[0])


def train_recurrent(steps: int | Iterable = STEPS, seed: int = 0) -> Recurrent:
    """A model that learned from scratch, as `train_copying`."""
    model = Recurrent(seed)
    Training(model, copying_loss, seed=seed).run(steps)
    return model.requires_grad_(False)


if __name__ == "__main__":
    path = Path(__file__).parent / "weights" / WEIGHTS
    save_file(train_recurrent().state_dict(), path)
