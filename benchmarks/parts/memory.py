"""How much memory this process holds."""

import resource
import sys
from contextlib import suppress
from pathlib import Path

MIB = 2**20


def resident() -> tuple[float, float]:
    """MiB that the process holds now, and the most that it ever held.

    Resident, with the libraries it shares with others. Where the system does not tell the first
    (it is Linux that does), the second stands for both.
    """
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    most = most / MIB if sys.platform == "darwin" else most / 1024
    now = most
    with suppress(OSError):
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        now = pages * resource.getpagesize() / MIB
    return now, most
