"""Exercise `leaks`: whether an output of a layer depends on a later word."""

import torch
from torch.autograd.functional import jacobian

from course_lib.chapters.masks import layers
from course_lib.judging.exercise import Exercise, Mistake, Refused, inputs
from course_lib.judging.tensors import drawn


def leaks(layer, x):
    """Whether any output depends on a later word.

    layer: a function from (t, d) to (t, d)   x: (t, d)   returns: True or False
    """
    # SOLUTION
    before = layer(x)
    for j in range(len(x)):
        changed = x.clone()
        changed[j] = torch.randn(x.shape[1])
        # equal_nan: a NaN that stays one has not moved
        if not torch.allclose(layer(changed)[:j], before[:j], atol=1e-4, equal_nan=True):
            return True
    return False
    # END SOLUTION


def _layer_case(layer, t, d=3):
    """A factory of t random words, and a layer that a cell could define."""

    def case(rng):
        def fresh(x):
            return layer(x)

        fresh.__name__ = layer.__name__.strip("_")
        return inputs(fresh, drawn(rng, t, d))

    return case


def _replaced(x, j):
    """A copy whose word j is another one, which no norm takes for the same."""
    changed = x.clone()
    changed[j] = -x[j].flip(0) + torch.arange(x.shape[1]).square()
    return changed


def _block_replaced(x, j):
    """A copy in which word j and all words after it are other ones."""
    changed = x.clone()
    changed[j:] = -x[j:].flip(1) + torch.arange(x.shape[1]).square()
    return changed


def _added(x, j, by=1.0):
    changed = x.clone()
    changed[j] = changed[j] + by
    return changed


def _tested(words, outputs, atol=1e-6, change=_replaced):
    """Right as it stands with all words and the outputs before each; each option makes one slip."""

    def answer(layer, x):
        before = layer(x)
        return any(
            not torch.allclose(
                layer(change(x, j))[outputs(j)], before[outputs(j)], rtol=0, atol=atol
            )
            for j in words(len(x))
        )

    return answer


_earlier = _tested(range, lambda j: slice(0, j))


def _one_block(begin):
    """The mistake that changes the words from one place on, all at once, and no others."""
    return _tested(lambda t: [begin(t)], lambda j: slice(0, j), change=_block_replaced)


def _one_copy(layer, x):
    """The mistake that makes the copy before the loop: words before j stay changed."""
    before, changed = layer(x), x.clone()
    for j in range(len(x)):
        changed[j] = _replaced(x, j)[j]
        if not torch.allclose(layer(changed)[:j], before[:j], atol=1e-4):
            return True
    return False


def _signed(layer, x):
    before = layer(x)
    return any(bool((layer(_added(x, j))[:j] - before[:j]).max() > 1e-6) for j in range(1, len(x)))


def _by_prefix(layer, x):
    whole = layer(x)
    return any(not torch.allclose(layer(x[:n]), whole[:n], atol=1e-6) for n in range(1, len(x)))


def _by_derivatives(layer, x):
    table = jacobian(layer, x).abs().amax(dim=(1, 3))
    return bool((table.triu(1) > 0).any())


def _all_later_at_once(layer, x):
    before = layer(x)
    for i in range(len(x) - 1):
        changed = x.clone()
        changed[i + 1 :] = torch.flip(changed[i + 1 :], [1]) * 3 + torch.arange(x.shape[1])
        if (layer(changed)[i] - before[i]).abs().max() > 1e-6:
            return True
    return False


def _in_place(layer, x):
    before = layer(x)
    for j in range(len(x)):
        x[j] += 1
        if not torch.allclose(layer(x)[:j], before[:j], atol=1e-6):
            return True
    return False


LEAKS = Exercise(
    answer=leaks,
    cases=(
        _layer_case(layers.causal_layer, 3),
        _layer_case(layers.open, 3, 2),
        _layer_case(layers.one_too_far, 4),
        _layer_case(layers.word_by_word, 5),
        _layer_case(layers.mean_so_far, 4),
        _layer_case(layers.earlier_words_only, 4),
        _layer_case(layers.later_words_only, 4),
        _layer_case(layers.deaf, 3),
        _layer_case(layers.hole_near_the_start, 5),
        _layer_case(layers.hole_in_the_middle, 6),
        _layer_case(layers.hole_at_the_end, 6),
        _layer_case(layers.far_hole, 5),
        _layer_case(layers.faint_leak, 5),
        _layer_case(layers.swapped_neighbours, 4),
        _layer_case(layers.causal_layer, 7, 5),
        _layer_case(layers.block_with_hole, 5, 7),
        _layer_case(layers.causal_block, 5, 7),
        _layer_case(layers.rounds_otherwise, 6, 5),
        _layer_case(layers.causal_layer, 4),
    ),
    mistakes=(
        Mistake(
            "You let a word move its own output, and called that a leak. A word may be seen at its "
            "own place: compare the outputs before place j only.",
            _tested(range, lambda j: slice(0, j + 1)),
            also=(_tested(range, lambda j: slice(j, j + 1)),),
        ),
        Mistake(
            "You took an output that moves with an earlier word for a leak. Output 2 may move with "
            "word 1. Two slips lead here. Is the copy made before the loop? Then the words before "
            "j stay changed, too: make it anew in each round. Or did you compare all outputs? "
            "Compare those before place j alone.",
            _tested(range, lambda j: slice(None)),
            also=(_one_copy,),
        ),
        Mistake(
            "You looked at the outputs from place j on, which may move. Those that may not are the "
            "ones before it.",
            _tested(range, lambda j: slice(j, None)),
            also=(_tested(range, lambda j: slice(j + 1, None)),),
        ),
        Mistake(
            "You added one number to all entries of a word. Some layers first subtract the mean of "
            "each word (a LayerNorm does), and then it is the word that it was. Put random numbers "
            "in its place.",
            _tested(range, lambda j: slice(0, j), change=_added),
        ),
        Mistake(
            "You changed the last word alone. A mask may have a hole that shows another word, so "
            "change each in turn.",
            _tested(lambda t: [t - 1], lambda j: slice(0, j)),
        ),
        Mistake(
            "You changed word 2 alone, as in the cell above. A mask may have a hole elsewhere: "
            "change each word in turn.",
            _tested(lambda t: [2], lambda j: slice(0, j)),
        ),
        Mistake(
            "You changed word 1 alone. A mask may have a hole that shows another word, so change "
            "each in turn.",
            _tested(lambda t: [1], lambda j: slice(0, j)),
        ),
        Mistake(
            "You changed one block of words, and compared the outputs before it. A hole may lie "
            "wholly in front of the block, or wholly inside. Let the block begin at each place in "
            "turn.",
            _one_block(lambda t: t // 2),
            also=tuple(
                _one_block(begin)
                for begin in (
                    lambda t: (t + 1) // 2,
                    lambda t: t - 2,
                    lambda t: 2,
                    lambda t: 3,
                )
            ),
        ),
        Mistake(
            "The last word was never changed, and a mask may have a hole that shows it. range(n) "
            "stops before n: it takes range(len(x)).",
            _tested(lambda t: range(t - 1), lambda j: slice(0, j)),
        ),
        Mistake(
            "You compared the place right before the changed word alone. A hole may let a place "
            "look further ahead: compare all earlier outputs.",
            _tested(lambda t: range(1, t), lambda j: slice(j - 1, j)),
        ),
        Mistake(
            "You compared the first output alone. Every output before the changed word counts.",
            _tested(lambda t: range(1, t), lambda j: slice(0, 1)),
        ),
        Mistake(
            "The margin is too wide: a faint leak passes. Take 1e-4.",
            _tested(range, lambda j: slice(0, j), atol=0.1),
            also=(_tested(range, lambda j: slice(0, j), atol=0.5),),
        ),
        Mistake(
            "You asked for exactly equal numbers. Computers round, and in an honest layer the last "
            "digits of an output may change with a later word. Leave room for that: torch.allclose "
            "or .abs() > 1e-4. And if you made the other word by a + 5, take random numbers: some "
            "layers do not notice a number that is added.",
            _tested(range, lambda j: slice(0, j), atol=0.0),
            also=(_tested(range, lambda j: slice(0, j), atol=1e-9),),
        ),
        Mistake(
            "The differences can be negative, and then they are below any margin. Take abs() of "
            "them first.",
            _signed,
        ),
        Mistake(
            "The answer is turned round: True is for a layer that leaks.",
            lambda layer, x: not leaks(layer, x),
        ),
        Mistake(
            "The answer is False for every layer. Is something compared with itself, or was the "
            "loop left in its first round?",
            lambda layer, x: False,
        ),
        Mistake(
            "The answer is True for every layer. Some do not leak. Is a `not` missing?",
            lambda layer, x: True,
        ),
    ),
    refused=(
        Refused(_in_place, "changes its input x in place"),
        Refused(lambda layer, x: layer(x), "leaks"),
    ),
    alternatives=(
        _earlier,
        _by_prefix,
        _by_derivatives,
        _all_later_at_once,
        lambda layer, x: any(
            (layer(torch.where(torch.arange(len(x))[:, None] == j, -x - 1, x)) - layer(x))[:j]
            .abs()
            .sum()
            > 1e-5
            for j in range(len(x))
        ),
        lambda layer, x: bool(
            torch.stack([_seen_change(layer, x, j) for j in range(1, len(x))]).any()
        ),
    ),
    hints=(
        "Change word j. Which outputs may move, and which may not? For which j must you try it?",
        "x.clone() is a copy that you may change, and torch.randn(x.shape[1]) is another word to "
        "put in the place of word j. out[:j] are the outputs before place j. "
        "torch.allclose(a, b, atol=1e-4) compares them up to rounding.",
        "for j in range(len(x)): changed = ...; "
        "if not torch.allclose(layer(changed)[...], layer(x)[...], atol=1e-4): return True",
    ),
    minutes=6,
    stars=2,
    reward=(
        "Ten of the nineteen layers that it was tried on leak, and it found all ten without a "
        "look at their code. Both > and torch.allclose are right here. They differ only where an "
        "output becomes NaN, not a number: NaN > 1e-4 is False, so torch.allclose alone sees it. "
        "The next layer is PyTorch's."
    ),
)


def _seen_change(layer, x, j):
    """Whether an output before place j moves, as a tensor of one boolean."""
    random = torch.Generator().manual_seed(j)
    changed = x.clone()
    changed[j] = torch.randn(x.shape[1], generator=random, dtype=x.dtype)
    return ((layer(changed) - layer(x))[:j].abs() > 1e-6).any()
