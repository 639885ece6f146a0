"""What a GPU does in one turn of a kernel's loop, counted in its machine code.

    loop_of(code)          code: what `cuobjdump -sass` prints of one kernel

A loop is the code between a jump backwards and where it leads. Of the innermost ones those are
meant that multiply most; of these, the one with the fewest comparisons: the loop over whole tiles,
which the mask does not touch. Numbers are for one thread and one tile.
"""

import re
from collections import Counter

LINE = re.compile(r"/\*([0-9a-f]{4,})\*/\s+(?:@!?U?P\w+\s+)?([A-Z][\w.]*)\s*([^;]*);")
KINDS = {  # the first word of an instruction
    "comparisons": {"ISETP", "FSETP", "SEL", "FSEL", "PLOP3"},  # what masks are made of
    "multiplications": {"FMUL", "FFMA"},
    "fused": {"FFMA"},  # of the multiplications: those that also add or subtract
    "exponentials": {"MUFU"},
    "products": {"HGMMA", "HMMA"},  # of tiles, by tensor cores
    "waits": {"BAR", "DEPBAR", "SYNCS", "WARPGROUP", "WARPSYNC"},
    "spills": {"STL", "LDL"},  # to memory and back
}


def loop_of(code: str) -> dict[str, int]:
    """For each of KINDS how many a turn of the loop has, and "all"; empty where nothing loops."""
    lines = [(int(place, 16), name, rest) for place, name, rest in LINE.findall(code)]
    jumps = {
        (int(target[1], 16), place)
        for place, name, rest in lines
        if name.startswith("BRA") and (target := re.search(r"0x([0-9a-f]+)", rest))
    }
    loops = {(to, place) for to, place in jumps if to < place}
    inner = [
        one for one in loops
        if not any(other != one and one[0] <= other[0] and other[1] <= one[1] for other in loops)
    ]  # fmt: skip
    counted = [_count([name for place, name, _ in lines if a <= place <= b]) for a, b in inner]
    most = max((_multiplying(one) for one in counted), default=(0, 0))
    same = [one for one in counted if _multiplying(one) == most or _near(one, most)]
    return min(same, key=lambda one: one["comparisons"], default={})


def _count(names: list[str]) -> dict[str, int]:
    found = Counter(name.split(".")[0] for name in names)
    kinds = {kind: sum(found[one] for one in words) for kind, words in KINDS.items()}
    return kinds | {"all": len(names)}


def _multiplying(loop: dict[str, int]) -> tuple[int, int]:
    return loop["products"], loop["multiplications"]


def _near(loop: dict[str, int], most: tuple[int, int]) -> bool:
    """Whether it has as many products of tiles; where there are none, about as many of numbers."""
    return loop["products"] == most[0] and 2 * loop["multiplications"] > most[1]
