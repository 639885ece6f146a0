"""The trained copying model in numpy alone: the same weights, a forward pass to read.

    model = load_copying()
    model.continued("giraffe pogir", 6)                         # "affe p"
    model.continued("giraffe pogir", 6, loudness=without(2))   # head 2 is switched off
    model.maps("giraffe pogir")[1]                              # how the heads of block 2 look
    model.meeting("giraffe pogir", 5)                           # a head's query, and its keys
    model.with_heads(range(1, 9), attention)                    # a learner's lines in every head
    share_right(model, loudness=without(2))                     # of the letters of fresh strings

Where the learner writes each line of `states` is said at the end of chapter 0; `normed` is given.
`copying.py` has the model with torch, where it can be trained; a test holds the two together.

Axes: b strings, t places, m width, h heads, z letters.
"""

from collections.abc import Callable, Iterable, Mapping
from importlib.resources import as_file, files
from typing import Any

import numpy as np
from safetensors.numpy import load_file

from course_lib.kernels.softmax import softmax
from course_lib.models.copying_text import (
    ALPHABET,
    BLOCKS,
    HEADS,
    LENGTH,
    LONGEST,
    SHORTEST,
    WEIGHTS,
    decode,
    fitted,
)  # fmt: skip

Attention = Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]
FRESH = 20_260_101
EVERY_HEAD = np.ones((BLOCKS, HEADS), dtype=np.float32)


def without(*heads: int, loudness: float = 0.0) -> np.ndarray:
    """The loudness of all heads: 1 as learned, and of `heads` as said.

    heads: 1 to 4 are those of block 1, 5 to 8 those of block 2.

    Shapes: -> (BLOCKS, HEADS)
    Raises: ValueError for a head that there is not.
    """
    wanted = EVERY_HEAD.copy()
    for head in heads:
        if head not in range(1, wanted.size + 1):
            raise ValueError(f"head {head!r}: the heads are numbered from 1 to {wanted.size}")
        wanted.flat[head - 1] = loudness
    return wanted


class Copying:
    """The model: letters in, at each place a score for each letter that may come next.

    weights: by their names in the file.
    """

    def __init__(self, weights: Mapping[str, np.ndarray]):
        self.weights = dict(weights)

    @property
    def parameters(self) -> int:
        """How many learned numbers it has."""
        return sum(weight.size for weight in self.weights.values())

    def scores(self, ids: np.ndarray, loudness: np.ndarray = EVERY_HEAD) -> np.ndarray:
        """A score for each letter, at each place.

        Shapes: ids (..., t) -> (..., t, z)
        """
        w = self.weights
        x, _ = self.states(ids, loudness)
        return normed(x, w["norm.weight"], w["norm.bias"]) @ w["w"] + w["b"]

    def states(
        self, ids: np.ndarray, loudness: np.ndarray = EVERY_HEAD, blocks: int = BLOCKS
    ) -> tuple:
        """What each place knows behind the last block, and how each head looked.

        loudness: (BLOCKS, HEADS), what each head's output is multiplied with.
        blocks: how many blocks it goes through.

        Shapes: ids (..., t) -> (..., t, m), (blocks, ..., h, t, t)
        """
        w, t, looks = self.weights, ids.shape[-1], []
        allowed = np.tril(np.ones((t, t), dtype=bool))  # no place looks ahead
        x = w["symbol"][ids] + w["place"][:t]
        for block in range(blocks):
            name = f"blocks.{block}"
            q, k, v = self.vectors(x, block)
            scores = q @ k.swapaxes(-1, -2) * q.shape[-1] ** -0.5
            looks.append(softmax(np.where(allowed, scores, -np.inf)))
            heads = self.heard(looks[-1] @ v, q, k, v, block) * loudness[block][:, None, None]
            x = x + merged(heads) @ w[f"{name}.heads.w_o"]
        return x, np.array(looks)

    def heard(
        self, outputs: np.ndarray, q: np.ndarray, k: np.ndarray, v: np.ndarray, block: int
    ) -> np.ndarray:
        """What the heads of a block hand on: their own outputs, unless a head was replaced.

        Shapes: all (..., h, t, d) -> (..., h, t, d)
        """
        return outputs

    def vectors(self, x: np.ndarray, block: int) -> tuple:
        """The queries, keys and values that the heads of a block make of what each place knows.

        block: 0 for the first.

        Shapes: x (..., t, m) -> three times (..., h, t, d)
        """
        w, name = self.weights, f"blocks.{block}"
        y = normed(x, w[f"{name}.norm.weight"], w[f"{name}.norm.bias"])
        return tuple(split(y @ w[f"{name}.heads.w_{one}"]) for one in "qkv")

    def meeting(self, text: str, head: int) -> tuple[np.ndarray, np.ndarray]:
        """What meets in one head: the query of the last letter, and the key of every letter.

        The query is divided by the root of its width already, so the scores are its dot products
        with the keys. The last letter may see all letters: no mask is needed.

        text: as `fitted` reads it.   head: 1 to 4 in block 1, 5 to 8 in block 2.

        Shapes: -> q (1, d), k (t, d)
        Raises: ValueError for a head that there is not.
        """
        block, place = _block_and_place(head)
        x, _ = self.states(fitted(text, 0), blocks=block)
        q, k, _ = self.vectors(x, block)
        return q[place, -1:] * q.shape[-1] ** -0.5, k[place]

    def with_heads(
        self, heads: Iterable[int], attention: Attention, divided: bool = True
    ) -> "Copying":
        """The same model, some heads of which are computed by another function.

        The query of each place is handed to it alone, with the keys and the values up to that
        place: so it needs no mask of its own.

        heads: numbered from 1 to 8.   attention: (q (1, d), k (s, d), v (s, d)) -> (1, d)
        divided: whether queries are divided by the root of their width before they are handed
            over: then the function needs no scaling of its own.
        Raises: ValueError for a head that there is not.
        """
        own = [_block_and_place(head) for head in heads]
        return _WithOwnHeads(self.weights, own, attention, divided)

    def maps(self, text: str, loudness: np.ndarray = EVERY_HEAD) -> np.ndarray:
        """How each head shares its attention over the letters of a text, as `fitted` reads it.

        Shapes: -> (BLOCKS, h, t, t)
        """
        return self.states(fitted(text, 0), loudness)[1]

    def continued(self, text: str, count: int = 8, loudness: np.ndarray = EVERY_HEAD) -> str:
        """The `count` letters with which it goes on, each the likeliest one.

        text: as `fitted` reads it.
        """
        ids = fitted(text, count)
        for _ in range(count):
            ids = np.append(ids, self.scores(ids, loudness)[-1].argmax())
        return decode(ids[len(ids) - count :])


class _WithOwnHeads(Copying):
    """A model some heads of which are computed by a function of the learner's."""

    def __init__(
        self, weights: Mapping[str, np.ndarray], own: list[tuple[int, int]],
        attention: Attention, divided: bool,
    ):  # fmt: skip
        super().__init__(weights)
        self._own, self._attention, self._divided = own, attention, divided

    def heard(
        self, outputs: np.ndarray, q: np.ndarray, k: np.ndarray, v: np.ndarray, block: int
    ) -> np.ndarray:
        """As the model's, with the outputs of its own heads computed anew, place by place."""
        outputs, scale = outputs.copy(), q.shape[-1] ** -0.5 if self._divided else 1
        for place in (place for of, place in self._own if of == block):
            for at in np.ndindex(outputs[..., place, :, 0].shape):
                *string, i = at
                query, keys, values = (one[(*string, place)] for one in (q, k, v))
                output = self._attention(query[i : i + 1] * scale, keys[: i + 1], values[: i + 1])
                outputs[(*string, place, i)] = np.asarray(output)[0]
        return outputs


def _block_and_place(head: int) -> tuple[int, int]:
    """The block of a head, counted from 0, and its place there."""
    if head not in range(1, BLOCKS * HEADS + 1):
        raise ValueError(f"head {head!r}: they are numbered from 1 to {BLOCKS * HEADS}")
    return divmod(head - 1, HEADS)


def share_right(
    model: Any,
    count: int = 200,
    *,
    period: int | None = None,
    rows: np.ndarray | slice = slice(None),
    **options: Any,
) -> float:
    """The share of the letters that can be known that a model says right, in fresh strings.

    model: anything with `scores(ids, **options)`.   count, period: as in `fresh_strings`.
    rows: which of the strings are read.
    """
    ids, known = (one[rows] for one in fresh_strings(count, np.random.default_rng(FRESH), period))
    said = model.scores(ids[:, :-1], **options).argmax(axis=-1)
    return float((said == ids[:, 1:])[known].mean())


def rule_right(rule: Callable[[str], str], count: int = 400) -> float:
    """The same for a rule: what was read so far -> the next letter."""
    ids, known = fresh_strings(count, np.random.default_rng(FRESH))
    texts = [decode(row) for row in ids]
    hits = [
        rule(text[: place + 1]) == text[place + 1]
        for text, row in zip(texts, known, strict=True)
        for place in np.flatnonzero(row)
    ]
    return float(np.mean(hits))


def fresh_strings(
    count: int, rng: np.random.Generator, period: int | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Random strings that repeat themselves, and which letters behind the first can be known.

    Those stand behind the first letter of the second round.

    period: of all of them; drawn from SHORTEST to LONGEST where it is None.

    Shapes: -> (count, LENGTH), (count, LENGTH - 1)
    """
    low, high = (SHORTEST, LONGEST) if period is None else (period, period)
    periods = rng.integers(low, high + 1, size=(count, 1))
    letters, places = rng.integers(len(ALPHABET), size=(count, LENGTH)), np.arange(LENGTH)
    return np.take_along_axis(letters, places % periods, axis=1), places[1:] > periods


def normed(x: np.ndarray, weight: np.ndarray, bias: np.ndarray) -> np.ndarray:
    """Each row with mean 0 and variance 1, then stretched and moved as learned."""
    centred = x - x.mean(axis=-1, keepdims=True)
    return centred / np.sqrt((centred**2).mean(axis=-1, keepdims=True) + 1e-5) * weight + bias


def split(x: np.ndarray) -> np.ndarray:
    """The columns in blocks, one for each head: (..., t, m) -> (..., h, t, m / h)."""
    return x.reshape(*x.shape[:-1], HEADS, -1).swapaxes(-3, -2)


def merged(x: np.ndarray) -> np.ndarray:
    """The heads side by side again: (..., h, t, d) -> (..., t, h d)."""
    x = x.swapaxes(-3, -2)
    return x.reshape(*x.shape[:-2], -1)


def load_copying() -> Copying:
    """The trained model that comes with the course."""
    with as_file(files("course_lib.models") / "weights" / WEIGHTS) as path:
        return Copying(load_file(path))
