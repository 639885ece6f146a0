"""tools/installation.py: little to do the second time, nothing half done, one sentence if not."""

import re
import shutil
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from tools import installation
from tools.installation import NOTHING, VERSIONS, Environment, Unusable, alone

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def course(tmp_path):
    """A copy of what the environment is made from, in another place."""
    (tmp_path / "tools").mkdir()
    for name in ("pyproject.toml", "constraints.txt", "tools/jupyterlab_settings.json"):
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


class Recorded(Environment):
    """An environment that notes what it would do and takes the running Python as its own."""

    def __init__(self, root, version=sys.version_info[:2]):
        super().__init__(root)
        self.done, self.inside = [], version
        self.python.parent.mkdir(parents=True, exist_ok=True)
        self.python.touch()

    def version(self):
        return self.inside

    def create(self, whole=True):
        self.done.append("create")

    def install(self, extras):
        self.done.append(extras)

    def settings(self):
        pass


def test_a_second_call_has_nothing_to_do(course):
    environment = Recorded(course)
    assert environment.ensure(["lab", "torch"]) is True
    assert environment.ensure(["lab", "torch"]) is False
    assert environment.ensure(["lab"]) is False, "lab is part of what is installed"
    assert environment.done == ["create", ["lab", "torch"]]


def test_what_is_installed_stays_when_more_is_asked_for(course):
    environment = Recorded(course)
    environment.ensure(["torch"])
    assert environment.ensure(["test"]) is True
    assert environment.done[-1] == ["test", "torch"]


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("constraints.txt", "numpy==", "numpy==9"),
        ("pyproject.toml", "numpy>=", "numpy>=1"),
        ("tools/jupyterlab_settings.json", "saveState", "other"),
    ],
)
def test_a_changed_package_file_is_installed_again(course, name, old, new):
    environment = Recorded(course)
    environment.ensure(["lab"])
    text = (course / name).read_text()
    assert old in text
    (course / name).write_text(text.replace(old, new))
    assert environment.ensure(["lab"]) is True


def test_a_changed_lint_rule_is_no_reason_to_install(course):
    environment = Recorded(course)
    environment.ensure(["lab"])
    text = (course / "pyproject.toml").read_text()
    (course / "pyproject.toml").write_text(text.replace("line-length = 100", "line-length = 99"))
    assert environment.ensure(["lab"]) is False


def test_a_moved_course_is_installed_again(course, tmp_path_factory):
    Recorded(course).ensure(["lab"])
    moved = tmp_path_factory.mktemp("other") / "course"
    shutil.copytree(course, moved)
    assert Recorded(moved).ensure(["lab"]) is True


def test_the_lowest_versions_are_the_floors_of_what_is_asked_for(course):
    environment = Environment(course, "lowest")
    floors = environment.lowest(["torch"])
    declared = [line for line in floors if not re.fullmatch(r"[\w.-]+==[\d.]+( *;.*)?", line)]
    assert declared == []
    assert {line.split("==")[0] for line in floors} >= {"numpy", "ipywidgets", "torch", "triton"}
    assert not any(line.startswith("jupyterlab") for line in floors)


def test_other_versions_are_another_environment(course):
    marks = {Environment(course, versions).fingerprint() for versions in VERSIONS}
    assert len(marks) == len(VERSIONS)


def test_versions_that_there_are_not_get_a_sentence(course):
    with pytest.raises(Unusable, match="pinned, lowest, newest; got 'old'"):
        Environment(course, "old")


def test_an_environment_whose_python_is_gone_is_made_again(course):
    environment = Recorded(course)
    environment.ensure(["lab"])
    environment.inside = None
    assert environment.ensure(["lab"]) is True


def test_a_damaged_stamp_counts_as_none(course):
    environment = Recorded(course)
    environment.ensure(["lab"])
    for damage in ("", "{", "[]", '{"extras": ["lab"]}', '{"fingerprint": 1, "extras": 2}'):
        environment.stamp.write_text(damage)
        assert environment.ensure(["lab"]) is True, damage


def test_an_interrupted_installation_is_made_good(course, monkeypatch):
    class Interrupted(Recorded):
        def install(self, extras):
            monkeypatch.setattr(subprocess, "call", interrupt)
            Environment.install(self, extras)

    def interrupt(*command, **options):
        raise KeyboardInterrupt

    first = Interrupted(course)
    with pytest.raises(KeyboardInterrupt):
        first.ensure(["lab"])
    assert not first.found()["whole"]
    half = first.folder / "half_a_package.py"
    half.touch()

    commands = []
    monkeypatch.setattr(
        subprocess, "call", lambda command, **options: commands.append(command) or 0
    )
    second = Environment(course)
    monkeypatch.setattr(second, "version", lambda: sys.version_info[:2])  # its Python does run
    monkeypatch.setattr(second, "install", lambda extras: second.folder.mkdir())
    assert second.ensure(["lab"])
    assert commands[0] == [sys._base_executable, "-m", "venv", second.folder]
    assert not half.exists(), "what was half done is removed before the environment is made anew"
    assert second.found()["whole"]


def test_a_failed_installation_keeps_what_was_there_and_says_what_to_do(course, monkeypatch):
    class Failing(Recorded):
        def install(self, extras):
            monkeypatch.setattr(subprocess, "call", lambda *command, **options: 1)
            Environment.install(self, extras)

    environment = Failing(course)
    with pytest.raises(Unusable, match="TORCH=no"):
        environment.ensure(["lab", "torch"])
    assert environment.found() == NOTHING, "the next call tries again"


def test_another_index_is_asked_for_torch_only(course, monkeypatch):
    commands = []
    monkeypatch.setattr(
        subprocess, "call", lambda command, **options: commands.append(command) or 0
    )
    environment = Recorded(course)
    monkeypatch.setenv("TORCH_INDEX", "ADDRESS")
    Environment.install(environment, ["lab"])
    Environment.install(environment, ["lab", "torch"])
    monkeypatch.setenv("TORCH_INDEX", "")
    Environment.install(environment, ["lab", "torch"])
    assert ["ADDRESS" in command for command in commands] == [False, True, False]
    assert all("constraints.txt" in str(command) for command in commands)


def test_torch_is_left_out_when_asked(monkeypatch, capsys):
    asked = []
    monkeypatch.setattr(Environment, "ensure", lambda self, extras: asked.append(extras))
    for answer in ("no", "No", ""):
        monkeypatch.setenv("TORCH", answer)
        assert installation.main(["lab", "torch"]) == 0
    assert asked == [["lab"], ["lab"], ["lab", "torch"]]
    assert "already in place" in capsys.readouterr().out


def test_the_real_thing_makes_a_python_that_runs(course):
    environment = Environment(course)
    environment.create()
    assert environment.version() == sys.version_info[:2]
    environment.python.unlink()
    environment.python.symlink_to(course / "no such python")
    environment.create()
    assert environment.version() == sys.version_info[:2], "a Python that is gone is replaced"


def test_a_second_installation_waits_for_the_first(course):
    pytest.importorskip("fcntl", reason="this system has no file locks")
    waiting = textwrap.dedent(f"""
        import sys
        from pathlib import Path
        sys.path.insert(0, {str(ROOT)!r})
        from tools.installation import alone
        print("here", flush=True)
        with alone(Path({str(course)!r})):
            print(Path({str(course)!r}, "done").exists(), flush=True)
    """)
    with alone(course):
        second = subprocess.Popen(
            [sys.executable, "-c", waiting], stdout=subprocess.PIPE, text=True
        )
        assert second.stdout.readline() == "here\n"
        time.sleep(0.2)
        (course / "done").touch()
    assert second.communicate(timeout=30)[0] == "True\n"
