"""Chapter 2's five stores: four find what was wanted by one metric only, one by any."""

import numpy as np
import pytest

from course_lib.chapters.cosine_or_dot import stores
from course_lib.chapters.cosine_or_dot.exercises.which_metric import CONSEQUENCES, which_metric

WANTED = {
    "notes": "12 jam recipes",
    "songs": "a hit that fits",
    "bakeries": "the one at the corner",
    "whole": "the heating bill",
    "cut": "the dentist's number",
}


@pytest.mark.parametrize("name", stores.STORES)
def test_a_store_finds_what_was_wanted_by_its_own_metric_and_by_no_other(name):
    store = stores.STORES[name]
    finds = {metric: stores.first_hit(store, metric) for metric in stores.SCORES}
    right = [store.metric] if store.metric != stores.ANY else list(stores.SCORES)
    assert [metric for metric, found in finds.items() if found == WANTED[name]] == right


def test_all_lengths_are_1_in_the_one_store_where_any_metric_will_do():
    for store in stores.STORES.values():
        lengths = np.linalg.norm(list(store.rows.values()), axis=1)
        assert np.allclose(lengths, 1) == (store.metric == stores.ANY)


def test_a_learner_sees_the_rows_by_which_each_store_is_searched():
    shown = stores.small_stores()
    assert list(shown) == list(stores.STORES)
    for name, rows in shown.items():
        np.testing.assert_array_equal(rows, list(stores.STORES[name].rows.values()))


@pytest.mark.parametrize(("name", "metric"), CONSEQUENCES)
def test_what_a_learner_is_told_of_a_wrong_metric_is_what_the_store_finds(name, metric):
    assert stores.first_hit(stores.STORES[name], metric) in CONSEQUENCES[name, metric]


def test_every_wrong_choice_has_its_consequence():
    wrong = {
        (name, metric)
        for name, store in stores.STORES.items()
        for metric in (*stores.SCORES, stores.ANY)
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
        ("all three", "any"),
        ("manhattan", ""),
        (..., ""),
    ],
)
def test_a_metric_is_known_however_it_is_written(written, meant):
    assert stores.metric_named(written) == meant


def test_each_store_prints_what_it_finds_by_the_metric_that_was_chosen(capsys):
    stores.try_metrics(lambda: ("inner product",) * 5)
    assert "asked for plum jam, it finds the travel diary" in capsys.readouterr().out
    stores.try_metrics(which_metric)
    for line, wanted in zip(capsys.readouterr().out.splitlines(), WANTED.values(), strict=True):
        assert line.endswith(f"it finds {wanted}")


@pytest.mark.parametrize(
    ("metric", "misses"),
    [
        (
            "inner product",
            {
                "notes": "the travel diary",
                "bakeries": "the one at the airport",
                "cut": "the travel diary",
            },
        ),
        ("cosine", {"songs": "a demo that nobody plays", "bakeries": "the one five roads on"}),
    ],
)
def test_by_one_metric_everywhere_the_stores_that_miss_are_printed(metric, misses, capsys):
    stores.try_metrics(metric)
    _, headline, *lines = capsys.readouterr().out.splitlines()
    assert headline == f"{metric} everywhere: {len(misses)} of 5 stores miss what was wanted"
    assert {line.split()[0]: line.split("it finds ")[1] for line in lines} == misses
