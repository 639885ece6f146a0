"""Keys and values in pages: a cache whose memory is handed out while the texts grow.

Whoever reserves room for the longest text that may come keeps most of it empty. Here the memory is
cut into pages of a few words each. A text gets a page when its last one is full, whichever is free,
and gives all of them back at its end. Its *table* lists its pages in the order of its words:

    word i of a text    lies in page  table[i // page]    in row  i % page

Axes: p pages, r rows of a page, b texts, h heads of queries, g heads of keys and values (g divides
h), d width of queries and keys, e of values. Errors are as in attention.py.
"""

from collections.abc import Sequence

import torch
from torch import Tensor

from course_lib.kernels.arguments import check_heads, check_whole
from course_lib.kernels.flash import absorb, nothing_seen
from course_lib.kernels.precision import own_precision
from course_lib.kernels.whole_numbers import whole_numbers


class PageTables:
    """Which pages belong to which text, and which are free; it holds no keys and no values.

    free: the pages that nobody has, the next one last.   tables: the pages of each text, in order.

    Raises: TypeError or ValueError if a size is no whole number from 1 on.
    Source: Kwon et al., "Efficient Memory Management for Large Language Model Serving with
        PagedAttention" (2023), section 4.2.
    Example: two texts grow in turn; pages of two words each.
        >>> pages = PageTables(count=4, page=2)
        >>> pages.grow("a", 3), pages.grow("b", 1), pages.grow("a", 2)
        ([0, 1, 2], [4], [3, 6])
        >>> pages.tables
        {'a': [0, 1, 3], 'b': [2]}
        >>> pages.give_back("a"), pages.free
        (None, [3, 1, 0])
    """

    def __init__(self, count: int, page: int):
        check_whole(count=count, page=page)
        self.page = page
        self.free = list(range(count))[::-1]
        self.tables: dict[str, list[int]] = {}
        self.lengths: dict[str, int] = {}

    def grow(self, text: str, words: int) -> list[int]:
        """Make room for so many more words: the rows of the memory that they get, in order.

        Row r of page p is row p * page + r of the memory.

        Raises: ValueError where too few pages are free; then nothing has changed.
        """
        check_whole(words=words)
        table, length = self.tables.get(text, []), self.lengths.get(text, 0)
        missing = -(-(length + words) // self.page) - len(table)
        if missing > len(self.free):
            raise ValueError(f"{text!r} needs {missing} more pages and {len(self.free)} are free")
        table = table + [self.free.pop() for _ in range(missing)]
        self.tables[text], self.lengths[text] = table, length + words
        places = range(length, length + words)
        return [table[i // self.page] * self.page + i % self.page for i in places]

    def give_back(self, text: str) -> None:
        """Free all pages of a text that has ended. Raises: KeyError where there is none."""
        self.free += self.tables.pop(text)[::-1]
        del self.lengths[text]


def paged_attention(
    q: Tensor, k_pages: Tensor, v_pages: Tensor, tables: Tensor, lengths: Sequence[int] | Tensor,
    *, scale: float | None = None,
) -> Tensor:  # fmt: skip
    """Attention of one query for each text to the keys in its pages, page by page.

    tables: the numbers of the pages of each text. A text reads as many as its length asks for;
        what stands behind these, and in rows behind its last word, is never used.
    lengths: how many words each text has, (b,).

    Shapes: q (b, h, d), k_pages (p, g, r, d), v_pages (p, g, r, e), tables (b, pages), whole
        numbers -> (b, h, e); 0 for a text of no words.
    Raises: TypeError or ValueError for other shapes, tables and lengths.
    Source: Kwon et al. (2023), equation 4; kept as one softmax by the running sums of flash.py.
    Example: three words, in page 1 and then in page 0; the fourth row holds no word.
        >>> k = torch.zeros(2, 1, 2, 1)
        >>> v = torch.tensor([[[[9.0], [torch.nan]]], [[[3.0], [6.0]]]])
        >>> paged_attention(torch.ones(1, 1, 1), k, v, torch.tensor([[1, 0]]), [3]).item()
        6.0
    """
    lengths = _checked(q, k_pages, v_pages, tables, lengths)
    b, h, d = q.shape
    rows, g, wide = k_pages.shape[2], k_pages.shape[1], torch.promote_types(q.dtype, torch.float32)
    scale = d**-0.5 if scale is None else scale
    with own_precision(q):
        grouped = q.to(wide).reshape(b, g, h // g, d) * scale
        running = nothing_seen(grouped.shape[:-1], v_pages.shape[-1], grouped)
        for i in range(-(-int(lengths.max()) // rows)):
            words = i * rows + torch.arange(rows, device=q.device) < lengths[:, None]
            here = torch.where(words.any(dim=1), tables[:, i], 0)  # behind its end nothing is read
            words = words[:, None, :, None]
            k, v = (torch.where(words, one[here].to(wide), 0.0) for one in (k_pages, v_pages))
            scores = torch.where(words.mT, grouped @ k.mT, -torch.inf)
            running = absorb(running, scores, v)
        return running.mean.reshape(b, h, -1).to(q.dtype)


def _checked(
    q: Tensor, k_pages: Tensor, v_pages: Tensor, tables: Tensor, lengths: Sequence[int] | Tensor
) -> Tensor:
    """The lengths as a tensor, where everything fits."""
    if q.ndim != 3 or k_pages.ndim != 4 or v_pages.shape[:-1] != k_pages.shape[:-1]:
        raise ValueError(
            f"q has shape {tuple(q.shape)}, k_pages {tuple(k_pages.shape)} and v_pages "
            f"{tuple(v_pages.shape)}; expected (b, h, d), (p, g, r, d) and (p, g, r, e)"
        )
    if q.shape[-1] != k_pages.shape[-1]:
        raise ValueError(
            f"q is {q.shape[-1]} wide but the keys are {k_pages.shape[-1]}: both need the same d"
        )
    check_heads(q.shape[1], k_pages.shape[1])
    held = whole_numbers("lengths", lengths, axes=(1,)).to(q.device)
    known = whole_numbers("tables", tables, axes=(2,))
    if len(held) != len(q) or len(known) != len(q):
        raise ValueError(f"{len(held)} lengths and {len(known)} tables; expected {len(q)} of each")
    needed = -(-held // k_pages.shape[2])
    if int(held.min()) < 0 or int(needed.max()) > known.shape[1]:
        raise ValueError(
            f"lengths go from {int(held.min())} to {int(held.max())}; expected 0 to "
            f"{known.shape[1] * k_pages.shape[2]}, the rows of {known.shape[1]} pages"
        )
    read = known.to(q.device)[torch.arange(known.shape[1], device=q.device) < needed[:, None]]
    if read.numel() and not 0 <= int(read.min()) <= int(read.max()) < len(k_pages):
        raise ValueError(f"a table names page {int(read.max())}; there are {len(k_pages)} pages")
    return held
