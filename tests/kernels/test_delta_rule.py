"""The delta rule: against the paper's matrices, and by what a memory must do."""

import pytest
import torch

from course_lib.kernels.delta_rule import delta_rule


def draw(s=11, d=5, e=3, lead=(2,)):
    generator = torch.Generator().manual_seed(0)
    shapes = ((*lead, s, d), (*lead, s, d), (*lead, s, e))
    q, k, v = (torch.randn(one, generator=generator, dtype=torch.float64) for one in shapes)
    write, keep = torch.rand(2, *lead, s, generator=generator, dtype=torch.float64)
    return q, k, v, write, keep


def by_matrices(q, k, v, write, keep):
    """Equation 10 of Gated Delta Networks for one sentence, with the state as the paper has it."""
    k = k / k.norm(dim=-1, keepdim=True)
    state, eye = v.new_zeros(v.shape[-1], k.shape[-1]), torch.eye(k.shape[-1], dtype=v.dtype)
    rows = []
    for i in range(len(k)):
        forget = keep[i] * (eye - write[i] * torch.outer(k[i], k[i]))
        state = state @ forget + write[i] * torch.outer(v[i], k[i])
        rows.append(state @ q[i])
    return torch.stack(rows)


def test_it_is_the_papers_recurrence():
    given = draw()
    right = torch.stack([by_matrices(*(one[i] for one in given)) for i in range(2)])
    torch.testing.assert_close(delta_rule(*given), right, rtol=1e-12, atol=1e-12)


def test_without_erasing_and_forgetting_it_is_causal_linear_attention_undivided():
    q, k, v, write, _ = draw()
    unit = k / k.norm(dim=-1, keepdim=True)
    right = (q @ unit.mT * write[..., None, :]).tril() @ v
    torch.testing.assert_close(delta_rule(q, k, v, write, erase=False), right)


def test_perpendicular_keys_are_all_remembered_and_a_repeated_one_is_replaced():
    keys = torch.eye(7, dtype=torch.float64)[[0, 1, 2, 3, 1]]
    values = torch.arange(10.0, dtype=torch.float64).reshape(5, 2)
    ask = torch.eye(7, dtype=torch.float64)[[0, 0, 0, 3, 1]]
    found = delta_rule(ask, keys, values, torch.ones(5, dtype=torch.float64))
    torch.testing.assert_close(found, values[[0, 0, 0, 3, 4]])
    added = delta_rule(ask, keys, values, torch.ones(5, dtype=torch.float64), erase=False)
    torch.testing.assert_close(added[-1], values[1] + values[4])


def test_nothing_is_left_where_nothing_is_kept():
    q, k, v, write, keep = draw()
    keep[..., 6] = 0.0
    found = delta_rule(q, k, v, write, keep)
    after = delta_rule(*(one[:, 6:] for one in (q, k, v)), write[:, 6:], keep[:, 6:])
    torch.testing.assert_close(found[:, 6:], after)


def test_no_later_word_is_seen():
    q, k, v, write, keep = draw()
    before = delta_rule(q, k, v, write, keep)
    for one in (k, v, write):
        one[:, 7:] = 0.5
    torch.testing.assert_close(delta_rule(q, k, v, write, keep)[:, :7], before[:, :7])
    assert (delta_rule(q, k, v, write, keep)[:, 7:] - before[:, 7:]).abs().max() > 0.01


def test_its_gradient_is_that_of_small_steps():
    given = [one.requires_grad_() for one in draw(s=4, lead=())]
    with torch.no_grad():
        for share in given[3:]:  # small steps stay from 0 to 1
            share.copy_(share * 0.8 + 0.1)
    torch.autograd.gradcheck(lambda *args: delta_rule(*args), given)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32])
def test_half_precision_rounds_once(dtype):
    given = [one.to(dtype) for one in draw()]
    right = delta_rule(*(one.double() for one in given))
    found = delta_rule(*given)
    assert found.dtype == dtype
    torch.testing.assert_close(found.double(), right, rtol=torch.finfo(dtype).eps, atol=1e-5)


def test_no_word_and_a_key_of_zeros_give_numbers():
    q, k, v, write, keep = draw(s=0)
    assert delta_rule(q, k, v, write, keep).shape == (2, 0, 3)
    q, k, v, write, keep = draw()
    assert delta_rule(q, torch.zeros_like(k), v, write, keep).abs().max() == 0


@pytest.mark.parametrize(
    ("change", "error", "says"),
    [
        ({"q": torch.zeros(3, 5)}, ValueError, "q has 3 rows but k has 4"),
        ({"write": torch.full((4,), 1.5)}, ValueError, "write must lie from 0 to 1; got 1.5"),
        ({"write": torch.full((4,), torch.nan)}, ValueError, "write must lie from 0 to 1"),
        ({"keep": torch.ones(3)}, ValueError, r"keep has shape \(3,\)"),
        ({"write": 0.5, "keep": None}, TypeError, "write must be a tensor of floats; got float"),
        ({"keep": 0.5}, TypeError, "keep must be a tensor of floats; got float"),
        ({"write": torch.ones(4).bool()}, TypeError, "write must be a tensor of floats"),
        ({"k": torch.zeros(4, 3)}, ValueError, "same d"),
    ],
)
def test_what_does_not_fit_is_named(change, error, says):
    given = {"q": torch.zeros(4, 5), "k": torch.zeros(4, 5), "v": torch.zeros(4, 2)}
    given |= {"write": torch.ones(4), "keep": torch.ones(4)} | change
    with pytest.raises(error, match=says):
        delta_rule(**given)
