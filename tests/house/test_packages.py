"""pyproject.toml, constraints.txt, environment.yml and the others name the same packages."""

import re
import tomllib
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from tools.environment import OLDEST

ROOT = Path(__file__).resolve().parents[2]
TABLE = tomllib.loads((ROOT / "pyproject.toml").read_text())
PROJECT = TABLE["project"]
GROUPS = {"base": PROJECT["dependencies"], **PROJECT["optional-dependencies"]}
DIRECT = [Requirement(text) for group in GROUPS.values() for text in group]
LEARNERS = ("base", "torch", "lab")  # what conda and Binder install
ON_REQUEST = {"gpt2"}  # for one section of chapter 7, which says how to install it
CONDA_NAMES = {"pytorch": "torch"}


def pins():
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    return [Requirement(line) for line in lines if line and not line.startswith("#")]


def environment():
    return yaml.safe_load((ROOT / "environment.yml").read_text())["dependencies"]


def conda():
    """The packages of environment.yml by their names on pip."""
    found = {}
    for entry in environment():
        if isinstance(entry, str) and entry != "pip":
            requirement = Requirement(entry)
            found[CONDA_NAMES.get(requirement.name, requirement.name)] = str(requirement.specifier)
    return found


def test_every_pin_is_exact_and_there_once():
    names = [canonicalize_name(pin.name) for pin in pins()]
    assert len(names) == len(set(names))
    assert names == sorted(names), "sorted, so that a difference is easy to read"
    for pin in pins():
        assert re.fullmatch(r"==[\w.]+", str(pin.specifier)), f"{pin} is not pinned"


@pytest.mark.parametrize("requirement", DIRECT, ids=lambda requirement: requirement.name)
def test_each_direct_dependency_has_a_floor_and_a_pin_above_it(requirement):
    assert str(requirement.specifier).startswith(">="), f"{requirement} has no floor"
    pinned = {canonicalize_name(pin.name): pin for pin in pins()}
    assert canonicalize_name(requirement.name) in pinned, f"{requirement.name} is not pinned"
    version = next(iter(pinned[canonicalize_name(requirement.name)].specifier)).version
    assert requirement.specifier.contains(Version(version)), f"pin {version}, floor {requirement}"


@pytest.mark.parametrize("group", GROUPS)
def test_no_group_names_a_dependency_twice(group):
    names = [canonicalize_name(Requirement(line).name) for line in GROUPS[group]]
    assert len(names) == len(set(names))


def test_conda_and_binder_get_what_a_learner_needs():
    wanted = {
        requirement.name: str(requirement.specifier)
        for requirement in map(Requirement, (line for name in LEARNERS for line in GROUPS[name]))
        if requirement.marker is None  # what not every system has comes with the course, by pip
    }
    found = conda()
    assert found.pop("python") == PROJECT["requires-python"]
    assert found == wanted


def test_conda_installs_the_course_itself():
    assert {"pip": ["-e .[torch]"]} in environment()
    assert "pip" in environment()


def test_the_oldest_python_is_the_same_everywhere():
    oldest = ".".join(map(str, OLDEST))
    assert PROJECT["requires-python"] == f">={oldest}"
    assert TABLE["tool"]["ruff"]["target-version"] == f"py{oldest.replace('.', '')}"
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "test.yml").read_text())
    assert workflow["jobs"]["test"]["strategy"]["matrix"]["python"][0] == oldest


def test_the_makefile_asks_for_extras_that_exist():
    asked = re.findall(r"\$\(ENVIRONMENT\) (.+)", (ROOT / "Makefile").read_text())
    assert len(asked) >= 4
    named = {extra for line in asked for extra in line.split()}
    assert named | ON_REQUEST == set(PROJECT["optional-dependencies"])
