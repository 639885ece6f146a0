"""What a GPU stores, moves and computes for one layer of attention, the plain way and in tiles.

gpu(n=16_000, tiles=True)["moving"]     # milliseconds at best
"""

import math

from course_lib.measures.attention_cost import core_flops, row_bytes, table_bytes
from course_lib.measures.published import DEVICES

CARD = DEVICES["H100"]
SMS = 132  # of an H100 SXM: NVIDIA, "H100 Tensor Core GPU Architecture" (2022)
HEADS, WIDTH, NUMBER = 32, 128, 2  # one layer of Llama-3-8B; bytes of a 16-bit number
ROWS = 128  # queries in a block, where it is done in tiles, and keys in one
GB, MOST, NOVEL = 1e9, 26_000, 131_072  # MOST: a little beyond a full memory
HIGH = math.sqrt(CARD.memory / 2)  # the memory is two squares wide: scores and weights
CHIP = math.sqrt(SMS * CARD.shared * 1024 / GB)  # the stores of all SMs, in the same scale
SHELF_MB = 50  # the cache L2, which all SMs share; source as above
SHELF_TB = 6.65  # a second, from shelf to desks: OpenXLA (2025) measured an H100, and keeps it in
# xla/service/gpu/model/gpu_dot_fusion_cost_model.cc ("Measured H100 L2 bandwidth")
SHELF = math.sqrt(SHELF_MB / 1000)


def gpu(*, n, tiles) -> dict:
    """GB that lie in the memory, GB that cross, and the times at best, for one layer.

    The cache keeps k and v of a head (14 MB at most): a row crosses once, a table twice.
    fetched: GB between cache and SMs, in tiles at most (SMs can share a fetch), else at least.
    passing: how long these take at best.
    stays: whether all of it has room in the cache.   plain: the same without tiles.
    """
    tables = 0 if tiles else table_bytes(n, HEADS, NUMBER)
    rows = row_bytes(n, HEADS, WIDTH, NUMBER)
    moved, blocks = 2 * tables + rows, -(-n // ROWS)
    fetched = ((blocks + 1) * rows / 2 if tiles else moved) / GB
    moving = moved / (CARD.bandwidth * 1e9)
    computing = core_flops(n, HEADS * WIDTH) / (CARD.tflops * 1e9)
    return {
        "plain": gpu(n=n, tiles=False) if tiles else None,
        "n": n,
        "tiles": tiles,
        "side": math.sqrt(table_bytes(n, HEADS, NUMBER) / 2 / GB),
        "row_side": math.sqrt(rows / 4 / GB),
        "tables": tables / GB,
        "rows": rows / GB,
        "fits": tables + rows <= CARD.memory * GB,
        "stays": tables + rows <= SHELF_MB * 1e6,
        "programs": HEADS * blocks,
        "moved": moved / GB,
        "fetched": fetched,
        "passing": fetched / SHELF_TB,
        "moving": moving,
        "computing": computing,
        "times": moving / computing,
    }
