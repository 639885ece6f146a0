"""Exercise `rotate`: each pair of neighbours, turned by its angle."""

import math

import numpy as np
import torch

from course_lib.judging.exercise import Exercise, Mistake, Property, Refused, inputs
from course_lib.judging.tensors import drawn
from course_lib.kernels import positions
from course_lib.learner.arrays import as_array


def rotate(x, angles):
    """Each pair of neighbours, turned by its angle.

    x: (t, d)   angles: (t, d/2), in radians   returns: (t, d)
    """
    first, second = x[:, 0::2], x[:, 1::2]

    def in_pairs(one, other):
        return torch.stack((one, other), dim=-1).flatten(1)

    # SOLUTION
    turned_first = first * angles.cos() - second * angles.sin()
    turned_second = first * angles.sin() + second * angles.cos()
    return in_pairs(turned_first, turned_second)
    # STUB
    # turned_first = ...
    # turned_second = ...
    # return ...  # your code here
    # END SOLUTION


def _turned(x, angles, cosine=torch.cos, sine=torch.sin, sign=1, minus=1):
    """Right as it stands; each option makes one slip."""
    first, second = x[:, 0::2], x[:, 1::2]
    turned = (
        first * cosine(angles) - sign * second * sine(angles),
        first * sine(angles) + minus * second * cosine(angles),
    )
    return torch.stack(turned, dim=-1).flatten(1)


def _halves_turned(x, angles):
    half = x.shape[1] // 2
    first, second = x[:, :half], x[:, half:]
    c, s = angles.cos(), angles.sin()
    return torch.cat((first * c - second * s, first * s + second * c), dim=1)


def _turned_and_parted(x, angles):
    first, second = x[:, 0::2], x[:, 1::2]
    c, s = angles.cos(), angles.sin()
    return torch.cat((first * c - second * s, first * s + second * c), dim=1)


def _turned_in_place(x, angles):
    out = x.clone()
    out[:, 0::2] = out[:, 0::2] * angles.cos() - out[:, 1::2] * angles.sin()
    out[:, 1::2] = out[:, 0::2] * angles.sin() + out[:, 1::2] * angles.cos()
    return out


def _by_complex_numbers(x, angles):
    pairs = torch.view_as_complex(x.reshape(len(x), -1, 2))
    return torch.view_as_real(pairs * torch.polar(torch.ones_like(angles), angles)).flatten(1)


def _number_by_number(x, angles):
    rows = []
    for vector, turns in zip(x.tolist(), angles.tolist(), strict=True):
        row = []
        for i, a in enumerate(turns):
            one, two = vector[2 * i], vector[2 * i + 1]
            row += [one * math.cos(a) - two * math.sin(a), one * math.sin(a) + two * math.cos(a)]
        rows.append(row)
    return rows


def _in_numpy(x, angles):
    x, a = x.numpy(), angles.numpy()
    out = np.empty_like(x)
    out[:, ::2] = x[:, ::2] * np.cos(a) - x[:, 1::2] * np.sin(a)
    out[:, 1::2] = x[:, ::2] * np.sin(a) + x[:, 1::2] * np.cos(a)
    return out


def _by_einsum(x, angles):
    c, s = angles.cos(), angles.sin()
    turn = torch.stack((torch.stack((c, -s), -1), torch.stack((s, c), -1)), -2)
    return torch.einsum("tpij,tpj->tpi", turn, x.unflatten(1, (-1, 2))).flatten(1)


def _made_of(one, two):
    """An answer from a rule for each entry of a pair, of first, second, cosine and sine."""

    def answer(x, angles):
        given = x[:, 0::2], x[:, 1::2], angles.cos(), angles.sin()
        return torch.stack((one(*given), two(*given)), dim=-1).flatten(1)

    return answer


def _right_first(f, s, c, d):
    return f * c - s * d


ROTATE = Exercise(
    answer=rotate,
    cases=(
        lambda rng: inputs(torch.tensor([[2.0, 1.0]]), torch.tensor([[0.5]])),
        lambda rng: inputs(drawn(rng, 3, 2), torch.tensor([[0.0], [1.0], [2.0]])),
        lambda rng: inputs(drawn(rng, 2, 6), drawn(rng, 2, 3)),
        lambda rng: inputs(
            drawn(rng, 5, 6, dtype=torch.float64), 3 * drawn(rng, 5, 3, dtype=torch.float64)
        ),
        lambda rng: inputs(drawn(rng, 2, 6), drawn(rng, 2, 3)),  # a shape from above
    ),
    properties=(
        Property(
            "Turning keeps the length of every row.",
            lambda got, case: bool(
                np.allclose(
                    np.linalg.norm(as_array(got["output"]), axis=-1),
                    case.args[0].norm(dim=-1),
                    rtol=1e-4,
                )
            ),
        ),
    ),
    mistakes=(
        Mistake(
            "You turned the other way round. By a quarter turn (1, 0) should become (0, 1), so "
            "the minus belongs to the first entry.",
            lambda x, angles: _turned(x, -angles),
        ),
        Mistake(
            "Both signs are plus, and that is no rotation: lengths change. The first entry is "
            "first · cos minus second · sin.",
            lambda x, angles: _turned(x, angles, sign=-1),
        ),
        Mistake(
            "Sine and cosine are exchanged. An angle of 0 should leave everything as it is, and "
            "cos 0 is 1.",
            lambda x, angles: _turned(x, angles, cosine=torch.sin, sine=torch.cos),
        ),
        Mistake(
            "You paired the first half with the second half. Some models do; here neighbours are "
            "paired: entry 0 with 1, entry 2 with 3.",
            _halves_turned,
        ),
        Mistake(
            "The pairs are turned and then stand apart: first entries on the left, second ones on "
            "the right. Put them back as neighbours: torch.stack with dim=-1, then flatten(1).",
            _turned_and_parted,
        ),
        Mistake(
            "The second line used the first entry after it was turned. Both need the old one: "
            "keep it under a name of its own.",
            _turned_in_place,
        ),
        Mistake(
            "Both signs are minus, and that is no rotation. The second entry is first · sin plus "
            "second · cos.",
            lambda x, angles: _turned(x, angles, minus=-1),
        ),
        Mistake(
            "The two turned entries have changed places: the one with the minus comes first.",
            lambda x, angles: _turned(x, angles).unflatten(1, (-1, 2)).flip(-1).flatten(1),
        ),
        Mistake(
            "The first entry is right. In the second, sine and cosine have changed places: it is "
            "first · sin plus second · cos.",
            _made_of(_right_first, lambda f, s, c, d: f * c + s * d),
        ),
        Mistake(
            "The second entry has a minus where it takes a plus: first · sin plus second · cos.",
            _made_of(_right_first, lambda f, s, c, d: s * c - f * d),
        ),
        Mistake(
            "The second entry is the same as the first. It is first · sin plus second · cos.",
            _made_of(_right_first, _right_first),
        ),
        Mistake(
            "The first entry is turned, and the second is as it was. Both turn.",
            _made_of(_right_first, lambda f, s, c, d: s),
        ),
        Mistake(
            "The first entry took the cosine alone and the second the sine alone. A turn mixes the "
            "two entries of a pair: each takes both.",
            _made_of(lambda f, s, c, d: f * c, lambda f, s, c, d: s * d),
        ),
        Mistake(
            "You added the cosine and the sine. A turn multiplies by them.",
            _made_of(lambda f, s, c, d: f + c, lambda f, s, c, d: s + d),
        ),
        Mistake(
            "You multiplied by the angle itself. What turns are its cosine and sine.",
            lambda x, angles: x * angles.repeat_interleave(2, dim=1),
        ),
        Mistake(
            "The angles were added to the entries. Turning a pair takes cosine and sine.",
            lambda x, angles: x + angles.repeat_interleave(2, dim=1),
        ),
        Mistake(
            "Every pair of every row was turned by the first angle. Each has its own: angles has "
            "the shape of first.",
            lambda x, angles: _turned(x, angles[:1, :1]),
        ),
        Mistake(
            "All rows were turned by the angles of the first one. Each row has its own.",
            lambda x, angles: _turned(x, angles[:1]),
        ),
        Mistake(
            "All pairs of a row were turned by its first angle. Each pair has its own.",
            lambda x, angles: _turned(x, angles[:, :1]),
        ),
        Mistake(
            "The pairs have an axis of their own here. flatten(1) lays them side by side; "
            "`in_pairs` does it for you.",
            lambda x, angles: _turned(x, angles).unflatten(1, (-1, 2)),
        ),
        Mistake(
            "These are the turned first entries alone. The second ones belong between them: "
            "in_pairs(turned_first, turned_second).",
            lambda x, angles: _turned(x, angles)[:, 0::2],
        ),
        Mistake(
            "You returned x as it was.",
            lambda x, angles: x,
        ),
        Mistake(
            "You read the angles as degrees; they are radians already.",
            lambda x, angles: _turned(x, torch.deg2rad(angles)),
        ),
        Mistake(
            "You multiplied by the cosine alone. A turn mixes the two entries of a pair.",
            lambda x, angles: x * angles.cos().repeat_interleave(2, dim=1),
        ),
    ),
    refused=(
        Refused(lambda x, angles: positions.rotary(x), "rotate gives another result"),
        Refused(lambda x, angles: _turned(x, torch.rad2deg(angles)), "rotate gives another result"),
        Refused(lambda x, angles: x.unflatten(1, (-1, 2)), "shape"),
    ),
    alternatives=(
        positions.rotate,
        _by_complex_numbers,
        _number_by_number,
        lambda x, angles: _turned(x, angles).numpy(),
        lambda x, angles: (
            x * angles.cos().repeat_interleave(2, 1)
            + torch.stack((-x[:, 1::2], x[:, 0::2]), -1).flatten(1)
            * angles.sin().repeat_interleave(2, 1)
        ),
        _in_numpy,
        _by_einsum,
        lambda x, angles: _by_einsum(x, angles).tolist(),
        lambda x, angles: _by_einsum(x.float(), angles.float()),
    ),
    hints=(
        "The pair (first, second) is first times (1, 0) plus second times (0, 1). Where do these "
        "two arrows go? Which numbers then stand in front, and which behind?",
        "Turned by 90 degrees, (3, 4) becomes 3 · (0, 1) + 4 · (-1, 0) = (-4, 3). By any angle, "
        "(1, 0) goes to (cos, sin) and (0, 1) to (-sin, cos): put these two in their places.",
        "The turned pair is (first · cos - second · sin, first · sin + second · cos). "
        "angles.cos() has the shape of first.",
    ),
    minutes=4,
    stars=2,
    reward=(
        "A turn changes no length. So RoPE tells a word where it stands without making it louder."
    ),
    depth=True,
)
