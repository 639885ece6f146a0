"""What several modules of tests of models are given."""

import shutil

import pytest

from course_lib.models.copying import load_copying


@pytest.fixture(scope="session")
def written(tmp_path_factory):
    """A folder with a checkpoint, and the model that wrote it."""
    from tests.models.gpt2_folders import write_checkpoint  # it needs packages of its own

    folder = tmp_path_factory.mktemp("gpt2")
    return folder, write_checkpoint(folder)


@pytest.fixture
def folder(written, tmp_path):
    """A copy of the checkpoint that a test may damage."""
    return shutil.copytree(written[0], tmp_path / "copy")


@pytest.fixture(scope="module")
def shipped():
    """The copying model that the course ships."""
    return load_copying()
