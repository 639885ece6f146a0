import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from course_lib.sliding.front_end import FRONT, PARTS, front_end

OWN = Path(__file__).parent / "explorer.test.mjs"
SCRIPTS = sorted(FRONT.glob("*.js"))
IMPORT = re.compile(r'^import \{ (.*) \} from "\./(\w+)\.js";$', re.MULTILINE)


@pytest.mark.skipif(shutil.which("node") is None, reason="no node: it runs the front end's tests")
def test_the_front_ends_own_tests_pass(tmp_path):
    whole = tmp_path / "explorer.js"
    whole.write_text(front_end(), encoding="utf-8")
    done = subprocess.run(
        ["node", "--test", str(OWN)],
        env={**os.environ, "FRONT_END": str(whole)},
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
    assert "# fail 0" in done.stdout
    assert "# pass 0" not in done.stdout


def test_one_module_holds_every_part_and_imports_nothing():
    assert sorted(PARTS) == [path.stem for path in SCRIPTS]
    whole = front_end()
    assert not re.search(r"^import ", whole, re.MULTILINE)
    named = re.findall(r"^(?:export )?(?:const|function|class) (\w+)", whole, re.MULTILINE)
    assert len(named) > 20
    assert len(named) == len(set(named)), "two parts give one name to two things"


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_a_part_imports_only_what_stands_before_it_and_what_is_there(path):
    before = PARTS[: PARTS.index(path.stem)]
    text = path.read_text(encoding="utf-8")
    for names, part in IMPORT.findall(text):
        assert part in before
        given = (FRONT / f"{part}.js").read_text(encoding="utf-8")
        for name in names.split(", "):
            assert re.search(rf"^export (const|function|class) {name}\b", given, re.MULTILINE)
            assert len(re.findall(rf"\b{name}\b", text)) > 1, f"{name} is imported for nothing"
    assert all(len(line) <= 100 for line in text.splitlines())


def test_only_the_part_that_asks_and_the_last_lines_know_a_kernel():
    for path in SCRIPTS:
        text = path.read_text(encoding="utf-8").partition("export default")[0]
        assert path.stem == "asking" or "model" not in text
    assert "export function mount(el, start, source)" in front_end()
