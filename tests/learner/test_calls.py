"""The one way in which a learner's code is run, and the record of what is bound to its name."""

import gc
import io
import sys
import warnings

import numpy as np
import pytest

from course_lib.learner.bound import Bound, bound_of
from course_lib.learner.calls import Result, isolated, result_of, wrapped
from course_lib.learner.containment import AsksForInput
from course_lib.learner.time_limit import Budget, TimeUp


def loud():
    print("printed")
    warnings.warn("careful", stacklevel=1)
    print("and this", file=sys.stderr)


def test_what_is_printed_is_caught_where_somebody_wants_it(capsys):
    lines = io.StringIO()
    with isolated(lines):
        loud()
    assert lines.getvalue() == "printed\nand this\n"
    assert capsys.readouterr() == ("", "")


def test_a_second_isolation_inside_of_one_ends_nothing(capsys):
    with isolated():
        with isolated():
            loud()
        loud()
        with pytest.raises(AsksForInput):
            input()
    print("after")
    assert capsys.readouterr() == ("after\n", "")


@pytest.mark.parametrize("error", [ValueError, SystemExit, KeyboardInterrupt])
def test_every_error_is_kept(error):
    def stop():
        raise error

    result = result_of(stop)
    assert type(result.error) is error
    with pytest.raises(error):
        result.unwrap()


def test_the_budget_is_shared_and_ends_in_time_up():
    def endless():
        while True:
            pass

    budget = Budget(0.05)
    assert isinstance(result_of(endless, budget).error, TimeUp)
    assert budget.left <= 0


def test_a_wrapped_function_keeps_its_name_and_tells_what_each_call_did():
    seen = []

    def double(x, *, times=2):
        """Twice."""
        return times * x

    def note(result: Result, args, kwargs):
        seen.append((result.value, args, kwargs))
        return -result.unwrap()

    run = wrapped(double, note)
    assert (run(3), run(3, times=5)) == (-6, -15)
    assert seen == [(6, (3,), {}), (15, (3,), {"times": 5})]
    assert (run.__name__, run.__doc__) == ("double", "Twice.")


def test_the_arrays_of_who_calls_are_kept():
    def spoil(first, *, second):
        first[:] = second[:] = 9

    ours, theirs = np.zeros(2), np.zeros(2)
    wrapped(spoil, lambda result, args, kwargs: None, copies=True)(ours, second=theirs)
    assert (ours.sum(), theirs.sum()) == (0, 0)


def test_only_what_an_exercise_bound_has_a_record():
    class LooksLikeIt:
        yours, source = max, "yours"

    def bound():
        pass

    vars(bound).update(Bound(max, "course").attributes())
    assert bound_of(bound) == Bound(max, "course")
    assert (bound.yours, bound.source) == (max, "course")
    assert bound_of(LooksLikeIt()) is bound_of(max) is None


def test_an_error_that_was_told_in_words_is_gone_at_once():
    def fail():
        raise ValueError

    run = wrapped(fail, lambda result, args, kwargs: type(result.error).__name__)
    run()
    gc.collect()
    gc.disable()
    try:
        assert run() == "ValueError"
        assert gc.collect() == 0
    finally:
        gc.enable()
