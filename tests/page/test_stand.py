"""Every address of the page comes from the one in pyproject.toml."""

import yaml

from tools.page import stand
from tools.pages import ROOT


def test_the_readme_links_to_the_page_on_its_first_screen():
    first = (ROOT / "README.md").read_text(encoding="utf-8").partition("\n## ")[0]
    assert f"]({stand.course().site})" in first


def test_all_addresses_follow_from_the_repository():
    course = stand.Addresses("https://github.com/Someone/lessons")
    assert course.site == "https://someone.github.io/lessons/"
    assert course.notebook("01_a") == (
        "https://github.com/Someone/lessons/blob/main/notebooks/01_a.ipynb"
    )
    assert course.colab("01_a") in course.links("01_a")
    opened = course.colab("01_a").partition("/github/")[2]
    assert opened == "Someone/lessons/blob/main/notebooks/colab/01_a.ipynb"


def test_the_workflow_publishes_what_the_makefile_makes():
    jobs = yaml.safe_load((ROOT / ".github/workflows/page.yml").read_text("utf-8"))["jobs"]
    steps = jobs["build"]["steps"]
    assert {"run": "make page"} in steps
    assert {"path": "site"} in [step.get("with") for step in steps]
    assert "deploy-pages" in jobs["publish"]["steps"][0]["uses"]
