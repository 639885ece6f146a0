"""What a ring of processes costs: bytes sent, rows held, and how long processes wait.

Counted for attention over n words in `size` processes (kernels/ring.py); heads of keys and values
alone are sent, g of them, d wide, and values e.
"""

from course_lib.kernels.ring_parts import lengths, meetings, stretches


def bytes_sent(
    n: int, size: int, rank: int, *, g: int, d: int, e: int, each: int, wide: int = 4,
    deal: str = "zigzag", backward: bool = False,
) -> int:  # fmt: skip
    """The bytes that process `rank` sends forwards, or on the way back.

    Forwards all parts but that of the next process, which starts there, pass through. On the way
    back they do again, and the gradients of all parts with them, the last of these to its owner.

    each: bytes of a number; wide: of one of a gradient, 4, or 8 where numbers are float64.
    Example: four processes, one head 64 wide, 16 bits: three quarters of all keys and values.
        >>> bytes_sent(4096, 4, 0, g=1, d=64, e=64, each=2) == 3072 * 2 * 64 * 2
        True
    """
    if size == 1:
        return 0
    own = lengths(n, size, deal)
    passed = n - own[(rank + 1) % size]
    row = g * (d + e)
    return row * (passed * each + (n * wide if backward else 0))


def pairs_by_step(n: int, size: int, *, causal: bool, deal: str = "zigzag") -> list[list[int]]:
    """For each step how many pairs of query and key each process computes."""
    dealt, found = stretches(n, size, deal), []
    for step in range(size):
        met = [meetings(dealt[r], dealt[(r - step) % size], causal) for r in range(size)]
        found.append([sum(_pairs(*one) for one in its) for its in met])
    return found


def idle_share(n: int, size: int, *, causal: bool, deal: str = "zigzag") -> float:
    """The share of all processes' time that they wait, if a step lasts as long as its longest.

    Example: with stretches of equal length four processes wait three sevenths of the time.
        >>> print(round(idle_share(4096, 4, causal=True, deal="stretches"), 3))
        0.429
        >>> print(round(idle_share(4096, 4, causal=True), 3))
        0.0
    """
    steps = pairs_by_step(n, size, causal=causal, deal=deal)
    total = sum(map(sum, steps))
    return 1 - total / (size * sum(map(max, steps))) if total else 0.0


def _pairs(rows: slice, cols: slice, diagonal: bool) -> int:
    t, s = rows.stop - rows.start, cols.stop - cols.start
    return t * (t + 1) // 2 if diagonal else t * s
