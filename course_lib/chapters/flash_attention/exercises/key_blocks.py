"""Exercise `key_blocks`: the tiles that a causal mask leaves."""

import math
from itertools import accumulate

import numpy as np
import torch

from course_lib.judging.exercise import Exercise, Mistake, Refused, inputs


def key_blocks(n, block_q, block_k):
    """For each block of queries, the number of blocks of keys that any of them may see.

    n: words   block_q: queries in a block   block_k: keys in a block
    returns: a list, with a number for each block of queries
    """
    # SOLUTION
    counts = []
    for begin in range(0, n, block_q):
        end = min(begin + block_q, n)
        counts.append(math.ceil(end / block_k))
    return counts
    # END SOLUTION


def _counted_by_looking(n, block_q, block_k):
    i, j = torch.arange(n)[:, None], torch.arange(n)
    return [
        sum(bool(part.any()) for part in rows.split(block_k, dim=1))
        for rows in (j <= i).split(block_q)
    ]


def _counts(rule):
    """For each block of queries, rule(begin, end) of its rows."""
    return lambda n, block_q, block_k: [
        rule(begin, min(begin + block_q, n), n, block_k) for begin in range(0, n, block_q)
    ]


KEY_BLOCKS = Exercise(
    answer=key_blocks,
    cases=(
        lambda rng: inputs(8, 2, 2),
        lambda rng: inputs(12, 3, 4),
        lambda rng: inputs(12, 4, 3),
        lambda rng: inputs(7, 3, 2),
        lambda rng: inputs(5, 4, 8),
        lambda rng: inputs(11, 11, 4),
        lambda rng: inputs(20, 3, 7),
        lambda rng: inputs(8, 2, 2),
    ),
    mistakes=(
        Mistake(
            "These are the blocks that lie fully below the diagonal. The block that the diagonal "
            "cuts is needed as well: some of its pairs are allowed.",
            _counts(lambda begin, end, n, c: (begin + 1) // c),
        ),
        Mistake(
            "You looked at the first query of the block. The last one sees most, and it decides.",
            _counts(lambda begin, end, n, c: math.ceil((begin + 1) / c)),
        ),
        Mistake(
            "These are all blocks. Those that lie fully above the diagonal need not be touched.",
            _counts(lambda begin, end, n, c: math.ceil(n / c)),
        ),
        Mistake(
            "One block too many, where the diagonal ends with a block: the last query of the block "
            "sees the keys 0 to end - 1, end of them.",
            _counts(lambda begin, end, n, c: end // c + 1),
        ),
        Mistake(
            "The number of the block of queries is not enough: blocks of keys may have another "
            "size.",
            lambda n, block_q, block_k: [i + 1 for i in range(math.ceil(n / block_q))],
        ),
        Mistake(
            "Round up: a block that is seen in part is needed.",
            _counts(lambda begin, end, n, c: end // c),
            also=(
                _counts(lambda begin, end, n, c: max(1, end // c)),
                _counts(lambda begin, end, n, c: round(end / c)),
                _counts(lambda begin, end, n, c: end / c),
            ),
        ),
        Mistake(
            "Two slips: the last block of queries may be shorter, so end is min(begin + block_q, "
            "n). And a block of keys that is seen in part is needed: round up.",
            lambda n, block_q, block_k: [
                (begin + block_q) // block_k for begin in range(0, n, block_q)
            ],
        ),
        Mistake(
            "Here each query sees what comes after it. A causal mask lets it see what came before, "
            "and itself: keys 0 to end - 1.",
            _counts(lambda begin, end, n, c: math.ceil((n - begin) / c)),
        ),
        Mistake(
            "These are the keys before the block of queries. The queries of the block see one "
            "another as well, each up to its own place: up to key end - 1.",
            _counts(lambda begin, end, n, c: math.ceil(begin / c)),
        ),
        Mistake(
            "The last query of the block sees itself as well: keys 0 to end - 1 are end keys, not "
            "end - 1.",
            _counts(lambda begin, end, n, c: math.ceil((end - 1) / c)),
        ),
        Mistake(
            "These blocks of keys stand beside the queries themselves. All keys before them are "
            "seen, too, from key 0 on.",
            _counts(lambda begin, end, n, c: math.ceil((end - begin) / c)),
            also=(_counts(lambda begin, end, n, c: (end - begin) // c),),
        ),
        Mistake(
            "Each number is a running sum over the blocks of queries. Asked is each block's own.",
            lambda n, block_q, block_k: list(accumulate(key_blocks(n, block_q, block_k))),
        ),
        Mistake(
            "That is how many blocks there are in all. Asked is, for each block of queries, how "
            "many blocks of keys it sees.",
            lambda n, block_q, block_k: [math.ceil(n / block_q), math.ceil(n / block_k)],
        ),
        Mistake(
            "That is the number of all tiles. Asked is a list: for each block of queries, how many "
            "blocks of keys it sees.",
            lambda n, block_q, block_k: math.ceil(n / block_q) * math.ceil(n / block_k),
        ),
        Mistake(
            "You counted keys. Asked are blocks of keys.",
            _counts(lambda begin, end, n, c: end),
        ),
        Mistake(
            "The last block of queries may be shorter, and there are never more than n keys: end "
            "is min(begin + block_q, n).",
            lambda n, block_q, block_k: [
                math.ceil((begin + block_q) / block_k) for begin in range(0, n, block_q)
            ],
        ),
        Mistake(
            "The last block of queries is missing, where block_q does not divide n. It is shorter, "
            "and needs its keys, too.",
            lambda n, block_q, block_k: [
                math.ceil((begin + block_q) / block_k)
                for begin in range(0, n - block_q + 1, block_q)
            ],
        ),
        Mistake(
            "This is the number of the last block that is seen, counted from 0. There is one more.",
            _counts(lambda begin, end, n, c: (end - 1) // c),
        ),
        Mistake(
            "One number for each query. Asked is one for each block of queries.",
            lambda n, block_q, block_k: [i // block_k + 1 for i in range(n)],
        ),
        Mistake(
            "The two blocks are exchanged: block_q counts queries, block_k keys.",
            lambda n, block_q, block_k: key_blocks(n, block_k, block_q),
        ),
        Mistake(
            "You counted blocks that end before the first query of the block. The last query sees "
            "up to itself, and a block that is seen in part is needed.",
            _counts(lambda begin, end, n, c: begin // c),
        ),
        Mistake(
            "These are the blocks above the diagonal, which are left out. Asked are those that "
            "are seen.",
            _counts(lambda begin, end, n, c: math.ceil(n / c) - math.ceil(end / c)),
        ),
        Mistake(
            "That is the total. Asked is one number for each block of queries.",
            lambda n, block_q, block_k: sum(key_blocks(n, block_q, block_k)),
        ),
    ),
    refused=(
        Refused(lambda n, block_q, block_k: []),
        Refused(lambda n, block_q, block_k: n),
    ),
    alternatives=(
        _counted_by_looking,
        lambda n, block_q, block_k: np.array(key_blocks(n, block_q, block_k)),
        lambda n, block_q, block_k: torch.tensor(
            [-(-min(b + block_q, n) // block_k) for b in range(0, n, block_q)]
        ),
        lambda n, block_q, block_k: tuple(
            len(range(0, min(b + block_q, n), block_k)) for b in range(0, n, block_q)
        ),
        lambda n, block_q, block_k: [
            int(np.ceil(min(b + block_q, n) / block_k)) for b in range(0, n, block_q)
        ],
        lambda n, block_q, block_k: [
            (min(b + block_q, n) - 1) // block_k + 1 for b in range(0, n, block_q)
        ],
    ),
    hints=(
        "Which query of a block sees the most keys, and how many does it see?",
        "The queries begin to end - 1 form a block, and the last of them sees end keys. In blocks "
        "of block_k, rounded up.",
        "begin goes up in steps of block_q; a block ends at min(...); count math.ceil(...)",
    ),
    minutes=4,
    stars=2,
    depth=True,
)
