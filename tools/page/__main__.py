"""Make the course as a web page.

python -m tools.page                        all chapters, into site/
python -m tools.page 00_start_here          some
python -m tools.page --out FOLDER           elsewhere
"""

import argparse
import sys
import time
from pathlib import Path

from tools.editions import Course
from tools.page.site import build, processes, told
from tools.pages import ROOT


def main(arguments: list[str] | None = None) -> int:
    """Build the site; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tools.page", description=__doc__)
    parser.add_argument("chapters", nargs="*", help="names of chapters, such as 00_start_here")
    parser.add_argument("--out", type=Path, default=ROOT / "site")
    parser.add_argument("--jobs", type=int, default=processes())
    asked = parser.parse_args(arguments)
    sources = Course(ROOT).sources()
    if unknown := set(asked.chapters) - {path.stem for path in sources}:
        parser.error(f"there is no chapter {sorted(unknown)[0]}")
    chosen = [path for path in sources if not asked.chapters or path.stem in asked.chapters]
    begun = time.monotonic()
    build(chosen, asked.out, ROOT / ".page" / "work", asked.jobs)
    print(f"{told(asked.out)}, {time.monotonic() - begun:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
