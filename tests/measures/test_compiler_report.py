"""What the compiler makes of the Triton kernels, now and as it was recorded."""

import importlib.metadata
import importlib.util

import pytest
import torch

from course_lib.kernels.tile_sizes import tiles_for
from course_lib.measures import compiler_report
from course_lib.measures.compiler_report import LIMITS, compiler_reports, recorded

needs_triton = pytest.mark.skipif(
    importlib.util.find_spec("triton") is None, reason="Triton is not installed (it needs Linux)"
)
COMPILED = [  # each kernel, dtype and kind of device at least once; the record below has all
    ("forward", 128, "float16", 90),
    ("forward", 24, "bfloat16", 80),
    ("backward_q", 64, "bfloat16", 80),
    ("backward_kv", 128, "bfloat16", 90),
    ("backward_kv", 64, "float32", 90),
]


def check_report(report, spills=0):
    assert report["spilled_bytes"] <= spills
    assert report["registers"] <= 255
    assert report["fits"]
    assert report["shared_bytes"] <= LIMITS[report["arch"]]
    wanted = {80: "HMMA", 90: "HMMA" if report["kernel"] == "few" else "HGMMA"}[report["arch"]]
    assert report["tensor_cores"] == ("" if report["dtype"] == "float32" else wanted)
    assert not report["atomics"]
    assert report["loop"]["spills"] == 0


def check_loop(report):
    """A turn of the loop over whole tiles."""
    loop, each = report["loop"], report["block_q"] * report["block_k"] // (32 * report["warps"])
    if report["dtype"] == "float32":
        return
    # A mask would be two for each score; what is left is for the rows of tiles that are loaded.
    assert loop["comparisons"] < max(each, 34)
    assert loop["fused"] >= each  # scale and maximum in one step
    assert loop["waits"] <= 12  # more: the tensor cores' products wait for each other


RULED = [  # with a window and a softcap; the last is one of the few that spill
    ("backward_q", 128, "bfloat16", 90),
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
        check_report(report, spills=48 if same else 64)
        if n < len(COMPILED):
            check_loop(report)


@pytest.mark.parametrize("kind", ["shipped", "ruled"])
def test_all_shipped_tiles_have_a_clean_report(kind):
    shipped = recorded()[kind]
    for report in shipped:
        if kind == "shipped":
            check_report(report, spills=24)
            check_loop(report)
        else:  # of the widest heads backward_q spills more
            check_report(report, 272 if report["kernel"] == "backward_q" else 48)
    keys = ("kernel", "dtype", "d", "arch", "block_q", "block_k", "warps", "stages")
    told = {tuple(one[key] for key in keys) for one in shipped}
    wanted = {
        (kernel, dtype, d, arch, *tiles_for(kernel, getattr(torch, dtype), d, arch))
        for kernel in ("forward", "few", "backward_q", "backward_kv")
        for dtype in ("float16", "bfloat16", "float32")
        for d in (64, 128, 256)
        for arch in (80, 90)
    }
    assert told == wanted


def test_the_reports_are_about_the_kernels_as_they_are():
    command = "python -m course_lib.measures.compiler_report --publish"
    assert recorded()["code"] == compiler_report.code_hash(), f"the kernels changed: {command}"


def test_the_series_shows_spills_and_none():
    series = recorded()["series"]
    assert {one["spilled_bytes"] > 0 for one in series} == {True, False}
    by_tiles = {
        (one["block_q"], one["block_k"], one["warps"], one["stages"]): one for one in series
    }
    few, many = by_tiles[128, 64, 4, 2], by_tiles[128, 64, 8, 2]
    assert few["spilled_bytes"] > many["spilled_bytes"] == 0
