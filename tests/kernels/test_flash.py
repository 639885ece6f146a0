"""FlashAttention by tiles in PyTorch: against the plain formula, its own laws, and its memory."""

import itertools

import pytest
import torch
from torch.utils._python_dispatch import TorchDispatchMode

from course_lib.kernels.attention import attention
from course_lib.kernels.flash import flash_attention
from course_lib.kernels.heads import grouped_attention
from course_lib.kernels.masks import causal, may_attend, padding
from tests.kernels.flash_samples import BLOCK, draw, gradients, plain_lse, same, tiled
from tests.kernels.test_attention import random

LENGTHS = (0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 11)


def mask_of(t, s, *, is_causal, lengths, align="bottom-right"):
    """(b, 1, t, s) or None, from masks.py."""
    if lengths is None:
        return may_attend(causal, t, s, align=align) if is_causal else None
    rule = causal & padding(lengths) if is_causal else padding(lengths)
    return may_attend(rule, t, s, align=align)[:, None]


# The same attention


@pytest.mark.parametrize("is_causal", [False, True])
@pytest.mark.parametrize("align", ["bottom-right", "top-left"])
@pytest.mark.parametrize("s", LENGTHS)
@pytest.mark.parametrize("t", LENGTHS)
def test_output_lse_and_gradient_are_those_of_the_plain_formula(t, s, is_causal, align):
    given = draw(t, s)
    mask = mask_of(t, s, is_causal=is_causal, lengths=None, align=align) if t and s else None
    out, lse = tiled(*given, causal=is_causal, align=align, return_lse=True)
    assert out.shape == (2, 6, t, 2)
    if not s:
        assert not out.any()
        assert (lse == -torch.inf).all()
        return
    same(out, grouped_attention(*given, mask=mask))
    same(lse, plain_lse(*given[:2], mask))
    grad = random(2, 6, t, 2, seed=9)
    options = {"causal": is_causal, "align": align}
    for found, wanted in zip(
        gradients(lambda *parts: tiled(*parts, **options), given, grad),
        gradients(lambda *parts: grouped_attention(*parts, mask=mask), given, grad),
        strict=True,
    ):
        same(found, wanted)


@pytest.mark.parametrize("is_causal", [False, True])
@pytest.mark.parametrize("lengths", [(7, 5), (0, 7), (1, 4), (0, 0)], ids=str)
@pytest.mark.parametrize("t", [3, 7, 11])
def test_padding_never_counts_even_where_it_holds_nan(t, lengths, is_causal):
    q, k, v = draw(t, 7)
    mask = mask_of(t, 7, is_causal=is_causal, lengths=lengths)
    grad = random(2, 6, t, 2, seed=9)
    wanted = gradients(lambda *parts: grouped_attention(*parts, mask=mask), (q, k, v), grad)
    want = grouped_attention(q, k, v, mask=mask)
    for n, length in enumerate(lengths):
        k[n, :, length:] = v[n, :, length:] = torch.nan
    options = {"causal": is_causal, "key_lengths": lengths}
    out, lse = tiled(q, k, v, return_lse=True, **options)
    same(out, want)
    same(lse == -torch.inf, ~mask.expand(2, 6, t, 7).any(-1))
    found = gradients(lambda *parts: tiled(*parts, **options), (q, k, v), grad)
    for got, expected in zip(found, wanted, strict=True):
        same(got, expected)


@pytest.mark.parametrize("is_causal", [False, True])
@pytest.mark.parametrize("return_lse", [False, True])
def test_the_gradient_passes_gradcheck(is_causal, return_lse):
    given = [one.requires_grad_() for one in draw(5, 6, b=2, h=2, g=1, d=3)]

    def function(q, k, v):
        lengths = torch.tensor([6, 4])
        found = tiled(q, k, v, causal=is_causal, key_lengths=lengths, return_lse=return_lse)
        if not return_lse:
            return found
        return found[0], torch.where(found[1] == -torch.inf, 0.0, found[1])

    assert torch.autograd.gradcheck(function, given)


@pytest.mark.parametrize("sizes", [(1, 1), (2, 3), (3, 2), (100, 4), (4, 100)], ids=str)
def test_the_block_sizes_do_not_matter(sizes):
    given = draw(t=7, s=11)
    same(
        flash_attention(*given, causal=True, block_q=sizes[0], block_k=sizes[1]),
        tiled(*given, causal=True),
    )


def test_the_axes_of_heads_and_sentences_may_be_missing():
    q, k, v = draw()
    whole, lse = tiled(q, k, v, return_lse=True)
    same(tiled(q[1], k[1], v[1]), whole[1])
    one, its_lse = tiled(q[1, 2], k[1, 1], v[1, 1], return_lse=True)
    assert one.shape == (11, 2)
    same(one, whole[1, 2])
    same(its_lse, lse[1, 2])
    same(tiled(q[1], k[1], v[1], key_lengths=5), tiled(q, k, v, key_lengths=[5, 5])[1])


def test_strides_do_not_matter_and_nothing_is_changed_in_place():
    given = [one.transpose(1, 2).contiguous().transpose(1, 2) for one in draw()]
    before = [one.clone() for one in given]
    assert not given[0].is_contiguous()
    same(tiled(*given), grouped_attention(*given))
    for one, other in zip(given, before, strict=True):
        assert torch.equal(one, other)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32], ids=str)
def test_the_error_is_at_most_twice_that_of_the_same_dtype_done_plainly(dtype):
    """The truth is the plain formula in float64; the floor is two roundings of the largest."""
    given = draw(31, 61, d=16, e=7, dtype=dtype)
    grad = random(2, 6, 31, 7, seed=9, dtype=dtype)
    exact = [one.double() for one in (*given, grad)]

    def plainly(q, k, v):
        k, v = (one.repeat_interleave(2, dim=1) for one in (k, v))
        return (q @ k.mT * q.shape[-1] ** -0.5).softmax(-1) @ v

    def all_of(function, *parts):
        return function(*parts[:3]), *gradients(function, parts[:3], parts[3])

    for found, plain, truth in zip(
        all_of(tiled, *given, grad), all_of(plainly, *given, grad), all_of(plainly, *exact),
        strict=True,
    ):  # fmt: skip
        assert found.dtype == dtype
        error, its_error = ((one.double() - truth).abs().max() for one in (found, plain))
        assert error <= 2 * its_error + 2 * torch.finfo(dtype).eps * truth.abs().max()


def test_scores_beyond_the_range_of_float16_are_computed():
    q, k, v = draw(dtype=torch.float16)
    assert tiled(300 * q, 300 * k, v).isfinite().all()


# Memory


class Allocated(TorchDispatchMode):
    """The number of elements of the largest tensor that is made."""

    largest = 0

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        found = function(*args, **(kwargs or {}))
        for one in found if isinstance(found, tuple | list) else (found,):
            if isinstance(one, torch.Tensor):
                self.largest = max(self.largest, one.untyped_storage().nbytes())
        return found


def largest_tensor(function, n, d=16):
    """In bytes, forward and backward, for one head in float32."""
    parts = [random(1, 1, n, d, seed=seed, dtype=torch.float32) for seed in range(3)]
    parts = [one.requires_grad_() for one in parts]
    with Allocated() as seen:
        function(*parts).sum().backward()
    return seen.largest


def test_memory_grows_with_the_length_and_not_with_its_square():
    def tiles(q, k, v):
        return flash_attention(q, k, v, block_q=32, block_k=32)

    ours = [largest_tensor(tiles, n) for n in (128, 256, 512)]
    plain = [largest_tensor(attention, n) for n in (128, 256, 512)]
    assert ours == [4 * 16 * n for n in (128, 256, 512)]  # no tensor is larger than an input
    assert plain == [4 * n * n for n in (128, 256, 512)]


# The log of what is moved


def moved(log, *names):
    return sum(move.elements for move in log if move.name in names)


@pytest.mark.parametrize("n", [64, 60])
@pytest.mark.parametrize("block_q", [4, 8, 12])
def test_the_log_counts_what_the_loops_move(n, block_q):
    d, log = 5, []
    q, k, v = (random(n, d, seed=seed) for seed in range(3))
    flash_attention(q, k, v, block_q=block_q, block_k=16, log=log)
    times = -(-n // block_q)
    assert moved(log, "q", "k", "v", "out") == 2 * n * d + times * 2 * n * d
    assert moved(log, "k") == moved(log, "v") == times * n * d
    assert {move.name for move in log if move.action == "write"} == {"out", "lse"}
    assert moved(log, "out") == n * d
    assert moved(log, "lse") == n


def test_the_log_tells_the_tiles_in_the_order_in_which_they_are_read():
    log = []
    q, k, v = (random(4, 3, seed=seed) for seed in range(3))
    flash_attention(q, k, v, causal=True, block_q=2, block_k=2, log=log)
    told = [(move.action, move.name, move.q_block, move.k_block, move.elements) for move in log]
    assert told == [
        ("read", "q", 0, None, 6),
        ("read", "k", 0, 0, 6),
        ("read", "v", 0, 0, 6),  # and not block 1: no query of block 0 may see it
        ("write", "out", 0, None, 6),
        ("write", "lse", 0, None, 2),
        ("read", "q", 1, None, 6),
        ("read", "k", 1, 0, 6),
        ("read", "v", 1, 0, 6),
        ("read", "k", 1, 1, 6),
        ("read", "v", 1, 1, 6),
        ("write", "out", 1, None, 6),
        ("write", "lse", 1, None, 2),
    ]


@pytest.mark.parametrize("t", [3, 4, 7, 8, 11])
def test_causal_skips_exactly_the_tiles_in_which_nothing_may_be_seen(t):
    s, log = 11, []
    tiled(*draw(t, s), causal=True, log=log)
    mask = may_attend(causal, t, s, align="bottom-right")
    wanted = {
        (i // BLOCK, j // BLOCK) for i, j in itertools.product(range(t), range(s)) if mask[i, j]
    }
    assert {(move.q_block, move.k_block) for move in log if move.name == "k"} == wanted


# Refusals


@pytest.mark.parametrize(
    ("change", "error", "sentence"),
    [
        ({"q": torch.zeros(2, 4, 3, 5).double()}, ValueError, "4 heads cannot share 3"),
        ({"k": torch.zeros(2, 3, 7, 4).double()}, ValueError, "both need the same d"),
        ({"v": torch.zeros(2, 3, 6, 2).double()}, ValueError, "each key needs one value"),
        ({"v": torch.zeros(2, 1, 7, 2).double()}, ValueError, "v has 1 heads but k has 3"),
        ({"k": torch.zeros(1, 3, 7, 5).double()}, ValueError, "k holds 1 sentences but q 2"),
        ({"k": torch.zeros(3, 7, 5).double()}, ValueError, "the same kind for q, k and v"),
        ({"q": torch.zeros(2, 6, 3, 5)}, TypeError, "both need the same"),
        ({"q": [[1.0]]}, TypeError, "expected a tensor"),
        ({"causal": 1}, TypeError, "causal is 1"),
        ({"align": "left"}, ValueError, "align is 'left'"),
        ({"block_q": 0}, ValueError, "block_q is 0"),
        ({"scale": torch.inf}, ValueError, "scale is inf"),
        ({"key_lengths": [7]}, ValueError, r"shape \(1,\); expected \(2,\)"),
        ({"key_lengths": [7, 8]}, ValueError, "from 7 to 8; expected 0 to 7"),
        ({"key_lengths": [-1, 7]}, ValueError, "from -1 to 7"),
        ({"key_lengths": [0.5, 7.0]}, TypeError, "expected whole numbers"),
    ],
)
def test_what_cannot_be_computed_is_refused_in_words(change, error, sentence):
    given = dict(zip("qkv", draw(), strict=True))
    with pytest.raises(error, match=sentence):
        flash_attention(**given | change)
