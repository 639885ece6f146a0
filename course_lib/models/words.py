"""A small model that has learned words from sentences: one "apple" (苹果) before, two after.

    model = load_words()
    before, after = model.vectors("anna ate the ripe apple today", attention)
    model = train_words(800, seed=1)     # seconds; with_progress(range(800), "...") shows a bar

The sentences come from a small invented grammar of people, fruit, firms and products, in which
"apple" is a fruit and a firm. The task is BERT's: some words are hidden, some replaced, and the
model says what stood there.

The model is an embedding and one attention layer of one head: x + attention(q, k, v) w_o,
with q, k and v made from the normalised x. It knows no positions: it sees which words stand
together, not in which order. So before the layer a word has the same vector in every sentence and
at every place, and all that differs afterwards came through attention.

The weights are made by `python -m course_lib.models.words`, in seconds.
"""

from collections.abc import Callable, Iterable
from importlib.resources import as_file, files
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import load_file, save_file
from torch import Tensor, nn
from torch.nn.functional import cross_entropy, layer_norm

from course_lib.kernels.attention import attention as course_attention
from course_lib.models.threads import one_thread

SLOTS = {
    "person": ("anna", "ben", "chen", "dora", "emil"),
    "eating": ("ate", "peeled", "washed", "sliced", "cooked"),
    "taste": ("ripe", "sweet", "sour", "juicy", "fresh"),
    "fruit": ("apple", "pear", "plum", "peach", "banana"),
    "firm": ("apple", "samsung", "nokia", "intel", "huawei"),
    "making": ("released", "announced", "designed", "sold", "built"),
    "look": ("new", "fast", "thin", "cheap", "smart"),
    "product": ("phone", "laptop", "tablet", "chip", "watch"),
    "day": ("today", "yesterday"),
}
TEMPLATES = (  # of six words each: the first half is about fruit, the second about firms
    "{person} {eating} the {taste} {fruit} {day}",
    "the {taste} {fruit} was {eating} {day}",
    "the {fruit} grew on a tree",
    "{firm} {making} the {look} {product} {day}",
    "the {look} {product} came from {firm}",
    "the {product} was {making} by {firm}",
)
HIDDEN = "[mask]"
VOCABULARY = (
    HIDDEN,
    *sorted(
        {word for words in SLOTS.values() for word in words}
        | {word for template in TEMPLATES for word in template.split() if word[0] != "{"}
    ),
)
WIDTH, STEPS, BATCH = 32, 800, 64
SHARPER = 1.6  # so much larger begin W_Q and W_K: the weights then differ enough to be seen
# Of all words, this share is asked for; of these, the shares that are hidden and replaced.
ASKED, OF_THESE_HIDDEN, OF_THESE_REPLACED = 0.25, 0.6, 0.2
WEIGHTS = "words.safetensors"


def sentences(count: int, rng: np.random.Generator) -> list[str]:
    """`count` sentences of the grammar, drawn at random.

    Raises: ValueError, if count is below 1.
    """
    if count < 1:
        raise ValueError(f"count is {count}; expected at least 1")
    fillings = {slot: rng.choice(words, size=count).tolist() for slot, words in SLOTS.items()}
    which = rng.integers(len(TEMPLATES), size=count)
    return [
        TEMPLATES[template].format(**{slot: words[i] for slot, words in fillings.items()})
        for i, template in enumerate(which)
    ]


class Words(nn.Module):
    """The model: words in, for each place a guess of the word that stands there.

    generator: makes the first weights.
    """

    def __init__(self, generator: torch.Generator):
        super().__init__()

        def drawn(*shape, size):
            return nn.Parameter(size * torch.randn(shape, generator=generator))

        self.embedding = drawn(len(VOCABULARY), WIDTH, size=0.2)
        self.w_q, self.w_k, self.w_v = (
            drawn(WIDTH, WIDTH, size=gain * WIDTH**-0.5) for gain in (SHARPER, SHARPER, 1.0)
        )
        self.w_o = drawn(WIDTH, WIDTH, size=0.5 * WIDTH**-0.5)

    def projected(self, ids: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """The vectors of all words, and the queries, keys and values that are made from them.

        Shapes: ids (..., n) -> four times (..., n, m)
        """
        x = self.embedding[ids]
        y = layer_norm(x, x.shape[-1:])
        return x, y @ self.w_q, y @ self.w_k, y @ self.w_v

    def after(self, ids: Tensor, attention: Callable) -> Tensor:
        """The vectors of all words after the layer: before it, plus what each has collected.

        Shapes: ids (..., n) -> (..., n, m)
        """
        x, q, k, v = self.projected(ids)
        return x + attention(q, k, v) @ self.w_o

    def forward(self, ids: Tensor, attention: Callable = course_attention) -> Tensor:
        """For each place, a score for each word of VOCABULARY.

        Shapes: ids (..., n) -> (..., n, number of words)
        """
        found = self.after(ids, attention)
        return layer_norm(found, found.shape[-1:]) @ self.embedding.T

    @torch.no_grad()
    def vectors(self, sentence: str, attention: Callable = course_attention) -> Tensor:
        """The vectors of the words before the layer and after it, made by `attention`.

        sentence: words of VOCABULARY with spaces between them.
        attention: q, k, v -> output, each of shape (n, m): the course's, or the learner's.

        Shapes: -> (2, n, m)
        Raises: ValueError for a word that the model does not know.
        """
        ids = numbers_of(sentence)
        return torch.stack([self.embedding[ids], self.after(ids, attention)])

    @torch.no_grad()
    def guesses(self, sentence: str, attention: Callable = course_attention) -> Tensor:
        """For each place, the probability of each word of VOCABULARY. "[mask]" hides a word.

        Shapes: -> (n, number of words)
        Raises: ValueError for a word that the model does not know.
        """
        return torch.softmax(self(numbers_of(sentence), attention), dim=-1)


def numbers_of(sentence: str) -> Tensor:
    """The places of the words in VOCABULARY.

    Raises: ValueError for a word that is not there, and for no words.
    """
    words = sentence.split()
    if not words:
        raise ValueError("sentence has no word")
    if unknown := [word for word in words if word not in VOCABULARY]:
        raise ValueError(f"{unknown[0]!r} is not among the words of the model: see VOCABULARY")
    return torch.tensor([VOCABULARY.index(word) for word in words])


@one_thread()
def train_words(steps: int | Iterable = STEPS, seed: int = 0) -> Words:
    """A model that learned from scratch, on sentences drawn at random.

    steps: how many, or something to loop over, such as `with_progress(range(800), "training")`.
    """
    generator = torch.Generator().manual_seed(seed)
    text = sentences(20_000, np.random.default_rng(seed))
    ids = torch.stack([numbers_of(sentence) for sentence in text])
    model = Words(generator)
    adam = torch.optim.Adam(model.parameters(), lr=5e-3)
    slower = torch.optim.lr_scheduler.LambdaLR(adam, lambda step: min(1, 100 / (step + 1)) ** 0.5)
    for _ in range(steps) if isinstance(steps, int) else steps:
        batch = ids[torch.randint(len(ids), (BATCH,), generator=generator)]
        loss = _masked_loss(model, batch, generator)
        adam.zero_grad()
        loss.backward()
        adam.step()
        slower.step()
    return model.requires_grad_(False)


def _masked_loss(model: Words, ids: Tensor, generator: torch.Generator) -> Tensor:
    """How much it surprises the model which words stood in the places that it is asked for."""
    asked = torch.rand(ids.shape, generator=generator) < ASKED
    luck = torch.rand(ids.shape, generator=generator)
    others = torch.randint(1, len(VOCABULARY), ids.shape, generator=generator)
    seen = torch.where(asked & (luck < OF_THESE_HIDDEN + OF_THESE_REPLACED), others, ids)
    seen = torch.where(asked & (luck < OF_THESE_HIDDEN), VOCABULARY.index(HIDDEN), seen)
    return cross_entropy(model(seen)[asked], ids[asked])


@torch.no_grad()
def surprise(model: Words, attention: Callable = course_attention, count: int = 600) -> float:
    """The mean of -ln(probability) of a hidden word, one in each of `count` fresh sentences.

    Units: nats; without any idea it would be ln(len(VOCABULARY)).
    """
    text = sentences(count, np.random.default_rng(12345))
    ids = torch.stack([numbers_of(sentence) for sentence in text])
    rows, places = torch.arange(count), torch.arange(count) % ids.shape[1]
    seen = ids.clone()
    seen[rows, places] = VOCABULARY.index(HIDDEN)
    return float(cross_entropy(model(seen, attention)[rows, places], ids[rows, places]))


def load_words() -> Words:
    """The trained model that comes with the course."""
    model = Words(torch.Generator().manual_seed(0))
    with as_file(files("course_lib.models") / "weights" / WEIGHTS) as path:
        model.load_state_dict(load_file(path))
    return model.requires_grad_(False)


def save_words(model: Words, path: Path) -> None:
    """Write the weights of a model into a file."""
    save_file(model.state_dict(), path)


if __name__ == "__main__":
    save_words(train_words(), Path(__file__).parent / "weights" / WEIGHTS)
