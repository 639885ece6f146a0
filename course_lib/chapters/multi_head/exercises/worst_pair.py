"""Exercise `worst_pair`: which two heads of the second layer are missed most."""

from itertools import combinations

import numpy as np

from course_lib.judging.exercise import Exercise, Mistake, Refused, inputs


def worst_pair(without):
    """The two heads of the second layer that are missed most when both are off.

    without: without((1, 0), (1, 3)) is the share of right letters when these heads are off
    returns: the numbers of the two heads, such as 0, 3
    """
    # SOLUTION
    worst, fewest = None, 2.0
    for a in range(4):
        for b in range(a):
            right = without((1, a), (1, b))
            if right < fewest:
                worst, fewest = (b, a), right
    return worst
    # END SOLUTION


PAIRS = tuple(combinations(range(4), 2))


def _model_case(worst: int, best: int, singles=(0.99, 0.98, 0.97, 0.96)):
    """A factory of a model's shares; the pairs have an order by chance but for two of them.

    worst, best: which of PAIRS is missed most, and least.   singles: with one head off.
    """

    def case(rng):
        others = [pair for pair in rng.permutation(6).tolist() if pair not in (worst, best)]
        order = [worst, *others, best]
        pairs = {frozenset(PAIRS[at]): 0.71 + 0.04 * i for i, at in enumerate(order)}
        early = dict(zip(map(frozenset, PAIRS), rng.permutation(6) * 0.01 + 0.05, strict=True))

        def without(*heads):
            second = frozenset(head for layer, head in heads if layer == 1)
            first = frozenset(head for layer, head in heads if layer == 0)
            if first:
                return float(early.get(first, 0.1))
            if len(second) == 1:
                return singles[next(iter(second))]
            return pairs.get(second, 0.99 if not second else 0.3 - 0.05 * len(second))

        return inputs(without)

    return case


def _least(pairs, share):
    """The answer that looks at these pairs, and takes the least of the shares."""

    def answer(without):
        return min(pairs, key=lambda pair: share(without, *pair))

    return answer


def _both_off(without, a, b):
    return without((1, a), (1, b))


def _the_others_off(without, a, b):
    return without(*[(1, head) for head in range(4) if head not in (a, b)])


def _missed_least(without):
    pairs = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    return max(pairs, key=lambda pair: without((1, pair[0]), (1, pair[1])))


def _neighbours(without):
    pairs = [(0, 1), (1, 2), (2, 3)]
    return min(pairs, key=lambda pair: without((1, pair[0]), (1, pair[1])))


def _first_layer(without):
    pairs = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    return min(pairs, key=lambda pair: without((0, pair[0]), (0, pair[1])))


def _worst_alone(without):
    return tuple(sorted(range(4), key=lambda head: without((1, head)))[:2])


def _in_order(candidate, case):
    """The two numbers, the smaller first: any order is right."""
    pair = candidate(*case.args)
    if not isinstance(pair, list | tuple):
        return {"output": pair}
    numbers = all(isinstance(one, int | np.integer) for one in pair)
    return {"output": sorted(pair) if numbers else list(pair)}


def _by_rows(without):
    shares = [[without((1, a), (1, b)) for b in range(4)] for a in range(4)]
    lowest = min(min(row) for row in shares)
    a = next(i for i, row in enumerate(shares) if lowest in row)
    return [a, shares[a].index(lowest)]


def _by_a_dictionary(without):
    shares = {without((1, a), (1, b)): (a, b) for a, b in PAIRS}
    return shares[min(shares)]


WORST_PAIR = Exercise(
    answer=worst_pair,
    cases=(
        _model_case(worst=4, best=0),
        _model_case(worst=1, best=5, singles=(0.99, 0.96, 0.98, 0.97)),
        _model_case(worst=2, best=3),
        _model_case(worst=3, best=1, singles=(0.96, 0.99, 0.97, 0.98)),
        _model_case(worst=5, best=4, singles=(0.96, 0.97, 0.99, 0.98)),
        _model_case(worst=0, best=2),
    ),
    observe=_in_order,
    mistakes=(
        Mistake(
            "That is the pair that is missed least. Worst is the pair without which the share of "
            "right letters is lowest.",
            _missed_least,
        ),
        Mistake(
            "You tried neighbours only: 0 and 1, 1 and 2, 2 and 3. Any two can be off, such as 0 "
            "and 3: there are six pairs.",
            _neighbours,
        ),
        Mistake(
            "You tried head 0 with each of the others. Two others can be the worst pair: there are "
            "six pairs.",
            _least(((0, 1), (0, 2), (0, 3)), _both_off),
        ),
        Mistake(
            "You switched off heads of the first layer. The second layer has the number 1: "
            "without((1, a), (1, b)).",
            _first_layer,
        ),
        Mistake(
            "You switched off one head at a time, and took the two that are missed most alone. Two "
            "heads can stand in for each other: then only both together are missed.",
            _worst_alone,
        ),
        Mistake(
            "You switched off the other two. What is asked for is the pair that is off, not the "
            "pair that stays.",
            _least(PAIRS, _the_others_off),
        ),
        Mistake(
            "That is the share of right letters. Asked for are the numbers of the two heads.",
            lambda without: min(_both_off(without, a, b) for a, b in PAIRS),
        ),
        Mistake(
            "You gave the layers, too. All heads here are of the second layer: their two numbers "
            "are enough.",
            lambda without: [(1, head) for head in worst_pair(without)],
        ),
        Mistake(
            "That is the number of the pair in a list. Give the numbers of its two heads.",
            lambda without: PAIRS.index(worst_pair(without)),
        ),
        Mistake(
            "range(3) stops before 3: the last head is never off. The four heads are range(4).",
            _least(tuple(combinations(range(3), 2)), _both_off),
        ),
    ),
    refused=(Refused(lambda without: (0, 1), "worst_pair"),),
    alternatives=(
        _least(PAIRS, _both_off),
        _by_rows,
        _by_a_dictionary,
        _least([(a, b) for a in range(4) for b in range(4)], _both_off),  # a head with itself, too
    ),
    hints=(
        "How many pairs of four heads are there? Write them down. Which loops run through them?",
        "for a in range(4), and in it for b in range(a): every pair once. Keep the lowest share so "
        "far, and the pair that had it.",
        "if without((1, a), (1, b)) < fewest: worst, fewest = ..., ...",
    ),
    minutes=4,
    stars=2,
)
