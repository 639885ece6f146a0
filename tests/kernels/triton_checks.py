"""What the Triton kernels must do, on any device; test_flash_triton.py runs this in a process.

    TRITON_INTERPRET=1 python -m pytest tests/kernels/triton_checks.py     # on a CPU
    python -m pytest tests/kernels/triton_checks.py                        # on a GPU

triton_numbers_checks.py has those of numbers and traffic, which are run alike.

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
from course_lib.kernels.triton_tiles import block_of, edges
from tests.kernels.triton_samples import (  # noqa: F401 (a fixture for every check)
    BLOCK,
    DEVICE,
    ON_CPU,
    SMALL,
    TILES,
    _poisoned,
    agrees,
    draw,
    ours,
)

OTHER = {"forward": Tiles(32, 16, 4, 1), "backward_q": Tiles(16, 32, 4, 1),
         "backward_kv": Tiles(32, 16, 4, 1)}  # fmt: skip
EDGES = (0, 1, BLOCK - 1, BLOCK, BLOCK + 1)


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
            options = {"causal": True, "window": window}
            q, k, v, _ = draw(1, s, h=blocks, g=1)  # without gradients: nothing is shared out there
            found = flash_attention_triton(q, k, v, tiles=TILES, **options)
            assert merged == wanted
            right = flash_attention(*(one.double() for one in (q, k, v)), **options)
            torch.testing.assert_close(found.double(), right, rtol=0, atol=1e-5)

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
        given = draw(BLOCK + 1, BLOCK + 2, b=1, h=3, g=3)
        whole = ours(*given, causal=True)
        for heads_in_cache in (1, 2):
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
