"""What the new models of chapter 3 look like, and how many right keys they leave far behind.

print_starts(64)   # before training: their numbers, and how sure they are; right keys, also later
"""

import numpy as np

from course_lib.chapters.scaling.situations import FAR, STARTS, factors, looks_at
from course_lib.models.recall import fresh_parameters
from course_lib.words import say

LATER = (0, 100, 200)  # steps of training


def print_starts(d_k: int) -> None:
    """Print how many rows are saturated, and how many right keys far behind, divided and not.

    First what the queries and keys look like before training; the right keys also later.

    d_k: the width
    """
    numbers = numbers_at_start(d_k)
    print(say("width {d_k}, step 0, the numbers of queries and keys: mean {mean:.1f}, spread "
              "{spread:.1f}", d_k=d_k, mean=abs(numbers.mean()), spread=numbers.std()))  # fmt: skip
    columns = (0, *LATER)
    behind = say("right key {far} or more behind", far=FAR)
    print(f"{'':16}{say('saturated'):>10} | {behind}")
    steps = [f"{say('step {n}', n=n):>10}" for n in columns]
    print(_row(say("of 100 questions"), steps))
    for how, factor in factors(d_k).items():
        looks = [looks_at(d_k, factor, n) for n in LATER]
        shares = (looks[0].sharp, *(one.behind for one in looks))
        print(_row(say(how), [f"{100 * one:10.0f}" for one in shares]))


def _row(name: str, cells: list[str]) -> str:
    """A row of the table, with a line between saturation and what is counted of right keys."""
    return f"{name:16}{cells[0]} |{cells[1][1:]}{''.join(cells[2:])}"


def numbers_at_start(d_k: int) -> np.ndarray:
    """All numbers of all queries and keys that new models have, of all STARTS."""
    models = (fresh_parameters(d_k, np.random.default_rng(start)) for start in range(STARTS))
    return np.stack([[one["x"] @ one[w] for w in ("W_q", "W_k")] for one in models])
