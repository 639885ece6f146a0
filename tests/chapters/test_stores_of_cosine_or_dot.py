"""Chapter 2's four stores: each finds what was wanted by one metric, and tells it by the others."""

import pytest

from course_lib.chapters.cosine_or_dot import stores
from course_lib.chapters.cosine_or_dot.exercises.which_metric import CONSEQUENCES, which_metric

WANTED = {
    "notes": "12 jam recipes",
    "songs": "a hit that fits",
    "bakeries": "the one at the corner",
    "cut": "the dentist's number",
}


@pytest.mark.parametrize("name", stores.STORES)
def test_a_store_finds_what_was_wanted_by_its_own_metric_and_by_no_other(name):
    store = stores.STORES[name]
    finds = {metric: stores.first_hit(store, metric) for metric in stores.SCORES}
    assert [metric for metric, found in finds.items() if found == WANTED[name]] == [store.metric]


@pytest.mark.parametrize(("name", "metric"), CONSEQUENCES)
def test_what_a_learner_is_told_of_a_wrong_metric_is_what_the_store_finds(name, metric):
    assert stores.first_hit(stores.STORES[name], metric) in CONSEQUENCES[name, metric]


def test_every_wrong_choice_has_its_consequence():
    wrong = {
        (name, metric)
        for name, store in stores.STORES.items()
        for metric in stores.SCORES
        if metric != store.metric
    }
    assert set(CONSEQUENCES) == wrong


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("cosine", "cosine"),
        (" Inner  Product", "inner product"),
        ("inner_product", "inner product"),
        ("dot product", "inner product"),
        ("manhattan", ""),
        (..., ""),
    ],
)
def test_a_metric_is_known_however_it_is_written(written, meant):
    assert stores.metric_named(written) == meant


def test_each_store_prints_what_it_finds_by_the_metric_that_was_chosen(capsys):
    stores.try_metrics(lambda: ("inner product",) * 4)
    assert "asked for plum jam, it finds the travel diary" in capsys.readouterr().out
    stores.try_metrics(which_metric)
    for line, wanted in zip(capsys.readouterr().out.splitlines(), WANTED.values(), strict=True):
        assert line.endswith(f"it finds {wanted}")


def test_one_name_of_a_metric_is_used_for_all_four_stores(capsys):
    stores.try_metrics("inner product")
    _, headline, *lines = capsys.readouterr().out.splitlines()
    assert headline == "inner product for all four:"
    found = [line.split("it finds ")[1] for line in lines]
    assert found == [
        "the travel diary",
        "a hit that fits",
        "the one at the airport",
        "the travel diary",
    ]
