"""Keys chosen by an indexer: the same numbers as a mask gives, from fewer scores."""

import pytest
import torch

from course_lib.kernels.attention import attention
from course_lib.kernels.chosen_keys import attention_to_chosen, chosen, index_scores
from course_lib.kernels.masks import causal, may_attend


def draw(*shapes):
    generator = torch.Generator().manual_seed(0)
    return [torch.randn(one, generator=generator, dtype=torch.float64) for one in shapes]


def test_index_scores_are_the_reports_sum():
    q, k, weights = draw((2, 3, 5, 7), (2, 11, 7), (2, 5, 3))
    found = index_scores(q, k, weights)
    for b in range(2):
        for t in range(5):
            for s in range(11):
                terms = [weights[b, t, h] * max(0, q[b, h, t] @ k[b, s]) for h in range(3)]
                torch.testing.assert_close(found[b, t, s], sum(terms))


@pytest.mark.parametrize("count", [1, 3, 11, 99])
def test_each_query_keeps_the_highest_that_it_may_see(count):
    (index,) = draw((2, 11, 11))
    mask = may_attend(causal, 11)
    kept = chosen(index, count, mask)
    assert not (kept & ~mask).any()
    for t in range(11):
        assert kept[0, t].sum() == min(count, t + 1)
        seen = index[0, t, : t + 1].sort(descending=True).values
        right = (index[0, t] >= seen[min(count, t + 1) - 1]) & mask[t]
        assert torch.equal(kept[0, t], right)


def test_equal_scores_keep_as_many_as_asked_for():
    assert chosen(torch.zeros(3, 11), 4).sum(dim=-1).tolist() == [4, 4, 4]


@pytest.mark.parametrize("count", [1, 3, 11])
@pytest.mark.parametrize("masked", [False, True])
def test_it_is_attention_with_the_mask_of_the_chosen(count, masked):
    q, k, v, index = draw((2, 3, 11, 5), (2, 3, 11, 5), (2, 3, 11, 2), (2, 1, 11, 11))
    mask = may_attend(causal, 11) if masked else None
    right = attention(q, k, v, mask=chosen(index, count, mask))
    found = attention_to_chosen(q, k, v, index, count, mask=mask)
    torch.testing.assert_close(found, right, rtol=1e-12, atol=1e-12)


def test_a_query_that_may_see_nothing_gets_zeros():
    q, k, v, index = draw((5, 3), (7, 3), (7, 2), (5, 7))
    mask = torch.ones(5, 7, dtype=torch.bool)
    mask[2] = False
    found = attention_to_chosen(q, k, v, index, 3, mask=mask)
    assert found[2].tolist() == [0, 0]
    assert found.isfinite().all()


def test_keys_that_are_not_chosen_cost_no_score(monkeypatch):
    from course_lib.kernels import chosen_keys

    seen = []

    def counting(q, k, v, **given):
        seen.append(q.shape[-2] * k.numel() // k.shape[-1])
        return attention(q, k, v, **given)

    monkeypatch.setattr(chosen_keys, "attention", counting)
    q, k, v, index = draw((13, 5), (101, 5), (101, 2), (13, 101))
    attention_to_chosen(q, k, v, index, 7)
    assert seen == [13 * 7]


def test_gradients_reach_the_chosen_alone():
    q, k, v, index = draw((5, 3), (7, 3), (7, 2), (5, 7))
    index[:, 4] = -100.0
    k.requires_grad_(), v.requires_grad_()
    attention_to_chosen(q, k, v, index, 3).sum().backward()
    assert v.grad[4].abs().sum() == k.grad[4].abs().sum() == 0
    assert v.grad.abs().sum() > 0


@pytest.mark.parametrize(
    ("call", "error", "says"),
    [
        (lambda: chosen(torch.zeros(3, 5), 0), ValueError, "count"),
        (lambda: chosen(torch.zeros(3, 5), 2.0), TypeError, "count"),
        (lambda: chosen(torch.zeros(3, 5), 2, torch.ones(3, 5)), TypeError, "mask"),
        (lambda: index_scores(*draw((5, 7), (11, 7), (5, 3))), ValueError, "h, t, d"),
        (lambda: index_scores(*draw((3, 5, 7), (11, 6), (5, 3))), ValueError, "same d"),
        (lambda: index_scores(*draw((3, 5, 7), (11, 7), (3, 5))), ValueError, "weights has shape"),
        (
            lambda: attention_to_chosen(*draw((5, 3), (7, 3), (7, 2), (7, 5)), 3),
            ValueError,
            "index has shape",
        ),
    ],
)
def test_what_does_not_fit_is_named(call, error, says):
    with pytest.raises(error, match=says):
        call()
