"""Which tiles are fastest on this GPU: a short list for each kernel and width, timed in turn.

    python -m course_lib.measures.tile_tuning          # some minutes; needs a GPU

What wins is kept beside the kernels with the device's name, date and versions
(course_lib/kernels/tuned_tiles.json), and from then on tile_sizes.py takes it on such a device.
Without it the shipped tiles stand. Tiles that do not fit, or give another result than the shipped
ones beyond twice the plain formula's error, are left out.

Timed are 4096 queries and keys, causal and not, and for "few" one query of 16384 keys; 16 bits.
"""

import argparse
import datetime
import json
import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import torch

from course_lib.kernels import tile_sizes
from course_lib.kernels.flash_triton import flash_attention_triton, missing
from course_lib.kernels.tile_sizes import TUNED, Tiles, tiles_for
from course_lib.measures.attention_timing import Case, draw, error_ratio

NO_GPU = "There is no GPU here: no tiles were timed, and nothing was written."
WIDTHS = (64, 128, 256)
LENGTH, FAR = 4096, 16384
LIST = {
    "forward": ((128, 128, 8, 2), (128, 128, 8, 3), (128, 64, 8, 3), (128, 64, 4, 3),
                (64, 128, 4, 2), (64, 64, 4, 2)),
    "few": ((16, 64, 4, 3), (16, 128, 4, 2), (16, 128, 8, 3)),
    "backward_q": ((128, 128, 8, 2), (128, 64, 8, 2), (128, 64, 8, 3), (64, 64, 4, 2),
                   (64, 32, 8, 2)),
    "backward_kv": ((64, 128, 8, 2), (32, 128, 8, 2), (64, 64, 8, 2), (64, 64, 4, 2),
                    (16, 64, 8, 2)),
}  # fmt: skip


def candidates(kernel: str, d: int, capability: int = 90) -> list[Tiles]:
    """What is tried for a kernel: first what is shipped, then the others of the short list."""
    shipped = tiles_for(kernel, torch.float16, d, capability)
    return list(dict.fromkeys([shipped, *(Tiles(*one) for one in LIST[kernel])]))


def tune(
    kernel: str, d: int, tried: Sequence[Tiles], milliseconds: Callable[[str, int, Tiles], float]
) -> tuple[Tiles | None, dict[str, float | str]]:
    """The fastest of those tried, None where none runs, and for each its time or what failed.

    milliseconds: (kernel, d, tiles) -> the time of a call; raises where the tiles cannot be used.
    """
    found: dict[str, float | str] = {}
    best, least = None, math.inf
    for tiles in tried:
        name = "x".join(map(str, tiles))
        try:
            found[name] = time = round(milliseconds(kernel, d, tiles), 4)
        except Exception as error:  # too large for the device, or wrong there
            found[name] = f"{type(error).__name__}: {str(error).splitlines()[0][:100]}"
            continue
        if time < least:
            best, least = tiles, time
    return best, found


def on_this_gpu(kernel: str, d: int, tiles: Tiles) -> float:
    """The time of a call, causal and not, in ms; checked first.

    Raises: ArithmeticError where the result is wrong; what Triton raises where tiles do not fit.
    """
    from triton.testing import do_bench

    backward = kernel.startswith("backward")
    own = {"forward" if kernel == "few" else kernel: tiles}

    def run(q, k, v, causal):
        return flash_attention_triton(q, k, v, causal=causal, tiles=own)

    total = 0.0
    for causal in (False, True):
        case = Case(LENGTH, d=d, causal=causal, backward=backward)
        if (ratio := error_ratio(run, case)) > 2:
            raise ArithmeticError(f"{ratio:.3g} times the plain formula's error")
        work = _call(run, FAR if kernel == "few" else LENGTH, case, few=kernel == "few")
        total += do_bench(work, warmup=50, rep=200, return_mode="median")
    return total


def publish(found: dict[str, Tiles], device: str, path: Path | None = None) -> None:
    """Keep what won beside the kernels; what is there of other devices stays."""
    import triton

    path = path or Path(tile_sizes.__file__).parent / TUNED
    record: dict[str, Any] = json.loads(path.read_text()) if path.is_file() else {}
    record[device] = {
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "versions": {"torch": torch.__version__, "triton": triton.__version__,
                     "cuda": torch.version.cuda},
        "tiles": {name: list(tiles) for name, tiles in found.items()},
    }  # fmt: skip
    path.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    tile_sizes.tuned.cache_clear()


def main() -> None:
    """Time all, print it, and keep what won."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--widths", type=int, nargs="+", default=WIDTHS)
    options = parser.parse_args()
    if missing() or not torch.cuda.is_available():
        print(NO_GPU)
        return
    major, minor = torch.cuda.get_device_capability()
    found = {}
    for kernel in LIST:
        for d in options.widths:
            tried = candidates(kernel, d, 10 * major + minor)
            best, times = tune(kernel, d, tried, on_this_gpu)
            print(kernel, d, "best:", best, times, flush=True)
            if best:
                found[f"{kernel},16,{d}"] = best
    publish(found, torch.cuda.get_device_name())


def _call(run: Callable, n: int, case: Case, few: bool) -> Callable:
    """What is timed, without arguments."""
    q, k, v, grad = draw(case, case._replace(n=n).shape)
    if few:
        return lambda: run(q[..., :1, :], k, v, case.causal)
    if not case.backward:
        return lambda: run(q, k, v, case.causal)
    parts = [one.requires_grad_() for one in (q, k, v)]
    out = run(*parts, case.causal)
    return lambda: torch.autograd.grad(out, parts, grad, retain_graph=True)


if __name__ == "__main__":
    main()
