"""Exercise `same_scores`: other matrices with the same scores for all words."""

import numpy as np
import torch

from course_lib.chapters.queries_keys_values.two_matrices import named_pair, numbers, two_matrices
from course_lib.judging.exercise import Caused, Exercise, Mistake, Refused, inputs
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

TRANSPOSED_ONLY = (
    "You mixed the keys by a.T. What stands between the queries and the keys has to become 1 "
    "again, so it takes the inverse of a."
)

INVERSE_ON_THE_LEFT = (
    "new_k has d rows and m columns: the right product, turned on its side. A row of new_k belongs "
    "to a number of a word, as in w_k."
)

EACH_NUMBER_TURNED = (
    "1 / a turns each number of a round by itself. The inverse of a matrix is another table: "
    "torch.linalg.inv(a)."
)

ONE_NUMBER = (
    "The keys are w_k times one number. One number cannot undo a matrix: what a mixes has to be "
    "unmixed."
)

OTHER_WAY_ROUND = "These are the two in the other order: first come the queries, then the keys."

OTHER_SHAPES = "The new matrices should have the shapes of the old ones."

LEFT_AS_IT_WAS = "The keys are as they were, so a stands in between and the scores change."


def _product_is_kept(got, want, case) -> bool | str:
    w_q, w_k, a = (one.double().numpy() for one in case.args)
    both = two_matrices(got["output"], "new_q", "new_k")
    if isinstance(both, str):
        return EACH_NUMBER_TURNED if _each_number_turned(got["output"], w_k, a) else both
    new_q, new_k = both
    if _near(new_q, (w_k @ np.linalg.inv(a).T)) and _near(new_k, w_q @ a):
        return OTHER_WAY_ROUND
    if new_q.shape == w_q.shape and _near(new_k.T, w_k @ np.linalg.inv(a).T):
        return INVERSE_ON_THE_LEFT
    if new_q.shape != w_q.shape or new_k.shape != w_k.shape:
        return OTHER_SHAPES
    if not _near(new_q, w_q @ a):
        return QUERIES_NOT_MIXED
    if _near(new_q @ new_k.T, w_q @ w_k.T):
        return True
    return _why_not(new_k, w_k, a)


def _near(got, right) -> bool:
    """Whether two matrices are the same up to rounding."""
    if got.shape != right.shape:
        return False
    return bool(np.abs(got - right).max() <= 1e-4 * np.abs(right).max())


def _each_number_turned(output, w_k, a) -> bool:
    """Whether the keys were multiplied by 1 / a where a has a 0."""
    keys = numbers(output["new_k"]) if isinstance(output, dict) else None
    with np.errstate(all="ignore"):
        others = [w_k @ (1 / a), w_k @ (1 / a).T]
    return keys is not None and any(
        keys.shape == one.shape and np.allclose(keys, one, equal_nan=True) for one in others
    )


def _why_not(new_k, w_k, a) -> str:
    """The sentence for keys of the right shape with which the scores change."""
    with np.errstate(all="ignore"):
        turned = [w_k @ (1 / a), w_k @ (1 / a).T]
    for sentence, other in (
        (NOT_TURNED, w_k @ np.linalg.inv(a)),
        (BOTH_MIXED, w_k @ a),
        (TRANSPOSED_ONLY, w_k @ a.T),
        (LEFT_AS_IT_WAS, w_k),
        *((EACH_NUMBER_TURNED, one) for one in turned),
    ):
        if _near(new_k, other):
            return sentence
    if _near(new_k, w_k * (new_k * w_k).sum() / (w_k * w_k).sum()):
        return ONE_NUMBER
    return "new_q @ new_k.T is not w_q @ w_k.T yet, so the scores change."


def _products(got, case):
    """The scores of all words before and after, or how far they are apart where there are many."""
    new_q, new_k = two_matrices(got["output"], "new_q", "new_k")
    w_q, w_k, _ = (one.double().numpy() for one in case.args)
    before, after = w_q @ w_k.T, new_q @ new_k.T
    if before.size > 16:
        return (Caused("The largest change of a score", np.abs(after - before).max(), "0"),)
    return Caused("w_q @ w_k.T", before), Caused("new_q @ new_k.T", after, "the same")


SAME_SCORES = Exercise(
    answer=same_scores,
    cases=(
        lambda rng: inputs(
            floats([1, 0], [2, 1], [0, 3]),
            floats([1, 1], [0, 2], [1, 0]),
            floats([1, 2], [0, 1]),
        ),
        lambda rng: inputs(drawn(rng, 7, 3), drawn(rng, 7, 3), drawn(rng, 3, 3)),
        lambda rng: inputs(drawn(rng, 3, 2), drawn(rng, 3, 2), floats([2, 1], [-1, 3])),
    ),
    observe=named_pair("new_q", "new_k"),
    accept=_product_is_kept,
    open_answer=True,
    effect=_products,
    mistakes=(
        Mistake(NOT_TURNED, lambda w_q, w_k, a: (w_q @ a, w_k @ torch.linalg.inv(a))),
        Mistake(BOTH_MIXED, lambda w_q, w_k, a: (w_q @ a, w_k @ a)),
        Mistake(LEFT_AS_IT_WAS, lambda w_q, w_k, a: (w_q @ a, w_k)),
        Mistake(QUERIES_NOT_MIXED, lambda w_q, w_k, a: (w_q.clone(), w_k.clone())),
        Mistake(TRANSPOSED_ONLY, lambda w_q, w_k, a: (w_q @ a, w_k @ a.T)),
        Mistake(
            EACH_NUMBER_TURNED,
            lambda w_q, w_k, a: (w_q @ a, w_k @ (1 / a).T),
            also=(lambda w_q, w_k, a: (w_q @ a, w_k @ (1 / a)),),
        ),
        Mistake(
            ONE_NUMBER,
            lambda w_q, w_k, a: (w_q @ a, w_k / a.norm()),
            also=(lambda w_q, w_k, a: (w_q @ a, w_k / 2), lambda w_q, w_k, a: (w_q @ a, -w_k)),
        ),
        Mistake(OTHER_WAY_ROUND, lambda w_q, w_k, a: (w_k @ torch.linalg.inv(a).T, w_q @ a)),
        Mistake(INVERSE_ON_THE_LEFT, lambda w_q, w_k, a: (w_q @ a, torch.linalg.inv(a) @ w_k.T)),
    ),
    refused=(
        Refused(lambda w_q, w_k, a: w_q @ a, "Return two matrices"),
        Refused(lambda w_q, w_k, a: (w_q @ a, w_k @ a @ a), "so the scores change"),
        Refused(lambda w_q, w_k, a: (w_q @ a, (w_k @ a)[:1]), "shapes of the old ones"),
        Refused(lambda w_q, w_k, a: (w_q @ a, torch.linalg.inv(a).T @ w_k.T), "shapes of the old"),
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
