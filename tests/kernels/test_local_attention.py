"""Local attention: exact for its window, and no more scores than it says."""

import pytest
import torch

from course_lib.kernels import local_attention as module
from course_lib.kernels.attention import attention
from course_lib.kernels.local_attention import local_attention, scores_computed
from course_lib.kernels.masks import causal, may_attend, sliding_window


def draw(n, d=5, e=3, lead=(2, 3)):
    generator = torch.Generator().manual_seed(n)
    return [torch.randn(*lead, n, size, generator=generator, dtype=torch.float64)
            for size in (d, d, e)]  # fmt: skip


@pytest.mark.parametrize("n", [1, 2, 13, 31])
@pytest.mark.parametrize("w", [1, 4, 31, 50])
@pytest.mark.parametrize("block", [1, 7, 64])
def test_it_is_attention_under_its_mask(n, w, block):
    q, k, v = draw(n)
    mask = may_attend(causal & sliding_window(w), n)
    right = attention(q, k, v, mask=mask)
    torch.testing.assert_close(local_attention(q, k, v, w=w, block=block), right)


def test_it_computes_as_many_scores_as_it_says(monkeypatch):
    seen = []

    def counting(q, k, v, *, mask):
        seen.append(q.shape[-2] * k.shape[-2])
        return attention(q, k, v, mask=mask)

    monkeypatch.setattr(module, "attention", counting)
    local_attention(*draw(101, lead=()), w=10, block=16)
    assert sum(seen) == scores_computed(101, w=10, block=16)


def test_twice_the_words_are_twice_the_scores_once_the_window_is_full():
    counts = [scores_computed(n, w=64, block=64) for n in (2048, 4096, 8192)]
    assert counts[2] - counts[1] == 2 * (counts[1] - counts[0])


def test_what_does_not_fit_is_refused():
    q, k, v = draw(7)
    with pytest.raises(ValueError, match="as many queries as keys"):
        local_attention(q[..., :3, :], k, v, w=2)
    with pytest.raises(ValueError, match="at least 1"):
        local_attention(q, k, v, w=0)
