"""Chapter 2's five stores: four find what was wanted by one metric only, one by any."""

import numpy as np
import pytest
from matplotlib.patches import Circle, FancyArrowPatch, Rectangle
from matplotlib.text import Text
from matplotlib.transforms import Bbox

from course_lib.chapters.cosine_or_dot import stores, what_stores_find
from course_lib.chapters.cosine_or_dot.exercises.which_metric import CONSEQUENCES, which_metric
from course_lib.learner.bound import Bound
from tests.chapters.caught import caught, drawn

WANTED = {
    "notes": "jam",
    "songs": "a hit",
    "bakeries": "corner",
    "whole": "heating bill",
    "cut": "dentist",
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
        ("Euclidean", "distance"),
        ("all three", "any"),
        ("manhattan", ""),
        (..., ""),
    ],
)
def test_a_metric_is_known_however_it_is_written(written, meant):
    assert stores.metric_named(written) == meant


def areas(plane) -> list:
    """What is shaded, as paths in the plane's own numbers."""
    patches = [one for one in plane.patches if not isinstance(one, FancyArrowPatch)]
    return [one.get_path().transformed(one.get_patch_transform()) for one in patches]


def names(plane) -> list[str]:
    """What stands at the dots."""
    return [text.get_text() for text in plane.texts if text.get_text()]


def test_each_row_has_its_name_and_what_a_metric_finds_a_mark(shown):
    what_stores_find.show_metrics("songs", "cut")
    figure, words = drawn(shown)
    pairs = [(name, metric) for name in ("songs", "cut") for metric in stores.SCORES]
    for plane, (name, metric) in zip(figure.axes, pairs, strict=True):
        store = stores.STORES[name]
        found = stores.first_hit(store, metric)
        mark = "✓" if found == WANTED[name] else "✗"
        marked = [f"{mark} {one}" if one == found else one for one in store.rows]
        assert names(plane)[-len(marked) :] == marked
    assert "songs: cosine ✗ rare song, inner product ✓ a hit, distance ✗ a poor fit." in words


@pytest.mark.parametrize(
    ("named", "headline"),
    [
        (["notes", "bakeries"], "Each metric finds another row (filled)"),
        (["notes", "whole"], "What each metric finds (filled)"),
    ],
)
def test_the_headline_says_each_another_only_where_it_is_so(shown, named, headline):
    what_stores_find.show_metrics(*named)
    figure, _ = drawn(shown)
    assert figure.get_suptitle() == headline


def test_no_row_lies_in_the_area_that_a_metric_would_like_better(shown):
    what_stores_find.show_metrics(*stores.STORES)
    figure, _ = drawn(shown)
    pairs = [(store, metric) for store in stores.STORES.values() for metric in stores.SCORES]
    for plane, (store, metric) in zip(figure.axes, pairs, strict=True):
        (area,) = areas(plane)
        found = stores.first_hit(store, metric)
        others = [row for name, row in store.rows.items() if name != found]
        assert not area.contains_points(others).any()


def test_beside_the_stores_stands_how_many_each_metric_alone_would_serve(shown):
    what_stores_find.show_stores(which_metric)
    figure, _ = drawn(shown)
    told = set(names(figure.axes[-1]))
    assert {"cosine: 3 of 5", "inner product: 2 of 5", "distance: 2 of 5"} <= told


def test_before_each_of_these_stands_the_shape_of_what_that_metric_shades(shown):
    what_stores_find.show_stores(which_metric)
    figure, words = drawn(shown)
    wedge, beyond, disc = figure.axes[-1].patches
    assert (len(wedge.get_xy()), type(beyond), type(disc)) == (3, Rectangle, Circle)
    assert "a wedge, all beyond a line, or a disc" in words


def test_what_a_hit_may_be_by_any_metric_is_told_once():
    assert stores.all_hits(stores.STORES["whole"], "any") == ["heating bill"]
    assert stores.all_hits(stores.STORES["cut"], "any") == ["dentist", "diary"]
    assert stores.all_hits(stores.STORES["cut"], "distance") == ["diary"]


@pytest.mark.parametrize(
    ("chosen", "right"),
    [
        (which_metric(), 5),
        (["dot product"] * 5, 2),
        (["cosine", "manhattan", "cosine", "distance", "Cosine"], 3),
        (["any"] * 5, 1),
    ],
)
def test_each_store_is_asked_by_the_metric_that_was_chosen_and_the_headline_counts(
    shown, chosen, right
):
    what_stores_find.show_stores(lambda: chosen)
    figure, _ = drawn(shown)
    assert f"in {right} of 5 stores" in figure.get_suptitle()
    for plane, name, metric in zip(figure.axes, stores.STORES, chosen, strict=False):
        meant = stores.metric_named(metric)
        assert plane.get_title(loc="left") == f"{name}: {meant or 'no metric'}"
        asked = list(stores.SCORES) if meant == "any" else [meant] if meant else []
        found = {stores.first_hit(stores.STORES[name], one) for one in asked}
        marks = {one: "✓ " if one == WANTED[name] else "✗ " for one in found}
        rows = stores.STORES[name].rows
        tail = what_stores_find.ASKING.get(name, f"{stores.STORES[name].asked}?")
        assert set(names(plane)) == {tail, *(marks.get(one, "") + one for one in rows)}
        assert len(areas(plane)) == bool(asked)  # by "any" that of the cosine alone


def bound(yours, source):
    """What an exercise binds to its name."""

    def given():
        return which_metric()

    vars(given).update(Bound(yours, source).attributes())
    return given


def test_a_wrong_choice_is_drawn_as_the_learners_and_not_replaced(shown):
    wrong = ("inner product", "inner product", "distance", "any", ...)
    for source in ("course", "yours"):
        what_stores_find.show_stores(bound(lambda: wrong, source))
        figure, words = drawn(shown)
        titles = [plane.get_title(loc="left") for plane in figure.axes[:-1]]
        assert titles[0] == "notes: inner product"
        assert titles[-1] == "cut: no metric"
        assert "Your metrics find what was wanted in 3 of 5 stores." in words


def fails():
    raise KeyError("notes")


@pytest.mark.parametrize("yours", [None, fails, lambda: None, lambda: 3, lambda: (...,) * 5])
def test_where_nothing_was_chosen_the_headline_says_that_the_metrics_are_the_courses(shown, yours):
    what_stores_find.show_stores(bound(yours, "course"))
    figure, words = drawn(shown)
    headline = "The course's metrics find what was wanted in 5 of 5 stores"
    assert figure.get_suptitle() == headline
    assert headline in words


def arcs(plane) -> list:
    """The lines of a plane that are no dots."""
    return [line.get_xydata() for line in plane.lines if len(line.get_xydata()) > 1]


def test_by_any_an_arc_goes_through_all_rows_where_all_lengths_are_1_and_nowhere_else(shown):
    what_stores_find.show_stores(lambda: ["any"] * 5)
    figure, _ = drawn(shown)
    for plane, store in zip(figure.axes, stores.STORES.values(), strict=False):
        (arc,) = arcs(plane)
        far = np.linalg.norm(store.table[:, None] - arc, axis=2).min(axis=1)
        assert (far < 0.02).all() == (store.metric == stores.ANY)
        assert np.allclose(np.linalg.norm(arc, axis=1), np.linalg.norm(store.question))


def test_no_arc_is_drawn_where_one_metric_is_chosen(shown):
    what_stores_find.show_stores(lambda: ["cosine"] * 5)
    figure, _ = drawn(shown)
    assert not any(arcs(plane) for plane in figure.axes[:-1])


@pytest.mark.parametrize(
    "chosen", [which_metric(), *([one] * 5 for one in (*stores.SCORES, "any"))]
)
def test_the_names_of_the_stores_stay_in_their_frames_and_off_each_other(shown, chosen):
    what_stores_find.show_stores(lambda: chosen)
    figure, _ = drawn(shown)
    figure.draw_without_rendering()
    for plane in figure.axes[:-1]:
        frame, boxes = (
            plane.get_window_extent(),
            [at_dot(one) for one in plane.texts if one.get_text()],
        )
        for i, box in enumerate(boxes):
            assert frame.x0 <= box.x0 < box.x1 <= frame.x1
            assert frame.y0 <= box.y0 < box.y1 <= frame.y1
            assert not any(box.overlaps(other) for other in boxes[:i])


@pytest.mark.parametrize(
    "show",
    [
        lambda: what_stores_find.show_stores(which_metric),
        lambda: what_stores_find.show_metrics("notes", "bakeries"),
    ],
)
def test_no_border_runs_through_a_name_in_the_pictures_of_the_page(shown, show):
    show()
    figure, _ = drawn(shown)
    figure.draw_without_rendering()
    for plane in figure.axes:
        borders = [one.transformed(plane.transData) for one in areas(plane)]
        for text in plane.texts:
            if text.get_text():
                assert not any(one.intersects_bbox(letters(text), filled=False) for one in borders)


def at_dot(text):
    """Where a name stands, without the place of the dot that it belongs to."""
    return Text.get_window_extent(text)


def letters(text):
    """The box of a name; above low letters, as in "jam", its line leaves two pixels free."""
    box, free = at_dot(text), 0 if set(text.get_text()) & set("bdfhklt") else 2
    return Bbox.from_extents(box.x0, box.y0, box.x1, box.y1 - free)
