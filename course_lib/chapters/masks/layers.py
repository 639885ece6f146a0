"""Layers for the exercise `leaks`: some show a later word, some do not."""

import torch
from torch.nn.functional import layer_norm

from course_lib.kernels.attention import attention
from course_lib.kernels.masks import Mask, causal, may_attend


def seen(x, *cells):
    """Attention under the causal mask, with some more cells (i, j) open."""
    rule = causal
    for i, j in cells:
        rule = rule | Mask("hole", lambda b, row, column, i=i, j=j: (row == i) & (column == j))
    return attention(x, x, x, mask=may_attend(rule, len(x)))


def causal_layer(x):
    return seen(x)


def open(x):
    return attention(x, x, x)


def one_too_far(x):
    ahead = Mask("one too far", lambda b, i, j: j <= i + 1)
    return attention(x, x, x, mask=may_attend(ahead, len(x)))


def hole_near_the_start(x):
    return seen(x, (0, 1))


def hole_in_the_middle(x):
    return seen(x, (2, 3))


def hole_at_the_end(x):
    return seen(x, (0, len(x) - 1))


def far_hole(x):
    return seen(x, (0, 3))


def normed(x):
    """Each word's numbers at mean 0 and spread 1, as at the beginning of a pre-LN block."""
    return layer_norm(x, x.shape[1:])


def block_with_hole(x):
    return x + seen(normed(x), (1, 3))


def causal_block(x):
    return x + seen(normed(x))


def word_by_word(x):
    return 2 * x.tanh()


def mean_so_far(x):
    return x.cumsum(dim=0) / torch.arange(1, len(x) + 1)[:, None]


def faint_leak(x):
    return x + 0.01 * x.roll(-1, dims=0)


def swapped_neighbours(x):
    return seen(x) - 0.5 * x.roll(-1, dims=0)


def earlier_words_only(x):
    """Not even its own word; the first place gets nothing."""
    return x.cumsum(dim=0) - x


def later_words_only(x):
    return x.flip(0).cumsum(dim=0).flip(0) - x


def deaf(x):
    return torch.zeros_like(x) + torch.arange(len(x))[:, None]


def rounds_otherwise(x):
    """Honest: what later words add to it they take away again, and only rounding is left."""
    honest = causal_layer(x)
    later = x.flip(0).cumsum(dim=0).flip(0) - x
    more = later.detach().sigmoid()  # from 0 to 1, whatever x is
    return honest * (1 + more) - honest * more
