"""Chapter 2's five stores: four find what was wanted by one metric only, one by any."""

import numpy as np
import pytest
from matplotlib.patches import FancyArrowPatch

from course_lib.chapters.cosine_or_dot import stores, what_stores_find
from course_lib.chapters.cosine_or_dot.exercises.which_metric import CONSEQUENCES, which_metric
from tests.chapters.caught import caught, drawn

WANTED = {
    "notes": "jam recipes",
    "songs": "a hit",
    "bakeries": "at the corner",
    "whole": "heating bill",
    "cut": "dentist's number",
}


@pytest.fixture
def shown(monkeypatch):
    return caught(monkeypatch, what_stores_find)


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


def test_each_store_names_by_each_metric_what_it_finds_and_ticks_what_was_wanted(shown):
    what_stores_find.show_stores(which_metric)
    figure, words = drawn(shown)
    titles = [plane.get_title(loc="left") for plane in figure.axes]
    for line, name in enumerate(stores.STORES):
        finds = [stores.first_hit(stores.STORES[name], metric) for metric in stores.SCORES]
        ticked = [f"✓ {found}" if found == WANTED[name] else found for found in finds]
        assert titles[3 * line : 3 * line + 3] == ticked
    assert "notes: cosine ✓ jam recipes, inner product travel diary, distance a bill." in words


def test_no_row_lies_in_the_area_that_a_metric_would_like_better(shown):
    what_stores_find.show_stores(which_metric)
    figure, _ = drawn(shown)
    pairs = [(store, metric) for store in stores.STORES.values() for metric in stores.SCORES]
    for plane, (store, metric) in zip(figure.axes, pairs, strict=True):
        (area,) = [one for one in plane.patches if not isinstance(one, FancyArrowPatch)]
        edge = area.get_path().transformed(area.get_patch_transform())
        others = [
            row for name, row in store.rows.items() if name != stores.first_hit(store, metric)
        ]
        assert not edge.contains_points(others).any()


def test_above_each_metric_stands_in_how_many_stores_it_is_right(shown):
    what_stores_find.show_stores(which_metric)
    figure, _ = drawn(shown)
    texts = [text.get_text() for plane in figure.axes[:3] for text in plane.texts]
    assert {"cosine: 3 of 5", "inner product: 2 of 5", "distance: 2 of 5"} <= set(texts)


@pytest.mark.parametrize(
    ("chosen", "right", "framed"),
    [
        (which_metric(), 5, [0, 4, 8, 9, 10, 11, 12]),
        (["dot product"] * 5, 2, [1, 4, 7, 10, 13]),
        (["cosine", "manhattan", "cosine", "distance", "Cosine"], 3, [0, 6, 11, 12]),
    ],
)
def test_what_a_learner_chose_is_framed_and_the_headline_counts_what_it_finds(
    shown, chosen, right, framed
):
    what_stores_find.show_stores(lambda: chosen)
    figure, _ = drawn(shown)
    widths = [plane.spines["left"].get_linewidth() for plane in figure.axes]
    assert [place for place, width in enumerate(widths) if width > 2] == framed
    assert f"in {right} of 5 stores" in figure.get_suptitle()
