"""What a cache with a length for each sentence refuses, and in which words."""

import re

import pytest
import torch

from course_lib.kernels.kv_cache import KVCache
from course_lib.kernels.masks import causal, document, padding
from tests.kernels.kv_caches import ROOM, B, M, T, double, random

# What is refused, and in which words


@pytest.mark.parametrize(
    ("counts", "error", "says"),
    [
        ([5, 6, 1], ValueError, "counts holds 6; expected 0 to 5"),
        ([5, -1, 1], ValueError, "counts holds -1; expected 0 to 5"),
        (6, ValueError, "counts is 6; expected 0 to 5"),
        ([1, 2], ValueError, "counts has shape (2,); expected one whole number for all sentences, "
         "or (3,), one for each"),
        ([[1], [2], [3]], ValueError, "counts has shape (3, 1)"),
        ([], ValueError, "counts has shape (0,)"),
        ([1.0, 2.0, 3.0], TypeError, "counts holds torch.float32; expected whole numbers"),
        (torch.ones(B, dtype=torch.bool), TypeError, "counts holds torch.bool"),
        (True, TypeError, "counts is True; expected a whole number"),
        (2.0, TypeError, "counts is 2.0; expected a whole number"),
        ("5", TypeError, "counts is '5'; expected whole numbers"),
    ],
    ids=str,
)  # fmt: skip
def test_counts_that_are_none_are_refused(counts, error, says):
    layer, x = double(), random(B, T, M)
    cache = layer.new_cache(ROOM, B)
    with pytest.raises(error, match=re.escape(says)):
        layer(x, mask=causal, cache=cache, counts=counts)
    assert cache.lengths.tolist() == [0, 0, 0]


def test_a_full_sentence_is_named():
    cache, new = KVCache(5, (B,), n_kv_heads=1, d=1), torch.ones(B, 1, 4, 1)
    cache.keep([1, 3, 2])
    says = "the cache has room for 5 words and holds 3 in sentence 1; 4 more do not fit"
    with pytest.raises(ValueError, match=says):
        cache.extended(new, new)
    cache.extended(new, new, [4, 2, 3])
    with pytest.raises(ValueError, match="lengths holds 6; expected 0 to 5"):
        cache.keep([1, 6, 2])
    assert cache.lengths.tolist() == [1, 3, 2]


@pytest.mark.parametrize(
    ("options", "error", "says"),
    [
        ({"mask": causal & padding([1, 2])}, ValueError, "is for 2 sentences; these are of shape"),
        ({"mask": document([0, 0, 1])}, ValueError, "document knows positions 0 to 2; got 0 to 4"),
        ({"mask": torch.ones(T, 4, dtype=torch.bool)}, ValueError, "mask has shape (5, 4) but"),
        ({"mask": torch.ones(T, 5)}, TypeError, "mask holds torch.float32; expected True"),
        ({"mask": "causal"}, TypeError, "mask is of type str"),
        ({"cache": None}, ValueError, "counts says which words enter a cache, and there is none"),
    ],
    ids=str,
)
def test_what_does_not_go_with_counts_is_refused(options, error, says):
    layer, x = double(), random(B, T, M)
    cache = layer.new_cache(ROOM, B)
    with pytest.raises(error, match=re.escape(says)):
        layer(x, **{"mask": causal, "cache": cache, "counts": [5, 1, 3]} | options)
    assert cache.lengths.tolist() == [0, 0, 0]


@pytest.mark.parametrize(
    ("leading", "error", "says"),
    [
        (3, TypeError, "leading is 3; expected a tuple such as (b,)"),
        ((-1,), ValueError, "leading is -1; expected at least 1"),
        ((0,), ValueError, "leading is 0; expected at least 1"),
        ((2.0,), TypeError, "leading is 2.0; expected a whole number"),
    ],
    ids=str,
)
def test_leading_axes_that_are_none_are_refused(leading, error, says):
    with pytest.raises(error, match=re.escape(says)):
        KVCache(5, leading, n_kv_heads=1, d=1)
