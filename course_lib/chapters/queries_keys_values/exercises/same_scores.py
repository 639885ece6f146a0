"""Exercise `same_scores`: other matrices with the same scores for all words."""

import numpy as np
import torch

from course_lib.chapters.queries_keys_values.two_matrices import two_matrices
from course_lib.judging.exercise import Exercise, Mistake, inputs
from course_lib.judging.tensors import drawn, floats


def same_scores(w_q, w_k, a):
    """Other matrices with the same scores for all words.

    w_q: (m, d)   w_k: (m, d)   a: (d, d), with an inverse   returns: w_q @ a, and the new w_k
    """
    # SOLUTION
    return w_q @ a, w_k @ torch.linalg.inv(a).T
    # STUB
    # return ..., ...  # w_q @ a, and the keys that undo it
    # END SOLUTION


QUERIES_NOT_MIXED = "The new queries should be mixed by a: new_q = w_q @ a."

NOT_TURNED = (
    "You undid a on the right side and forgot that w_k is transposed in the scores: "
    "a @ inv(a).T is not the identity. The inverse needs a transpose as well."
)

BOTH_MIXED = "You mixed both by a. Then a @ a.T stands in between; the keys have to undo a."

LEFT_AS_IT_WAS = "The keys are as they were, so a stands in between and the scores change."


def _product_is_kept(got, want, case) -> bool | str:
    both = two_matrices(got["output"], "new_q", "new_k")
    if isinstance(both, str):
        return both
    w_q, w_k, a = (one.double().numpy() for one in case.args)
    new_q, new_k = both
    if new_q.shape != w_q.shape or new_k.shape != w_k.shape:
        return "The new matrices should have the shapes of the old ones."
    if np.abs(new_q - w_q @ a).max() > 1e-4 * np.abs(w_q @ a).max():
        return QUERIES_NOT_MIXED
    product = w_q @ w_k.T
    if np.abs(new_q @ new_k.T - product).max() < 1e-4 * np.abs(product).max():
        return True
    for sentence, other in (
        (NOT_TURNED, w_k @ np.linalg.inv(a)),
        (BOTH_MIXED, w_k @ a),
        (LEFT_AS_IT_WAS, w_k),
    ):
        if np.abs(new_k - other).max() < 1e-4 * np.abs(other).max():
            return sentence
    return "new_q @ new_k.T is not w_q @ w_k.T yet, so the scores change."


SAME_SCORES = Exercise(
    answer=same_scores,
    cases=(
        lambda rng: inputs(
            floats([1, 0], [2, 1], [0, 3]),
            floats([1, 1], [0, 2], [1, 0]),
            floats([1, 2], [0, 1]),
        ),
        lambda rng: inputs(drawn(rng, 7, 3), drawn(rng, 7, 3), drawn(rng, 3, 3)),
    ),
    accept=_product_is_kept,
    open_answer=True,
    mistakes=(
        Mistake(NOT_TURNED, lambda w_q, w_k, a: (w_q @ a, w_k @ torch.linalg.inv(a))),
        Mistake(BOTH_MIXED, lambda w_q, w_k, a: (w_q @ a, w_k @ a)),
        Mistake(LEFT_AS_IT_WAS, lambda w_q, w_k, a: (w_q @ a, w_k)),
        Mistake(QUERIES_NOT_MIXED, lambda w_q, w_k, a: (w_q.clone(), w_k.clone())),
    ),
    alternatives=(
        lambda w_q, w_k, a: (w_q @ a, torch.linalg.solve(a, w_k.T).T),
        lambda w_q, w_k, a: [(w_q @ a).tolist(), (w_k @ torch.linalg.inv(a.T)).tolist()],
        lambda w_q, w_k, a: (w_q.numpy() @ a.numpy(), w_k.numpy() @ np.linalg.inv(a.numpy()).T),
    ),
    hints=(
        "The scores know only the product w_q @ w_k.T. If w_q becomes w_q @ a, what must stand "
        "between a and w_k.T so that the product stays?",
        "w_q @ a @ b @ w_k.T with a @ b the identity. Which new_k has new_k.T = b @ w_k.T?",
        "return w_q @ a, w_k @ torch.linalg.inv(a)...",
    ),
    minutes=5,
    stars=2,
    depth=True,
)
