"""How long attention takes: ours against PyTorch's, correct first, then timed in turn.

    python -m course_lib.measures.attention_timing '{"n": 4096, "d": 128, "causal": true}'

runs one case in this process and prints a line of JSON at its end; `begin NAME` before each
contender, so that whoever waits knows which one hangs. benchmarks/attention.py runs all cases.

The shapes are those of the FlashAttention papers: 16384 tokens in all, heads of width d that make
up 2048. Inputs are random, never zeros: products of zeros are faster. Operations are counted as
there: 4 b h n² d forwards, half of it where causal, and 2.5 times as much for the gradient alone.
"""

import json
import statistics
import sys
import time
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.nn.functional import scaled_dot_product_attention

from course_lib.kernels.flash import flash_attention
from course_lib.kernels.flash_triton import flash_attention_triton

RECORD = "attention_times.json"
SMALL = 1024  # up to here launching counts forwards; a CUDA graph keeps that out
LARGEST_CHECKED = 512


class Case(NamedTuple):
    """What is timed: b = tokens / n sentences, h = width / d heads."""

    n: int
    d: int = 128
    causal: bool = False
    backward: bool = False
    dtype: str = "bfloat16"
    device: str = "cuda"
    tokens: int = 16384
    width: int = 2048

    @property
    def shape(self) -> tuple[int, int, int, int]:
        """(b, h, n, d); at least one sentence and one head."""
        return max(1, self.tokens // self.n), max(1, self.width // self.d), self.n, self.d

    @property
    def operations(self) -> float:
        """Multiplications and additions; what is made again on the way back counts once."""
        b, h, n, d = self.shape
        return 4 * b * h * n * n * d * (0.5 if self.causal else 1) * (2.5 if self.backward else 1)


def _pytorchs(backend: SDPBackend) -> Callable:
    def run(q, k, v, causal):
        with sdpa_kernel(backend):  # alone: PyTorch's own choice is not always its fastest
            return scaled_dot_product_attention(q, k, v, is_causal=causal)

    return run


@cache
def _compiled_flex() -> Callable:
    from torch.nn.attention.flex_attention import flex_attention

    return torch.compile(flex_attention)


@cache
def _causal_blocks(n: int, device: torch.device) -> object:
    from torch.nn.attention.flex_attention import create_block_mask

    return create_block_mask(lambda b, h, i, j: i >= j, None, None, n, n, device=device)


def _flex(q: Tensor, k: Tensor, v: Tensor, causal: bool) -> Tensor:
    blocks = _causal_blocks(q.shape[-2], q.device) if causal else None
    return _compiled_flex()(q, k, v, block_mask=blocks)


CONTENDERS = {  # (q, k, v, causal) -> output
    "ours": lambda q, k, v, causal: flash_attention_triton(q, k, v, causal=causal),
    "flash": _pytorchs(SDPBackend.FLASH_ATTENTION),
    "cudnn": _pytorchs(SDPBackend.CUDNN_ATTENTION),
    "efficient": _pytorchs(SDPBackend.EFFICIENT_ATTENTION),
    "math": _pytorchs(SDPBackend.MATH),
    "flex": _flex,
    "tiled": lambda q, k, v, causal: flash_attention(q, k, v, causal=causal),
}


def draw(case: Case, shape: tuple, seed: int = 0) -> list[Tensor]:
    """q, k, v and a gradient of the output."""
    generator = torch.Generator(case.device).manual_seed(seed)
    options = {"dtype": getattr(torch, case.dtype), "device": case.device}
    return [torch.randn(shape, generator=generator, **options) for _ in range(4)]


def plainly(q: Tensor, k: Tensor, v: Tensor, causal: bool) -> Tensor:
    """The formula, in the precision of its arguments."""
    scores = q @ k.mT * q.shape[-1] ** -0.5
    if causal:
        hidden = torch.ones(scores.shape[-2:], dtype=torch.bool, device=q.device).triu(1)
        scores = scores.masked_fill(hidden, -torch.inf)
    return scores.softmax(-1) @ v


def error_ratio(run: Callable, case: Case) -> float:
    """The largest error over that of the plain formula, both against float64: at most 2 is right.

    Of the output and, where the case is backward, of the gradients. To the plain formula's error is
    added what it may owe to luck: two roundings of the largest number, and eight in float32, since
    a gradient that ends at 0 is the difference of two that do not. Up to 512 rows; NaN counts as
    infinite.
    """
    shape = (1, 2, min(case.n, LARGEST_CHECKED), case.d)
    given = draw(case, shape, seed=1)
    results = [
        _results(function, parts, case)
        for function, parts in (
            (run, given), (plainly, given), (plainly, [one.double() for one in given])
        )
    ]  # fmt: skip
    worst = 0.0
    for found, plain, truth in zip(*results, strict=True):
        roundings = 2 * torch.finfo(found.dtype).eps + 8 * torch.finfo(torch.float32).eps
        luck = roundings * truth.abs().max()
        error, its_error = ((one.double() - truth).abs().max() for one in (found, plain))
        ratio = (error / (its_error + luck)).item()
        worst = max(worst, torch.inf if ratio != ratio else ratio)
    return worst


def race(case: Case, names: list[str], rounds: int = 3, announce: Callable = print) -> dict:
    """Check each contender, then time them in turn; returns, for each name, what was found.

    "ms": the median of each round; "tflops"; "error_ratio"; or "error", a sentence, if it fails.
    The first that is right is timed twice in each round, the second time as "NAME again": what two
    measurements of the same thing differ by.
    """
    found: dict[str, dict[str, Any]] = {}
    work: dict[str, Callable] = {}
    for name in names:
        announce(f"begin {name}")
        try:
            ratio = error_ratio(CONTENDERS[name], case)
            found[name] = {"error_ratio": round(ratio, 3)}
            if ratio > 2:
                found[name]["error"] = f"wrong: {ratio:.3g} times the plain formula's error"
                continue
            work[name] = _work(CONTENDERS[name], case)
        except Exception as error:
            found[name] = {"error": f"{type(error).__name__}: {str(error).split(chr(10))[0][:200]}"}
    if work:
        first = next(iter(work))
        work[f"{first} again"], found[f"{first} again"] = work[first], {}
    for _ in range(rounds):
        for name, one in work.items():
            announce(f"begin {name}")
            found[name].setdefault("ms", []).append(_milliseconds(one, case))
    for name in work:
        rate = case.operations / statistics.median(found[name]["ms"]) / 1e9
        found[name]["tflops"] = float(f"{rate:.4g}")
    return found


def matmul_rate(device: str = "cuda", dtype: str = "bfloat16", size: int = 8192) -> float:
    """TFLOP/s of one large product of random matrices: what this device does in this hour."""
    case = Case(size, device=device, dtype=dtype)
    a, b, *_ = draw(case, (size, size))
    return float(f"{2 * size**3 / _milliseconds(lambda: a @ b, case._replace(n=10**6)) / 1e9:.4g}")


def recorded() -> dict | None:
    """The published measurement on a GPU; None while there is none."""
    path = files(__package__) / RECORD
    return json.loads(path.read_text()) if path.is_file() else None


def _results(run: Callable, given: list[Tensor], case: Case) -> list[Tensor]:
    parts = [one.clone().requires_grad_(case.backward) for one in given[:3]]
    out = run(*parts, case.causal)
    grads = torch.autograd.grad(out, parts, given[3]) if case.backward else ()
    return [out.detach(), *grads]


def _work(run: Callable, case: Case) -> Callable:
    """What is timed, without arguments."""
    *parts, grad = draw(case, case.shape)
    if not case.backward:
        return lambda: run(*parts, case.causal)
    parts = [one.requires_grad_() for one in parts]
    out = run(*parts, case.causal)
    return lambda: torch.autograd.grad(out, parts, grad, retain_graph=True)


def _milliseconds(work: Callable, case: Case) -> float:
    """The median time of a call."""
    if case.device == "cpu":
        return _on_the_cpu(work)
    from triton.testing import do_bench, do_bench_cudagraph

    if case.n <= SMALL and not case.backward:
        with torch.cuda.stream(torch.cuda.Stream()):
            return do_bench_cudagraph(work, return_mode="median")
    return do_bench(work, warmup=50, rep=200, return_mode="median")


def _on_the_cpu(work: Callable, times: int = 5) -> float:
    work()
    found = []
    for _ in range(times):
        begin = time.perf_counter()
        work()
        found.append(1000 * (time.perf_counter() - begin))
    return statistics.median(found)


def main() -> None:
    """Run the case that is given as JSON; `names` and `rounds` may stand beside its fields."""
    given = json.loads(sys.argv[1])
    names, rounds = given.pop("names", list(CONTENDERS)), given.pop("rounds", 3)
    found = race(Case(**given), names, rounds, lambda line: print(line, flush=True))
    print(json.dumps(found))


if __name__ == "__main__":
    main()
