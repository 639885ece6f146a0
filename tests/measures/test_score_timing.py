"""What is timed computes what it says, and the recorded ratios say what chapter 2 says of them."""

import json
from pathlib import Path

import numpy as np
import pytest

from course_lib.kernels.scores import (
    additive_scores,
    bilinear_scores,
    cosine_scores,
    dot_scores,
)
from course_lib.measures import score_timing
from course_lib.measures.score_timing import PAIRS, measure, recorded, ways

RESULTS = Path(__file__).resolve().parents[2] / "benchmarks" / "results"
D = 7


def drawn(d=D, seed=0):
    """The arrays that `ways` draws, in its order."""
    rng = np.random.default_rng(seed)
    q, k = (rng.standard_normal((score_timing.ROWS, d), dtype=np.float32) for _ in range(2))
    w = rng.standard_normal((d, d), dtype=np.float32) / d
    return q, k, w, rng.standard_normal(d, dtype=np.float32)


def test_every_way_computes_the_score_that_it_is_named_after():
    q, k, w, v = (one.astype(float) for one in drawn())
    found = {name: run() for name, (run, _) in ways(D, np.random.default_rng(0)).items()}
    want = {
        "dot": dot_scores(q, k),
        "cosine": cosine_scores(q, k),
        "bilinear": bilinear_scores(q, k, w),
        "additive": additive_scores(q, k, w, w, v),
        "additive, without its tanh": (q @ w @ v)[:, None] + k @ w @ v,
    }
    want["bilinear, pair by pair"] = np.diag(want["bilinear"])[:PAIRS]
    for name, table in found.items():
        expected = want.get(name, want[name.replace(" again", "").split(",")[0]])
        np.testing.assert_allclose(table, expected, rtol=0, atol=2e-5, err_msg=name)


def test_ratios_are_to_the_dot_product_and_ordered(monkeypatch):
    monkeypatch.setattr(score_timing, "ENOUGH", 0.0)
    found = measure(d=2, rounds=3)
    assert {"dot", *found} == set(ways(2, np.random.default_rng(0)))
    for middle, low, high in found.values():
        assert 0 < low <= middle <= high
    with pytest.raises(ValueError, match="at least 3"):
        measure(d=2, rounds=2)


def test_the_published_record_is_one_of_the_results():
    assert recorded() in [json.loads(one.read_text()) for one in RESULTS.glob("score_cost-*.json")]


def test_the_record_says_what_the_chapter_says():
    for ratios in recorded()["ratios"].values():
        middle = {way: three[0] for way, three in ratios.items()}
        assert 0.9 < middle["dot again"] < 1.1
        assert 0.9 < middle["cosine, rows stored at length 1"] < 1.1
        assert middle["cosine, rows brought to length 1"] < 1.6
        assert middle["bilinear, q w once"] < 2.2
        assert middle["additive"] > 20
        assert middle["additive, without its tanh"] > 10
        assert middle["bilinear, pair by pair"] > 100
