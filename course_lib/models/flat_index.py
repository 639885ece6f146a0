"""A flat index: the simplest search engine, which compares a question with everything stored.

places = rank_by_dot(stored, questions, 4)      # a search in one line, by the inner product
"""

import numpy as np

from course_lib.kernels.vectors import normalize, pairwise_dots


class FlatIndex:
    """Stores vectors in rows and finds those with the largest inner product.

    width: of every vector.   normalized: bring what is stored and what is asked to length 1, so
    that the inner product is the cosine. The lengths of the stored are paid for once, in `add`.

    Raises: ValueError, if width is below 1.
    Source: Faiss, IndexFlatIP; Faiss does not normalise by itself either.
    Example:
        >>> index = FlatIndex(2)
        >>> index.add([[1, 0], [3, 3]])
        >>> print(index.search([[1, 0]], 1)[1])
        [[1]]
        >>> index = FlatIndex(2, normalized=True)
        >>> index.add([[1, 0], [3, 3]])
        >>> print(index.search([[1, 0]], 1)[1])
        [[0]]
    """

    def __init__(self, width: int, *, normalized: bool = False):
        if width < 1:
            raise ValueError(f"width is {width}; expected at least 1")
        self.width, self.normalized = width, normalized
        self._stored = np.empty((0, width))

    def __len__(self) -> int:
        return len(self._stored)

    def add(self, vectors: np.ndarray) -> None:
        """Store more vectors behind those that are there.

        Shapes: vectors (n, width)
        Raises: ValueError for another width, and for a zero vector in a normalized index.
        """
        self._stored = np.concatenate([self._stored, self._rows("vectors", vectors)])

    def search(self, queries: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
        """The `count` best stored vectors for each query, best first; of equals, the earlier.

        Shapes: queries (t, width) -> scores (t, count), places (t, count)
        Raises: ValueError, if fewer than `count` are stored, or as in `add`.
        """
        if not 1 <= count <= len(self):
            raise ValueError(f"count is {count}, but {len(self)} vectors are stored")
        scores = pairwise_dots(self._rows("queries", queries), self._stored)
        places = np.argsort(-scores, axis=1, kind="stable")[:, :count]
        return np.take_along_axis(scores, places, axis=1), places

    def _rows(self, name: str, given) -> np.ndarray:
        array = np.asarray(given, dtype=float)
        if array.ndim != 2 or array.shape[1] != self.width:
            raise ValueError(f"{name} has shape {array.shape}; expected (n, {self.width})")
        if not self.normalized:
            return array
        if not array.any(axis=1).all():
            place = int((~array.any(axis=1)).argmax())
            raise ValueError(f"{name}[{place}] is a zero vector: it has no direction")
        return normalize(array)


def rank_by_dot(stored: np.ndarray, queries: np.ndarray, count: int) -> np.ndarray:
    """Where the `count` stored vectors with the largest inner products stand, best first.

    Lengths count on both sides: nothing is normalised. Of equals, the earlier comes first.

    Shapes: stored (n, width), queries (t, width) -> (t, count)
    Raises: ValueError for tables of other shapes, or if fewer than `count` are stored.
    Source: as for `FlatIndex`.
    Example:
        >>> print(rank_by_dot([[1, 0], [3, 3], [0, 1]], [[1, 0]], 2))
        [[1 0]]
    """
    table = np.asarray(stored, dtype=float)
    if table.ndim != 2:
        raise ValueError(f"stored has shape {table.shape}; expected (n, width)")
    index = FlatIndex(table.shape[1])
    index.add(table)
    return index.search(queries, count)[1]
