"""What a learner's code can and cannot reach while it is contained."""

import os
import sys
import types
from sys import setrecursionlimit

import pytest

from course_lib.judging import judge
from course_lib.learner.bound import bound_to_its_name
from course_lib.learner.containment import AsksForInput, contained


def test_input_raises_and_is_itself_again_afterwards():
    before = input
    with contained(), pytest.raises(AsksForInput):
        input("how many?")
    assert input is before


def test_ipythons_exit_does_not_reach_the_kernel(monkeypatch):
    ended = []
    shell = types.SimpleNamespace(ask_exit=lambda: ended.append(True))
    monkeypatch.setitem(sys.modules, "IPython", types.SimpleNamespace(get_ipython=lambda: shell))
    with contained(), pytest.raises(SystemExit):
        shell.ask_exit()
    assert ended == []
    shell.ask_exit()
    assert ended == [True]


@pytest.mark.parametrize("end", ["_exit", "abort"])
def test_what_ends_python_at_once_ends_only_the_answer(end):
    before = getattr(os, end)
    with contained(), pytest.raises(SystemExit):
        getattr(os, end)(*([3] if end == "_exit" else []))
    assert getattr(os, end) is before


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system starts processes another way")
def test_a_process_that_the_code_starts_still_ends_at_once():
    with contained():
        child = os.fork()
        if not child:
            os._exit(7)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7


def test_the_limit_of_recursion_is_the_kernels_again_afterwards():
    before = sys.getrecursionlimit()
    with contained():
        sys.setrecursionlimit(10**8)
        assert sys.getrecursionlimit() <= 10**4
    assert sys.getrecursionlimit() == before
    assert sys.setrecursionlimit is setrecursionlimit


def deep(n):
    return deep(n + 1)


def test_recursion_ends_where_the_learner_has_set_the_limit_high(monkeypatch):
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(10**6)
    try:
        with contained(), pytest.raises(RecursionError):
            deep(0)
    finally:
        sys.setrecursionlimit(before)


def test_an_answer_that_asks_for_input_is_told_what_to_do():
    found = judge("01_dot_product/dot", lambda a, b: float(input("a number: ")))
    assert found.state == "wrong"
    assert "asks for input(); what it needs comes in its arguments" in found.text


def test_a_name_means_the_answer_only_while_it_lasts():
    space = {}
    exec("def dot(n):\n    return n if n < 2 else dot(n - 1)", space)
    candidate = space.pop("dot")
    with bound_to_its_name("dot", candidate):
        assert candidate(5) == 1
    assert "dot" not in space
