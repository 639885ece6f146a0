"""tools/lab.py: learners get the newest copy, and keep every word that they typed."""

import errno
import json
import os
from pathlib import Path

import pytest

from tools import lab
from tools.lab import lay

NAME, NEW = "01_dot.ipynb", "01_dot.new.ipynb"


def notebook(*texts, outputs=(), **metadata):
    """A notebook with a code cell for each of `texts`."""
    cell = {"cell_type": "code", "metadata": {}, "execution_count": 3, "outputs": list(outputs)}
    cells = [{**cell, "id": f"id{i}", "source": text} for i, text in enumerate(texts)]
    return {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}


@pytest.fixture
def notebooks(tmp_path):
    folder = tmp_path / "notebooks"
    (folder / "solutions").mkdir(parents=True)
    publish(folder, notebook("x = ...", "print(x)", outputs=[{"output_type": "stream"}]))
    (folder / "solutions" / NAME).write_text(json.dumps(notebook("x = 1")))
    return folder


@pytest.fixture
def work(tmp_path):
    return tmp_path / "work"


def publish(notebooks, content):
    (notebooks / NAME).write_text(json.dumps(content))


def write(path, *texts):
    path.write_text(json.dumps(notebook(*texts)))


def texts(path):
    return ["".join(cell["source"]) for cell in json.loads(path.read_text())["cells"]]


def files(work):
    return sorted(path.name for path in work.iterdir() if not path.name.startswith("."))


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


def test_an_interrupted_call_leaves_no_half_written_file(notebooks, work, monkeypatch):
    lay(notebooks, work)
    before = (work / NAME).read_text()
    publish(notebooks, notebook("second"))

    def interrupted(*paths):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        lay(notebooks, work)
    assert (work / NAME).read_text() == before
    assert not list(work.glob(".*draft"))


def test_a_save_at_the_moment_of_replacing_is_kept(notebooks, work, monkeypatch):
    lay(notebooks, work)
    publish(notebooks, notebook("second"))
    really, saved = Path.write_text, []

    def write_text(path, text, **options):
        done = really(path, text, **options)
        if path.name.startswith(f".{NAME}.") and not saved:  # the draft is whole; now a save
            saved.append(path)
            write(work / NAME, "mine, this moment")
        return done

    monkeypatch.setattr(Path, "write_text", write_text)
    said = lay(notebooks, work)
    assert saved
    assert texts(work / NAME) == ["mine, this moment"]
    assert texts(work / NEW) == ["second"]
    assert NEW in said[0]


def test_what_a_killed_call_left_is_cleared(notebooks, work):
    work.mkdir()
    draft = work / f".{NAME}.0123.draft"
    draft.write_text("{half")
    os.utime(draft, (0, 0))
    lay(notebooks, work)
    assert not draft.exists()


def test_a_lost_manifest_claims_nothing_of_the_learner(notebooks, work):
    lay(notebooks, work)
    (work / lab.MANIFEST).unlink()
    publish(notebooks, notebook("second"))
    said = lay(notebooks, work)
    assert "as it may be yours" in said[0]
    assert "as you changed it" not in said[0]


@pytest.mark.parametrize("content", ["", "{", "[]", '{"cells": 3}', '{"cells": [3]}'])
def test_a_damaged_chapter_of_the_course_is_left_out_with_a_line(notebooks, work, content):
    (notebooks / "00_first.ipynb").write_text(content)
    said = lay(notebooks, work)
    assert said[0].startswith("00_first.ipynb: not laid")
    assert files(work) == [NAME]


def _a_file(work):
    work.write_text("")
    return "it is a file, and should be a folder"


def _a_dangling_link(work):
    work.symlink_to(work.with_name("nowhere") / "deep")
    return "it is a link to a folder that is not there"


@pytest.mark.parametrize("make", [_a_file, _a_dangling_link])
def test_work_that_is_no_folder_is_one_sentence(notebooks, work, capsys, make):
    why = make(work)
    assert lab.main(["--no-start"], notebooks, work) == 1
    said = capsys.readouterr().out
    assert said.count("\n") == 1
    assert why in said


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EROFS, errno.EACCES])
def test_a_disk_that_takes_nothing_is_one_sentence(notebooks, work, capsys, monkeypatch, code):
    def refuse(*args, **options):
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(Path, "write_text", refuse)
    assert lab.main(["--no-start"], notebooks, work) == 1
    said = capsys.readouterr().out
    assert said.count("\n") == 1
    assert os.strerror(code) in said


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
    assert files(work) == [NAME, "02_cosine.ipynb"]


def test_laying_only_starts_nothing(notebooks, work, monkeypatch):
    monkeypatch.setattr(os, "execve", lambda *words: pytest.fail("started"))
    assert lab.main(["--no-start"], notebooks, work) == 0
    assert files(work) == [NAME]


def test_without_notebooks_it_says_how_to_make_them(tmp_path, capsys):
    assert lab.main([], tmp_path, tmp_path / "work") == 1
    assert "make notebooks" in capsys.readouterr().out
