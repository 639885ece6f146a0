"""Windows and softcaps in FlashAttention by tiles, and what it refuses to differentiate."""

import itertools

import pytest
import torch
from torch.nn.attention.flex_attention import AuxRequest, create_block_mask, flex_attention

from course_lib.kernels.attention import attention
from course_lib.kernels.differentiable_once import differentiable_once
from course_lib.kernels.flash import flash_attention
from course_lib.kernels.flash_rule import Rule
from course_lib.kernels.heads import repeat_heads
from course_lib.kernels.local_attention import local_attention
from course_lib.kernels.masks import causal, may_attend, padding, sliding_window, to_mask_mod
from tests.kernels.test_attention import random
from tests.kernels.test_flash import BLOCK, draw, gradients, same, tiled

# torch compiles flex_attention for speed; here its plain form is an oracle
pytestmark = pytest.mark.filterwarnings("ignore:flex_attention called without torch.compile")
WINDOWS = (1, 2, BLOCK, BLOCK + 1, 7, 100)


def rule_of(w, is_causal):
    return sliding_window(w) & causal if is_causal else sliding_window(w)


def plainly(q, k, v, **options):
    k, v = (repeat_heads(one, q.shape[-3] // k.shape[-3]) for one in (k, v))
    return attention(q, k, v, **options)


# Against the plain formula and FlexAttention


@pytest.mark.parametrize("w", WINDOWS)
@pytest.mark.parametrize("is_causal", [False, True])
@pytest.mark.parametrize("align", ["bottom-right", "top-left"])
@pytest.mark.parametrize(("t", "s"), [(11, 11), (11, 7), (3, 13), (1, 9)])
def test_a_window_is_the_mask_of_masks_py(t, s, w, is_causal, align):
    given = draw(t, s)
    mask = may_attend(rule_of(w, is_causal), t, s, align=align)
    options = {"causal": is_causal, "window": w, "align": align}
    same(tiled(*given, **options), plainly(*given, mask=mask))
    grad = random(2, 6, t, 2, seed=9)
    for found, wanted in zip(
        gradients(lambda *parts: tiled(*parts, **options), given, grad),
        gradients(lambda *parts: plainly(*parts, mask=mask), given, grad),
        strict=True,
    ):
        same(found, wanted)


@pytest.mark.parametrize("softcap", [None, 2.0])
@pytest.mark.parametrize("w", [3, 6])
@pytest.mark.parametrize("is_causal", [False, True])
def test_window_and_softcap_are_those_of_flex_attention(softcap, w, is_causal):
    t, s = 11, 13
    q, k, v = draw(t, s, d=4, e=4)
    q = 4 * q
    rule = to_mask_mod(rule_of(w, is_causal), t, s, align="bottom-right")

    def score_mod(score, b, h, i, j):
        return score if softcap is None else softcap * torch.tanh(score / softcap)

    block_mask = create_block_mask(rule, None, None, t, s, device="cpu")
    want, aux = flex_attention(
        q, k, v, score_mod=score_mod, block_mask=block_mask, enable_gqa=True,
        return_aux=AuxRequest(lse=True),
    )  # fmt: skip
    found = tiled(q, k, v, window=w, causal=is_causal, softcap=softcap, return_lse=True)
    same(found[0], want)
    same(found[1], aux.lse)


@pytest.mark.parametrize("softcap", [0.5, 3, 50.0])
@pytest.mark.parametrize("is_causal", [False, True])
def test_a_softcap_and_its_gradient_are_those_of_the_plain_formula(softcap, is_causal):
    q, k, v = draw(11, 7)
    given = (5 * q, k, v)
    mask = may_attend(causal, 11, 7, align="bottom-right") if is_causal else None
    options = {"causal": is_causal, "softcap": softcap}
    same(tiled(*given, **options), plainly(*given, mask=mask, softcap=softcap))
    grad = random(2, 6, 11, 2, seed=9)
    for found, wanted in zip(
        gradients(lambda *parts: tiled(*parts, **options), given, grad),
        gradients(lambda *parts: plainly(*parts, mask=mask, softcap=softcap), given, grad),
        strict=True,
    ):
        same(found, wanted)


def test_all_rules_together_pass_gradcheck():
    given = [one.requires_grad_() for one in draw(5, 6, b=2, h=2, g=1, d=3)]

    def function(q, k, v):
        out, lse = tiled(
            q, k, v, causal=True, window=3, softcap=2, key_lengths=[6, 4], return_lse=True
        )
        return out, torch.where(lse == -torch.inf, 0.0, lse)

    assert torch.autograd.gradcheck(function, given)


def test_padding_behind_a_window_is_never_used():
    q, k, v = draw(9, 7)
    lengths = (7, 2)
    mask = may_attend(sliding_window(3) & padding(lengths), 9, 7, align="bottom-right")[:, None]
    want = plainly(q, k, v, mask=mask, softcap=2)
    assert not mask.any(-1).all()  # some queries see nothing: their window holds padding alone
    k[1, :, 2:] = v[1, :, 2:] = torch.nan
    same(tiled(q, k, v, window=3, key_lengths=lengths, softcap=2), want)


def test_a_causal_window_is_local_attention():
    q, k, v = (random(2, 13, 5, seed=seed) for seed in range(3))
    same(tiled(q, k, v, causal=True, window=6), local_attention(q, k, v, w=6, block=3))


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32], ids=str)
def test_the_error_is_at_most_twice_that_of_the_same_dtype_done_plainly(dtype):
    given = draw(31, 61, d=16, e=7, dtype=dtype)
    grad = random(2, 6, 31, 7, seed=9, dtype=dtype)
    mask = may_attend(causal & sliding_window(19), 31, 61, align="bottom-right")

    def plain(q, k, v):
        k, v = (one.repeat_interleave(2, dim=1) for one in (k, v))
        scores = 2 * torch.tanh(q @ k.mT * 16**-0.5 / 2)
        return scores.masked_fill(~mask, -torch.inf).softmax(-1) @ v

    def ours(q, k, v):
        return tiled(q, k, v, causal=True, window=19, softcap=2)

    def all_of(function, *parts):
        return function(*parts[:3]), *gradients(function, parts[:3], parts[3])

    exact = [one.double() for one in (*given, grad)]
    for found, its, truth in zip(
        all_of(ours, *given, grad), all_of(plain, *given, grad), all_of(plain, *exact), strict=True
    ):
        assert found.dtype == dtype
        error, its_error = ((one.double() - truth).abs().max() for one in (found, its))
        assert error <= 2 * its_error + 2 * torch.finfo(dtype).eps * truth.abs().max()


@pytest.mark.parametrize(
    ("s", "dtype"), [(257, torch.bfloat16), (2049, torch.float16), (65_537, torch.float16)], ids=str
)
@pytest.mark.parametrize("told", [False, True], ids=["", "key_lengths"])
def test_the_last_key_counts_where_the_dtype_cannot_count_so_far(s, dtype, told):
    q, k, v = (torch.zeros(1, 1, n, 2, dtype=dtype) for n in (1, s, s))
    q[:], k[..., -1, :], v[..., -1, :] = 8.0, 8.0, 10.0  # one key agrees, and is the last
    options = {"key_lengths": [s]} if told else {}
    for rules in ({}, {"window": 3}, {"causal": True}):
        assert (flash_attention(q, k, v, block_k=4096, **rules, **options) == 10).all()
    if told:
        assert not flash_attention(q, k, v, block_k=4096, key_lengths=[s - 1]).any()


@pytest.mark.filterwarnings("ignore:.*autocast")
def test_autocast_does_not_take_the_precision_away():
    parts = [one.requires_grad_() for one in draw(dtype=torch.float32)]
    want = tiled(*parts, softcap=2)
    grads = torch.autograd.grad(want.sum(), parts)
    with torch.autocast("cpu", torch.bfloat16):
        found = tiled(*parts, softcap=2)
        for one, other in zip(torch.autograd.grad(found.sum(), parts), grads, strict=True):
            assert torch.equal(one, other)
    assert torch.equal(found, want)


# The tiles that are read


@pytest.mark.parametrize("w", WINDOWS)
@pytest.mark.parametrize("is_causal", [False, True])
@pytest.mark.parametrize("t", [3, 4, 11, 16])
def test_exactly_the_tiles_are_read_in_which_something_may_be_seen(t, w, is_causal):
    s, log = 16, []
    tiled(*draw(t, s), causal=is_causal, window=w, log=log)
    mask = may_attend(rule_of(w, is_causal), t, s, align="bottom-right")
    wanted = {
        (i // BLOCK, j // BLOCK) for i, j in itertools.product(range(t), range(s)) if mask[i, j]
    }
    for name in ("k", "v"):
        read = [(move.q_block, move.k_block) for move in log if move.name == name]
        assert sorted(wanted) == sorted(read)


def test_with_a_window_what_is_read_grows_with_the_length_and_not_its_square():
    def numbers_read(n):
        log = []
        flash_attention(*torch.zeros(3, n, 2), causal=True, window=8, block_q=8, block_k=8, log=log)
        return sum(move.elements for move in log if move.name == "k")

    for n in (64, 128, 256):
        tiles = 2 * (n // 8) - 1  # two for each block of queries, one for the first
        assert numbers_read(n) == tiles * 8 * 2


def test_the_way_back_leaves_the_same_tiles_out(monkeypatch):
    made, scores = [], Rule.scores

    def counted(self, q, k, rows, cols):
        made.append((rows.start // BLOCK, cols.start // BLOCK))
        return scores(self, q, k, rows, cols)

    monkeypatch.setattr(Rule, "scores", counted)
    parts = [one.requires_grad_() for one in draw(16, 16)]
    out = tiled(*parts, causal=True, window=5)
    forward, made[:] = list(made), []
    torch.autograd.grad(out.sum(), parts)
    assert sorted(made) == sorted(forward)
    assert len(forward) == 4 + 3  # the diagonal and what lies beside it, of 16


# Derivatives of derivatives, and torch.func


def loss(q, k, v):
    return flash_attention(q, k, v, causal=True).square().sum()


@pytest.mark.parametrize("seeded", [False, True], ids=["of a sum", "of a learned gradient"])
def test_a_gradient_of_a_gradient_is_refused_and_not_dropped(seeded):
    parts = [one.requires_grad_() for one in draw()]
    out = tiled(*parts)
    grad = torch.ones_like(out, requires_grad=seeded)
    grads = torch.autograd.grad(out, parts, grad, create_graph=True)
    for one in (*grads, grads[0] + out.sum()):  # the second has a way back of its own beside it
        with pytest.raises(RuntimeError, match="flash_attention has a first derivative only"):
            one.square().sum().backward(retain_graph=True)


def test_a_graph_that_nobody_walks_costs_no_error():
    parts = [one.requires_grad_() for one in draw()]
    kept = torch.autograd.grad(tiled(*parts).sum(), parts, create_graph=True)
    plain = torch.autograd.grad(tiled(*parts).sum(), parts)
    for one, other in zip(kept, plain, strict=True):
        assert torch.equal(one, other)
        assert one.requires_grad
        assert not other.requires_grad


def test_the_transforms_of_torch_func_give_the_first_derivative():
    q, k, v = draw(5, 7, h=3, g=3, e=5)
    for found, wanted in (
        (torch.func.grad(loss)(q, k, v),
         torch.func.grad(lambda q: plainly(
             q, k, v, mask=may_attend(causal, 5, 7, align="bottom-right")).square().sum())(q)),
        (torch.func.jacrev(tiled, argnums=1)(q, k, v),
         torch.func.jacrev(plainly, argnums=1)(q, k, v)),
    ):  # fmt: skip
        same(found, wanted)


def test_the_transforms_that_it_has_not_are_refused_in_words():
    q, k, v = draw(5, 7)
    with pytest.raises(RuntimeError, match="flash_attention has a first derivative only"):
        torch.func.grad(lambda q: torch.func.grad(loss)(q, k, v).sum())(q)
    with pytest.raises(NotImplementedError, match="give the mapped axis as b"):
        torch.vmap(flash_attention)(q, k, v)


def test_differentiable_once_keeps_what_backward_returned():
    class Square(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, n):
            ctx.save_for_backward(x)
            return x**2

        @staticmethod
        @differentiable_once("square")
        def backward(ctx, grad):
            return 2 * ctx.saved_tensors[0] * grad, None

    x = torch.tensor(3.0, requires_grad=True)
    (grad,) = torch.autograd.grad(Square.apply(x, 2), x, create_graph=True)
    assert grad == 6
    with pytest.raises(RuntimeError, match="square has a first derivative only"):
        grad.backward()


# Refusals


@pytest.mark.parametrize(
    ("change", "error", "sentence"),
    [
        ({"window": 0}, ValueError, "window is 0; expected at least 1"),
        ({"window": 2.0}, TypeError, "window is 2.0; expected a whole number"),
        ({"window": (2, 0)}, TypeError, "window is .2, 0."),
        ({"softcap": 0.0}, ValueError, "softcap is 0.0; expected a number above 0"),
        ({"softcap": "50"}, TypeError, "softcap is of type str"),
    ],
)
def test_what_is_no_window_and_no_cap_is_refused_in_words(change, error, sentence):
    with pytest.raises(error, match=sentence):
        flash_attention(*draw(), **change)
