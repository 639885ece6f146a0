"""The process that judges one notebook after the other; started by `jobs.py` only.

A line of JSON on standard input says which file is to be judged, a line on standard output has
its rows. The chapters stay loaded from one notebook to the next.
"""

import json
import os
import sys
from dataclasses import asdict
from pathlib import Path

from course_lib.grade.confinement import Limits, adopt_orphans, end_children, limit_memory
from course_lib.grade.judged import judge_notebook

MEMORY = 6_000_000_000  # bytes


def main() -> None:
    """Judge what is asked for until nobody asks any more."""
    asked, told = os.fdopen(os.dup(0), "r", encoding="ascii"), os.dup(1)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for one in (0, 1):
        os.dup2(nowhere, one)
    adopt_orphans()
    limit_memory(MEMORY)
    for line in asked:
        job = json.loads(line)
        limits = Limits(**job["limits"])
        rows = judge_notebook(Path(job["path"]), job["name"], limits, job["closed"])
        end_children()
        answer = json.dumps([asdict(row) for row in rows]) + "\n"
        with os.fdopen(os.dup(told), "w", encoding="ascii") as file:
            file.write(answer)


if __name__ == "__main__":
    main()
    sys.exit(0)
