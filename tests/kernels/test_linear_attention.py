"""Linear attention: both brackets, with a state, and as an imitation of softmax."""

import pytest
import torch

from course_lib.kernels.attention import attention
from course_lib.kernels.linear_attention import (
    elu_plus_one,
    linear_attention,
    linear_attention_by_table,
    random_features,
)


def draw(t=7, s=11, d=5, e=3, lead=(2,)):
    generator = torch.Generator().manual_seed(0)
    shapes = ((*lead, t, d), (*lead, s, d), (*lead, s, e))
    return [torch.randn(shape, generator=generator, dtype=torch.float64) for shape in shapes]


def test_where_the_brackets_stand_changes_nothing():
    given = draw()
    right = linear_attention_by_table(*given)
    torch.testing.assert_close(linear_attention(*given), right, rtol=1e-12, atol=1e-12)


def test_causal_carries_a_state_and_sees_no_later_key():
    q, k, v = draw(t=11)
    found = linear_attention(q, k, v, causal=True)
    table = (elu_plus_one(q) @ elu_plus_one(k).mT).tril()
    right = table / table.sum(dim=-1, keepdim=True) @ v
    torch.testing.assert_close(found, right, rtol=1e-12, atol=1e-12)
    v[..., 6:, :] = 99.0
    torch.testing.assert_close(
        linear_attention(q, k, v, causal=True)[..., :6, :], right[..., :6, :]
    )


def test_it_is_another_model_than_softmax_attention():
    q, k, v = draw()
    assert (linear_attention(q, k, v) - attention(q, k, v)).abs().max() > 0.1


def test_random_features_imitate_softmax_for_small_scores():
    q, k, v = draw(t=64, s=64, d=16)
    q, k = q / 4, k / 4
    right = attention(q, k, v)
    off = [(linear_attention(q, k, v, feature=random_features(16, f, seed=5)) - right).norm()
           for f in (16, 256, 4096)]  # fmt: skip
    assert off[0] > 2 * off[1] > 4 * off[2]  # a quarter for each step, up to chance
    assert off[2] < 0.05 * right.norm()


@pytest.mark.parametrize(
    ("n", "dtype"), [(300, torch.bfloat16), (3000, torch.float16), (70_000, torch.float16)], ids=str
)
def test_a_sum_over_the_keys_counts_further_than_the_dtype_can(n, dtype):
    """All weights are 1, and the mean of n values is asked for."""
    zeros, values = torch.zeros(n, 1, dtype=dtype), torch.arange(n)[:, None] % 7
    right = pytest.approx(values.double().mean().item(), rel=torch.finfo(dtype).eps)
    given = zeros[:1], zeros, values.to(dtype)
    for found in (linear_attention(*given), linear_attention_by_table(*given)):
        assert found.dtype == dtype
        assert found.item() == right
    if n < 5000:  # the state is carried from word to word
        last = linear_attention(zeros, *given[1:], causal=True)[-1]
        assert last.dtype == dtype
        assert last.item() == right


def test_features_are_positive():
    x = torch.linspace(-30, 30, 61)[:, None]
    assert (elu_plus_one(x) > 0).all()
    assert (random_features(1, 7)(x.double()) >= 0).all()


def test_causal_needs_as_many_queries_as_keys():
    with pytest.raises(ValueError, match="as many queries as keys"):
        linear_attention(*draw(), causal=True)
