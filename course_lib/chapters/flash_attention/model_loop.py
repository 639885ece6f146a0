"""The loop of the kernel for models, line by line: above each line, what the bare loop lacks.

show_model_loop()                # the lines are read from triton_tiles.py
"""

from course_lib.measures.source import source_of
from course_lib.showing import show
from course_lib.words import say

KNOWN = "as in the bare loop"  # of which nothing is said
SAID = (  # how each line begins, and what is new in it
    (
        "for stage in",
        "stage 0: tiles that need no mask; 1: on the diagonal; 2: at a window's far edge",
    ),
    ("for start in", KNOWN),
    ("until =", "where the text ends; in stage 0 nobody has to ask"),
    ("k_tile =", "of text b, and of the head that head h shares"),
    (
        "scores =",
        'a soft limit, mostly off; "ieee": float32 in full, where a GPU else keeps 10 bits',
    ),
    ("if stage > 0", "only where a mask is needed:"),
    ("j =", "the numbers of these keys"),
    ("scores =", "a key that is hidden gets minus infinity"),
    ("new =", "unit: the scale, for powers of 2"),
    ("shrink =", "2 to the power, which is faster than e"),
    ("powers =", "2 to the power again"),
    ("total =", KNOWN),
    ("v_tile =", "of the same text and head as k_tile"),
    ("mixed =", KNOWN),
    ("mixed =", "adds the product to mixed in one step"),
    ("largest =", KNOWN),
)


def show_model_loop() -> None:
    """The lines in their order, with a comment above each that the bare loop does not have."""
    show("\n".join(_commented(said, line) for said, line in model_loop()))


def model_loop() -> list[tuple[str, str]]:
    """What is said of each line, and the line as it stands in the kernel.

    Raises: ValueError, if the kernel's loop has other lines than those of which something is said.
    """
    lines = source_of("triton_tiles", "forward", loop=True).splitlines()
    others = [
        line for line, (begins, _) in zip(lines, SAID, strict=True)
        if not line.strip().startswith(begins)
    ]  # fmt: skip
    if others:
        raise ValueError(f"nothing is said of {others[0].strip()!r}: the kernel's loop has changed")
    return [(said, line) for line, (_, said) in zip(lines, SAID, strict=True)]


def _commented(said: str, line: str) -> str:
    """The line, below what is said of it; alone, if the bare loop has it as well."""
    inside = " " * (len(line) - len(line.lstrip()))
    return line if said == KNOWN else f"{inside}# {say(said)}\n{line}"
