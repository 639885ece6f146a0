"""Chapter 7's sizes: heads that are cut and dragged, what a cache takes, and how many texts fit."""

import numpy as np
import pytest
import torch

from course_lib.chapters.multi_head.explorers.cache import (
    CARD,
    MODELS,
    SHARED,
    explore_cache,
)
from course_lib.chapters.multi_head.explorers.fixed_width import (
    HEAD_WIDTH,
    SLOT,
    WIDTH,
    explore_fixed_width,
)
from course_lib.kernels.kv_cache import cache_bytes
from tests.chapters.samples import data_of

# Heads at fixed width


@pytest.mark.parametrize("heads", [1, 2, 8, 64])
def test_learned_numbers_stay_and_scores_grow_with_the_heads(heads):
    data, one = data_of(explore_fixed_width, heads=heads), data_of(explore_fixed_width, heads=1)
    layer = torch.nn.MultiheadAttention(WIDTH, heads, bias=False)
    assert data["parameters"] == sum(w.numel() for w in layer.parameters())
    assert data["gflop"] == one["gflop"]
    assert data["mib"] == heads * one["mib"] == heads * 4


def test_heads_that_keep_their_width_cost_more_to_learn():
    at_eight = data_of(explore_fixed_width, heads=WIDTH // HEAD_WIDTH, keep_width=True)
    usual = data_of(explore_fixed_width, heads=WIDTH // HEAD_WIDTH)
    np.testing.assert_array_equal(at_eight["times"], usual["times"])
    double = data_of(explore_fixed_width, heads=16, keep_width=True)
    np.testing.assert_allclose(double["times"], usual["times"] * 2)


def asked(explorer, name, **at):
    """The values that a handle asks for at a place."""
    return explorer.handles[name].asks(at["xy"], {**explorer.start, **at.get("params", {})}, 0)


def test_the_edge_of_a_head_is_dragged_to_a_number_of_heads():
    assert asked(explore_fixed_width, "cut", xy=(7 / 8, 0.5)) == {"heads": 8}
    assert asked(explore_fixed_width, "cut", xy=(0.7, 0.5)) == {"heads": 4}
    for far, heads in ((-5.0, 1), (9.0, 64)):
        assert asked(explore_fixed_width, "cut", xy=(far, 0.0)) == {"heads": heads}
    kept = {"keep_width": True}
    assert asked(explore_fixed_width, "cut", xy=(2.15, 0.5), params=kept) == {"heads": 16}


def test_as_many_slices_and_tables_are_seen_as_there_are_heads():
    session = explore_fixed_width._ours()
    session.draw(explore_fixed_width.frame(heads=16, words=1024))
    left, right = session.picture("one").figure.axes
    slices = [one for one in left.patches if one.get_visible() and one.get_fill()]
    assert len(slices) == 16
    assert sum(one.get_width() for one in slices) == pytest.approx(1)
    tables = [one for one in right.patches if one.get_visible() and one.get_fill()]
    assert [one.get_width() for one in tables] == [SLOT] * 16


# The cache


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("kv_heads", SHARED)
def test_the_cache_is_that_of_the_kernel(model, kv_heads):
    layers, heads, _, d, _ = MODELS[model]
    data = data_of(explore_cache, model=model, kv_heads=kv_heads, tokens=8192, people=2)
    for found, g in (("caches", kv_heads), ("unshared", heads)):
        want = 2 * cache_bytes(8192, layers=layers, n_kv_heads=g, d=d) / 1e9
        assert data[found] == pytest.approx(want)


def test_the_published_sizes():
    def kib_of_a_token(name):
        data = data_of(explore_cache, model=name, kv_heads=8, tokens=1024, people=1)
        return [round(data[found] * 1e9 / 2**20) for found in ("unshared", "caches")]

    assert kib_of_a_token("Llama-3-8B") == kib_of_a_token("Mistral-7B") == [512, 128]
    assert kib_of_a_token("Llama-3-70B") == [2560, 320]
    weights = {name: round(data_of(explore_cache, model=name)["weights"]) for name in MODELS}
    assert weights == {"Llama-3-8B": 16, "Llama-3-70B": 141, "Mistral-7B": 14}


def test_fifty_nine_texts_fill_a_card_and_one_more_does_not_fit():
    session = explore_cache._ours()
    reached = [
        people
        for people in range(1, 65)
        if session.reached(explore_cache.frame(kv_heads=8, people=people))
    ]
    assert reached == [59]
    data = data_of(explore_cache, kv_heads=8, people=60)
    assert data["weights"] + data["caches"] > CARD
    assert data["cards"] == 2


@pytest.mark.parametrize(("model", "heads"), [("Llama-3-8B", 32), ("Llama-3-70B", 64)])
def test_each_head_of_queries_is_linked_to_the_head_of_its_group(model, heads):
    session = explore_cache._ours()
    session.draw(explore_cache.frame(model=model, kv_heads=4))
    axes = session.picture("one").figure.axes[0]
    _, links, _ = axes.collections
    ends = [segment[1][0] for segment in links.get_segments()]
    np.testing.assert_allclose(ends, np.repeat((np.arange(4) + 0.5) / 4, heads // 4))


def test_one_card_and_two_are_drawn_alike_and_no_outline_leaves_the_bar():
    grey, ghosts = [], []
    for setting in ({"kv_heads": 1}, {"kv_heads": 32}, {"kv_heads": 1, "people": 64}):
        session = explore_cache._ours()
        session.draw(explore_cache.frame(**setting))
        _, parameters, *_, ghost = [
            patch for patch in session.picture("one").figure.axes[1].patches if patch.get_clip_on()
        ]
        grey.append(parameters.get_width())
        ghosts.append(ghost.get_width())
    assert grey == pytest.approx([data_of(explore_cache)["weights"] / (2 * CARD)] * 3)
    assert ghosts[0] == ghosts[1] == pytest.approx((16.06 + 68.72) / (2 * CARD), abs=0.001)
    assert ghosts[2] == 1
