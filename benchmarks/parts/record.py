"""A result as a file that says when, where and with which versions it was measured."""

import datetime
import importlib.metadata
import json
import os
import platform
from pathlib import Path

RESULTS = Path(__file__).resolve().parents[1] / "results"


def circumstances(*packages: str) -> dict:
    """Date, machine, load, and the versions of Python and `packages`."""
    now = datetime.datetime.now(datetime.UTC)
    return {
        "date": now.isoformat(timespec="seconds"),
        "python": platform.python_version(),
        "machine": f"{platform.machine()}, {os.cpu_count()} cores",
        "load": round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None,
        "versions": {name: importlib.metadata.version(name) for name in packages},
    }


def save(name: str, result: dict, folder: Path = RESULTS) -> Path:
    """Write a result, dated as `circumstances` does, as `name` and its minute; returns its path.

    Of each measured number four significant digits are kept.
    """
    minute = result["date"][:16].replace("T", "-").replace(":", "")
    path = folder / f"{name}-{minute}.json"
    path.parent.mkdir(exist_ok=True, parents=True)
    rounded = json.loads(json.dumps(result), parse_float=lambda text: float(f"{float(text):.4g}"))
    path.write_text(json.dumps(rounded, indent=1) + "\n")
    return path


def latest(name: str) -> dict | None:
    """The newest saved result of that name, or None."""
    found = sorted(RESULTS.glob(f"{name}-*.json"))
    return json.loads(found[-1].read_text()) if found else None
