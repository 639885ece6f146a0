"""The layer word by word with a cache."""

import re

import pytest
import torch

from course_lib.kernels.kv_cache import KVCache, cache_bytes
from course_lib.kernels.masks import causal, padding
from tests.kernels.heads_samples import B, D, G, H, M, S, T, double, open_mask, random

# Decoding with a cache


@pytest.mark.parametrize("pieces", [(1,) * 7, (7,), (3, 1, 1, 2), (1, 6)], ids=str)
@pytest.mark.parametrize("options", [{}, {"rotary": "halves", "bias": True}], ids=str)
@torch.no_grad()
def test_word_by_word_with_a_cache_is_the_causal_pass(pieces, options):
    layer, x = double(M, H, n_kv_heads=G, d=4, **options), random(B, 3, T, M)
    cache = layer.new_cache(T, B, 3)
    parts = [layer(part, mask=causal, cache=cache) for part in x.split(pieces, dim=-2)]
    full = layer(x, mask=causal)
    torch.testing.assert_close(torch.cat(parts, dim=-2), full, rtol=0, atol=1e-13)
    assert cache.length == T


@torch.no_grad()
def test_a_cache_holds_the_keys_and_values_of_the_groups_alone():
    layer, x = double(M, H, n_kv_heads=G, d=4, rotary="halves"), random(B, T, M)
    cache = layer.new_cache(S, B)
    layer(x, mask=causal, cache=cache)
    _, k, v = layer.project(x)
    assert cache.keys.shape == cache.values.shape == (B, G, S, 4)
    assert torch.equal(cache.keys[..., :T, :], k)
    assert torch.equal(cache.values[..., :T, :], v)
    assert not cache.keys[..., T:, :].any()
    assert cache.bytes == 2 * B * G * S * 4 * 8


@torch.no_grad()
def test_a_padded_batch_decodes_as_each_sentence_alone():
    layer, x = double(M, H, n_kv_heads=G, d=4), random(B, T, M)
    cache, rule = layer.new_cache(T, B), causal & padding([7, 4])
    parts = [layer(part, mask=rule, cache=cache) for part in x.split((4, 1, 2), dim=-2)]
    alone = layer(x[1, :4], mask=causal)
    torch.testing.assert_close(torch.cat(parts, dim=-2)[1, :4], alone, rtol=0, atol=1e-13)


@torch.no_grad()
def test_a_call_that_fails_leaves_the_cache_as_it_was():
    layer, x = double(M, H, n_kv_heads=G, d=4), random(T, M)
    cache = layer.new_cache(T)
    layer(x[:3], mask=causal, cache=cache)

    def broken(*args, **options):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        layer(-x[3:5], mask=causal, cache=cache, attention=broken)
    with pytest.raises(ValueError, match="its last two axes"):
        layer(-x[3:5], mask=open_mask(2, 2), cache=cache)
    assert cache.length == 3
    rest = layer(x[3:], mask=causal, cache=cache)
    torch.testing.assert_close(rest, layer(x, mask=causal)[3:], rtol=0, atol=1e-13)


@torch.no_grad()
def test_words_can_be_taken_back():
    layer, x = double(M, H, n_kv_heads=G, d=4, rotary="neighbours"), random(T, M)
    cache = layer.new_cache(T)
    layer(torch.cat((x[:3], -x[3:])), mask=causal, cache=cache)
    cache.keep(3)
    rest = layer(x[3:], mask=causal, cache=cache)
    torch.testing.assert_close(rest, layer(x, mask=causal)[3:], rtol=0, atol=1e-13)


@pytest.mark.parametrize(
    ("layers", "g", "d", "kib"), [(32, 8, 128, 128), (32, 32, 128, 512), (80, 8, 128, 320)]
)
def test_cache_bytes_agree_with_caches(layers, g, d, kib):
    assert cache_bytes(1, layers=layers, n_kv_heads=g, d=d) == kib * 1024
    one = KVCache(T, (B,), n_kv_heads=g, d=d, dtype=torch.float16)
    assert cache_bytes(T, layers=layers, n_kv_heads=g, d=d, batch=B) == layers * one.bytes
    assert cache_bytes(0, layers=layers, n_kv_heads=g, d=d) == 0


def test_a_cache_gives_views_and_copies_nothing():
    cache = KVCache(T, (B,), n_kv_heads=G, d=D, dtype=torch.float64)
    for length in (2, 3):
        k, v = cache.extended(random(B, G, 2, D), random(B, G, 2, D, seed=1))
        assert k.data_ptr() == cache.keys.data_ptr()
        assert v.data_ptr() == cache.values.data_ptr()
        cache.keep(length)


# What is refused, and in which words


@torch.no_grad()
def test_a_full_cache_says_how_full_it_is():
    layer, x = double(M, H, n_kv_heads=G, d=4), random(T, M)
    cache = layer.new_cache(5)
    layer(x[:4], mask=causal, cache=cache)
    says = "the cache has room for 5 words and holds 4; 2 more do not fit"
    with pytest.raises(ValueError, match=says):
        layer(x[4:6], mask=causal, cache=cache)
    assert layer(x[4:5], mask=causal, cache=cache).shape == (1, M)


@pytest.mark.parametrize(
    ("change", "error", "says"),
    [
        ({"cache": {}}, TypeError, "cache is of type dict; expected a KVCache"),
        ({"leading": ()}, ValueError, "k has shape (2, 2, 7, 4) but the cache was made for (2, t"),
        ({"leading": (3,)}, ValueError, "made for (3, 2, t, 4): other sentences, heads or widths"),
        ({"leading": (1,)}, ValueError, "made for (1, 2, t, 4)"),
        ({"n_kv_heads": 1}, ValueError, "made for (2, 1, t, 4)"),
        ({"d": 6}, ValueError, "made for (2, 2, t, 6)"),
        ({"dtype": torch.float32}, TypeError, "k holds torch.float64 but the cache holds"),
        ({"device": "meta"}, ValueError, "k is on cpu but the cache on meta"),
        ({"context": True}, ValueError, "context brings keys of its own; a cache"),
    ],
    ids=str,
)
@torch.no_grad()
def test_a_wrong_cache_is_refused_in_words(change, error, says):
    layer, x = double(M, H, n_kv_heads=G, d=4), random(B, T, M)
    options = {"leading": (B,), "n_kv_heads": G, "d": 4, "dtype": torch.float64} | change
    context = random(B, S, M) if options.pop("context", False) else None
    cache = options.pop("cache", None)
    cache = KVCache(T, **options) if cache is None else cache
    with pytest.raises(error, match=re.escape(says)):
        layer(x, cache=cache, context=context)


def test_a_cache_takes_no_gradients():
    layer, x = double(M, H, n_kv_heads=G, d=4), random(T, M)
    with pytest.raises(ValueError, match=r"decode under torch.no_grad\(\)"):
        layer(x, cache=layer.new_cache(T))
    learned = random(G, T, 4).requires_grad_()
    with torch.no_grad():  # no step is recorded, so none is cut off
        k, _ = layer.new_cache(T).extended(learned, learned)
    assert torch.equal(k, learned)
