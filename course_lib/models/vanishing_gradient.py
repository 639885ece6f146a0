"""How much of a far word arrives: the gradient against the distance, before any training.

    sizes = gradient_by_distance(seeds=range(5))
    sizes["LSTM"][:, 50]                 # 50 words back, one number for each seed
    typical(sizes["LSTM"])[50]           # their geometric mean

A recurrent network hands what it knows from word to word: from a word to one that stands 50 later
lead 50 steps, and the gradient takes each of them backwards. In attention every word is one step
away.
"""

from collections.abc import Iterable

import numpy as np
import torch
from torch import Tensor, nn

from course_lib.kernels.attention import attention
from course_lib.models.threads import one_thread

KINDS = ("RNN", "RNN, orthogonal", "LSTM", "attention")


@one_thread()
def gradient_by_distance(
    length: int = 100,
    width: int = 32,
    seeds: Iterable[int] = range(5),
    *,
    texts: int = 8,
    size: float = 1.0,
) -> dict[str, np.ndarray]:
    """For each of KINDS, how strongly its last output depends on the word so far back.

    That is the length of the gradient of one random direction of the last output with respect to
    the word, as the root of the mean square over `texts` random inputs. The networks have one
    layer and fresh weights: PyTorch's own for RNN and LSTM; the orthogonal RNN begins with a
    recurrent matrix that turns and keeps lengths (Saxe et al., 2013). How well it then remembers
    depends on `size`, that of the words: large ones drive tanh to where it is flat. A fresh LSTM
    forgets half of its memory at each step; in training it can learn to forget less.

    Shapes: -> for each kind (number of seeds, length), the column is the distance
    Raises: ValueError, if length, width or texts is below 1, or there is no seed.
    """
    seeds = list(seeds)
    for name, value in (("length", length), ("width", width), ("texts", texts)):
        if value < 1:
            raise ValueError(f"{name} is {value}; expected at least 1")
    if not seeds:
        raise ValueError("seeds is empty; expected at least one")
    return {
        kind: np.stack([_gradients(kind, (texts, length, width), size, seed) for seed in seeds])
        for kind in KINDS
    }


def typical(sizes: np.ndarray) -> np.ndarray:
    """The geometric mean over the seeds: sizes that differ by powers of ten average in powers.

    Shapes: (seeds, length) -> (length,)
    """
    with np.errstate(divide="ignore"):
        return np.exp(np.log(sizes).mean(axis=0))


def _gradients(kind: str, shape: tuple[int, int, int], size: float, seed: int) -> np.ndarray:
    """One network of a kind: the size of the gradient at each distance. Shapes: -> (length,)"""
    generator = torch.Generator().manual_seed(seed)  # the same words for every kind

    def drawn(*shape):
        # float64, because what is left after 100 steps is below what float32 can hold.
        return torch.randn(shape, generator=generator, dtype=torch.float64)

    words, direction = (size * drawn(*shape)).requires_grad_(), drawn(shape[-1])
    direction = direction / direction.norm()
    last = _last_output(kind, words, drawn, generator)
    (gradient,) = torch.autograd.grad((last @ direction).sum(), words)
    return gradient.square().sum(-1).mean(0).sqrt().flip(0).numpy()


def _last_output(kind: str, words: Tensor, drawn, generator: torch.Generator) -> Tensor:
    """What a fresh network of this kind says at the last word. Shapes: (b, t, m) -> (b, m)"""
    width = words.shape[-1]
    if kind == "attention":
        q, k, v = (words @ (drawn(width, width) * width**-0.5) for _ in range(3))
        return attention(q[:, -1:], k, v)[:, 0]
    made = nn.LSTM if kind == "LSTM" else nn.RNN
    network = made(width, width, batch_first=True).double()
    for parameter in network.parameters():  # PyTorch's rule, drawn from our generator
        nn.init.uniform_(parameter, -(width**-0.5), width**-0.5, generator=generator)
    if "orthogonal" in kind:
        with torch.no_grad():
            network.get_parameter("weight_hh_l0").copy_(torch.linalg.qr(drawn(width, width)).Q)
    return network(words)[0][:, -1]
