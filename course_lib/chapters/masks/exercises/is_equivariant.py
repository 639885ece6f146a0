"""Exercise `is_equivariant`: whether shuffling the input does nothing but shuffle the output."""

import numpy as np
import torch

from course_lib.judging.exercise import Exercise, Mistake, Refused, inputs
from course_lib.judging.tensors import drawn
from course_lib.kernels.attention import attention
from course_lib.kernels.masks import causal, may_attend


def is_equivariant(layer, x, order):
    """Whether shuffling the input does nothing but shuffle the output.

    layer: a function of x   x: (t, d)   order: (t,), the new order   returns: True or False
    """
    # SOLUTION
    return torch.allclose(layer(x[order]), layer(x)[order], atol=1e-6)
    # END SOLUTION


def _plain(x):
    return attention(x, x, x)


def _causal_layer(x):
    return attention(x, x, x, mask=may_attend(causal, len(x)))


def _word_by_word(x):
    return x.tanh() * 2


def _with_place(x):
    return attention(x, x, x) + torch.arange(len(x))[:, None]


def _mean_of_all(x):
    return x.mean(dim=0).expand_as(x)


def _first_word_only(x):
    return x[:1].expand_as(x)


def _both_neighbours(x):
    return x.roll(1, dims=0) + x.roll(-1, dims=0)  # turning the row round changes nothing


def _next_word(x):
    return x.roll(-1, dims=0)  # the same rows whatever the order, at other places


def _with_a_little_place(x):
    return attention(x, x, x) + 0.01 * torch.arange(len(x))[:, None]


def _layer_case(layer, t, *order):
    """A factory of t random words, a new order of them, and a layer that a cell could define."""

    def case(rng):
        def fresh(x):
            return layer(x)

        fresh.__name__ = layer.__name__.strip("_")
        return inputs(fresh, drawn(rng, t, 3), torch.tensor(order))

    return case


def _falling_first_words(rng):
    """The first word is the largest, so every difference to another first word is negative."""
    made = _layer_case(_first_word_only, 3, 1, 2, 0)(rng)
    made.args[1][0] += 9
    return made


IS_EQUIVARIANT = Exercise(
    answer=is_equivariant,
    cases=(
        _layer_case(_word_by_word, 2, 1, 0),
        _layer_case(_word_by_word, 3, 2, 0, 1),
        _layer_case(_plain, 5, 4, 1, 0, 2, 3),
        _layer_case(_causal_layer, 5, 1, 2, 3, 0, 4),
        _layer_case(_with_place, 4, 3, 2, 0, 1),
        _layer_case(_mean_of_all, 7, 6, 4, 0, 5, 1, 2, 3),
        _layer_case(_first_word_only, 3, 1, 2, 0),
        _layer_case(_both_neighbours, 5, 1, 3, 0, 4, 2),
        _layer_case(_next_word, 5, 3, 0, 4, 2, 1),
        _layer_case(_causal_layer, 5, 0, 3, 1, 4, 2),  # the first row keeps its place
        _layer_case(_with_a_little_place, 4, 2, 0, 3, 1),
        _falling_first_words,
        _layer_case(_plain, 11, 10, 3, 1, 0, 2, 9, 8, 5, 4, 7, 6),
    ),
    mistakes=(
        Mistake(
            "You asked whether the output stays the same. Shuffled input may give shuffled "
            "output: compare with layer(x)[order].",
            lambda layer, x, order: torch.allclose(layer(x[order]), layer(x), atol=1e-6),
            also=(lambda layer, x, order: torch.allclose(layer(x[order]), layer(x)),),
        ),
        Mistake(
            "You asked for exactly equal numbers. Sums are added up in another order, so the last "
            "digit may differ: use torch.allclose.",
            lambda layer, x, order: torch.equal(layer(x[order]), layer(x)[order]),
            also=(lambda layer, x, order: bool((layer(x[order]) == layer(x)[order]).all()),),
        ),
        Mistake(
            "Only the output was shuffled. Shuffle the input too, before the layer: "
            "layer(x[order]).",
            lambda layer, x, order: torch.allclose(layer(x)[order], layer(x), atol=1e-6),
        ),
        Mistake(
            "A table of True and False: one for each number. Asked for is one answer for all, "
            ".all(), or torch.allclose.",
            lambda layer, x, order: torch.isclose(layer(x[order]), layer(x)[order], atol=1e-6),
        ),
        Mistake(
            "The differences can be negative, and then they are below any margin. Take abs() of "
            "them first.",
            lambda layer, x, order: bool((layer(x[order]) - layer(x)[order]).sum() < 1e-5),
            also=(lambda layer, x, order: bool((layer(x[order]) - layer(x)[order]).mean() < 1e-5),),
        ),
        Mistake(
            "The largest difference may be negative, where all of them are. Take abs() of them "
            "first, and then the largest.",
            lambda layer, x, order: bool((layer(x[order]) - layer(x)[order]).max() < 1e-5),
        ),
        Mistake(
            "You shuffled columns, the numbers of a word. x[order] shuffles the words.",
            lambda layer, x, order: torch.allclose(
                layer(x[:, order]), layer(x)[:, order], atol=1e-6
            ),
        ),
        Mistake(
            "The answer is False for every layer. Some do nothing but shuffle.",
            lambda layer, x, order: False,
        ),
        Mistake(
            "The order is undone instead of repeated: the output needs the same shuffle as the "
            "input.",
            lambda layer, x, order: torch.allclose(
                layer(x[order]), layer(x)[order.argsort()], atol=1e-6
            ),
        ),
        Mistake(
            "You compared sums. A shuffle within the output is not seen by its sum.",
            lambda layer, x, order: torch.allclose(
                layer(x[order]).sum(0), layer(x).sum(0), atol=1e-5
            ),
        ),
        Mistake(
            "With you it does not count where the outputs stand, as if they were sorted before "
            "comparing: rows that have changed places pass.",
            lambda layer, x, order: torch.allclose(
                layer(x[order]).sort(dim=0).values, layer(x).sort(dim=0).values, atol=1e-6
            ),
        ),
        Mistake(
            "You turned the words round. The new order is given: use order.",
            lambda layer, x, order: torch.allclose(layer(x.flip(0)), layer(x).flip(0), atol=1e-6),
        ),
        Mistake(
            "You compared the first row alone. All rows count.",
            lambda layer, x, order: torch.allclose(
                layer(x[order])[0], layer(x)[order][0], atol=1e-6
            ),
        ),
        Mistake(
            "The margin is too wide: it lets small differences pass that are no rounding. Take "
            "1e-3 or less.",
            lambda layer, x, order: torch.allclose(layer(x[order]), layer(x)[order], atol=0.1),
            also=(
                lambda layer, x, order: torch.allclose(layer(x[order]), layer(x)[order], atol=0.5),
            ),
        ),
        Mistake(
            "The answer is True for every layer. Is something compared with itself?",
            lambda layer, x, order: torch.allclose(layer(x[order]), layer(x[order])),
            also=(lambda layer, x, order: True,),
        ),
        Mistake(
            "The answer is turned round: True where the layer does not care for the order.",
            lambda layer, x, order: not is_equivariant(layer, x, order),
        ),
    ),
    refused=(
        Refused(lambda layer, x, order: layer(x[order]) - layer(x)[order], "is_equivariant"),
        Refused(lambda layer, x, order: layer(x[order]) == layer(x)[order], "is_equivariant"),
        Refused(
            lambda layer, x, order: torch.allclose(layer(x[order])[-1], layer(x)[order][-1]),
            "is_equivariant",
        ),
    ),
    alternatives=(
        lambda layer, x, order: bool((layer(x[order]) - layer(x)[order]).abs().max() < 1e-5),
        lambda layer, x, order: np.allclose(
            layer(x[order]).numpy(), layer(x).numpy()[order.numpy()], atol=1e-6
        ),
        lambda layer, x, order: torch.allclose(
            layer(x[order])[order.argsort()], layer(x), atol=1e-5
        ),
        lambda layer, x, order: all(
            torch.allclose(layer(x[order])[i], layer(x)[order[i]], atol=1e-5) for i in range(len(x))
        ),
        lambda layer, x, order: (layer(x[order]) - layer(x)[order]).norm() < 1e-4,
        lambda layer, x, order: bool(
            torch.isclose(layer(x[order]), layer(x)[order], atol=1e-5).all()
        ),
    ),
    hints=(
        "Shuffle before the layer, or after it. When do the two ways end at the same place?",
        "x[order] is x with its rows in another order. layer(x)[order] does the same to the "
        "output. torch.allclose compares up to rounding.",
        "return torch.allclose(layer(x[order]), ..., atol=1e-6)",
    ),
    minutes=4,
    stars=2,
    reward="The same test asks any layer whether it knows the order: try it on a convolution.",
    depth=True,
)
