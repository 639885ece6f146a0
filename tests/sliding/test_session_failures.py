"""A session whose parts fail, raise, loop or leave something behind."""

import threading
import time
from pathlib import Path

import pytest

from course_lib.figures.ghosts import goal_ring
from course_lib.sliding.explorer import Drawing, Goal
from course_lib.sliding.session import PATIENCE
from tests.sliding.examples import Adapter, compute, draw, explorer


def test_what_the_course_draws_once_is_not_blamed_on_the_learner(monkeypatch):
    monkeypatch.setattr("course_lib.sliding.session.PATIENCE", 0.2)
    drawn = []

    def slow_at_first(**params):
        if not drawn:
            time.sleep(0.3)
            drawn.append(1)
        return compute(**params)

    session = explorer(compute=slow_at_first).session(total=lambda values: values.sum())
    assert "Your total draws this" in session.start.note


def test_a_function_too_slow_for_a_slider_is_given_up_after_two_tries():
    tries = []

    def slow(values):
        tries.append(values)
        time.sleep(3 * PATIENCE)
        return values.sum()

    session = explorer().session(total=Adapter(slow, "yours"))
    assert "it takes too long for a slider" in session.start.note
    for count in (1, 3, 5):
        assert session.draw(session.frame({**session.explorer.start, "count": count}))
    assert len(tries) == 2, "later steps must not wait again"


def test_an_endless_loop_in_a_learners_function_leaves_the_picture_to_the_course():
    def endless(values):
        while True:
            pass

    session = explorer().session(total=Adapter(endless, "course"))
    assert "it takes too long for a slider" in session.start.note
    assert session.draw(session.start)


@pytest.mark.parametrize(
    ("function", "said"),
    [(lambda values: input("?"), "it asks for input"), (lambda values: values.f, "AttributeError")],
)
def test_what_a_learners_function_must_not_do_becomes_a_reason(function, said):
    session = explorer().session(total=Adapter(function, "course"))
    assert said in session.start.note


def test_the_goals_mark_follows_the_goal():
    def draw_a_goal(figure, data):
        drawing = draw(figure, data)
        return Drawing(drawing.update, drawing.moving, goal=goal_ring(figure.axes[0], 1, 1, "red"))

    session = explorer(draw=draw_a_goal).session()
    start, reached = (session.frame({**session.explorer.start, "count": n}) for n in (2, 9))
    ring = session.layers(start) and session.picture("one").drawing.goal.artists[0]
    assert len(ring.get_facecolor()) == 0
    session.layers(reached)
    assert len(ring.get_facecolor()) == 1
    session.layers(start)
    assert len(ring.get_facecolor()) == 0


@pytest.mark.parametrize("where", ["main thread", "another thread"])
def test_many_moves_leave_no_more_threads_and_files_than_few(where):
    session = explorer().session(total=lambda values: values.sum())

    def move(times):
        for count in range(times):
            session.layers(session.frame({**session.explorer.start, "count": 1 + count % 9}))

    def held():
        time.sleep(0.1)  # a timer that was told to end ends
        files = Path("/proc/self/fd")
        return threading.active_count(), len(list(files.iterdir())) if files.exists() else 0

    def run(times):
        if where == "main thread":
            return move(times)
        thread = threading.Thread(target=move, args=(times,))
        thread.start()
        thread.join()

    run(10)
    before = held()
    run(200)
    assert held() == before


@pytest.mark.parametrize("error", [SystemExit, KeyboardInterrupt, GeneratorExit])
def test_nothing_that_a_part_raises_gets_out(error):
    def raises(*_, **__):
        raise error

    parts = {
        "compute": raises, "draw": raises, "describe": raises, "numbers": raises,
        "goal": Goal("Never.", raises),
    }  # fmt: skip
    for part, broken in parts.items():
        session = explorer(**{part: broken}).session()
        frame = session.frame(session.explorer.start)
        session.layers(frame), session.sentence(frame), session.reached(frame)
        session.numbers(frame)
