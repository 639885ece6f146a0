"""Progress on disk: nothing is lost, and nothing that is wrong with it stops a learner."""

import builtins
import errno
import io
import multiprocessing
import os
from concurrent.futures import ProcessPoolExecutor
from functools import partial

import pytest
from filelock import FileLock

from course_lib import files
from course_lib.learner import state
from course_lib.learner.state import SavedFacts
from tests.learner.states import NEW, OLD


def _write(number):
    SavedFacts("01_many").write("exercise", f"name{number % 40}", **{f"fact{number // 40}": number})


def in_four_processes(function, numbers):
    """Call the function for each number; a process that dies is an error, not a wait for ever."""
    spawned = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(4, mp_context=spawned) as pool:
        assert len(list(pool.map(function, numbers))) == len(numbers)


def test_two_hundred_writes_from_several_processes_lose_no_file_and_damage_none(fresh_state):
    in_four_processes(_write, range(200))
    memory = SavedFacts("01_many", tell=pytest.fail)
    assert all(memory.read("exercise", f"name{n}") for n in range(40))
    assert len(facts_in(fresh_state / "01_many")) == 40


def facts_in(folder):
    """The files of a chapter's folder; a lock that nobody holds says nothing."""
    return [path for path in folder.iterdir() if path.name != state.LOCK]


def _write_one_fact(number):
    SavedFacts("03_one").write("exercise", "dot", **{f"fact{number}": number})


def test_four_kernels_at_one_exercise_lose_none_of_two_hundred_facts(fresh_state):
    in_four_processes(_write_one_fact, range(200))
    facts = SavedFacts("03_one", pytest.fail).read("exercise", "dot")
    assert facts == {f"fact{number}": number for number in range(200)}


def test_a_kernel_that_never_lets_go_is_waited_for_only_so_long(fresh_state, monkeypatch):
    monkeypatch.setattr(state, "PATIENCE", 0.05)
    (fresh_state / "x").mkdir(parents=True)
    with FileLock(fresh_state / "x" / state.LOCK):
        SavedFacts("x", pytest.fail).write("exercise", "dot", state="right")
    assert SavedFacts("x", pytest.fail).read("exercise", "dot") == {"state": "right"}


def test_separate_exercises_written_at_once_all_stay(fresh_state):
    in_four_processes(_write_own, range(200))
    memory = SavedFacts("02_own")
    assert all(memory.read("bet", f"n{n}") == {"value": n} for n in range(200))


def _write_own(number):
    SavedFacts("02_own").write("bet", f"n{number}", value=number)


def test_new_facts_stand_beside_the_old_ones():
    memory = SavedFacts("x")
    memory.write("exercise", "dot", state="wrong")
    memory.write("exercise", "dot", hints=2)
    assert SavedFacts("x").read("exercise", "dot") == {"state": "wrong", "hints": 2}


@pytest.mark.parametrize("content", ["{half", "[1, 2]", "\x00", ""])
def test_a_damaged_file_is_set_aside_with_one_line(fresh_state, content):
    told = []
    path = fresh_state / "x" / "exercise-dot.json"
    path.parent.mkdir(parents=True)
    path.write_text(content)
    memory = SavedFacts("x", told.append)
    assert memory.read("exercise", "dot") == {}
    assert memory.read("exercise", "dot") == {}
    assert len(told) == 1
    assert path.with_suffix(".damaged").read_text() == content


def test_bytes_that_are_no_text_are_damage(fresh_state):
    told = []
    path = fresh_state / "x" / "exercise-dot.json"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"\xff\xfe\xff")
    assert SavedFacts("x", told.append).read("exercise", "dot") == {}
    assert len(told) == 1


def test_a_folder_that_cannot_be_written_is_told_once_and_works_without(tmp_path, monkeypatch):
    blocked = tmp_path / "file"
    blocked.write_text("")
    monkeypatch.setenv("COURSE_STATE", str(blocked))
    told = []
    memory = SavedFacts("x", told.append)
    memory.write("exercise", "dot", state="right")
    memory.write("exercise", "angle", state="wrong")
    assert memory.read("exercise", "dot") == {"state": "right"}
    assert len(told) == 1


def test_a_damaged_file_that_cannot_be_moved_is_told_once_and_never_called_set_aside(
    fresh_state, monkeypatch
):
    told = []
    path = fresh_state / "x" / "exercise-dot.json"
    path.parent.mkdir(parents=True)
    path.write_text("{half")
    memory = SavedFacts("x", told.append)

    def refuse(*paths):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(state.os, "replace", refuse)
    assert [memory.read("exercise", "dot") for _ in range(5)] == [{}] * 5
    assert len(told) == 1
    assert "could not be set aside (Permission denied)" in told[0]


@pytest.mark.parametrize(
    "facts",
    [
        {"state": 3, "hints": "two"},
        {"right": "yes", "run": None},
        {"confidence": ["sure"]},
        {"half_done": True},
    ],
    ids=repr,
)
def test_facts_of_another_form_are_left_out(fresh_state, facts):
    SavedFacts("x").write("bet", "b", **facts, other=1)
    assert SavedFacts("x", pytest.fail).read("bet", "b") == {"other": 1}


@pytest.fixture
def path(fresh_state):
    """A file with OLD in it."""
    SavedFacts("x", pytest.fail).write("exercise", "dot", **OLD)
    return fresh_state / "x" / "exercise-dot.json"


def on_disk(path):
    """What a session that starts now would know; and there is no other file."""
    assert facts_in(path.parent) == [path]
    return SavedFacts("x", pytest.fail).read("exercise", "dot")


def opened_by(monkeypatch, write):
    """Let every file that is opened write by `write(file, text)`."""
    really = io.open

    def opening(*args, **options):
        file = really(*args, **options)
        monkeypatch.setattr(file, "write", partial(write, file.write), raising=False)
        return file

    for module in (io, builtins):
        monkeypatch.setattr(module, "open", opening)


@pytest.mark.parametrize("room", [0, 1, 30, 900])
def test_a_disk_that_is_full_halfway_leaves_the_old_facts(path, monkeypatch, room):
    left = [room]

    def write(really, text):
        really(text[: left[0]])
        left[0] -= len(text)
        if left[0] < 0:
            raise OSError(errno.ENOSPC, "No space left on device")

    told = []
    with monkeypatch.context() as patch:
        opened_by(patch, write)
        SavedFacts("x", told.append).write("exercise", "dot", **NEW)
    assert on_disk(path) == OLD
    assert len(told) == 1
    assert "No space left" in told[0]


def test_who_reads_during_a_write_finds_the_old_facts_whole(path, monkeypatch):
    old, seen = path.read_bytes(), []

    def write(really, text):
        seen.append(path.read_bytes())
        for letter in text:
            really(letter)
        seen.append(path.read_bytes())
        return len(text)

    with monkeypatch.context() as patch:
        opened_by(patch, write)
        SavedFacts("x", pytest.fail).write("exercise", "dot", **NEW)
    assert set(seen) == {old}
    assert on_disk(path) == OLD | NEW


def refusing(monkeypatch, error, times=1000):
    """Let the file be replaced only after so many refusals; they are listed."""
    refused, really = [], os.replace

    def replace(*paths):
        if len(refused) < times:
            refused.append(paths)
            raise error
        return really(*paths)

    monkeypatch.setattr(state.os, "replace", replace)
    return refused


@pytest.mark.parametrize("error", [OSError("disk full"), PermissionError("in use")], ids=repr)
def test_a_replacement_that_fails_leaves_the_old_facts(path, monkeypatch, error):
    told = []
    with monkeypatch.context() as patch:
        refusing(patch, error)
        SavedFacts("x", told.append).write("exercise", "dot", **NEW)
    assert on_disk(path) == OLD
    assert len(told) == 1


@pytest.mark.parametrize("times", [1, 2, files.TRIES - 1])
def test_a_file_that_another_process_reads_is_replaced_when_it_is_free(path, monkeypatch, times):
    with monkeypatch.context() as patch:
        refused = refusing(patch, PermissionError("in use"), times)
        SavedFacts("x", pytest.fail).write("exercise", "dot", **NEW)
    assert len(refused) == times
    assert on_disk(path) == OLD | NEW


def test_a_fact_that_waits_hides_no_newer_one_of_another_kernel(path, monkeypatch):
    memory = SavedFacts("x", lambda line: None)
    with monkeypatch.context() as patch:
        refusing(patch, OSError("disk full"))
        memory.write("exercise", "dot", state="right")
    SavedFacts("x", pytest.fail).write("exercise", "dot", hints=3)
    assert memory.read("exercise", "dot") == {"state": "right", "hints": 3}
    memory.write("exercise", "dot", note="n")
    assert on_disk(path) == {"state": "right", "hints": 3, "note": "n"}


def test_what_a_killed_process_left_is_cleared_by_the_next_that_writes(path):
    abandoned = path.with_name(f".{path.name}.0123.draft")
    fresh = path.with_name(f".{path.name}.4567.draft")
    abandoned.write_text("")
    fresh.write_text("")
    os.utime(abandoned, (0, 0))
    SavedFacts("x", pytest.fail).write("exercise", "dot", **NEW)
    assert not abandoned.exists()
    assert fresh.exists(), "somebody may be writing it"


def test_facts_that_could_not_be_saved_count_until_they_can(path, monkeypatch):
    memory = SavedFacts("x", lambda line: None)
    with monkeypatch.context() as patch:
        refusing(patch, OSError("disk full"))
        memory.write("exercise", "dot", **NEW)
    assert memory.read("exercise", "dot") == OLD | NEW
    memory.write("exercise", "dot", hints=3)
    assert on_disk(path) == OLD | NEW | {"hints": 3}
    SavedFacts("x", pytest.fail).write("exercise", "dot", hints=5)
    assert memory.read("exercise", "dot")["hints"] == 5, "saved: the file counts again"


def test_a_file_that_cannot_be_removed_is_told_and_stays(path, monkeypatch):
    def refuse(*args, **options):
        raise PermissionError(13, "in use")

    told = []
    with monkeypatch.context() as patch:
        patch.setattr(type(path), "unlink", refuse)
        SavedFacts("x", told.append).forget("exercise", "dot")
    assert on_disk(path) == OLD
    assert len(told) == 1
    assert "in use" in told[0]
