"""After which tile an answer of `attention_by_tiles` goes wrong: it is tried on the first alone.

Where its output is wrong, it gets the first block of queries with the keys of one tile, of two, and
so on. The first output that differs says where to look, whatever is wrong there, and however many
things are.
"""

import io
from collections.abc import Callable
from contextlib import redirect_stdout

import numpy as np
import torch

from course_lib.chapters.flash_attention.held_at_once import tile_by_tile
from course_lib.judging.exercise import Inputs
from course_lib.judging.verdict import Sentence, sentence
from course_lib.kernels.attention import attention
from course_lib.learner.arrays import as_array
from course_lib.learner.compare import agree, near

OUTPUTS = "outputs after each tile"
NOTHING = np.zeros(0)  # where the output is right, or the first tiles say nothing

DIFFERS = "After its first tiles alone, {name} gives another output than it should."
ALREADY = (
    "Tile by tile: query {row} is off after its first tile already, so before anything old has to "
    "shrink. There `largest` should be {largest}, `total` {total} and `mixed` {mixed}. Print yours "
    "and compare. If all three agree, look below the inner loop."
)
LATER = (
    "Tile by tile: query {row} is right after tile {before} and off after tile {tile}. There "
    "`largest` should be {largest}, `total` {total} and `mixed` {mixed}. Print yours and compare."
)
OTHER_BLOCK = (
    "Tile by tile: the first block of queries is right to its last tile, and a later block is off. "
    "So look at what each block begins with, and by whose total it is divided."
)
NO_SINGLE_SLIP = (
    "No single known mistake does all of this, so there may be two. Mend what goes wrong first, "
    "and check again."
)


def tile_after_tile(candidate: Callable, case: Inputs) -> dict:
    """What `tile_by_tile` sees; where the output is wrong, also those after the first tiles."""
    seen = tile_by_tile(candidate, case)
    return {**seen, OUTPUTS: _outputs(candidate, case, seen["output"])}


vars(tile_after_tile)["observations"] = {
    **vars(tile_by_tile)["observations"],
    OUTPUTS: DIFFERS,
}


def first_difference(got: dict, want: dict, case: Inputs) -> bool | Sentence:
    """Whether all is right; else after which tile the first block of queries goes wrong."""
    if all(agree(got.get(name), want[name]) for name in want if name != OUTPUTS):
        return True
    outputs = got.get(OUTPUTS, NOTHING)
    if np.ndim(outputs) != 3:
        return False
    for tile, one in enumerate(outputs, start=1):
        output, *sums = _after(case, tile)
        rows = np.flatnonzero(~near(one, output).all(axis=1))
        if len(rows):
            return _told(int(rows[0]), tile, sums)
    return sentence(OTHER_BLOCK) if len(case.args[0]) > case.args[3] else False


def _outputs(candidate: Callable, case: Inputs, output: object) -> np.ndarray:
    """The output of the first block of queries after each of its tiles."""
    q, k, v, block_q, block_k = case.args
    rows, found = q[:block_q], []
    try:
        if np.shape(as_array(output)) != (len(q), v.shape[1]) or agree(output, attention(q, k, v)):
            return NOTHING
        with redirect_stdout(io.StringIO()):  # what it prints is shown of the whole case alone
            again = candidate(q.clone(), k.clone(), v.clone(), block_q, block_k)
            if not agree(again, output):  # it keeps something from call to call
                return NOTHING
            for end in _ends(k, block_k):
                given = rows.clone(), k[:end].clone(), v[:end].clone()
                found.append(as_array(candidate(*given, block_q, block_k)))
        together = np.stack(found)
    except Exception:  # it went through with the whole case, and of that is spoken elsewhere
        return NOTHING
    return together if together.shape[1:] == (len(rows), v.shape[1]) else NOTHING


def _ends(k: torch.Tensor, block_k: int) -> range | list[int]:
    return [*range(block_k, len(k), block_k), len(k)]


def _after(case: Inputs, tile: int) -> tuple[np.ndarray, ...]:
    """The output, largest, total and mixed of the first block of queries after so many tiles."""
    q, k, v, block_q, block_k = case.args
    keys, values = k[: tile * block_k].double(), v[: tile * block_k].double()
    scores = q[:block_q].double() @ keys.T / q.shape[1] ** 0.5
    largest = scores.amax(dim=1, keepdim=True)
    powers = torch.exp(scores - largest)
    total, mixed = powers.sum(dim=1, keepdim=True), powers @ values
    return tuple(one.numpy() for one in (mixed / total, largest, total, mixed))


def _told(row: int, tile: int, sums: list[np.ndarray]) -> Sentence:
    named = zip(("largest", "total", "mixed"), sums, strict=True)
    shown = {name: ", ".join(f"{x:.4g}" for x in one[row]) for name, one in named}
    if len(sums[-1][row]) > 1:
        shown["mixed"] = f"[{shown['mixed']}]"
    if tile == 1:
        return sentence(ALREADY, row=row, **shown)
    return sentence(LATER, row=row, tile=tile, before=tile - 1, **shown)
