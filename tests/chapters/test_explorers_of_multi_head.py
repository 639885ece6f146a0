"""What the pictures of chapter 7 claim."""

import numpy as np
import pytest
import torch

from course_lib.chapters.multi_head.explorers.cache import MODELS, explore_cache
from course_lib.chapters.multi_head.explorers.fixed_width import (
    HEAD_WIDTH,
    WIDTH,
    explore_fixed_width,
)
from course_lib.chapters.multi_head.explorers.quieter_head import (
    CHANCE,
    TEXT,
    explore_quieter_head,
    multi_head_of_course,
)
from course_lib.kernels.heads import multi_head_attention
from course_lib.kernels.kv_cache import cache_bytes


def data_of(explorer, **setting):
    return explorer.frame(**setting).right


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


# A head made quieter


def without(layer, head):
    return data_of(explore_quieter_head, layer=layer, head=head, loudness=0.0)["share"]


def test_one_head_is_the_bolt_and_four_are_cables():
    assert without(0, 1) < 0.2
    assert all(without(1, head) > 0.95 for head in range(4))
    assert without(0, 1) > CHANCE


def test_the_quieter_the_bolt_the_less_is_right():
    shares = [
        data_of(explore_quieter_head, layer=0, head=1, loudness=loud)["share"]
        for loud in (0.0, 0.1, 0.3, 0.5, 1.0)
    ]
    assert shares == sorted(shares)


def test_the_second_layer_looks_behind_the_last_time_until_the_bolt_is_off():
    half = len(TEXT) // 2
    places = np.arange(half + 1, len(TEXT))
    held = data_of(explore_quieter_head)["looks"][places, places - half + 1].mean()
    lost = data_of(explore_quieter_head, layer=0, head=1, loudness=0.0)["looks"]
    assert held > 0.8
    assert lost[places, places - half + 1].mean() < held / 2


def test_without_head_2_the_letter_after_the_second_f_goes_wrong():
    half = len(TEXT) // 2
    says = data_of(explore_quieter_head, layer=0, head=2, loudness=0.0)["says"]
    wrong = [i for i in range(half + 1, len(TEXT)) if says[i - 1] != TEXT[i]]
    assert [(TEXT[i - 1], TEXT[i], says[i - 1]) for i in wrong] == [("f", "e", "f")]


def test_a_learners_heads_drive_the_model():
    seen = []

    def watched(x, w_q, w_k, w_v, w_o, heads, mask=None):
        seen.append((x.shape[1], heads, mask is not None))
        return multi_head_of_course(x, w_q, w_k, w_v, w_o, heads, mask)

    session = explore_quieter_head.session(multi_head=watched)
    assert "Your multi_head draws this" in session.sentence(session.start)
    assert {(heads, masked) for _, heads, masked in seen} == {(4, True)}


def test_heads_without_the_mask_are_drawn_beside_the_right_ones():
    def no_mask(x, w_q, w_k, w_v, w_o, heads, mask=None):
        return multi_head_attention(x, w_q, w_k, w_v, w_o, heads)

    session = explore_quieter_head.session(multi_head=no_mask)
    assert len(session.draw(session.start)) == 2


# The cache


@pytest.mark.parametrize("model", MODELS)
def test_the_cache_is_that_of_the_kernel(model):
    layers, heads, groups, d, _ = MODELS[model]
    gib = data_of(explore_cache, model=model, tokens=8192, people=2)["gib"]
    want = [
        2 * cache_bytes(8192, layers=layers, n_kv_heads=g, d=d) / 2**30 for g in (heads, groups, 1)
    ]
    np.testing.assert_allclose(gib, want)


def test_the_published_sizes():
    per_token = {name: data_of(explore_cache, model=name, tokens=1024)["gib"][:2] * 1024
                 for name in MODELS}  # fmt: skip
    assert per_token["Llama-3-8B"].tolist() == per_token["Mistral-7B"].tolist() == [512, 128]
    assert per_token["Llama-3-70B"].tolist() == [2560, 320]
    weights = {name: round(data_of(explore_cache, model=name)["weights"]) for name in MODELS}
    assert weights == {"Llama-3-8B": 15, "Llama-3-70B": 131, "Mistral-7B": 13}
