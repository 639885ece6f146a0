"""Four processes with a learner's merge; and what is told where it, or they, do not run."""

import inspect
import subprocess

import pytest
import torch

from course_lib.chapters.flash_attention.four_machines import on_four_machines, told
from course_lib.chapters.flash_attention.ring_of_machines import described
from course_lib.kernels.flash import merge
from course_lib.measures import four_processes as module
from course_lib.measures.four_processes import Run, four_processes, recorded
from course_lib.measures.ring_cost import bytes_sent

OTHER = 1.0  # a name of this module, which the processes do not have


def mine(a, x, b, y):
    top = torch.maximum(x, y)
    one, two = (x - top).exp()[:, None], (y - top).exp()[:, None]
    return (one * a + two * b) / (one + two), top + (one + two).log()[:, 0]


def wrong(a, x, b, y):
    return (a + b) / 2, torch.logaddexp(x, y)


def far(a, x, b, y):
    return OTHER * a, x


def endless(a, x, b, y):
    while True:
        pass


def test_a_merge_of_ones_own_runs_in_all_four():
    run = four_processes(mine)
    assert run.same
    assert run.instead == run.not_started == ""
    lines = told(run).splitlines()
    assert len(lines) == 5
    assert lines[1] == "process 1: keys and values of 1, 0, 3, 2; 3 times merge; 1,152 bytes sent"
    assert lines[4] == "Together: the same output as in one process."
    formula = bytes_sent(24, 4, 0, g=1, d=8, e=8, each=4, deal="stretches")
    assert run.sent == [formula] * 4
    assert recorded()["run"] == run._asdict()


def test_a_wrong_merge_is_seen():
    run = four_processes(wrong)
    assert not run.same
    assert "another output" in told(run)
    assert "The outputs are other ones" in described(run)


@pytest.mark.parametrize(
    ("source", "why"),
    [
        (inspect.getsource(far), "NameError: name 'OTHER' is not defined"),
        ("", "its source was not found"),
        ("def f(:", "SyntaxError: invalid syntax (<unknown>, line 1)"),
    ],
)
def test_where_a_merge_cannot_run_there_the_courses_does(source, why):
    assert module._defined(source) == (merge, why)
    words = told(Run([[0]], [0], True, instead=why))
    assert words.endswith(f"another process: {why}. The four ran the course's.)")


def test_as_it_stands_in_its_cell_a_merge_is_ones_own():
    own, instead = module._defined("@exercise\n" + inspect.getsource(mine))
    assert own.__name__ == "mine"
    assert instead == ""


def test_processes_that_do_not_end_are_ended():
    run = four_processes(endless, seconds=4)
    assert run.not_started == "no answer within 4 s"
    assert run.owners == recorded()["run"]["owners"]


def test_where_none_can_be_started_a_sentence_and_the_recorded_run(monkeypatch, capsys):
    def refuse(*_, **__):
        raise PermissionError("not allowed here")

    monkeypatch.setattr(subprocess, "Popen", refuse)
    on_four_machines(mine)
    printed = capsys.readouterr().out
    assert printed.startswith("No processes could be started here (not allowed here). This is what")
    assert "the same output as in one process.\n" in printed
    assert "Machine 1 merges the parts 1, 0, 3, 2." in printed
    assert module.recorded()["versions"]["torch"]
