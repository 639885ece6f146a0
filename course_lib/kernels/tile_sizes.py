"""How a kernel of triton_tiles.py is cut into tiles, for each device, dtype and width.

First what was timed on this very device, where somebody did: tuned_tiles.json, beside this file,
with date and versions (`python -m course_lib.measures.tile_tuning` writes it). Else SHIPPED, which
was chosen by the compiler's report (measures/compiler_report.py): no registers are spilled to
memory in the loop over whole tiles (outside of it up to 24 bytes of a thread, with a window and a
softcap more), tiles of 16 bits are multiplied by tensor cores, and a program fits on an A100 (163
KB of shared memory) or an H100 (227 KB). Of those that do, the one with most keys.

For devices below compute capability 8 (a T4 has 7.5) Triton uses no tensor cores: OLDER, small
tiles. PyTorch's scaled_dot_product_attention is the better choice there.
"""

import json
from functools import cache
from importlib.resources import files
from typing import NamedTuple

import torch

TUNED = "tuned_tiles.json"
FEW = 16  # queries: fewer than the rows of a large tile, so that most of it would be empty


class Tiles(NamedTuple):
    """How a kernel is cut: queries and keys in a tile, warps in a program, tiles loaded ahead."""

    block_q: int
    block_k: int
    warps: int
    stages: int


# For each kernel, bits of a number, width of a head up to, and compute capability from
SHIPPED = {
    ("forward", 16, 64, 90): Tiles(128, 128, 8, 2),
    ("forward", 16, 128, 90): Tiles(128, 128, 8, 2),
    ("forward", 16, 256, 90): Tiles(64, 64, 8, 2),
    ("forward", 16, 64, 80): Tiles(128, 64, 8, 3),
    ("forward", 16, 128, 80): Tiles(128, 32, 8, 3),
    ("forward", 16, 256, 80): Tiles(64, 64, 8, 2),
    ("few", 16, 64, 80): Tiles(16, 128, 8, 3),
    ("few", 16, 128, 80): Tiles(16, 128, 4, 2),
    ("few", 16, 256, 80): Tiles(16, 64, 4, 2),
    ("few", 32, 64, 80): Tiles(16, 32, 4, 2),
    ("few", 32, 128, 80): Tiles(16, 32, 4, 2),
    ("few", 32, 256, 80): Tiles(16, 32, 8, 2),
    ("backward_q", 16, 64, 90): Tiles(128, 64, 8, 3),
    ("backward_q", 16, 128, 90): Tiles(128, 64, 8, 2),
    ("backward_q", 16, 256, 90): Tiles(64, 16, 8, 2),
    ("backward_q", 16, 64, 80): Tiles(128, 64, 8, 3),
    ("backward_q", 16, 128, 80): Tiles(128, 32, 8, 2),
    ("backward_q", 16, 256, 80): Tiles(64, 32, 8, 2),
    ("backward_kv", 16, 64, 90): Tiles(64, 128, 8, 2),
    ("backward_kv", 16, 128, 90): Tiles(32, 128, 8, 2),
    ("backward_kv", 16, 256, 90): Tiles(16, 64, 8, 2),
    ("backward_kv", 16, 64, 80): Tiles(32, 128, 8, 2),
    ("backward_kv", 16, 128, 80): Tiles(64, 64, 8, 2),
    ("backward_kv", 16, 256, 80): Tiles(32, 32, 8, 2),
    ("forward", 32, 64, 80): Tiles(64, 32, 8, 2),
    ("forward", 32, 128, 80): Tiles(32, 16, 8, 2),
    ("forward", 32, 256, 80): Tiles(16, 32, 8, 2),
    ("backward_q", 32, 64, 80): Tiles(32, 32, 4, 2),
    ("backward_q", 32, 128, 80): Tiles(32, 32, 4, 2),
    ("few", 32, 128, 90): Tiles(16, 32, 8, 2),
    ("backward_q", 32, 128, 90): Tiles(32, 16, 4, 2),
    ("backward_q", 32, 256, 80): Tiles(32, 16, 8, 2),
    ("backward_kv", 32, 64, 80): Tiles(16, 32, 4, 2),
    ("backward_kv", 32, 128, 80): Tiles(32, 32, 8, 1),
    ("backward_kv", 32, 256, 80): Tiles(16, 16, 8, 1),
}
OLDER = Tiles(32, 32, 8, 1)


def tiles_for(
    kernel: str, dtype: torch.dtype, d: int, capability: int = 90, device: str = ""
) -> Tiles:
    """The sizes for a kernel, a dtype, a width and a compute capability (90 for 9.0).

    kernel: "forward", "few" (the same for at most FEW queries), "backward_q" or "backward_kv".
    device: its name, as PyTorch says it; with it, what was tuned on such a one goes first.
    """
    bits, width = 8 * dtype.itemsize, max(64, padded(d))
    if own := tuned().get(device, {}).get("tiles", {}).get(f"{kernel},{bits},{width}"):
        return Tiles(*own)
    if capability < 80:
        return OLDER
    newest = SHIPPED.get((kernel, bits, width, 90)) if capability >= 90 else None
    return newest or SHIPPED[kernel, bits, width, 80]


def padded(d: int) -> int:
    """The width of a tile for vectors of width d: a power of two, at least 16."""
    return max(16, 1 << (d - 1).bit_length())


@cache
def tuned() -> dict[str, dict]:
    """What was timed: by the device's name its "date", "versions" and "tiles"."""
    path = files(__package__) / TUNED
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
