"""What holds for every explorer of every chapter; a new one is found by itself."""

import re

import numpy as np
import pytest

from course_lib.figures.png import quick_png
from course_lib.figures.readable import faults
from course_lib.learner.compare import drawn_alike, misfit
from course_lib.sliding.registry import explorers
from tests.sliding.examples import FAILING

FOUND = explorers()
SETTINGS = [
    pytest.param(explorer, {slider: value}, id=f"{name}-{slider}-{value}")
    for name, explorer in FOUND.items()
    for slider, spec in explorer.sliders.items()
    for value in spec.stops()
]
ENDS = [
    pytest.param(explorer, {slider: value}, id=f"{name}-{slider}-{value}")
    for name, explorer in FOUND.items()
    for slider, spec in explorer.sliders.items()
    for value in (spec.stops()[0], spec.stops()[-1])
]
every_explorer = pytest.mark.parametrize("explorer", FOUND.values(), ids=FOUND)
every_setting = pytest.mark.parametrize(("explorer", "setting"), SETTINGS)
every_end = pytest.mark.parametrize(("explorer", "setting"), ENDS)
every_function = pytest.mark.parametrize(
    ("explorer", "function"),
    [pytest.param(e, f, id=f"{name}-{f}") for name, e in FOUND.items() for f in e.functions],
)


def at(explorer, setting):
    frame = explorer.frame(**setting)
    assert not frame.broken
    return frame


def test_there_are_explorers():
    assert FOUND


@every_end  # a whole drawing each
def test_what_changes_is_among_the_moving(explorer, setting):
    frame, picture = at(explorer, setting), explorer._ours().picture("one")
    if picture.moving is None:
        pytest.skip("every step draws everything")
    picture.above(frame.right)
    assert picture.below() == quick_png(picture.unmoved())


@every_setting
def test_a_step_writes_what_a_fresh_start_would_write(explorer, setting):
    frame, session = at(explorer, setting), explorer._ours()
    picture = session.picture("one")
    if picture.moving is None:
        pytest.skip("every step draws everything")
    picture.above(session.start.right)  # come from another value
    stepped = picture.above(frame.right)
    picture._fragments.clear()
    assert stepped == picture.above(frame.right)


@every_setting
def test_every_text_of_the_picture_can_be_read(explorer, setting):
    frame, session = at(explorer, setting), explorer._ours()
    picture = session.picture("one")
    if picture.moving is None:
        session.draw(frame)
    else:
        picture.above(frame.right)  # moves what moves; `faults` lays the texts out by itself
    assert faults(picture.figure) == []


@every_setting
def test_the_sentence_is_complete(explorer, setting):
    frame, session = at(explorer, setting), explorer._ours()
    sentence = session.sentence(frame)
    assert sentence.rstrip().endswith((".", "?"))
    assert not re.search(r"[{}]|\bnan\b|\binf\b|None|array\(|np\.", sentence), sentence
    assert not frame.broken


@every_explorer
def test_moving_a_slider_changes_the_picture_and_the_sentence(explorer):
    session = explorer._ours()
    for name, spec in explorer.sliders.items():
        frames = [at(explorer, {name: value}) for value in spec.stops()]
        assert len({session.layers(frame)[0][1] for frame in frames}) > 1, name
        assert len({session.sentence(frame) for frame in frames}) > 1, name


@every_setting
def test_computing_twice_gives_the_same_and_changes_no_argument(explorer, setting):
    params = {**explorer.start, **setting}
    changed = []

    def watch(function):
        def watched(*args):
            before = [np.asarray(arg).copy() for arg in args]
            result = function(*args)
            changed.extend(
                not np.array_equal(b, a, equal_nan=True) for b, a in zip(before, args, strict=True)
            )
            return result

        return watched

    functions = {name: watch(function) for name, function in explorer.functions.items()}
    first, second = (explorer.compute(**params, **functions) for _ in range(2))
    assert misfit(first, second) == ""
    assert drawn_alike(first, second)
    assert not any(changed)


@every_explorer
def test_every_explorer_has_a_goal_that_is_reached_elsewhere_than_at_the_start(explorer):
    session = explorer._ours()
    assert explorer.goal is not None, "a slider without a task is a still figure"
    assert not session.reached(session.start)
    assert explorer.goal.solution, "give the goal a solution, so that it can be tested"
    assert session.reached(at(explorer, explorer.goal.solution))


@every_explorer
def test_the_numbers_can_be_shown(explorer):
    rows = explorer._ours().numbers(explorer.frame())
    assert rows
    assert all(str(cell).strip() for row in rows for cell in row)


@every_explorer
def test_every_slider_says_what_it_moves(explorer):
    for spec in explorer.sliders.values():
        assert spec.label.strip()


@every_function
@pytest.mark.parametrize("kind", FAILING)
def test_a_learners_failing_function_leaves_the_right_picture(
    explorer, function, kind, monkeypatch
):
    monkeypatch.setattr("course_lib.sliding.session.PATIENCE", 0.2)
    session = explorer.session(**{function: FAILING[kind]})
    for slider, spec in explorer.sliders.items():
        setting = {slider: spec.stops()[-1]}
        frame = session.frame({**explorer.start, **setting})
        assert list(frame.pictures) == ["one"]
        assert drawn_alike(frame.right, at(explorer, setting).right)
        assert not frame.broken
        assert f"The course's {function} draws this" in session.sentence(frame)


@every_function
def test_a_learners_wrong_function_is_drawn_beside_the_right_one(explorer, function):
    def wrong(*args):
        return explorer.functions[function](*args) * 1.5 + 0.25

    session = explorer.session(**{function: wrong})
    yours, right = session.draw(session.start)
    assert (yours != right).any()
    assert "they differ" in session.sentence(session.start)


@every_explorer
def test_the_stored_picture_is_small_and_the_same_each_time(explorer):
    session = explorer._ours()
    first = [picture.copy() for picture in session.draw(session.start)]
    assert len(explorer.render()) < 40_000
    assert all(map(np.array_equal, first, session.draw(session.start)))
