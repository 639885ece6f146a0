"""What the checks of the Triton kernels share."""

import pytest
import torch

from course_lib.kernels import flash_triton
from course_lib.kernels.flash_triton import Tiles, flash_attention_triton
from course_lib.kernels.interpreter import is_interpreted

ON_CPU = is_interpreted()
DEVICE = "cpu" if ON_CPU else "cuda"
BLOCK = 16 if ON_CPU else 128
SMALL = {name: Tiles(16, 16, 4, 1) for name in ("forward", "backward_q", "backward_kv")}
TILES = SMALL if ON_CPU else None
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
