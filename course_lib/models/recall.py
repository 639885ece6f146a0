"""The smallest model that must attend: find the pair with the right name, and say what it holds.

A question names one of PAIRS pairs (name, content); the answer is that pair's content. Names and
contents are drawn anew each time, so nothing can be learned by heart but how to look up: a query
must learn to match the key of its own name, and the readout to name the content that comes back.

    q = x[asked] W_q     k = x[names] W_k     weights = softmax(factor * (q . k))
    output = sum_j weights_j v[contents_j]      logits = output u

Axes: b questions in a batch, n pairs, d the width of queries and keys, m of everything else, z
how many names, and as many contents, there are. The gradient is derived by hand: numpy alone.
"""

import functools
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from course_lib.kernels.softmax import log_softmax, softmax
from course_lib.models.numpy_threads import one_numpy_thread

NAMES, PAIRS, WIDTH, BATCH = 64, 16, 64, 64
FACTOR = WIDTH**-0.5  # of scores that are divided by the root of the width
QUESTIONS = 400  # that are put to the model which has learned to say NONE
START, NONE = 0, 0  # the name of a pair that is always there, and what it holds
RATE, BETA_1, BETA_2, EPSILON = 3e-3, 0.9, 0.999, 1e-8  # Adam's

Parameters = dict[str, np.ndarray]


@dataclass(frozen=True)
class Questions:
    """A batch: which pairs there are, which of them is asked for, and what it holds.

    Shapes: names (b, n), contents (b, n), asked (b,), answers (b,), all whole numbers below z
    """

    names: np.ndarray
    contents: np.ndarray
    asked: np.ndarray
    answers: np.ndarray


def random_questions(batch: int, rng: np.random.Generator) -> Questions:
    """Questions with PAIRS different names each, one of them asked for."""
    names = np.argsort(rng.random((batch, NAMES)), axis=1)[:, :PAIRS]
    contents = rng.integers(NAMES, size=(batch, PAIRS))
    rows, chosen = np.arange(batch), rng.integers(PAIRS, size=batch)
    return Questions(names, contents, names[rows, chosen], contents[rows, chosen])


def questions_or_none(batch: int, rng: np.random.Generator) -> Questions:
    """Questions of which every second one asks for a name that no pair has: the answer is NONE.

    The first pair is always the same: the name START, which holds NONE. No other pair has these.
    """
    drawn = random_questions(batch, rng)
    rows = np.arange(batch)
    names = 1 + np.argsort(rng.random((batch, NAMES - 1)), axis=1)[:, : PAIRS + 1]
    contents = 1 + drawn.contents % (NAMES - 1)
    missing = names[:, PAIRS]  # one name more was drawn than there are pairs
    names[:, 0], contents[:, 0] = START, NONE
    chosen = rng.integers(1, PAIRS, size=batch)
    absent = rows % 2 == 1
    return Questions(
        names[:, :PAIRS], contents,
        np.where(absent, missing, names[rows, chosen]),
        np.where(absent, NONE, contents[rows, chosen]),
    )  # fmt: skip


def fresh_parameters(d_k: int, rng: np.random.Generator, query_size: float = 1.0) -> Parameters:
    """Random weights with which every entry of a query and of a key has variance 1.

    query_size: what W_q is multiplied with, so how large the queries are at the start.

    Shapes: x (z, m) stays as it is; learned are W_q (m, d), W_k (m, d), v (z, m), u (m, z)
    """
    shrunk = WIDTH**-0.5
    return {
        "x": rng.normal(size=(NAMES, WIDTH)),
        "W_q": query_size * shrunk * rng.normal(size=(WIDTH, d_k)),
        "W_k": shrunk * rng.normal(size=(WIDTH, d_k)),
        "v": rng.normal(size=(NAMES, WIDTH)),
        "u": shrunk * rng.normal(size=(WIDTH, NAMES)),
    }


def answer(parameters: Parameters, questions: Questions, factor: float) -> dict[str, np.ndarray]:
    """Everything between question and answer.

    Shapes: q (z, d), k (z, d), scores (b, n), weights (b, n), held (z, b), output (b, m),
    logits (b, z); scores are multiplied with the factor.
    """
    q, k = parameters["x"] @ parameters["W_q"], parameters["x"] @ parameters["W_k"]
    all_scores = q @ k.T  # every name with every name: cheaper than gathering wide vectors
    scores = factor * all_scores[questions.asked[:, None], questions.names]
    weights = softmax(scores)
    handed_over = hand_over(parameters, questions, weights)
    return {"q": q, "k": k, "scores": scores, "weights": weights, **handed_over}


def hand_over(
    parameters: Parameters, questions: Questions, weights: np.ndarray
) -> dict[str, np.ndarray]:
    """What comes of the weights.

    Shapes: weights (b, n) -> held (z, b), output (b, m), logits (b, z)
    """
    rows = np.arange(len(weights))[:, None]
    # How much weight each content holds, then one product with all values.
    held = np.zeros((NAMES, len(rows)))
    np.add.at(held, (questions.contents, rows), weights)
    output = held.T @ parameters["v"]
    return {"held": held, "output": output, "logits": output @ parameters["u"]}


def loss_and_gradients(
    parameters: Parameters, questions: Questions, factor: float, push_right: bool = True
) -> tuple[float, float, Parameters]:
    """The mean of -log(share given to the right content), the accuracy, and all gradients.

    Backwards through `answer`, line by line; the softmax hands back w (g - w . g).

    push_right: whether the score of the key that is asked for is pushed, too
    """
    seen = answer(parameters, questions, factor)
    rows, weights = np.arange(len(questions.answers)), seen["weights"]
    logs = log_softmax(seen["logits"])
    right = seen["logits"].argmax(axis=1) == questions.answers
    loss = -logs[rows, questions.answers].mean()
    g_logits = np.exp(logs)
    g_logits[rows, questions.answers] -= 1
    g_logits /= len(rows)
    g_output = g_logits @ parameters["u"].T
    g_weights = (parameters["v"] @ g_output.T)[questions.contents, rows[:, None]]
    g_scores = weights * (g_weights - (weights * g_weights).sum(axis=1, keepdims=True)) * factor
    if not push_right:
        g_scores[questions.names == questions.asked[:, None]] = 0
    g_all = np.zeros((NAMES, NAMES))
    np.add.at(g_all, (questions.asked[:, None], questions.names), g_scores)
    gradients = {
        "W_q": parameters["x"].T @ (g_all @ seen["k"]),
        "W_k": parameters["x"].T @ (g_all.T @ seen["q"]),
        "v": seen["held"] @ g_output,
        "u": seen["output"].T @ g_logits,
    }
    return float(loss), float(right.mean()), gradients


def train(
    d_k: int, factor: float, steps: Iterable[int], rng: np.random.Generator, query_size: float = 1.0
) -> np.ndarray:
    """Train from fresh parameters; the accuracy on each batch before it is learned from.

    factor: what the scores are multiplied with.   steps: one batch of BATCH each.

    Shapes: -> (steps,)
    """
    return trained(fresh_parameters(d_k, rng, query_size), factor, steps, rng)[1]


@one_numpy_thread()
def trained(
    parameters: Parameters, factor: float, steps: Iterable[int], rng: np.random.Generator,
    questions: Callable[[int, np.random.Generator], Questions] = random_questions,
    push_right: bool = True,
) -> tuple[Parameters, np.ndarray]:  # fmt: skip
    """The parameters after training with Adam, and the accuracies on the way.

    questions: draws a batch.   push_right: see `loss_and_gradients`.

    Shapes: accuracies (steps,)
    Source: Kingma & Ba, "Adam: A Method for Stochastic Optimization" (2015), algorithm 1.
    """
    parameters = dict(parameters)
    first = {name: np.zeros_like(value) for name, value in parameters.items()}
    second = {name: np.zeros_like(value) for name, value in parameters.items()}
    accuracies = []
    for step, _ in enumerate(steps, start=1):
        batch = questions(BATCH, rng)
        _, accuracy, gradients = loss_and_gradients(parameters, batch, factor, push_right)
        accuracies.append(accuracy)
        for name, gradient in gradients.items():
            first[name] = BETA_1 * first[name] + (1 - BETA_1) * gradient
            second[name] = BETA_2 * second[name] + (1 - BETA_2) * gradient**2
            size = np.sqrt(second[name] / (1 - BETA_2**step)) + EPSILON
            parameters[name] = parameters[name] - RATE * first[name] / (1 - BETA_1**step) / size
    return parameters, np.array(accuracies)


@functools.cache
def trained_or_none() -> tuple[Parameters, Questions]:
    """The model that has learned to say NONE, and fresh questions: half ask for a missing name.

    It trains anew, in seconds.
    """
    rng = np.random.default_rng(0)
    fresh = fresh_parameters(WIDTH, rng)
    parameters, _ = trained(fresh, FACTOR, range(600), rng, questions_or_none)
    return parameters, questions_or_none(QUESTIONS, rng)
