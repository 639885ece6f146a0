"""The Triton kernels: their checks in the interpreter and on a GPU, and what the compiler makes.

The checks are those of triton_checks.py. One process runs a group of them, since Triton decides at
its import whether it interprets.
"""

import importlib.metadata
import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import torch

from course_lib.kernels import flash_triton
from course_lib.kernels.flash_triton import SHIPPED, flash_attention_triton, missing, tiles_for
from course_lib.kernels.interpreter import VARIABLE
from course_lib.measures import compiler_report
from course_lib.measures.compiler_report import LIMITS, compiler_reports, recorded

HERE = Path(__file__).parent
GROUPS = ("TestLengths", "TestRules", "TestNumbers")
INTERPRETED = (("TestLengths", "TestTraffic"), ("TestRules", "TestNumbers"))  # a process each
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
    checks = [f"{HERE / 'triton_checks.py'}::{group}" for group in groups]
    options = ("-q", "-p", "no:cacheprovider", f"--basetemp={tmp_path / 'inner'}")
    command = [sys.executable, "-m", "pytest", *options, *checks]
    done = subprocess.run(
        command, cwd=HERE.parents[1], env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    assert int(re.search(r"(\d+) passed", done.stdout)[1]) > 5 * len(groups)


@needs_triton
@pytest.mark.parametrize("groups", INTERPRETED, ids="+".join)
def test_the_kernels_are_right_in_the_interpreter(groups, tmp_path):
    run_checks(groups, tmp_path, **{VARIABLE: "1"})


@needs_triton
@needs_a_gpu
@pytest.mark.parametrize("group", GROUPS)
def test_the_kernels_are_right_on_a_gpu(group, tmp_path):
    run_checks([group], tmp_path)


# The compiler

COMPILED = [  # one for each kernel and kind of device; the record below has all
    ("forward", 128, "float16", 90),
    ("forward", 24, "bfloat16", 80),
    ("backward_q", 128, "float16", 90),
    ("backward_q", 64, "bfloat16", 80),
    ("backward_kv", 128, "bfloat16", 90),
    ("backward_kv", 128, "float16", 80),
    ("backward_kv", 64, "float32", 90),
]


def check_report(report, spills=0):
    assert report["spilled_bytes"] <= spills
    assert report["registers"] <= 255
    assert report["fits"]
    assert report["shared_bytes"] <= LIMITS[report["arch"]]
    wanted = {80: "HMMA", 90: "HGMMA"}[report["arch"]]
    assert report["tensor_cores"] == ("" if report["dtype"] == "float32" else wanted)
    assert not report["atomics"]


RULED = [  # with a window and a softcap; the last is one of the few that spill
    ("forward", 128, "bfloat16", 90),
    ("backward_q", 128, "bfloat16", 90),
    ("backward_kv", 128, "bfloat16", 90),
    ("forward", 64, "float16", 80),
]


def requests_for(kinds, *ruled):
    return [
        (kernel, tiles_for(kernel, getattr(torch, dtype), d, arch), d, dtype, arch, *ruled)
        for kernel, d, dtype, arch in kinds
    ]


@needs_triton
def test_shipped_tiles_compile_without_spills(tmp_path, monkeypatch):
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path))
    requests = requests_for(COMPILED) + requests_for(RULED, "ruled")
    reports = compiler_reports(requests, seconds=500)
    assert [(x["kernel"], x["d"], x["dtype"], x["arch"]) for x in reports] == COMPILED + RULED
    # The tiles were chosen with one compiler; another may lack a register or two.
    same = importlib.metadata.version("triton") == recorded()["versions"]["triton"]
    for n, report in enumerate(reports):
        check_report(report, spills=(0 if same else 16) + (16 if n >= len(COMPILED) else 0))


@pytest.mark.parametrize("kind", ["shipped", "ruled"])
def test_all_shipped_tiles_have_a_clean_report(kind):
    shipped = recorded()[kind]
    for report in shipped:
        check_report(report, spills=16 if kind == "ruled" else 0)
    keys = ("kernel", "dtype", "d", "arch", "block_q", "block_k", "warps", "stages")
    told = {tuple(one[key] for key in keys) for one in shipped}
    wanted = {
        (kernel, dtype, d, arch, *tiles_for(kernel, getattr(torch, dtype), d, arch))
        for kernel in ("forward", "backward_q", "backward_kv")
        for dtype in ("float16", "bfloat16", "float32")
        for d in (64, 128, 256)
        for arch in (80, 90)
    }
    assert told == wanted


def test_the_reports_are_about_the_kernels_as_they_are():
    command = "python -m course_lib.measures.compiler_report --publish"
    assert recorded()["code"] == compiler_report.fingerprint(), f"the kernels changed: {command}"


def test_the_series_shows_spills_and_none():
    series = recorded()["series"]
    assert {one["spilled_bytes"] > 0 for one in series} == {True, False}
    by_tiles = {
        (one["block_q"], one["block_k"], one["warps"], one["stages"]): one for one in series
    }
    few, many = by_tiles[128, 64, 4, 2], by_tiles[128, 64, 8, 2]
    assert few["spilled_bytes"] > many["spilled_bytes"] == 0


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
        assert tiles_for(kernel, dtype, d, 75) == flash_triton.OLDER
    assert tiles_for("forward", torch.float32, 1, 120) == SHIPPED["forward", 32, 64, 80]
