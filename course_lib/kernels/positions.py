"""Positions: three ways to tell attention where a word stands.

- `sinusoidal` is added to the words before attention: each position has a pattern of its own.
- `rotary` turns queries and keys before they meet: a score then depends on the distance alone.
  `rotate` is one such turn, by angles that are given.
- `alibi` is added to the scores: further away costs more.

Axes: h heads, t queries, s keys, d width, n positions. Waves come in pairs of entries, d / 2 of
them; pair 0 turns fastest, by 1 radian a position, each further pair more slowly.
"""

import math
from numbers import Real

import torch
from torch import Tensor

from course_lib.kernels.whole_numbers import whole_number

BASE = 10000.0
LAYOUTS = ("neighbours", "halves")


def frequencies(d: int, base: float = BASE) -> Tensor:
    """How far each pair turns from one position to the next: base^(-2i / d).

    Shapes: -> (d / 2,), float64
    Units: radians a position.
    Raises: TypeError if d is no whole number, or base no number; ValueError if d is odd or below
        2, or base is not above 0 or not finite.
    """
    d = whole_number("d", d)
    if d < 2 or d % 2:
        raise ValueError(f"d is {d}; entries come in pairs, so the width must be even")
    if isinstance(base, bool) or not isinstance(base, Real):
        raise TypeError(f"base is {base!r}; expected a number above 0")
    if not 0 < base < math.inf:
        raise ValueError(f"base is {base}; expected a number above 0")
    return base ** -(torch.arange(0, d, 2, dtype=torch.float64) / d)


def sinusoidal(n: int | Tensor, d: int, *, base: float = BASE) -> Tensor:
    """A pattern for each position: sin in the even columns, cos in the odd ones.

    n: how many positions, from 0; or the positions themselves.
    Each row has the length sqrt(d / 2), and the dot product of two rows depends on their distance
    alone: it is the sum of cos(distance * frequency).

    Shapes: -> (n, d), float32; computed in float64, because far positions lose digits
    Raises: as `frequencies`; ValueError if n is below 1.
    Source: Vaswani et al., "Attention Is All You Need" (2017), section 3.5.
    Example:
        >>> print(sinusoidal(2, 4).numpy().round(3))
        [[0.    1.    0.    1.   ]
         [0.841 0.54  0.01  1.   ]]
    """
    places = _positions("n", n)
    angles = places[:, None] * frequencies(d, base).to(places.device)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1).float()


def rotary(
    x: Tensor, positions: Tensor | None = None, *, base: float = BASE, layout: str = "neighbours"
) -> Tensor:
    """Turn each pair of entries of a query or key by position * frequency (RoPE).

    Lengths stay as they are, and the dot product of a turned query with a turned key depends on
    their distance alone. Values are not turned.

    layout: which entries make a pair. "neighbours": 0 with 1, 2 with 3, as in the paper; "halves":
    i with i + d / 2, as in many released models. Weights trained with one are wrong with the other.

    Shapes: x (..., t, d), positions (t,), from 0 on where they are left out -> (..., t, d)
    Raises: TypeError if x is no floating-point tensor, or positions no tensor or one of 16-bit
        floats; ValueError for an odd width, positions of another number than x has rows, or an
        unknown layout.
    Source: Su et al., "RoFormer" (2021), equations 14 to 16 and 34.
    Example:
        >>> quarter = rotary(torch.tensor([[1.0, 0.0]]), torch.tensor([torch.pi / 2]))
        >>> print(quarter.numpy().round(3) + 0)
        [[0. 1.]]
    """
    if not isinstance(x, Tensor) or not x.is_floating_point():
        raise TypeError("x must be a tensor of floating-point numbers")
    if x.ndim < 2:
        raise ValueError(f"x has shape {tuple(x.shape)}; expected (..., t, d)")
    if layout not in LAYOUTS:
        raise ValueError(f"layout is {layout!r}; expected one of {LAYOUTS}")
    t, d = x.shape[-2:]
    places = _of_rows(positions, t).to(x.device)
    angles = places[:, None] * frequencies(d, base).to(x.device)
    wide = x.to(torch.promote_types(x.dtype, torch.float32))  # half precision turns in float32
    pairs = wide.unflatten(-1, (2, d // 2)) if layout == "halves" else wide.unflatten(-1, (-1, 2))
    return _turned(pairs, angles, axis=-2 if layout == "halves" else -1).to(x.dtype)


def rotate(x: Tensor, angles: Tensor) -> Tensor:
    """Turn each pair of neighbours anticlockwise by its own angle.

    Shapes: x (t, d), angles (t, d / 2) -> (t, d), as precise as x
    Units: radians.
    Raises: TypeError if one of them is no tensor; ValueError if x is no table of an even width, or
        there is not one angle for each of its pairs.
    Example:
        >>> x, quarter = torch.tensor([[3.0, 4.0]]), torch.tensor([[torch.pi / 2]])
        >>> print(rotate(x, quarter).numpy().round())
        [[-4.  3.]]
    """
    if not isinstance(x, Tensor) or not isinstance(angles, Tensor):
        raise TypeError("rotate takes two tensors: the rows, and an angle for each of their pairs")
    if x.ndim != 2 or x.shape[1] % 2:
        raise ValueError(f"x has shape {tuple(x.shape)}; expected (t, d) with an even width d")
    t, d = x.shape
    if angles.shape != (t, d // 2):
        raise ValueError(
            f"the angles have shape {tuple(angles.shape)}; expected {(t, d // 2)}: "
            f"a row for each row of x, a column for each pair"
        )
    wide = x if x.is_floating_point() else x.float()
    return _turned(wide.unflatten(-1, (-1, 2)), angles, axis=-1)


def slopes(heads: int) -> Tensor:
    """What one position of distance costs in each head: 2^(-8/h), 2^(-16/h), ..., 2^(-8).

    Where the number of heads is no power of two, the rest come from twice as many heads, every
    other one, as the authors do.

    Shapes: -> (h,), float32
    Raises: ValueError if heads is below 1.
    Source: Press et al., "Train Short, Test Long" (2021), section 3.
    """
    heads = whole_number("heads", heads, 1)
    power = 1 << (heads.bit_length() - 1)  # the largest power of two that is not larger
    all_of = 2.0 ** (-8 / power * torch.arange(1, power + 1, dtype=torch.float64))
    between = 2.0 ** (-8 / (2 * power) * torch.arange(1, 2 * power, 2, dtype=torch.float64))
    return torch.cat((all_of, between[: heads - power])).float()


def alibi(heads: int, queries: int | Tensor, keys: int | Tensor | None = None) -> Tensor:
    """Added to the scores: minus slope times distance (attention with linear biases).

    queries, keys: how many, from position 0; or the positions themselves.

    Shapes: -> (h, t, s), float32
    Units: those of scores, after the division by sqrt(d).
    Raises: as `slopes`; ValueError for no positions.
    Source: Press et al., "Train Short, Test Long" (2021), section 3. They add it
        together with a causal mask; the distance has no sign here, so it serves without one too.
    Example:
        >>> print(alibi(1, 3)[0] * 256)
        tensor([[ 0., -1., -2.],
                [-1.,  0., -1.],
                [-2., -1.,  0.]])
    """
    i = _positions("queries", queries)
    j = i if keys is None else _positions("keys", keys).to(i.device)
    # 0.0 - ... and not -...: a distance of 0 would become minus zero
    return 0.0 - slopes(heads).to(i.device)[:, None, None] * (i[:, None] - j).abs().float()


def _turned(pairs: Tensor, angles: Tensor, axis: int) -> Tensor:
    """Shapes: pairs (..., t, d / 2, 2) or, with axis -2, (..., t, 2, d / 2) -> (..., t, d)"""
    sin, cos = angles.sin().to(pairs.dtype), angles.cos().to(pairs.dtype)
    first, second = pairs.unbind(axis)
    turned = torch.stack((first * cos - second * sin, first * sin + second * cos), dim=axis)
    return turned.flatten(-2)


def _of_rows(positions, t: int) -> Tensor:
    """The positions of t rows, from 0 on where none are given."""
    if positions is None:
        return torch.arange(t, dtype=torch.float64)
    if not isinstance(positions, Tensor) or not positions.ndim:
        raise TypeError(f"positions is {positions!r}; expected a tensor, one for each row of x")
    places = _positions("positions", positions)
    if places.shape != (t,):
        raise ValueError(f"positions has shape {tuple(places.shape)}; x has {t} rows: ({t},)")
    return places


def _positions(name: str, given) -> Tensor:
    """The positions 0 to n - 1 for a number n, or those that were given, in float64."""
    if isinstance(given, Tensor) and given.ndim:
        if given.ndim != 1 or not given.numel():
            raise ValueError(f"{name} has shape {tuple(given.shape)}; expected (n,), not empty")
        if given.dtype == torch.bool or given.is_complex():
            raise TypeError(f"{name} holds {given.dtype}; expected positions")
        if given.dtype.itemsize < 4 and given.is_floating_point():
            raise TypeError(
                f"{name} holds {given.dtype}, which cannot count far (bfloat16 has no 257): make "
                "positions as whole numbers, and the words alone in few bits"
            )
        return given.to(torch.float64)
    try:
        return torch.arange(whole_number(name, given, 1), dtype=torch.float64)
    except TypeError:
        raise TypeError(
            f"{name} is {given!r}; expected a number of positions or a tensor of them"
        ) from None
