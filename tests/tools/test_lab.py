"""tools/lab.py: learners get the newest copy, and keep every word that they typed."""

import json
import os
from pathlib import Path

import pytest

from tests.tools.lab_folders import NAME, NEW, files, notebook, publish, texts, write
from tools import lab
from tools.lab import lay


def test_a_copy_has_no_outputs_and_no_counts(notebooks, work):
    said = lay(notebooks, work)
    for cell in json.loads((work / NAME).read_text())["cells"]:
        assert cell["outputs"] == []
        assert cell["execution_count"] is None
    assert texts(work / NAME) == ["x = ...", "print(x)"]
    assert said == [f"{NAME}: laid"]


def test_a_copy_of_a_real_chapter_begins_with_its_title_not_with_colab(work):
    lay(Path(__file__).resolve().parents[2] / "notebooks", work)
    copies = sorted(work.glob("*.ipynb"))
    assert copies
    for copy in copies:
        assert texts(copy)[0].startswith("# ")
        assert "google.colab" not in "".join(texts(copy))


def test_solutions_are_not_copied(notebooks, work):
    lay(notebooks, work)
    assert files(work) == [NAME]


def test_a_second_call_changes_nothing_and_says_nothing(notebooks, work):
    lay(notebooks, work)
    before = (work / NAME).stat().st_mtime_ns
    assert lay(notebooks, work) == []
    assert (work / NAME).stat().st_mtime_ns == before


def test_an_untouched_copy_is_renewed(notebooks, work):
    lay(notebooks, work)
    publish(notebooks, notebook("x = ...", "print(x + 1)"))
    assert "renewed" in lay(notebooks, work)[0]
    assert texts(work / NAME) == ["x = ...", "print(x + 1)"]
    assert files(work) == [NAME]


def test_an_edited_copy_is_kept_and_the_newer_one_laid_beside(notebooks, work):
    lay(notebooks, work)
    write(work / NAME, "x = 'mine'", "print(x)")
    assert lay(notebooks, work) == [], "no newer version: nothing to say"
    publish(notebooks, notebook("x = ...", "print(x + 1)"))
    said = lay(notebooks, work)
    assert len(said) == 1
    assert NEW in said[0]
    assert texts(work / NAME) == ["x = 'mine'", "print(x)"]
    assert texts(work / NEW) == ["x = ...", "print(x + 1)"]
    assert lay(notebooks, work) == said, "a reminder; nothing else is laid"
    assert files(work) == [NAME, NEW]


def test_an_edited_new_copy_is_kept_too(notebooks, work):
    lay(notebooks, work)
    write(work / NAME, "mine")
    publish(notebooks, notebook("second"))
    lay(notebooks, work)
    write(work / NEW, "mine too")
    lay(notebooks, work)
    assert files(work) == [NAME, NEW], "the newest version is what was edited"
    publish(notebooks, notebook("third"))
    said = lay(notebooks, work)
    assert texts(work / NAME) == ["mine"]
    assert texts(work / NEW) == ["mine too"]
    assert texts(work / "01_dot.new.2.ipynb") == ["third"]
    assert "01_dot.new.2.ipynb" in said[0]


def test_an_untouched_new_copy_is_renewed(notebooks, work):
    lay(notebooks, work)
    write(work / NAME, "mine")
    for text in ("second", "third"):
        publish(notebooks, notebook(text))
        lay(notebooks, work)
    assert files(work) == [NAME, NEW]
    assert texts(work / NEW) == ["third"]


def test_a_deleted_new_copy_is_not_laid_again(notebooks, work):
    lay(notebooks, work)
    write(work / NAME, "mine")
    publish(notebooks, notebook("second"))
    lay(notebooks, work)
    (work / NEW).unlink()
    assert lay(notebooks, work) == []
    assert files(work) == [NAME]


def test_a_deleted_copy_starts_over(notebooks, work):
    lay(notebooks, work)
    (work / NAME).unlink()
    assert lay(notebooks, work) == [f"{NAME}: laid"]


def test_a_file_that_the_manifest_does_not_know_is_kept(notebooks, work):
    work.mkdir()
    write(work / NAME, "somebody's")
    lay(notebooks, work)
    assert texts(work / NAME) == ["somebody's"]
    assert texts(work / NEW) == ["x = ...", "print(x)"]


@pytest.mark.parametrize("content", ["", "not json", "[]", "{}", '{"cells": 1}', '{"cells": [1]}'])
@pytest.mark.parametrize("known", [True, False])
def test_a_file_that_cannot_be_read_is_kept(notebooks, work, content, known):
    if known:
        lay(notebooks, work)
    work.mkdir(exist_ok=True)
    (work / NAME).write_text(content)
    publish(notebooks, notebook("second"))
    lay(notebooks, work)
    lay(notebooks, work)
    assert (work / NAME).read_text() == content
    assert texts(work / NEW) == ["second"]


@pytest.mark.parametrize("damage", ["", "{", "[1]", '{"01_dot.ipynb": 3}'])
def test_a_damaged_manifest_costs_nothing_typed(notebooks, work, damage):
    lay(notebooks, work)
    write(work / NAME, "mine")
    (work / lab.MANIFEST).write_text(damage)
    publish(notebooks, notebook("second"))
    said = lay(notebooks, work)
    assert "could not be read" in said[0]
    assert (work / ".laid.damaged.json").read_text() == damage
    assert texts(work / NAME) == ["mine"]
    assert texts(work / NEW) == ["second"]
    assert lay(notebooks, work) == said[1:], "the new manifest is whole"


def test_what_jupyterlab_rewrites_is_not_typed(notebooks, work):
    lay(notebooks, work)
    saved = notebook("x = ...", "print(x)\n", outputs=[{"output_type": "stream", "text": "1"}])
    saved["metadata"] = {"kernelspec": {"name": "other"}, "language_info": {"version": "3"}}
    saved["cells"][1]["source"] = ["print(", "x)"]
    saved["cells"][1]["metadata"] = {"collapsed": True}
    saved["cells"].append({"cell_type": "code", "source": "", "metadata": {}, "outputs": []})
    (work / NAME).write_text(json.dumps(saved, indent=4))
    publish(notebooks, notebook("second"))
    assert "renewed" in lay(notebooks, work)[0]


@pytest.mark.parametrize(
    "change",
    [
        lambda cells: cells[0].update(source="x = ... "),
        lambda cells: cells[0].update(cell_type="markdown"),
        lambda cells: cells.reverse(),
        lambda cells: cells.pop(),
        lambda cells: cells.append({"cell_type": "raw", "source": "note", "metadata": {}}),
        lambda cells: cells[0].update(attachments={"a.png": {}}),
    ],
    ids=["a space", "kind", "order", "deleted", "added", "pasted picture"],
)
def test_whatever_a_learner_changes_counts_as_typed(notebooks, work, change):
    lay(notebooks, work)
    saved = json.loads((work / NAME).read_text())
    change(saved["cells"])
    (work / NAME).write_text(json.dumps(saved))
    kept = (work / NAME).read_text()
    publish(notebooks, notebook("second"))
    lay(notebooks, work)
    assert (work / NAME).read_text() == kept


def test_chapters_are_laid_in_turn_and_the_first_is_opened(notebooks, work, monkeypatch):
    (notebooks / "02_cosine.ipynb").write_text(json.dumps(notebook("y")))
    started = []
    monkeypatch.setattr(os, "chdir", lambda folder: started.append(folder))
    monkeypatch.setattr(os, "execve", lambda program, words, env: started.append((words, env)))
    lab.main(["--port", "9999", "--no-browser"], notebooks, work)
    folder, (words, env) = started
    assert folder == work
    assert "--LabApp.default_url=/lab/tree/01_dot.ipynb" in words
    assert "--ServerApp.port=9999" in words
    assert "--ServerApp.ip=127.0.0.1" in words
    assert "--no-browser" in words
    assert env["JUPYTER_PREFER_ENV_PATH"] == "1"
    assert env["OMP_WAIT_POLICY"] == os.environ.get("OMP_WAIT_POLICY", "PASSIVE")
    assert files(work) == [NAME, "02_cosine.ipynb"]


def test_laying_only_starts_nothing(notebooks, work, monkeypatch):
    monkeypatch.setattr(os, "execve", lambda *words: pytest.fail("started"))
    assert lab.main(["--no-start"], notebooks, work) == 0
    assert files(work) == [NAME]


def test_without_notebooks_it_says_how_to_make_them(tmp_path, capsys):
    assert lab.main([], tmp_path, tmp_path / "work") == 1
    assert "make notebooks" in capsys.readouterr().out
