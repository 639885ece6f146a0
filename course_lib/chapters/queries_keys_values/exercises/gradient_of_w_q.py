"""Exercise `gradient_of_w_q`: the gradient of a loss with respect to w_q, by hand."""

import numpy as np
import torch
from torch.nn.functional import scaled_dot_product_attention

from course_lib.chapters.queries_keys_values.exercises.attend import attend
from course_lib.judging.exercise import Exercise, Mistake, Property, inputs
from course_lib.judging.tensors import drawn, floats
from course_lib.learner.compare import agree


def gradient_of_w_q(x, w_q, w_k, w_v, upstream):
    """The gradient of a loss with respect to w_q, by hand.

    x: (t, m)   w_q, w_k: (m, d)   w_v: (m, e)
    upstream: (t, e), the gradient with respect to the output   returns: (m, d)
    """
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scale = q.shape[-1] ** -0.5
    weights = (q @ k.mT * scale).softmax(dim=-1)
    # SOLUTION
    d_weights = upstream @ v.mT
    d_scores = weights * (d_weights - (weights * d_weights).sum(dim=-1, keepdim=True))
    d_q = d_scores @ k * scale
    return x.mT @ d_q
    # STUB
    # d_weights = ...
    # d_scores = ...
    # d_q = ...
    # return ...
    # END SOLUTION


def _given_and_next(x, w_q, w_k, w_v, upstream):
    """q, k, scale and weights, as the stub gives them, and the gradient of the weights."""
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scale = q.shape[-1] ** -0.5
    weights = torch.softmax(q @ k.mT * scale, dim=-1)
    return q, k, scale, weights, upstream @ v.mT


def _d_scores(weights, d_weights, axis=-1):
    return weights * (d_weights - (weights * d_weights).sum(dim=axis, keepdim=True))


def _wrong_gradient(last):
    """A gradient from the steps and the gradient of the scores; `last` says how it ends."""

    def answer(x, w_q, w_k, w_v, upstream):
        q, k, scale, weights, d_weights = _given_and_next(x, w_q, w_k, w_v, upstream)
        return last(x, q, k, scale, weights, d_weights)

    return answer


def _with_d_weights(other):
    """The gradient from another d_weights, made of upstream and v."""

    def answer(x, w_q, w_k, w_v, upstream):
        _, k, scale, weights, _ = _given_and_next(x, w_q, w_k, w_v, upstream)
        return x.mT @ (_d_scores(weights, other(upstream, x @ w_v)) @ k * scale)

    return answer


def _of_w_v(x, w_q, w_k, w_v, upstream):
    _, _, _, weights, _ = _given_and_next(x, w_q, w_k, w_v, upstream)
    return x.mT @ (weights.mT @ upstream)


def _by_autograd(x, w_q, w_k, w_v, upstream):
    leaf = w_q.clone().requires_grad_(True)
    (scaled_dot_product_attention(x @ leaf, x @ w_k, x @ w_v) * upstream).sum().backward()
    return leaf.grad


def _by_autograd_of_the_input(x, w_q, w_k, w_v, upstream):
    leaf = w_q.requires_grad_()
    output = scaled_dot_product_attention(x @ leaf, x @ w_k, x @ w_v)
    return torch.autograd.grad(output, leaf, upstream)[0]


def _by_jacobian(x, w_q, w_k, w_v, upstream):
    _, k, scale, weights, d_weights = _given_and_next(x, w_q, w_k, w_v, upstream)
    total = torch.zeros_like(w_q)
    for i in range(len(x)):
        jacobian = torch.diag(weights[i]) - torch.outer(weights[i], weights[i])
        total += torch.outer(x[i], (jacobian @ d_weights[i]) @ k * scale)
    return total


def _by_differences(x, w_q, w_k, w_v, upstream):
    x, w_k, w_v, upstream, plain = (one.double() for one in (x, w_k, w_v, upstream, w_q))
    result = torch.zeros_like(plain)
    for place in np.ndindex(*plain.shape):
        loss = []
        for step in (1e-5, -1e-5):
            moved = plain.clone()
            moved[place] += step
            loss.append((attend(x @ moved, x @ w_k, x @ w_v) * upstream).sum())
        result[place] = (loss[0] - loss[1]) / 2e-5
    return result.float()


GRADIENT_OF_W_Q = Exercise(
    answer=gradient_of_w_q,
    cases=(
        lambda rng: inputs(
            floats([1, 0], [0, 2], [1, 1]),
            floats([1, 0, 1], [0, 1, 0]),
            floats([0, 1, 1], [1, 0, 1]),
            floats([1], [2]),
            floats([1], [0], [-1]),
        ),
        lambda rng: inputs(*(drawn(rng, 3, 3) for _ in range(5))),
        lambda rng: inputs(
            drawn(rng, 5, 3),
            *(drawn(rng, 3, 2) for _ in range(2)),
            drawn(rng, 3, 7),
            drawn(rng, 5, 7),
        ),
        lambda rng: inputs(  # the first shapes again
            drawn(rng, 3, 2),
            *(drawn(rng, 2, 3) for _ in range(2)),
            drawn(rng, 2, 1),
            drawn(rng, 3, 1),
        ),
    ),
    accept=lambda got, want, case: agree(got["output"], want["output"], 1e-5),
    properties=(
        Property(
            "It has the shape of w_q.",
            lambda got, case: np.shape(got["output"]) == tuple(case.args[1].shape),
        ),
    ),
    mistakes=(
        Mistake(
            "The scale is missing on the way back: what divided the scores divides their gradient.",
            _wrong_gradient(lambda x, q, k, scale, w, d: x.mT @ (_d_scores(w, d) @ k)),
        ),
        Mistake(
            "You left out that a row of weights adds up to 1: raising one lowers the others. "
            "Subtract the weighted mean of d_weights in each row first.",
            _wrong_gradient(lambda x, q, k, scale, w, d: x.mT @ ((w * d) @ k * scale)),
        ),
        Mistake(
            "w * (1 - w) is the derivative of a weight by its own score only. Every weight of the "
            "row depends on every score of the row.",
            _wrong_gradient(lambda x, q, k, scale, w, d: x.mT @ ((w * (1 - w) * d) @ k * scale)),
        ),
        Mistake(
            "You subtracted the plain mean of d_weights. It is the weighted one, with the weights "
            "of the row: the sum of weights * d_weights.",
            _wrong_gradient(
                lambda x, q, k, scale, w, d: (
                    x.mT @ (w * (d - d.mean(dim=-1, keepdim=True)) @ k * scale)
                )
            ),
        ),
        Mistake(
            "The softmax was skipped on the way back: d_weights was used as d_scores.",
            _wrong_gradient(lambda x, q, k, scale, w, d: x.mT @ (d @ k * scale)),
        ),
        Mistake(
            "The weighted mean ran over the wrong axis. A softmax row belongs to a query: dim=-1.",
            _wrong_gradient(
                lambda x, q, k, scale, w, d: x.mT @ (_d_scores(w, d, axis=-2) @ k * scale)
            ),
        ),
        Mistake(
            "That is the gradient of w_k: there the gradient of the scores is transposed and meets "
            "the queries. A query meets keys.",
            _wrong_gradient(lambda x, q, k, scale, w, d: x.mT @ (_d_scores(w, d).mT @ q * scale)),
        ),
        Mistake(
            "This is the gradient of the queries. One step is left, to the matrix that made them: "
            "x.mT @ d_q.",
            _wrong_gradient(lambda x, q, k, scale, w, d: _d_scores(w, d) @ k * scale),
        ),
        Mistake(
            "x is not transposed. With as many words as numbers in a word nothing stops you.",
            _wrong_gradient(lambda x, q, k, scale, w, d: x @ (_d_scores(w, d) @ k * scale)),
        ),
        Mistake(
            "The sum over the row has lost its axis, so it is taken from columns instead of rows: "
            "sum(dim=-1, keepdim=True).",
            _wrong_gradient(
                lambda x, q, k, scale, w, d: x.mT @ (w * (d - (w * d).sum(dim=-1)) @ k * scale)
            ),
        ),
        Mistake(
            "The weighted mean is subtracted, and the factor in front is missing: d_scores = "
            "weights * (...).",
            _wrong_gradient(
                lambda x, q, k, scale, w, d: (
                    x.mT @ ((d - (w * d).sum(dim=-1, keepdim=True)) @ k * scale)
                )
            ),
        ),
        Mistake(
            "You subtracted the sum of d_weights. It is their weighted mean, the sum of weights * "
            "d_weights.",
            _wrong_gradient(
                lambda x, q, k, scale, w, d: (
                    x.mT @ (w * (d - d.sum(dim=-1, keepdim=True)) @ k * scale)
                )
            ),
        ),
        Mistake(
            "You divided by scale on the way back. Forward the scores are multiplied by scale, "
            "and so is their gradient.",
            _wrong_gradient(lambda x, q, k, scale, w, d: x.mT @ (_d_scores(w, d) @ k / scale)),
        ),
        Mistake(
            "The scale came in twice on the way back. Once is enough, as on the way forward.",
            _wrong_gradient(lambda x, q, k, scale, w, d: x.mT @ (_d_scores(w, d) @ k * scale**2)),
        ),
        Mistake(
            "d_scores met the queries. Scores are q @ k.mT, so what stands beside q there is k: "
            "d_q = d_scores @ k * scale.",
            _wrong_gradient(lambda x, q, k, scale, w, d: x.mT @ (_d_scores(w, d) @ q * scale)),
        ),
        Mistake(
            "d_scores is turned on its side before it meets k. Its rows belong to queries already: "
            "d_scores @ k.",
            _wrong_gradient(lambda x, q, k, scale, w, d: x.mT @ (_d_scores(w, d).mT @ k * scale)),
        ),
        Mistake(
            "d_weights took the place of d_q. Two steps are between them: through the softmax to "
            "d_scores, and from those to the queries.",
            _wrong_gradient(lambda x, q, k, scale, w, d: x.mT @ d),
        ),
        Mistake(
            "v is not transposed: d_weights has a row for each query and a column for each key, "
            "upstream @ v.mT.",
            _with_d_weights(lambda upstream, v: upstream @ v),
        ),
        Mistake(
            "upstream and v are exchanged in d_weights: a row belongs to a query, and upstream has "
            "those rows. upstream @ v.mT.",
            _with_d_weights(lambda upstream, v: v @ upstream.mT),
        ),
        Mistake(
            "The right numbers, turned on their side: w_q has m rows and d columns, x.mT @ d_q.",
            lambda *given: gradient_of_w_q(*given).mT,
        ),
        Mistake(
            "The sign is turned round. A gradient says where the loss rises; whoever trains goes "
            "the other way later.",
            lambda *given: -gradient_of_w_q(*given),
        ),
        Mistake(
            "That is the gradient of w_v: the weights, transposed, with upstream. What is asked "
            "for goes through the scores to w_q.",
            _of_w_v,
        ),
    ),
    alternatives=(
        _by_autograd,
        _by_autograd_of_the_input,
        _by_jacobian,
        _by_differences,
        lambda *given: gradient_of_w_q(*given).numpy(),
    ),
    hints=(
        "Go backwards, one line at a time: weights, scores, q, w_q. Which shape has the gradient "
        "of each?",
        "Softmax, row by row: d_scores = weights * (d_weights - mean), where mean is the sum of "
        "weights * d_weights over the row. Scores are q @ k.mT * scale, so d_q is d_scores @ k "
        "* scale.",
        "d_scores = weights * (d_weights - ...); d_q = ... @ k * ...; return x.mT @ ...",
    ),
    minutes=12,
    stars=2,
    seconds=30.0,  # the first gradient by torch imports much, which takes seconds on a busy machine
    depth=True,
)
