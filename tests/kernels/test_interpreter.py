"""Triton's interpreter in a process of its own: how one gets it, and how one gets the compiler."""

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


@pytest.fixture
def module(tmp_path, monkeypatch):
    """Write a module that another process can run by name."""
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setenv(interpreter.VARIABLE, "1")

    def write(source):
        (tmp_path / "a_module.py").write_text(source)
        return "a_module"

    return write


def test_the_other_process_has_no_interpreter_and_answers_in_json(module):
    found = "[os.environ.get('TRITON_INTERPRET'), sys.argv[1:]]"
    name = module(f"import json, os, sys\nprint('busy')\nprint(json.dumps({found}))")
    assert interpreter.in_a_compiling_process(name, "a", "b", seconds=20) == [None, ["a", "b"]]


def test_the_other_process_is_ended_when_its_time_is_up(module):
    name = module("import time; time.sleep(60)")
    with pytest.raises(TimeoutError, match=r"a_module was ended after 0\.3 s"):
        interpreter.in_a_compiling_process(name, seconds=0.3)


def test_the_other_processs_last_words_are_told(module):
    with pytest.raises(RuntimeError, match=r"a_module failed: .*ZeroDivisionError"):
        interpreter.in_a_compiling_process(module("1 / 0"), seconds=20)
