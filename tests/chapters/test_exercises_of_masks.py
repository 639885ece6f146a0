"""Chapter 6's checks on answers that learners really give, right and wrong."""

import math

import numpy as np
import pytest
import torch
from torch.nn.functional import scaled_dot_product_attention

from course_lib.chapters.masks import handout
from course_lib.chapters.masks.explorers.likeness import rotary_by_angles
from course_lib.judging.registry import judge
from course_lib.kernels.attention import attention, masked_softmax
from course_lib.kernels.masks import causal, may_attend, to_multihead
from course_lib.kernels.positions import frequencies, rotary

INF = float("inf")


def verdict(name, answer):
    return judge(f"06_masks/{name}", answer)


def in_place(scores):
    scores[torch.ones(scores.shape).triu(1).bool()] = -INF
    return scores.softmax(-1)


def copied(scores):
    scores = scores.clone()
    for i in range(len(scores)):
        for j in range(i + 1, len(scores)):
            scores[i, j] = -INF
    return torch.softmax(scores, 1)


def by_hand(scores):
    powers = torch.exp(scores - scores.max())
    powers = powers * torch.tril(torch.ones_like(powers))
    return powers / powers.sum(1, keepdim=True)


def loops_one_short(scores):
    scores = scores.clone()
    for i in range(len(scores)):
        for j in range(i + 2, len(scores)):
            scores[i, j] = -INF
    return scores.softmax(-1)


def through_pytorch(scores):
    eye = torch.eye(len(scores), dtype=scores.dtype)
    return scaled_dot_product_attention(scores, eye, eye, is_causal=True, scale=1.0)


def lengths_as_lists(lengths, s):
    return torch.tensor([[[place < int(n) for place in range(s)]] for n in lengths])


def filled_row_by_row(lengths, s):
    out = torch.zeros(len(lengths), 1, s, dtype=torch.bool)
    for b, n in enumerate(lengths):
        out[b, 0, :n] = True
    return out


def rotated_with_numpy(x, angles):
    x, a = x.numpy(), angles.numpy()
    out = np.empty_like(x)
    out[:, ::2] = x[:, ::2] * np.cos(a) - x[:, 1::2] * np.sin(a)
    out[:, 1::2] = x[:, ::2] * np.sin(a) + x[:, 1::2] * np.cos(a)
    return out


def rotated_with_einsum(x, angles):
    c, s = angles.cos(), angles.sin()
    turn = torch.stack((torch.stack((c, -s), -1), torch.stack((s, c), -1)), -2)
    return torch.einsum("tpij,tpj->tpi", turn, x.unflatten(1, (-1, 2))).flatten(1)


def bug_by_median(losses, honest):
    end = float(np.median(losses[-25:]))
    return {-1: "leak", 0: "fine", 1: "blind"}[int(np.sign(round((end - honest) / 0.2)))]


def zero_rows_by_hand(scores, mask):
    rows = []
    for row, allowed in zip(scores, mask, strict=True):
        if allowed.any():
            rows.append(row.masked_fill(~allowed, -INF).softmax(-1))
        else:
            rows.append(row * 0)
    return torch.stack(rows)


def opened_and_closed(scores, mask):
    empty = ~mask.any(dim=-1, keepdim=True)
    weights = scores.masked_fill(~(mask | empty), -INF).softmax(-1)
    return weights.masked_fill(empty, 0)


def exponentials(scores, mask):
    powers = scores.exp() * mask
    total = powers.sum(-1, keepdim=True)
    return powers / torch.where(total > 0, total, torch.ones_like(total))


def cached_in_lists(q, k, v):
    keys, values, outputs = [], [], []
    for query, key, value in zip(q, k, v, strict=True):
        keys.append(key)
        values.append(value)
        w = (torch.stack(keys) @ query / math.sqrt(len(query))).softmax(0)
        outputs.append(w @ torch.stack(values))
    return torch.stack(outputs)


def flat_waves(n, d):
    out = np.zeros((n, d))
    for p in range(n):
        for i in range(d // 2):
            out[p, 2 * i] = math.sin(p / 10000 ** (2 * i / d))
            out[p, 2 * i + 1] = math.cos(p / 10000 ** (2 * i / d))
    return out


def waves_by_logarithms(n, d):
    speed = torch.exp(torch.arange(0, d, 2) * (-math.log(10000.0) / d))
    table = torch.zeros(n, d)
    table[:, 0::2] = torch.sin(torch.arange(n)[:, None] * speed)
    table[:, 1::2] = torch.cos(torch.arange(n)[:, None] * speed)
    return table


RIGHT = [
    ("causal_weights", copied),
    ("causal_weights", by_hand),
    ("causal_weights", through_pytorch),
    ("causal_weights", lambda scores: masked_softmax(scores, may_attend(causal, len(scores)))),
    ("causal_weights", lambda s: torch.where(torch.ones_like(s).tril() == 1, s, -INF).softmax(-1)),
    ("causal_weights", lambda s: (s + torch.log(torch.ones_like(s).tril())).softmax(dim=1)),
    ("causal_weights", lambda s: s.masked_fill(torch.ones_like(s).tril() == 0, -1e4).softmax(1)),
    ("causal_weights", lambda s: copied(s).tolist()),
    ("padding_mask", lengths_as_lists),
    ("padding_mask", filled_row_by_row),
    ("padding_mask", lambda n, s: ~(torch.arange(s) >= n.view(-1, 1, 1))),
    ("padding_mask", lambda n, s: (torch.arange(s).expand(len(n), s) < n[:, None])[:, None, :]),
    ("padding_mask", lambda n, s: torch.arange(1, s + 1) <= n[:, None, None]),
    ("rotate", rotated_with_numpy),
    ("rotate", rotated_with_einsum),
    ("rotate", lambda x, a: rotated_with_einsum(x, a).tolist()),
    ("rotate", lambda x, a: rotated_with_einsum(x.float(), a.float())),
    ("mask_bug", bug_by_median),
    ("mask_bug", lambda x, h: min((abs(x[-30:].mean() - h - d), w) for d, w in
                                  ((-0.2, "leak"), (0, "fine"), (0.2, "blind")))[1]
     if x[-30:].mean() > h - 0.2 else "leak"),
    ("safe_weights", zero_rows_by_hand),
    ("safe_weights", opened_and_closed),
    ("safe_weights", exponentials),
    ("safe_weights", masked_softmax),
    ("for_multihead", to_multihead),
    ("for_multihead", lambda m, h: torch.cat([~one.expand(h, -1, -1) for one in m])),
    ("for_multihead", lambda m, h: torch.repeat_interleave(m.logical_not(), h, 0)),
    ("decode", cached_in_lists),
    ("decode", lambda q, k, v: torch.cat([
        attention(q[: i + 1], k[: i + 1], v[: i + 1])[-1:] for i in range(len(q))])),
    ("decode", lambda q, k, v: attention(q, k, v, mask=torch.ones(len(q), len(k)).tril() > 0)),
    ("is_equivariant", lambda f, x, o: (f(x[o]) - f(x)[o]).norm() < 1e-4),
    ("is_equivariant", lambda f, x, o: bool(torch.isclose(f(x[o]), f(x)[o], atol=1e-5).all())),
    ("sinusoidal", flat_waves),
    ("sinusoidal", waves_by_logarithms),
]  # fmt: skip


@pytest.mark.parametrize(("name", "answer"), RIGHT)
def test_other_roads_are_right(name, answer):
    found = verdict(name, answer)
    assert found.state == "right", found.text


def rotate_in_degrees(x, angles):
    return rotated_with_einsum(x, angles * 180 / math.pi)


WRONG = [
    ("causal_weights", in_place, "changes its input scores in place"),
    ("causal_weights", loops_one_short, "one column too few"),
    ("causal_weights", lambda s: s.tril().softmax(-1), "A score of 0 is no ban"),
    ("causal_weights", lambda s: s.softmax(-1) * torch.ones_like(s).tril(), "after the softmax"),
    ("causal_weights", lambda s: s.masked_fill(torch.ones_like(s).tril().bool(), -INF).softmax(-1),
     "mask is inverted"),
    ("causal_weights", lambda s: s.masked_fill(torch.ones_like(s).triu().bool(), -INF).softmax(-1),
     "word itself is hidden"),
    ("causal_weights", lambda s: s.masked_fill(torch.ones_like(s).tril(-1).bool(), -INF)
     .softmax(-1), "lies on its side"),
    ("causal_weights", lambda s: by_hand(s.T).T, "causal_weights gives another result"),
    ("causal_weights", lambda s: torch.softmax(s, -1), "without a mask"),
    ("causal_weights", lambda s: torch.ones_like(s).tril().bool(), "yours gives True and False"),
    ("padding_mask", lambda n, s: torch.arange(s) <= n[:, None, None], "One place too many"),
    ("padding_mask", lambda n, s: torch.arange(s)[None] < n[:, None], "axis of the queries"),
    ("padding_mask", lambda n, s: torch.arange(s) > n[:, None, None], "padding_mask gives another"),
    ("padding_mask", lambda n, s: (torch.arange(s) < n[:, None, None]).float(), "True or False"),
    ("padding_mask", lambda n, s: torch.arange(s) < n, "padding_mask"),
    ("rotate", lambda x, a: rotary(x), "rotate gives another result"),
    ("rotate", rotate_in_degrees, "rotate gives another result"),
    ("rotate", lambda x, a: rotated_with_einsum(x, -a), "other way round"),
    ("rotate", lambda x, a: x, "rotate gives another result"),
    ("rotate", lambda x, a: x.unflatten(1, (-1, 2)), "shape"),
    ("mask_bug", lambda x, h: "leak" if x[-1] < 0.5 else "fine", "mask_bug"),
    ("mask_bug", lambda x, h: "leak" if x[-20:].mean() < h else "blind", "mask_bug"),
    ("mask_bug", lambda x, h: x[-20:].mean() - h, "mask_bug"),
    ("safe_weights", lambda s, m: torch.softmax(s, -1).masked_fill(~m, 0), "after the softmax"),
    ("safe_weights", lambda s, m: s.masked_fill(~m, -INF).softmax(-1), "divides 0 by 0"),
    ("safe_weights", lambda s, m: s.masked_fill(~m, -1e4).softmax(-1), "shares itself out"),
    ("safe_weights", lambda s, m: torch.nan_to_num((s + m.float().log()).softmax(-1)),
     "gradients are NaN"),
    ("safe_weights", lambda s, m: masked_softmax(s, m).detach(), "gradient"),
    ("for_multihead", lambda m, h: (~m).repeat(h, 1, 1), "0, 1, 0, 1"),
    ("for_multihead", lambda m, h: torch.cat([m] * h), "for_multihead"),
    ("decode", lambda q, k, v: scaled_dot_product_attention(q, k, v), "saw all keys"),
    ("decode", lambda q, k, v: v, "last key only"),
    ("decode", lambda q, k, v: torch.cat([
        scaled_dot_product_attention(q[i:i+1], k[:i+1], v[:i+1], is_causal=True)
        for i in range(len(q))]), "top left"),
    ("decode", lambda q, k, v: [attention(q[i], k[: i + 1], v[: i + 1]) for i in range(len(q))],
     "q"),
    ("is_equivariant", lambda f, x, o: torch.allclose(f(x[o]), f(x)), "compare with"),
    ("is_equivariant", lambda f, x, o: bool((f(x[o]) == f(x)[o]).all()), "exactly equal"),
    ("is_equivariant", lambda f, x, o: True, "is_equivariant"),
    ("is_equivariant", lambda f, x, o: f(x[o]) - f(x)[o], "is_equivariant"),
    ("sinusoidal", lambda n, d: np.hstack((flat_waves(n, d)[:, ::2], flat_waves(n, d)[:, 1::2])),
     "They alternate"),
    ("sinusoidal", lambda n, d: flat_waves(n + 1, d)[1:], "begin with 1"),
    ("sinusoidal", lambda n, d: flat_waves(n, d).T, "sinusoidal"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "answer", "said"), WRONG)
def test_wrong_answers_are_told_why(name, answer, said):
    found = verdict(name, answer)
    assert found.state == "wrong", found.text
    assert said in found.text


def test_turning_by_place_times_frequency_is_the_rotary_kernel():
    x = torch.randn(7, 6, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    angles = torch.arange(7)[:, None] * frequencies(6)
    for rotate in (handout.exercises["rotate"].answer, rotary_by_angles):
        torch.testing.assert_close(rotate(x, angles), rotary(x), rtol=0, atol=1e-14)


def test_the_core_is_what_is_not_marked_as_depth():
    core = [name for name, exercise in handout.exercises.items() if not exercise.depth]
    assert core == ["causal_weights", "padding_mask", "rotate"]


def as_wide_as_the_longest(lengths, s):
    return torch.arange(int(lengths.max())) < lengths[:, None, None]


def test_a_padding_mask_needs_all_places_even_if_no_text_fills_them():
    found = verdict("padding_mask", as_wide_as_the_longest)
    assert found.state == "wrong"
    assert "as wide as the longest text" in found.text


@pytest.mark.parametrize(
    ("compare", "said"),
    [
        (lambda f, x, o: torch.allclose(f(x[o])[0], f(x)[o][0], atol=1e-6), "first row alone"),
        (lambda f, x, o: torch.allclose(f(x.flip(0)), f(x).flip(0), atol=1e-6), "use order"),
        (
            lambda f, x, o: torch.allclose(f(x[o]).sort(0)[0], f(x).sort(0)[0], atol=1e-6),
            "sorted the outputs",
        ),
        (lambda f, x, o: torch.allclose(f(x[o]), f(x)[o], atol=0.5), "margin is too wide"),
    ],
)
def test_a_shuffle_test_that_looks_at_too_little_is_told_what_it_misses(compare, said):
    found = verdict("is_equivariant", lambda layer, x, order: compare(layer, x, order))
    assert found.state == "wrong"
    assert said in found.text


def test_half_an_angle_is_not_told_that_sine_and_cosine_are_exchanged():
    found = verdict("rotate", lambda x, angles: rotary_by_angles(x, angles / 2))
    assert found.state == "wrong"
    assert "exchanged" not in found.text
