"""A class for one test or one measurement: on free ports of 127.0.0.1, in a folder of its own.

    with ClassServer(folder, learners=3) as here:
        here.address, here.link("01_dot_product")

It is started as `make class` does, and ends with the `with` block, with all that it started.
"""

import contextlib
import importlib.util
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil

from deploy.__main__ import free_ports
from deploy.edition import NAME, link
from deploy.proxy import why_not
from deploy.settings import ROOT

READY = 120  # seconds that the hub may take on a busy machine


def missing() -> str:
    """Why no class can be started here; "" where one can."""
    if importlib.util.find_spec("jupyterhub") is None:
        return "JupyterHub is not installed: make class"
    return why_not()


class ClassServer:
    """A running class. Settings are those of deploy/settings.py, by name."""

    def __init__(self, folder: Path, **settings: object):
        self.folder = Path(folder)
        self.port = free_ports(1)[0]
        self.address = f"http://127.0.0.1:{self.port}"
        told = {"folder": self.folder, "port": self.port, "spawner": "simple"} | settings
        own = {f"CLASS_{name.upper()}": str(value) for name, value in told.items()}
        foreign = {name for name in os.environ if name.startswith(("CLASS_", "JUPYTER"))}
        base = {name: value for name, value in os.environ.items() if name not in foreign}
        self._environment = base | own | {"PYTHONPATH": str(ROOT)}

    def __enter__(self):
        self.folder.mkdir(parents=True, exist_ok=True)
        self._log = (self.folder / "class.log").open("wb")
        self.process = subprocess.Popen(
            [sys.executable, "-m", "deploy"],
            cwd=ROOT, env=self._environment, stdin=subprocess.DEVNULL,
            stdout=self._log, stderr=subprocess.STDOUT, start_new_session=True,
        )  # fmt: skip
        end = time.monotonic() + READY
        while "now running at" not in self.log():
            if self.process.poll() is not None or time.monotonic() > end:
                self.__exit__()
                raise RuntimeError(
                    f"the class did not start; its last words:\n{self.log()[-3000:]}"
                )
            time.sleep(0.1)
        return self

    def __exit__(self, *_) -> None:
        family = self._family()
        with contextlib.suppress(ProcessLookupError):
            self.process.send_signal(signal.SIGTERM)  # the hub stops servers and proxy
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(30)
        for one in family:  # whatever is left
            with contextlib.suppress(psutil.NoSuchProcess):
                one.kill()
        self.process.wait(10)
        self._log.close()

    def _family(self) -> list[psutil.Process]:
        with contextlib.suppress(psutil.NoSuchProcess):
            own = psutil.Process(self.process.pid)
            return [own, *own.children(recursive=True)]
        return []

    def log(self) -> str:
        """All that the class has said."""
        return (self.folder / "class.log").read_text(errors="replace")

    def home(self, name: str) -> Path:
        """A learner's folder."""
        return self.folder / "learners" / name

    def link(self, chapter: str) -> str:
        """The link that opens a chapter."""
        return link(self.address, self.folder / NAME, chapter)

    def processes(self, name: str) -> list[psutil.Process]:
        """The processes of one learner: the server, its kernels and what they started."""
        for one in psutil.Process(self.process.pid).children():
            with contextlib.suppress(psutil.Error):
                if one.environ().get("JUPYTERHUB_USER") == name:
                    return [one, *one.children(recursive=True)]
        return []
