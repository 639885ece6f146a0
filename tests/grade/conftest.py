"""Files that no ordinary clearing up removes."""

import pytest

from tests.grade.hand_ins import clear_broken, write_broken


@pytest.fixture
def broken():
    """Lays files that are no notebooks into a folder (`write_broken`), and clears them up."""
    folders = []

    def lay(folder):
        folders.append(folder)
        return write_broken(folder)

    yield lay
    for folder in folders:
        clear_broken(folder)
