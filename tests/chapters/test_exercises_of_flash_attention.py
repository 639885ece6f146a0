"""Chapter 8's checks on answers that learners really give, right and wrong."""

import math

import numpy as np
import pytest
import torch
from torch.nn.functional import scaled_dot_product_attention

from course_lib.chapters.flash_attention import handout
from course_lib.judging import judge
from course_lib.kernels.interpreter import has_triton

INF = float("inf")


def verdict(name, answer):
    return judge(f"08_flash_attention/{name}", answer)


# weighted_mean


def starts_low(scores, values, block):
    m, total, mixed = -1e30, 0.0, 0.0
    for start in range(0, len(scores), block):
        x, v = scores[start : start + block], values[start : start + block]
        new = max(m, x.max().item())
        total = total * math.exp(m - new) + torch.exp(x - new).sum().item()
        mixed = mixed * math.exp(m - new) + (torch.exp(x - new) @ v).item()
        m = new
    return mixed / total


def in_numpy(scores, values, block):
    s, v = scores.numpy(), values.numpy()
    m, total, mixed = -np.inf, 0.0, 0.0
    for i in range(0, len(s), block):
        new = max(m, s[i : i + block].max())
        p = np.exp(s[i : i + block] - new)
        total = total * np.exp(m - new) + p.sum()
        mixed = mixed * np.exp(m - new) + p @ v[i : i + block]
        m = new
    return np.float64(mixed / total)


def keeps_the_mean(scores, values, block):
    m, total, mean = torch.tensor(-INF), torch.tensor(0.0), torch.tensor(0.0)
    for x, v in zip(scores.split(block), values.split(block), strict=True):
        new = torch.maximum(m, x.max())
        p, old = torch.exp(x - new), total * torch.exp(m - new)
        total = old + p.sum()
        mean = (old * mean + p @ v) / total
        m = new
    return mean


def first_block_only(scores, values, block):
    return scores[:block].softmax(0) @ values[:block]


def drops_the_rest(scores, values, block):
    kept = max(len(scores) // block, 1) * block
    return starts_low(scores[:kept], values[:kept], block)


# merge


def by_hand(out1, lse1, out2, lse2):
    m = torch.maximum(lse1, lse2)
    a, b = torch.exp(lse1 - m).view(-1, 1), torch.exp(lse2 - m).view(-1, 1)
    return (a * out1 + b * out2) / (a + b), m + torch.log(a + b).flatten()


def as_a_list(out1, lse1, out2, lse2):
    return list(by_hand(out1, lse1, out2, lse2))


def with_two_columns(out1, lse1, out2, lse2):
    out, lse = by_hand(out1, lse1, out2, lse2)
    return out, lse[:, None]


def the_other_order(out1, lse1, out2, lse2):
    out, lse = by_hand(out1, lse1, out2, lse2)
    return lse, out


# attention_by_tiles


def row_vectors(q, k, v, block_q, block_k):
    out = torch.empty(len(q), v.shape[1], dtype=v.dtype)
    for i in range(0, len(q), block_q):
        tile = q[i : i + block_q]
        m = torch.full((len(tile),), -INF, dtype=q.dtype)
        total, acc = torch.zeros_like(m), torch.zeros(len(tile), v.shape[1], dtype=v.dtype)
        for j in range(0, len(k), block_k):
            s = tile @ k[j : j + block_k].T / math.sqrt(q.shape[-1])
            new = torch.maximum(m, s.amax(1))
            p, c = torch.exp(s - new[:, None]), torch.exp(m - new)
            total, acc, m = total * c + p.sum(1), acc * c[:, None] + p @ v[j : j + block_k], new
        out[i : i + block_q] = acc / total[:, None]
    return out


def two_passes_of_keys(q, k, v, block_q, block_k):
    rows = []
    for tile in q.split(block_q):
        scores = [tile @ one.T * q.shape[1] ** -0.5 for one in k.split(block_k)]
        top = torch.stack([one.amax(1) for one in scores]).amax(0)[:, None]
        powers = [torch.exp(one - top) for one in scores]
        total = sum(one.sum(1, keepdim=True) for one in powers)
        rows.append(sum(p @ one for p, one in zip(powers, v.split(block_k), strict=True)) / total)
    return torch.cat(rows)


def through_pytorch(q, k, v, block_q, block_k):
    return scaled_dot_product_attention(q, k, v)


def one_query_block(q, k, v, block_q, block_k):
    return row_vectors(q[:block_q], k, v, block_q, block_k)


def transposed(q, k, v, block_q, block_k):
    return row_vectors(q, k, v, block_q, block_k).T


def table_by_exp(q, k, v, block_q, block_k):
    s = q @ k.T / math.sqrt(q.shape[1])
    p = torch.exp(s - s.amax(1, keepdim=True))
    return p @ v / p.sum(1, keepdim=True)


# A kernel in Triton


def without_other(q, k, scores, t, s, D, ROWS, COLS):
    import triton.language as tl

    i = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    j = tl.program_id(1) * COLS + tl.arange(0, COLS)
    e = tl.arange(0, D)
    a = tl.load(q + (i[:, None] * D + e[None, :]), mask=i[:, None] < t)
    b = tl.load(k + (j[None, :] * D + e[:, None]), mask=j[None, :] < s)
    tl.store(
        scores + i[:, None] * s + j[None, :], tl.dot(a, b), (i[:, None] < t) & (j[None, :] < s)
    )


def wild(q, k, scores, t, s, D, ROWS, COLS):
    import triton.language as tl

    tl.store(scores + 1_000_000_000 + tl.arange(0, ROWS), 0.0)


def misspelled(q, k, scores, t, s, D, ROWS, COLS):
    tl.nowhere()  # noqa: F821


RIGHT = {
    "weighted_mean": (starts_low, in_numpy, keeps_the_mean),
    "merge": (by_hand, as_a_list),
    "attention_by_tiles": (row_vectors, two_passes_of_keys, through_pytorch),
    "flash_traffic": (
        lambda n, d, block: 2 * n * d * (1 + int(np.ceil(n / block))),
        lambda n, d, block: torch.tensor(2 * n * d + -(n // -block) * 2 * n * d),
        lambda n, d, block: 2 * n * d + (n + block - 1) // block * (n * d + n * d),
    ),
    "key_blocks": (
        lambda n, bq, bk: [int(np.ceil(min(b + bq, n) / bk)) for b in range(0, n, bq)],
        lambda n, bq, bk: [(min(b + bq, n) - 1) // bk + 1 for b in range(0, n, bq)],
    ),
    "score_gradient": (
        lambda s, lse, g, o, v: (s - lse[:, None]).exp() * (g @ v.T - (g * o).sum(-1)[:, None]),
        lambda s, lse, g, o, v: (s.T - lse).T.exp() * ((g @ v.T).T - (g * o).sum(1)).T,
    ),
    "break_even": (lambda m: m * 2.0, lambda m: np.array(2 * m), lambda m: 8 * m // 4),
    "without_table": (
        lambda fq, fk, v: (fq @ (fk.T @ v)) / (fq @ fk.sum(0, keepdim=True).T),
        lambda fq, fk, v: fq @ (fk.T @ v) / (fq * fk.sum(0)).sum(1, keepdim=True),
    ),
}  # fmt: skip

WRONG = {
    "weighted_mean": (first_block_only, drops_the_rest, lambda s, v, block: v.max()),
    "merge": (with_two_columns, the_other_order, lambda a, x, b, y: (a + b, x + y)),
    "attention_by_tiles": (one_query_block, transposed, table_by_exp),
    "flash_traffic": (lambda n, d, block: n * d, lambda n, d, block: n / block),
    "key_blocks": (lambda n, bq, bk: [], lambda n, bq, bk: n),
    "score_gradient": (lambda s, lse, g, o, v: s * 0, lambda s, lse, g, o, v: s.softmax(1)),
    "break_even": (lambda m: "2 m", lambda m: m**2),
    "without_table": (lambda fq, fk, v: fq @ fk.T @ v, lambda fq, fk, v: v),
}


@pytest.mark.parametrize(
    ("name", "answer"), [(name, one) for name, found in RIGHT.items() for one in found]
)
def test_other_right_answers_are_right(name, answer):
    assert verdict(name, answer).state == "right", verdict(name, answer).text


@pytest.mark.parametrize(
    ("name", "answer"), [(name, one) for name, found in WRONG.items() for one in found]
)
def test_other_wrong_answers_are_wrong(name, answer):
    found = verdict(name, answer)
    assert (found.state, found.cause) == ("wrong", ""), found.text


def test_an_answer_that_makes_the_table_is_told_so():
    assert "whole table of scores was made" in verdict("attention_by_tiles", table_by_exp).text


def test_the_numbers_by_hand_are_those_of_the_check():
    """The six numbers of the chapter: right for each block, wrong where nothing is rescaled."""
    scores, values = torch.tensor([1.0, 3, 2, 5, 4, 0]), torch.arange(10.0, 61, 10)
    mean = handout.exercises["weighted_mean"].answer
    found = {block: round(float(mean(scores, values, block)), 3) for block in (1, 2, 3, 6)}
    assert set(found.values()) == {40.038}


@pytest.mark.skipif(not has_triton(), reason="Triton is not installed (it needs Linux)")
@pytest.mark.parametrize(
    ("answer", "state", "said"),
    [
        (without_other, "right", ""),
        (wild, "wrong", "where none of its tensors lies"),
        (misspelled, "wrong", "NameError"),
        (lambda *given, **sizes: None, "wrong", "Nothing was stored."),
        (lambda *given, **sizes: ..., "todo", "returns nothing yet"),
    ],
)
def test_kernels_of_ones_own_are_judged(answer, state, said):
    found = verdict("masked_tile", answer)
    assert (found.state, found.cause) == (state, ""), found.text
    assert said in found.text


def test_where_triton_is_missing_the_kernel_is_left_open_and_the_reason_said(monkeypatch):
    monkeypatch.setattr(
        "course_lib.chapters.flash_attention.exercises.masked_tile.has_triton", lambda: False
    )
    found = verdict("masked_tile", lambda *given, **sizes: ...)
    assert found.state == "todo"
    assert "cannot be tried here. It takes Triton" in found.text
