"""RoPE for texts that are longer than those of the training: other speeds for the same dials.

    speeds = frequencies(128)
    interpolated(speeds, 4)               # every dial four times slower
    yarn(speeds, 4, trained=4096)         # fast dials as they were, slow ones four times slower
    yarn_sharpness(4)                     # what the scores are multiplied by, then

A dial that never came round in training meets angles that are new to the model, once the text goes
on. Slower, it does not. What a fast dial knows is how near neighbours are, and it came round so
often that every angle is familiar: it may stay.

Axes: d / 2 speeds, in radians a position, as `positions.frequencies` gives them.
"""

import math
from numbers import Real

from torch import Tensor

FAST, SLOW = 32.0, 1.0  # turns within the trained length, as for Llama in the paper


def interpolated(speeds: Tensor, factor: float) -> Tensor:
    """Every speed divided by `factor`: place factor * p is turned as place p was.

    Shapes: (d / 2,) -> (d / 2,)
    Raises: TypeError if factor is no number; ValueError if it is below 1.
    Source: Chen et al., "Extending Context Window of Large Language Models via Positional
        Interpolation" (2023), equation 4.
    """
    return speeds / _a_factor(factor)


def yarn(
    speeds: Tensor, factor: float, *, trained: float, fast: float = FAST, slow: float = SLOW
) -> Tensor:
    """Fast dials keep their speed, slow ones are divided by `factor`, those between are mixed.

    trained: positions of the trained texts. A dial is fast if it came round `fast` times in them
    or more, slow if `slow` times or less.

    Shapes: (d / 2,) -> (d / 2,)
    Raises: as `interpolated`; ValueError if trained is not above 0, or slow not below fast.
    Source: Peng et al., "YaRN: Efficient Context Window Extension of Large Language Models" (2023),
        section 3.2, "NTK-by-parts". Programs differ in the ramp between: Transformers lets it
        grow with the number of the dial, the paper with the turns, as here.
    Example:
        >>> [round(speed, 5) for speed in yarn(Tensor([1, 0.1, 0.001]), 4, trained=1024).tolist()]
        [1.0, 0.06201, 0.00025]
    """
    factor = _a_factor(factor)
    if not 0 < trained < math.inf:
        raise ValueError(f"trained is {trained}; expected a number of positions above 0")
    if not slow < fast:
        raise ValueError(f"slow is {slow} and fast {fast}: slow must be the smaller")
    turns = trained * speeds / (2 * math.pi)
    kept = ((turns - slow) / (fast - slow)).clamp(0, 1)
    return speeds * (kept + (1 - kept) / factor)


def yarn_sharpness(factor: float) -> float:
    """What YaRN multiplies the scores by, because more keys share the attention.

    Query and key are each multiplied by 0.1 ln(factor) + 1, so a score is by its square.

    Raises: as `interpolated`.
    Source: Peng et al. (2023), section 3.3.
    """
    return (0.1 * math.log(_a_factor(factor)) + 1) ** 2


def _a_factor(factor: float) -> float:
    if isinstance(factor, bool) or not isinstance(factor, Real):
        raise TypeError(f"factor is {factor!r}; expected how many times longer the texts become")
    if not 1 <= factor < math.inf:
        raise ValueError(f"factor is {factor}; texts become longer, so it is 1 or more")
    return float(factor)
