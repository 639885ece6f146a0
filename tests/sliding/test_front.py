import shutil
import subprocess
from pathlib import Path

import pytest

FRONT = Path(__file__).resolve().parents[2] / "course_lib" / "sliding" / "front"
OWN = Path(__file__).parent / "explorer.test.mjs"


@pytest.mark.skipif(shutil.which("node") is None, reason="no node: it runs the front end's tests")
def test_the_front_ends_own_tests_pass():
    done = subprocess.run(
        ["node", "--test", str(OWN)], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stdout
    assert "# fail 0" in done.stdout
    assert "# pass 0" not in done.stdout


def test_the_front_end_stays_small_and_needs_no_build_step():
    lines = (FRONT / "explorer.js").read_text(encoding="utf-8").splitlines()
    assert len(lines) < 400
    assert all(len(line) <= 100 for line in lines)
    assert not any(line.startswith("import ") for line in lines)


def test_the_module_knows_no_kernel_but_in_its_last_part():
    text = (FRONT / "explorer.js").read_text(encoding="utf-8")
    page = text[: text.index("/** The kernel behind a notebook")]
    assert "model" not in page
    assert "export function mount(el, start, source)" in page
