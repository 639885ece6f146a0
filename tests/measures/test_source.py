"""The text of kernels, found without importing them."""

import pytest

from course_lib.measures.source import source_of


def test_a_function_comes_without_decorator_and_docstring():
    text = source_of("triton_tiles", "forward")
    assert text.startswith("def forward(")
    assert '"""' not in text
    assert "tl.store" in text


def test_a_loop_stands_at_the_left():
    lines = source_of("triton_tiles", "forward", loop=True).splitlines()
    assert lines[0].startswith("for stage in tl.static_range(")
    assert all(line.startswith("    ") for line in lines[1:])


@pytest.mark.parametrize(("function", "loop"), [("nowhere", False), ("load", True)])
def test_what_is_not_there_is_said(function, loop):
    with pytest.raises(ValueError, match="has no"):
        source_of("triton_tiles", function, loop=loop)
