"""Exercise `multi_head`: project, split, attend in each head, merge, project."""

import math

import torch

from course_lib.chapters.multi_head.exercises.merge_heads import merge_heads
from course_lib.chapters.multi_head.exercises.split_heads import reshaped_at_once, split_heads
from course_lib.chapters.multi_head.slips import (
    always_causal,
    averaged,
    by_einsum,
    by_sdpa,
    head_after_head,
    heads_meet_heads,
    hidden,
    mask_after,
    mixed_then_merged,
    side_by_side,
    split_first,
    turned,
    unprojected,
    with_slip,
)
from course_lib.chapters.multi_head.two_heads import KEYS, MIXES, QUERIES, VALUES
from course_lib.chapters.multi_head.whole_cases import causal_mask, scattered, whole_case
from course_lib.judging.exercise import Exercise, Mistake, Refused, inputs
from course_lib.judging.tensors import floats
from course_lib.kernels.heads import multi_head_attention

# With these, head 0 gives a half to the first word and a quarter to each other, head 1 a third to
# each of them: divided by the root of 2, the scores are ln 2, 0 and 0 in head 0, and 0 in head 1.
SOFT = math.sqrt(2) * math.log(2)
SOFT_KEYS = [[-SOFT, SOFT, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]
ROUND_VALUES = [[100, 0, 90, 0], [0, 80, 0, 60], [0, 0, 0, 0]]
BY_HAND = (
    " By hand, in the trial above, which is not the picture's: before you divide, each row of "
    "scores of head 0 is 0.98, 0, 0. Divided by the root of 2, its width, it is 0.69, 0, 0. "
    "e to the 0.69 is 2, so the weights are 2/4, 1/4 and 1/4. Of the values 100, 0 and 0 they make "
    "50, and head 1 adds 20."
)


def multi_head(x, w_q, w_k, w_v, w_o, heads, mask=None):
    """Project, split, attend in each head, merge, project.

    x: (b, n, m)   w_q, w_k, w_v: (m, h·d)   w_o: (h·d, m)   heads: the number h
    mask: (n, n), True = may look, or None   returns: (b, n, m)
    """
    q, k, v = (split_heads(x @ w, heads) for w in (w_q, w_k, w_v))
    # SOLUTION
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(dim=-1)
    return merge_heads(weights @ v) @ w_o
    # END SOLUTION


def _of_the_picture(keys, values):
    """The picture of two heads: one-hot words, so that the queries are W_Q itself."""
    w = (floats(*one) for one in (QUERIES, keys, values, MIXES))
    return inputs(torch.eye(3)[None], *w, 2)


MULTI_HEAD = Exercise(
    answer=multi_head,
    cases=(
        lambda rng: _of_the_picture(KEYS, VALUES),
        lambda rng: _of_the_picture(SOFT_KEYS, ROUND_VALUES),
        whole_case(1, 3, 6, 2, 3),
        whole_case(2, 5, 6, 3, 2),
        whole_case(1, 2, 6, 1, 6, dtype=torch.float64),
        whole_case(3, 5, 4, 2, 2, mask=causal_mask),
        whole_case(2, 7, 6, 2, 3, mask=causal_mask, dtype=torch.float64),
        whole_case(2, 4, 6, 2, 5),
        whole_case(2, 5, 10, 2, 3, mask=scattered),
        whole_case(2, 5, 6, 2, 3, mask=scattered, dtype=torch.float64, loud=20),
        whole_case(2, 5, 6, 3, 2),
    ),
    mistakes=(
        Mistake(
            "You divided by the root of the width of all heads together. A score adds up as many "
            "products as one head is wide: q.shape[-1] after the split." + BY_HAND,
            with_slip(width=lambda x, q, heads: heads * q.shape[-1]),
        ),
        Mistake(
            "You divided by the root of m, the width of a word. A score adds up as many products "
            "as a head is wide: q.shape[-1] after the split." + BY_HAND,
            with_slip(width=lambda x, q, heads: x.shape[-1]),
        ),
        Mistake(
            "You divided by the root of m / h. h·d need not be m: take the width from the queries, "
            "q.shape[-1] after the split." + BY_HAND,
            with_slip(width=lambda x, q, heads: x.shape[-1] // heads),
            also=(with_slip(width=lambda x, q, heads: x.shape[-1] / heads),),
        ),
        Mistake(
            "The scores are not divided by the root of the width of a head." + BY_HAND,
            with_slip(width=lambda x, q, heads: 1),
        ),
        Mistake(
            "You divided by the root of the number of words. It takes the width of a head: "
            "q.shape[-1]." + BY_HAND,
            with_slip(width=lambda x, q, heads: x.shape[1]),
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
            with_slip(width=lambda x, q, heads: heads),
        ),
        Mistake(
            "W_O is missing: the heads stand side by side, and nothing has mixed them yet.",
            with_slip(final=False),
        ),
        Mistake(
            "There was one wide head: the split is missing. Then there is one table of weights "
            "instead of one for each head.",
            lambda x, w_q, w_k, w_v, w_o, heads, mask=None: multi_head_attention(
                x, w_q, w_k, w_v, w_o, 1, mask=mask
            ),
        ),
        Mistake(
            "W_O stands on the left. Words are rows here, so a matrix comes behind them: "
            "merge_heads(...) @ w_o.",
            with_slip(mix=lambda heard, w_o: w_o @ merge_heads(heard)),
        ),
        Mistake(
            "The split reshaped straight to (b, h, n, d), so words and heads are mixed up.",
            with_slip(split=reshaped_at_once),
        ),
        Mistake(
            "The heads were not merged before W_O. merge_heads puts them side by side first, from "
            "(b, h, n, d) to (b, n, h·d).",
            with_slip(merge=lambda heard: heard),
            also=(with_slip(mix=mixed_then_merged),),
        ),
        Mistake(
            "The merge did not exchange the axes first, so a row holds several words of one head.",
            with_slip(merge=lambda heard: heard.reshape(heard.shape[0], heard.shape[2], -1)),
        ),
        Mistake(
            "The softmax ran over the queries. A row belongs to a query and shares out 1: dim=-1.",
            with_slip(dim=-2),
        ),
        Mistake(
            "The softmax ran over the heads, so they compete. Each head shares out a 1 of its own: "
            "dim=-1.",
            with_slip(dim=1),
        ),
        Mistake(
            "The mask does not reach the scores: some words still see words that it hides. What "
            "masked_fill returns are new scores, and the old ones stay as they are: write scores = "
            "scores.masked_fill(...).",
            with_slip(hide=lambda scores, mask: scores),
            also=(with_slip(hide=lambda scores, mask: (hidden(scores, mask), scores)[1]),),
        ),
        Mistake(
            "You took every mask for a causal one. Masks differ: use the one that is given.",
            with_slip(hide=lambda scores, mask: hidden(scores, torch.ones_like(mask).tril())),
        ),
        Mistake(
            "The mask is turned over: row i of it says where word i may look.",
            with_slip(hide=lambda scores, mask: hidden(scores, mask.T)),
        ),
        Mistake(
            "Heads and words were never exchanged, so in each word the heads attended to each "
            "other. A product takes the last two axes: (b, h, n, d).",
            heads_meet_heads(masked=True),
            also=(heads_meet_heads(masked=False),),
        ),
        Mistake("The values are not projected: the heads mix v = x @ w_v, not x.", unprojected),
        Mistake(
            "Queries and keys come from one matrix here. Keys are x @ w_k.",
            lambda x, w_q, w_k, w_v, w_o, heads, mask=None: multi_head(
                x, w_q, w_q, w_v, w_o, heads, mask
            ),
        ),
        Mistake(
            "You averaged the heads before W_O. Each stands beside the others, and meets rows of "
            "W_O of its own.",
            with_slip(merge=averaged),
        ),
        Mistake(
            "The merge did not exchange words and heads back but interleaved the columns: a head's "
            "columns stay together.",
            with_slip(merge=lambda heard: heard.permute(0, 2, 3, 1).flatten(2)),
        ),
        Mistake(
            "The mask is inverted: True means may look, so what is False becomes -inf.",
            with_slip(hide=lambda scores, mask: scores.masked_fill(mask, -torch.inf)),
        ),
        Mistake(
            "Forbidden scores became 0. A score of 0 is no ban: e^0 is 1. It takes -inf.",
            with_slip(hide=lambda scores, mask: scores.masked_fill(~mask, 0.0)),
            also=(with_slip(hide=lambda scores, mask: scores * mask),),
        ),
        Mistake(
            "You multiplied the mask by -inf. 0 times infinity is NaN, so allowed places break, "
            "too. Put -inf in with masked_fill.",
            with_slip(hide=lambda scores, mask: scores + ~mask * -torch.inf),
        ),
        Mistake(
            "You added the mask, so True became 1 and False 0. What is added is 0 where a word may "
            "look, and -inf where it may not.",
            with_slip(hide=lambda scores, mask: scores + mask),
        ),
        Mistake(
            "You hid later words although no mask was given. None means that all may look at all.",
            always_causal,
        ),
        Mistake(
            "You turned the matrices over. Words are rows here, so it is x @ w_q; only nn.Linear "
            "and its relatives keep their matrices transposed.",
            turned,
        ),
        Mistake(
            "You added x. That sum is made outside, in the block; the heads return what they "
            "gathered.",
            lambda x, w_q, w_k, w_v, w_o, heads, mask=None: (
                x + multi_head(x, w_q, w_k, w_v, w_o, heads, mask)
            ),
            also=(
                lambda x, w_q, w_k, w_v, w_o, heads, mask=None: (
                    x + side_by_side(x, w_q, w_k, w_v, w_o, heads, mask)
                ),
            ),
        ),
        Mistake(
            "You divided by the width of a head. It takes the root of it." + BY_HAND,
            with_slip(width=lambda x, q, heads: q.shape[-1] ** 2),
        ),
        Mistake(
            "You masked after the softmax, so the hidden words had taken their share by then. Put "
            "-inf into the scores.",
            mask_after,
        ),
        Mistake(
            "Queries and keys are exchanged: the rows of the scores are queries.",
            with_slip(turn=True),
        ),
        Mistake(
            "You split the words before projecting them. Each head sees the whole word; what is "
            "split are the columns of q, k and v.",
            split_first,
        ),
    ),
    refused=(Refused(with_slip(factor=0.5), "multi_head gives another result"),),
    alternatives=(
        side_by_side,
        head_after_head,
        by_einsum,
        by_sdpa,
        lambda x, w_q, w_k, w_v, w_o, heads, mask=None: by_sdpa(
            x, w_q, w_k, w_v, w_o, heads, mask
        ).float(),
        lambda *args, **options: multi_head_attention(*args, **options).tolist(),
        with_slip(hide=lambda scores, mask: scores.masked_fill(mask == 0, -1e9)),
        with_slip(
            hide=lambda scores, mask: torch.where(mask, scores, torch.finfo(scores.dtype).min)
        ),
        with_slip(hide=lambda scores, mask: scores + mask.to(scores.dtype).log()),
    ),
    hints=(
        "Between the split and the merge stand the three lines of attention. How wide is a query "
        "there, and which two axes does @ use? What is there to hide where mask is None?",
        "The scores are q @ k.mT, (b, h, n, n), and are divided by the root of q.shape[-1]. "
        "Hide with scores.masked_fill(~mask, -torch.inf) if mask is not None. At the end "
        "merge_heads(...) @ w_o.",
        "scores = q @ k.mT / math.sqrt(...); hide what the "
        "mask does not allow; weights = ...; return merge_heads(weights @ v) @ ...",
    ),
    reward="This is the whole attention layer of the paper that brought the Transformer, in 2017. "
    "A trained model is about to run on your lines.",
    minutes=7,
    stars=3,
)
