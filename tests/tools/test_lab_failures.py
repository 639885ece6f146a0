"""tools/lab.py where something fails: an interrupt, a full disk, a folder that is none."""

import errno
import os
from pathlib import Path

import pytest

from tests.tools.lab_folders import NAME, NEW, files, notebook, publish, texts, write
from tools import lab
from tools.lab import lay


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
