"""Triton's interpreter in a process of its own: how one gets it."""

import importlib.util
import os
import subprocess
import sys

import pytest

from course_lib.kernels import interpreter

needs_triton = pytest.mark.skipif(
    importlib.util.find_spec("triton") is None, reason="Triton is not installed (it needs Linux)"
)
KERNEL = """
from course_lib.kernels.interpreter import use_interpreter
print(use_interpreter())
import torch, triton
import triton.language as tl

@triton.jit
def double(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, 2 * tl.load(x + i, mask=i < n, other=0.0), mask=i < n)

x, y = torch.arange(5.0), torch.full((6,), 7.0)
double[(3,)](x, y, 5, BLOCK=2)
print(y.tolist())
"""


def run(source, **variables):
    environment = {
        name: value for name, value in os.environ.items() if name != interpreter.VARIABLE
    }
    return subprocess.run(
        [sys.executable, "-"], input=source, capture_output=True, text=True, check=False,
        env=environment | variables,
    )  # fmt: skip


@needs_triton
def test_a_kernel_runs_on_the_cpu(tmp_path):
    script = tmp_path / "kernel.py"  # Triton reads a kernel's source from its file
    script.write_text(KERNEL)
    done = run(f"import runpy; runpy.run_path({str(script)!r}, run_name='__main__')")
    assert done.stdout.split("\n")[:2] == ["True", "[0.0, 2.0, 4.0, 6.0, 8.0, 7.0]"], done.stderr


@needs_triton
def test_it_is_too_late_when_triton_is_there_to_compile():
    source = "import triton; from course_lib.kernels.interpreter import *\n"
    done = run(f"{source}print(is_interpreted())\nuse_interpreter()")
    assert done.stdout == "False\n"
    assert "RuntimeError: Triton is imported already, to compile" in done.stderr


def test_where_triton_is_missing_nothing_is_changed(monkeypatch):
    monkeypatch.setattr(interpreter, "has_triton", lambda: False)
    monkeypatch.delenv(interpreter.VARIABLE, raising=False)
    assert not interpreter.use_interpreter()
    assert interpreter.VARIABLE not in os.environ
