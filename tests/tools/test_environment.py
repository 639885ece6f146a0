"""tools/environment.py: one sentence where it cannot work, and little to do the second time."""

import ast
import os
import re
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from tools.environment import VERSIONS, Environment, Turn, Unusable, check_python, check_versions

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "tools" / "environment.py"


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
        super().__init__(str(root))
        self.done, self.inside = [], version
        os.makedirs(os.path.dirname(self.python), exist_ok=True)
        Path(self.python).touch()

    def version(self):
        return self.inside

    def create(self):
        self.done.append("create")

    def install(self, extras):
        self.done.append(extras)

    def settle(self):
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
    environment = Environment(str(course), "lowest")
    floors = environment.lowest(["torch"])
    declared = [line for line in floors if not re.fullmatch(r"[\w.-]+==[\d.]+( *;.*)?", line)]
    assert declared == []
    assert {line.split("==")[0] for line in floors} >= {"numpy", "ipywidgets", "torch", "triton"}
    assert not any(line.startswith("jupyterlab") for line in floors)


def test_other_versions_are_another_environment(course):
    marks = {Environment(str(course), versions).fingerprint() for versions in VERSIONS}
    assert len(marks) == len(VERSIONS)


def test_versions_that_there_are_not_get_a_sentence():
    with pytest.raises(Unusable, match="pinned, lowest, newest; got 'old'"):
        check_versions("old")


def test_an_environment_whose_python_is_gone_is_made_again(course):
    environment = Recorded(course)
    environment.ensure(["lab"])
    environment.inside = None
    assert environment.ensure(["lab"]) is True


def test_a_damaged_stamp_counts_as_none(course):
    environment = Recorded(course)
    environment.ensure(["lab"])
    for damage in ("", "{", "[]", '{"extras": ["lab"]}', '{"fingerprint": 1, "extras": 2}'):
        Path(environment.stamp).write_text(damage)
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
    assert first.installed() == ("", set())
    half = Path(first.folder, "half_a_package.py")
    half.touch()

    commands = []
    monkeypatch.setattr(
        subprocess, "call", lambda command, **options: commands.append(command) or 0
    )
    second = Environment(str(course))
    monkeypatch.setattr(second, "version", lambda: sys.version_info[:2])  # its Python does run
    second.create()
    assert commands == [[sys._base_executable, "-m", "venv", second.folder]]
    assert not half.exists(), "what was half done is removed before the environment is made anew"


def test_a_failed_installation_keeps_what_was_there_and_says_what_to_do(course, monkeypatch):
    class Failing(Recorded):
        def install(self, extras):
            monkeypatch.setattr(subprocess, "call", lambda *command, **options: 1)
            Environment.install(self, extras)

    environment = Failing(course)
    with pytest.raises(Unusable, match="TORCH=no"):
        environment.ensure(["lab", "torch"])
    assert not os.path.exists(environment.unfinished)
    assert environment.installed() == ("", set()), "the next call tries again"


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
    assert all("constraints.txt" in " ".join(command) for command in commands)


def test_torch_is_left_out_when_asked(monkeypatch, capsys):
    from tools import environment

    asked = []
    monkeypatch.setattr(
        environment.Environment, "ensure", lambda self, extras: asked.append(extras)
    )
    for answer in ("no", "No", ""):
        monkeypatch.setenv("TORCH", answer)
        assert environment.main(["lab", "torch"]) == 0
    assert asked == [["lab"], ["lab"], ["lab", "torch"]]
    assert "already in place" in capsys.readouterr().out


def test_the_real_thing_makes_a_python_that_runs(course):
    environment = Environment(str(course))
    environment.create()
    assert environment.version() == sys.version_info[:2]
    Path(environment.python).unlink()
    Path(environment.python).symlink_to(course / "no such python")
    environment.create()
    assert environment.version() == sys.version_info[:2], "a Python that is gone is replaced"


def test_an_old_python_can_read_the_script():
    tree = ast.parse(SCRIPT.read_text(), feature_version=(3, 4))
    for node in ast.walk(tree):
        new = isinstance(node, ast.JoinedStr | ast.AnnAssign | ast.NamedExpr | ast.Nonlocal)
        assert not new, f"line {node.lineno}: Python 2.7 cannot read this"
        if isinstance(node, ast.FunctionDef):
            annotated = node.returns or any(argument.annotation for argument in node.args.args)
            assert not annotated, f"line {node.lineno}: Python 2.7 has no annotations"
            assert not node.args.kwonlyargs, f"line {node.lineno}: nor keyword-only arguments"
        if isinstance(node, ast.Raise):
            assert node.cause is None, f"line {node.lineno}: nor `raise from`"


def test_an_old_python_is_told_in_one_sentence(monkeypatch):
    monkeypatch.setattr(sys, "version_info", (3, 9, 0))
    with pytest.raises(Unusable, match=r"needs Python 3\.11 or newer, and .* is 3\.9: ") as told:
        check_python()
    assert str(told.value).count("\n") == 0


def test_a_newer_python_on_the_path_is_named_to_an_old_one(monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "version_info", (3, 9, 0))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Unusable, match="install one"):
        check_python()
    (tmp_path / "python3.12").symlink_to(sys.executable)
    with pytest.raises(Unusable, match=r"make lab PYTHON=python3\.12"):
        check_python()


@pytest.mark.parametrize("module", ["venv", "ensurepip"])
def test_a_python_without_venv_is_told_the_package(module, monkeypatch):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(Unusable, match=f"{module} is missing.*python3-venv"):
        check_python()


def test_a_second_installation_waits_for_the_first(course):
    pytest.importorskip("fcntl", reason="this system has no file locks")
    waiting = textwrap.dedent(f"""
        import sys
        sys.path.insert(0, {str(ROOT)!r})
        from tools.environment import Turn
        with Turn({str(course)!r}):
            print("my turn", flush=True)
    """)
    with Turn(str(course)):
        second = subprocess.Popen(
            [sys.executable, "-c", waiting], stdout=subprocess.PIPE, text=True
        )
        assert "Waiting" in second.stdout.readline()
    assert second.communicate(timeout=30)[0].strip() == "my turn"
