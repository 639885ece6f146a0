"""A JupyterLab server for one test or one measurement.

Everything it writes goes into a folder of its own, it listens on 127.0.0.1 only, and its whole
process group ends with the `with` block, kernels too.
"""

import contextlib
import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

READY = 60  # seconds that a server, a page or a kernel may take on a busy machine


class LabServer:
    """JupyterLab on a free port of 127.0.0.1, serving `folder`, with this Python's kernel.

    folder: the notebooks' place.   home: a folder for everything that Jupyter and the course keep.
    """

    def __init__(self, folder: Path, home: Path):
        self.folder, self.home = Path(folder), Path(home)
        self.token = secrets.token_hex(16)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]

    def __enter__(self):
        self.home.mkdir(parents=True, exist_ok=True)
        self._log = (self.home / "server.log").open("wb")
        self._process = subprocess.Popen(
            [
                sys.executable, "-m", "jupyterlab", "--no-browser", f"--port={self.port}",
                "--ServerApp.ip=127.0.0.1", f"--IdentityProvider.token={self.token}",
                f"--ServerApp.root_dir={self.folder}", "--ServerApp.port_retries=0",
                "--LabApp.expose_app_in_browser=True", "--allow-root",
            ],
            env=self._environment(), cwd=self.folder, stdin=subprocess.DEVNULL,
            stdout=self._log, stderr=subprocess.STDOUT, start_new_session=True,
        )  # fmt: skip
        self._wait()
        return self

    def _environment(self) -> dict:
        places = {
            "JUPYTER_CONFIG_DIR": "config", "JUPYTER_DATA_DIR": "data", "IPYTHONDIR": "ipython",
            "JUPYTER_RUNTIME_DIR": "runtime", "COURSE_STATE": "state",
            "JUPYTERLAB_SETTINGS_DIR": "settings", "JUPYTERLAB_WORKSPACES_DIR": "workspaces",
        }  # fmt: skip
        own = {name: str(self.home / folder) for name, folder in places.items()}
        left_out = {"JUPYTER_TOKEN", "JUPYTER_PATH", "JUPYTER_CONFIG_PATH", "PYTHONPATH"}
        base = {name: value for name, value in os.environ.items() if name not in left_out}
        beside = str(Path(sys.executable).parent)
        return {**base, **own, "PATH": f"{beside}{os.pathsep}{os.environ.get('PATH', '')}"}

    def _wait(self) -> None:
        end = time.monotonic() + READY
        while time.monotonic() < end and self._process.poll() is None:
            with contextlib.suppress(OSError):
                self.api("api/status")
                return
            time.sleep(0.1)
        self.__exit__()
        log = (self.home / "server.log").read_text(errors="replace")[-2000:]
        raise RuntimeError(f"JupyterLab did not start within {READY} s; its last words:\n{log}")

    def __exit__(self, *_) -> None:
        with contextlib.suppress(Exception):
            self.end_sessions()
        for force in (signal.SIGTERM, signal.SIGKILL):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, force)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(5)
                if force == signal.SIGTERM:
                    continue  # children that ignored the first signal get the second
        self._log.close()

    def api(self, path: str, method: str = "GET"):
        """Ask the server; returns the decoded answer."""
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}/{path}",
            method=method,
            headers={"Authorization": f"token {self.token}"},
        )
        with urllib.request.urlopen(request, timeout=10) as answer:
            body = answer.read()
        return json.loads(body) if body else None

    def end_sessions(self) -> None:
        """End all kernels: a page that is closed leaves its kernel behind."""
        for session in self.api("api/sessions"):
            self.api(f"api/sessions/{session['id']}", "DELETE")

    def address(self, name: str) -> str:
        """The page of one notebook, in a fresh workspace."""
        workspace = secrets.token_hex(4)
        return (
            f"http://127.0.0.1:{self.port}/lab/workspaces/{workspace}/tree/{name}"
            f"?token={self.token}&reset"
        )
