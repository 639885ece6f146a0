"""Exercise `split_heads`: the columns in strips, one for each head."""

import numpy as np
import torch

from course_lib.judging.exercise import Exercise, Mistake, Property, Refused, inputs
from course_lib.judging.tensors import counted, drawn
from course_lib.learner.arrays import as_array


def split_heads(x, heads):
    """Cut the columns into strips, one for each head; heads come before words.

    x: (b, n, h·d), such as all queries   heads: the number h   returns: (b, h, n, d)
    """
    # SOLUTION
    b, n, columns = x.shape
    return x.reshape(b, n, heads, columns // heads).transpose(1, 2)
    # END SOLUTION


def reshaped_at_once(x, heads):
    """Words and heads mixed up: the shape is right, the numbers are not."""
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
    answer=split_heads,
    cases=(
        lambda rng: inputs(counted(1, 3, 8), 2),  # words and heads of the picture; d is not h
        lambda rng: inputs(counted(1, 4, 6), 3),
        lambda rng: inputs(drawn(rng, 3, 2, 10), 5),
        lambda rng: inputs(drawn(rng, 2, 5, 6, dtype=torch.float64), 1),
        lambda rng: inputs(counted(2, 4, 8), 2),
        lambda rng: inputs(drawn(rng, 3, 2, 10), 5),
        lambda rng: inputs(counted(1, 3, 8), 2),
    ),
    properties=(
        Property(
            "The axes are (b, h, n, d), and h times d are the columns of x.",
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
            "You went to (b, h, n, d) in one step. The shape is right, and the numbers are "
            "mixed up: the first head got the first numbers of the table, row after row, and not "
            "its columns of each word. First cut each row, to (b, n, h, d), then exchange the two "
            "axes in the middle.",
            reshaped_at_once,
            also=(lambda x, heads: x.view(len(x), heads, x.size(1), -1),),
        ),
        Mistake(
            "The heads stand behind the words, (b, n, h, d). A matrix product takes the last "
            "two axes, so it would compare heads with heads. Exchange axes 1 and 2.",
            lambda x, heads: x.unflatten(-1, (heads, -1)),
        ),
        Mistake(
            "A head got every so many-th column. Its columns stand beside each other: of 8 columns "
            "for two heads, columns 0 to 3 go to the first.",
            _every_so_many,
            also=(
                lambda x, heads: x.unflatten(-1, (-1, heads)).permute(0, 3, 1, 2),
                lambda x, heads: x.unflatten(-1, (-1, heads)).transpose(1, 3),
            ),
        ),
        Mistake(
            "The last two axes are exchanged: (b, h, d, n). Words stand in rows, here too.",
            lambda x, heads: split_heads(x, heads).transpose(-2, -1),
            also=(lambda x, heads: x.unflatten(-1, (heads, -1)).permute(0, 2, 3, 1),),
        ),
        Mistake(
            "Heads and batch are mixed: they make one axis. Then whatever belongs to a sentence, "
            "such as its mask, no longer fits. Keep an axis for each.",
            lambda x, heads: split_heads(x, heads).flatten(0, 1),
        ),
        Mistake(
            "The heads stand before the sentences, (h, b, n, d). The batch comes first.",
            lambda x, heads: split_heads(x, heads).transpose(0, 1),
            also=(lambda x, heads: x.chunk(heads, dim=-1),),
        ),
        Mistake(
            "You exchanged words and columns of the table as it came in, and no row was cut. Cut "
            "each row first, to (b, n, h, d), and then exchange axes 1 and 2.",
            lambda x, heads: x.transpose(1, 2),
        ),
        Mistake(
            "The two steps are in the wrong order: you exchanged axes 1 and 2 first and cut "
            "afterwards. Before the cut axis 2 holds all columns. Cut to (b, n, h, d), then "
            "exchange.",
            lambda x, heads: x.transpose(1, 2).reshape(len(x), heads, x.shape[1], -1),
            also=(
                lambda x, heads: (
                    x.transpose(1, 2).reshape(len(x), x.shape[1], heads, -1).transpose(1, 2)
                ),
            ),
        ),
        Mistake(
            "You cut to (b, h, n, d), which mixes words and heads up, and then exchanged the "
            "two. Cut to (b, n, h, d): the words stay where they are, each row is cut.",
            lambda x, heads: x.reshape(len(x), heads, x.shape[1], -1).transpose(1, 2),
        ),
        Mistake(
            "Two sizes are exchanged: you cut each row into d pieces of h numbers, so there are d "
            "heads, each h wide. Cut it into h pieces of d numbers, to (b, n, h, d).",
            lambda x, heads: split_heads(x, x.shape[-1] // heads),
            also=(lambda x, heads: torch.stack(x.split(heads, -1), 1),),
        ),
        Mistake(
            "You cut each row into d pieces of h numbers. Cut it into h pieces of d numbers, to "
            "(b, n, h, d), and then exchange axes 1 and 2.",
            lambda x, heads: x.unflatten(-1, (-1, heads)),
        ),
        Mistake(
            "The heads stand last: (b, n, d, h). Exchange heads and words, axes 1 and 2, not "
            "the last two.",
            lambda x, heads: x.unflatten(-1, (heads, -1)).transpose(2, 3),
        ),
        Mistake(
            "You cut the words into groups, and each head got some whole words. A head gets some "
            "columns of every word.",
            lambda x, heads: torch.stack(x.chunk(heads, dim=1), dim=1),
        ),
        Mistake(
            "Only the first head's strip is left. There is an axis of heads, a strip for each.",
            lambda x, heads: x[..., : x.shape[-1] // heads],
        ),
        Mistake(
            "Only the first sentence is left. The batch keeps an axis, also where b is 1.",
            lambda x, heads: split_heads(x[:1], heads)[0],
        ),
        Mistake(
            "Every head got the whole width. A head has m / h of the columns.",
            lambda x, heads: x.repeat(1, heads, 1).reshape(len(x), heads, *x.shape[1:]),
        ),
        Mistake(
            "The strips are right, and the last head stands first.",
            lambda x, heads: split_heads(x, heads).flip(1),
        ),
    ),
    refused=(
        Refused(lambda x, heads: torch.cat(x.chunk(heads, dim=-1)), "split_heads"),
        Refused(lambda x, heads: x, "(b, h, n, d)"),
    ),
    alternatives=(
        lambda x, heads: torch.stack(_blocks(x, heads), dim=1),
        lambda x, heads: x.unflatten(-1, (heads, -1)).permute(0, 2, 1, 3),
        _split_by_loop,
        lambda x, heads: np.stack(np.split(x.numpy(), heads, axis=-1), axis=1),
        lambda x, heads: x.mT.reshape(len(x), heads, -1, x.shape[1]).mT,
        lambda x, heads: [[one.tolist() for one in _blocks(row, heads)] for row in x],
        lambda x, heads: x.view(len(x), x.size(1), heads, -1).permute(0, 2, 1, 3),
        lambda x, heads: torch.stack(x.chunk(heads, dim=-1), dim=1),
        lambda x, heads: x.unflatten(2, (heads, -1)).swapaxes(1, 2).contiguous(),
    ),
    hints=(
        "Write down one word with four numbers and two heads. Which numbers go to which head? In "
        "which order do you then want the axes?",
        "x.reshape(b, n, heads, d) cuts each row into strips, with d = columns // heads. "
        "transpose(1, 2) exchanges two axes.",
        "b, n, columns = x.shape; "
        "return x.reshape(b, n, ..., columns // heads).transpose(..., ...)",
    ),
    reward="In some form you will meet this line in the code of nearly every large model.",
    minutes=5,
    stars=2,
)
