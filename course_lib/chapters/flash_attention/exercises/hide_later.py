"""Exercise `hide_later`: the causal mask of one tile, which lies somewhere in the table."""

import numpy as np
import torch

from course_lib.judging.exercise import Exercise, Mistake, Property, Refused, inputs
from course_lib.judging.tensors import drawn
from course_lib.kernels.masks import causal, may_attend
from course_lib.learner.arrays import as_array


def hide_later(scores, first_q, first_k):
    """A tile of scores, with -inf wherever the key stands after the query.

    scores: (t, s), a tile   first_q, first_k: where its first query and key stand in the text
    returns: (t, s)
    """
    # SOLUTION
    t, s = scores.shape
    i = first_q + torch.arange(t)[:, None]
    j = first_k + torch.arange(s)[None, :]
    return scores.masked_fill(j > i, -torch.inf)
    # STUB
    # # torch.arange(3) is 0, 1, 2; behind it, [:, None] stands it upright
    # # scores.masked_fill(where, -torch.inf): where is a table of True and False
    # return ...  # your code here
    # END SOLUTION


def _hiding(hidden, number=-torch.inf):
    """The exercise with `hidden(row, column, first_q, first_k)` in place of its rule."""

    def wrong(scores, first_q, first_k):
        row, column = torch.arange(scores.shape[0])[:, None], torch.arange(scores.shape[1])
        return scores.masked_fill(hidden(row, column, first_q, first_k), number)

    return wrong


def _later(row, column, first_q, first_k):
    return first_k + column > first_q + row


def _turned(scores, first_q, first_k):
    """Queries that lie and keys that stand."""
    t, s = scores.shape
    i, j = first_q + torch.arange(t)[None, :], first_k + torch.arange(s)[:, None]
    return scores.masked_fill(j > i, -torch.inf)


def _both_flat(scores, first_q, first_k):
    t, s = scores.shape
    return scores.masked_fill(first_k + torch.arange(s) > first_q + torch.arange(t), -torch.inf)


def _whole_tiles(scores, first_q, first_k):
    """Every score or none."""
    return torch.full_like(scores, -torch.inf) if first_k > first_q else scores


def _numbers_of_blocks(scores, first_q, first_k):
    t, s = scores.shape
    return hide_later(scores, t * first_q, s * first_k)


def _one_by_one(scores, first_q, first_k):
    tile = scores.tolist()
    for row, line in enumerate(tile):
        for column in range(len(line)):
            if column + first_k > row + first_q:
                line[column] = float("-inf")
    return tile


def _cut_from_the_table(scores, first_q, first_k):
    t, s = scores.shape
    n = max(first_q + t, first_k + s)
    allowed = may_attend(causal, n)[first_q : first_q + t, first_k : first_k + s]
    return torch.where(allowed, scores, -torch.inf)


def _in_place(scores, first_q, first_k):
    t, s = scores.shape
    later = torch.ones(t, s).triu(first_q - first_k + 1).bool()
    scores[later] = -torch.inf
    return scores


def _tile(rng, t, s, first_q, first_k, **kind):
    return inputs(drawn(rng, t, s, **kind), first_q, first_k)


def _hidden(case) -> np.ndarray:
    """True where the key stands after the query."""
    scores, first_q, first_k = case.args
    t, s = scores.shape
    return first_k + np.arange(s) > first_q + np.arange(t)[:, None]


HIDE_LATER = Exercise(
    answer=hide_later,
    cases=(
        lambda rng: inputs(torch.arange(1.0, 9.0).reshape(2, 4), 6, 4),
        lambda rng: _tile(rng, 3, 4, 0, 0),
        lambda rng: _tile(rng, 3, 4, 3, 4),
        lambda rng: _tile(rng, 3, 4, 9, 0),
        lambda rng: _tile(rng, 3, 4, 0, 8),
        lambda rng: _tile(rng, 2, 5, 12, 10, dtype=torch.float64),
        lambda rng: _tile(rng, 5, 2, 10, 12),
        lambda rng: _tile(rng, 4, 4, 4, 4),
        lambda rng: _tile(rng, 1, 7, 5, 2),
    ),
    properties=(
        Property(
            "Where the key stands after the query, there is -inf.",
            lambda got, case: bool((as_array(got["output"])[_hidden(case)] == -np.inf).all()),
        ),
        Property(
            "What a query may see stays as it was.",
            lambda got, case: bool(
                np.allclose(
                    as_array(got["output"])[~_hidden(case)],
                    as_array(case.args[0])[~_hidden(case)],
                    atol=1e-4,
                )
            ),
        ),
    ),
    mistakes=(
        Mistake(
            "You counted rows and columns from the corner of the tile. But its row 0 is query "
            "first_q of the text, and its column 0 is key first_k.",
            _hiding(lambda row, column, first_q, first_k: column > row),
            also=(
                _hiding(lambda row, column, first_q, first_k: column <= row),
                _hiding(lambda row, column, first_q, first_k: column < row),
            ),
        ),
        Mistake(
            "first_q is missing: row 0 of the tile is query first_q of the text, not query 0. Here "
            "the queries stand too early, and too much is hidden from them.",
            _hiding(lambda row, column, first_q, first_k: first_k + column > row),
        ),
        Mistake(
            "first_k is missing: column 0 of the tile is key first_k of the text, not key 0. Here "
            "the keys stand too early, and later ones are seen.",
            _hiding(lambda row, column, first_q, first_k: column > first_q + row),
        ),
        Mistake(
            "first_q and first_k are exchanged: rows are queries and begin at first_q, columns are "
            "keys and begin at first_k.",
            _hiding(lambda row, column, first_q, first_k: first_q + column > first_k + row),
        ),
        Mistake(
            "Queries and keys lie the wrong way: queries are the rows of the tile, so their places "
            "stand upright, [:, None], and keys are its columns, so theirs lie flat, [None, :].",
            _turned,
            also=(_hiding(lambda row, column, first_q, first_k: first_k + row > first_q + column),),
        ),
        Mistake(
            "Both lists lie flat, so they are compared entry by entry. The places of the queries "
            "stand upright, [:, None]: then each query is compared with each key.",
            _both_flat,
        ),
        Mistake(
            "The diagonal is hidden, too. A query may see the key at its own place: hide only the "
            "keys that stand later.",
            _hiding(lambda row, column, first_q, first_k: first_k + column >= first_q + row),
        ),
        Mistake(
            "One later key is still open, the one right after the query. It stands later, too.",
            _hiding(lambda row, column, first_q, first_k: first_k + column > first_q + row + 1),
        ),
        Mistake(
            "The mask is inverted: you hid what stands before the query and left what comes later.",
            _hiding(lambda row, column, first_q, first_k: first_k + column < first_q + row),
            also=(
                _hiding(lambda row, column, first_q, first_k: first_k + column <= first_q + row),
            ),
        ),
        Mistake(
            "You hid whole tiles or nothing. Where the diagonal runs through a tile, a part of it "
            "is hidden: each score has a query and a key of its own.",
            _whole_tiles,
        ),
        Mistake(
            "If masked_fill stops: it wants a table of True and False, one for each score, and "
            "`first_k > first_q` compares two single numbers. Give each row and each column of the "
            "tile its place in the text, and compare these.",
            lambda scores, first_q, first_k: scores.masked_fill(first_k > first_q, -torch.inf),
        ),
        Mistake(
            "first_q and first_k are places in the text already, not numbers of blocks. Nothing is "
            "left to multiply.",
            _numbers_of_blocks,
        ),
        Mistake(
            "You set the hidden scores to 0. A score of 0 is no ban, since e^0 is 1. It takes "
            "-inf.",
            _hiding(_later, 0.0),
        ),
        Mistake(
            "You filled in plus infinity, and those keys would get everything. What hides a key is "
            "minus infinity.",
            _hiding(_later, torch.inf),
        ),
        Mistake(
            "The number that you filled in is finite. In a tile that is hidden from end to end it "
            "would be the maximum, and e^0 is 1. Fill in -inf.",
            _hiding(_later, -1e9),
            also=(_hiding(_later, -1e4), _hiding(_later, -100.0), _hiding(_later, -1.0)),
        ),
        Mistake(
            "You multiplied a pattern of 0 and 1 by -inf. 0 times infinity is NaN (not a number), "
            "so what is allowed breaks, too. Put -inf in with masked_fill.",
            lambda scores, first_q, first_k: (
                scores + (hide_later(scores, first_q, first_k) == -torch.inf) * -torch.inf
            ),
        ),
        Mistake(
            "Nothing is hidden: the tile came back as it was.",
            lambda scores, first_q, first_k: scores,
        ),
        Mistake(
            "These are weights already. Asked are the scores of the tile: the softmax needs the "
            "other tiles of the row, too.",
            lambda scores, first_q, first_k: hide_later(scores, first_q, first_k).softmax(dim=-1),
        ),
    ),
    refused=(
        Refused(_in_place, "changes its input scores in place"),
        Refused(lambda scores, first_q, first_k: hide_later(scores, first_q, first_k).T),
        Refused(
            lambda scores, first_q, first_k: hide_later(scores, first_q, first_k) == -torch.inf,
            "yours gives True and False",
        ),
    ),
    alternatives=(
        _one_by_one,
        _cut_from_the_table,
        lambda scores, first_q, first_k: _in_place(scores.clone(), first_q, first_k),
        lambda scores, first_q, first_k: (
            scores + torch.full(scores.shape, -torch.inf).triu(first_q - first_k + 1)
        ),
        lambda scores, first_q, first_k: np.where(
            np.subtract.outer(np.arange(scores.shape[0]), np.arange(scores.shape[1]))
            >= first_k - first_q,
            scores.numpy(),
            -np.inf,
        ),
    ),
    hints=(
        "Where in the text stands the query of the tile's last row, and where the key of its first "
        "column? Which of these two may see the other?",
        "Row r is query i = first_q + r, column c is key j = first_k + c, and j > i is later. "
        "Rows stand upright, columns lie: a comparison of both is a table.",
        "i = first_q + torch.arange(...)[:, None]; j = first_k + torch.arange(...); "
        "return scores.masked_fill(..., -torch.inf)",
    ),
    minutes=3,
    stars=1,
    reward=(
        "Kernels do this only in tiles that the diagonal cuts. Those above it are not even made,"
        " and those below it are left as they are."
    ),
)
