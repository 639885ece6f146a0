"""The compiler in another process: what it is given, and how it ends."""

import pytest

from course_lib.kernels.interpreter import VARIABLE
from course_lib.measures.compiling_process import in_a_compiling_process


@pytest.fixture
def module(tmp_path, monkeypatch):
    """Write a module that another process can run by name."""
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setenv(VARIABLE, "1")

    def write(source):
        (tmp_path / "a_module.py").write_text(source)
        return "a_module"

    return write


def test_the_other_process_has_no_interpreter_and_answers_in_json(module):
    found = "[os.environ.get('TRITON_INTERPRET'), sys.argv[1:]]"
    name = module(f"import json, os, sys\nprint('busy')\nprint(json.dumps({found}))")
    assert in_a_compiling_process(name, "a", "b", seconds=20) == [None, ["a", "b"]]


def test_the_other_process_is_ended_when_its_time_is_up(module):
    name = module("import time; time.sleep(60)")
    with pytest.raises(TimeoutError, match=r"a_module was ended after 0\.3 s"):
        in_a_compiling_process(name, seconds=0.3)


def test_the_other_processs_last_words_are_told(module):
    with pytest.raises(RuntimeError, match=r"a_module failed: .*ZeroDivisionError"):
        in_a_compiling_process(module("1 / 0"), seconds=20)
