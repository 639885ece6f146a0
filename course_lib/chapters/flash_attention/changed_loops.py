"""The kernel's loop with one line changed, four times; and the tests that one might write for it.

passed_tests()               # for each loop, which tests it passes
"""

import torch
from torch import Tensor

from course_lib.kernels.attention import attention
from course_lib.kernels.masks import causal, may_attend

CHANGES = ("A", "B", "C", "D")
WORDS, WIDTH = 48, 8
FAR = 8  # how far above `largest` a score may lie before D takes a new one


def changed_loop(
    change: str, q: Tensor, k: Tensor, v: Tensor, block: int, mask: Tensor | None = None
) -> Tensor:
    """What comes out of the loop: `mixed / total` of `changed_sums`. Shapes: -> (t, e)"""
    mixed, total = changed_sums(change, q, k, v, block, mask)
    return mixed / total


def changed_sums(
    change: str, q: Tensor, k: Tensor, v: Tensor, block: int, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """mixed and total of one block of queries, keys in blocks of `block`, the loop changed once.

    change: "A": mixed does not shrink.   "B": `largest = new` stands above `shrink`.
    "C": the mask comes after the maximum.   "D": `new` is set back to `largest` where it is
    at most FAR above it; "": none.

    Shapes: q (t, d)   k (s, d)   v (s, e)   mask (t, s), True where a query may attend
    -> (t, e), (t, 1)
    """
    largest = torch.full((len(q), 1), -torch.inf)
    total, mixed = torch.zeros(len(q), 1), torch.zeros(len(q), v.shape[1])
    allowed = torch.ones(len(q), len(k), dtype=torch.bool) if mask is None else mask
    for start in range(0, len(k), block):
        keys = slice(start, start + block)
        scores, hidden = q @ k[keys].T * q.shape[1] ** -0.5, ~allowed[:, keys]
        if change != "C":
            scores = scores.masked_fill(hidden, -torch.inf)
        new = torch.maximum(largest, scores.amax(1, keepdim=True))
        if change == "D":
            new = torch.where(new > largest + FAR, new, largest)
        if change == "C":
            scores = scores.masked_fill(hidden, -torch.inf)
        if change == "B":
            largest = new
        shrink, powers = torch.exp(largest - new), torch.exp(scores - new)
        total = shrink * total + powers.sum(1, keepdim=True)
        mixed = (1 if change == "A" else shrink) * mixed + powers @ v[keys]
        largest = new
    return mixed, total


def passed_tests() -> dict[str, dict[str, bool]]:
    """For each test: whether the loop with each change gives what plain attention gives."""
    return {
        name: {change: _passes(change, *given) for change in CHANGES}
        for name, given in _tests().items()
    }


def right_loop(tests: dict[str, dict[str, bool]]) -> int:
    """The place in CHANGES of the only loop that passes all tests."""
    (right,) = (i for i, change in enumerate(CHANGES) if all(one[change] for one in tests.values()))
    return right


def _passes(change: str, *given) -> bool:
    return _same(changed_loop(change, *given), given)


def _same(found: Tensor, given: tuple) -> bool:
    q, k, v, _, mask = given
    return torch.allclose(found, attention(q, k, v, mask=mask), atol=1e-5)


def _tests() -> dict[str, tuple]:
    """q, k, v, the block and the mask of each test, from mild to severe."""
    q, k, v = torch.randn(3, WORDS, WIDTH, generator=torch.Generator().manual_seed(0))
    mask, loud = may_attend(causal, WORDS), k.clone()
    loud[-1] = 200 * q[0]  # the last key, which the first query may not see, fits it far too well
    return {
        "one block": (q, k, v, WORDS, None),
        "three blocks": (q, k, v, 16, None),
        "three blocks, causal": (q, k, v, 16, mask),
        "the same, one huge hidden score": (q, loud, v, 16, mask),
    }
