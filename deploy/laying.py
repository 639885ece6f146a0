"""Lay a learner's copies, beside those that were edited; tools/lab.py has the rule.

python -m deploy.laying          what the git hooks call, in the folder that was pulled
"""

import datetime
import sys
from pathlib import Path

from filelock import FileLock

from course_lib.words import say
from deploy import sentences as s
from tools.lab import lay

EDITION = ".edition"  # in the learner's folder: what nbgitpuller pulls; nobody edits it
NEWS = "new in this folder.txt"


def lay_for(work: Path, notebooks: Path) -> list[str]:
    """Lay `notebooks` into the learner's folder `work`; what is said stands in a file there too.

    Returns: what `lay` says.
    Raises: OSError, if `work` cannot be written.
    """
    work.mkdir(parents=True, exist_ok=True)
    with FileLock(work / ".laying.lock", timeout=30):  # a link and a start at the same moment
        said = lay(notebooks, work)
        if said:
            today = say(s.NEWS, date=datetime.date.today().isoformat())
            with (work / NEWS).open("a", encoding="utf-8") as file:
                file.write("\n".join([today, *said]) + "\n")
    return said


if __name__ == "__main__":
    here = Path.cwd()
    if here.name != EDITION:
        sys.exit(0)  # another repository of the learner's own
    print("\n".join(lay_for(here.parent, here)))
