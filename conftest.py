"""What every test starts from, and every notebook that nbval runs: an empty learner's state."""

import os
import tempfile
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).resolve().parent
STATE = tempfile.TemporaryDirectory(prefix="course-state-")  # removed when the process ends
last_notebook = None

os.environ["COURSE_STATE"] = STATE.name
os.environ.pop("COURSE_LANG", None)
# Two tests run at a time: threads of torch that wait for each other would take both cores.
os.environ.setdefault("OMP_NUM_THREADS", "1")
# The same examples on every machine: a test that fails, fails for everyone.
settings.register_profile("course", derandomize=True, deadline=None)
settings.load_profile("course")


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    """Give each notebook its own state, before nbval starts the notebook's kernel.

    Else the learner's edition would show as done what its solutions did.
    """
    global last_notebook
    if item.path.suffix == ".ipynb" and item.path != last_notebook:
        last_notebook = item.path
        os.environ["COURSE_STATE"] = tempfile.mkdtemp(dir=STATE.name)
