"""Curves over steps, each with its name at its end, so that no legend is needed.

draw_curves(figure.subplots(), {"honest": losses, "one too far": others}, level=("chance", 2.08))
"""

from course_lib.figures.theme import GHOST, INK, KEY, OUTPUT, QUERY, SMALL, VALUE

COLOURS = (QUERY, KEY, VALUE, OUTPUT)
STYLES = ("-", (0, (5, 2)), (0, (1, 1)), (0, (5, 2, 1, 2)))
APART = 0.08  # of the height: two names closer than this could not be read


def draw_curves(axes, curves: dict, *, level: tuple[str, float] | None = None):
    """Up to four curves, told apart by colour, by dashes and by name.

    curves: name -> numbers, one for each step.   level: name and height of a line to compare with.
    Returns the axes. Raises: ValueError for no curve or more than four.
    """
    if not 1 <= len(curves) <= len(COLOURS):
        raise ValueError(f"got {len(curves)} curves; one to {len(COLOURS)} can be told apart")
    ends, longest = [], max(map(len, curves.values()))
    for (name, numbers), colour, style in zip(curves.items(), COLOURS, STYLES, strict=False):
        axes.plot(numbers, color=colour, linestyle=style, linewidth=1.8)
        tail = list(numbers)[-max(1, len(numbers) // 10) :]
        ends.append((sum(tail) / len(tail), name, colour, "bold"))
    if level is not None:
        axes.axhline(level[1], color=GHOST, linewidth=1, zorder=0)
        ends.append((level[1], level[0], INK, "normal"))
    low, high = axes.get_ylim()
    step, height = APART * (high - low), -float("inf")
    for end, name, colour, weight in sorted(ends):
        height = max(end, height + step)
        axes.text(
            1.02 * longest, height, name, color=colour, fontweight=weight, fontsize=SMALL,
            va="center", clip_on=False,
        )  # fmt: skip
    axes.set_xlim(0, longest)
    return axes
