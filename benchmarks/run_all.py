"""How long "Run all" takes in each chapter, and how much memory its kernel then holds.

    python -m benchmarks.run_all [--chapter 03_scaling ...] [--rounds 3]

Each chapter's learner's copy runs in a kernel of its own, from the kernel's start to the last cell,
all chapters in turn in each round, so that other work on the machine slows all. A time alone says
little about another machine, so it is told in units of the smallest notebook: a kernel that starts,
imports numpy and draws one line. Memory is what the kernel process holds in the end (resident, with
the libraries it shares with others), and the most that it ever held. The goal: 150 MiB at the end
for chapters 0 to 4.
"""

import argparse
import json
import statistics
import sys
import tempfile
import time
from pathlib import Path

import nbformat

from benchmarks.parts.record import circumstances, save
from tools import running
from tools.lab import as_laid

ROOT = Path(__file__).resolve().parent.parent
GOAL, LIGHT = 150, "04"  # MiB, for the chapters up to this one
VERSIONS = ("ipykernel", "matplotlib", "numpy", "torch")
UNIT = "import numpy\nimport matplotlib.pyplot as plt\nplt.plot([1, 2]); plt.show()"
MEMORY = "from benchmarks.parts.memory import resident\nprint(*resident())"


def notebook_of(name: str | None):
    """A chapter's learner's copy, or the smallest notebook; its last cell tells the memory."""
    if name is None:
        made = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(UNIT)])
    else:
        stored = (ROOT / "notebooks" / f"{name}.ipynb").read_text(encoding="utf-8")
        made = nbformat.reads(json.dumps(as_laid(json.loads(stored))), as_version=4)
    made.cells.append(nbformat.v4.new_code_cell(MEMORY, id="memory"))
    return made


def once(name: str | None) -> tuple[float, float, float]:
    """Run it; returns seconds, MiB at the end, MiB at the most."""
    notebook = notebook_of(name)
    with tempfile.TemporaryDirectory() as folder:
        begun = time.perf_counter()
        running.run(notebook, Path(folder), ROOT)
        seconds = time.perf_counter() - begun
    return seconds, *map(float, notebook.cells[-1].outputs[0].text.split())


def measure(names: list[str], rounds: int) -> dict:
    """Medians over the rounds: of the ratio to the smallest notebook, and of the memory."""
    ratios, now, most = ({name: [] for name in names} for _ in range(3))
    running.find_fonts()
    once(None)  # warm
    for number in range(rounds):
        unit, *_ = once(None)
        for name in names[:: -1 if number % 2 else 1]:
            seconds, at_end, peak = once(name)
            ratios[name].append(seconds / unit)
            now[name].append(at_end)
            most[name].append(peak)
    return {
        name: {
            "ratio": round(statistics.median(ratios[name]), 1),
            "ratios": [round(one, 1) for one in ratios[name]],
            "memory_mib": round(statistics.median(now[name])),
            "most_memory_mib": round(statistics.median(most[name])),
        }
        for name in names
    }


def report(found: dict) -> None:
    """Print the table."""
    print(f"{'chapter':24} {'Run all':>8} {'memory':>9} {'most':>9}")
    for name, row in found.items():
        light = name[:2] <= LIGHT
        verdict = ("reached" if row["memory_mib"] < GOAL else "MISSED") if light else ""
        print(
            f"{name:24} {row['ratio']:7.1f}x {row['memory_mib']:5} MiB {row['most_memory_mib']:5} "
            f"MiB  {verdict}"
        )
    print(f"x: times the smallest notebook. Goal: under {GOAL} MiB in chapters 0 to 4.")


def main() -> int:
    """Measure, print, save; returns 0."""
    known = sorted(path.stem for path in (ROOT / "notebooks").glob("*.ipynb"))
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--chapter", nargs="+", choices=known, default=known)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    found = measure(options.chapter, options.rounds)
    report(found)
    result = circumstances(*VERSIONS) | {"rounds": options.rounds, "chapters": found}
    print(f"saved as {save('run_all', result).relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
