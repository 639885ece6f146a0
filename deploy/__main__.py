"""Start a class on this machine: see what is missing, say where it is, become JupyterHub.

    python -m deploy [--port 8000]

Everything else is told by CLASS_... variables (deploy/settings.py).
"""

import argparse
import importlib.util
import os
import socket
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

from course_lib.words import say
from deploy import sentences as s
from deploy import settings
from deploy.apart import apart
from deploy.edition import link, publish
from deploy.proxy import NoProxy, ensure

CONFIG = Path(__file__).resolve().parent / "jupyterhub_config.py"
WARM = (
    "jupyterhub.app", "jupyterhub.singleuser", "jupyterhub.singleuser.extension",
    "jupyterlab.labapp", "jupyter_server.serverapp", "nbgitpuller", "jupyterhub_idle_culler",
    "ipykernel.kernelapp", "ipykernel.zmqshell", "matplotlib.font_manager", "deploy.limits",
    "deploy.place",
)  # fmt: skip


def taken(address: str, port: int) -> bool:
    """Whether something listens there already, or the port may not be had."""
    with socket.socket() as one:
        one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            one.bind((address, port))
        except OSError:
            return True
    return False


def free_ports(count: int) -> list[int]:
    """Ports of 127.0.0.1 that nobody listens on now."""
    held = [socket.socket() for _ in range(count)]
    try:
        for one in held:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in held]
    finally:
        for one in held:
            one.close()


def warm(folder: Path) -> None:
    """Import once what each learner's server and kernel import.

    Learners cannot write to the environment: what is not compiled by now, and matplotlib's list of
    fonts, each of them would make anew at each start.
    """
    rooms = sorted(settings.ROOT.glob("course_lib/chapters/*/__init__.py"))
    names = [*WARM, *(f"course_lib.chapters.{room.parent.name}" for room in rooms)]
    told = os.environ | {"MPLCONFIGDIR": str(folder / "fonts")}
    told.pop("PYTHONDONTWRITEBYTECODE", None)
    each = "import importlib, sys, contextlib\nfor one in sys.argv[1:]:\n"
    each += " with contextlib.suppress(Exception): importlib.import_module(one)"
    command = [sys.executable, "-c", each, *names]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    subprocess.run(command, cwd=settings.ROOT, env=told, check=False, **quiet)


def prepare(chosen: settings.Settings) -> list[str]:
    """Make the folder, the fonts' list and the edition; returns the lines that a teacher reads."""
    (chosen.folder / "learners").mkdir(parents=True, exist_ok=True)
    (chosen.folder / "learners").chmod(0o700)
    if chosen.warm == "yes":
        warm(chosen.folder)
    repository = publish(settings.ROOT / "notebooks", chosen.folder)
    address = f"http://{chosen.address}:{chosen.port}"
    listed = settings.names(chosen.folder)
    head = say(
        s.OPENING, address=address, folder=chosen.folder, learners=chosen.learners,
        memory=chosen.memory, seconds=chosen.seconds, apart=apart(chosen)[1],
        teacher=chosen.teacher,
        who=say(s.LISTED, number=len(listed)) if listed else say(s.ANYBODY),
    )  # fmt: skip
    chapters = sorted(path.stem for path in repository.glob("*.ipynb"))
    return [head, *(f"  {name}\n    {link(address, repository, name)}" for name in chapters)]


def main(arguments: list[str]) -> int:
    """Become JupyterHub; returns only where it cannot, after one sentence."""
    parser = argparse.ArgumentParser(prog="class", description=__doc__.partition("\n")[0])
    parser.add_argument("--port", type=int, help="where learners reach the class")
    options = parser.parse_args(arguments)
    try:
        chosen = settings.read(os.environ)
        if options.port:
            chosen = replace(chosen, port=options.port)
        if importlib.util.find_spec("jupyterhub") is None:
            raise NoProxy(say(s.NO_HUB))
        ensure()
        if taken(chosen.address, chosen.port):
            print(say(s.PORT_TAKEN, port=chosen.port, other=free_ports(1)[0]))
            return 1
        hub, behind = free_ports(2)
        chosen = replace(chosen, hub_port=hub, proxy_port=behind)
        print("\n".join(prepare(chosen)), flush=True)
    except (settings.BadSetting, NoProxy) as problem:
        print(problem)
        return 1
    except (OSError, subprocess.CalledProcessError) as problem:
        print(say(s.CANNOT_WRITE, folder=chosen.folder, error=problem))
        return 1
    told = os.environ | chosen.environment() | {"PYTHONPATH": str(settings.ROOT)}
    os.chdir(chosen.folder)
    command = [sys.executable, "-m", "jupyterhub", "-f", str(CONFIG)]
    os.execve(command[0], command, told)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
