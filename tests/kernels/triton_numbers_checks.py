"""What the Triton kernels must do about numbers and traffic; see triton_checks.py."""

import pytest
import torch
import triton
import triton.language as tl

from course_lib.kernels.flash import flash_attention
from course_lib.kernels.flash_triton import Tiles, flash_attention_triton
from course_lib.kernels.triton_bare import bare_attention
from course_lib.kernels.triton_rows import Rows, numbers_at, places
from course_lib.kernels.triton_tiles import tanh
from tests.kernels.triton_samples import (  # noqa: F401 (a fixture for every check)
    BLOCK,
    DEVICE,
    ON_CPU,
    SMALL,
    TILES,
    _poisoned,
    agrees,
    draw,
    inside_nan,
    ours,
)


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
