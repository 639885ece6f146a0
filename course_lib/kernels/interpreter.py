"""Triton without a GPU: its interpreter runs a kernel on the CPU, program by program, with numpy.

Triton asks once, when it is imported, whether it interprets or compiles: a process can do one of
both. A notebook that teaches kernels interprets, on every machine alike:

    use_interpreter()                # before anything imports triton
    import triton
    import triton.language as tl     # a kernel looks for `tl` among the globals of its module

A kernel that a learner writes in a cell then runs in the notebook's own process, with ordinary
errors and under the ordinary time limit. What needs Triton's compiler, or a GPU, runs in another
process (course_lib/measures/compiling_process.py).
"""

import importlib.util
import os
import sys

VARIABLE = "TRITON_INTERPRET"
MISSING = (
    "Triton is not installed here (it comes with PyTorch on Linux); the same in plain PyTorch is "
    "flash_attention in course_lib/kernels/flash.py."
)


def has_triton() -> bool:
    """Whether Triton is installed; it is not imported for that."""
    return importlib.util.find_spec("triton") is not None


def use_interpreter() -> bool:
    """Let this process interpret kernels; whether it can, which is whether Triton is installed.

    Raises: RuntimeError if Triton has been imported to compile.
    """
    if not has_triton():
        return False
    if "triton" in sys.modules and not is_interpreted():
        raise RuntimeError(
            "Triton is imported already, to compile: call use_interpreter() before anything "
            "imports triton (in a notebook: restart the kernel and run from the top)"
        )
    os.environ[VARIABLE] = "1"
    return True


def is_interpreted() -> bool:
    """Whether Triton interprets in this process; imports it."""
    from triton import JITFunction
    from triton.language import max as one_of_its_own  # made when Triton was imported

    return not isinstance(one_of_its_own, JITFunction)
