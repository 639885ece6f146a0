"""What holds for every handle of every explorer; a new one is found by itself."""

import itertools
import math

import pytest

from course_lib.sliding import handles
from course_lib.sliding.answers import Answers
from course_lib.sliding.handles import DIRECTIONS, Handle
from course_lib.sliding.held import Cells, Numbers
from course_lib.sliding.registry import explorers
from course_lib.sliding.sliders import Options, Toggle

NEAR = 1.5  # points: a place is told to a tenth, and stops may lie as near to it as the next ones
FOUND = [
    pytest.param(explorer, name, id=f"{full}-{name}")
    for full, explorer in explorers().items()
    for name in explorer.handles
]
every_handle = pytest.mark.parametrize(("explorer", "name"), FOUND)
FAR = [(x, y) for x, y in itertools.product((-2000, 250, 2000), repeat=2) if (x, y) != (250, 250)]


def settings(explorer):
    """The start, and both ends of each slider."""
    yield explorer.start
    for name, spec in explorer.sliders.items():
        for value in (spec.stops()[0], spec.stops()[-1]):
            yield {**explorer.start, name: value}


def at(answers, params):
    sliders = answers.explorer.sliders
    return answers.to({"id": 0, "params": {n: sliders[n].sent(v) for n, v in params.items()}})


def ask(answers, frame, **question):
    return answers.to({"id": 0, "params": frame["params"], "pane": 0, **question})


def asked_for(answers, **question):
    """The parameters that a drag from the last frame asks for, without a picture drawn."""
    sliders, params = answers.explorer.sliders, answers._frame.params
    told = {name: spec.sent(params[name]) for name, spec in sliders.items()}
    return answers._params({"params": told, "pane": 0, **question})


def places(frame, name):
    return [place[:2] for place in frame["panes"][0]["places"][name]]


def stands(answers, handle, params):
    """Where a handle stands at a setting, without a picture drawn."""
    data = answers.session.frame(params).right
    return [answers.session.picture("one").points(place) for place in handles.places(handle, data)]


@every_handle
def test_every_handle_lies_in_the_picture_and_dragged_to_where_it_stands_changes_nothing(
    explorer, name
):
    answers, handle = Answers(explorer._ours()), explorer.handles[name]
    frame = at(answers, explorer.start)
    width, height = frame["panes"][0]["size"]
    for told, place in zip(
        places(frame, name), stands(answers, handle, explorer.start), strict=True
    ):
        assert told == pytest.approx(place, abs=0.1)
    for params in settings(explorer):
        answers._frame = answers.session.frame(params)
        for which, (x, y) in enumerate(stands(answers, handle, params)):
            assert -5 <= x <= width + 5, params
            assert -5 <= y <= height + 5, params
            if isinstance(handle, Handle):
                again = asked_for(answers, handle=name, which=which, at=(x, y))
                assert again == answers._frame.params


def neighbours(spec, value, which):
    """The stops beside a value; of a tuple, with number `which` one stop aside."""
    if isinstance(spec, Numbers):
        return [
            (*value[:which], one, *value[which + 1 :])
            for one in neighbours(spec.each, value[which], 0)
        ]
    if isinstance(spec, Options | Toggle | Cells):
        return []
    stops = spec.notches()
    place = stops.index(spec.nearest(value))
    return [stops[i] for i in (place - 1, place + 1) if 0 <= i < len(stops)]


@every_handle
def test_a_far_place_gives_the_nearest_allowed_values_and_the_words_follow(explorer, name):
    handle = explorer.handles[name]
    if not isinstance(handle, Handle):
        pytest.skip("it is pressed, not dragged")
    answers = Answers(explorer._ours())
    start = at(answers, explorer.start)
    assert ask(answers, start, handle=name, which=0, at=FAR[0])["panes"]  # with its picture
    at(answers, explorer.start)
    asked = [asked_for(answers, handle=name, which=0, at=far) for far in FAR]
    words = {answers.session.sentence(answers.session.frame(params)) for params in asked}
    for which, far in itertools.product(range(len(places(start, name))), FAR):
        params = asked_for(answers, handle=name, which=which, at=far)
        for one in explorer.sliders:
            explorer.sliders[one].refuse(params[one])
            assert one in handle.moves or params[one] == explorer.start[one]
        here = math.dist(stands(answers, handle, params)[which], far)
        for one in handle.moves:
            for value in neighbours(explorer.sliders[one], params[one], which):
                beside = stands(answers, handle, {**params, one: value})[which]
                assert here <= math.dist(beside, far) + NEAR, (far, one)
    assert len(words) > 1


@every_handle
def test_an_arrow_key_moves_a_handle_by_a_stop(explorer, name):
    handle = explorer.handles[name]
    if not isinstance(handle, Handle):
        pytest.skip("it is pressed, not dragged")
    answers = Answers(explorer._ours())
    start = at(answers, explorer.start)
    key = next(iter(DIRECTIONS))
    assert ask(answers, start, handle=name, which=0, key=key)["panes"]  # with its picture
    at(answers, explorer.start)
    for which in range(len(places(start, name))):
        seen = [asked_for(answers, handle=name, which=which, key=key) for key in DIRECTIONS]
        changed = [params for params in seen if params != explorer.start]
        assert changed, "no arrow key moves it"
        for params in changed:
            assert {n for n in params if params[n] != explorer.start[n]} <= set(handle.moves)


@every_handle
def test_a_pressed_place_chooses_or_turns_over_and_the_words_follow(explorer, name):
    handle = explorer.handles[name]
    if isinstance(handle, Handle):
        pytest.skip("it is dragged, not pressed")
    answers = Answers(explorer._ours())
    start, spec = at(answers, explorer.start), explorer.sliders[handle.moves]
    count = len(places(start, name))
    cells = isinstance(spec, Cells)
    assert count == (len(spec.sent(spec.start)) if cells else len(spec.notches()))
    words = set()
    for which in range(count):
        params = dict(start["params"])
        if cells:
            params[handle.moves][which] = not params[handle.moves][which]
        else:
            params[handle.moves] = spec.told()["stops"][which]
        frame = answers.to({"id": 0, "params": params})
        assert frame["panes"]
        words.add(frame["words"])
    assert len(words) > 1
