"""course_lib.kernels works where nothing is installed but numpy, or torch (and Triton)."""

import importlib.metadata
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tools.house import imports

ROOT = Path(__file__).resolve().parents[2]
KERNELS = ROOT / "course_lib" / "kernels"
MODULES = sorted(path.stem for path in KERNELS.glob("*.py") if path.stem != "__init__")
SCRIPT = """
import importlib, json, sys

root, modules, allowed = json.loads(sys.argv[1])

class NothingElse:
    def find_spec(self, name, path=None, target=None):
        first = name.partition(".")[0]
        standard = first in sys.stdlib_module_names or first.startswith("_sysconfigdata")
        if first not in allowed and not standard:
            raise ModuleNotFoundError(f"No module named {first!r}", name=first)

sys.path.insert(0, root)
sys.meta_path.insert(0, NothingElse())
for package in allowed:  # what torch imports when it is first used, too
    if package in ("numpy", "torch", "triton"):
        importlib.import_module(package)
missing = {}
for module in modules:
    try:
        imported = importlib.import_module(f"course_lib.kernels.{module}")
        assert imported.__file__.startswith(root), imported.__file__
    except ModuleNotFoundError as error:
        missing[module] = error.name
print(json.dumps(missing))
"""


def brought_by(*packages):
    """The import names of these distributions and of all that they require."""
    waiting, known = list(packages), set()
    while waiting:
        name = re.sub(r"[-_.]+", "-", waiting.pop()).lower()
        if name in known:
            continue
        try:
            required = importlib.metadata.requires(name) or []
        except importlib.metadata.PackageNotFoundError:
            continue
        known.add(name)
        waiting += [re.match(r"[\w.-]+", one)[0] for one in required if "extra ==" not in one]
    modules = importlib.metadata.packages_distributions()
    return {
        module
        for module, owners in modules.items()
        if known & {re.sub(r"[-_.]+", "-", owner).lower() for owner in owners}
    }


@pytest.fixture(scope="module")
def copied(tmp_path_factory):
    """A folder with a course_lib that holds nothing but the kernels."""
    root = tmp_path_factory.mktemp("kernels")
    shutil.copytree(KERNELS, root / "course_lib" / "kernels")
    (root / "course_lib" / "__init__.py").touch()
    return root


def missing(root, *packages):
    """Of the kernels' modules, those that do not import, and the first thing that they lack."""
    allowed = sorted({"course_lib", *brought_by(*packages)})
    asked = json.dumps([str(root), MODULES, allowed])
    command = [sys.executable, "-I", "-c", SCRIPT, asked]
    done = subprocess.run(command, capture_output=True, text=True, cwd=root)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def importing(package):
    """The modules of the kernels that import a package, themselves or by another kernel."""
    named = {module: {name for _, name in imports(KERNELS / f"{module}.py")} for module in MODULES}
    found = {
        module
        for module, names in named.items()
        if any(name.partition(".")[0] == package for name in names)
    }
    while True:
        others = {
            module
            for module, names in named.items()
            if any(name.startswith(f"course_lib.kernels.{one}") for one in found for name in names)
        }
        if others <= found:
            return found
        found |= others


def test_with_torch_and_triton_all_import(copied):
    pytest.importorskip("triton", reason="this system has no Triton")
    assert missing(copied, "numpy", "torch", "triton") == {}


def test_without_triton_all_import_but_its_own(copied):
    absent = missing(copied, "numpy", "torch")
    if "triton" in brought_by("torch"):
        pytest.skip("this torch brings triton along")
    assert set(absent.values()) <= {"triton"}
    assert set(absent) <= importing("triton")


def test_with_numpy_alone_all_import_that_do_not_use_torch(copied):
    absent = missing(copied, "numpy")
    assert set(absent.values()) <= {"torch", "triton"}
    assert set(absent) <= importing("torch") | importing("triton")
    assert {"attention", "masks", "softmax", "heads"} & set(MODULES) - set(absent)


def test_what_is_not_allowed_is_refused(copied):
    (copied / "course_lib" / "kernels" / "masks.py").write_text("import matplotlib\n")
    try:
        assert missing(copied, "numpy")["masks"] == "matplotlib"
    finally:
        shutil.copy(KERNELS / "masks.py", copied / "course_lib" / "kernels" / "masks.py")
