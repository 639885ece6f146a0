"""How many settings of a long sweep a test tries: `make test` a part, `make walk` all."""

import os
from collections.abc import Iterable, Sequence
from typing import TypeVar

Value = TypeVar("Value")
WALK = bool(os.environ.get("WALK"))


def some(values: Iterable[Value], count: int, walk: bool = WALK) -> Sequence[Value]:
    """`count` of the values, evenly spread, with the first and the last; in the long walk all.

    A picture is drawn for each: where one setting is like the next, a few find nearly all.

    Example:
        >>> some(range(101), 5, walk=False), some("abc", 5, walk=False), some("abc", 2, walk=True)
        ([0, 25, 50, 75, 100], ['a', 'b', 'c'], ['a', 'b', 'c'])
    """
    values = list(values)
    if walk or len(values) <= count:
        return values
    return [values[round(place * (len(values) - 1) / (count - 1))] for place in range(count)]
