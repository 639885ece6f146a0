"""What the documents tell a reader to type exists, and the server runs the same."""

import re
import subprocess
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
MAKEFILE = (ROOT / "Makefile").read_text()
TARGETS = set(re.findall(r"^([a-z]+):", MAKEFILE, flags=re.MULTILINE))
DOCUMENTS = ["README.md", "CONTRIBUTING.md"]


def code_in(document):
    """What stands in code spans and code blocks."""
    text = (ROOT / document).read_text(encoding="utf-8")
    return re.findall(r"```\w*\n(.*?)```", text, flags=re.DOTALL) + re.findall(r"`([^`\n]+)`", text)


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_make_command_exists(document):
    asked = {name for code in code_in(document) for name in re.findall(r"\bmake ([a-z]+)", code)}
    assert asked
    assert asked <= TARGETS, f"{document} names {asked - TARGETS}"


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_option_of_a_make_command_is_read(document):
    lines = [line for code in code_in(document) for line in code.splitlines() if "make " in line]
    asked = {name for line in lines for name in re.findall(r"\b([A-Z][A-Z_]+)=", line)}
    assert asked <= set(re.findall(r"^([A-Z_]+) (?:\?|:)=", MAKEFILE, flags=re.MULTILINE))


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_tool_that_is_named_exists(document):
    for code in code_in(document):
        for module in re.findall(r"python3? -m (tools\.\w+)", code):
            assert (ROOT / f"{module.replace('.', '/')}.py").exists(), module
        for path in re.findall(r"\b(?:tools|benchmarks)/\w+\.py", code):
            assert (ROOT / path).exists(), path


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_relative_link_leads_somewhere(document):
    text = (ROOT / document).read_text(encoding="utf-8")
    for address in re.findall(r"\]\(([^)#\s]+)[^)]*\)", text):
        if not re.match(r"https?:|mailto:", address):
            assert (ROOT / address).exists(), f"{document} links to {address}"


def test_help_says_what_each_target_does():
    said = subprocess.run(["make", "help"], cwd=ROOT, capture_output=True, text=True, check=True)
    assert set(re.findall(r"^make ([a-z]+) +\S", said.stdout, flags=re.MULTILINE)) == TARGETS


def test_no_file_is_named_like_a_target():
    phony = set(re.search(r"^\.PHONY: (.*)$", MAKEFILE, flags=re.MULTILINE)[1].split())
    assert phony == TARGETS


def test_the_servers_run_what_everyone_runs():
    script = (ROOT / ".ci" / "run").read_text()
    assert script.rstrip().endswith("exec make test")
    assert (ROOT / ".ci" / "run").stat().st_mode & 0o111, "not executable"
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "test.yml").read_text())
    commands = [step["run"] for step in workflow["jobs"]["test"]["steps"] if "run" in step]
    assert commands == [".ci/run"]
