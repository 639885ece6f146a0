"""Exercise `flash_traffic`: how many numbers are moved, with the queries outside."""

import math

import numpy as np
import torch

from course_lib.judging.exercise import Exercise, Mistake, Refused, inputs
from course_lib.kernels.flash import flash_attention
from course_lib.measures.loop_order import elements_moved


def flash_traffic(n, d, block):
    """How many numbers are read and written, with `block` queries at a time.

    n, d, block: numbers   returns: a number
    """
    # SOLUTION
    rounds = math.ceil(n / block)
    return 2 * n * d + rounds * 2 * n * d
    # STUB
    # rounds = ...
    # return ...  # your code here
    # END SOLUTION


def _counted_block_by_block(n, d, block):
    moved, begin = 0, 0
    while begin < n:
        rows = min(block, n - begin)
        moved += rows * d  # a block of queries in
        moved += 2 * n * d  # all keys and values in
        moved += rows * d  # its output out
        begin += block
    return moved


def _read_from_the_log(n, d, block):
    log = []
    flash_attention(*torch.zeros(3, n, d), block_q=block, log=log)
    return sum(move.elements for move in log if move.name != "lse")


FLASH_TRAFFIC = Exercise(
    answer=flash_traffic,
    cases=(
        lambda rng: inputs(8, 2, 4),
        lambda rng: inputs(12, 3, 12),
        lambda rng: inputs(7, 5, 1),
        lambda rng: inputs(13, 4, 5),
        lambda rng: inputs(6, 6, 9),
        lambda rng: inputs(100, 16, 32),
        lambda rng: inputs(4096, 64, 96),
        lambda rng: inputs(8, 2, 4),
    ),
    mistakes=(
        Mistake(
            "In each round keys and values pass by, both of them: 2 n d numbers, not n d.",
            lambda n, d, block: 2 * n * d + math.ceil(n / block) * n * d,
        ),
        Mistake(
            "Queries come in once, and outputs leave once, whatever the number of rounds: a block "
            "of queries stays on the chip while the keys pass by.",
            lambda n, d, block: math.ceil(n / block) * 4 * n * d,
        ),
        Mistake(
            "The queries and the outputs are missing: 2 n d numbers, once.",
            lambda n, d, block: math.ceil(n / block) * 2 * n * d,
            also=(
                lambda n, d, block: n / block * 2 * n * d,
                lambda n, d, block: n // block * 2 * n * d,
            ),
        ),
        Mistake(
            "The output has to be written as well: n d numbers more.",
            lambda n, d, block: n * d + math.ceil(n / block) * 2 * n * d,
        ),
        Mistake(
            "The last block may be shorter than the others, and it needs all keys, too. Round the "
            "number of rounds up.",
            lambda n, d, block: 2 * n * d + n // block * 2 * n * d,
        ),
        Mistake(
            "In each round you counted a full block of queries and of outputs. The last block may "
            "be shorter: all blocks together have n rows.",
            lambda n, d, block: math.ceil(n / block) * (2 * block * d + 2 * n * d),
        ),
        Mistake(
            "There are no fractions of a round: round n / block up.",
            lambda n, d, block: 2 * n * d + n / block * 2 * n * d,
        ),
        Mistake(
            "The number of rounds is how many blocks there are, n / block, not how many rows each "
            "of them has.",
            lambda n, d, block: 2 * n * d + block * 2 * n * d,
        ),
        Mistake(
            "You counted rows. Each row has d numbers.",
            lambda n, d, block: 2 * n + math.ceil(n / block) * 2 * n,
        ),
        Mistake(
            "That is one round. Each block of queries has to see all keys and values.",
            lambda n, d, block: 4 * n * d,
        ),
        Mistake(
            "The table of scores never leaves the chip here, so none of its n² numbers is moved.",
            lambda n, d, block: 4 * n * d + 4 * n * n,
        ),
        Mistake(
            "Here the query block is outside and its output stays on the chip until it is done. "
            "You counted the other order, in which unfinished outputs come and go in every round.",
            lambda n, d, block: 2 * n * d + math.ceil(n / block) * 3 * n * d,
        ),
        Mistake(
            "Queries, or outputs, were counted in every round. A block of queries stays on the "
            "chip until its output is done: both are moved once.",
            lambda n, d, block: n * d + math.ceil(n / block) * 3 * n * d,
        ),
        Mistake(
            "Queries, or outputs, were counted twice. They are moved once: 2 n d together.",
            lambda n, d, block: 3 * n * d + math.ceil(n / block) * 2 * n * d,
        ),
        Mistake(
            "You added the table of scores. It never leaves the chip, so none of its n² numbers "
            "is moved.",
            lambda n, d, block: 2 * n * d + math.ceil(n / block) * 2 * n * d + n * n,
        ),
        Mistake(
            "One round too many, where blocks fill n exactly. Round n / block up; adding 1 is not "
            "the same.",
            lambda n, d, block: 2 * n * d + (n // block + 1) * 2 * n * d,
        ),
        Mistake(
            "You counted bytes of 2; asked is how many numbers.",
            lambda n, d, block: 2 * (2 * n * d + math.ceil(n / block) * 2 * n * d),
        ),
        Mistake(
            "You counted bytes of 4; asked is how many numbers.",
            lambda n, d, block: 4 * (2 * n * d + math.ceil(n / block) * 2 * n * d),
        ),
        Mistake(
            "In each round one block of keys and values was counted. All n of them pass by the "
            "block of queries, in small pieces or in large ones: 2 n d numbers a round.",
            lambda n, d, block: 2 * n * d + math.ceil(n / block) * 2 * block * d,
        ),
        Mistake(
            "You counted tiles, each with a full block of keys and values. The last block may be "
            "shorter: in a round, all blocks of keys together have n rows.",
            lambda n, d, block: 2 * n * d + math.ceil(n / block) ** 2 * 2 * block * d,
            also=(
                lambda n, d, block: (
                    math.ceil(n / block) * 2 * block * (d + math.ceil(n / block) * d)
                ),
            ),
        ),
        Mistake(
            "The values and the outputs are missing: in each round keys and values pass by, and "
            "beside the n d numbers of the queries the outputs are moved, too.",
            lambda n, d, block: n * d + math.ceil(n / block) * n * d,
        ),
        Mistake(
            "The queries and the outputs of one block were counted. All blocks together have n "
            "queries and n outputs: 2 n d numbers.",
            lambda n, d, block: 2 * block * d + math.ceil(n / block) * 2 * n * d,
        ),
        Mistake(
            "In the rounds you counted rows. Each row has d numbers there, too.",
            lambda n, d, block: 2 * n * d + math.ceil(n / block) * 2 * n,
        ),
        Mistake(
            "In each round you counted a full block of queries. The last may be shorter: queries "
            "come in once, n d numbers in all.",
            lambda n, d, block: n * d + math.ceil(n / block) * (block * d + 2 * n * d),
        ),
        Mistake(
            "The outputs are missing, and a full block of queries was counted in each round. "
            "Queries and outputs are moved once: 2 n d numbers.",
            lambda n, d, block: math.ceil(n / block) * (block * d + 2 * n * d),
        ),
        Mistake(
            "The queries or the outputs are missing, and each round was counted as if it moved "
            "three tables: keys and values pass by, 2 n d numbers.",
            lambda n, d, block: math.ceil(n / block) * 3 * n * d,
        ),
        Mistake(
            "round takes the nearer whole number. A block that is begun needs all keys: round n / "
            "block up, with math.ceil.",
            lambda n, d, block: 2 * n * d + round(n / block) * 2 * n * d,
        ),
    ),
    refused=(
        Refused(lambda n, d, block: n * d),
        Refused(lambda n, d, block: n / block),
    ),
    alternatives=(
        _counted_block_by_block,
        _read_from_the_log,
        lambda n, d, block: elements_moved("queries outside", n, d, block_q=block),
        lambda n, d, block: np.int64(2 * n * d * (1 + -(-n // block))),
        lambda n, d, block: float(2 * n * d * (1 + len(range(0, n, block)))),
        lambda n, d, block: 2 * n * d * (1 + int(np.ceil(n / block))),
        lambda n, d, block: torch.tensor(2 * n * d + -(n // -block) * 2 * n * d),
        lambda n, d, block: 2 * n * d + (n + block - 1) // block * (n * d + n * d),
    ),
    hints=(
        "How many rounds are there, if each block of queries needs one? And what passes by in a "
        "round?",
        "Once: the queries (n d numbers) and the outputs (n d). In each of the n / block rounds, "
        "rounded up: all keys and all values.",
        "math.ceil(n / block) rounds; return 2 * n * d + rounds * ...",
    ),
    minutes=3,
    stars=2,
    depth=True,
)
