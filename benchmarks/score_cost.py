"""What the four scores cost against the dot product, as ratios, for chapter 2.

    python -m benchmarks.score_cost [--rounds 9] [--publish]

Measured in one thread (OPENBLAS_NUM_THREADS and its like are set before numpy is loaded), at the
widths 64 and 768, 1000 queries and 1000 keys; every way is timed in turn with the dot product, in
each round, in an order drawn anew. Prints the median ratio and the middle half, beside the ratio of
counted operations, and saves both in benchmarks/results/. --publish also renews the copy that
chapter 2 prints: build its notebook after that.
"""

import argparse
import os
import sys
from pathlib import Path

for variable in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ[variable] = "1"


from benchmarks.parts.record import circumstances, save  # noqa: E402
from course_lib.measures.score_cost import score_cost  # noqa: E402
from course_lib.measures.score_timing import RECORD, ROWS, measure  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent
WIDTHS = (64, 768)
COUNTED = {  # the ways whose operations are counted: kind, pair by pair
    "cosine, rows brought to length 1": ("cosine", False),
    "bilinear, q w once": ("bilinear", False),
    "bilinear, pair by pair": ("bilinear", True),
    "additive": ("additive", False),
}


def counted(way: str, d: int) -> float | None:
    """The ratio of operations to the dot product's; None for a way that is not counted."""
    if way not in COUNTED:
        return None
    kind, pairwise = COUNTED[way]
    return (
        score_cost(kind, ROWS, ROWS, d, pairwise=pairwise).flops
        / score_cost("dot", ROWS, ROWS, d).flops
    )


def report(ratios: dict) -> None:
    """Print a line a way."""
    for width, found in ratios.items():
        print(f"\nwidth {width}: time over the dot product's")
        for way, (middle, low, high) in found.items():
            operations = counted(way, int(width))
            told = "" if operations is None else f"   operations {operations:.3f}"
            print(f"  {way:34} {middle:8.2f}   (middle half {low:.2f} to {high:.2f}){told}")


def save_ratios(ratios: dict, rounds: int, publish: bool) -> Path:
    """Write the result with date and versions; returns its path."""
    result = circumstances("numpy") | {
        "threads": 1,
        "rows": ROWS,
        "rounds": rounds,
        "ratios": ratios,
    }
    path = save("score_cost", result)
    if publish:
        (ROOT / "course_lib" / "measures" / RECORD).write_text(path.read_text())
    return path


def main() -> int:
    """Measure, print, save; returns 0."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--publish", action="store_true", help="renew what chapter 2 prints")
    options = parser.parse_args()
    ratios = {str(d): measure(d, options.rounds) for d in WIDTHS}
    report(ratios)
    path = save_ratios(ratios, options.rounds, options.publish)
    print(f"\nsaved as {path.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
