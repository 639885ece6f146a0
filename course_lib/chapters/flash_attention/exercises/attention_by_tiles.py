"""Exercise `attention_by_tiles`: attention without a table of all scores."""

import math

import torch
from torch.nn.functional import scaled_dot_product_attention

from course_lib.chapters.flash_attention.loops_over_tiles import (
    by_the_last_total,
    causal_by_habit,
    cut_afterwards,
    cut_rows_afterwards,
    diagonal_tiles,
    in_one_tensor,
    keys_first,
    keys_outside,
    merged_tiles,
    query_by_query,
    remainder_dropped,
    slip,
    softmax_in_each_tile,
    table_of_rows,
    tiled,
    turned_tiles,
    two_passes,
    whole_table,
    whole_table_by_exp,
)
from course_lib.chapters.flash_attention.lost_columns import LOST_COLUMNS
from course_lib.chapters.flash_attention.other_steps import OTHER_STEPS
from course_lib.chapters.flash_attention.tile_after_tile import (
    NO_SINGLE_SLIP,
    first_difference,
    tile_after_tile,
)
from course_lib.chapters.flash_attention.tiles_to_try import (
    falling,
    far_apart,
    far_below,
    long,
    whole_numbers,
    wide,
)
from course_lib.judging.exercise import Exercise, Mistake, Refused, inputs
from course_lib.judging.tensors import drawn
from course_lib.kernels.flash import flash_attention


def attention_by_tiles(q, k, v, block_q, block_k):
    """Attention without a table of all scores.

    q: (t, d)   k: (s, d)   v: (s, e)   returns: (t, e)
    """

    def empty_sums(rows):
        """largest, total and mixed for this many queries, before their first key."""
        column = torch.zeros(rows, 1)
        return column - torch.inf, column, torch.zeros(rows, v.shape[1])

    outputs = []
    # SOLUTION
    for q_tile in q.split(block_q):
        largest, total, mixed = empty_sums(len(q_tile))
        for k_tile, v_tile in zip(k.split(block_k), v.split(block_k), strict=True):
            scores = q_tile @ k_tile.T / math.sqrt(q.shape[1])
            new = torch.maximum(largest, scores.max(dim=1, keepdim=True).values)
            shrink = torch.exp(largest - new)
            powers = torch.exp(scores - new)
            total = shrink * total + powers.sum(dim=1, keepdim=True)
            mixed = shrink * mixed + powers @ v_tile
            largest = new
        outputs.append(mixed / total)
    return torch.cat(outputs)
    # STUB
    # ...  # two loops: q.split(block_q) gives the blocks of queries
    # # a column of maxima, one for each row: scores.max(dim=1, keepdim=True).values
    # return ...  # torch.cat(outputs) joins the blocks
    # END SOLUTION


ATTENTION_BY_TILES = Exercise(
    answer=attention_by_tiles,
    cases=(
        whole_numbers,
        lambda rng: inputs(drawn(rng, 5, 3), drawn(rng, 7, 3), drawn(rng, 7, 2), 7, 8),
        lambda rng: inputs(drawn(rng, 5, 5), drawn(rng, 5, 5), drawn(rng, 5, 5), 2, 2),
        lambda rng: inputs(
            *(drawn(rng, *shape, dtype=torch.float64) for shape in ((11, 2), (13, 2), (13, 3))),
            4, 4,
        ),
        far_apart,
        far_below,
        falling,
        long,
        wide,
        lambda rng: inputs(*(drawn(rng, 4, width) for width in (3, 3, 2)), 2, 2),  # all squares
        lambda rng: inputs(drawn(rng, 5, 3), drawn(rng, 7, 3), drawn(rng, 7, 2), 2, 3),
        whole_numbers,
    ),
    observe=tile_after_tile,
    accept=first_difference,
    unnamed=NO_SINGLE_SLIP,
    mistakes=(
        Mistake(
            "Neither sum is brought to the new maximum: multiply both by exp(old - new) before "
            "this tile is added, and make this factor before largest is overwritten.",
            slip(total_shrinks=False, mixed_shrinks=False),
        ),
        Mistake(
            "mixed is not brought to the new maximum, and total is. Both have to shrink.",
            slip(mixed_shrinks=False),
        ),
        Mistake(
            "total is not brought to the new maximum, and mixed is. Both have to shrink.",
            slip(total_shrinks=False),
        ),
        Mistake(
            "The scale is missing: divide the scores by the square root of the width.",
            slip(scale=1.0),
        ),
        Mistake(
            "You took one maximum for the whole tile. Rows differ: where another row scores far "
            "higher, every power of this row is 0, and 0 / 0 is NaN. Each row has its own.",
            slip(one_maximum=True),
        ),
        Mistake(
            "Each tile wipes out the ones before: largest is not kept for the next tile, or "
            "empty_sums stands in the inner loop, so that all three begin anew.",
            slip(stored=False),
            also=(slip(anew=True),),
        ),
        Mistake(
            "No maximum is subtracted, so large scores leave the range of float32 (chapter 4).",
            slip(no_maximum=True),
        ),
        Mistake(
            "You divide inside of the loop over keys, and go on with a number that is divided "
            "already. Divide once, when all keys were seen.",
            slip(divided=True),
            also=(slip(divided=True, again=True),),
        ),
        Mistake(
            "The division is missing: when all keys were seen, mixed has to be divided by total.",
            slip(undivided=True),
        ),
        Mistake(
            "The sums are right in every block. But you divide all blocks by the total of the last "
            "one. Each has a total of its own: divide where it is still there, at the end of the "
            "outer loop.",
            by_the_last_total,
        ),
        Mistake(
            "The powers of the whole tile are added up. Each row has a sum of its own: dim=1.",
            slip(whole_sum=True),
        ),
        Mistake(
            "Each tile has a softmax of its own here, and the tiles count alike.",
            softmax_in_each_tile,
        ),
        Mistake(
            "The last keys are left out, where the block does not divide their number. split and "
            "a range with steps both give a shorter last block.",
            remainder_dropped,
        ),
        Mistake(
            "Each block of queries sees one block of keys only. It takes two loops, one inside "
            "the other: every block of queries with every block of keys.",
            diagonal_tiles,
        ),
        Mistake(
            "The numbers are right, but a table was made that is larger than a tile of block_q "
            "rows and block_k columns. It takes both loops: over queries and over keys.",
            whole_table,
            also=(
                whole_table_by_exp,
                table_of_rows,
                lambda q, k, v, _, block_k: table_of_rows(q, k, v, 1, block_k),
                lambda q, k, v, _, block_k: tiled(q, k, v, len(q), block_k),
                cut_afterwards,
                cut_rows_afterwards,
            ),
        ),
        Mistake(
            "PyTorch's own attention was asked. Its tiles are made where nobody sees them; here "
            "the two loops are yours.",
            lambda q, k, v, *blocks: scaled_dot_product_attention(q, k, v),
            also=(
                lambda q, k, v, block_q, block_k: torch.cat(
                    [scaled_dot_product_attention(one, k, v) for one in q.split(block_q)]
                ),
            ),
        ),
        Mistake(
            "block_q and block_k are exchanged: a tile has block_q rows and block_k columns.",
            lambda q, k, v, block_q, block_k: tiled(q, k, v, block_k, block_q),
        ),
        *OTHER_STEPS,
        Mistake(
            "The sums shrank after the tile was added. It is counted from the new maximum "
            "already: shrink what was summed before, then add.",
            slip(late=True, total_shrinks=False, mixed_shrinks=False),
        ),
        Mistake(
            "largest starts at 0. Where all scores of a row lie far below 0, every power is 0, "
            "and 0 / 0 is NaN: empty_sums(rows) begins with -inf.",
            slip(start=0.0),
        ),
        Mistake(
            "A part is kept after every tile. It is ready when all keys have passed by: one for "
            "each block of queries.",
            slip(inside=True),
        ),
        Mistake(
            "The parts stand on top of each other, with an axis of their own. Join their rows: "
            "torch.cat.",
            slip(join=torch.stack),
        ),
        Mistake(
            "Only the first block of queries is there. return belongs after both loops.",
            slip(early=True),
        ),
        Mistake(
            "The sums were made once, before the loop over the queries, so each block of queries "
            "goes on with those of the block before. Each needs empty sums: call empty_sums inside "
            "of the outer loop.",
            slip(once=True, rows=-1),
            also=(slip(once=True), slip(once=True, rows=1), slip(once=True, rows=-2)),
        ),
        Mistake(
            "Every block got sums with block_q rows, but the last block may have fewer queries: "
            "empty_sums(len(q_tile)).",
            slip(rows=-1),
        ),
        Mistake(
            "Two things at once. empty_sums(block_q) has too many rows where the last block has "
            "fewer queries: ask for len(q_tile). Mend this and check again: what is left then has "
            "a diagnosis of its own.",
            slip(rows=-1, whole_sum=True),
            also=(
                slip(rows=-1, scale=1.0), slip(rows=-1, stored=False),
                slip(rows=-1, undivided=True), slip(rows=-1, total_shrinks=False),
                slip(rows=-1, mixed_shrinks=False),
                slip(rows=-1, total_shrinks=False, mixed_shrinks=False),
            ),
        ),
        Mistake(
            "The blocks of keys are in the outer loop, and the sums of a query begin anew for each "
            "of them. Put the queries outside and the keys inside. (Or keep the sums of all "
            "queries until all keys were seen.)",
            keys_first,
            also=(
                lambda *given: keys_first(*given, sums="outside"),
                lambda *given: keys_first(*given, sums="outside", ready="outside"),
                lambda *given: keys_first(*given, ready="outside"),
                lambda *given: keys_first(*given, sums="all", ready="outside"),
            ),
        ),
        Mistake(
            "Later keys are hidden. No mask is asked for here: every query sees all keys.",
            causal_by_habit,
        ),
        *LOST_COLUMNS,
    ),
    refused=(
        Refused(lambda q, k, v, *blocks: in_one_tensor(q[: blocks[0]], k, v, *blocks)),
        Refused(lambda *given: in_one_tensor(*given).T),
    ),
    alternatives=(
        query_by_query,
        merged_tiles,
        keys_outside,
        lambda q, k, v, block_q, block_k: flash_attention(
            q, k, v, block_q=block_q, block_k=block_k
        ),
        in_one_tensor,
        two_passes,
        turned_tiles,
        lambda q, k, v, _, block_k: in_one_tensor(q, k, v, 1, block_k),
    ),
    hints=(
        "The outer loop is for q_tile in q.split(block_q), the inner one goes over the blocks of k "
        "and v. largest, total and mixed belong to one block of queries. So in which loop does "
        "empty_sums(...) stand, and after which one is an output ready?",
        "The outer loop calls empty_sums(len(q_tile)). The inner one takes k_tile and v_tile from "
        "zip(k.split(block_k), v.split(block_k)), and does what weighted_mean did, row by row: "
        "scores.max(dim=1, keepdim=True).values, powers.sum(dim=1, keepdim=True), and "
        "powers @ v_tile. After it, mixed / total goes into outputs.",
        "new = torch.maximum(largest, ...); shrink = ...; powers = torch.exp(...); "
        "total = shrink * total + ...; mixed = shrink * mixed + ...; largest = new; after the "
        "inner loop, mixed / total is appended to outputs",
    ),
    minutes=8,
    stars=3,
    reward=(
        "This is FlashAttention's loop. What a GPU adds stands below: many blocks of queries at"
        " once, each at a desk of its own."
    ),
)  # fmt: skip
