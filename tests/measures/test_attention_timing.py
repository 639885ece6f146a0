"""The race of attentions, at tiny sizes on the CPU: what is checked, timed, noted and saved."""

import json
import types

import pytest
import torch

from benchmarks import attention as benchmark
from course_lib.measures import attention_timing
from course_lib.measures.attention_timing import CONTENDERS, Case, error_ratio, matmul_rate, race

TINY = Case(32, 16, tokens=64, width=32, dtype="float32", device="cpu")
ALL = [TINY._replace(causal=causal, backward=back) for causal in (False, True)
       for back in (False, True)]  # fmt: skip
TINY_OPTIONS = ["--device", "cpu", "--dtype", "float32", "--tokens", "64", "--model-width", "32",
                "--widths", "16", "--lengths", "32", "--contenders", "math", "tiled"]  # fmt: skip


def quiet(line):
    """Announce nothing."""


def test_the_shapes_and_the_counts_are_those_of_the_papers():
    case = Case(4096)
    assert case.shape == (4, 16, 4096, 128)
    assert case.operations == 4 * 4 * 16 * 4096**2 * 128
    assert case._replace(causal=True).operations == case.operations / 2
    assert case._replace(backward=True).operations == case.operations * 2.5
    assert Case(32768, 64).shape == (1, 32, 32768, 64)


@pytest.mark.parametrize("case", ALL, ids=str)
@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
@pytest.mark.parametrize("name", ["math", "tiled", "flash"])
def test_right_contenders_are_found_right(name, case, dtype):
    assert error_ratio(CONTENDERS[name], case._replace(dtype=dtype)) <= 2


def wrong_scale(q, k, v, causal):
    return CONTENDERS["math"](1.001 * q, k, v, causal)


def looks_ahead(q, k, v, causal):
    return CONTENDERS["math"](q, k, v, False)


def gives_nan(q, k, v, causal):
    return CONTENDERS["math"](q, k, v, causal) * torch.nan


def wrong_gradient(q, k, v, causal):
    out = CONTENDERS["math"](q, k, v, causal)
    return out + 0.01 * (q - q.detach())


def test_wrong_contenders_are_found_wrong():
    forward, causal, backward = TINY, TINY._replace(causal=True), TINY._replace(backward=True)
    assert error_ratio(wrong_scale, forward) > 2
    assert error_ratio(looks_ahead, forward) <= 2 < error_ratio(looks_ahead, causal)
    assert error_ratio(gives_nan, forward) == torch.inf
    assert error_ratio(wrong_gradient, forward) <= 2 < error_ratio(wrong_gradient, backward)


def test_a_race_times_what_is_right_in_turn_and_notes_what_is_not(monkeypatch):
    def fails(q, k, v, causal):
        raise RuntimeError("no such kernel\nand more")

    for name, run in {"wrong": wrong_scale, "fails": fails}.items():
        monkeypatch.setitem(CONTENDERS, name, run)
    told = []
    found = race(TINY, ["wrong", "math", "fails", "tiled"], rounds=2, announce=told.append)
    assert list(found) == ["wrong", "math", "fails", "tiled", "math again"]
    assert found["wrong"]["error"].startswith("wrong: ")
    assert found["fails"] == {"error": "RuntimeError: no such kernel"}
    assert "ms" not in found["wrong"]
    for name in ("math", "tiled", "math again"):
        assert len(found[name]["ms"]) == 2
        assert found[name]["tflops"] > 0
    turns = ["begin math", "begin tiled", "begin math again"]
    assert told == [f"begin {name}" for name in ("wrong", "math", "fails", "tiled")] + 2 * turns


def test_nobody_right_is_no_race(monkeypatch):
    monkeypatch.setitem(CONTENDERS, "wrong", wrong_scale)
    assert list(race(TINY, ["wrong"], announce=quiet)) == ["wrong"]


def test_a_rate_is_operations_over_time(monkeypatch):
    monkeypatch.setattr(attention_timing, "_on_the_cpu", lambda work: 4.0)
    found = race(TINY, ["math"], rounds=1, announce=quiet)
    assert found["math"]["tflops"] == pytest.approx(TINY.operations / 4e-3 / 1e12, rel=1e-3)
    assert matmul_rate("cpu", "float32", 100) == pytest.approx(2 * 100**3 / 4e-3 / 1e12, rel=1e-3)


def test_there_is_a_record_only_when_one_was_published(monkeypatch, tmp_path):
    monkeypatch.setattr(attention_timing, "files", lambda name: tmp_path)
    assert attention_timing.recorded() is None
    (tmp_path / attention_timing.RECORD).write_text('{"device": "d"}')
    assert attention_timing.recorded() == {"device": "d"}


# benchmarks/attention.py


def test_without_a_gpu_one_sentence_is_printed(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    assert benchmark.main(["--results", str(tmp_path)]) == 0
    assert capsys.readouterr().out == benchmark.NO_GPU + "\n"
    assert not list(tmp_path.iterdir())


def test_a_case_runs_in_a_process_of_its_own():
    found = benchmark.run_case(TINY, ["math", "tiled"], rounds=2, seconds=120)
    assert list(found) == ["math", "tiled", "math again"]
    assert len(found["tiled"]["ms"]) == 2


def test_who_hangs_or_dies_is_noted_and_the_others_run_again(monkeypatch, tmp_path):
    (tmp_path / "a_race.py").write_text(
        "import json, sys, time\n"
        "names = json.loads(sys.argv[1])['names']\n"
        "for name in names:\n"
        "    print('begin', name, flush=True)\n"
        "    time.sleep(60 * (name == 'slow'))\n"
        "    assert name != 'dies'\n"
        "print(json.dumps({name: {'tflops': 1} for name in names}))\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    race_module = types.SimpleNamespace(__name__="a_race")
    monkeypatch.setattr(benchmark, "attention_timing", race_module)
    found = benchmark.run_case(TINY, ["good", "dies", "slow", "other"], rounds=1, seconds=4)
    assert found["good"] == found["other"] == {"tflops": 1}
    assert found["dies"] == {"error": "ended with 1"}
    assert found["slow"] == {"error": "no answer after 4 s"}


def test_all_cases_are_printed_and_saved_with_device_versions_and_date(
    monkeypatch, capsys, tmp_path
):
    def instantly(case, names, rounds, seconds):
        return race(case, names, rounds=1, announce=quiet)

    monkeypatch.setattr(benchmark, "run_case", instantly)
    assert benchmark.main([*TINY_OPTIONS, "--results", str(tmp_path)]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in printed[1:5]] == [
        "forward",
        "forward",
        "backward",
        "backward",
    ]
    assert printed[-2].startswith("the same thing measured twice differs by ")
    (path,) = tmp_path.iterdir()
    saved = json.loads(path.read_text())
    assert {"date", "device", "torch", "dtype", "product_tflops", "cases"} <= set(saved)
    told = [(one["causal"], one["backward"]) for one in saved["cases"]]
    assert told == [(False, False), (True, False), (False, True), (True, True)]
    for one in saved["cases"]:
        assert list(one["found"]) == ["math", "tiled", "math again"]


def test_the_summary_compares_ours_with_the_others():
    found = {"ours": {"tflops": 300}, "flash": {"tflops": 200.0}, "cudnn": {"error": "no kernel"}}
    told = benchmark.summary(Case(1024, 64, True), found, 600.0)
    assert told.startswith("forward  d=64  n=1024  causal  ours 300, flash 200,")
    assert told.endswith("cudnn: no kernel, ours/flash 1.50, 50% of the product's rate")


def test_the_table_of_scores_takes_part_only_where_it_is_small():
    names = ["ours", "math"]
    assert benchmark.contenders(Case(2048), names) == names
    assert benchmark.contenders(Case(4096), names) == ["ours"]
