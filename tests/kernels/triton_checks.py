"""What the Triton kernels must do, on any device; test_flash_triton.py runs this in a process.

    TRITON_INTERPRET=1 python -m pytest tests/kernels/triton_checks.py     # on a CPU
    python -m pytest tests/kernels/triton_checks.py                        # on a GPU

In the interpreter tiles are 16 by 16, the smallest, so that few rows make several. All tensors that
are read lie in a larger one full of NaN, with gaps between their rows, and all that are written are
full of NaN before: what is read or left out by mistake shows.
"""

import pytest
import torch
import triton
import triton.language as tl

from course_lib.kernels import flash_triton
from course_lib.kernels.flash import flash_attention
from course_lib.kernels.flash_triton import Tiles, flash_attention_triton
from course_lib.kernels.interpreter import is_interpreted
from course_lib.kernels.triton_bare import bare_attention
from course_lib.kernels.triton_rows import Rows, numbers_at, places
from course_lib.kernels.triton_tiles import block_of, edges, tanh

ON_CPU = is_interpreted()
DEVICE = "cpu" if ON_CPU else "cuda"
BLOCK = 16 if ON_CPU else 128
SMALL = {name: Tiles(16, 16, 4, 1) for name in ("forward", "backward_q", "backward_kv")}
OTHER = {"forward": Tiles(32, 16, 4, 1), "backward_q": Tiles(16, 32, 4, 1),
         "backward_kv": Tiles(32, 16, 4, 1)}  # fmt: skip
TILES = SMALL if ON_CPU else None
EDGES = (0, 1, BLOCK - 1, BLOCK, BLOCK + 1)
FLOOR = 4  # roundings of the largest number, or of 1: where the plain way happens to be exact


@pytest.fixture(autouse=True)
def _poisoned(monkeypatch):
    """Tensors of flash_triton that are made without a value hold NaN."""
    for name in ("empty", "empty_like"):
        made = getattr(torch, name)

        def nan(*shape, _made=made, **options):
            return _made(*shape, **options).fill_(torch.nan)

        monkeypatch.setattr(flash_triton.torch, name, nan)


def inside_nan(shape, dtype=torch.float32, seed=0):
    """Random numbers; before, behind and between their rows lies NaN, and rows lie apart."""
    b, h, n, d = shape
    numbers = torch.randn(shape, generator=torch.Generator().manual_seed(seed))
    around = torch.full((b, n + 3, h, d + 5), torch.nan, dtype=dtype, device=DEVICE)
    view = around[:, 1 : n + 1, :, 2 : d + 2].transpose(1, 2)
    return view.copy_(numbers)


def draw(t, s, *, b=1, h=1, g=1, d=16, dtype=torch.float32):
    """q, k, v and a gradient of the output."""
    shapes = ((b, h, t, d), (b, g, s, d), (b, g, s, d), (b, h, t, d))
    return [inside_nan(shape, dtype, seed) for seed, shape in enumerate(shapes)]


def ours(q, k, v, grad, **options):
    """Output, lse and the three gradients; the lse has a gradient of 1 where it is finite."""
    q, k, v = (one.detach().requires_grad_() for one in (q, k, v))
    options = {"tiles": TILES} | options
    out, lse = flash_attention_triton(q, k, v, return_lse=True, **options)
    grads = torch.autograd.grad((out, lse), (q, k, v), (grad, torch.ones_like(lse)))
    return out.detach(), lse.detach(), *grads


def plain(
    q, k, v, grad, *, causal=False, key_lengths=None, align="bottom-right", window=None,
    softcap=None,
):  # fmt: skip
    """The same by the formula and autograd, in the dtype that it is given."""
    q, k, v = (one.clone().requires_grad_() for one in (q, k, v))
    t, s, times = q.shape[-2], k.shape[-2], q.shape[1] // k.shape[1]
    seen = torch.ones(len(q), 1, t, s, dtype=torch.bool, device=q.device)
    shift = s - t if align == "bottom-right" else 0
    if causal:
        seen = seen.tril(shift)
    if window is not None:
        seen = seen.tril(shift + window - 1).triu(shift - window + 1)
    if key_lengths is not None:
        words = torch.tensor(key_lengths, device=q.device)[:, None, None, None]
        seen = seen & (torch.arange(s, device=q.device) < words)
    wide_k, wide_v = (one.repeat_interleave(times, dim=1) for one in (k, v))
    scores = q @ wide_k.mT * q.shape[-1] ** -0.5
    if softcap is not None:
        scores = softcap * (scores / softcap).tanh()
    low = torch.finfo(q.dtype).min
    scores = torch.where(seen, scores, low)  # -inf would be NaN in a row without a key
    out = (scores.softmax(-1) * seen) @ wide_v
    some = seen.any(-1).expand(out.shape[:-1])
    lse = scores.logsumexp(-1) if s else scores.sum(-1)
    grads = torch.autograd.grad((out, lse), (q, k, v), (grad, some.to(lse)), allow_unused=True)
    grads = [torch.zeros_like(x) if y is None else y for x, y in zip((q, k, v), grads, strict=True)]
    return out.detach(), torch.where(some, lse.detach(), -torch.inf), *grads


def _largest(table):
    """The largest size in it, -inf apart; 0 where it is empty."""
    return float(torch.where(table == -torch.inf, 0, table).abs().max()) if table.numel() else 0.0


def agrees(given, **options):
    """The rule of the FlashAttention repository: an error at most twice that of the plain way.

    And a floor below it: some roundings of the largest number, and some of the weights, which a
    backward pass makes again as exp(score - lse), both rounded to float32. How exact the plain way
    happens to be depends on the processor.
    """
    own = {name: options.pop(name) for name in ("tiles", "parts") if name in options}
    found = ours(*given, **options, **own)
    words = options.get("key_lengths")
    clean = [one.clone() for one in given]
    for n, length in enumerate(words or ()):
        clean[1][n, :, length:] = clean[2][n, :, length:] = 0
    its = plain(*clean, **options)
    truth = plain(*(one.double() for one in clean), **options)
    names = ("out", "lse", "grad_q", "grad_k", "grad_v")
    of_weights = torch.finfo(torch.float32).eps * _largest(truth[1])
    for name, one, other, true in zip(names, found, its, truth, strict=True):
        assert one.shape == true.shape
        assert one.dtype == (torch.float32 if name == "lse" else given[0].dtype)
        empty = true == -torch.inf
        assert torch.equal(one == -torch.inf, empty), name
        error, its_error = (
            torch.where(empty, 0, x.double() - true).abs().max() if true.numel() else 0
            for x in (one, other)
        )
        largest = _largest(true)
        floor = FLOOR * (torch.finfo(one.dtype).eps * max(largest, 1) + of_weights * largest)
        assert error <= 2 * its_error + floor, (name, float(error), float(its_error))
    return found


@triton.jit
def tanh_of(x, found, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(found + i, tanh(tl.load(x + i, mask=i < n, other=0.0)), mask=i < n)


@triton.jit
def row_addresses(x, found, b, h, first, ROWS: tl.constexpr, WIDTH: tl.constexpr):
    pointers, _ = places(x, b, h, first, first + ROWS, WIDTH, ROWS, WIDTH)
    i, j = tl.arange(0, ROWS)[:, None], tl.arange(0, WIDTH)[None, :]
    tl.store(found + i * WIDTH + j, pointers.to(tl.int64))


@triton.jit
def number_addresses(x, found, b, h, first, heads, t, ROWS: tl.constexpr):
    i = tl.arange(0, ROWS)
    tl.store(found + i, numbers_at(x, b, h, first + i, heads, t).to(tl.int64))


@triton.jit
def orders(found, blocks, heads, side):
    sentence, head, block = block_of(tl.program_id(0), blocks, heads, side)
    at = found + 3 * tl.program_id(0)
    tl.store(at, sentence)
    tl.store(at + 1, head)
    tl.store(at + 2, block)


@triton.jit
def borders(found, begin, end, whole_from, whole_to, BLOCK: tl.constexpr):
    left, right = edges(begin, end, whole_from, whole_to, BLOCK)
    tl.store(found, left)
    tl.store(found + 1, right)


class TestLengths:
    """All lengths around the edge of a tile, queries and keys apart."""

    @pytest.mark.parametrize("t", EDGES)
    @pytest.mark.parametrize("s", EDGES)
    def test_every_pair_of_lengths(self, t, s):
        agrees(draw(t, s), causal=True)

    @pytest.mark.parametrize("t", EDGES)
    def test_every_length_without_a_mask(self, t):
        agrees(draw(t, BLOCK + 1))
        agrees(draw(BLOCK + 1, t))

    @pytest.mark.parametrize(("t", "s"), [(5, 2 * BLOCK + 5), (2 * BLOCK + 5, 5)])
    @pytest.mark.parametrize("align", ["bottom-right", "top-left"])
    def test_where_the_diagonal_stands(self, t, s, align):
        agrees(draw(t, s), causal=True, align=align)

    @pytest.mark.parametrize("beyond", [-2, -1, 0, 1])
    def test_where_the_diagonal_meets_the_border_of_a_tile(self, beyond):
        t = BLOCK + 3
        agrees(draw(t, t + BLOCK + beyond), causal=True)
        agrees(draw(t, t + BLOCK + beyond), causal=True, window=BLOCK + 2)

    @pytest.mark.parametrize(
        ("s", "dtype"),
        [(257, torch.bfloat16), (2049, torch.float16), (65_537, torch.float16)],
        ids=str,
    )
    @pytest.mark.parametrize("told", [False, True], ids=["", "key_lengths"])
    def test_the_last_key_counts_where_the_dtype_cannot_count_so_far(self, s, dtype, told):
        """bfloat16 has no 257, float16 no 2049, and its largest number is 65504."""
        q, k, v = (torch.zeros(1, 1, n, 16, dtype=dtype, device=DEVICE) for n in (1, s, s))
        q[:], k[..., -1, :], v[..., -1, :] = 8.0, 8.0, 10.0  # one key agrees, and is the last
        wide = Tiles(16, 4096, 4, 1)  # few programs: the interpreter is slow
        options = {"tiles": dict.fromkeys(SMALL, wide) if ON_CPU else None}
        options |= {"key_lengths": [s]} if told else {}
        out, lse, _, _, grad_v = ours(q, k, v, torch.ones_like(q), **options)
        assert (out == 10).all()
        assert lse.item() == pytest.approx(16 * 64 / 4, rel=1e-6)
        assert (grad_v[..., -1, :] == 1).all()
        assert not grad_v[..., :-1, :].any()
        if told:
            out, *_ = ours(q, k, v, torch.ones_like(q), **options | {"key_lengths": [s - 1]})
            assert not out.any()

    @pytest.mark.parametrize("tiles", [OTHER, None], ids=["unlike", "shipped"])
    def test_other_tiles(self, tiles):
        agrees(draw(40, 70, d=24), causal=True, tiles=tiles)


class TestParts:
    """Keys shared out among programs, whose answers are merged; which program does what."""

    @pytest.mark.parametrize("parts", [1, 2, 3, 7])
    @pytest.mark.parametrize(("t", "causal"), [(1, True), (BLOCK + 3, True), (5, False)])
    def test_any_number_of_parts(self, parts, t, causal):
        agrees(draw(t, 3 * BLOCK + 5, h=2, g=1), causal=causal, parts=parts)

    @pytest.mark.parametrize("tiles", [None, OTHER], ids=["shipped", "unlike"])
    def test_parts_of_other_tiles(self, tiles):
        agrees(draw(3, 300, d=24), causal=True, tiles=tiles, parts=2)

    def test_parts_with_padding_and_a_window(self):
        q, k, v, grad = draw(3, 3 * BLOCK, b=3)
        lengths = [3 * BLOCK, BLOCK + 1, 0]  # the second has a part without keys, the third none
        for n, length in enumerate(lengths):
            k[n, :, length:] = v[n, :, length:] = torch.nan
        agrees((q, k, v, grad), key_lengths=lengths, parts=3)
        agrees((q, k, v, grad), key_lengths=lengths, parts=2, window=BLOCK + 2, softcap=2.0)

    @pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16], ids=str)
    def test_parts_are_merged_in_float32(self, dtype):
        agrees(draw(2, 4 * BLOCK, dtype=dtype), parts=4)

    def test_few_queries_are_shared_out_by_themselves(self, monkeypatch):
        busy = flash_triton.Device(processors=8)
        monkeypatch.setattr(flash_triton, "_device", lambda device: busy)
        merged = []
        merge = flash_triton._merge
        monkeypatch.setattr(flash_triton, "_merge", lambda *a: (merged.append(a[-1]), merge(*a)))
        for blocks, s, window, wanted in ((2, 330, None, [4]), (2, 200, None, [3]),
                                          (9, 150, None, []), (2, 150, 3, [])):  # fmt: skip
            merged.clear()
            agrees(draw(1, s, h=blocks, g=1), causal=True, window=window)
            assert merged == wanted

    @pytest.mark.parametrize("parts", [0, -1, 1.5])
    def test_a_wrong_number_of_parts_is_refused(self, parts):
        q, k, v, _ = draw(3, 5)
        with pytest.raises((TypeError, ValueError), match="parts"):
            flash_attention_triton(q, k, v, tiles=TILES, parts=parts)

    @pytest.mark.parametrize(("side", "heads"), [(1, 3), (2, 3), (4, 3), (5, 1)])
    def test_the_longest_blocks_of_the_heads_that_go_together_are_first(self, side, heads):
        sentences, blocks = 5 // heads + 1, 4
        programs = sentences * heads * blocks
        found = torch.full((programs, 3), -1, dtype=torch.int32, device=DEVICE)
        orders[(programs,)](found, blocks, heads, side)
        heads_of_all = [(b, h) for b in range(sentences) for h in range(heads)]
        wanted = [
            [b, h, block]
            for first in range(0, len(heads_of_all), side)
            for block in range(blocks)
            for b, h in heads_of_all[first : first + side]
        ]
        assert found.tolist() == wanted

    def test_results_do_not_hang_on_the_order(self, monkeypatch):
        given = draw(BLOCK + 1, BLOCK + 2, b=2, h=3, g=3)
        whole = ours(*given, causal=True)
        for heads_in_cache in (1, 2, 3):
            its = flash_triton.Device(cache_bytes=heads_in_cache * 4 * (BLOCK + 2) * 16 * 4)
            monkeypatch.setattr(flash_triton, "_device", lambda device, its=its: its)
            for one, other in zip(ours(*given, causal=True), whole, strict=True):
                assert torch.equal(one, other)

    @pytest.mark.parametrize(
        ("given", "wanted"),
        [
            ((0, 100, 0, 100), (0, 96)),  # the last keys make no whole tile
            ((0, 96, 0, 96), (0, 96)),
            ((0, 100, 0, 85), (0, 80)),  # a diagonal over the last two tiles
            ((7, 100, 20, 85), (23, 71)),  # and a window's left edge
            ((7, 20, 90, 10), (20, 20)),  # no tile is whole
            ((40, 20, 40, -5), (20, 20)),  # no key is seen: all loops are empty
        ],
    )
    def test_where_the_whole_tiles_begin_and_end(self, given, wanted):
        found = torch.zeros(2, dtype=torch.int32, device=DEVICE)
        borders[(1,)](found, *given, BLOCK=16)
        assert tuple(found.tolist()) == wanted


class TestRules:
    """Padding, empty rows, shared heads."""

    @pytest.mark.parametrize("lengths", [(BLOCK + 2, 3), (0, BLOCK), (1, BLOCK - 1)], ids=str)
    @pytest.mark.parametrize("causal", [False, True])
    def test_padding_is_never_used(self, lengths, causal):
        q, k, v, grad = draw(BLOCK - 3, BLOCK + 2, b=2)
        for n, length in enumerate(lengths):
            k[n, :, length:] = v[n, :, length:] = torch.nan
        agrees((q, k, v, grad), causal=causal, key_lengths=list(lengths))

    def test_lengths_change_while_shapes_do_not(self):
        given = draw(3, BLOCK + 2)
        for length in (BLOCK + 2, 1, BLOCK):
            agrees(given, key_lengths=[length])

    def test_a_row_that_sees_no_key_gives_zero_and_gets_no_gradient(self):
        out, lse, grad_q, *_ = agrees(draw(BLOCK + 5, 3), causal=True)
        assert not out[:, :, : BLOCK + 2].any()
        assert not grad_q[:, :, : BLOCK + 2].any()
        assert (lse[:, :, : BLOCK + 2] == -torch.inf).all()

    @pytest.mark.parametrize(("h", "g"), [(6, 3), (3, 1), (2, 2)])
    def test_shared_heads_get_the_gradient_of_all_that_share_them(self, h, g):
        agrees(draw(7, 5, b=2, h=h, g=g), causal=True)

    def test_the_axes_of_heads_and_sentences_may_be_missing(self):
        q, k, v, _ = draw(5, 7, b=2, h=2, g=2)
        whole, lse = flash_attention_triton(q, k, v, tiles=TILES, return_lse=True)
        one, its_lse = flash_attention_triton(q[1], k[1], v[1], tiles=TILES, return_lse=True)
        assert torch.equal(one, whole[1])
        assert torch.equal(its_lse, lse[1])
        assert torch.equal(flash_attention_triton(q[1, 1], k[1, 1], v[1, 1], tiles=TILES), one[1])

    @pytest.mark.parametrize("w", [2, 5, BLOCK, BLOCK + 1, 4 * BLOCK])
    @pytest.mark.parametrize("causal", [False, True])
    def test_windows(self, w, causal):
        agrees(draw(2 * BLOCK + 3, 2 * BLOCK + 3), causal=causal, window=w)

    def test_a_window_of_one_key_gives_its_value(self):
        q, k, v, grad = draw(BLOCK + 3, BLOCK + 3)
        for causal in (False, True):
            out, lse, grad_q, grad_k, grad_v = ours(q, k, v, grad, window=1, causal=causal)
            assert torch.equal(out, v)
            torch.testing.assert_close(lse, (q * k).sum(-1) / 4)
            torch.testing.assert_close(grad_v, grad)
            torch.testing.assert_close(grad_q, k / 4, rtol=0, atol=1e-5)  # of the lse alone
            torch.testing.assert_close(grad_k, q / 4, rtol=0, atol=1e-5)

    @pytest.mark.parametrize(("t", "s"), [(5, 3 * BLOCK), (3 * BLOCK, 5), (1, BLOCK + 2)])
    @pytest.mark.parametrize("align", ["bottom-right", "top-left"])
    @pytest.mark.parametrize("causal", [False, True])
    def test_where_a_window_stands(self, t, s, align, causal):
        agrees(draw(t, s), window=7, align=align, causal=causal)

    @pytest.mark.parametrize("tiles", [OTHER, None], ids=["unlike", "shipped"])
    def test_windows_in_other_tiles(self, tiles):
        agrees(draw(40, 70, d=24), causal=True, window=19, softcap=2.0, tiles=tiles)

    def test_padding_behind_a_window_is_never_used(self):
        q, k, v, grad = draw(BLOCK + 5, BLOCK + 2, b=2)
        k[1, :, 3:] = v[1, :, 3:] = torch.nan
        out, *_ = agrees((q, k, v, grad), window=4, key_lengths=[BLOCK + 2, 3])
        assert not out[1, :, -1].any()  # its window holds padding alone

    @pytest.mark.parametrize("softcap", [0.5, 2.0, 50.0])
    @pytest.mark.parametrize("dtype", [torch.float16, torch.float32], ids=str)
    def test_softcaps(self, softcap, dtype):
        q, k, v, grad = draw(BLOCK + 1, BLOCK + 4, h=2, g=1, dtype=dtype)
        agrees((4 * q, k, v, grad), causal=True, softcap=softcap)

    def test_a_softcap_keeps_large_scores_apart_from_infinity(self):
        q, k, v, grad = draw(3, 5)
        out, lse, *grads = ours(1e4 * q, k, v, grad, softcap=2.0)
        assert lse.abs().max() < 2 + 2  # and log 5 is less than 2
        assert all(one.isfinite().all() for one in (out, *grads))

    def test_a_gradient_of_a_gradient_is_refused(self):
        q, k, v, _ = draw(3, 5)
        q.requires_grad_()
        out = flash_attention_triton(q, k, v, tiles=TILES)
        (grad,) = torch.autograd.grad(out.sum(), q, create_graph=True)
        with pytest.raises(RuntimeError, match="flash_attention_triton has a first derivative"):
            (grad.square().sum() + out.sum()).backward()

    @pytest.mark.parametrize("softcap", [None, 2.0])
    @pytest.mark.parametrize("scale", [0.7, -0.7, 0, -2])
    def test_a_scale_is_used(self, scale, softcap):
        q, k, v, grad = draw(5, BLOCK + 7)
        options = {"scale": scale, "causal": True, "softcap": softcap}
        parts = [one.requires_grad_() for one in (q, k, v)]
        outs = [
            flash_attention_triton(*parts, **options, tiles=TILES),
            flash_attention(*parts, **options),
        ]
        grads = [torch.autograd.grad(one, parts, grad) for one in outs]
        for one, other in zip((outs[0], *grads[0]), (outs[1], *grads[1]), strict=True):
            atol = 4e-6 * max(1.0, other.abs().max().item())
            torch.testing.assert_close(one, other, rtol=0, atol=atol)


class TestNumbers:
    """Dtypes, widths, large scores, strides, offsets, the same bits; and the loop to be read."""

    @pytest.mark.parametrize(("n", "d", "block"), [(16, 16, 16), (96, 32, 16), (64, 16, 32)])
    def test_the_bare_loop_is_attention(self, n, d, block):
        q, k, v = (one[0, 0].contiguous() for one in draw(n, n, d=d)[:3])
        k[-1] *= 20  # the largest scores come last
        right = flash_attention(*(one.double() for one in (q, k, v)))
        off = 1e-5 if ON_CPU else 1e-2  # on a GPU its products have fewer digits
        torch.testing.assert_close(bare_attention(q, k, v, block).double(), right, rtol=0, atol=off)

    @pytest.mark.parametrize(
        ("t", "n", "d", "block"),
        [(32, 16, 16, 16), (24, 24, 16, 16), (16, 16, 12, 16), (24, 24, 16, 24)],
    )
    def test_the_bare_loop_says_what_it_cannot(self, t, n, d, block):
        with pytest.raises(ValueError, match="bare loop wants"):
            bare_attention(torch.ones(t, d), torch.ones(n, d), torch.ones(n, d), block)

    @pytest.mark.parametrize("d", [1, 16, 24, 40, 64, 128])
    @pytest.mark.parametrize("dtype", [torch.float16, torch.float32, torch.bfloat16], ids=str)
    def test_widths_and_dtypes(self, d, dtype):
        if ON_CPU and dtype == torch.bfloat16 and d != 40:
            pytest.skip("the interpreter has no bfloat16: it computes in float32, as above")
        agrees(draw(BLOCK + 1, BLOCK + 4, d=d, dtype=dtype), causal=True)

    @pytest.mark.parametrize("d", [200, 256])
    def test_wide_heads(self, d):
        agrees(draw(7, 5, d=d, dtype=torch.float16))

    def test_float16_over_many_tiles(self):
        agrees(draw(BLOCK, 4 * BLOCK + 3, d=32, dtype=torch.float16))

    @pytest.mark.parametrize("dtype", [torch.float16, torch.float32], ids=str)
    def test_large_scores_do_not_overflow(self, dtype):
        q, k, v, grad = draw(BLOCK, 2 * BLOCK, dtype=dtype)
        q *= 60
        k *= 60
        out, lse, *grads = ours(q, k, v, grad)
        want, its_lse = flash_attention(*(x.double() for x in (q, k, v)), return_lse=True)
        eps = torch.finfo(dtype).eps
        torch.testing.assert_close(out.double(), want, rtol=0, atol=20 * eps * want.abs().max())
        torch.testing.assert_close(lse.double(), its_lse, rtol=1e-6, atol=0)
        assert all(one.isfinite().all() for one in grads)

    def test_scores_far_below_zero_are_scores(self):
        q, k, v, _ = draw(3, 5)
        q[:], k[:] = -300.0, 300.0
        found = flash_attention_triton(q, k, v, tiles=TILES)
        torch.testing.assert_close(found, v.mean(2, keepdim=True).expand(1, 1, 3, 16))

    def test_columns_that_do_not_lie_side_by_side(self):
        wide = draw(5, 7, d=16)
        turned = [one.mT.contiguous().mT for one in wide]
        assert turned[0].stride(-1) != 1
        for one, other in zip(ours(*turned), ours(*wide), strict=True):
            assert torch.equal(one, other)

    def test_the_gradient_may_be_one_number_for_all(self):
        given = draw(5, 7)
        for one, other in zip(
            ours(*given[:3], torch.ones(1, device=DEVICE).expand(1, 1, 5, 16)),
            ours(*given[:3], torch.ones(1, 1, 5, 16, device=DEVICE)),
            strict=True,
        ):
            assert torch.equal(one, other)

    def test_the_same_bits_each_time(self):
        given = draw(BLOCK + 1, BLOCK + 1, h=2, g=1, dtype=torch.float16)
        for one, other in zip(ours(*given), ours(*given), strict=True):
            assert torch.equal(one, other)

    def test_one_head_does_not_reach_into_another(self):
        given = draw(3, BLOCK + 1, b=2, h=2, g=2)
        whole = ours(*given, causal=True)
        for b, h in ((0, 1), (1, 0)):
            one = ours(*(x[b : b + 1, h : h + 1] for x in given), causal=True)
            for part, all_of_it in zip(one, whole, strict=True):
                assert torch.equal(part[0, 0], all_of_it[b, h])

    def test_tanh_is_exact_to_float32(self):
        x = torch.cat((torch.logspace(-6, 2, 4001), torch.linspace(0.2999, 0.3001, 95)))
        x = torch.cat((-x, x)).to(DEVICE)
        found = torch.empty_like(x)
        tanh_of[(1,)](x, found, x.numel(), BLOCK=8192)
        right = x.double().tanh()
        assert ((found - right) / right).abs().max() < 4 * torch.finfo(torch.float32).eps

    @pytest.mark.parametrize("strides", [(2**40, 2**33, 2**21), (2**31, 2**31 - 1, 24)], ids=str)
    def test_addresses_are_counted_in_64_bits(self, strides):
        """No memory lies there, and none is read: the addresses are compared with Python's."""
        b, h, first, width = 5, 3, 2**29 - 16, 16
        x = torch.zeros(1, dtype=torch.float16, device=DEVICE)
        found = torch.zeros(16, width, dtype=torch.int64, device=DEVICE)
        row_addresses[(1,)](Rows(x, *strides), found, b, h, first, ROWS=16, WIDTH=width)
        for i in (0, 15):
            offset = b * strides[0] + h * strides[1] + (first + i) * strides[2] + width - 1
            assert found[i, -1] == x.data_ptr() + 2 * offset
        number_addresses[(1,)](x, found, b, h, first, 7, 2**29, ROWS=16)
        for i in (0, 15):
            assert found[0, i] == x.data_ptr() + 2 * ((b * 7 + h) * 2**29 + first + i)

    @pytest.mark.parametrize("far", ["sentences", "heads", "rows"])
    def test_offsets_beyond_31_bits(self, far):
        """The memory between is asked for and not touched."""
        shape = {"sentences": (3, 1, 2, 16), "heads": (1, 3, 2, 16), "rows": (1, 1, 650, 16)}[far]
        step = 2**22 - 16 if far == "rows" else 2**30
        axis = ("sentences", "heads", "rows").index(far)
        strides = [32, 32, 16, 1]
        strides[axis] = step
        assert (shape[axis] - 1) // 128 * 128 * step >= 2**31 or (shape[axis] - 1) * step == 2**31
        try:
            storage = torch.Tensor.new_empty(
                torch.zeros(0, dtype=torch.float16, device=DEVICE), (shape[axis] * step,)
            )
        except RuntimeError as error:
            pytest.skip(f"no room for {2 * shape[axis] * step / 1e9:.1f} GB: {error}")
        k = storage.as_strided(shape, strides)
        k.copy_(torch.randn(shape, generator=torch.Generator().manual_seed(1)))
        q = inside_nan((*shape[:2], 2, 16), torch.float16)
        tiles = {"forward": Tiles(16, 128, 4, 1)}
        found = flash_attention_triton(q, k, k, tiles=tiles)
        assert torch.equal(found, flash_attention_triton(q, k.clone(), k.clone(), tiles=tiles))


@pytest.mark.skipif(not ON_CPU, reason="numbers that are moved are counted in the interpreter")
class TestTraffic:
    """What the kernels read and write, counted in numbers at the interpreter's loads and stores."""

    T, D = 4 * BLOCK, 16

    @pytest.fixture
    def moved(self, monkeypatch):
        """Run something; how many numbers were read and written."""
        from triton.runtime.interpreter import InterpreterBuilder

        counts = {"masked_load": 0, "masked_store": 0}
        for name, mask_at in (("masked_load", 1), ("masked_store", 2)):
            done = getattr(InterpreterBuilder, f"create_{name}")

            def count(self, *arguments, _name=name, _done=done, _at=mask_at):
                counts[_name] += int(arguments[_at].data.sum())
                return _done(self, *arguments)

            monkeypatch.setattr(InterpreterBuilder, f"create_{name}", count)

        def run(function, *given, **options):
            counts.update(masked_load=0, masked_store=0)
            function(*given, **options)
            return tuple(counts.values())

        return run

    @pytest.mark.parametrize("block_q", [16, 32, 64])
    def test_the_forward_kernel_moves_what_the_formula_says(self, moved, block_q):
        t, d, blocks = self.T, self.D, self.T // block_q
        tiles = {"forward": Tiles(block_q, 16, 4, 1)}
        read, written = moved(flash_attention_triton, *draw(t, t)[:3], tiles=tiles)
        assert (read, written) == (t * d + blocks * 2 * t * d + blocks, t * d + t)

        log = []  # the same as flash.py's, beside the length that each program reads
        flash_attention(*draw(t, t)[:3], block_q=block_q, block_k=16, log=log)
        assert read - blocks == sum(one.elements for one in log if one.action == "read")
        assert written == sum(one.elements for one in log if one.action == "write")

    @pytest.mark.parametrize("causal", [False, True])
    def test_the_backward_kernels_move_what_they_must(self, moved, causal):
        t, d, blocks = self.T, self.D, self.T // BLOCK
        pairs = blocks * (blocks + 1) // 2 if causal else blocks**2
        q, k, v, grad = draw(t, t)
        q, k, v = (one.requires_grad_() for one in (q, k, v))
        out = flash_attention_triton(q, k, v, causal=causal, tiles=SMALL)
        read, written = moved(torch.autograd.grad, out, (q, k, v), grad)
        for_queries = 3 * t * d + 2 * t + blocks + pairs * 2 * BLOCK * d
        for_keys = 2 * t * d + blocks + pairs * (2 * BLOCK * d + 2 * BLOCK)
        assert read == for_queries + for_keys
        assert written == 3 * t * d + t

    def test_causal_tiles_in_which_nothing_is_seen_are_not_read(self, moved):
        t, d, blocks = self.T, self.D, self.T // BLOCK
        read, _ = moved(flash_attention_triton, *draw(t, t)[:3], causal=True, tiles=SMALL)
        assert read == t * d + blocks * (blocks + 1) // 2 * 2 * BLOCK * d + blocks

    @pytest.mark.parametrize("causal", [False, True])
    def test_what_lies_outside_the_window_is_not_read(self, moved, causal):
        """Windows of a block: of 4 x 4 tiles, a query's block meets the keys around it."""
        t, d, blocks, w = self.T, self.D, self.T // BLOCK, BLOCK
        q, k, v, grad = draw(t, t)
        options = {"causal": causal, "window": w, "tiles": SMALL}
        read, _ = moved(flash_attention_triton, q, k, v, **options)
        rows = 0  # of keys, for all blocks of queries: from the first key that is seen, in tiles
        for first in range(0, t, BLOCK):
            begin, end = max(first - w + 1, 0), min(first + BLOCK + (0 if causal else w - 1), t)
            rows += min(-(-(end - begin) // BLOCK) * BLOCK, t - begin)
        assert rows < (2.5 if causal else 3.5) * t
        assert read == t * d + 2 * rows * d + blocks

        parts = [one.requires_grad_() for one in (q, k, v)]
        out = flash_attention_triton(*parts, **options)
        read, _ = moved(torch.autograd.grad, out, parts, grad)
        asked = 0  # rows of queries, for all blocks of keys
        for first in range(0, t, BLOCK):
            begin, end = max(first - (0 if causal else w - 1), 0), min(first + BLOCK + w - 1, t)
            asked += min(-(-(end - begin) // BLOCK) * BLOCK, t - begin)
        for_queries = 3 * t * d + 2 * t + blocks + 2 * rows * d
        assert read == for_queries + 2 * t * d + blocks + asked * (2 * d + 2)

    def test_keys_behind_the_length_are_not_read(self, moved):
        t, d, words, blocks = self.T, self.D, BLOCK + 3, 2
        q, k, v, grad = draw(BLOCK, t)
        q, k, v = (one.requires_grad_() for one in (q, k, v))
        options = {"key_lengths": [words], "tiles": SMALL}
        read, _ = moved(flash_attention_triton, q, k, v, **options)
        assert read == BLOCK * d + 2 * words * d + 1
        out = flash_attention_triton(q, k, v, **options)
        read, _ = moved(torch.autograd.grad, out, (q, k, v), grad)
        for_queries = 3 * BLOCK * d + 2 * BLOCK + 1 + 2 * words * d
        for_keys = 2 * words * d + t // BLOCK + blocks * (2 * BLOCK * d + 2 * BLOCK)
        assert read == for_queries + for_keys
