"""docs/class.md says what was measured, and the values for Kubernetes start what exists."""

import importlib.util
import json
from pathlib import Path

import pytest
import yaml

from benchmarks.in_class.table import row, server, server_row
from benchmarks.parts.record import latest
from deploy import settings

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "class.md").read_text(encoding="utf-8")
CLUSTER = ROOT / "deploy" / "kubernetes"
MEASURED = {name: latest(name) for name in ("class_size_01", "class_size_05")}


@pytest.mark.parametrize("name", MEASURED)
def test_the_page_says_what_was_measured(name):
    for size in MEASURED[name]["sizes"]:
        assert row(size) in PAGE
    assert MEASURED[name]["date"][:10] in PAGE
    for package in ("jupyterhub", "jupyterlab"):
        assert MEASURED[name]["versions"][package] in PAGE


@pytest.mark.parametrize("name", MEASURED)
@pytest.mark.parametrize("learners", [30, 300])
def test_the_page_says_which_server_follows(name, learners):
    assert server_row(MEASURED[name]["sizes"][-1], learners) in PAGE


def test_a_server_grows_with_the_class():
    one = {
        "processor_of_an_arrival_s": 3.0, "hub_and_proxy_processor_of_an_arrival_s": 1.0,
        "processor_of_a_step_ms": 20.0, "hub_and_proxy_mib": 512.0, "memory_mib": {"pss": 1024.0},
    }  # fmt: skip
    assert server(one, 30) == {"gib": 46, "arrive": 1.0, "slide": 0.9, "hub": 30.0}


def test_nothing_was_lost_in_what_was_measured():
    for measured in MEASURED.values():
        for size in measured["sizes"]:
            past = size["past_limits"]
            kept, of = past["kept what they had"].split(" of ")
            assert size["lost"] == []
            assert kept == of
            assert past["its notebook is as it was"] is True


def test_the_values_for_kubernetes_say_that_they_were_not_tried():
    for name in ("values.yaml", "Dockerfile"):
        assert "NOT TRIED" in (CLUSTER / name).read_text(encoding="utf-8")
    values = yaml.safe_load((CLUSTER / "values.yaml").read_text(encoding="utf-8"))
    assert importlib.util.find_spec(values["singleuser"]["cmd"][-1]) is not None
    told = values["singleuser"]["extraEnv"]
    known = settings.Settings().environment()
    assert {name for name in told if name.startswith("CLASS_")} <= set(known)
    assert settings.read(told).memory < 2048  # the sentence comes before the pod's own limit


def test_the_lock_of_the_proxy_names_no_place_to_load_from():
    lock = json.loads((ROOT / "deploy" / "package-lock.json").read_text(encoding="utf-8"))
    wanted = json.loads((ROOT / "deploy" / "package.json").read_text(encoding="utf-8"))
    assert lock["packages"][""]["dependencies"] == wanted["dependencies"]
    assert all("resolved" not in one for one in lock["packages"].values())
