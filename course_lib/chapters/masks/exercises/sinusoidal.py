"""Exercise `sinusoidal`: the waves of n places, from place 0 on."""

import math

import numpy as np
import torch

from course_lib.judging.exercise import Exercise, Mistake, Property, Refused, inputs
from course_lib.kernels.positions import BASE
from course_lib.learner.arrays import as_array


def sinusoidal(n, m):
    """The waves of n places, from place 0 on.

    n: a number   m: a number, even   returns: (n, m)
    """
    # SOLUTION
    speeds = 10000 ** -(torch.arange(0, m, 2) / m)
    angles = torch.arange(n)[:, None] * speeds
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)
    # END SOLUTION


def _waves(n, m, exponent=None, base=BASE, one=torch.sin, two=torch.cos, start=0):
    """Right as they stand; each option makes one slip."""
    exponent = torch.arange(0, m, 2) / m if exponent is None else exponent
    angles = (torch.arange(n) + start)[:, None] * base**-exponent
    return torch.stack((one(angles), two(angles)), dim=-1).flatten(1)


def _own_angles(n, m):
    """The angles where column j has the exponent 2j / m."""
    return torch.arange(n)[:, None] * BASE ** -(2 * torch.arange(m) / m)


def _of_degrees(wave):
    return lambda angles: wave(torch.rad2deg(angles))


# The three that follow are shown on the page, so they are written as learners write them.


def _in_halves(n, m):
    speeds = 10000 ** -(torch.arange(0, m, 2) / m)
    angles = torch.arange(n)[:, None] * speeds
    return torch.cat((angles.sin(), angles.cos()), dim=1)


def _half_as_fast(n, m):
    speeds = 10000 ** -(torch.arange(m // 2) / m)
    angles = torch.arange(n)[:, None] * speeds
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)


def _each_its_own_speed(n, m):
    angles = torch.arange(n)[:, None] * 10000 ** -(torch.arange(m) / m)
    return torch.where(torch.arange(m) % 2 == 0, angles.sin(), angles.cos())


def _in_lists(n, m):
    return [
        [(math.sin, math.cos)[c % 2](p / 10000 ** ((c - c % 2) / m)) for c in range(m)]
        for p in range(n)
    ]


def _filled_in(n, m):
    table = torch.zeros(n, m, dtype=torch.float64)
    angles = torch.arange(n)[:, None] / 10000 ** (torch.arange(0, m, 2) / m)
    table[:, 0::2], table[:, 1::2] = angles.sin(), angles.cos()
    return table


def _in_numpy(n, m):
    table = np.zeros((n, m))
    for p in range(n):
        for i in range(m // 2):
            table[p, 2 * i] = math.sin(p / 10000 ** (2 * i / m))
            table[p, 2 * i + 1] = math.cos(p / 10000 ** (2 * i / m))
    return table


def _by_logarithms(n, m):
    speeds = torch.exp(torch.arange(0, m, 2) * (-math.log(10000.0) / m))
    table = torch.zeros(n, m)
    table[:, 0::2] = torch.sin(torch.arange(n)[:, None] * speeds)
    table[:, 1::2] = torch.cos(torch.arange(n)[:, None] * speeds)
    return table


SINUSOIDAL = Exercise(
    answer=sinusoidal,
    cases=(
        lambda rng: inputs(2, 4),
        lambda rng: inputs(3, 2),
        lambda rng: inputs(7, 6),
        lambda rng: inputs(50, 10),
        lambda rng: inputs(4, 4),
    ),
    properties=(
        Property(
            "Position 0 is 0, 1, 0, 1, ...: sin 0 and cos 0.",
            lambda got, case: bool(
                np.allclose(as_array(got["output"])[0], [0, 1] * (case.args[1] // 2))
            ),
        ),
    ),
    mistakes=(
        Mistake(
            "All sines stand on the left and all cosines on the right. They alternate: sin in the "
            "even columns, cos in the odd ones.",
            _in_halves,
            also=(lambda n, m: np.hstack((_in_numpy(n, m)[:, ::2], _in_numpy(n, m)[:, 1::2])),),
        ),
        Mistake(
            "The exponent is i / m; it takes 2i / m. Your waves slow down half as fast as they "
            "should.",
            _half_as_fast,
        ),
        Mistake(
            "Sine and cosine of a pair run at different speeds here: each column got its own. The "
            "two columns of a pair share one, with 2i from the even column.",
            _each_its_own_speed,
        ),
        Mistake(
            "The exponent is 4i / m; it takes 2i / m. torch.arange(0, m, 2) is 2i already.",
            lambda n, m: _waves(n, m, exponent=2 * torch.arange(0, m, 2) / m),
        ),
        Mistake(
            "Sine and cosine have changed places: the even columns, from column 0 on, are sines.",
            lambda n, m: _waves(n, m, one=torch.cos, two=torch.sin),
        ),
        Mistake(
            "You multiplied by 10000^(2i/m) where it divides: the waves grow faster instead of "
            "slower.",
            lambda n, m: _waves(n, m, exponent=-torch.arange(0, m, 2) / m),
        ),
        Mistake(
            "Every column is a sine. The odd ones are cosines.",
            lambda n, m: _waves(n, m, two=torch.sin),
        ),
        Mistake(
            "Every column is a cosine. The even ones, from column 0 on, are sines.",
            lambda n, m: _waves(n, m, one=torch.cos),
        ),
        Mistake(
            "The exponent is made of the column itself, twice: 2j / m in column j. The two columns "
            "2i and 2i + 1 share 2i / m.",
            lambda n, m: torch.where(
                torch.arange(m) % 2 == 0, _own_angles(n, m).sin(), _own_angles(n, m).cos()
            ),
        ),
        Mistake(
            "The table is turned on its side: a row belongs to a place, a column to a wave.",
            lambda n, m: _waves(n, m).T,
        ),
        Mistake(
            "These are the sines alone. The cosines belong between them, as the odd columns.",
            lambda n, m: _waves(n, m)[:, 0::2],
        ),
        Mistake(
            "Sine and cosine of a pair have an axis of their own here. flatten(1) lays them side "
            "by side.",
            lambda n, m: _waves(n, m).unflatten(1, (-1, 2)),
        ),
        Mistake(
            "The exponent is divided by the number of places. It is 2i / m, with the width of the "
            "table.",
            lambda n, m: _waves(n, m, exponent=torch.arange(0, m, 2) / n),
        ),
        Mistake(
            "All waves have one speed. Where // cuts the exponent to 0, each of them is 10000 to "
            "the 0, and that is 1.",
            lambda n, m: _waves(n, m, exponent=torch.zeros(m // 2)),
        ),
        Mistake(
            "The angles are turned into degrees. sin and cos take radians, and p / 10000^(2i/m) is "
            "that already.",
            lambda n, m: _waves(n, m, one=_of_degrees(torch.sin), two=_of_degrees(torch.cos)),
        ),
        Mistake(
            "These are the angles. Their sines and cosines are asked for.",
            lambda n, m: _waves(n, m, one=torch.clone, two=torch.clone),
        ),
        Mistake(
            "Positions are counted from 0 here, and yours begin with 1.",
            lambda n, m: _waves(n, m, start=1),
            also=(lambda n, m: _in_numpy(n + 1, m)[1:],),
        ),
        Mistake(
            "You used 1000 where the formula has 10000.",
            lambda n, m: _waves(n, m, base=1000.0),
        ),
    ),
    refused=(Refused(lambda n, m: _in_numpy(n, m) / m, "sinusoidal"),),
    alternatives=(
        _in_lists,
        _filled_in,
        lambda n, m: _filled_in(n, m).numpy().astype(np.float32),
        lambda n, m: _waves(
            n, m, exponent=torch.tensor([2 * i / m for i in range(m // 2)], dtype=torch.float64)
        ),
        _in_numpy,
        _by_logarithms,
    ),
    hints=(
        "How many different waves does a width of m hold, if each has a sine and a cosine?",
        "torch.arange(0, m, 2) gives 0, 2, 4, ..., which is 2i. torch.arange(n)[:, None] puts the "
        "positions into rows. Then torch.stack((sines, cosines), dim=-1).flatten(1) alternates.",
        "angles = torch.arange(n)[:, None] / 10000 ** (torch.arange(0, m, 2) / m); "
        "return torch.stack((..., ...), dim=-1).flatten(1)",
    ),
    minutes=5,
    stars=2,
    reward="The first Transformer added this table to its words, with 512 columns.",
    depth=True,
)
