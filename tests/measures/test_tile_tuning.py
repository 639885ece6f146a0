"""Tuning without a GPU: what is tried, what wins, where it is kept, who asks for it."""

import json

import pytest
import torch

from course_lib.kernels import flash_triton, tile_sizes
from course_lib.kernels.tile_sizes import Tiles, tiles_for
from course_lib.measures import tile_tuning
from course_lib.measures.tile_tuning import LIST, NO_GPU, candidates, publish, tune

SMALL, LARGE, HUGE, FALSE = (Tiles(n, n, 4, 2) for n in (16, 64, 256, 128))


def timed(kernel, d, tiles):
    if tiles == HUGE:
        raise MemoryError("out of shared memory\nand more")
    if tiles == FALSE:
        raise ArithmeticError("3 times the plain formula's error")
    return {SMALL: 3.0, LARGE: 2.0}[tiles]


@pytest.fixture
def kept(monkeypatch, tmp_path):
    """An empty place for what won."""
    monkeypatch.setattr(tile_sizes, "files", lambda package: tmp_path)
    tile_sizes.tuned.cache_clear()
    yield tmp_path / tile_sizes.TUNED
    tile_sizes.tuned.cache_clear()


def test_the_fastest_that_is_right_and_fits_wins():
    best, found = tune("forward", 64, (SMALL, LARGE, HUGE, FALSE), timed)
    assert best == LARGE
    assert found == {
        "16x16x4x2": 3.0,
        "64x64x4x2": 2.0,
        "256x256x4x2": "MemoryError: out of shared memory",
        "128x128x4x2": "ArithmeticError: 3 times the plain formula's error",
    }


def test_where_none_runs_none_wins():
    assert tune("forward", 64, (HUGE,), timed)[0] is None


@pytest.mark.parametrize("kernel", LIST)
@pytest.mark.parametrize("d", [64, 128, 256])
def test_the_shipped_tiles_are_tried_first_and_the_list_is_short(kernel, d):
    tried = candidates(kernel, d)
    assert tried[0] == tile_sizes.SHIPPED.get((kernel, 16, d, 90), tiles_for(kernel, torch.half, d))
    assert len(set(tried)) == len(tried) <= 7


def test_what_won_is_taken_on_this_device_and_on_no_other(kept):
    pytest.importorskip("triton", reason="Triton is not installed (it needs Linux)")
    shipped = tiles_for("forward", torch.float16, 100)
    assert tiles_for("forward", torch.float16, 100, device="H100") == shipped
    publish({"forward,16,128": SMALL}, "H100", kept)
    publish({"forward,16,128": LARGE}, "A100", kept)
    assert tiles_for("forward", torch.float16, 100, device="H100") == SMALL
    assert tiles_for("forward", torch.bfloat16, 128, 80, device="A100") == LARGE
    assert tiles_for("forward", torch.float32, 128, device="H100").block_q != SMALL.block_q
    assert tiles_for("forward", torch.float16, 64, device="H100") == tiles_for(
        "forward", torch.float16, 64
    )
    assert tiles_for("forward", torch.float16, 100) == shipped
    record = json.loads(kept.read_text())
    assert set(record) == {"H100", "A100"}
    assert set(record["H100"]) == {"date", "versions", "tiles"}
    assert set(record["H100"]["versions"]) == {"torch", "triton", "cuda"}


def test_a_launch_asks_by_the_name_of_its_device(kept, monkeypatch):
    kept.write_text(json.dumps({"own": {"tiles": {"forward,16,64": SMALL}}}))
    q = torch.zeros(1, 1, 20, 64, dtype=torch.float16)
    assert flash_triton._tiles("forward", q, {}) == tiles_for("forward", q.dtype, 64)
    monkeypatch.setattr(flash_triton, "_device", lambda device: flash_triton.Device(name="own"))
    assert flash_triton._tiles("forward", q, {}) == SMALL
    assert flash_triton._tiles("forward", q, {"forward": LARGE}) == LARGE
    assert flash_triton._tiles("forward", q[..., :16, :], {}) == tiles_for("few", q.dtype, 64)


def test_without_a_gpu_one_sentence_is_printed(monkeypatch, capsys):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.setattr("sys.argv", ["tile_tuning"])
    tile_tuning.main()
    assert capsys.readouterr().out == NO_GPU + "\n"
