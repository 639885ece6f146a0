"""A cache with a length for each sentence: against each sentence alone, and PyTorch's attention."""

import numpy as np
import pytest
import torch
from torch.nn.functional import scaled_dot_product_attention

from course_lib.kernels.attention import attention
from course_lib.kernels.flash import flash_attention
from course_lib.kernels.heads import grouped_attention
from course_lib.kernels.kv_cache import KVCache, cache_bytes
from course_lib.kernels.masks import causal, document, padding, prefix, sliding_window
from course_lib.kernels.multi_head import MultiHeadAttention
from course_lib.kernels.positions import rotary
from course_lib.kernels.ragged_masks import allowed_behind
from tests.kernels.kv_caches import PLAIN, ROOM, B, D, G, H, M, T, double, random

KINDS = {
    "plain": {}, "biases": {"bias": True}, "neighbours": {"rotary": "neighbours"},
    "halves": {"rotary": "halves", "bias": True}, "as many": {"n_kv_heads": H},
}  # fmt: skip


def steps(seed, sentences=B):
    """How many words each sentence gets in each of some calls, and the rows of the call."""
    rng = np.random.default_rng(seed)
    drawn = []
    for _ in range(5):
        t = int(rng.integers(1, T + 1))
        drawn.append((t, rng.integers(0, t + 1, size=sentences).tolist()))
    return [(1, [1] * sentences), *drawn] if seed % 2 else drawn


def fed(layer, sentences, pieces, mask, **options):
    """What the words of each sentence get, fed in pieces with NaN as filling; and the cache."""
    cache = layer.new_cache(ROOM, len(sentences))
    done, found = [0] * len(sentences), [[] for _ in sentences]
    for t, counts in pieces:
        x = torch.full((len(sentences), t, M), torch.nan, dtype=torch.float64)
        for row, sentence, begin, count in zip(x, sentences, done, counts, strict=True):
            row[:count] = sentence[begin : begin + count]
        output = layer(x, mask=mask, cache=cache, counts=counts, **options)
        for i, count in enumerate(counts):
            found[i].append(output[i, :count])
            nothing = 0 * output[i, count:] if layer.b_o is None else layer.b_o
            assert torch.equal(output[i, count:], nothing.expand(t - count, M)), "filling hears"
            done[i] += count
        assert cache.lengths.tolist() == done
    return [torch.cat(parts) for parts in found], cache


# Each sentence as if it were alone


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("mask", [causal, causal & sliding_window(3)], ids=repr)
@pytest.mark.parametrize("seed", range(4))
def test_sentences_of_different_lengths_are_as_each_alone(kind, mask, seed):
    layer, sentences = double(**KINDS[kind]), [random(ROOM, M, seed=7 + i) for i in range(B)]
    found, cache = fed(layer, sentences, steps(seed), mask)
    assert any(len(set(counts)) > 1 for _, counts in steps(seed))
    for sentence, got, n in zip(sentences, found, cache.lengths.tolist(), strict=True):
        torch.testing.assert_close(got, layer(sentence[:n], mask=mask), rtol=0, atol=1e-13)


def test_one_word_for_each_needs_neither_counts_nor_mask():
    layer, sentences = double(rotary="halves"), [random(ROOM, M, seed=i) for i in range(B)]
    _, cache = fed(layer, sentences, [(5, [5, 0, 2])], causal)
    for step in range(3):
        new = torch.stack([one[n + step] for one, n in zip(sentences, (5, 0, 2), strict=True)])
        output = layer(new[:, None], cache=cache)
        for sentence, got, n in zip(sentences, output, (5, 0, 2), strict=True):
            alone = layer(sentence[: n + step + 1], mask=causal)[-1:]
            torch.testing.assert_close(got, alone, rtol=0, atol=1e-13)
    assert cache.lengths.tolist() == [8, 3, 5]


@pytest.mark.parametrize(
    ("rule", "of_each"),
    [
        (None, lambda i: None),
        (causal | prefix(2), lambda i: causal | prefix(2)),
        (causal & document([0, 0, 1, 1, 1]), lambda i: causal & document([0, 0, 1, 1, 1][: 5 - i])),
        (causal & padding([5, 1, 2]), lambda i: causal & padding([(5, 1, 2)[i]])),
        (~causal, lambda i: ~causal),
    ],
    ids=["none", "prefix", "document", "padding", "what comes"],
)  # fmt: skip
def test_every_rule_is_asked_about_the_places_of_each_sentence(rule, of_each):
    layer, counts = double(**KINDS["halves"]), [5, 4, 3]
    sentences = [random(5, M, seed=i) for i in range(B)]
    found, _ = fed(layer, sentences, [(5, counts)], rule)
    for i, (sentence, got, n) in enumerate(zip(sentences, found, counts, strict=True)):
        want = layer(sentence[None, :n], mask=of_each(i))[0]
        torch.testing.assert_close(got, want, rtol=0, atol=1e-13)


def test_a_rule_is_not_asked_where_filling_would_stand():
    layer, rule = double(), causal & document([0, 0, 1, 1, 1])  # knows five places
    sentences = [random(5, M, seed=i) for i in range(B)]
    found, _ = fed(layer, sentences, [(4, [4, 1, 2]), (4, [1, 0, 3])], rule)
    for sentence, got, n in zip(sentences, found, (5, 1, 5), strict=True):
        want = layer(sentence[:n], mask=causal & document([0, 0, 1, 1, 1][:n]))
        torch.testing.assert_close(got, want, rtol=0, atol=1e-13)


def test_a_table_as_mask_goes_with_the_ends_of_the_sentences():
    layer, x, counts = double(), random(B, T, M), [5, 2, 3]
    table = torch.from_numpy(np.random.default_rng(1).random((B, H, T, 5)) < 0.7)
    table[..., 0] = True
    output = layer(x, mask=table, cache=layer.new_cache(ROOM, B), counts=counts)
    for i, n in enumerate(counts):
        want = layer(x[i, :n], mask=table[i, :, :n, :n])
        torch.testing.assert_close(output[i, :n], want, rtol=0, atol=1e-13)


def test_one_sentence_may_have_filling_too():
    layer, x = double(rotary="neighbours"), random(T, M)
    for mask in (causal, causal & padding([4])):
        x_as_mask = x if mask is causal else x[None]
        cache = layer.new_cache(ROOM, *x_as_mask.shape[:-2])
        output = layer(x_as_mask, mask=mask, cache=cache, counts=3)
        assert output.shape == x_as_mask.shape
        want = layer(x[:3], mask=causal)
        torch.testing.assert_close(output.reshape(T, M)[:3], want, rtol=0, atol=1e-13)
        assert cache.length == 3


def test_sentences_may_stand_in_two_axes():
    layer, x = double(rotary="halves"), random(2, 3, T, M)
    counts = torch.tensor([[5, 1, 3], [0, 4, 2]])
    cache = layer.new_cache(ROOM, 2, 3)
    output = layer(x, mask=causal, cache=cache, counts=counts)
    for i in range(2):
        for j in range(3):
            n = int(counts[i, j])
            want = layer(x[i, j, :n], mask=causal) if n else x[i, j, :0]
            torch.testing.assert_close(output[i, j, :n], want, rtol=0, atol=1e-13)


# Against PyTorch's attention, without a layer


@pytest.mark.parametrize("seed", range(3))
def test_what_a_cache_hands_out_is_what_pytorch_would_attend_to(seed):
    cache, texts = KVCache(ROOM, (B,), n_kv_heads=G, d=D, dtype=torch.float64), [[], [], []]
    for number, (t, counts) in enumerate(steps(seed)):
        q = random(B, H, t, D, seed=number)
        k, v = (random(B, G, t, D, seed=10 * number + i) for i in (1, 2))
        keys, values = cache.extended(k, v, counts)
        ends = cache.ends(t, counts)
        mask = allowed_behind(causal, cache.lengths, ends, t)
        output = grouped_attention(q, keys, values, mask=mask)
        for i, n in enumerate(counts):
            texts[i].append((k[i, :, :n], v[i, :, :n]))
            one_k, one_v = (torch.cat(parts, dim=-2) for parts in zip(*texts[i], strict=True))
            s = one_k.shape[-2]
            assert int(ends[i]) == s
            assert torch.equal(keys[i, :, :s], one_k)
            assert torch.equal(values[i, :, :s], one_v)
            assert not keys[i, :, s:].any()
            assert not values[i, :, s:].any()
            if n:
                seen = torch.ones(n, s, dtype=torch.bool).tril(s - n)
                want = scaled_dot_product_attention(
                    q[i : i + 1, :, :n], one_k[None], one_v[None], attn_mask=seen, enable_gqa=True
                )
                torch.testing.assert_close(output[i, :, :n], want[0], rtol=0, atol=1e-13)
        cache.keep(ends)


def test_its_lengths_are_the_key_lengths_of_flash_attention():
    cache = KVCache(ROOM, (B,), n_kv_heads=G, d=D, dtype=torch.float64)
    k, v = random(B, G, T, D), random(B, G, T, D, seed=1)
    keys, values = cache.extended(k, v, [5, 2, 3])
    cache.keep([5, 2, 3])
    q = random(B, H, 1, D)
    got = flash_attention(q, keys, values, key_lengths=cache.lengths)
    for i, n in enumerate((5, 2, 3)):
        want = grouped_attention(q[i], k[i, :, :n], v[i, :, :n])
        torch.testing.assert_close(got[i], want, rtol=0, atol=1e-13)


def test_a_batch_of_one_length_is_not_masked_and_not_copied():
    layer, x, masks = double(), random(B, T, M), []

    def watched(q, k, v, *, mask):
        masks.append(mask)
        return attention(q, k, v, mask=mask)

    cache = layer.new_cache(ROOM, B)
    layer(x, mask=causal, cache=cache)
    for counts in (None, 1, [1, 1, 1]):
        layer(x[:, :1], cache=cache, counts=counts, attention=watched)
    assert masks == [None] * 3
    cache = KVCache(ROOM, (B,), n_kv_heads=G, d=D, dtype=torch.float64)
    for counts in (None, [2, 2, 2], [1, 0, 2]):
        k, v = cache.extended(random(B, G, 3, D), random(B, G, 3, D), counts)
        assert k.data_ptr() == cache.keys.data_ptr()
        assert v.data_ptr() == cache.values.data_ptr()
        cache.keep(cache.ends(3, counts))
    assert cache.lengths.tolist() == [6, 5, 7]


# Steps that fail, and words that are taken back


def test_a_call_that_fails_leaves_each_length_as_it_was():
    layer, x = double(rotary="halves"), random(B, ROOM, M)
    _, cache = fed(layer, list(x), [(4, [4, 1, 2])], causal)

    def broken(*args, **options):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        layer(x[:, :3] * torch.nan, mask=causal, cache=cache, counts=[1, 3, 2], attention=broken)
    assert cache.lengths.tolist() == [4, 1, 2]
    new = torch.stack([x[i, n : n + 2] for i, n in enumerate((4, 1, 2))])
    output = layer(new, mask=causal, cache=cache, counts=[2, 1, 0])
    want = layer(x[1, :2], mask=causal)[1:]
    torch.testing.assert_close(output[1, :1], want, rtol=0, atol=1e-13)
    assert output.isfinite().all()


def test_words_can_be_taken_back_from_one_sentence():
    layer, x = double(rotary="neighbours"), random(B, ROOM, M)
    cache = layer.new_cache(ROOM, B)
    layer(torch.cat((x[:, :2], -x[:, 2:5]), dim=1), mask=causal, cache=cache)
    cache.keep([5, 2, 0])
    new = torch.stack((x[0, 5:7], x[1, 2:4], x[2, :2]))
    output = layer(new, mask=causal, cache=cache)
    for i, n in ((1, 2), (2, 0)):
        want = layer(x[i, : n + 2], mask=causal)[n:]
        torch.testing.assert_close(output[i], want, rtol=0, atol=1e-13)
    assert cache.lengths.tolist() == [7, 4, 2]


# Counting


@pytest.mark.parametrize("dtype", [torch.int8, torch.uint8, torch.int16, torch.int64])
def test_lengths_count_on_where_the_dtype_of_counts_ends(dtype):
    cache = KVCache(301, (2,), n_kv_heads=1, d=1)
    for _ in range(3):
        counts = torch.tensor([100, 27], dtype=dtype)
        k, _ = cache.extended(torch.ones(2, 1, 100, 1), torch.ones(2, 1, 100, 1), counts)
        cache.keep(cache.ends(100, counts))
    assert cache.lengths.tolist() == [300, 81]
    assert k.sum(dim=-2).flatten().tolist() == [300, 81]


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
@pytest.mark.parametrize("places", [[257, 300], [2049, 2051]], ids=str)
def test_positions_behind_long_texts_are_whole_numbers_in_16_bits(dtype, places):
    layer = double(rotary="halves").to(dtype)
    x = random(2, 1, M, dtype=dtype)
    cache = layer.new_cache(places[1] + 1, 2)
    cache.keep(places)
    layer(x, cache=cache)
    unturned = MultiHeadAttention(M, H, torch.Generator(), **PLAIN).to(dtype)
    unturned.load_state_dict(layer.state_dict())
    _, k, v = unturned.project(x)
    for i, place in enumerate(places):
        want = rotary(k[i], torch.tensor([place]), layout="halves")
        assert torch.equal(cache.keys[i, :, place], want[:, 0])
        assert torch.equal(cache.values[i, :, place], v[i, :, 0])


@pytest.mark.parametrize("dtype", [np.int16, np.int32, np.uint8])
def test_bytes_are_counted_beyond_the_dtype_of_the_sizes(dtype):
    most = int(np.iinfo(dtype).max)
    sizes = {"layers": dtype(80), "n_kv_heads": dtype(8), "d": dtype(128)}
    assert cache_bytes(dtype(most), **sizes) == 2 * 2 * most * 80 * 8 * 128
