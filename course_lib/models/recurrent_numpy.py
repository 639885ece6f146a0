"""The trained network with one memory, in numpy alone; what it is stands in recurrent.py.

    rival = load_recurrent()
    share_right(rival, period=5), share_right(rival, period=24)     # near and far

Axes: b strings, t places, n numbers of memory, z letters.
"""

from collections.abc import Mapping
from importlib.resources import as_file, files

import numpy as np
from safetensors.numpy import load_file

WEIGHTS = "recurrent.safetensors"


class Recurrent:
    """Letters in, at each place a score for each letter that may come next.

    weights: by their names in the file.
    """

    def __init__(self, weights: Mapping[str, np.ndarray]):
        self.weights = dict(weights)

    @property
    def memory(self) -> int:
        """How many numbers it keeps of all that it has read."""
        return self.weights["memory.weight_hh_l0"].shape[1]

    def scores(self, ids: np.ndarray) -> np.ndarray:
        """The scores; one place after the other, as each needs the memory of the one before.

        Shapes: ids (b, t) -> (b, t, z)
        """
        w = self.weights
        heard = w["letters.weight"][ids] @ w["memory.weight_ih_l0"].T + w["memory.bias_ih_l0"]
        memory = np.zeros((len(ids), self.memory), dtype=heard.dtype)
        memories = []
        for place in range(ids.shape[1]):
            kept = memory @ w["memory.weight_hh_l0"].T + w["memory.bias_hh_l0"]
            (hear_r, hear_z, hear_n), (keep_r, keep_z, keep_n) = (
                np.split(one, 3, axis=-1) for one in (heard[:, place], kept)
            )
            new = np.tanh(hear_n + between_0_and_1(hear_r + keep_r) * keep_n)
            stay = between_0_and_1(hear_z + keep_z)
            memory = (1 - stay) * new + stay * memory
            memories.append(memory)
        return np.stack(memories, axis=1) @ w["says.weight"].T + w["says.bias"]


def between_0_and_1(x: np.ndarray) -> np.ndarray:
    """The logistic function, as half of a tanh, which cannot overflow."""
    return 0.5 + 0.5 * np.tanh(0.5 * x)


def load_recurrent() -> Recurrent:
    """The trained model that comes with the course."""
    with as_file(files("course_lib.models") / "weights" / WEIGHTS) as path:
        return Recurrent(load_file(path))
