"""The proxy before the hub, configurable-http-proxy: installed by npm into deploy/node_modules.

    python -m deploy.proxy          install it where it is missing

The exact versions stand in package-lock.json. Without Node.js there is one sentence.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

from course_lib.words import say
from deploy import sentences as s

HERE = Path(__file__).resolve().parent
COMMAND = HERE / "node_modules" / ".bin" / "configurable-http-proxy"
OLDEST = 20  # package.json of the proxy says so
PATIENCE = 180  # seconds for npm


class NoProxy(RuntimeError):
    """The proxy cannot run here; the message is one sentence."""


def check_node() -> None:
    """Raises: NoProxy, where Node.js is missing or too old."""
    node, found = shutil.which("node"), "none"
    if node:
        asked = subprocess.run([node, "--version"], capture_output=True, text=True, check=False)
        found = asked.stdout.strip() or "one that does not run"
        version = re.match(r"v(\d+)\.", found)
        if version and int(version[1]) >= OLDEST:
            return
    raise NoProxy(say(s.NO_NODE, found=found))


def ensure() -> Path:
    """The proxy's command; installed first where it is not there.

    Raises: NoProxy.
    """
    check_node()
    if _whole():
        return COMMAND
    npm = shutil.which("npm")
    if npm is None:
        raise NoProxy(say(s.NO_NPM))
    print("Installing the hub's proxy into deploy/node_modules.", flush=True)
    command = [npm, "ci", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"]
    try:
        done = subprocess.run(
            command, cwd=HERE, capture_output=True, text=True, timeout=PATIENCE, check=False
        )
        said = done.stderr.strip().partition("\n")[0][:200]
    except subprocess.TimeoutExpired:
        said = f"nothing for {PATIENCE} s"
    if not _whole():
        raise NoProxy(say(s.NPM_FAILED, said=said or "no reason given"))
    return COMMAND


def why_not() -> str:
    """Why the proxy is not at hand, in a sentence; "" where it is. Installs nothing."""
    try:
        check_node()
    except NoProxy as problem:
        return str(problem)
    return "" if _whole() else "the hub's proxy is not installed: python -m deploy.proxy"


def _whole() -> bool:
    """Whether an installation is there and came to its end: npm writes its list last."""
    return COMMAND.exists() and (HERE / "node_modules" / ".package-lock.json").exists()


if __name__ == "__main__":
    try:
        ensure()
    except NoProxy as problem:
        sys.exit(str(problem))
