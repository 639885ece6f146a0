"""What a class is told, by environment variables that begin with CLASS_."""

import os
import re
import shutil
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, fields
from pathlib import Path

from course_lib.words import say
from deploy import sentences as s

ROOT = Path(__file__).resolve().parent.parent
SPAWNERS = ("simple", "systemd")
NAMES = r"[^\W_][\w.@-]{0,39}\Z"  # of learners; each is a folder, so no / and no dot in front


class BadSetting(ValueError):
    """A setting that cannot be followed; the message is one sentence."""


@dataclass(frozen=True)
class Settings:
    """All that can be chosen.

    address, port: where learners reach the class.
    folder: what is kept of it: accounts, and below learners/ a folder for each.
    learners: servers that run at a time; one more gets a sentence.
    memory: MiB of data for each kernel.   seconds: of the processor, for one cell.
    idle: seconds without a sign of life after which a server is stopped.   longest: any server.
    spawner: "systemd", or "simple": processes of one user, in bubblewrap where that works.
    teacher: the name that may stop other servers and remove accounts.
    warm: "no" begins sooner, and learners wait longer: nothing is imported for them beforehand.
    """

    address: str = "127.0.0.1"
    port: int = 8000
    folder: Path = ROOT / "class"
    learners: int = 20
    memory: int = 1024
    seconds: int = 600
    idle: int = 3600
    longest: int = 8 * 3600
    spawner: str = "simple"
    teacher: str = "teacher"
    warm: str = "yes"
    hub_port: int = 8081
    proxy_port: int = 8001

    def environment(self) -> dict[str, str]:
        """The variables that make the same settings again."""
        return {f"CLASS_{one.name.upper()}": str(getattr(self, one.name)) for one in fields(self)}


def read(environment: Mapping[str, str]) -> Settings:
    """The settings of an environment; what is not named there is as in `Settings`.

    Raises: BadSetting.
    """
    found: dict = {"spawner": "systemd" if systemd_runs() else "simple"}
    for one in fields(Settings):
        name = f"CLASS_{one.name.upper()}"
        text = environment.get(name, "").strip()
        if not text:
            continue
        if one.type is int:
            found[one.name] = _whole(name, text)
        else:
            found[one.name] = Path(text).expanduser().resolve() if one.type is Path else text
    made = Settings(**found)
    _among("CLASS_WARM", made.warm, ("yes", "no"))
    _among("CLASS_SPAWNER", made.spawner, SPAWNERS)
    return made


def systemd_runs() -> bool:
    """Whether systemd can start services here: it runs, and we are root."""
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    return root and Path("/run/systemd/system").is_dir() and bool(shutil.which("systemd-run"))


def _whole(name: str, text: str) -> int:
    try:
        number = int(text)
    except ValueError:
        number = 0
    if number < 1:
        wanted = "a whole number from 1 on"
        raise BadSetting(say(s.BAD_SETTING, name=name, value=text, wanted=wanted))
    return number


def _among(name: str, value: str, known: tuple[str, ...]) -> None:
    if value not in known:
        raise BadSetting(say(s.BAD_SETTING, name=name, value=value, wanted=" or ".join(known)))


def names(folder: Path) -> set[str]:
    """The names that may come in: the lines of names.txt in the class's folder; none: all may.

    Raises: BadSetting, for a line that cannot be a name.
    """
    with suppress(FileNotFoundError):
        lines = (folder / "names.txt").read_text(encoding="utf-8").splitlines()
        found = {line.strip().lower() for line in lines if line.strip()}
        for name in sorted(found):
            if not re.match(NAMES, name):
                raise BadSetting(say(s.BAD_NAME, name=name, rule=say(s.NAME_RULE)))
        return found
    return set()
