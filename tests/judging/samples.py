"""An exercise of every kind: function, class, autograd function, random draws, open answer."""

import numpy as np
import torch

from course_lib.judging.accept import same_average
from course_lib.judging.exercise import Exercise, Mistake, Property, inputs
from course_lib.judging.observe import averages, call_and_gradients, module_call_and_gradients

# A function


def softmax(scores):
    raised = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return raised / raised.sum(axis=-1, keepdims=True)


def _plain_exp(scores):
    return np.exp(scores) / np.exp(scores).sum(axis=-1, keepdims=True)


def _over_all(scores):
    raised = np.exp(scores - scores.max())
    return raised / raised.sum()


def _over_columns(scores):
    return softmax(scores.T).T


def _in_place(scores):
    scores -= scores.max(axis=-1, keepdims=True)
    return softmax(scores)


def _softmax_in_lists(scores):
    return [[float(x) for x in row] for row in softmax(scores)]


def _softmax_in_float32(scores):
    return softmax(scores.astype(np.float32))


SOFTMAX = Exercise(
    answer=softmax,
    cases=(
        lambda rng: inputs(np.array([[1.0, 2.0, 4.0], [0.0, -1.0, 3.0]])),
        lambda rng: inputs(rng.normal(size=(3, 5))),
        lambda rng: inputs(np.array([[1000.0, 1001.0], [999.0, 1000.5], [3.0, 1.0]])),
    ),
    properties=(
        Property(
            "Each row sums to 1.",
            lambda got, case: np.allclose(np.sum(got["output"], axis=-1), 1),
        ),
    ),
    mistakes=(
        Mistake("exp is too large a number here: take the largest score away first.", _plain_exp),
        Mistake("You divided by the sum of everything.", _over_all),
        Mistake("Each column sums to 1; a query is a row.", _over_columns),
        Mistake("You took the largest score away from the caller's own array.", _in_place),
    ),
    alternatives=(_softmax_in_lists, _softmax_in_float32),
    hints=("What should a row sum to?", "`keepdims=True` keeps the axis.", "return raised / ..."),
    minutes=8,
    stars=2,
)

# A class


class Linear(torch.nn.Module):
    def __init__(self, wide, narrow):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.zeros(narrow, wide))
        self.bias = torch.nn.Parameter(torch.zeros(narrow))

    def forward(self, x):
        return x @ self.weight.T + self.bias


class _LinearByFunctional(Linear):
    def forward(self, x):
        return torch.nn.functional.linear(x, self.weight, self.bias)


class _LinearByEinsum(Linear):
    def forward(self, x):
        return torch.einsum("td,nd->tn", x, self.weight) + self.bias


class _WithoutBias(Linear):
    def forward(self, x):
        return x @ self.weight.T


class _Detached(Linear):
    def forward(self, x):
        return x.detach() @ self.weight.T + self.bias


class _BiasFirst(Linear):
    def forward(self, x):
        return (x + 1) @ self.weight.T + self.bias


def _tensor(rng, *shape):
    return torch.tensor(rng.normal(size=shape), dtype=torch.float32)


LINEAR = Exercise(
    answer=Linear,
    cases=(
        lambda rng: inputs(_tensor(rng, 2, 3)).built_with(3, 5),
        lambda rng: inputs(_tensor(rng, 7, 2)).built_with(2, 3),
    ),
    observe=module_call_and_gradients,
    mistakes=(
        Mistake("The bias is left out.", _WithoutBias),
        Mistake("detach cuts the gradient of x off.", _Detached),
        Mistake("You added to x instead of the result.", _BiasFirst),
    ),
    alternatives=(_LinearByFunctional, _LinearByEinsum),
    hints=("Which shape has the weight?", "x @ weight.T", "return x @ ... + ..."),
)

# An autograd function


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, gradient):
        (x,) = ctx.saved_tensors
        return 2 * x * gradient


def _square(gradient_of, forward=lambda x: x * x):
    class Square(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return forward(x)

        @staticmethod
        def backward(ctx, gradient):
            (x,) = ctx.saved_tensors
            return gradient_of(x, gradient)

    return Square


SQUARE = Exercise(
    answer=Square,
    cases=(
        lambda rng: inputs(torch.tensor([1.0, -2.0, 3.0])),
        lambda rng: inputs(_tensor(rng, 2, 5)),
    ),
    observe=call_and_gradients,
    mistakes=(
        Mistake("The incoming gradient is left out.", _square(lambda x, g: 2 * x)),
        Mistake("The 2 of the derivative is left out.", _square(lambda x, g: x * g)),
        Mistake(
            "You returned the absolute value.", _square(lambda x, g: 2 * x * g, lambda x: x.abs())
        ),
    ),
    alternatives=(
        _square(lambda x, g: x * g + g * x),
        _square(lambda x, g: g * 2 * x, lambda x: x**2),
    ),
    hints=("What is the derivative?", "Chain rule.", "return 2 * ..."),
)

# Random draws, numpy's and torch's


def drop(values, share, rng):
    return values * (rng.random(values.shape) >= share) / (1 - share)


def _drop_by_binomial(values, share, rng):
    return values * rng.binomial(1, 1 - share, values.shape) / (1 - share)


def _drop_in_lists(values, share, rng):
    kept = [rng.random() >= share for _ in values]
    return [v / (1 - share) if keep else 0.0 for v, keep in zip(values, kept, strict=True)]


DROP = Exercise(
    answer=drop,
    cases=(
        lambda rng: inputs(np.array([1.0, -2.0, 5.0]), 0.3, np.random.default_rng(3)),
        lambda rng: inputs(rng.normal(size=7) + 3, 0.1, np.random.default_rng(4)),
    ),
    observe=averages(600),
    accept=same_average(),
    mistakes=(
        Mistake("What stays is not made larger.", lambda v, s, rng: v * (rng.random(v.shape) >= s)),
        Mistake(
            "You kept the share that should go.",
            lambda v, s, rng: v * (rng.random(v.shape) < s) / (1 - s),
        ),
        Mistake("You divided by the share that goes.", lambda v, s, rng: v * (1 - s) / s),
    ),
    alternatives=(_drop_by_binomial, _drop_in_lists),
    hints=("What is the mean?", "Divide.", "return values * ..."),
)


def noisy(x, generator):
    return x + torch.randn(x.shape, generator=generator)


def _noisy_by_normal(x, generator):
    return torch.normal(x, 1.0, generator=generator)


NOISY = Exercise(
    answer=noisy,
    cases=(lambda rng: inputs(torch.tensor([1.0, 5.0]), torch.Generator().manual_seed(5)),),
    observe=averages(300),
    accept=same_average(),
    mistakes=(
        Mistake("The noise is uniform.", lambda x, g: x + torch.rand(x.shape, generator=g)),
        Mistake(
            "You multiplied by it.",
            lambda x, generator: x * torch.randn(x.shape, generator=generator),
        ),
        Mistake("There is noise alone.", lambda x, g: torch.randn(x.shape, generator=g)),
    ),
    alternatives=(_noisy_by_normal, lambda x, g: x + torch.randn(2, generator=g)),
    hints=("What is added?", "torch.randn", "return x + ..."),
)

# An open answer without parameters


def two_keys():
    return [1.0, 0.0], [3.0, 3.0]


def _two_keys(got, want, case):
    near, loud = map(np.asarray, got["output"])
    if loud[0] <= near[0]:
        return "The dot product of the loud key with [1, 0] is not the larger one."
    if abs(np.arctan2(*loud[::-1])) <= abs(np.arctan2(*near[::-1])):
        return "The loud key does not point further away from [1, 0]."
    return True


TWO_KEYS = Exercise(
    answer=two_keys,
    cases=(lambda rng: inputs(),),
    accept=_two_keys,
    open_answer=True,
    mistakes=(
        Mistake(
            "The dot product of the loud key with [1, 0] is not the larger one.",
            lambda: ([1.0, 0.0], [0.5, 2.0]),
        ),
        Mistake(
            "The loud key does not point further away from [1, 0].",
            lambda: ([1.0, 1.0], [3.0, 0.0]),
        ),
    ),
    alternatives=(lambda: (np.array([1, 0]), np.array([9, 9])), lambda: [[2, 1], [4, -4]]),
    hints=("Which length?", "Make it longer.", "return [1, 0], [..., ...]"),
)

ALL = (SOFTMAX, LINEAR, SQUARE, DROP, NOISY, TWO_KEYS)
