"""The explorer of heads on any text; the tests of every explorer see it on the copying model."""

import numpy as np
import pytest

from course_lib.chapters.multi_head.explorers import head_maps
from course_lib.chapters.multi_head.explorers.head_maps import (
    LONGEST,
    MOST,
    explore_copying_heads,
    explore_head_maps,
    head_maps_explorer,
)
from course_lib.figures.maps import LEAST_SHOWN, WIDEST_ARC
from course_lib.figures.readable import faults

LAYERS, HEADS = 3, 5
NAMES = ["The", " cats", " like", "$x$", " internationally", "\n", "\ufffd", "a $ b $ c", ".", " "]


def maps_with(best=(1, 2), t=10, layers=LAYERS, heads=HEADS):
    """Random causal maps, and one that looks at the token right before."""
    weights = np.tril(np.random.default_rng(0).random((layers, heads, t, t)))
    weights[best] = 0.05 * weights[best] + np.eye(t, k=-1) + np.eye(t) * (np.arange(t) == 0)
    return weights / weights.sum(axis=-1, keepdims=True)


def test_the_sliders_show_the_map_of_their_layer_head_and_place():
    maps = maps_with()
    explorer = head_maps_explorer(maps, NAMES)
    data = explorer.frame(layer=2, head=1, place=4).right
    np.testing.assert_array_equal(data["weights"], maps[2, 1])
    assert data["at"] == maps[2, 1, 4].argmax()
    rows = explorer._ours().numbers(explorer.frame(layer=2, head=1, place=4))
    assert [cell for _, cell in rows] == [f"{w:.2f}" for w in maps[2, 1, 4, :5]]


@pytest.mark.parametrize("best", [(0, 0), (1, 2), (2, 4)])
def test_the_goal_is_the_head_that_looks_right_before(best):
    explorer = head_maps_explorer(maps_with(best), NAMES)
    session = explorer._ours()
    reached = [
        (layer, head)
        for layer in range(LAYERS)
        for head in range(HEADS)
        if session.reached(explorer.frame(layer=layer, head=head))
    ]
    assert reached == [best]
    assert not session.reached(session.start)


def test_the_goal_of_the_copying_model_is_its_own():
    maps = head_maps._copying_maps()
    own = head_maps_explorer(maps, head_maps.TEXT)
    assert explore_copying_heads.goal.solution == own.goal.solution
    assert explore_copying_heads.start == own.start


def test_the_texts_of_any_token_can_be_read():
    names = [*NAMES, *NAMES][:MOST]
    explorer = head_maps_explorer(maps_with(t=len(names)), names)
    session = explorer._ours()
    session.draw(explorer.frame())
    assert faults(session.picture("one").figure) == []
    shown = explorer.frame().right["names"]
    assert max(map(len, shown)) <= LONGEST
    assert shown[1] == "_cats"
    assert "\n" not in "".join(shown)


def test_the_tokens_stand_in_the_sentence():
    explorer = head_maps_explorer(maps_with(), NAMES)
    said = explorer._ours().sentence(explorer.frame(layer=1, head=2, place=1))
    assert "'_cats' at place 1" in said
    assert "'The' at place 0" in said


def test_one_layer_and_one_head_need_no_slider_for_them():
    explorer = head_maps_explorer(maps_with((0, 0), layers=1, heads=1), NAMES)
    assert list(explorer.sliders) == ["place"]
    assert explorer.frame(place=3).right["layer"] == 0


@pytest.mark.parametrize(
    ("maps", "names", "said"),
    [
        (maps_with(), NAMES[:-1], "for 9 tokens"),
        (maps_with()[0], NAMES, "expected"),
        (maps_with(t=1), NAMES[:1], "has 1 tokens"),
        (maps_with(t=MOST + 1), "x" * (MOST + 1), f"2 to {MOST}"),
    ],
)
def test_what_cannot_be_shown_is_refused(maps, names, said):
    with pytest.raises(ValueError, match=said):
        explore_head_maps(maps, names)


def test_tensors_are_taken():
    torch = pytest.importorskip("torch")
    explorer = head_maps_explorer(torch.tensor(maps_with()), NAMES)
    assert explorer.render()


def test_the_frame_is_around_the_row_of_the_place():
    explorer = head_maps_explorer(maps_with(), NAMES)
    session = explorer._ours()
    session.draw(explorer.frame(layer=1, head=2, place=4))
    (axes,) = session.picture("one").figure.axes
    edges = [patch.get_bbox().bounds for patch in axes.patches if patch.get_visible()]
    assert (-0.5, 3.5, len(NAMES), 1) in edges


def test_an_arc_goes_to_each_token_that_is_looked_at_and_is_as_thick_as_its_weight():
    maps = maps_with()
    explorer = head_maps_explorer(maps, NAMES)
    session = explorer._ours()
    session.draw(explorer.frame(layer=2, head=1, place=6))
    (axes,) = session.picture("one").figure.axes
    seen = {j: arc for j, arc in enumerate(axes.lines) if arc.get_visible()}
    assert set(seen) == set(np.flatnonzero(maps[2, 1, 6] >= LEAST_SHOWN))
    for j, arc in seen.items():
        assert arc.get_linewidth() == pytest.approx(WIDEST_ARC * maps[2, 1, 6, j])
        ends = sorted(arc.get_xdata()[[0, -1]])
        np.testing.assert_allclose(ends, [j, 6] if j != 6 else [5.7, 6.3])
