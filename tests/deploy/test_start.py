"""Starting a class: what is missing or cannot be followed is one sentence, and nothing starts."""

import json
import socket
import subprocess
import sys

import pytest

from deploy import __main__ as start
from deploy import proxy, settings
from deploy.edition import BRANCH, link, publish
from deploy.laying import NEWS, lay_for
from deploy.settings import ROOT, BadSetting


@pytest.fixture
def alone(monkeypatch, tmp_path):
    """No setting of this shell, a folder of its own, and no hub that would take this process."""
    for name in settings.Settings().environment():
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("CLASS_FOLDER", str(tmp_path / "class"))
    monkeypatch.setenv("CLASS_WARM", "no")
    monkeypatch.chdir(tmp_path)

    def started(*_):
        raise AssertionError("the hub was started")

    monkeypatch.setattr(start.os, "execve", started)
    monkeypatch.setattr(start.importlib.util, "find_spec", lambda name: object())
    return tmp_path / "class"


@pytest.fixture
def with_proxy(monkeypatch):
    monkeypatch.setattr(start, "ensure", lambda: None)


@pytest.mark.usefixtures("with_proxy")
def test_a_port_in_use_is_told_with_another_one(alone, capsys):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        assert start.main(["--port", str(port)]) == 1
    said = capsys.readouterr().out
    assert f"Port {port} is in use" in said
    assert "make class PORT=" in said
    assert not alone.exists()


def test_without_node_it_says_what_to_install(alone, capsys, monkeypatch):
    monkeypatch.setattr(proxy.shutil, "which", lambda name: None)
    assert start.main([]) == 1
    assert "needs Node.js 20 or newer" in capsys.readouterr().out
    assert not alone.exists()


def test_an_old_node_is_named(monkeypatch):
    answer = subprocess.CompletedProcess([], 0, "v12.22.9\n", "")
    monkeypatch.setattr(proxy.shutil, "which", lambda name: "node")
    monkeypatch.setattr(proxy.subprocess, "run", lambda *_, **__: answer)
    with pytest.raises(proxy.NoProxy, match=r"there is v12\.22\.9"):
        proxy.check_node()


@pytest.mark.usefixtures("alone")
def test_without_jupyterhub_it_says_so(capsys, monkeypatch):
    monkeypatch.setattr(start.importlib.util, "find_spec", lambda name: None)
    assert start.main([]) == 1
    assert "JupyterHub is not installed" in capsys.readouterr().out


@pytest.mark.usefixtures("with_proxy")
def test_a_folder_that_cannot_be_made_is_told(alone, capsys):
    alone.write_text("a file")
    assert start.main(["--port", str(start.free_ports(1)[0])]) == 1
    assert "cannot be kept in" in capsys.readouterr().out
    assert alone.read_text() == "a file"


@pytest.mark.parametrize(
    ("name", "value", "wanted"),
    [
        ("CLASS_MEMORY", "1G", "a whole number"),
        ("CLASS_LEARNERS", "0", "a whole number"),
        ("CLASS_SPAWNER", "docker", "simple or systemd"),
    ],
)
def test_a_setting_that_cannot_be_followed_is_named(name, value, wanted):
    with pytest.raises(BadSetting, match=f"{name} is '{value}'; it has to be .*{wanted}"):
        settings.read({name: value})


def test_settings_go_through_the_environment_and_back():
    asked = settings.read({"CLASS_PORT": "9000", "CLASS_FOLDER": "/srv/class"})
    assert (asked.port, str(asked.folder)) == (9000, "/srv/class")
    assert settings.read(asked.environment()) == asked


def test_names_txt_says_who_may_come_and_a_bad_line_is_told(tmp_path):
    assert settings.names(tmp_path) == set()
    (tmp_path / "names.txt").write_text("Li\n\n李雷\n", encoding="utf-8")
    assert settings.names(tmp_path) == {"li", "李雷"}
    (tmp_path / "names.txt").write_text("li\n../li\n", encoding="utf-8")
    with pytest.raises(BadSetting, match=r"'\.\./li'"):
        settings.names(tmp_path)


@pytest.fixture
def notebooks(tmp_path):
    """One chapter, as the course has it."""
    place = tmp_path / "notebooks"
    place.mkdir()
    write(place / "01_dots.ipynb", "first edition")
    return place


def write(path, text):
    cell = {
        "cell_type": "code", "id": "a", "metadata": {}, "source": [text], "execution_count": 1,
        "outputs": [{"output_type": "stream", "name": "stdout", "text": "the answer"}],
    }  # fmt: skip
    path.write_text(json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4}), encoding="utf-8")


def commits(place):
    command = ["git", "rev-list", "--count", BRANCH]
    return int(subprocess.check_output(command, cwd=place))


def test_an_edition_is_committed_once_and_without_outputs(notebooks, tmp_path):
    place = publish(notebooks, tmp_path / "class")
    assert publish(notebooks, tmp_path / "class") == place
    assert commits(place) == 1
    assert "the answer" not in (place / "01_dots.ipynb").read_text()
    write(notebooks / "01_dots.ipynb", "second edition")
    publish(notebooks, tmp_path / "class")
    assert commits(place) == 2


def test_a_link_names_the_chapter_and_the_edition(tmp_path):
    made = link("http://127.0.0.1:8000", tmp_path / "course", "01_dots")
    assert made.startswith("http://127.0.0.1:8000/hub/user-redirect/git-pull?repo=")
    assert made.endswith("&urlpath=lab%2Ftree%2F01_dots.ipynb")


def test_what_is_new_in_a_learners_folder_stands_in_a_file_there(notebooks, tmp_path):
    work = tmp_path / "learner"
    lay_for(work, notebooks)
    write(work / "01_dots.ipynb", "mine")
    write(notebooks / "01_dots.ipynb", "second edition")
    lay_for(work, notebooks)
    assert "mine" in (work / "01_dots.ipynb").read_text()
    assert "second edition" in (work / "01_dots.new.ipynb").read_text()
    assert "kept, as you changed it" in (work / NEWS).read_text()


def test_a_pull_of_another_repository_lays_nothing(notebooks):
    command = [sys.executable, "-m", "deploy.laying"]
    subprocess.run(command, cwd=notebooks, env={"PYTHONPATH": str(ROOT)}, check=True)
    assert {path.name for path in notebooks.parent.iterdir()} == {"notebooks"}
