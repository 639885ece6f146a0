"""Chapter 7's checks on answers that learners really give, right and wrong."""

import math

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn.functional import scaled_dot_product_attention

from course_lib.chapters.multi_head import handout
from course_lib.chapters.multi_head.exercises.induction_score import induction_score
from course_lib.judging.registry import judge
from course_lib.kernels.heads import multi_head_attention
from course_lib.models.copying import induction_scores, load_copying
from course_lib.models.transformer import Block

INF = float("inf")


def verdict(name, answer):
    return judge(f"07_multi_head/{name}", answer)


def heads_of(scale=None, hide=None, final=True, dim=-1, factor=1.0):
    """The usual way to write it, with one thing done otherwise."""

    def answer(x, w_q, w_k, w_v, w_o, heads, mask=None):
        b, n, _ = x.shape
        q, k, v = ((x @ w).view(b, n, heads, -1).permute(0, 2, 1, 3) for w in (w_q, w_k, w_v))
        width = q.size(-1) if scale is None else scale(x, q, heads)
        scores = q.matmul(k.transpose(-2, -1)) / math.sqrt(width)
        if mask is not None:
            scores = hide(scores, mask) if hide else scores.masked_fill(mask == 0, -1e9)
        joined = scores.softmax(dim=dim).matmul(v).transpose(1, 2).contiguous().view(b, n, -1)
        return factor * (joined @ w_o if final else joined)

    return answer


def one_by_one(x, w_q, w_k, w_v, w_o, heads, mask=None):
    outputs = []
    for q, k, v in zip(*((x @ w).chunk(heads, dim=-1) for w in (w_q, w_k, w_v)), strict=True):
        outputs.append(scaled_dot_product_attention(q, k, v, attn_mask=mask))
    return torch.cat(outputs, dim=-1) @ w_o


def filled(times):
    def repeated(x, _):
        out = [x[:, i // times] for i in range(times * x.shape[1])]
        return torch.stack(out, dim=1)

    return repeated


RIGHT = [
    ("split_heads", lambda x, h: x.view(len(x), x.size(1), h, -1).permute(0, 2, 1, 3)),
    ("split_heads", lambda x, h: torch.stack(x.chunk(h, dim=-1), dim=1)),
    ("split_heads", lambda x, h: x.unflatten(2, (h, -1)).swapaxes(1, 2).contiguous()),
    ("merge_heads", lambda x: torch.cat([x[:, i] for i in range(x.shape[1])], dim=-1)),
    ("merge_heads", lambda x: torch.stack([torch.hstack(list(one)) for one in x])),
    ("multi_head", heads_of()),
    ("multi_head", one_by_one),
    ("multi_head", heads_of(hide=lambda s, m: torch.where(m, s, torch.finfo(s.dtype).min))),
    ("multi_head", heads_of(hide=lambda s, m: s + m.to(s.dtype).log())),
    ("what_each_adds", lambda a, w: torch.stack(
        [a[:, i] @ rows for i, rows in enumerate(w.chunk(a.shape[1]))], dim=1)),
    ("what_each_adds", lambda a, w: torch.einsum(
        "bhnd,hdm->bhnm", a, w.view(a.shape[1], -1, w.shape[1])).tolist()),
    ("repeat_heads", lambda x, n: torch.stack([x] * n, dim=2).flatten(1, 2)),
    ("repeat_heads", lambda x, n: filled(n)(x, n)),
    ("cache_size", lambda tokens, layers, kv_heads, d: np.prod([4, tokens, layers, kv_heads, d])),
    ("count_parameters", lambda m, heads, kv_heads, d: m * d * (heads + heads + 2 * kv_heads)),
    ("induction_score", lambda w, p: w.numpy().diagonal(1 - p)[1:].mean()),
    ("induction_score", lambda w, p: torch.stack(
        [w[i, i - p + 1] for i in range(p, len(w))]).mean()),
]  # fmt: skip


@pytest.mark.parametrize(("name", "answer"), RIGHT)
def test_other_roads_are_right(name, answer):
    found = verdict(name, answer)
    assert found.state == "right", found.text


WRONG = [
    ("split_heads", lambda x, h: x.view(len(x), h, x.size(1), -1), "in one step"),
    ("split_heads", lambda x, h: x.unflatten(-1, (-1, h)).permute(0, 3, 1, 2), "so many-th column"),
    ("split_heads", lambda x, h: x.chunk(h, dim=-1), "before the sentences"),
    ("split_heads", lambda x, h: x.unflatten(-1, (h, -1)).permute(0, 2, 3, 1), "last two axes"),
    ("split_heads", lambda x, h: torch.stack(x.split(h, -1), 1), "two sizes are exchanged"),
    ("split_heads", lambda x, h: torch.cat(x.chunk(h, dim=-1)), "split_heads"),
    ("split_heads", lambda x, h: x, "(b, heads, n, m / heads)"),
    ("merge_heads", lambda x: x.reshape(len(x), x.size(2), -1), "several words of one head"),
    ("merge_heads", lambda x: x.transpose(1, 2).view(len(x), x.size(2), -1), "reshape"),
    ("merge_heads", lambda x: torch.cat(list(x.unbind(1)), dim=1), "below each other"),
    ("merge_heads", lambda x: x.flatten(2), "joined words and columns"),
    ("merge_heads", lambda x: x.mean(1), "averaged"),
    ("multi_head", heads_of(scale=lambda x, q, h: x.size(-1)), "root of the whole width"),
    ("multi_head", heads_of(scale=lambda x, q, h: q.size(-1) ** 2), "takes the root of it"),
    ("multi_head", heads_of(hide=lambda s, m: s.masked_fill(m, -INF)), "mask is inverted"),
    ("multi_head", heads_of(hide=lambda s, m: s * m), "A score of 0 is no ban"),
    ("multi_head", heads_of(hide=lambda s, m: s + m), "added the mask"),
    ("multi_head", heads_of(hide=lambda s, m: s), "later words are seen"),
    ("multi_head", heads_of(hide=lambda s, m: s + ~m * -INF), "0 times infinity"),
    ("multi_head", heads_of(final=False), "W_O is missing"),
    ("multi_head", heads_of(dim=-2), "ran over the queries"),
    ("multi_head", heads_of(dim=1, hide=lambda s, m: s.masked_fill(~m, -INF)), "over the heads"),
    ("multi_head", heads_of(factor=0.5), "multi_head gives another result"),
    ("multi_head", lambda x, w_q, w_k, w_v, w_o, heads, mask=None: x + one_by_one(
        x, w_q, w_k, w_v, w_o, heads, mask), "You added x"),
    ("what_each_adds", lambda a, w: a.transpose(1, 2).flatten(2) @ w, "added the parts up"),
    ("what_each_adds", lambda a, w: torch.stack(
        [a[:, i] @ w[i :: a.shape[1]] for i in range(a.shape[1])], dim=1), "so many-th row"),
    ("what_each_adds", lambda a, w: a @ w, "what_each_adds"),
    ("repeat_heads", lambda x, n: torch.cat([x] * n, dim=1), "0 1 0 1"),
    ("repeat_heads", lambda x, n: x.tile(1, n, 1, 1), "0 1 0 1"),
    ("repeat_heads", lambda x, n: x.repeat_interleave(n), "one long row"),
    ("cache_size", lambda tokens, layers, kv_heads, d: 2 * tokens * layers * kv_heads * d, "half"),
    ("cache_size", lambda tokens, layers, kv_heads, d: 4 * tokens * layers * d, "one head"),
    ("count_parameters", lambda m, heads, kv_heads, d: 4 * m * m, "holds only where"),
    ("count_parameters", lambda m, heads, kv_heads, d: 3 * m * m, "count_parameters"),
    ("induction_score", lambda w, p: w.diagonal(-p).mean(), "same symbol"),
    ("induction_score", lambda w, p: w.diagonal(1 - p).mean(), "first period counts"),
    ("induction_score", lambda w, p: w.diagonal(-1)[p - 1 :].mean(), "previous-token heads"),
    ("induction_score", lambda w, p: w.diagonal(1 - p)[1:], "single number"),
    ("block", lambda x, norm_1, heads, norm_2, mlp, dropout: norm_2(
        (y := norm_1(x + dropout(heads(x)))) + dropout(mlp(y))), "post-LN"),
    ("block", lambda x, norm_1, heads, norm_2, mlp, dropout: (
        y := x + heads(norm_1(x))) + mlp(norm_2(y)), "Dropout is missing"),
    ("block", lambda x, norm_1, heads, norm_2, mlp, dropout: x + dropout(
        gathered := heads(norm_1(x))) + dropout(mlp(norm_2(gathered))), "without x"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "answer", "said"), WRONG)
def test_wrong_answers_are_told_why(name, answer, said):
    found = verdict(name, answer)
    assert found.state == "wrong"
    assert said in found.text, found.text


def test_none_of_the_first_sentences_accuses_an_innocent():
    """Where the root is wrong in another way, nobody is told that it was the whole width."""
    found = verdict("multi_head", heads_of(scale=lambda x, q, h: q.size(-1) ** 2))
    assert "whole width" not in found.text


def test_the_modules_of_a_real_block_in_order_are_right():
    def through_a_block(x, norm_1, heads, norm_2, mlp, dropout):
        part = Block(x.shape[-1], 1, torch.Generator().manual_seed(0), mlp=True)
        part.norm, part.mlp_norm, part.mlp = (Given(one) for one in (norm_1, norm_2, mlp))
        part.heads = Given(lambda y, **options: dropout(heads(y)))
        part.mlp = Given(lambda y: dropout(mlp(y)))
        return part(x, attention=None)

    assert verdict("block", through_a_block).state == "right"


class Given(nn.Module):
    """A module that does what a function does."""

    def __init__(self, function):
        super().__init__()
        self.forward = function


def test_the_score_of_the_exercise_is_that_of_the_model():
    model, period = load_copying(), 24
    order = torch.rand(16, 27, generator=torch.Generator().manual_seed(0)).argsort(dim=1)
    maps = model.maps(order[:, :period].repeat(1, 2))
    ours = [[torch.stack([induction_score(one, period) for one in head]).mean()
             for head in layer.transpose(0, 1)] for layer in maps]  # fmt: skip
    np.testing.assert_allclose(ours, induction_scores(model), atol=0.03)


def test_half_of_the_bets_ask_for_a_number():
    numbers = [bet for bet in handout.bets.values() if hasattr(bet.answer, "is_right")]
    assert len(numbers) >= len(handout.bets) / 2


def test_the_exercise_agrees_with_the_kernel_on_leading_axes():
    draw = torch.Generator().manual_seed(0)
    x, *w = (torch.randn(s, generator=draw) for s in ((2, 5, 6), (6, 6), (6, 6), (6, 6), (6, 6)))
    torch.testing.assert_close(one_by_one(x, *w, 3), multi_head_attention(x, *w, 3))
