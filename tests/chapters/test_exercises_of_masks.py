"""What the data of chapter 6's exercises cannot say."""

import numpy as np
import pytest
import torch

from course_lib.chapters.masks import handout, layers
from course_lib.chapters.masks.exercises.rotate import rotate
from course_lib.judging import judge
from course_lib.judging.tensors import drawn
from course_lib.kernels import positions
from course_lib.kernels.positions import frequencies, rotary


def test_turning_by_place_times_frequency_is_the_rotary_kernel():
    x = torch.randn(7, 6, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    angles = torch.arange(7)[:, None] * frequencies(6)
    torch.testing.assert_close(rotate(x, angles), rotary(x), rtol=0, atol=1e-14)


def test_the_core_is_what_is_not_marked_as_depth():
    core = [name for name, exercise in handout.exercises.items() if not exercise.depth]
    assert core == ["causal_weights", "leaks", "rope_scores"]


def test_half_an_angle_is_not_told_that_sine_and_cosine_are_exchanged():
    found = judge("06_masks/rotate", lambda x, angles: rotate(x, angles / 2))
    assert found.state == "wrong"
    assert "exchanged" not in found.text


def test_leaks_is_told_how_many_of_its_layers_leak():
    leaks = handout.exercises["leaks"]
    cases = [case(np.random.default_rng(0)) for case in leaks.cases]
    found = sum(leaks.answer(*case.args) for case in cases)
    assert (found, len(cases)) == (10, 19)
    assert leaks.reward.startswith("Ten of the nineteen layers")


@pytest.mark.parametrize("begin", [lambda t: t // 2, lambda t: t - 2, lambda t: 2])
def test_leaks_names_one_block_of_random_words(begin):
    def leaks(layer, x):
        start = begin(len(x))
        changed = x.clone()
        changed[start:] = torch.randn(x[start:].shape)
        return not torch.allclose(layer(changed)[:start], layer(x)[:start], atol=1e-6)

    found = judge("06_masks/leaks", leaks)
    assert found.state == "wrong"
    assert "one block of words" in found.text


def test_leaks_names_a_copy_made_before_the_loop():
    def leaks(layer, x):
        before, changed = layer(x), x.clone()
        for j in range(len(x)):
            changed[j] = torch.randn(x.shape[1])
            if not torch.allclose(layer(changed)[:j], before[:j], atol=1e-4):
                return True
        return False

    found = judge("06_masks/leaks", leaks)
    assert found.state == "wrong"
    assert "Is the copy made before the loop?" in found.diagnosis


def _compared(differ):
    """The verdict on an answer to leaks that is right but for how it compares."""

    def leaks(layer, x):
        before = layer(x)
        for j in range(len(x)):
            changed = x.clone()
            changed[j] = torch.randn(x.shape[1])
            if differ(layer(changed)[:j], before[:j]):
                return True
        return False

    return judge("06_masks/leaks", leaks)


@pytest.mark.parametrize(
    "differ",
    [
        lambda after, before: bool((after != before).any()),
        lambda after, before: not torch.equal(after, before),
        lambda after, before: bool((after - before).abs().sum() > 0),
    ],
)
def test_leaks_names_a_comparison_that_leaves_no_room_for_rounding(differ):
    found = _compared(differ)
    assert found.state == "wrong"
    assert "You asked for exactly equal numbers" in found.diagnosis
    assert "by a + 5" in found.diagnosis


@pytest.mark.parametrize(
    "differ",
    [
        lambda after, before: not torch.allclose(after, before),
        lambda after, before: bool(((after - before).abs() > 1e-6).any()),
        lambda after, before: bool((after - before).abs().sum() > 1e-4),
        lambda after, before: not torch.equal(after.round(decimals=3), before.round(decimals=3)),
    ],
)
def test_leaks_takes_any_comparison_that_leaves_room_for_rounding(differ):
    assert _compared(differ).state == "right"


@pytest.mark.parametrize("seed", range(20))
def test_an_honest_layer_changes_its_last_digits_and_no_others_with_a_later_word(seed):
    x = drawn(np.random.default_rng(seed), 6, 5)
    changed = x.clone()
    changed[5] = torch.randn(5, generator=torch.Generator().manual_seed(seed))
    before, after = (layers.rounds_otherwise(one)[:5] for one in (x, changed))
    assert bool((before != after).any())
    torch.testing.assert_close(after, before, rtol=1e-6, atol=0)


@pytest.mark.parametrize("equal_nan", [True, False])
def test_a_nan_that_stays_is_taken_for_a_leak_as_the_chapter_says(equal_nan):
    def nan_at_first(x):
        return torch.cat((torch.full((1, 3), torch.nan), x[1:]))

    def leaks(layer, x):
        changed = torch.cat((x[:-1], x[-1:] + 1))
        return not torch.allclose(layer(x)[:-1], layer(changed)[:-1], equal_nan=equal_nan)

    words = torch.ones(3, 3)
    assert leaks(nan_at_first, words) is not equal_nan
    assert bool((nan_at_first(words) != nan_at_first(words))[0].all())
    assert not handout.exercises["leaks"].answer(nan_at_first, words)


def test_a_right_leaks_is_told_which_comparison_cannot_see_an_output_become_nan():
    before, became_nan = torch.ones(3), torch.full((3,), torch.nan)
    assert not ((became_nan - before).abs() > 1e-4).any()
    assert not torch.allclose(became_nan, before, atol=1e-4)
    reward = handout.exercises["leaks"].reward
    assert "NaN > 1e-4 is False, so torch.allclose alone sees it." in reward
    assert "Both > and torch.allclose are right here." in reward


def test_what_may_be_wrong_in_a_mask_stands_open():
    assert handout.exercises["causal_weights"].unfolded


def test_causal_weights_is_told_how_many_weights_of_a_long_text_are_0():
    above = sum(4096 - 1 - place for place in range(4096))
    assert f"{above:,}" in handout.exercises["causal_weights"].reward


def test_decode_is_told_how_many_queries_it_saves():
    assert f"{sum(range(1, 1001)):,}" in handout.exercises["decode"].reward


def test_luis_and_pays_are_as_far_apart_as_the_chapter_says():
    pays, luis = torch.tensor([[0.0, 1.0], [2.0, -1.0]])
    apart = torch.rad2deg(torch.acos(torch.cosine_similarity(pays, luis, dim=0)))
    one_place = torch.rad2deg(frequencies(4)[0])
    assert (round(float(apart)), round(float(one_place))) == (117, 57)


def _with_angles(angles_of):
    """An answer to rope_scores that is right but for its angles."""

    def rope_scores(q, k):
        angles = angles_of(*q.shape)
        turned = positions.rotate(q, angles), positions.rotate(k, angles)
        return turned[0] @ turned[1].T / q.shape[1] ** 0.5

    return judge("06_masks/rope_scores", rope_scores)


def test_flat_angles_are_told_their_shape_and_how_places_become_a_column():
    found = _with_angles(lambda n, d: torch.arange(n) * frequencies(d))
    assert "the angles have shape (2,); expected (2, 1)" in found.text
    assert "two flat rows" in found.diagnosis
    assert _with_angles(lambda n, d: torch.arange(n)[:, None] * frequencies(d)).state == "right"


@pytest.mark.parametrize(
    "angles_of",
    [
        lambda n, d: torch.arange(d)[:, None] * frequencies(d),
        lambda n, d: torch.arange(n)[:, None] * frequencies(2 * d),
        lambda n, d: torch.arange(n)[:, None] * frequencies(d).repeat(2),
        lambda n, d: (torch.arange(n)[:, None] * frequencies(d)).flatten(),
        lambda n, d: frequencies(d),
    ],
)
def test_other_angles_of_a_wrong_shape_are_not_taken_for_a_product_of_flat_rows(angles_of):
    found = _with_angles(angles_of)
    assert "the angles have shape" in found.text
    assert "flat rows" not in found.text


def test_a_number_of_rows_is_not_the_width_that_the_speeds_take():
    found = _with_angles(lambda n, d: torch.arange(n)[:, None] * frequencies(n))
    assert "d is 7; entries come in pairs" in found.text
    assert "frequencies was given the number of rows" in found.diagnosis
    half = _with_angles(lambda n, d: torch.arange(n)[:, None] * frequencies(d // 2))
    assert "speeds of another width" in half.diagnosis


@pytest.mark.parametrize(
    "weigh",
    [
        lambda scores, allowed: scores.masked_fill(~allowed, -torch.inf),
        lambda scores, allowed: scores.masked_fill(allowed, -torch.inf),
        lambda scores, allowed: scores.masked_fill(allowed == 0, float("-inf")),
        lambda scores, allowed: torch.where(allowed, scores, -torch.inf),
    ],
)
def test_the_notebooks_table_for_four_words_is_named_where_others_come(weigh):
    allowed = torch.arange(4)[None] <= torch.arange(4)[:, None]

    def causal_weights(scores):
        four = allowed
        return weigh(scores, four).softmax(dim=-1)

    found = judge("06_masks/causal_weights", causal_weights)
    assert "4 by 4 each time" in found.diagnosis


def _attending(turn):
    causal_weights = handout.exercises["causal_weights"].answer
    rope_scores = handout.exercises["rope_scores"].answer
    return judge(
        "06_masks/causal_attention", lambda q, k, v: turn(q, k, v, rope_scores, causal_weights)
    )


@pytest.mark.parametrize(
    "turn",
    [
        lambda q, k, v, rope, weights: rope(weights(q @ k.T), weights(q @ k.T)) @ v,
        lambda q, k, v, rope, weights: rope(weights(q @ k.T / q.shape[1] ** 0.5), k) @ v,
        lambda q, k, v, rope, weights: rope(weights(rope(q, k)), v),
    ],
)
def test_weights_that_are_turned_are_told_what_rope_scores_takes(turn):
    found = _attending(turn)
    assert "rope_scores was given weights" in found.diagnosis
    assert "waves" not in found.text


@pytest.mark.parametrize(
    "turn",
    [
        lambda q, k, v, rope, weights: weights(rope(q.T, k.T)) @ v,
        lambda q, k, v, rope, weights: weights(rope(q @ k.T, k)) @ v,
        lambda q, k, v, rope, weights: rope(weights(q), k) @ v,
    ],
)
def test_other_things_that_are_turned_are_not_taken_for_weights_of_scores(turn):
    assert "was given weights" not in _attending(turn).text


def test_a_sentence_that_stands_later_has_the_same_outputs():
    q, k, v = torch.randn(3, 5, 4, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    turned = handout.exercises["rope_scores"].answer
    filled = (torch.cat((torch.zeros(7, 4), x)) for x in (q, k))  # and its first seven are hidden
    weights = handout.exercises["causal_weights"].answer(turned(*filled)[7:, 7:])
    outputs = handout.exercises["causal_attention"].answer(q, k, v)
    torch.testing.assert_close(outputs, weights @ v)
