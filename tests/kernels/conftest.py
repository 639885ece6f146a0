"""What several modules of tests of kernels are given."""

import importlib

import pytest


@pytest.fixture
def theirs_of():
    """A module of torch.nn.attention by its name: not at once, since each loads the compiler."""
    return lambda name: importlib.import_module(f"torch.nn.attention.{name}")
