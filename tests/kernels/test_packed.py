"""Texts in one row: each attends within itself, and nothing is filled up."""

import pytest
import torch

from course_lib.kernels.attention import attention
from course_lib.kernels.masks import causal, document, may_attend
from course_lib.kernels.packed import boundaries, packed_attention


def draw(*shape, seed=0):
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(*shape, generator=generator, dtype=torch.float64)


@pytest.mark.parametrize("is_causal", [False, True])
@pytest.mark.parametrize("lengths", [[3, 1, 7], [11], [2, 0, 9], [0, 11, 0]])
def test_packed_texts_get_what_a_mask_of_documents_gives(lengths, is_causal):
    q, k, v = draw(3, 11, 5), draw(3, 11, 5, seed=1), draw(3, 11, 2, seed=2)
    ids = [i for i, n in enumerate(lengths) for _ in range(n)]
    rule = document(ids) & causal if is_causal else document(ids)
    right = attention(q, k, v, mask=may_attend(rule, 11))
    found = packed_attention(q, k, v, boundaries(lengths), causal=is_causal)
    torch.testing.assert_close(found, right, rtol=1e-12, atol=1e-12)


def test_boundaries_are_int32_as_kernels_want_them():
    found = boundaries(torch.tensor([3, 1, 2], dtype=torch.int8))
    assert found.dtype == torch.int32
    assert found.tolist() == [0, 3, 4, 6]
    assert boundaries([100] * 400)[-1] == 40_000


def test_a_gradient_reaches_each_text_and_no_other():
    q, k, v = (one.requires_grad_(True) for one in (draw(1, 5, 3), draw(1, 5, 3), draw(1, 5, 2)))
    packed_attention(q, k, v, [0, 2, 5])[0, 0].sum().backward()
    assert v.grad[0, :2].any(dim=1).all()
    assert not v.grad[0, 2:].any()


def test_rows_of_no_words_stay_empty():
    assert packed_attention(draw(2, 0, 3), draw(2, 0, 3), draw(2, 0, 7), [0, 0]).shape == (2, 0, 7)


@pytest.mark.parametrize("begins", [[0, 4], [1, 5], [0, 3, 2, 5], [5]])
def test_boundaries_that_are_none_are_refused(begins):
    with pytest.raises(ValueError, match="expected numbers that grow from 0 to 5"):
        packed_attention(draw(1, 5, 3), draw(1, 5, 3), draw(1, 5, 3), begins)


def test_fewer_keys_than_words_and_negative_lengths_are_refused():
    with pytest.raises(ValueError, match="q, k and v have 5, 4 and 5 rows"):
        packed_attention(draw(1, 5, 3), draw(1, 4, 3), draw(1, 5, 3), [0, 5])
    with pytest.raises(ValueError, match="lengths holds -1"):
        boundaries([3, -1])
