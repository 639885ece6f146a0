"""The masks kernel against double loops, PyTorch's own masks and its own laws."""

import doctest

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.nn.functional import scaled_dot_product_attention

from course_lib.kernels import masks
from course_lib.kernels.masks import (
    Mask,
    causal,
    document,
    empty_rows,
    from_additive,
    may_attend,
    padding,
    prefix,
    sliding_window,
    to_additive,
    to_mask_mod,
    to_multihead,
)
from tests.kernels.masks_samples import IDS, every_rule, normal


def looped(rule, rows, s):
    return torch.tensor([[bool(rule(i, j)) for j in range(s)] for i in rows])


def test_the_examples_in_the_docstrings_run():
    assert doctest.testmod(masks).attempted >= 1
    assert doctest.testmod(masks).failed == 0


# The tensor


@every_rule
def test_each_rule_agrees_with_a_double_loop(mask, rule):
    assert may_attend(mask, 7).equal(looped(rule, range(7), 7))


@every_rule
def test_top_left_puts_query_0_at_position_0(mask, rule):
    assert may_attend(mask, 3, 7, align="top-left").equal(looped(rule, range(3), 7))


@every_rule
def test_bottom_right_puts_the_last_query_at_the_last_position(mask, rule):
    assert may_attend(mask, 3, 7, align="bottom-right").equal(looped(rule, range(4, 7), 7))


def test_the_result_is_boolean_and_can_be_written_to():
    allowed = may_attend(prefix(2), 3)
    allowed[0, 0] = False
    assert allowed.dtype == torch.bool
    assert allowed[1, 0]


def test_causal_agrees_with_pytorch_in_both_alignments(theirs_of):
    bias = theirs_of("bias")
    q, k, v = normal(1, 3, 5), normal(1, 7, 5, seed=1), normal(1, 7, 2, seed=2)
    for align, theirs in (
        ("top-left", bias.causal_upper_left(3, 7)),
        ("bottom-right", bias.causal_lower_right(3, 7)),
    ):
        ours = may_attend(causal, 3, 7, align=align)
        expected = scaled_dot_product_attention(q, k, v, attn_mask=theirs)
        got = scaled_dot_product_attention(q, k, v, attn_mask=ours)
        torch.testing.assert_close(got, expected, rtol=1e-12, atol=1e-14)


def test_unequal_lengths_must_say_where_the_queries_stand():
    with pytest.raises(ValueError, match="say where the queries stand"):
        may_attend(causal, 3, 7)
    assert may_attend(prefix(2), 3, 7).shape == (3, 7)  # its queries are all alike
    assert may_attend(padding([2, 5]), 3, 7).shape == (2, 3, 7)


def test_more_queries_than_keys_leave_the_first_rows_empty_at_the_bottom_right():
    allowed = may_attend(causal, 5, 3, align="bottom-right")
    assert empty_rows(allowed).tolist() == [True, True, False, False, False]


def test_a_mask_is_made_on_the_device_that_is_asked_for():
    for mask in (causal & document(IDS), padding([7, 2]), document([IDS, IDS])):
        assert may_attend(mask, 7, device="meta").device.type == "meta"


# Padding and documents


def test_padding_hides_keys_and_no_queries():
    allowed = may_attend(padding([5, 3, 0]), 5)
    assert allowed.shape == (3, 5, 5)
    for one, length in zip(allowed, (5, 3, 0), strict=True):
        assert one.equal((torch.arange(5) < length).expand(5, 5))


def test_left_padding_with_causal_makes_empty_rows_and_right_padding_does_not():
    left = may_attend(causal & padding([3, 5], side="left", size=5), 5)
    right = may_attend(causal & padding([3, 5]), 5)
    assert empty_rows(left).tolist() == [[True, True, False, False, False], [False] * 5]
    assert not empty_rows(right).any()


@pytest.mark.parametrize("dtype", [torch.int8, torch.uint8, torch.int32])
@pytest.mark.parametrize("side", ["left", "right"])
def test_lengths_of_few_bits_hide_the_same_keys(side, dtype):
    """200 - 3 is no number of int8, 300 - 3 none of uint8."""
    size = 200 if dtype == torch.int8 else 300
    allowed = may_attend(padding(torch.tensor([100, 3], dtype=dtype), side=side, size=size), size)
    assert allowed.sum(-1)[:, 0].tolist() == [100, 3]


def test_padded_attention_is_the_attention_without_padding():
    q, k, v = normal(1, 3, 5), normal(1, 3, 5, seed=1), normal(1, 3, 2, seed=2)
    alone = scaled_dot_product_attention(q, k, v)
    filled = [
        torch.cat((x, 100 * torch.ones(1, 4, x.shape[-1]).double()), dim=1) for x in (q, k, v)
    ]
    padded = scaled_dot_product_attention(*filled, attn_mask=may_attend(padding([3]), 7))
    torch.testing.assert_close(padded[:, :3], alone, rtol=1e-12, atol=1e-14)


def test_documents_may_differ_by_sequence():
    ids = torch.tensor([[0, 0, 1], [0, 1, 1]])
    allowed = may_attend(document(ids), 3)
    assert allowed.equal(ids[:, :, None] == ids[:, None, :])


def test_packed_documents_attend_as_if_each_stood_alone():
    q, k, v = (normal(5, 3, seed=seed) for seed in range(3))
    mask = may_attend(causal & document([0, 0, 1, 1, 1]), 5)
    packed = scaled_dot_product_attention(q, k, v, attn_mask=mask)
    alone = scaled_dot_product_attention(q[2:], k[2:], v[2:], attn_mask=may_attend(causal, 3))
    torch.testing.assert_close(packed[2:], alone, rtol=1e-12, atol=1e-14)


# Laws

rules = st.sampled_from([causal, sliding_window(2), prefix(3), document(IDS), padding([4, 7])])


def tensor(mask):
    return may_attend(mask, 7).expand(2, 7, 7)


@given(rules, rules)
def test_combining_rules_combines_their_tensors(one, other):
    assert tensor(one & other).equal(tensor(one) & tensor(other))
    assert tensor(one | other).equal(tensor(one) | tensor(other))


@given(rules, rules)
def test_de_morgan_holds(one, other):
    assert tensor(~(one & other)).equal(tensor(~one | ~other))
    assert tensor(~~one).equal(tensor(one))


def test_a_mask_says_what_it_is_made_of():
    assert repr(causal & ~sliding_window(3)) == "(causal & ~sliding_window(3))"
    assert repr(padding([2, 1])) == "padding([2, 1])"


# Bad input


@pytest.mark.parametrize(
    ("call", "error", "said"),
    [
        (lambda: sliding_window(0), ValueError, "w is 0"),
        (lambda: sliding_window(2.5), TypeError, "whole number"),
        (lambda: prefix(-1), ValueError, "n is -1"),
        (lambda: padding([2, -1]), ValueError, "lengths holds -1"),
        (lambda: padding([]), ValueError, "not empty"),
        (lambda: padding(3), ValueError, "shape"),
        (lambda: padding([1.5]), TypeError, "whole numbers"),
        (lambda: padding([1], side="top"), ValueError, "side is 'top'"),
        (lambda: padding([4], side="left"), ValueError, "size is 0"),
        (lambda: document([[[1]]]), ValueError, "shape"),
        (lambda: document([True]), TypeError, "whole numbers"),
        (lambda: may_attend(causal, 0), ValueError, "t is 0"),
        (lambda: may_attend(causal, 2, 0), ValueError, "s is 0"),
        (lambda: may_attend(causal, 2, 3, align="left"), ValueError, "align is 'left'"),
        (lambda: may_attend(prefix, 3), TypeError, "bracket missing"),
        (lambda: may_attend(document([0, 1]), 3), ValueError, "knows positions 0 to 1"),
        (
            lambda: may_attend(document([0, 1, 1]), 3, 2, align="bottom-right"),
            ValueError,
            "got -1 to 1",
        ),
        (lambda: may_attend(padding([1], side="left", size=2), 3), ValueError, "knows positions"),
        (lambda: causal & padding, TypeError, "bracket missing"),
        (lambda: causal & 3, TypeError, "got int"),
        (lambda: padding([1]) & padding([1, 2]), ValueError, "differ in batch: "),
        (lambda: document([1]) & document([1, 2]), ValueError, "differ in size"),
        (lambda: bool(causal), TypeError, "combine with"),
        (lambda: causal and prefix(1), TypeError, "would drop one"),
        (lambda: to_additive(torch.ones(2, 2)), TypeError, "expected a boolean tensor"),
        (lambda: to_additive(may_attend(causal, 2), torch.int32), TypeError, "floating-point"),
        (lambda: to_additive([[True]]), TypeError, "list"),
        (lambda: from_additive(torch.ones(2, 2).bool()), TypeError, "floating-point"),
        (lambda: to_multihead(torch.ones(1, 1, 2, 2).bool()), ValueError, "shape"),
        (lambda: empty_rows(torch.ones(3).bool()), ValueError, "shape"),
        (lambda: to_mask_mod(causal, 2, 3), ValueError, "say where"),
        (lambda: padding(None), TypeError, "lengths is None; expected whole numbers"),
        (lambda: padding(["a"]), TypeError, "lengths is"),
        (lambda: document("abc"), TypeError, "ids is 'abc'"),
        (lambda: document([[0, 1], [0]]), TypeError, "as many in each row"),
        (lambda: padding([4], size=3), ValueError, "size is 3, but the longest sequence has 4"),
        (lambda: padding([4], side="left", size=5.5), TypeError, "size is 5.5"),
        (lambda: may_attend(padding([2, 5]), 3), ValueError, "5 words, but there are 3 keys"),
        (lambda: may_attend(causal & padding([5]), 3), ValueError, "there are 3 keys"),
        (lambda: to_mask_mod(~padding([5]), 3), ValueError, "there are 3 keys"),
        (lambda: may_attend(may_attend(causal, 2), 2), TypeError, "needs no may_attend"),
        (lambda: to_additive(may_attend(causal, 2), "float32"), TypeError, "dtype is 'float32'"),
        (lambda: to_multihead(torch.ones(1, 2, 2).bool(), 0), ValueError, "heads is 0"),
        (lambda: to_multihead(torch.ones(2, 2).bool(), 1.5), TypeError, "heads is 1.5"),
    ],
)
def test_bad_input_is_refused_with_its_reason(call, error, said):
    with pytest.raises(error, match=said):
        call()


@pytest.mark.parametrize(
    ("rule", "kind"),
    [
        (lambda b, i, j: i - j, "torch.int64"),
        (lambda b, i, j: (j <= i).float(), "torch.float32"),
        (lambda b, i, j: True, "bool"),
        (lambda b, i, j: None, "NoneType"),
    ],
)
@pytest.mark.parametrize("made", [lambda m: m, lambda m: ~m, lambda m: causal & m])
def test_a_rule_that_is_neither_true_nor_false_is_refused(rule, kind, made):
    with pytest.raises(TypeError, match=f"the rule of mine gives {kind}"):
        may_attend(made(Mask("mine", rule)), 3)


def test_whole_numbers_of_numpy_and_torch_are_whole_numbers():
    assert may_attend(sliding_window(np.int64(2)), torch.tensor(3)).equal(
        may_attend(sliding_window(2), 3)
    )


def test_a_rule_of_ones_own_is_a_mask():
    every_second = Mask("every second", lambda b, i, j: (i - j) % 2 == 0)
    assert may_attend(causal & every_second, 3).tolist() == [
        [True, False, False], [False, True, False], [True, False, True],
    ]  # fmt: skip
