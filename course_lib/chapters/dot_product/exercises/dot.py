"""Exercise `dot`: multiply entry by entry and add up."""

import math

import numpy as np

from course_lib.judging.exercise import Exercise, Mistake, Refused, inputs
from course_lib.kernels import vectors


def dot(a, b):
    """Multiply entry by entry and add up.

    a: (d,)   b: (d,)   returns: one number
    """
    # SOLUTION
    return (a * b).sum()
    # END SOLUTION


def dot_with_a_loop(a, b):
    """The dot product as a loop adds it up, rounded after each product."""
    total = 0
    for x, y in zip(a, b, strict=True):
        total = total + x * y
    return total


def dot_by_places(a, b):
    """The dot product with a loop that counts the places."""
    total = 0
    for i in range(len(a)):
        total += a[i] * b[i]
    return total


def dot_by_pairs(a, b):
    """The dot product over pairs; the longer of two lists is cut off."""
    return sum(x * y for x, y in zip(a, b))  # noqa: B905 as most learners write it


def _dot_in_float32(a, b):
    return np.dot(a.astype(np.float32), b.astype(np.float32))


def _with_the_math_module(a, b):
    return math.sumprod(a, b) if hasattr(math, "sumprod") else dot_with_a_loop(a, b)


def _returns_inside_the_loop(a, b):
    for i in range(len(a)):
        return a[i] * b[i]


def _sets_the_total_back(a, b):
    for i in range(len(a)):
        total = 0
        total += a[i] * b[i]
    return total


def _overwrites_in_range_3(a, b):
    for i in range(3):
        total = a[i] * b[i]
    return total


def _runs_over_the_entries(a, b):
    total = 0
    for i in a:
        total += a[i] * b[i]
    return total


def _prints(a, b):
    print((a * b).sum())


DOT = Exercise(
    answer=dot,
    cases=(  # three entries at least: with two, first and last answers look alike
        lambda rng: inputs(np.array([1.0, 2.0, 3.0]), np.array([4.0, 5.0, 6.0])),
        lambda rng: inputs(np.array([3, 4, 1, 2]), np.array([4, -3, 2, 5])),
        lambda rng: inputs(rng.normal(size=7), rng.normal(size=7)),
        lambda rng: inputs(np.array([0, 2, 2, 2]), np.array([1, 7, 3, 5])),
        lambda rng: inputs(np.array([2, 2, 2]), np.array([2, 2, 2])),
        lambda rng: inputs(np.array([2, -1, 3, 0, 5]), np.array([0.5, 1.5, -2.25, 4.0, 0.25])),
        lambda rng: inputs(
            np.array([0.0, 2.0, 0.0, 0.0, 3.0]), np.array([5.0, 0.0, 0.0, 1.0, 0.0])
        ),
        lambda rng: inputs(np.array([3.0]), np.array([-2.0])),
        lambda rng: inputs(rng.normal(size=7), rng.normal(size=7)),
    ),
    mistakes=(
        Mistake(
            "You multiplied entry by entry and stopped there. Add the products up: "
            "a dot product is one number.",
            lambda a, b: a * b,
        ),
        Mistake(
            "This is the sum of a times the sum of b, as if every entry of a met every entry of b. "
            "Each entry meets only its partner: multiply entry by entry, then add.",
            lambda a, b: a.sum() * b.sum(),
            also=(lambda a, b: sum(x * y for x in a for y in b),),
        ),
        Mistake(
            "You added the entries where the dot product multiplies them.",
            lambda a, b: (a + b).sum(),
            also=(lambda a, b: a + b,),
        ),
        Mistake(
            "The return stands inside the loop, so only the first product is counted. "
            "Return after the loop.",
            _returns_inside_the_loop,
        ),
        Mistake(
            "The first entry is left out: in Python the indices of d entries run from 0 to d - 1.",
            lambda a, b: (a[1:] * b[1:]).sum(),
            also=(lambda a, b: sum(a[i] * b[i] for i in range(1, len(a))),),
        ),
        Mistake(
            "The last entry is left out: range(n) stops before n, so the loop needs range(len(a)).",
            lambda a, b: (a[:-1] * b[:-1]).sum(),
            also=(lambda a, b: sum(a[i] * b[i] for i in range(len(a) - 1)),),
        ),
        Mistake(
            "Only the last product is left: the total is set back to 0, or overwritten, inside the "
            "loop.",
            lambda a, b: a[-1] * b[-1],
            also=(_sets_the_total_back,),
        ),
        Mistake(
            "Only the last product is left: `total = ...` overwrites the total each time, and "
            "`total += ...` adds to it. And range(3) stops after entry 2, but range(len(a)) "
            "reaches every entry.",
            _overwrites_in_range_3,
        ),
        Mistake(
            "You divided by the two lengths: that is the cosine. The dot product keeps them.",
            lambda a, b: vectors.cosine(a, b),
        ),
        Mistake(
            "You multiplied a by the sum of b. Brackets around the product make it come first.",
            lambda a, b: a * b.sum(),
        ),
        Mistake(
            "Every entry of a met every entry of b, and that makes a table. Entry i of a meets "
            "entry i of b only.",
            lambda a, b: np.outer(a, b),
        ),
        Mistake(
            "That is the cross product: a vector, and made for three numbers. A dot product is one "
            "number, for vectors of any width.",
            np.cross,
        ),
        Mistake(
            "You multiplied the products with each other. They should be added up.",
            lambda a, b: np.prod(a * b),
        ),
        Mistake(
            "You divided by the number of entries: that is the mean of the products. Asked for is "
            "their sum.",
            lambda a, b: (a * b).mean(),
        ),
        Mistake(
            "You wrote out the entries 0, 1 and 2. A vector may have more of them, or fewer.",
            lambda a, b: a[0] * b[0] + a[1] * b[1] + a[2] * b[2],
        ),
        Mistake(
            "The minus sign of the result is lost. A dot product may be negative.",
            lambda a, b: abs((a * b).sum()),
        ),
        Mistake(
            "The minus signs of the products are lost. A product below 0 makes the sum smaller.",
            lambda a, b: np.abs(a * b).sum(),
        ),
        Mistake(
            "These are the sums on the way, one after each product. Only the last of them was "
            "asked for.",
            lambda a, b: np.cumsum(a * b),
        ),
        Mistake(
            "You multiplied a with itself; b is not used.",
            lambda a, b: (a * a).sum(),
        ),
        Mistake(
            "Your loop runs over the entries of a and uses them as places. range(len(a)) counts "
            "the places.",
            _runs_over_the_entries,
        ),
        Mistake(
            "The results are stored in an array of a's type: where a holds whole numbers, what "
            "stands behind the point is cut off.",
            lambda a, b: (a * b).astype(a.dtype).sum(),
        ),
        Mistake(
            "That is the largest of the products. All of them should be added up.",
            lambda a, b: (a * b).max(),
        ),
        Mistake(
            "You multiplied b by the sum of a. Multiply entry by entry first, then add up.",
            lambda a, b: a.sum() * b,
        ),
        Mistake(
            "It is 1 too much: a sum begins at 0.",
            lambda a, b: 1 + (a * b).sum(),
        ),
        Mistake(
            "You took the root. The length of a vector needs one, a dot product does not.",
            lambda a, b: np.sqrt((a * b).sum()),
        ),
        Mistake(
            "You subtracted the entries where the dot product multiplies them.",
            lambda a, b: (a - b).sum(),
        ),
        Mistake(
            "The result is rounded. Return it as it comes.",
            lambda a, b: np.round((a * b).sum(), 2),
        ),
        Mistake(
            "A point between two names is no sign for a product: Python looks there for what an "
            "array can do, as in a.sum(). Multiply with a * b.",
            lambda a, b: a.b,
        ),
        Mistake(
            "That is the same number for any two vectors. Compute it from a and b.",
            lambda a, b: 32,
        ),
        Mistake(
            "You added up squared differences: that is the distance of a and b, squared. Here "
            "entries are multiplied.",
            lambda a, b: ((a - b) ** 2).sum(),
        ),
    ),
    alternatives=(
        dot_with_a_loop,
        dot_by_places,
        dot_by_pairs,
        _with_the_math_module,
        lambda a, b: a @ b,
        np.dot,
        np.vdot,
        np.inner,
        lambda a, b: np.einsum("d,d->", a, b),
        lambda a, b: np.tensordot(a, b, 1),
        lambda a, b: np.array((a * b).sum()),
        lambda a, b: (a[None] @ b[:, None]).item(),
        lambda a, b: float(np.inner(a, b)),
        _dot_in_float32,
    ),
    refused=(Refused(_prints, "prints and returns nothing: write `return` before"),),
    hints=(
        "How many multiplications does [1, 2, 3] with [4, 5, 6] take? How many numbers come out?",
        "numpy multiplies two arrays entry by entry with a * b, and an array adds up its entries "
        "with .sum().",
        "Of [1, 2, 3] and [4, 5, 6] the products are [4, 10, 18]. Which two steps lead there and "
        "to 32? In a loop, a total begins at 0 and grows by one product each time.",
    ),
    reward="Nearly all that a language model computes are sums like this one. In the model of "
    "chapter 0 each score is such a sum, of 16 products.",
    minutes=3,
    stars=1,
    unfolded=True,
)
