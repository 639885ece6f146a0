"""What the data of chapter 7's exercises cannot say."""

from itertools import combinations, product

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn.functional import scaled_dot_product_attention

from course_lib.chapters.multi_head import handout
from course_lib.chapters.multi_head.exercises.four_to_spare import LEAST, _right_without
from course_lib.chapters.multi_head.exercises.induction_score import induction_score
from course_lib.chapters.multi_head.exercises.multi_head import BY_HAND, MULTI_HEAD
from course_lib.chapters.multi_head.silencing import silent
from course_lib.judging import judge
from course_lib.kernels.heads import merge_heads, multi_head_attention, split_heads
from course_lib.models.copying import copying_accuracy, induction_scores, load_copying
from course_lib.models.transformer import Block


def test_the_modules_of_a_real_block_in_order_are_right():
    def through_a_block(x, norm_1, heads, norm_2, mlp, dropout):
        part = Block(x.shape[-1], 1, torch.Generator().manual_seed(0), mlp=True)
        part.norm, part.mlp_norm, part.mlp = (Given(one) for one in (norm_1, norm_2, mlp))
        part.heads = Given(lambda y, **options: dropout(heads(y)))
        part.mlp = Given(lambda y: dropout(mlp(y)))
        return part(x, attention=None)

    assert judge("07_multi_head/block", through_a_block).state == "right"


class Given(nn.Module):
    """A module that does what a function does."""

    def __init__(self, function):
        super().__init__()
        self.forward = function


def test_the_score_of_the_exercise_is_that_of_the_model():
    model, period = load_copying(), 24
    order = torch.rand(16, 27, generator=torch.Generator().manual_seed(0)).argsort(dim=1)
    maps = model.maps(order[:, :period].repeat(1, 2))
    ours = [[torch.stack([induction_score(one, period) for one in head]).mean()
             for head in layer.transpose(0, 1)] for layer in maps]  # fmt: skip
    np.testing.assert_allclose(ours, induction_scores(model), atol=0.03)


@pytest.mark.parametrize(
    ("scores", "says"),
    [
        (lambda q, k, mask: q @ k.T, "`k.T` does not exchange the last two axes; `k.mT` does"),
        (lambda q, k, mask: (q @ k.mT).masked_fill(~mask, -1e9), "`mask` is None here"),
        (lambda q, k, mask: (q @ k.mT).masked_fill(~mask, -1e9) if mask else q @ k.mT,
         "`mask is not None` asks"),
    ],
)  # fmt: skip
def test_a_slip_that_stops_the_scores_is_told_with_what_mends_it(scores, says):
    def multi_head(x, w_q, w_k, w_v, w_o, heads, mask=None):
        q, k, v = (split_heads(x @ w, heads) for w in (w_q, w_k, w_v))
        weights = (scores(q, k, mask) / q.shape[-1] ** 0.5).softmax(dim=-1)
        return merge_heads(weights @ v) @ w_o

    verdict = judge("07_multi_head/multi_head", multi_head)
    assert says in verdict.symptom + verdict.diagnosis
    assert "leaves every axis" not in verdict.diagnosis


def test_columns_of_the_last_matrix_are_named_and_nobody_is_told_to_turn_them():
    def with_columns(turned):
        def what_each_adds(outputs, w_o):
            d, parts = outputs.shape[-1], []
            for i in range(outputs.shape[1]):
                w_i = w_o[:, i * d : (i + 1) * d]
                w_i = w_i.T if turned else w_i
                parts.append(outputs[:, i] @ w_i)
            return torch.stack(parts, dim=1)

        return what_each_adds

    for turned in (False, True):
        verdict = judge("07_multi_head/what_each_adds", with_columns(turned))
        assert "You took columns of w_o" in verdict.diagnosis
        assert "way round" not in verdict.diagnosis


def test_what_masked_fill_returns_must_be_kept_and_heads_be_merged():
    def slipped(kept, merged):
        def multi_head(x, w_q, w_k, w_v, w_o, heads, mask=None):
            q, k, v = (split_heads(x @ w, heads) for w in (w_q, w_k, w_v))
            scores = q @ k.mT / q.shape[-1] ** 0.5
            if mask is not None:
                hidden = scores.masked_fill(~mask, -torch.inf)
                scores = hidden if kept else scores
            heard = scores.softmax(dim=-1) @ v
            return (merge_heads(heard) if merged else heard) @ w_o

        return judge("07_multi_head/multi_head", multi_head)

    assert slipped(True, True).state == "right"
    assert "masked_fill returns are new scores" in slipped(False, True).diagnosis
    assert "not merged before W_O" in slipped(True, False).diagnosis


def test_who_divides_by_a_wrong_root_can_redo_the_trial_that_is_shown():
    told = [one for one in MULTI_HEAD.mistakes if one.says.endswith(BY_HAND)]
    assert len(told) == 6
    for slip in (slip for one in told for slip in (one.wrong, *one.also)):
        verdict = judge("07_multi_head/multi_head", slip)
        assert BY_HAND in verdict.diagnosis
        wanted = {one.label: one.value for one in verdict.evidence}["Expected"]
        assert wanted.startswith("[[[70.0,")  # 50 and 20
    x, w_q, w_k, w_v, w_o, heads = MULTI_HEAD.cases[1](np.random.default_rng(0)).args
    q, k, v = (split_heads(x @ w, heads)[0] for w in (w_q, w_k, w_v))
    scores = q @ k.mT
    np.testing.assert_allclose(scores[0], [[0.98, 0, 0]] * 3, atol=0.005)
    weights = (scores / 2**0.5).softmax(dim=-1)
    np.testing.assert_allclose(weights[0], [[0.5, 0.25, 0.25]] * 3, atol=1e-5)
    assert v[0, :, 0].tolist() == [100, 0, 0]
    heard = (weights @ v)[:, 0] @ w_o[:, 0].reshape(2, 2, 1)
    np.testing.assert_allclose(heard[:, 0, 0], [50, 20], atol=1e-4)


def test_the_root_of_a_plain_number_is_told_of_math():
    def multi_head(x, w_q, w_k, w_v, w_o, heads, mask=None):
        q, k, v = (split_heads(x @ w, heads) for w in (w_q, w_k, w_v))
        weights = (q @ k.mT / torch.sqrt(q.shape[-1])).softmax(dim=-1)
        return merge_heads(weights @ v) @ w_o

    assert "`math.sqrt`" in judge("07_multi_head/multi_head", multi_head).symptom


def test_half_of_the_bets_ask_for_a_number():
    numbers = [bet for bet in handout.bets.values() if hasattr(bet.answer, "is_right")]
    assert len(numbers) >= len(handout.bets) / 2


def test_heads_one_by_one_agree_with_the_kernel_on_leading_axes():
    draw = torch.Generator().manual_seed(0)
    x, *w, w_o = (torch.randn(s, generator=draw) for s in ((2, 5, 6), *[(6, 6)] * 4))
    parts = zip(*((x @ one).chunk(3, dim=-1) for one in w), strict=True)
    joined = torch.cat([scaled_dot_product_attention(*part) for part in parts], dim=-1)
    torch.testing.assert_close(joined @ w_o, multi_head_attention(x, *w, w_o, 3))


def test_beside_any_right_four_a_reader_is_worth_more_than_the_second_note():
    fifth = [(0, 2), *product([1], range(4))]
    for four in combinations(product(range(2), range(4)), 4):
        if _right_without(four) < LEAST:
            continue
        on = [head for head in fifth if head not in four]
        assert len(on) == 3, "as the bet says: head 2 and two readers"
        shares = [_right_without(tuple(sorted({*four, head}))) for head in on]
        assert handout.bets["fifth"].answer.which(shares) == 0
        assert shares[0] > 1.05 * max(shares[1:])
    assert _right_without(((0, 2),)) < min(_right_without(((1, head),)) for head in range(4))


def test_a_last_reader_that_is_twice_as_loud_wins_back_about_half_of_what_was_lost():
    model = load_copying()
    for off in combinations(range(4), 2):
        four = [(0, 0), (0, 3), *((1, head) for head in off)]
        first, last = ((1, head) for head in range(4) if head not in off)
        loud = silent(*four, first)
        one = copying_accuracy(model, 256, loudness=loud)
        loud[last] = 2
        two = copying_accuracy(model, 256, loudness=loud)
        loud[last] = 6
        six = copying_accuracy(model, 256, loudness=loud)
        before = _right_without(tuple(sorted(four)))
        assert 0.35 < (two - one) / (before - one) < 0.65
        assert two < six < before - 0.04


def test_six_of_the_seventy_fours_can_be_spared_and_none_is_near_the_border():
    shares = {four: _right_without(four) for four in combinations(product(range(2), range(4)), 4)}
    spared = [four for four, share in shares.items() if share >= LEAST]
    assert (len(shares), len(spared)) == (70, 6)
    assert all({(0, 0), (0, 3)} < set(four) for four in spared)
    assert min(abs(share - LEAST) for share in shares.values()) > 0.02
    ranked = [round(100 * share) for share in sorted(shares.values(), reverse=True)]
    assert (ranked[0], ranked[5], ranked[6]) == (96, 92, 83)  # as the reward says
    rest = [(0, 0), (0, 3), *((1, head) for head in range(4))]
    assert min(_right_without((head,)) for head in rest) > 0.98  # each can go alone


@pytest.mark.parametrize(
    "heads",
    [
        ((0, 0), (0, 3), (1, 3), (1, 3)),
        (0, 0, 1, 3),
        ((0, 0), (0, 3)),
        ((0, 0), (3, 0), (1, 1), (3, 1)),
    ],
)
def test_what_is_no_list_of_four_heads_is_told_no_share_that_would_pass(heads):
    def four_to_spare():
        return heads

    verdict = judge("07_multi_head/four_to_spare", four_to_spare)
    assert verdict.state == "wrong"
    assert "0.90 or more" not in verdict.text


def test_a_share_is_told_where_four_heads_are_off():
    def four_to_spare():
        return (0, 0), (0, 1), (1, 0), (1, 1)

    assert "0.90 or more" in judge("07_multi_head/four_to_spare", four_to_spare).text


def test_whose_two_sizes_are_exchanged_is_not_told_to_turn_the_axes():
    def split_heads(x, heads):
        b, n, columns = x.shape
        return x.reshape(b, n, columns // heads, heads).transpose(1, 2)

    verdict = judge("07_multi_head/split_heads", split_heads)
    assert "Two sizes are exchanged" in " ".join(verdict.text.split())
    assert "another order" not in verdict.text
