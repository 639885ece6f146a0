"""What a table of scores costs: parameters and operations, counted, for each of the four scores.

A multiplication, an addition, a division and a square root count one operation each; a tanh counts
apart, because a processor needs many steps for one.
"""

from dataclasses import dataclass

KINDS = ("dot", "cosine", "bilinear", "additive")


@dataclass(frozen=True)
class Cost:
    """What it takes to score t queries against s keys.

    parameters: learned numbers.   flops: operations without tanh.   tanh: evaluations of it.
    """

    parameters: int
    flops: int
    tanh: int = 0


def score_cost(
    kind: str, t: int, s: int, d: int, f: int | None = None, *, pairwise: bool = False
) -> Cost:
    """Parameters and operations of a whole table of scores, t queries with s keys of width d.

    f: the hidden features of the additive score; d where it is None.
    pairwise: nothing is computed once for all, as if each pair were scored by itself.

    Raises: ValueError for an unknown kind, or a size below 1.
    Example:
        >>> score_cost("dot", 1000, 1000, 64).flops
        128000000
        >>> score_cost("additive", 1000, 1000, 768).parameters
        1180416
    """
    f = d if f is None else f
    for name, size in (("t", t), ("s", s), ("d", d), ("f", f)):
        if size < 1:
            raise ValueError(f"{name} is {size}; expected at least 1")
    pairs = t * s
    queries, keys = (pairs, pairs) if pairwise else (t, s)  # how often each row is prepared
    dots = 2 * d * pairs
    if kind == "dot":
        return Cost(0, dots)
    if kind == "cosine":  # a row: d squares, d - 1 sums, a root, d divisions
        return Cost(0, dots + (queries + keys) * 3 * d)
    if kind == "bilinear":
        return Cost(d * d, dots + queries * 2 * d * d)
    if kind == "additive":  # two projections a row; f sums, f tanh and a dot of width f a pair
        return Cost(2 * d * f + f, (queries + keys) * 2 * d * f + pairs * 3 * f, pairs * f)
    raise ValueError(f"kind is {kind!r}; expected one of {', '.join(KINDS)}")
