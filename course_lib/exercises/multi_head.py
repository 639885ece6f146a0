"""The exercises and bets of chapter 7, multi-head attention."""

import math

import numpy as np
import torch

from course_lib.exercises.engine.arrays import as_array
from course_lib.exercises.engine.bet import Bet, Choice, Number
from course_lib.exercises.engine.chapter import Chapter
from course_lib.exercises.engine.exercise import Exercise, Mistake, Property, inputs
from course_lib.kernels.attention import attention
from course_lib.kernels.heads import multi_head_attention as kernel
from course_lib.kernels.kv_cache import cache_bytes
from course_lib.kernels.masks import causal, may_attend


def _drawn(rng, *shape, dtype=torch.float32):
    """Numbers with one digit behind the point, so that a failing case can be read."""
    return torch.tensor(rng.normal(size=shape).round(1), dtype=dtype)


def _counted(*shape):
    """1, 2, 3, ...: each number shows where it came from."""
    return torch.arange(1.0, 1 + math.prod(shape)).reshape(shape)


# Splitting and merging


def split_heads(x, heads):
    b, n, m = x.shape
    return x.reshape(b, n, heads, m // heads).transpose(1, 2)


def _viewed(x, heads):
    b, n, m = x.shape
    return x.reshape(b, heads, n, m // heads)


def _blocks(x, heads):
    return list(x.split(x.shape[-1] // heads, dim=-1))


def _every_so_many(x, heads):
    return torch.stack([x[..., i::heads] for i in range(heads)], dim=1)


def _split_by_loop(x, heads):
    b, n, m = x.shape
    d = m // heads
    out = torch.zeros(b, heads, n, d, dtype=x.dtype)
    for i in range(heads):
        out[:, i] = x[:, :, i * d : (i + 1) * d]
    return out


SPLIT_HEADS = Exercise(
    reference=split_heads,
    cases=(
        lambda rng: inputs(_counted(1, 3, 4), 2),
        lambda rng: inputs(_counted(2, 5, 6), 3),
        lambda rng: inputs(_drawn(rng, 3, 2, 10), 5),
        lambda rng: inputs(_drawn(rng, 2, 3, 4, dtype=torch.float64), 1),
    ),
    properties=(
        Property(
            "The axes are (b, heads, n, m / heads).",
            lambda got, case: (
                as_array(got["output"]).shape
                == (
                    case.args[0].shape[0],
                    case.args[1],
                    case.args[0].shape[1],
                    case.args[0].shape[2] // case.args[1],
                )
            ),
        ),
        Property(
            "The first head has the first columns of each word.",
            lambda got, case: bool(
                np.allclose(
                    as_array(got["output"])[:, 0],
                    case.args[0][..., : case.args[0].shape[2] // case.args[1]],
                    atol=1e-5,
                )
            ),
        ),
    ),
    mistakes=(
        Mistake(
            "You went to (b, heads, n, d) in one step. The shape is right, and the numbers are "
            "mixed up: the first head got all columns of the first words. First cut each row, to "
            "(b, n, heads, d), then exchange the two axes in the middle.",
            _viewed,
        ),
        Mistake(
            "The heads stand behind the words, (b, n, heads, d). A matrix product takes the last "
            "two axes, so it would compare heads with heads. Exchange axes 1 and 2.",
            lambda x, heads: x.unflatten(-1, (heads, -1)),
        ),
        Mistake(
            "A head got every so many-th column. Its columns stand beside each other: with width 4 "
            "and two heads, columns 0 and 1 go to the first.",
            _every_so_many,
        ),
        Mistake(
            "The last two axes are exchanged: (b, heads, d, n). Words stand in rows, here too.",
            lambda x, heads: split_heads(x, heads).transpose(-2, -1),
        ),
        Mistake(
            "Heads and batch are mixed: they make one axis. Then whatever belongs to a sentence, "
            "such as its mask, no longer fits. Keep an axis for each.",
            lambda x, heads: split_heads(x, heads).flatten(0, 1),
        ),
        Mistake(
            "The heads stand before the sentences, (heads, b, n, d). The batch comes first.",
            lambda x, heads: split_heads(x, heads).transpose(0, 1),
        ),
        Mistake(
            "You made heads columns of a head, and as many heads as a head has columns: the two "
            "sizes are exchanged.",
            lambda x, heads: split_heads(x, x.shape[-1] // heads),
        ),
        Mistake(
            "Every head got the whole width. A head has m / heads of the columns.",
            lambda x, heads: x.repeat(1, heads, 1).reshape(len(x), heads, *x.shape[1:]),
        ),
        Mistake(
            "The blocks are right, and the last head stands first.",
            lambda x, heads: split_heads(x, heads).flip(1),
        ),
    ),
    alternatives=(
        lambda x, heads: torch.stack(_blocks(x, heads), dim=1),
        lambda x, heads: x.unflatten(-1, (heads, -1)).permute(0, 2, 1, 3),
        _split_by_loop,
        lambda x, heads: np.stack(np.split(x.numpy(), heads, axis=-1), axis=1),
        lambda x, heads: x.mT.reshape(len(x), heads, -1, x.shape[1]).mT,
        lambda x, heads: [[one.tolist() for one in _blocks(row, heads)] for row in x],
    ),
    hints=(
        "Write down one word with four numbers and two heads. Which numbers go to which head? In "
        "which order do you then want the axes?",
        "x.reshape(b, n, heads, d) cuts each row into blocks, with d = m // heads. "
        "transpose(1, 2) exchanges two axes.",
        "b, n, m = x.shape; return x.reshape(b, n, ..., m // heads).transpose(..., ...)",
    ),
    minutes=5,
    stars=2,
)


def merge_heads(x):
    b, h, n, d = x.shape
    return x.transpose(1, 2).reshape(b, n, h * d)


MERGE_HEADS = Exercise(
    reference=merge_heads,
    cases=(
        lambda rng: inputs(_counted(1, 2, 3, 2)),
        lambda rng: inputs(_counted(2, 3, 5, 2)),
        lambda rng: inputs(_drawn(rng, 3, 5, 2, 4)),
        lambda rng: inputs(_drawn(rng, 2, 1, 3, 7, dtype=torch.float64)),
    ),
    properties=(
        Property(
            "The axes are (b, n, h d).",
            lambda got, case: (
                as_array(got["output"]).shape
                == (
                    case.args[0].shape[0],
                    case.args[0].shape[2],
                    case.args[0].shape[1] * case.args[0].shape[3],
                )
            ),
        ),
    ),
    mistakes=(
        Mistake(
            "Without exchanging the axes first, a row holds several words of one head. Exchange "
            "heads and words, then join the last two axes.",
            lambda x: x.reshape(x.shape[0], x.shape[2], -1),
        ),
        Mistake(
            "You added the heads up, and who said what is lost. Put them side by side.",
            lambda x: x.sum(dim=1),
        ),
        Mistake(
            "You averaged the heads, and who said what is lost. Put them side by side.",
            lambda x: x.mean(dim=1),
        ),
        Mistake(
            "The columns are interleaved: first column of each head, then second. A head's columns "
            "stay together.",
            lambda x: x.permute(0, 2, 3, 1).flatten(-2),
        ),
        Mistake(
            "The axes are exchanged, but the last two are not joined yet: (b, n, h, d) should "
            "become (b, n, h d).",
            lambda x: x.transpose(1, 2),
        ),
        Mistake(
            "You put the heads below each other, as if they were more words: (b, h n, d).",
            lambda x: x.flatten(1, 2),
        ),
        Mistake(
            "The blocks are right, and the last head stands first.",
            lambda x: merge_heads(x.flip(1)),
        ),
        Mistake(
            "You joined words and columns, and the heads kept an axis. Exchange heads and words, "
            "then join the last two axes.",
            lambda x: x.flatten(2),
        ),
        Mistake(
            "This is the first head alone.",
            lambda x: x[:, 0],
        ),
    ),
    alternatives=(
        lambda x: torch.cat(list(x.unbind(dim=1)), dim=-1),
        lambda x: x.permute(0, 2, 1, 3).flatten(2),
        lambda x: np.concatenate([x[:, i].numpy() for i in range(x.shape[1])], axis=-1),
        lambda x: x.transpose(1, 2).contiguous().view(x.shape[0], x.shape[2], -1),
    ),
    hints=(
        "It is the way back. Which of the two steps of split_heads was last?",
        "Exchange axes 1 and 2 again. Then reshape(b, n, h * d) joins the last two.",
        "b, h, n, d = x.shape; return x.transpose(..., ...).reshape(b, n, ...)",
    ),
    minutes=2,
    stars=1,
)

# The whole function


def multi_head(x, w_q, w_k, w_v, w_o, heads, mask=None):
    q, k, v = (split_heads(x @ w, heads) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    return merge_heads(scores.softmax(dim=-1) @ v) @ w_o


def _scaled_by(width):
    """Right but for the number under the root."""

    def wrong(x, w_q, w_k, w_v, w_o, heads, mask=None):
        q, k, v = (split_heads(x @ w, heads) for w in (w_q, w_k, w_v))
        scores = q @ k.mT / math.sqrt(width(x, w_q, heads))
        return _finished(scores, v, w_o, mask)

    return wrong


def _finished(scores, v, w_o, mask, dim=-1, merge=merge_heads):
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    joined = merge(scores.softmax(dim=dim) @ v)
    return joined if w_o is None else joined @ w_o


def _with(split=split_heads, merge=merge_heads, dim=-1, masked=True, final=True, turn=False):
    """Multi-head attention with one thing done otherwise."""

    def other(x, w_q, w_k, w_v, w_o, heads, mask=None):
        q, k, v = (split(x @ w, heads) for w in (w_q, w_k, w_v))
        q, k = (k, q) if turn else (q, k)
        scores = q @ k.mT / math.sqrt(q.shape[-1])
        mask = mask if masked else None
        return _finished(scores, v, w_o if final else None, mask, dim, merge)

    return other


def _mask_after(x, w_q, w_k, w_v, w_o, heads, mask=None):
    q, k, v = (split_heads(x @ w, heads) for w in (w_q, w_k, w_v))
    weights = (q @ k.mT / math.sqrt(q.shape[-1])).softmax(dim=-1)
    return merge_heads((weights if mask is None else weights * mask) @ v) @ w_o


def _hidden_by(hide):
    """Right but for the way in which the mask reaches the scores."""

    def wrong(x, w_q, w_k, w_v, w_o, heads, mask=None):
        q, k, v = (split_heads(x @ w, heads) for w in (w_q, w_k, w_v))
        scores = q @ k.mT / math.sqrt(q.shape[-1])
        return _finished(scores if mask is None else hide(scores, mask), v, w_o, None)

    return wrong


def _always_causal(x, w_q, w_k, w_v, w_o, heads, mask=None):
    return kernel(x, w_q, w_k, w_v, w_o, heads, mask=may_attend(causal, x.shape[1]))


def _turned(x, w_q, w_k, w_v, w_o, heads, mask=None):
    return multi_head(x, w_q.T, w_k.T, w_v.T, w_o.T, heads, mask)


def _split_first(x, w_q, w_k, w_v, w_o, heads, mask=None):
    """Cuts the words, not what was projected: a head sees a part of each word."""
    w_q, w_k, w_v = (torch.block_diag(*_diagonal(w, heads)) for w in (w_q, w_k, w_v))
    return kernel(x, w_q, w_k, w_v, w_o, heads, mask=mask)


def _diagonal(w, heads):
    rows, columns = len(w) // heads, w.shape[1] // heads
    return [w[i * rows : (i + 1) * rows, i * columns : (i + 1) * columns] for i in range(heads)]


def _head_after_head(x, w_q, w_k, w_v, w_o, heads, mask=None):
    d = w_q.shape[1] // heads
    out = 0
    for i in range(heads):
        part = slice(i * d, (i + 1) * d)
        q, k, v = x @ w_q[:, part], x @ w_k[:, part], x @ w_v[:, part]
        out = out + attention(q, k, v, mask=mask) @ w_o[part]
    return out


def _by_einsum(x, w_q, w_k, w_v, w_o, heads, mask=None):
    q, k, v = (torch.einsum("bnm,mhd->bhnd", x, w.unflatten(1, (heads, -1)))
               for w in (w_q, w_k, w_v))  # fmt: skip
    scores = torch.einsum("bhtd,bhsd->bhts", q, k) * q.shape[-1] ** -0.5
    if mask is not None:
        scores = torch.where(mask, scores, torch.tensor(-1e9, dtype=scores.dtype))
    heard = torch.einsum("bhts,bhsd->bhtd", scores.softmax(-1), v)
    return torch.einsum("bhtd,hdm->btm", heard, w_o.unflatten(0, (heads, -1)))


def _by_sdpa(x, w_q, w_k, w_v, w_o, heads, mask=None):
    q, k, v = (split_heads(x @ w, heads) for w in (w_q, w_k, w_v))
    heard = torch.nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    return merge_heads(heard) @ w_o


def _whole_case(b, n, m, heads, d, *, mask=None, dtype=torch.float32):
    """Fresh words and matrices; mask: None, or a rule."""

    def case(rng):
        x, *w = (_drawn(rng, *shape, dtype=dtype)
                 for shape in ((b, n, m), *[(m, heads * d)] * 3, (heads * d, m)))  # fmt: skip
        if mask is None:
            return inputs(x, *w, heads)
        return inputs(x, *w, heads, mask=may_attend(mask, n))

    return case


MULTI_HEAD = Exercise(
    reference=multi_head,
    cases=(
        _whole_case(1, 3, 6, 2, 3),
        _whole_case(2, 5, 6, 3, 2),
        _whole_case(1, 2, 6, 1, 6, dtype=torch.float64),
        _whole_case(3, 5, 4, 2, 2, mask=causal),
        _whole_case(2, 7, 6, 2, 3, mask=causal, dtype=torch.float64),
    ),
    mistakes=(
        Mistake(
            "You divided by the root of the whole width. A score adds up as many products as a "
            "head is wide: q.shape[-1] after the split.",
            _scaled_by(lambda x, w_q, heads: w_q.shape[1]),
        ),
        Mistake(
            "The scores are not divided by the root of the width of a head.",
            _scaled_by(lambda x, w_q, heads: 1),
        ),
        Mistake(
            "You divided by the root of the number of words. It takes the width of a head: "
            "q.shape[-1].",
            _scaled_by(lambda x, w_q, heads: x.shape[1]),
        ),
        Mistake(
            "Keys and values are exchanged: k = x @ w_k meets the queries, v = x @ w_v is mixed.",
            lambda x, w_q, w_k, w_v, w_o, heads, mask=None: multi_head(
                x, w_q, w_v, w_k, w_o, heads, mask
            ),
        ),
        Mistake(
            "You averaged the heads. After W_O their parts are added, and nobody divides.",
            lambda x, w_q, w_k, w_v, w_o, heads, mask=None: (
                multi_head(x, w_q, w_k, w_v, w_o, heads, mask) / heads
            ),
        ),
        Mistake(
            "You divided by the root of the number of heads. It takes the width of a head.",
            _scaled_by(lambda x, w_q, heads: heads),
        ),
        Mistake(
            "W_O is missing: the heads stand side by side, and nothing has joined them yet.",
            _with(final=False),
        ),
        Mistake(
            "There was one wide head: the split is missing. Then there is one table of weights "
            "instead of one for each head.",
            lambda x, w_q, w_k, w_v, w_o, heads, mask=None: kernel(
                x, w_q, w_k, w_v, w_o, 1, mask=mask
            ),
        ),
        Mistake(
            "The split reshaped straight to (b, heads, n, d), so words and heads are mixed up.",
            _with(split=_viewed),
        ),
        Mistake(
            "The merge did not exchange the axes first, so a row holds several words of one head.",
            _with(merge=lambda heard: heard.reshape(heard.shape[0], heard.shape[2], -1)),
        ),
        Mistake(
            "The softmax ran over the queries. A row belongs to a query and shares out 1: dim=-1.",
            _with(dim=-2),
        ),
        Mistake(
            "The softmax ran over the heads, so they compete. Each head shares out a 1 of its own: "
            "dim=-1.",
            _with(dim=1),
        ),
        Mistake("The mask is not used: later words are seen.", _with(masked=False)),
        Mistake(
            "The mask is inverted: True means may look, so what is False becomes -inf.",
            _hidden_by(lambda scores, mask: scores.masked_fill(mask, -torch.inf)),
        ),
        Mistake(
            "Forbidden scores became 0. A score of 0 is no ban: e^0 is 1. It takes -inf.",
            _hidden_by(lambda scores, mask: scores.masked_fill(~mask, 0.0)),
        ),
        Mistake(
            "You multiplied the mask by -inf. 0 times infinity is NaN, so allowed places break, "
            "too. Put -inf in with masked_fill.",
            _hidden_by(lambda scores, mask: scores + ~mask * -torch.inf),
        ),
        Mistake(
            "You added the mask, so True became 1 and False 0. What is added is 0 where a word may "
            "look, and -inf where it may not.",
            _hidden_by(lambda scores, mask: scores + mask),
        ),
        Mistake(
            "You hid later words although no mask was given. None means that all may look at all.",
            _always_causal,
        ),
        Mistake(
            "You turned the matrices over. Words are rows here, so it is x @ w_q; only nn.Linear "
            "and its relatives keep their matrices transposed.",
            _turned,
        ),
        Mistake(
            "You added x. That sum is made outside, in the block; the heads return what they "
            "gathered.",
            lambda x, w_q, w_k, w_v, w_o, heads, mask=None: (
                x + multi_head(x, w_q, w_k, w_v, w_o, heads, mask)
            ),
        ),
        Mistake(
            "You divided by the width of a head. It takes the root of it.",
            _scaled_by(lambda x, w_q, heads: (w_q.shape[1] // heads) ** 2),
        ),
        Mistake(
            "You masked after the softmax, so the hidden words had taken their share by then. Put "
            "-inf into the scores.",
            _mask_after,
        ),
        Mistake(
            "Queries and keys are exchanged: the rows of the scores are queries.",
            _with(turn=True),
        ),
        Mistake(
            "You split the words before projecting them. Each head sees the whole word; what is "
            "split are the columns of q, k and v.",
            _split_first,
        ),
    ),
    alternatives=(
        _head_after_head,
        _by_einsum,
        _by_sdpa,
        lambda x, w_q, w_k, w_v, w_o, heads, mask=None: _by_sdpa(
            x, w_q, w_k, w_v, w_o, heads, mask
        ).float(),
        lambda *args, **options: kernel(*args, **options).tolist(),
    ),
    hints=(
        "Between the split and the merge stand the three lines of attention. How wide is a query "
        "there, and which two axes does @ use?",
        "q = split_heads(x @ w_q, heads), and k and v alike. The scores are (b, heads, n, n). "
        "Hide with scores.masked_fill(~mask, -torch.inf) if mask is not None. At the end "
        "merge_heads(...) @ w_o.",
        "q = split_heads(x @ w_q, heads); ...; scores = q @ k.mT / math.sqrt(...); hide what the "
        "mask does not allow; weights = ...; return merge_heads(weights @ v) @ ...",
    ),
    minutes=7,
    stars=3,
)

# What each head adds


def what_each_adds(heads, w_o):
    h, d = heads.shape[1], heads.shape[3]
    blocks = w_o.reshape(h, d, -1)
    return heads @ blocks


def _one_at_a_time(heads, w_o):
    parts = []
    for i in range(heads.shape[1]):
        alone = torch.zeros_like(heads)
        alone[:, i] = heads[:, i]
        parts.append(merge_heads(alone) @ w_o)
    return torch.stack(parts, dim=1)


def _by_slices(heads, w_o):
    d = heads.shape[-1]
    return torch.stack([heads[:, i] @ w_o[i * d : (i + 1) * d] for i in range(heads.shape[1])], 1)


WHAT_EACH_ADDS = Exercise(
    reference=what_each_adds,
    cases=(
        lambda rng: inputs(_counted(1, 2, 2, 2), _drawn(rng, 4, 4)),
        lambda rng: inputs(_drawn(rng, 2, 3, 5, 2), _drawn(rng, 6, 6)),
        lambda rng: inputs(_drawn(rng, 1, 2, 3, 5), _drawn(rng, 10, 7)),
        lambda rng: inputs(
            _drawn(rng, 3, 1, 2, 4, dtype=torch.float64), _drawn(rng, 4, 4, dtype=torch.float64)
        ),
    ),
    properties=(
        Property(
            "Added up over the heads, the parts are the joined heads times w_o.",
            lambda got, case: bool(
                np.allclose(
                    as_array(got["output"]).sum(axis=1),
                    merge_heads(case.args[0]) @ case.args[1],
                    atol=1e-4,
                )
            ),
        ),
    ),
    mistakes=(
        Mistake(
            "You added the parts up already. Asked for is each head's own part: (b, h, n, m).",
            lambda heads, w_o: what_each_adds(heads, w_o).sum(dim=1),
        ),
        Mistake(
            "You divided by the number of heads, as in an average. Nobody divides here.",
            lambda heads, w_o: what_each_adds(heads, w_o) / heads.shape[1],
        ),
        Mistake(
            "Each head took every so many-th row of w_o. Head i meets the rows i d to (i + 1) d, "
            "because its columns stand side by side in the joined table.",
            lambda heads, w_o: (
                heads @ torch.stack([w_o[i :: heads.shape[1]] for i in range(heads.shape[1])])
            ),
        ),
        Mistake(
            "All heads used the first block of w_o. Each has rows of its own.",
            lambda heads, w_o: heads @ w_o[: heads.shape[-1]],
        ),
        Mistake(
            "The blocks are exchanged: the first head met the last rows of w_o.",
            lambda heads, w_o: heads @ w_o.reshape(heads.shape[1], heads.shape[3], -1).flip(0),
        ),
        Mistake(
            "The heads stand before the sentences, (h, b, n, m). The batch comes first: stack with "
            "dim=1.",
            lambda heads, w_o: what_each_adds(heads, w_o).transpose(0, 1),
        ),
        Mistake(
            "The axes are (b, n, h, m). Heads stand before words: (b, h, n, m).",
            lambda heads, w_o: what_each_adds(heads, w_o).transpose(1, 2),
        ),
    ),
    alternatives=(
        _by_slices,
        _one_at_a_time,
        lambda heads, w_o: torch.einsum(
            "bhnd,hdm->bhnm", heads, w_o.unflatten(0, (heads.shape[1], -1))
        ),
        lambda heads, w_o: _by_slices(heads, w_o).numpy(),
    ),
    hints=(
        "In the joined table, which columns belong to head i? Which rows of w_o do these columns "
        "meet in the product?",
        "w_o.reshape(h, d, m) has one block (d, m) for each head; heads is (b, h, n, d), and @ "
        "takes the last two axes.",
        "blocks = w_o.reshape(heads.shape[1], heads.shape[3], -1); return heads @ ...",
    ),
    minutes=3,
    stars=2,
)

# Grouped queries: neighbouring heads share keys and values


def repeat_heads(x, times):
    return x.repeat_interleave(times, dim=1)


REPEAT_HEADS = Exercise(
    reference=repeat_heads,
    cases=(
        lambda rng: inputs(_counted(1, 2, 2, 2), 2),
        lambda rng: inputs(_drawn(rng, 2, 3, 5, 2), 2),
        lambda rng: inputs(_drawn(rng, 3, 2, 2, 4), 4),
        lambda rng: inputs(_drawn(rng, 2, 5, 3, 2, dtype=torch.float64), 3),
    ),
    properties=(
        Property(
            "Neighbouring heads are alike: 0 and 1, where each is used twice.",
            lambda got, case: bool(
                np.array_equal(as_array(got["output"])[:, 0], as_array(got["output"])[:, 1])
            ),
        ),
    ),
    mistakes=(
        Mistake(
            "repeat (in numpy: tile) gives 0 1 0 1. Heads that share keys are neighbours, so the "
            "order is 0 0 1 1: repeat_interleave. Nothing but the result would tell: the shapes "
            "are the same.",
            lambda x, times: x.repeat(1, times, 1, 1),
        ),
        Mistake(
            "You repeated the words. What is shared are heads, axis 1.",
            lambda x, times: x.repeat_interleave(times, dim=2),
        ),
        Mistake(
            "You repeated the sentences. What is shared are heads, axis 1.",
            lambda x, times: x.repeat_interleave(times, dim=0),
        ),
        Mistake(
            "You repeated the columns. What is shared are heads, axis 1.",
            lambda x, times: x.repeat_interleave(times, dim=-1),
        ),
        Mistake(
            "Without dim, repeat_interleave repeats every number in one long row.",
            lambda x, times: x.repeat_interleave(times),
        ),
        Mistake(
            "The copies have an axis of their own. Join it with the heads: flatten(1, 2).",
            lambda x, times: x[:, :, None].expand(-1, -1, times, -1, -1),
        ),
        Mistake(
            "You repeated the first head only, for everybody. That is multi-query attention.",
            lambda x, times: x[:, :1].repeat(1, x.shape[1] * times, 1, 1),
        ),
    ),
    alternatives=(
        lambda x, times: x[:, :, None].expand(-1, -1, times, -1, -1).flatten(1, 2),
        lambda x, times: np.repeat(x.numpy(), times, axis=1),
        lambda x, times: x[:, torch.arange(x.shape[1] * times) // times],
        lambda x, times: torch.stack([x[:, i // times] for i in range(x.shape[1] * times)], dim=1),
    ),
    hints=(
        "Four heads of queries, two of keys, and neighbours share. Which keys do the heads 0, 1, 2 "
        "and 3 ask?",
        "torch has repeat, which gives 0 1 0 1, and repeat_interleave, which gives 0 0 1 1.",
        "return x.repeat_interleave(times, dim=...)",
    ),
    minutes=3,
    stars=1,
    depth=True,
)


def cache_size(tokens, layers, kv_heads, d):
    return 2 * tokens * layers * kv_heads * d * 2


CACHE_SIZE = Exercise(
    reference=cache_size,
    cases=(
        lambda rng: inputs(1, 1, 1, 1),
        lambda rng: inputs(1, 32, 8, 128),
        lambda rng: inputs(100, 3, 5, 7),
        lambda rng: inputs(int(rng.integers(10, 90)), 12, 12, 64),
    ),
    mistakes=(
        Mistake(
            "This is half of it. Keys and values are kept, both; and in half precision each number "
            "takes two bytes.",
            lambda tokens, layers, kv_heads, d: 2 * tokens * layers * kv_heads * d,
        ),
        Mistake(
            "You counted one number of one byte. Keys and values are kept, both; and in half "
            "precision each number takes two bytes.",
            lambda tokens, layers, kv_heads, d: tokens * layers * kv_heads * d,
        ),
        Mistake(
            "This is in GiB. Asked for are bytes; the cell below divides.",
            lambda tokens, layers, kv_heads, d: 4 * tokens * layers * kv_heads * d / 2**30,
        ),
        Mistake(
            "You counted one layer. Each layer keeps keys and values of its own.",
            lambda tokens, layers, kv_heads, d: 4 * tokens * kv_heads * d,
        ),
        Mistake(
            "You counted four bytes for each number. In half precision it is two.",
            lambda tokens, layers, kv_heads, d: 8 * tokens * layers * kv_heads * d,
        ),
        Mistake(
            "You counted pairs of words. What is kept are keys and values, one of each for a word; "
            "the scores are not kept.",
            lambda tokens, layers, kv_heads, d: 4 * tokens**2 * layers * kv_heads * d,
        ),
        Mistake(
            "This is in KiB. Asked for are bytes.",
            lambda tokens, layers, kv_heads, d: 4 * tokens * layers * kv_heads * d / 1024,
        ),
        Mistake(
            "You counted one head. Each head of keys has vectors of its own.",
            lambda tokens, layers, kv_heads, d: 4 * tokens * layers * d,
        ),
    ),
    alternatives=(
        lambda tokens, layers, kv_heads, d: 4.0 * tokens * layers * kv_heads * d,
        lambda tokens, layers, kv_heads, d: cache_bytes(
            tokens, layers=layers, n_kv_heads=kv_heads, d=d
        ),
        lambda tokens, layers, kv_heads, d: sum(
            2 * 2 * kv_heads * d for _ in range(layers) for _ in range(tokens)
        ),
    ),
    hints=(
        "For one word in one layer: how many vectors are kept, and how wide is each?",
        "A key and a value for each word, layer and head of keys; d numbers each; two bytes a "
        "number.",
        "return 2 * tokens * layers * ... * d * ...",
    ),
    minutes=2,
    stars=1,
    depth=True,
)


def count_parameters(m, heads, kv_heads, d):
    return m * heads * d + 2 * m * kv_heads * d + heads * d * m


COUNT_PARAMETERS = Exercise(
    reference=count_parameters,
    cases=(
        lambda rng: inputs(7, 6, 2, 3),
        lambda rng: inputs(6, 3, 3, 2),
        lambda rng: inputs(512, 8, 8, 64),
        lambda rng: inputs(4096, 32, 8, 128),
        lambda rng: inputs(7, int(rng.integers(4, 6)) * 2, 2, 5),
    ),
    mistakes=(
        Mistake(
            "W_O is missing: heads · d rows, m columns.",
            lambda m, heads, kv_heads, d: m * heads * d + 2 * m * kv_heads * d,
        ),
        Mistake(
            "You gave keys and values as many heads as queries. They have kv_heads.",
            lambda m, heads, kv_heads, d: 4 * m * heads * d,
        ),
        Mistake(
            "4 m² holds only where heads · d is m and nobody shares keys.",
            lambda m, heads, kv_heads, d: 4 * m * m,
        ),
        Mistake(
            "You counted matrices of full width for each head. Together the heads of queries have "
            "heads · d columns.",
            lambda m, heads, kv_heads, d: 2 * heads * m * m + 2 * kv_heads * m * m,
        ),
        Mistake(
            "You counted W_K or W_V, not both.",
            lambda m, heads, kv_heads, d: 2 * m * heads * d + m * kv_heads * d,
        ),
        Mistake(
            "You counted one head of queries. There are as many as heads says.",
            lambda m, heads, kv_heads, d: 2 * m * d + 2 * m * kv_heads * d,
        ),
        Mistake(
            "W_O takes what the heads of queries gathered, so it has heads · d rows, not "
            "kv_heads · d.",
            lambda m, heads, kv_heads, d: m * heads * d + 3 * m * kv_heads * d,
        ),
        Mistake(
            "You gave W_O m rows. It has as many as the heads have columns: heads · d.",
            lambda m, heads, kv_heads, d: m * heads * d + 2 * m * kv_heads * d + m * m,
        ),
        Mistake(
            "You counted biases, too. Here there are none.",
            lambda m, heads, kv_heads, d: (
                count_parameters(m, heads, kv_heads, d) + heads * d + 2 * kv_heads * d + m
            ),
        ),
    ),
    alternatives=(
        lambda m, heads, kv_heads, d: 2 * m * d * (heads + kv_heads),
        lambda m, heads, kv_heads, d: sum(
            rows * columns
            for rows, columns in (
                (m, heads * d), (m, kv_heads * d), (m, kv_heads * d), (heads * d, m)
            )
        ),
        lambda m, heads, kv_heads, d: float(2 * m * d * (heads + kv_heads)),
    ),
    hints=(
        "Four matrices. How many rows and columns has each, if only queries have all heads?",
        "W_Q is (m, heads · d), W_K and W_V are (m, kv_heads · d), W_O is (heads · d, m).",
        "return m * heads * d + 2 * m * ... + heads * d * ...",
    ),
    minutes=3,
    stars=1,
    depth=True,
)  # fmt: skip

# The block


def block(x, norm_1, heads, norm_2, mlp, dropout):
    x = x + dropout(heads(norm_1(x)))
    return x + dropout(mlp(norm_2(x)))


def _in_other_order(first, second):
    def wrong(x, norm_1, heads, norm_2, mlp, dropout):
        return second(first(x, norm_1, heads, dropout), norm_2, mlp, dropout)

    return wrong


def _pre(x, norm, part, dropout):
    return x + dropout(part(norm(x)))


def _post(x, norm, part, dropout):
    return norm(x + dropout(part(x)))


def _late_norm(x, norm, part, dropout):
    return x + dropout(norm(part(x)))


def _around(x, norm, part, dropout):
    y = norm(x)
    return y + dropout(part(y))


def _alone(x, norm, part, dropout):
    return dropout(part(norm(x)))


def _bare(x, norm, part, dropout):
    return x + dropout(part(x))


def _dropped_sum(x, norm, part, dropout):
    return dropout(x + part(norm(x)))


def _undropped(x, norm, part, dropout):
    return x + part(norm(x))


def _block_case(b, n, m, dtype=torch.float32):
    """Stand-ins for the five boxes, none of which commutes with another."""

    def case(rng):
        w_1, w_2 = (_drawn(rng, m, m, dtype=dtype) for _ in range(2))
        keep = torch.tensor(rng.random((b, n, m)) < 0.7)
        scale = _drawn(rng, 2, m, dtype=dtype).abs() + 0.5

        def norm_1(x):
            return torch.nn.functional.layer_norm(x, x.shape[-1:]) * scale[0]

        def norm_2(x):
            return torch.nn.functional.layer_norm(x, x.shape[-1:]) * scale[1] + 0.3

        def heads(x):
            return kernel(x, w_1, w_1.mT, w_2, w_1, 1)

        def mlp(x):
            return torch.relu(x @ w_2 + 0.1) @ w_1

        def dropout(x):
            return torch.where(keep, x / 0.7, 0)

        return inputs(_drawn(rng, b, n, m, dtype=dtype), norm_1, heads, norm_2, mlp, dropout)

    return case


BLOCK = Exercise(
    reference=block,
    cases=(_block_case(1, 2, 3), _block_case(2, 3, 5), _block_case(3, 5, 4, torch.float64)),
    mistakes=(
        Mistake(
            "The norms stand behind the sums. That is post-LN, the order of 2017; asked for is "
            "pre-LN, where the norm stands before the heads and before the mlp.",
            _in_other_order(_post, _post),
        ),
        Mistake(
            "You added to the normalised x. The sum takes x as it came in: what runs around the "
            "boxes is not touched.",
            _in_other_order(_around, _around),
        ),
        Mistake(
            "Nothing is added: x is replaced. Without x + ... the block forgets what came in.",
            _in_other_order(_alone, _alone),
        ),
        Mistake("The norms are missing.", _in_other_order(_bare, _bare)),
        Mistake(
            "The norm comes after the heads and after the mlp. It stands before them.",
            _in_other_order(_late_norm, _late_norm),
        ),
        Mistake(
            "Dropout took the sum, too. It takes what is added, and leaves alone what runs around.",
            _in_other_order(_dropped_sum, _dropped_sum),
        ),
        Mistake("Dropout is missing.", _in_other_order(_undropped, _undropped)),
        Mistake(
            "The mlp came before the heads.",
            lambda x, norm_1, heads, norm_2, mlp, dropout: block(
                x, norm_2, mlp, norm_1, heads, dropout
            ),
        ),
        Mistake(
            "Both halves read the same x. The second one reads what the first has made.",
            lambda x, norm_1, heads, norm_2, mlp, dropout: (
                x + dropout(heads(norm_1(x))) + dropout(mlp(norm_2(x)))
            ),
        ),
        Mistake(
            "The second sum takes the x from before the heads. What the heads have added is lost.",
            lambda x, norm_1, heads, norm_2, mlp, dropout: (
                x + dropout(mlp(norm_2(x + dropout(heads(norm_1(x))))))
            ),
        ),
        Mistake(
            "The mlp read what the heads gathered, without x. It reads norm_2 of the sum.",
            lambda x, norm_1, heads, norm_2, mlp, dropout: (
                x + dropout(heads(norm_1(x))) + dropout(mlp(norm_2(heads(norm_1(x)))))
            ),
        ),
        Mistake(
            "The first sum was normalised once more. Nothing but sums stands on the main line.",
            lambda x, norm_1, heads, norm_2, mlp, dropout: _pre(
                norm_1(_pre(x, norm_1, heads, dropout)), norm_2, mlp, dropout
            ),
        ),
        Mistake(
            "In the second half dropout took the sum. It takes what is added.",
            lambda x, norm_1, heads, norm_2, mlp, dropout: _dropped_sum(
                _pre(x, norm_1, heads, dropout), norm_2, mlp, dropout
            ),
        ),
        Mistake(
            "Dropout is missing behind the mlp.",
            lambda x, norm_1, heads, norm_2, mlp, dropout: _undropped(
                _pre(x, norm_1, heads, dropout), norm_2, mlp, dropout
            ),
        ),
        Mistake(
            "The two norms are exchanged: norm_1 belongs to the heads, norm_2 to the mlp.",
            lambda x, norm_1, heads, norm_2, mlp, dropout: block(
                x, norm_2, heads, norm_1, mlp, dropout
            ),
        ),
        Mistake(
            "This is the first half. The mlp is missing.",
            lambda x, norm_1, heads, norm_2, mlp, dropout: _pre(x, norm_1, heads, dropout),
        ),
    ),
    alternatives=(
        lambda x, norm_1, heads, norm_2, mlp, dropout: _pre(
            _pre(x, norm_1, heads, dropout), norm_2, mlp, dropout
        ),
        lambda x, norm_1, heads, norm_2, mlp, dropout: block(
            x, norm_1, heads, norm_2, mlp, dropout
        ).numpy(),
        lambda x, norm_1, heads, norm_2, mlp, dropout: sum(
            (
                dropout(heads(norm_1(x))),
                dropout(mlp(norm_2(x + dropout(heads(norm_1(x)))))),
                x,
            )
        ),
    ),
    hints=(
        "Follow the main line from x to the output. What is added to it, twice? What happens to x "
        "on the way into the heads?",
        "Each half is x + dropout(box(norm(x))). The second half begins with the result of the "
        "first.",
        "gathered = heads(...); x = x + dropout(...); and the same with norm_2 and mlp.",
    ),
    minutes=4,
    stars=2,
    depth=True,
)

# Finding heads by what they do


def induction_score(weights, period):
    t = len(weights)
    i = torch.arange(period, t)
    return weights[i, i - period + 1].mean()


def _mean_at(shift, start=lambda period: period):
    """The mean weight at j = i - shift(period), from a row on."""

    def wrong(weights, period):
        i = torch.arange(max(start(period), shift(period)), len(weights))
        return weights[i, i - shift(period)].mean()

    return wrong


def _pattern(t, period, rng, share, shift):
    """Causal weights, of which `share` stands at j = i - shift, where there is such a place."""
    noise = torch.tensor(rng.random((t, t)), dtype=torch.float64).tril()
    weights = (1 - share) * noise / noise.sum(dim=1, keepdim=True)
    for i in range(t):
        weights[i, max(i - shift, 0)] += share
    return weights


def _score_case(t, period, share, shift):
    return lambda rng: inputs(_pattern(t, period, rng, share, shift), period)


INDUCTION_SCORE = Exercise(
    reference=induction_score,
    cases=(
        _score_case(6, 3, 0.9, 2),
        _score_case(11, 5, 0.8, 4),
        _score_case(11, 3, 0.3, 1),
        _score_case(13, 7, 0.0, 1),
        _score_case(10, 5, 0.6, 5),
    ),
    mistakes=(
        Mistake(
            "You looked at the same symbol, one period back. An induction head looks one place "
            "further, at what followed it: i - period + 1.",
            _mean_at(lambda period: period),
        ),
        Mistake(
            "You looked at the place before. That finds previous-token heads.",
            _mean_at(lambda period: 1),
        ),
        Mistake(
            "You looked one place too far back: i - period - 1. What followed stands after the "
            "last time, not before it.",
            _mean_at(lambda period: period + 1),
        ),
        Mistake(
            "The first period counts, too. There nothing has come twice yet, so no head can look "
            "back: start at i = period.",
            _mean_at(lambda period: period - 1, start=lambda period: period - 1),
        ),
        Mistake(
            "You divided by the number of all places. The mean goes over the places from the "
            "second period on.",
            lambda weights, period: (
                induction_score(weights, period) * (len(weights) - period) / len(weights)
            ),
        ),
        Mistake(
            "Rows and columns are exchanged: the rows of weights are queries.",
            lambda weights, period: induction_score(weights.mT, period),
        ),
        Mistake(
            "You took the sum. A score from 0 to 1 is a mean.",
            lambda weights, period: induction_score(weights, period) * (len(weights) - period),
        ),
        Mistake(
            "You took the largest weight. One lucky place does not make an induction head; take "
            "the mean.",
            lambda weights, period: torch.stack(
                [weights[i, i - period + 1] for i in range(period, len(weights))]
            ).max(),
        ),
        Mistake(
            "You counted how often that place has the largest weight of its row. Asked for is the "
            "mean of the weights themselves.",
            lambda weights, period: (
                (weights.argmax(dim=1) == torch.arange(len(weights)) - period + 1)[period:]
                .double()
                .mean()
            ),
        ),
    ),
    alternatives=(
        lambda weights, period: weights.diagonal(1 - period)[1:].mean(),
        lambda weights, period: (
            sum(float(weights[i, i - period + 1]) for i in range(period, len(weights)))
            / (len(weights) - period)
        ),
        lambda weights, period: np.diagonal(weights.numpy(), 1 - period)[1:].mean(),
        lambda weights, period: (
            weights[period:].gather(1, torch.arange(1, len(weights) - period + 1)[:, None]).mean()
        ),
    ),
    hints=(
        "The text repeats every `period` places. You stand at i; your symbol was last at "
        "i - period. Where stands what followed it?",
        "The weight is weights[i, i - period + 1], for every i from period on. torch.arange makes "
        "all these i at once.",
        "i = torch.arange(..., len(weights)); return weights[i, ...].mean()",
    ),
    minutes=4,
    stars=2,
    depth=True,
)

# Bets

WHICH_HEAD = Bet(
    "which_head",
    question="One head is switched off: the one in the first layer that looks at the place before, "
    "or one of the four in the second layer. Which of the two is missed more?",
    answer=Choice(
        ("the one in the first layer", "one of those in the second", "about the same"),
        which=lambda lost: 2 if abs(lost[0] - lost[1]) < 0.05 else (0 if lost[0] > lost[1] else 1),
    ),
    why="The heads of the second layer do the same work side by side, and all of them need the "
    "note that the one in the first layer writes.",
    model_answer="Four cables hang on one bolt. The four in the second layer can stand in for "
    "each other, so one of them is hardly missed. But each looks for a note about the letter "
    "before, and nearly all of that note is written by a single head. How much a head matters "
    "cannot be seen from how busy it looks.",
)

MORE_HEADS = Bet(
    "more_heads",
    question="A layer of width 512 has 8 heads. Somebody makes 64 of them, as is usual with heads "
    "of width 512 / 64. How many times as many numbers does the layer have to learn?",
    answer=Number(0, 100, unit="times", near=0.05, format="{:.2f}"),
    why="Eight times as many heads are eight times as narrow, so the matrices stay as they are.",
    model_answer="The columns of W_Q, W_K and W_V are shared out among the heads: 8 times 64 or 64 "
    "times 8, it is 512. Many books say that more heads cost more parameters. They do where each "
    "head keeps its width, which is a choice; the paper of 2017 makes heads narrower. What grows "
    "is the number of tables of scores.",
)

AVERAGE = Bet(
    "average",
    question="Eight heads have learned exactly the same, and W_O treats them all alike. How many "
    "times as large as with one of these heads alone is the output?",
    answer=Number(0, 100, unit="times", near=0.05, format="{:.2f}"),
    why="The parts of the heads are added, and nobody divides by their number.",
    model_answer="Concatenating and multiplying by W_O is the sum of what each head adds through "
    "its own rows of W_O. In an average eight equal heads would give what one gives. So a head "
    "that is switched off takes its own part away and leaves the others as they are.",
)

ALONE = Bet(
    "alone",
    question="Some call heads an ensemble: members who each solve the task, and vote. Keep one of "
    "the eight heads of the copying model and switch off seven. Which share of the symbols does "
    "the best single head get right?",
    answer=Number(0, 1, near=0.08, format="{:.2f}"),
    why="No head can do the task alone: it takes one that notes and one that looks for the note.",
    model_answer="A member of an ensemble is a whole solution, trained by itself, and the vote "
    "evens out its errors. Heads are trained together, on one loss, and share the work, so that "
    "most are worth nothing without the others. Within one layer some do stand in for each other: "
    "that much is true of the picture.",
    depth=True,
)

CACHE = Bet(
    "cache",
    question="Llama-3-8B: 32 layers, 32 heads of queries that share 8 heads of keys and values, "
    "128 numbers each, two bytes a number. How much memory do the keys and values of a text of "
    "8192 tokens take?",
    answer=Number(0, 1000, unit="GiB", factor=2, format="{:.2f}"),
    why="One token keeps 2 · 32 · 8 · 128 numbers, which are 128 KiB.",
    model_answer="A GiB for each conversation of 8192 tokens. With 32 heads of keys it would be 4 "
    "GiB. The weights of the model take 15 GiB, once for everybody; the cache is needed for each "
    "conversation anew, and it grows with each token.",
    depth=True,
)

FAR_APART = Bet(
    "far_apart",
    question="Convolutions with filters of three words, one layer on the other. After how many "
    "layers does the last of 100 words hear of the first?",
    answer=Number(1, 1000, near=2, format="{:.0f}"),
    why="Each layer passes on to the next neighbour, and there are 99 steps to go.",
    model_answer="A word hears of the next one in each layer, so it takes 99. Real networks take "
    "wider filters, gaps in them, or coarser steps, and need fewer. In attention any two words "
    "meet in the first layer, if the mask allows it; the price is a table of n by n scores.",
    depth=True,
)

chapter = Chapter(
    "07_multi_head",
    exercises=(
        SPLIT_HEADS,
        MERGE_HEADS,
        MULTI_HEAD,
        WHAT_EACH_ADDS,
        INDUCTION_SCORE,
        REPEAT_HEADS,
        CACHE_SIZE,
        COUNT_PARAMETERS,
        BLOCK,
    ),
    bets=(WHICH_HEAD, MORE_HEADS, AVERAGE, ALONE, CACHE, FAR_APART),
)
exercise, bet, settle = chapter.exercise, chapter.bet, chapter.settle
hint, reveal, progress = chapter.hint, chapter.reveal, chapter.progress
