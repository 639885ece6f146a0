"""What a learner's code can and cannot reach while it is contained."""

import sys
import types

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
