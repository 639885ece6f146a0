"""The docstring of the folder names every file of it."""

import re
from pathlib import Path

from course_lib import kernels


def test_every_file_is_on_the_first_page_and_nothing_else():
    files = {path.stem for path in Path(kernels.__file__).parent.glob("*.py")} - {"__init__"}
    lines = re.findall(r"^    ([a-z_]+(?:, [a-z_]+)*)   ", kernels.__doc__, re.MULTILINE)
    named = [name for line in lines for name in line.split(", ")]
    assert sorted(named) == sorted(files)
