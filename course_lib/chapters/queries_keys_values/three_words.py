"""Three words of two traits, their matrices at the start, and every step of attention."""

import math

import numpy as np

from course_lib.chapters.queries_keys_values.attend_on_arrays import outputs_and_weights

CAT, IS, SLEEPING = range(3)

# Invented, as in the chapter's table: how much of a thing, and how much of an action.
# Cat and sleeping lie a little off the axes, so that the arrows of a matrix stand beside theirs.
STARTS = {"cat": (1.8, 0.4), "is": (0.5, 0.6), "sleeping": (0.4, 1.8)}
ROWS = {
    "w_q_thing": (1.0, 0.0), "w_q_action": (0.0, 1.0),
    "w_k_thing": (1.2, 0.0), "w_k_action": (0.0, 1.2),
}  # fmt: skip
W_V = np.array([[-0.95, 0.5], [0.95, 0.5]])  # a thing to the left, an action to the right


def flow(*, cat, sleeping, w_q_thing, w_q_action, w_k_thing, w_k_action, asks, attend) -> dict:
    """Every step of attention, for three words of two traits each."""
    x = np.array([cat, STARTS["is"], sleeping])
    w_q, w_k = np.array([w_q_thing, w_q_action]), np.array([w_k_thing, w_k_action])
    q, k, v = x @ w_q, x @ w_k, x @ W_V
    outputs, weights = outputs_and_weights(attend, q, k, v)
    scores = q @ k.T / math.sqrt(q.shape[1])
    return {
        "asks": asks, "words": x, "w_q": w_q, "w_k": w_k, "w_v": W_V, "queries": q, "keys": k,
        "values": v, "scores": scores, "weights": weights, "outputs": outputs,
        "output": outputs[asks],
    }  # fmt: skip
