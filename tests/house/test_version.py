"""The version, the address and the licences are the same wherever they are named."""

import re
import tomllib
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
CITATION = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
CHANGES = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_the_citation_has_the_version_and_the_address_of_the_project():
    assert str(CITATION["version"]) == PROJECT["version"]
    assert CITATION["repository-code"] == PROJECT["urls"]["Repository"]
    assert CITATION["abstract"].startswith(PROJECT["description"].removesuffix("."))


def test_the_citation_has_what_its_form_asks_for():
    assert {"cff-version", "message", "title", "authors"} <= set(CITATION)
    assert all("name" in author for author in CITATION["authors"])


def test_both_licences_are_named_in_the_citation():
    licence = (ROOT / "LICENSE").read_text(encoding="utf-8")
    assert CITATION["license"] == ["MIT", "CC-BY-4.0"]
    assert "MIT License" in licence
    assert "Attribution 4.0" in licence


def test_the_changelog_has_this_version_below_what_is_not_released():
    versions = re.findall(r"^## \[(.+?)\]", CHANGES, re.M)
    assert versions[:2] == ["Unreleased", PROJECT["version"]]


def test_each_version_of_the_changelog_is_linked_and_its_sections_have_the_known_names():
    versions = re.findall(r"^## \[(.+?)\]", CHANGES, re.M)
    address = PROJECT["urls"]["Repository"]
    assert re.findall(rf"^\[(.+?)\]: {re.escape(address)}/", CHANGES, re.M) == versions
    sections = set(re.findall(r"^### (\w+)$", CHANGES, re.M))
    assert sections <= {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
