"""Lines over numbers that one chooses, each with its name at its end: lengths, sizes, widths.

draw_lines(figure.subplots(), (1024, 4096), {"FA2": [350, 368], "FA3": [565, 638]}, log="x")
"""

from course_lib.figures.theme import KEY, OUTPUT, QUERY, SMALL, VALUE

LOOKS = ((QUERY, "-", "o"), (KEY, (0, (5, 2)), "s"), (VALUE, (0, (1, 1)), "^"),
         (OUTPUT, (0, (5, 2, 1, 2)), "D"))  # fmt: skip
APART = 0.09  # of the height: two names closer than this could not be read


def draw_lines(
    axes, x, lines: dict, *, log: str = "", marks: bool = True, xlim=None, ylim=(None, None)
):
    """Up to four lines, told apart by colour, dashes, marks and name.

    x: (n,), from left to right.   lines: name -> (n,), None where nothing is known.   log: "x", "y"
    or "xy", where the scale is one of powers.   marks: False for curves of many points.
    xlim, ylim: as matplotlib takes them; by default as far as x and the lines reach.
    Returns the axes.
    Raises: ValueError for no line, more than four, or one that is not as long as x.
    """
    if not 1 <= len(lines) <= len(LOOKS):
        raise ValueError(f"got {len(lines)} lines; one to {len(LOOKS)} can be told apart")
    wrong = [name for name, y in lines.items() if len(y) != len(x)]
    if wrong:
        raise ValueError(f"{wrong[0]} has {len(lines[wrong[0]])} numbers for {len(x)} places")
    lines = {name: _with_gaps(y) for name, y in lines.items()}
    axes.set(**{f"{axis}scale": "log" for axis in log})
    axes.minorticks_off()
    for (name, y), (colour, dashes, mark) in zip(lines.items(), LOOKS, strict=False):
        axes.plot(x, y, color=colour, linestyle=dashes, marker=mark if marks else "", label=name)
    axes.autoscale_view()
    axes.set(xlim=xlim or (x[0], x[-1]), ylim=ylim)
    _name_ends(axes, x, lines)
    return axes


def _with_gaps(numbers) -> list[float]:
    return [float("nan") if one is None else one for one in numbers]


def _last(x, numbers) -> tuple[float, float]:
    """Where a line ends."""
    return [(at, one) for at, one in zip(x, numbers, strict=True) if one == one][-1]  # no NaN


def _name_ends(axes, x, lines) -> None:
    """Each name beside the end of its line; names that would meet are moved apart upwards."""
    to_share = (axes.transScale + axes.transLimits).transform
    ends = sorted(
        (*to_share(_last(x, y))[::-1], name, look[0])
        for (name, y), look in zip(lines.items(), LOOKS, strict=False)
    )
    height = -1.0
    for end, right, name, colour in ends:
        height = max(end, height + APART)
        axes.text(
            right + 0.03, height, name, transform=axes.transAxes, color=colour, fontweight="bold",
            fontsize=SMALL, va="center",
        )  # fmt: skip
