"""A process in which Triton compiles, beside one in which it interprets.

    in_a_compiling_process("course_lib.measures.gpu_rates", seconds=300)

Triton asks once, when it is imported, which of both it does (course_lib/kernels/interpreter.py). A
notebook interprets; what needs the compiler, or a GPU, runs in another process.
"""

import json
import os
import subprocess
import sys
from typing import Any

from course_lib.kernels.interpreter import VARIABLE


def in_a_compiling_process(module: str, *arguments: str, seconds: float) -> Any:
    """What `python -m module arguments` prints last, one line of JSON, read.

    It is ended after `seconds`.

    Raises: TimeoutError; RuntimeError with its last words if it fails.
    """
    environment = {name: value for name, value in os.environ.items() if name != VARIABLE}
    command = [sys.executable, "-m", module, *arguments]
    try:
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, timeout=seconds
        )
    except subprocess.TimeoutExpired as error:
        raise TimeoutError(f"{module} was ended after {seconds:g} s") from error
    if done.returncode:
        raise RuntimeError(f"{module} failed: {' '.join(done.stderr.split()[-40:])}")
    return json.loads(done.stdout.strip().splitlines()[-1])
