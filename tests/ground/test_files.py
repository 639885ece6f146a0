"""course_lib/files.py: a file has its old text or its new one, whatever happens in between."""

import os
from pathlib import Path

import pytest

from course_lib import files
from course_lib.files import replace


def contents(folder):
    return {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()}


def test_files_and_their_folders_are_written(tmp_path):
    replace({tmp_path / "new" / "a": "甲\n", tmp_path / "new" / "b": ""})
    assert contents(tmp_path / "new") == {"a": "甲\n", "b": ""}
    replace({tmp_path / "new" / "b": "2"})
    assert contents(tmp_path / "new") == {"a": "甲\n", "b": "2"}


@pytest.mark.parametrize("stop", [OSError("disk full"), KeyboardInterrupt()], ids=repr)
def test_what_stops_in_the_middle_of_writing_changes_no_file(tmp_path, monkeypatch, stop):
    replace({tmp_path / "a": "old a", tmp_path / "b": "old b"})
    whole, written = Path.write_text, []

    def half_way(path, text, **options):
        written.append(path)
        whole(path, text if len(written) == 1 else text[:2], **options)
        if len(written) == 2:
            raise stop

    monkeypatch.setattr(Path, "write_text", half_way)
    with pytest.raises(type(stop)):
        replace({tmp_path / "a": "new a", tmp_path / "b": "new b"})
    assert len(written) == 2
    assert contents(tmp_path) == {"a": "old a", "b": "old b"}, "and no draft is left"


def test_the_old_text_stands_until_the_new_one_is_whole(tmp_path, monkeypatch):
    replace({tmp_path / "a": "old"})
    really, seen = os.replace, []

    def watched(draft, path):
        seen.append((Path(draft).read_text(), Path(path).read_text()))
        really(draft, path)

    monkeypatch.setattr(os, "replace", watched)
    replace({tmp_path / "a": "new"})
    assert seen == [("new", "old")]


@pytest.mark.parametrize("times", [1, files.TRIES - 1, files.TRIES])
def test_a_file_that_another_process_reads_is_tried_again(tmp_path, monkeypatch, times):
    replace({tmp_path / "a": "old"})
    really, refused = os.replace, []

    def in_use(draft, path):
        if len(refused) < times:
            refused.append(path)
            raise PermissionError("in use")
        really(draft, path)

    monkeypatch.setattr(os, "replace", in_use)
    if times < files.TRIES:
        replace({tmp_path / "a": "new"})
        assert contents(tmp_path) == {"a": "new"}
    else:
        with pytest.raises(PermissionError):
            replace({tmp_path / "a": "new"})
        assert contents(tmp_path) == {"a": "old"}
