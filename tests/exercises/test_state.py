"""Progress on disk: nothing is lost, and nothing that is wrong with it stops a learner."""

import multiprocessing
from concurrent.futures import ProcessPoolExecutor

import pytest

from course_lib.exercises.engine import state
from course_lib.exercises.engine.state import Memory


def _write(number):
    Memory("01_many").write("exercise", f"name{number % 40}", **{f"fact{number // 40}": number})


def in_four_processes(function, numbers):
    """Call the function for each number; a process that dies is an error, not a wait for ever."""
    spawned = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(4, mp_context=spawned) as pool:
        assert len(list(pool.map(function, numbers))) == len(numbers)


def test_two_hundred_writes_from_several_processes_lose_no_file_and_damage_none(fresh_state):
    in_four_processes(_write, range(200))
    memory = Memory("01_many", tell=pytest.fail)
    assert all(memory.read("exercise", f"name{n}") for n in range(40))
    assert len(list((fresh_state / "01_many").iterdir())) == 40


def test_separate_exercises_written_at_once_all_stay(fresh_state):
    in_four_processes(_write_own, range(200))
    memory = Memory("02_own")
    assert all(memory.read("bet", f"n{n}") == {"value": n} for n in range(200))


def _write_own(number):
    Memory("02_own").write("bet", f"n{number}", value=number)


def test_new_facts_stand_beside_the_old_ones():
    memory = Memory("x")
    memory.write("exercise", "dot", state="wrong")
    memory.write("exercise", "dot", hints=2)
    assert Memory("x").read("exercise", "dot") == {"state": "wrong", "hints": 2}


@pytest.mark.parametrize("content", ["{half", "[1, 2]", "\x00", ""])
def test_a_damaged_file_is_set_aside_with_one_line(fresh_state, content):
    told = []
    path = fresh_state / "x" / "exercise-dot.json"
    path.parent.mkdir(parents=True)
    path.write_text(content)
    memory = Memory("x", told.append)
    assert memory.read("exercise", "dot") == {}
    assert memory.read("exercise", "dot") == {}
    assert len(told) == 1
    assert path.with_suffix(".damaged").read_text() == content


def test_bytes_that_are_no_text_are_damage(fresh_state):
    told = []
    path = fresh_state / "x" / "exercise-dot.json"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"\xff\xfe\xff")
    assert Memory("x", told.append).read("exercise", "dot") == {}
    assert len(told) == 1


def test_a_folder_that_cannot_be_written_is_told_once_and_works_without(tmp_path, monkeypatch):
    blocked = tmp_path / "file"
    blocked.write_text("")
    monkeypatch.setenv("COURSE_STATE", str(blocked))
    told = []
    memory = Memory("x", told.append)
    memory.write("exercise", "dot", state="right")
    memory.write("exercise", "angle", state="wrong")
    assert memory.read("exercise", "dot") == {"state": "right"}
    assert len(told) == 1


def test_a_failed_replacement_leaves_the_old_file_and_no_draft(fresh_state, monkeypatch):
    memory = Memory("x", lambda line: None)
    memory.write("exercise", "dot", state="right")

    def refuse(*paths):
        raise OSError("disk full")

    monkeypatch.setattr(state.os, "replace", refuse)
    memory.write("exercise", "dot", state="wrong")
    monkeypatch.undo()
    names = [one.name for one in (fresh_state / "x").iterdir()]
    assert names == ["exercise-dot.json"]


def test_the_folder_is_the_users_own_where_none_is_set(monkeypatch):
    monkeypatch.delenv("COURSE_STATE")
    assert state.FOLDER in str(state.folder())
