"""A cache in pages: the same numbers as a cache in one piece, wherever the pages lie."""

import pytest
import torch

from course_lib.kernels.attention import attention
from course_lib.kernels.heads import repeat_heads
from course_lib.kernels.paged import PageTables, paged_attention


def draw(*shape, dtype=torch.float64, seed=0):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=dtype)


def in_pages(k, v, lengths, page, fill=torch.nan):
    """k and v (b, g, s, d or e) in pages of a memory that holds `fill` elsewhere; the tables."""
    count = sum(-(-n // page) for n in lengths) + 2
    pages = PageTables(count, page)
    memory = [torch.full((count * page, *one[0, :, 0].shape), fill).to(one) for one in (k, v)]
    for i in range(max(lengths)):  # word by word, in turn: no text has its pages in one piece
        for text, n in enumerate(lengths):
            if i < n:
                (row,) = pages.grow(str(text), 1)
                for kept, new in zip(memory, (k, v), strict=True):
                    kept[row] = new[text, :, i]
    most = max(-(-n // page) for n in lengths) + 1
    tables = torch.full((len(lengths), most), -1)
    for text, table in pages.tables.items():
        tables[int(text), : len(table)] = torch.tensor(table)
    split = [one.unflatten(0, (count, page)).transpose(1, 2) for one in memory]
    return (*split, tables)


@pytest.mark.parametrize("page", [1, 2, 5, 16])
@pytest.mark.parametrize("heads", [(2, 2), (6, 2), (3, 1)])
def test_pages_give_what_one_piece_gives_and_read_nothing_else(page, heads):
    h, g = heads
    lengths = [7, 3, 11]
    q, k, v = draw(3, h, 5), draw(3, g, 11, 5, seed=1), draw(3, g, 11, 2, seed=2)
    found = paged_attention(q, *in_pages(k, v, lengths, page), lengths)
    for text, n in enumerate(lengths):
        own = [repeat_heads(one[text, :, :n], h // g) for one in (k, v)]
        right = attention(q[text, :, None], *own)[:, 0]
        torch.testing.assert_close(found[text], right, rtol=1e-12, atol=1e-12)


def test_a_text_of_no_words_gets_zeros():
    k, v, tables = in_pages(draw(2, 1, 3, 5), draw(2, 1, 3, 2), [3, 0], 2)
    found = paged_attention(draw(2, 1, 5), k, v, tables, [3, 0])
    assert found[1].tolist() == [[0, 0]]
    assert found.isfinite().all()


def test_half_precision_is_computed_in_float32_and_rounded_once():
    k, v, tables = in_pages(*draw(2, 1, 1, 7, 4, dtype=torch.float32), [7], 3)
    q = draw(1, 1, 4, dtype=torch.float32)
    half = [one.bfloat16() for one in (q, k, v)]
    found = paged_attention(*half, tables, [7])
    assert found.dtype == torch.bfloat16
    right = paged_attention(*(one.float() for one in half), tables, [7])
    assert torch.equal(found, right.bfloat16())


def test_a_page_that_is_full_is_followed_by_one_that_is_free():
    pages = PageTables(count=5, page=3)
    assert pages.grow("a", 2) == [0, 1]
    assert pages.grow("b", 4) == [3, 4, 5, 6]
    assert pages.grow("a", 2) == [2, 9]
    assert pages.tables == {"a": [0, 3], "b": [1, 2]}
    pages.give_back("b")
    assert pages.grow("c", 7) == [3, 4, 5, 6, 7, 8, 12]
    assert pages.lengths == {"a": 4, "c": 7}


def test_where_no_page_is_free_nothing_changes():
    pages = PageTables(count=2, page=2)
    pages.grow("a", 3)
    with pytest.raises(ValueError, match="'b' needs 1 more pages and 0 are free"):
        pages.grow("b", 1)
    assert pages.tables == {"a": [0, 1]}
    assert pages.grow("a", 1) == [3]


@pytest.mark.parametrize(
    ("lengths", "tables", "words"),
    [
        ([3, 5], [[0, 1], [1, 0]], "lengths go from 3 to 5; expected 0 to 4"),
        ([3, -1], [[0, 1], [1, 0]], "lengths go from -1 to 3"),
        ([3], [[0, 1], [1, 0]], "1 lengths and 2 tables; expected 2 of each"),
        ([3, 3], [[0, 1], [1, 7]], "names page 7; there are 3 pages"),
    ],
)
def test_tables_and_lengths_that_do_not_fit_are_refused(lengths, tables, words):
    q, k = draw(2, 1, 5), draw(3, 1, 2, 5)
    with pytest.raises(ValueError, match=words):
        paged_attention(q, k, k, torch.tensor(tables), lengths)


def test_shapes_that_do_not_fit_are_named():
    with pytest.raises(ValueError, match=r"k_pages \(3, 2, 5\).*expected \(b, h, d\)"):
        paged_attention(draw(2, 1, 5), draw(3, 2, 5), draw(3, 2, 5), torch.zeros(2, 1).int(), [1])
    k = draw(3, 1, 2, 5)
    with pytest.raises(ValueError, match="q is 4 wide but the keys are 5"):
        paged_attention(draw(2, 1, 4), k, k, torch.zeros(2, 1).int(), [1, 1])
