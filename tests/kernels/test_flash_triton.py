"""The Triton kernels: their checks in the interpreter and on a GPU.

The checks are those of triton_checks.py and triton_numbers_checks.py. One process runs a group of
them, since Triton decides at
its import whether it interprets.
"""

import heapq
import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import torch

from course_lib.kernels import flash_triton, tile_sizes
from course_lib.kernels.flash_triton import flash_attention_triton, missing
from course_lib.kernels.interpreter import VARIABLE
from course_lib.kernels.tile_sizes import SHIPPED, tiles_for

HERE = Path(__file__).parent
GROUPS = ("TestLengths", "TestParts", "TestRules", "TestNumbers")
OF_NUMBERS = ("TestNumbers", "TestTraffic")  # in a module of their own
INTERPRETED = (
    ("TestLengths", "TestTraffic"),
    ("TestParts", "TestRules", "TestNumbers"),
)  # a process each
needs_triton = pytest.mark.skipif(
    importlib.util.find_spec("triton") is None, reason="Triton is not installed (it needs Linux)"
)
needs_a_gpu = pytest.mark.skipif(
    not torch.cuda.is_available(), reason="there is no GPU here: the kernels are interpreted only"
)


def run_checks(groups, tmp_path, **variables):
    """Run groups of the checks in one process; fails with what it says."""
    environment = {name: value for name, value in os.environ.items() if name != VARIABLE}
    environment |= {"OMP_NUM_THREADS": "1", "PYTEST_ADDOPTS": ""} | variables
    checks = [f"{HERE / _module_of(group)}::{group}" for group in groups]
    options = ("-q", "-p", "no:cacheprovider", f"--basetemp={tmp_path / 'inner'}")
    command = [sys.executable, "-m", "pytest", *options, *checks]
    done = subprocess.run(
        command, cwd=HERE.parents[1], env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    assert int(re.search(r"(\d+) passed", done.stdout)[1]) > 5 * len(groups)


def _module_of(group):
    return "triton_numbers_checks.py" if group in OF_NUMBERS else "triton_checks.py"


@needs_triton
@pytest.mark.parametrize("groups", INTERPRETED, ids="+".join)
def test_the_kernels_are_right_in_the_interpreter(groups, tmp_path):
    run_checks(groups, tmp_path, **{VARIABLE: "1"})


@needs_triton
@needs_a_gpu
@pytest.mark.parametrize("group", GROUPS)
def test_the_kernels_are_right_on_a_gpu(group, tmp_path):
    run_checks([group], tmp_path)


# Refusals and choices; without a GPU nothing is launched


@pytest.fixture
def ready(monkeypatch):
    monkeypatch.setattr(flash_triton, "missing", lambda device: "")
    monkeypatch.setattr(flash_triton, "is_interpreted", lambda: False)


@pytest.mark.parametrize(
    ("widths", "dtype", "error", "sentence"),
    [
        ((4, 4, 4), torch.float64, TypeError, "flash_attention in flash.py also float64"),
        ((4, 4, 5), torch.float32, ValueError, "v has width 5 but q 4"),
        ((257, 257, 257), torch.float32, ValueError, "q has width 257; .* at most 256"),
        ((4, 5, 4), torch.float32, ValueError, "both need the same d"),
    ],
)
def test_what_the_kernels_cannot_compute_is_refused(ready, widths, dtype, error, sentence):
    given = [torch.zeros(3, width, dtype=dtype) for width in widths]
    with pytest.raises(error, match=sentence):
        flash_attention_triton(*given)


def test_a_sentence_says_what_is_missing(monkeypatch):
    given = [torch.zeros(3, 4)] * 3
    monkeypatch.setattr(flash_triton, "is_interpreted", lambda: False)
    monkeypatch.setattr(flash_triton, "has_triton", lambda: False)
    with pytest.raises(RuntimeError, match=r"Triton is not installed here .*flash\.py\.$"):
        flash_attention_triton(*given)
    monkeypatch.setattr(flash_triton, "has_triton", lambda: True)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(RuntimeError, match=r"No CUDA device is here; .*flash\.py"):
        flash_attention_triton(*given)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    with pytest.raises(RuntimeError, match="The tensors are on cpu"):
        flash_attention_triton(*given)
    assert missing("cuda") == ""


@pytest.mark.parametrize("name", ["q", "k"])
def test_lengths_beyond_32_bits_are_refused(ready, name):
    rows = {"q": torch.zeros(3, 4), "k": torch.zeros(3, 4)}
    rows[name] = torch.zeros(1, 4).expand(2**31, 4)  # one row, shown again and again
    with pytest.raises(ValueError, match=f"{name} has 2147483648 rows; these kernels count to"):
        flash_attention_triton(rows["q"], rows["k"], rows["k"])


def test_each_device_width_and_dtype_gets_its_tiles():
    for (kernel, bits, d, since), tiles in SHIPPED.items():
        dtype = torch.float32 if bits == 32 else torch.float16
        assert tiles_for(kernel, dtype, d, since) == tiles
        assert tiles_for(kernel, dtype, d - 1, since) == tiles
        assert tiles_for(kernel, dtype, d, since + 9) == tiles
        assert tiles_for(kernel, dtype, d, 75) == tile_sizes.OLDER
    assert tiles_for("forward", torch.float32, 1, 120) == SHIPPED["forward", 32, 64, 80]


# Which program is first; how long processors wait at the end, counted in tiles

H100 = flash_triton.Device(processors=132, cache_bytes=50 * 2**20)


def idle_share(loops, processors):
    """Of all processors' time, until the last is done, when each takes the next program."""
    free = [0] * processors
    for tiles in loops:
        heapq.heapreplace(free, free[0] + tiles)
    return 1 - sum(free) / processors / max(free)


@pytest.mark.parametrize("d", [64, 128])
@pytest.mark.parametrize(("n", "heads"), [(1024, 256), (2048, 32), (4096, 64), (16384, 16)])
def test_causal_programs_in_their_order_leave_few_processors_waiting(monkeypatch, n, heads, d):
    monkeypatch.setattr(flash_triton, "_device", lambda device: H100)
    side = flash_triton._side_by_side(heads, 2 * n * d * 2, torch.device("cuda"))
    assert side * 2 * n * d * 2 < H100.cache_bytes  # their keys and values stay in the cache
    longest_first = range(n // 128, 0, -1)
    order = [
        tiles
        for first in range(0, heads, side)
        for tiles in longest_first
        for _ in range(min(side, heads - first))
    ]
    assert sorted(order) == sorted([*longest_first] * heads)
    assert idle_share(order, H100.processors) < 0.035
    assert idle_share([*longest_first] * heads, H100.processors) > idle_share(
        order, H100.processors
    )
