"""Exercise `cosine_gradient`: the gradient of the cosine of q and k with respect to k."""

import numpy as np

from course_lib.judging.accept import close
from course_lib.judging.exercise import Exercise, Mistake, Property, inputs
from course_lib.kernels import vectors


def cosine_gradient(q, k):
    """The gradient of the cosine of q and k with respect to k.

    q: (d,)   k: (d,)   returns: (d,)
    """
    u_q, u_k = q / np.sqrt(q @ q), k / np.sqrt(k @ k)
    # SOLUTION
    return (u_q - (u_q @ u_k) * u_k) / np.sqrt(k @ k)
    # END SOLUTION


def _unit(a):
    return a / np.sqrt(a @ a)


def _by_differences(q, k, step=1e-5):
    def cosine_of(key):
        return q @ key / np.sqrt((q @ q) * (key @ key))

    steps = step * np.eye(len(k))
    return [(cosine_of(k + one) - cosine_of(k - one)) / (2 * step) for one in steps]


def _by_small_steps_ahead(q, k, step=1e-7):
    steps = step * np.eye(len(k))
    return [(vectors.cosine(q, k + one) - vectors.cosine(q, k)) / step for one in steps]


COSINE_GRADIENT = Exercise(
    answer=cosine_gradient,
    cases=(
        lambda rng: inputs(np.array([2.0, 0.0]), np.array([3.0, 4.0])),
        lambda rng: inputs(np.array([1.0, 2.0, -1.0]), np.array([2.0, 0.5, 1.0])),
        lambda rng: inputs(rng.normal(size=5), rng.normal(size=5)),
        lambda rng: inputs(np.array([2, -1, 3, 1]), np.array([1, 2, 2, -4])),
        lambda rng: inputs(np.array([0.0, 2.0, 0.0]), np.array([3.0, 0.0, 0.0])),
        lambda rng: inputs(rng.normal(size=5), 3 * rng.normal(size=5)),
    ),
    accept=close(1e-4),  # a difference quotient is welcome
    properties=(
        Property(
            "It is perpendicular to k: lengthening k changes no cosine.",
            lambda got, case: bool(
                abs(np.asarray(got["output"]) @ case.args[1]) < 1e-3 * vectors.norm(case.args[1])
            ),
        ),
    ),
    mistakes=(
        Mistake(
            "That is q, the gradient of the dot product. The cosine also divides by |k|, which "
            "changes with k.",
            lambda q, k: q,
        ),
        Mistake(
            "You treated the lengths as fixed. |k| changes with k: take away the part of "
            "u_q along u_k, (u_q @ u_k) * u_k.",
            lambda q, k: q / (np.linalg.norm(q) * np.linalg.norm(k)),
        ),
        Mistake(
            "The length of k is missing: the longer k is, the less a step of one unit turns it. "
            "Divide by |k|.",
            lambda q, k: cosine_gradient(q, k) * np.linalg.norm(k),
        ),
        Mistake(
            "That is the gradient with respect to q. Asked for is the one with respect to k.",
            lambda q, k: cosine_gradient(k, q),
        ),
        Mistake(
            "The sign is turned around: this direction lowers the cosine.",
            lambda q, k: -cosine_gradient(q, k),
        ),
        Mistake(
            "The length of q is still in it. The cosine does not see it: use u_q, of length 1.",
            lambda q, k: cosine_gradient(q, k) * np.linalg.norm(q),
        ),
        Mistake(
            "The direction is right and both lengths are missing: divide by |q| and by |k|.",
            lambda q, k: q - (q @ k) / (k @ k) * k,
        ),
        Mistake(
            "You took (u_q @ u_k) times k away. What lies along k is (u_q @ u_k) times u_k, of "
            "length 1.",
            lambda q, k: (q / np.linalg.norm(q) - vectors.cosine(q, k) * k) / np.linalg.norm(k),
        ),
        Mistake(
            "You took away all of u_k; take away as much as u_q has of it, (u_q @ u_k) * u_k.",
            lambda q, k: (q / np.linalg.norm(q) - k / np.linalg.norm(k)) / np.linalg.norm(k),
        ),
        Mistake(
            "That is the difference of the two directions. Take away from u_q only what it has "
            "along u_k, (u_q @ u_k) * u_k, and divide by |k|.",
            lambda q, k: q / np.linalg.norm(q) - k / np.linalg.norm(k),
        ),
        Mistake(
            "That is u_q alone. What lies along u_k has to go, and the length of k divides.",
            lambda q, k: q / np.linalg.norm(q),
        ),
        Mistake(
            "The length of k divides once too often: you have its square below the line.",
            lambda q, k: cosine_gradient(q, k) / np.linalg.norm(k),
        ),
        Mistake(
            "You divided by the length of q. It is k that takes the step: divide by |k|.",
            lambda q, k: cosine_gradient(q, k) * np.linalg.norm(k) / np.linalg.norm(q),
        ),
        Mistake(
            "You multiplied by the length of k. The longer k is, the less a step turns it: divide.",
            lambda q, k: cosine_gradient(q, k) * (k @ k),
        ),
        Mistake(
            "You took away the dot product of q and k times u_k. Both at length 1 are meant: "
            "u_q @ u_k.",
            lambda q, k: (_unit(q) - (q @ k) * _unit(k)) / np.linalg.norm(k),
        ),
        Mistake(
            "The two directions have changed places: you kept what u_k has beside u_q.",
            lambda q, k: (_unit(k) - (_unit(q) @ _unit(k)) * _unit(q)) / np.linalg.norm(k),
        ),
        Mistake(
            "You added what lies along u_k. Take it away.",
            lambda q, k: (_unit(q) + (_unit(q) @ _unit(k)) * _unit(k)) / np.linalg.norm(k),
        ),
        Mistake(
            "Only the second part is divided by |k|. Put brackets around the difference.",
            lambda q, k: _unit(q) - (_unit(q) @ _unit(k)) * _unit(k) / np.linalg.norm(k),
        ),
        Mistake(
            "You took the number u_q @ u_k away from every entry. What lies along u_k is that "
            "number times u_k.",
            lambda q, k: (_unit(q) - _unit(q) @ _unit(k)) / np.linalg.norm(k),
        ),
        Mistake(
            "* multiplies entry by entry. How much of u_q lies along u_k is one number, u_q @ u_k.",
            lambda q, k: (_unit(q) - _unit(q) * _unit(k) * _unit(k)) / np.linalg.norm(k),
        ),
        Mistake(
            "You divided by how many entries k has. Its length is meant: the root of k @ k.",
            lambda q, k: cosine_gradient(q, k) * np.linalg.norm(k) / len(k),
        ),
        Mistake(
            "That is what lies along u_k. It is to be taken away from u_q; what is left turns k.",
            lambda q, k: (_unit(q) @ _unit(k)) * _unit(k) / np.linalg.norm(k),
        ),
        Mistake(
            "You divided entry by entry by k. It is one number that divides, the length of k.",
            lambda q, k: (_unit(q) - (_unit(q) @ _unit(k)) * _unit(k)) / k,
        ),
        Mistake(
            "The length of q divides as well. u_q has length 1 already.",
            lambda q, k: cosine_gradient(q, k) / np.linalg.norm(q),
        ),
        Mistake(
            "That is the cosine itself, one number. Its gradient has a number for each entry of k.",
            lambda q, k: _unit(q) @ _unit(k),
        ),
        Mistake(
            "That is the direction of the gradient, brought to length 1. Its own length says how "
            "fast the cosine grows.",
            lambda q, k: _unit(cosine_gradient(q, k)),
        ),
        Mistake(
            "That is k, the gradient of the dot product with respect to q.",
            lambda q, k: k,
        ),
    ),
    alternatives=(
        _by_differences,
        _by_small_steps_ahead,
        lambda q, k: (
            q / (vectors.norm(q) * vectors.norm(k))
            - vectors.cosine(q, k) * k / vectors.norm(k) ** 2
        ),
        lambda q, k: (
            q / (np.linalg.norm(q) * np.linalg.norm(k))
            - (q @ k) * k / (np.linalg.norm(q) * np.linalg.norm(k) ** 3)
        ),
        lambda q, k: (np.eye(len(k)) - np.outer(k, k) / (k @ k)) @ q / np.sqrt((q @ q) * (k @ k)),
        lambda q, k: cosine_gradient(q, k).astype(np.float32),
    ),
    hints=(
        "In which directions can you move k without changing the cosine at all?",
        "Let u_q and u_k be q and k at length 1. Only the part of u_q that is perpendicular to u_k "
        "turns k: u_q - (u_q @ u_k) * u_k. And a long k turns less for the same step.",
        "return (u_q - ... * u_k) / ...",
    ),
    minutes=8,
    stars=3,
    depth=True,
)
