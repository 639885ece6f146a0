"""A corpus that the course makes itself, and the word vectors that can be counted from it.

    text = sentences(20_000, np.random.default_rng(0))
    words, frequencies, counts = neighbours(text)
    vectors = svd_vectors(ppmi(counts), 8)
    vectors[words.index("cat")]

The grammar is small and invented, but it has three properties of real text. A word's opposite
stands in most of the same sentences (the tea is hot, the tea is cold). Some words are rare and are
used like a frequent one (kitten, cat). A few words stand everywhere and mean little (the, is).
"""

import numpy as np

SLOTS: dict[str, dict[str, float]] = {
    "animal": {"cat": 9, "dog": 9, "kitten": 1, "puppy": 1},
    "fruit": {"apple": 6, "pear": 3, "plum": 1},
    "place": {"house": 3, "garden": 2, "library": 1},
    "food": {"fish": 2, "milk": 2, "meat": 1},
    "drink": {"tea": 3, "soup": 2, "water": 3},
    "warmth": {"hot": 1, "cold": 1},
    "story": {"book": 3, "film": 2, "idea": 2},
    "verdict": {"good": 3, "bad": 2},
    "person": {"she": 1, "he": 1},
    "motion": {"sleeps": 2, "runs": 2, "hides": 1},
    "purring": {"cat": 9, "kitten": 1},
    "barking": {"dog": 9, "puppy": 1},
}
TEMPLATES: dict[str, float] = {
    "the {animal} {motion} in the {place}": 6,
    "the {animal} eats {food}": 4,
    "{person} feeds the {animal}": 3,
    "the {purring} purrs": 1,
    "the {barking} barks": 1,
    "{person} eats the {fruit}": 3,
    "the {fruit} grows on the tree": 2,
    "the {fruit} is sweet": 2,
    "the {drink} is {warmth}": 4,
    "{person} drinks {warmth} {drink}": 3,
    "the summer is hot": 1,
    "the winter is cold": 1,
    "the {story} was {verdict}": 4,
    "{person} reads a {verdict} book in the library": 2,
    "{person} wins a good prize": 1,
    "{person} has a bad tooth": 1,
}


def sentences(count: int, rng: np.random.Generator) -> list[list[str]]:
    """`count` sentences of the grammar, drawn at random, each a list of words.

    Raises: ValueError, if count is below 1.
    """
    if count < 1:
        raise ValueError(f"count is {count}; expected at least 1")
    forms = [template.split() for template in TEMPLATES]
    drawn = rng.choice(len(forms), size=count, p=_shares(TEMPLATES))
    fillers = {"{" + slot + "}": iter(_fill(slot, 2 * count, rng)) for slot in SLOTS}
    return [
        [next(fillers[word]) if word in fillers else word for word in forms[which]]
        for which in drawn
    ]


def _fill(slot: str, count: int, rng: np.random.Generator) -> list[str]:
    words = list(SLOTS[slot])  # drawn by number: each word then stands in memory once
    return [words[i] for i in rng.choice(len(words), size=count, p=_shares(SLOTS[slot]))]


def _shares(weights: dict[str, float]) -> np.ndarray:
    values = np.array(list(weights.values()), dtype=float)
    return values / values.sum()


def neighbours(text: list[list[str]], window: int = 2) -> tuple[list[str], np.ndarray, np.ndarray]:
    """How often each word stands within `window` places of each other word.

    Shapes: -> n words in alphabetical order, frequencies (n,), counts (n, n): rows are words,
        columns are the neighbours
    Raises: ValueError, if the text has no word or the window is below 1.
    """
    if window < 1:
        raise ValueError(f"window is {window}; expected at least 1")
    words = sorted({word for sentence in text for word in sentence})
    if not words:
        raise ValueError("text has no word")
    place = {word: number for number, word in enumerate(words)}
    frequencies = np.zeros(len(words), dtype=int)
    counts = np.zeros((len(words), len(words)))
    for sentence in text:
        rows = [place[word] for word in sentence]
        for i, row in enumerate(rows):
            frequencies[row] += 1
            for other in rows[i + 1 : i + 1 + window]:
                counts[row, other] += 1
                counts[other, row] += 1
    return words, frequencies, counts


def ppmi(counts: np.ndarray) -> np.ndarray:
    """How much more often two words are neighbours than chance would have it, as a logarithm.

    log(p(word, neighbour) / (p(word) p(neighbour))), and 0 where that is negative or the pair
    never occurs: positive pointwise mutual information.

    Shapes: counts (n, m) -> (n, m)
    Raises: ValueError for a negative count, or where all of them are 0.
    Source: Bullinaria and Levy, "Extracting semantic representations from word co-occurrence
        statistics" (2007).
    Example:
        >>> print(ppmi([[2, 0], [0, 2]]).round(3))
        [[0.693 0.   ]
         [0.    0.693]]
    """
    counts = np.asarray(counts, dtype=float)
    if counts.ndim != 2 or (counts < 0).any() or not counts.any():
        raise ValueError("counts must be a table of numbers from 0 up, and not all of them 0")
    together = counts / counts.sum()
    by_chance = together.sum(axis=1, keepdims=True) * together.sum(axis=0, keepdims=True)
    ratio = np.divide(together, by_chance, out=np.ones_like(together), where=together > 0)
    return np.maximum(np.log(ratio), 0)


def svd_vectors(table: np.ndarray, width: int) -> np.ndarray:
    """Rows of `width` numbers whose dot products come as near to those of the table's rows as any.

    The singular value decomposition turns the table so that its first axes hold the most; the rest
    is dropped. Each column's largest entry is made positive, so that every machine agrees.

    Shapes: table (n, m) -> (n, width)
    Raises: ValueError, if width is not between 1 and the smaller side of the table.
    """
    table = np.asarray(table, dtype=float)
    if not 1 <= width <= min(table.shape):
        raise ValueError(f"width is {width}; a table of shape {table.shape} has {min(table.shape)}")
    left, sizes, _ = np.linalg.svd(table, full_matrices=False)
    vectors = left[:, :width] * sizes[:width]
    largest = np.take_along_axis(vectors, np.abs(vectors).argmax(axis=0)[None], axis=0)
    return vectors * np.where(largest < 0, -1, 1)
