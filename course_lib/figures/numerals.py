"""How pictures write numbers: one format for each kind."""

import numpy as np


def share(value: float, digits: int = 2) -> str:
    """A number from 0 to 1, without the zero in front: ".55", "1.00".

    Example:
        >>> share(0.546)
        '.55'
    """
    return signed(value, digits).removeprefix("0")


def signed(value: float, digits: int = 1) -> str:
    """A number of any sign, with a minus as long as a plus; nothing is written as minus 0.

    Example:
        >>> signed(-1.25, 2), signed(-0.01)
        ('−1.25', '0.0')
    """
    text = f"{value:.{digits}f}"
    return text.lstrip("-") if float(text) == 0 else text.replace("-", "−")


def plain(value: float) -> str:
    """A number with no more digits than it has, and a minus as long as a plus.

    Example:
        >>> plain(-2.1), plain(-12.0), plain(3)
        ('−2.1', '−12', '3')
    """
    return f"{float(value):g}".replace("-", "−")


def rounded_to_sum(values, total: float, digits: int = 2) -> list[float]:
    """Rounded numbers whose sum is the rounded total: of the largest remainders.

    All are rounded down. Then those that lost most get one more of the last digit, until the sum
    holds. So each is less than one of the last digit from its true value, where the total is the
    true sum; a number may be rounded to its second nearest.

    Example:
        >>> rounded_to_sum([0.144, 0.144, 0.712], 1.0)
        [0.15, 0.14, 0.71]
    """
    scaled = np.asarray(values, dtype=float) * 10**digits
    down = np.floor(scaled.round(6))
    more = round(total * 10**digits) - int(down.sum())
    order = np.argsort(down - scaled, kind="stable")
    for i in range(more):
        down[order[i % len(order)]] += 1
    return [round(one / 10**digits, digits) + 0.0 for one in down.tolist()]


def as_vote(value: float) -> str:
    """A vote for or against, its sign in front; 0 has none.

    Example:
        >>> as_vote(2), as_vote(-1.5), as_vote(0)
        ('+2', '−1.5', '0')
    """
    return f"{float(value):+g}".replace("-", "−") if value else "0"


class Share:
    """`share`, where a format such as "{:.2f}" is expected."""

    def format(self, value: float) -> str:
        """The same as `share`."""
        return share(value)


class Digit:
    """A number from 0 to 1 in one digit, ".1", where a format is expected."""

    def format(self, value: float) -> str:
        """As `share`, in one digit."""
        return share(value, 1)


class Signed:
    """`signed`, where a format such as "{:.1f}" is expected."""

    def __init__(self, digits: int = 1):
        self.digits = digits

    def format(self, value: float) -> str:
        """The same as `signed`."""
        return signed(value, self.digits)
