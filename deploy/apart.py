"""How learners are kept apart: by systemd, by bubblewrap, or not at all."""

import shutil
import subprocess
import sys
from functools import cache

from course_lib.words import say
from deploy import sentences as s
from deploy.settings import Settings


def apart(settings: Settings) -> tuple[str, str]:
    """("systemd", "bubble" or "no", and the sentence that a teacher reads)."""
    if settings.spawner == "systemd":
        return "systemd", say(s.APART_SYSTEMD)
    why = why_no_bubble()
    if why:
        return "no", say(s.APART_NOT, why=why)
    return "bubble", say(s.APART_BUBBLE)


@cache
def why_no_bubble() -> str:
    """Why bubblewrap does not work here, in a sentence; "" where it does."""
    if sys.platform != "linux" or shutil.which("bwrap") is None:
        return say(s.NO_BUBBLE)
    tried = ["bwrap", "--unshare-user", "--unshare-pid", "--size", "4096", "--tmpfs", "/tmp"]
    tried += ["--ro-bind", "/usr", "/usr", "--ro-bind-try", "/lib", "/lib"]
    tried += ["--ro-bind-try", "/lib64", "/lib64", "--ro-bind-try", "/bin", "/bin"]
    done = subprocess.run([*tried, "/usr/bin/env", "true"], capture_output=True, check=False)
    said = done.stderr.decode("utf-8", "replace").strip().partition("\n")[0]
    return f"bwrap does not work here ({said[:200]})." if done.returncode else ""
