"""What the processes of a learner, or of the hub, hold and have used."""

from collections.abc import Iterable
from contextlib import suppress

import psutil

MIB = 2**20


def held(processes: Iterable[psutil.Process]) -> dict[str, float]:
    """MiB that they hold: "pss", what is shared counted in parts, and "own", not shared at all."""
    total = {"pss": 0.0, "own": 0.0}
    for one in processes:
        with suppress(psutil.Error):
            memory = one.memory_full_info()
            total["pss"] += memory.pss / MIB
            total["own"] += memory.uss / MIB
    return total


def used(processes: Iterable[psutil.Process]) -> float:
    """Seconds of the processor that they, and children of theirs that have ended, have used."""
    total = 0.0
    for one in processes:
        with suppress(psutil.Error):
            times = one.cpu_times()
            total += times.user + times.system + times.children_user + times.children_system
    return total


def percentile(values: list[float], share: float) -> float:
    """The value below which `share` of the values lie."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]
