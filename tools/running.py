"""Run a notebook with this very Python, on a machine state that no learner or maker has shaped."""

import os
import platform
import re
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from jupyter_client import AsyncKernelManager
from jupyter_client.kernelspec import KernelSpec
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from nbformat import NotebookNode

CELL_SECONDS = 120  # a chapter's whole budget is 45
COLOUR = re.compile(r"\x1b\[[0-9;]*m")
OLD_X86 = {  # what each library reads when it is loaded, to leave newer instructions alone
    "OPENBLAS_CORETYPE": "Nehalem",
    "MKL_ENABLE_INSTRUCTIONS": "SSE4_2",
    "ONEDNN_MAX_CPU_ISA": "SSE41",
    "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX512F,-AVX2,-FMA,-FMA4",  # exp, sin and their kin
}


class CellFailed(Exception):
    """A cell did not end well: which one, the line in it (from 0, or None), and what it said."""

    def __init__(self, cell_id: str, line: int | None, trace: str):
        super().__init__(trace)
        self.cell_id, self.line, self.trace = cell_id, line, trace


class ThisPython(AsyncKernelManager):
    """Starts kernels with the running interpreter, whatever kernelspecs are installed."""

    @property
    def kernel_spec(self) -> KernelSpec:
        """How to start the kernel."""
        start = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
        return KernelSpec(argv=start, display_name="Python 3", language="python")


@contextmanager
def fresh_settings(root: Path):
    """Yield an environment where the learner's state is empty and no one's habits are in force.

    root: the folder with course_lib, so that it need not be installed.
    """
    with tempfile.TemporaryDirectory(prefix="course-") as folder:
        no_style = Path(folder, "matplotlibrc")
        no_style.touch()
        path = [str(root), os.environ.get("PYTHONPATH", "")]
        unwanted = (
            "COURSE_EDITION",
            "COURSE_LANG",
            "MPLBACKEND",
            "PYTHONSTARTUP",
            "PYTHONWARNINGS",
        )
        kept = {name: value for name, value in os.environ.items() if name not in unwanted}
        yield kept | {
            "COURSE_STATE": str(Path(folder, "state")),
            "IPYTHONDIR": str(Path(folder, "ipython")),
            "MATPLOTLIBRC": str(no_style),
            "PYTHONPATH": os.pathsep.join(filter(None, path)),
        }


def old_processor() -> dict[str, str]:
    """The environment in which a new process computes as on a processor of 2009, in two threads.

    Sums then run in another order, and multiply and add round twice: the last bits are others. On
    a processor that is no x86 only numpy and torch know slower ways; the two threads count anyway.
    They are torch's, and sleep while they wait: beside other tests, threads that stay awake took
    ten times as long. numpy's have no such wish, so they are two only where nothing else differs.
    """
    is_x86 = platform.machine() in ("x86_64", "AMD64")
    own = OLD_X86 if is_x86 else {}
    newer = np.show_config(mode="dicts")["SIMD Extensions"].get("found", [])
    before = os.environ.get("NPY_DISABLE_CPU_FEATURES", "").replace(",", " ").split()
    return own | {
        "ATEN_CPU_CAPABILITY": "default",
        "NPY_DISABLE_CPU_FEATURES": " ".join([*before, *newer]),  # numpy warns of what is not here
        "OMP_NUM_THREADS": "2",
        "OMP_WAIT_POLICY": "PASSIVE",
        "OPENBLAS_NUM_THREADS": "1" if is_x86 else "2",
    }


def find_fonts() -> None:
    """Let matplotlib make its font cache, or it says in the first figure's output that it does."""
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    subprocess.run([sys.executable, "-c", "import matplotlib.font_manager"], check=False, **quiet)


def run(notebook: NotebookNode, folder: Path, root: Path) -> None:
    """Run every cell of `notebook` in `folder`; the outputs are put into it.

    Raises: CellFailed at the first cell that raises, takes too long, or ends the kernel.
    """
    client = NotebookClient(
        notebook,
        kernel_manager_class=ThisPython,
        timeout=CELL_SECONDS,
        record_timing=False,
        coalesce_streams=True,
        resources={"metadata": {"path": str(folder)}},
    )
    running = []
    client.on_cell_start = lambda cell, cell_index: running.append(cell)
    with fresh_settings(root) as env:
        try:
            # ipykernel 7 warns about its sockets at every start.
            client.execute(env=env, stderr=subprocess.DEVNULL)
        except CellExecutionError as error:
            raise CellFailed(running[-1].id, *_failure(running[-1], error)) from None
        except CellTimeoutError:
            said = f"The cell was stopped after {CELL_SECONDS} s."
            raise CellFailed(running[-1].id, None, said) from None
        except DeadKernelError:
            raise CellFailed(running[-1].id, None, "The cell ended the kernel.") from None


def _failure(cell: NotebookNode, error: CellExecutionError) -> tuple[int | None, str]:
    """The failing line of the cell (from 0, or None) and the traceback without colours."""
    outputs = [output for output in cell.outputs if output.output_type == "error"]
    if not outputs:
        return None, COLOUR.sub("", str(error))
    trace = COLOUR.sub("", "\n".join(outputs[-1].traceback))
    lines = re.findall(rf"Cell In\[{cell.execution_count}\], line (\d+)", trace)
    if of_cell := re.search(r"/ipykernel_\d+/\d+\.py in (?=<)", trace):  # IPython before 8
        mine = [frame for frame in trace.split("\n\n") if of_cell[0] in frame]
        lines = [line for frame in mine for line in re.findall(r"^-+> (\d+) ", frame, re.M)]
    return (int(lines[-1]) - 1 if lines else None), trace
