"""The wheel holds the whole library, data included, and works from where it is unpacked."""

import importlib.util
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", folder, ROOT]
    if importlib.util.find_spec("hatchling"):
        command.append("--no-build-isolation")
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    (path,) = folder.glob("*.whl")
    return path


def library_files():
    files = (path for path in (ROOT / "course_lib").rglob("*") if path.is_file())
    return {str(path.relative_to(ROOT)) for path in files if "__pycache__" not in path.parts}


def test_the_wheel_has_every_file_of_the_library_and_nothing_else(wheel):
    names = set(zipfile.ZipFile(wheel).namelist())
    inside = {name for name in names if not name.split("/")[0].endswith(".dist-info")}
    assert inside == library_files()


def test_the_unpacked_wheel_imports_without_the_repository(wheel, tmp_path):
    zipfile.ZipFile(wheel).extractall(tmp_path)
    modules = [
        name.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        for name in sorted(library_files())
        if name.endswith(".py")
    ]
    script = (
        f"import importlib, sys\nsys.path.insert(0, {str(tmp_path)!r})\n"
        f"for name in {modules!r}:\n"
        f"    file = importlib.import_module(name).__file__\n"
        f"    assert file.startswith({str(tmp_path)!r}), file\n"
        f"from course_lib.models.words import load_words\n"
        f"assert load_words().embedding.any(), 'the weights are package data'\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
