"""The slips of attention that `attend` and `attention` name, by the line they are made in."""

import math

import torch

from course_lib.chapters.queries_keys_values.exercises.scaled_scores import scaled_scores
from course_lib.chapters.queries_keys_values.three_lines import weights
from course_lib.judging.exercise import Mistake


def by_exp(scores):
    """The softmax that overflows."""
    powers = torch.exp(scores)
    return powers / powers.sum(dim=-1, keepdim=True)


def _normed(one):
    """Each row divided by its length."""
    return torch.nn.functional.normalize(one, dim=-1)


def _up_to_its_place(q, k, v):
    """Attention under a causal mask that nobody asked for."""
    hidden = torch.ones(q.shape[-2], k.shape[-2]).triu(1).bool()
    return scaled_scores(q, k).masked_fill(hidden, -torch.inf).softmax(dim=-1) @ v


def _sum_without_its_axis(q, k, v):
    powers = torch.exp(scaled_scores(q, k))
    return powers / powers.sum(dim=-1) @ v


def _whole_table(q, k, v):
    scores = scaled_scores(q, k)
    powers = torch.exp(scores - scores.amax())
    return powers / powers.sum() @ v


def _scaled_by(number):
    """Attention whose scores are divided by the root of another number than the width."""
    return lambda q, k, v: torch.softmax(q @ k.mT / math.sqrt(number(q, k, v)), dim=-1) @ v


SCALE = (
    Mistake(
        "The scale is missing, or it comes too late: the scores are divided by the square root of "
        "the width before the softmax (chapter 3).",
        lambda q, k, v: torch.softmax(q @ k.mT, dim=-1) @ v,
    ),
    Mistake(
        "You scaled the weights, after the softmax. They no longer add up to 1; scale the scores.",
        lambda q, k, v: torch.softmax(q @ k.mT, dim=-1) / math.sqrt(q.shape[-1]) @ v,
    ),
    Mistake(
        "You multiplied by the root of the width. Divide, so that the scores shrink.",
        _scaled_by(lambda q, k, v: 1 / q.shape[-1]),
    ),
    Mistake(
        "All in all your scores are divided by the width itself. Dividing once, by its square "
        "root, is enough.",
        _scaled_by(lambda q, k, v: q.shape[-1] ** 2),
    ),
    Mistake(
        "You divided by the root of the number of keys. What counts is the width of a query, its "
        "last axis.",
        _scaled_by(lambda q, k, v: k.shape[-2]),
    ),
    Mistake(
        "You divided by the root of the number of queries. What counts is the width of a query, "
        "its last axis.",
        _scaled_by(lambda q, k, v: q.shape[-2]),
    ),
    Mistake(
        "You divided by the root of q.shape[0], the length of the first axis. The width is the "
        "last one, q.shape[-1].",
        _scaled_by(lambda q, k, v: q.shape[0]),
    ),
    Mistake(
        "You divided by the root of k.shape[0], the length of the first axis. The width is the "
        "last one, k.shape[-1].",
        _scaled_by(lambda q, k, v: k.shape[0]),
    ),
    Mistake(
        "q.shape[1] is the width of one sentence alone. With sentences or heads in front it is "
        "something else; the width is always the last axis, q.shape[-1].",
        _scaled_by(lambda q, k, v: q.shape[1]),
    ),
    Mistake(
        "k.shape[1] is the width of one sentence alone. With sentences or heads in front it is "
        "something else; the width is always the last axis, k.shape[-1].",
        _scaled_by(lambda q, k, v: k.shape[1]),
    ),
    Mistake(
        "You divided by the root of the width of a value. The scores add up products of queries "
        "and keys; it is their width that counts.",
        _scaled_by(lambda q, k, v: v.shape[-1]),
    ),
    Mistake(
        "You divided q and k by their lengths: these scores are cosines. The scale is one number "
        "for all of them, the root of the width.",
        lambda q, k, v: torch.softmax(_normed(q) @ _normed(k).mT, dim=-1) @ v,
    ),
    Mistake(
        "You scaled, and divided q and k by their lengths as well. The lengths stay: a long key "
        "may count for more.",
        lambda q, k, v: weights(_normed(q), _normed(k)) @ v,
    ),
)

SOFTMAX = (
    Mistake(
        "Two things. dim=0 is the first axis, and the keys stand in the last one: dim=-1. And the "
        "scale is missing, or it comes too late: the scores are divided before the softmax.",
        lambda q, k, v: torch.softmax(q @ k.mT, dim=0) @ v,
    ),
    Mistake(
        "Two things. dim=0 is the first axis, and the keys stand in the last one: dim=-1. And you "
        "divided by the root of the number of keys; what counts is the width, k.shape[-1].",
        lambda q, k, v: torch.softmax(q @ k.mT / math.sqrt(k.shape[-2]), dim=0) @ v,
    ),
    Mistake(
        "The softmax ran along the wrong axis, so each key shares itself out. Each row belongs to "
        "a query and should add up to 1: dim=-1.",
        lambda q, k, v: torch.softmax(scaled_scores(q, k), dim=-2) @ v,
    ),
    Mistake(
        "dim=0 is the first axis. That is wrong for one sentence, and for several it runs across "
        "the sentences. The keys stand in the last one: dim=-1.",
        lambda q, k, v: torch.softmax(scaled_scores(q, k), dim=0) @ v,
    ),
    Mistake(
        "dim=1 is the axis of the keys for one sentence alone. With sentences or heads in front "
        "it is another one; the keys always stand in the last: dim=-1.",
        lambda q, k, v: torch.softmax(scaled_scores(q, k), dim=1) @ v,
    ),
    Mistake(
        "v came before the softmax. First the scores become weights; only then the weights meet "
        "the values.",
        lambda q, k, v: torch.softmax(scaled_scores(q, k) @ v, dim=-1),
    ),
    Mistake(
        "The softmax is missing: raw scores may be negative and do not add up to 1.",
        lambda q, k, v: scaled_scores(q, k) @ v,
    ),
    Mistake(
        "The softmax is missing, and so is the scale: these are the bare scores with v.",
        lambda q, k, v: q @ k.mT @ v,
    ),
    Mistake(
        "A score above 88 is too much for exp in float32: its power is infinite, and infinity "
        "divided by itself is NaN. Subtract the largest of the row first (chapter 4), as "
        "torch.softmax does.",
        lambda q, k, v: by_exp(scaled_scores(q, k)) @ v,
    ),
    Mistake(
        "The sum over the keys has lost its axis, so it divides columns where it should divide "
        "rows: sum(dim=-1, keepdim=True).",
        _sum_without_its_axis,
    ),
    Mistake(
        "You divided by the sum of the whole table. Each row adds up to 1 for itself.",
        _whole_table,
    ),
    Mistake(
        "You hid later keys from each query, as a model that writes does (chapter 6). Here nothing "
        "is hidden: every query may look at every key.",
        _up_to_its_place,
    ),
)

PRODUCTS = (
    Mistake(
        "You averaged the keys. Keys decide the weights; what is averaged are the values.",
        lambda q, k, v: weights(q, k) @ k,
    ),
    Mistake(
        "You averaged the queries. They decide the weights; what is averaged are the values.",
        lambda q, k, v: weights(q, k) @ q,
    ),
    Mistake(
        "You returned the weights. One product is left, with v.",
        lambda q, k, v: weights(q, k),
    ),
    Mistake(
        "You returned the scores. Two steps are left: the softmax, and the product with v.",
        lambda q, k, v: scaled_scores(q, k),
    ),
    Mistake(
        "You returned the output and the weights. Asked for is the output alone.",
        lambda q, k, v: (weights(q, k) @ v, weights(q, k)),
    ),
    Mistake(
        "* multiplies number by number, and nothing is added up. weights @ v adds the values of "
        "all keys, each times its weight.",
        lambda q, k, v: weights(q, k) * v,
    ),
    Mistake(
        "v stands on the left of its product. A row of weights belongs to a query, and it meets "
        "the columns of v: weights @ v.",
        lambda q, k, v: v @ weights(q, k),
    ),
    Mistake(
        "The weights are turned on their side before they meet v: each column of them was taken "
        "for a query.",
        lambda q, k, v: weights(q, k).mT @ v,
    ),
    Mistake(
        "v is turned on its side. Each of its rows belongs to a key, and the weights of a query "
        "add up these rows: weights @ v.",
        lambda q, k, v: weights(q, k) @ v.mT,
    ),
    Mistake(
        "k is not transposed: rows of q met columns of k. Where there are as many keys as numbers "
        "in a key nothing stops you, and the result is wrong.",
        lambda q, k, v: torch.softmax(q @ k / math.sqrt(q.shape[-1]), dim=-1) @ v,
    ),
    Mistake(
        ".T turns all axes around, the one of the sentences too. Only the last two of k should "
        "change places: k.transpose(-2, -1), or k.mT.",
        lambda q, k, v: (
            torch.softmax(q @ k.permute(*reversed(range(k.ndim))) / math.sqrt(q.shape[-1]), dim=-1)
            @ v
        ),
        also=(lambda q, k, v: torch.softmax(q @ k.T / math.sqrt(q.shape[-1]), dim=-1) @ v,),
    ),
    Mistake(
        "transpose(0, 1) exchanges the first two axes, which are the last two for one sentence "
        "alone. k.transpose(-2, -1) fits always.",
        lambda q, k, v: (q @ k.transpose(0, 1) / math.sqrt(q.shape[-1])).softmax(dim=-1) @ v,
    ),
    Mistake(
        "q is transposed, not k. A score adds up one query times one key: q @ k.transpose(-2, -1).",
        lambda q, k, v: (q.mT @ k / math.sqrt(q.shape[-1])).softmax(dim=-1) @ v,
    ),
    Mistake(
        "reshape and view read the same numbers on in the same order. What is wanted is another "
        "order: k.transpose(-2, -1).",
        lambda q, k, v: (
            (q @ k.reshape(*k.shape[:-2], *k.shape[:-3:-1]) / math.sqrt(q.shape[-1])).softmax(-1)
            @ v
        ),
    ),
    Mistake(
        "q and k are exchanged: your rows belong to keys. Each query asks, each key is asked.",
        lambda q, k, v: weights(k, q) @ v,
    ),
    Mistake(
        "Two things. q and k are exchanged, so your rows belong to keys; and the softmax runs "
        "along the first axis, where it should run along the last.",
        lambda q, k, v: torch.softmax(scaled_scores(k, q), dim=0) @ v,
    ),
    Mistake(
        "The queries met the values, and the keys were not used. A score is a query with a key.",
        lambda q, k, v: weights(q, v) @ v,
    ),
    Mistake(
        "The queries met one another, and the keys were not used. A score is a query with a key.",
        lambda q, k, v: weights(q, q) @ v,
    ),
)

MISTAKES = (*SCALE, *SOFTMAX, *PRODUCTS)
