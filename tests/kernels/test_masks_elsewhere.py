"""Masks as others write them: numbers that are added, PyTorch's layer, FlexAttention."""

import pytest
import torch
from torch.nn.functional import scaled_dot_product_attention

from course_lib.kernels.masks import (
    causal,
    document,
    from_additive,
    from_multihead,
    may_attend,
    padding,
    sliding_window,
    to_additive,
    to_mask_mod,
    to_multihead,
)
from tests.kernels.masks_samples import every_rule, normal

# Other conventions


def test_additive_masks_go_both_ways_and_the_hidden_part_of_causal_lies_above():
    allowed = may_attend(causal, 5)
    added = to_additive(allowed)
    assert added.exp().equal(torch.ones(5, 5).tril())
    assert added.tril().eq(0).all()
    assert from_additive(added).equal(allowed)


@pytest.mark.parametrize("stand_in", [-1e9, torch.finfo(torch.float16).min, -1e4])
def test_stand_ins_for_minus_infinity_are_read_as_hidden(stand_in):
    assert from_additive(torch.tensor([[0.0, stand_in]])).tolist() == [[True, False]]


@pytest.mark.parametrize("number", [-0.5, 1.0, torch.nan, torch.inf, -100.0])
def test_a_bias_is_no_mask(number):
    with pytest.raises(ValueError, match="expected 0 or -inf"):
        from_additive(torch.tensor([[0.0, number]]))


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
def test_additive_masks_keep_their_type(dtype):
    added = to_additive(may_attend(causal, 3), dtype)
    assert added.dtype == dtype
    assert added[0].tolist() == [0, -torch.inf, -torch.inf]


def test_multihead_attention_takes_the_opposite():
    layer = torch.nn.MultiheadAttention(6, 2, batch_first=True).double()
    x, mask = normal(3, 5, 6), causal & padding([5, 3, 4])
    allowed = may_attend(mask, 5)
    _, weights = layer(x, x, x, attn_mask=to_multihead(allowed, heads=2))
    hidden = weights[~allowed]
    assert hidden.eq(0).all()
    assert weights[allowed].gt(0).all()
    assert from_multihead(to_multihead(allowed[0])).equal(allowed[0])


@every_rule
def test_flex_attention_sees_the_same_mask(mask, rule, theirs_of):
    create_mask = theirs_of("flex_attention").create_mask
    for t, align in ((7, ""), (3, "bottom-right")):
        theirs = create_mask(to_mask_mod(mask, t, 7, align=align), None, None, t, 7, device="cpu")
        assert theirs[0, 0].equal(may_attend(mask, t, 7, align=align))


def test_flex_attention_sees_masks_that_differ_by_sequence(theirs_of):
    mask = causal & padding([5, 3]) | document([[0, 0, 1, 1, 1], [0, 1, 1, 1, 1]])
    create_mask = theirs_of("flex_attention").create_mask
    theirs = create_mask(to_mask_mod(mask, 5), 2, 3, 5, 5, device="cpu")
    assert theirs[:, 0].equal(may_attend(mask, 5))
    assert theirs[:, 2].equal(may_attend(mask, 5))


@pytest.mark.filterwarnings("ignore:flex_attention called without")
def test_flex_attention_gives_the_same_output(theirs_of):
    q, k, v = (normal(1, 2, 5, 8, seed=seed) for seed in range(3))
    allowed = may_attend(causal & sliding_window(2), 5)

    mod = to_mask_mod(causal & sliding_window(2), 5)  # not inside: PyTorch 2.7 cannot trace that

    def score_mod(score, b, h, i, j):
        return torch.where(mod(b, h, i, j), score, -torch.inf)

    theirs = theirs_of("flex_attention").flex_attention(q, k, v, score_mod=score_mod)
    ours = scaled_dot_product_attention(q, k, v, attn_mask=allowed)
    torch.testing.assert_close(theirs, ours, rtol=1e-6, atol=1e-7)
