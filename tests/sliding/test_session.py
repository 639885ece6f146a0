import re

import numpy as np
import pytest

from course_lib.sliding.explorer import Goal
from tests.sliding.examples import FAILING, Adapter, compute, describe, explorer, total


def wrong(values):
    return values.sum() + 1


def seen(session, **params):
    frame = session.frame({**session.explorer.start, **params})
    pictures = session.draw(frame)
    return frame, pictures, session.sentence(frame)


def test_without_functions_the_course_draws_and_nobody_is_named():
    frame, pictures, sentence = seen(explorer().session())
    assert len(pictures) == 1
    assert sentence == "2 times the sum is 12.00."
    assert frame.right["total"] == 12


def test_a_function_not_yet_written_is_said_to_be_the_courses():
    _, pictures, sentence = seen(explorer().session(total=Adapter(None, "course")))
    assert len(pictures) == 1
    assert "The course's total draws this: yours is not written yet." in sentence
    assert sentence.endswith("Rerun this cell after changing yours.")


def test_a_function_judged_right_draws_alone():
    calls = []

    def right(values):
        calls.append(1)
        return sum(values)

    _, pictures, sentence = seen(explorer().session(total=Adapter(right, "yours")))
    assert calls
    assert len(pictures) == 1
    assert sentence.endswith("Your total draws this.")


def test_a_function_judged_wrong_is_drawn_beside_the_right_one():
    frame, pictures, sentence = seen(explorer().session(total=Adapter(wrong, "course")))
    assert list(frame.pictures) == ["yours", "right"]
    assert len(pictures) == 2
    assert (pictures[0] != pictures[1]).any()
    assert "Yours: 2 times the sum is 14.00. Right: 2 times the sum is 12.00." in sentence
    assert "they differ. Rerun this cell after changing yours." in sentence


def test_where_a_wrong_function_agrees_the_sentence_says_so():
    session = explorer().session(total=Adapter(lambda v: abs(v.sum()), "course"))
    assert "at this setting it agrees with the right one" in seen(session)[2]
    assert "they differ" in seen(session, sign=-1)[2]


def test_a_plain_function_is_compared_at_each_step():
    session = explorer().session(total=lambda values: abs(values.sum()))
    _, pictures, sentence = seen(session)
    assert len(pictures) == 1
    assert "agrees with the course's here" in sentence
    assert len(seen(session, sign=-1)[1]) == 2
    assert len(seen(session)[1]) == 2  # the place of the pictures does not jump back


@pytest.mark.parametrize(
    ("kind", "given"),
    [
        *[(kind, "plain") for kind in FAILING],
        *[("raises", given) for given in ("judged wrong", "judged right")],
        *[("returns NaN", given) for given in ("judged wrong", "judged right")],
    ],
)
def test_where_the_learners_function_fails_the_course_draws(kind, given):
    function = FAILING[kind]
    if given != "plain":
        function = Adapter(function, "yours" if given == "judged right" else "course")
    frame, pictures, sentence = seen(explorer().session(total=function))
    assert not frame.broken
    assert len(pictures) == 1
    assert frame.right["total"] == 12
    assert "The course's total draws this, because yours fails here:" in sentence
    assert "Rerun this cell" in sentence


def test_a_function_may_fail_at_some_settings_only():
    def fragile(values):
        if values[0] < 0:
            raise ValueError("negative")
        return values.sum() + 1

    session = explorer().session(total=fragile)
    assert len(seen(session)[1]) == 2
    _, pictures, sentence = seen(session, sign=-1)
    assert len(pictures) == 1
    assert "ValueError: negative" in sentence
    assert len(seen(session)[1]) == 2


@pytest.mark.parametrize("given", [lambda f: f, lambda f: Adapter(f, "yours")])
def test_data_that_fits_but_cannot_be_drawn_leaves_the_right_picture(given):
    def picky(figure, data):
        from tests.sliding.examples import draw

        drawing = draw(figure, data)

        def update(data):
            if data["total"] > 1000:
                raise ValueError("too high")
            drawing.update(data)

        return type(drawing)(update, drawing.moving)

    session = explorer(draw=picky).session(total=given(lambda v: 1e6))
    _, pictures, sentence = seen(session)
    assert len(pictures) == 1
    assert "yours fails here: it cannot be drawn: ValueError: too high" in sentence


def test_a_defect_in_compute_is_a_sentence():
    def broken(**_):
        raise ZeroDivisionError("ours")

    session = explorer(compute=broken).session()
    _, pictures, sentence = seen(session)
    assert pictures == []
    assert "defect of ours" in sentence
    assert "ZeroDivisionError: ours" in sentence


@pytest.mark.parametrize("part", ["draw", "describe", "goal", "numbers"])
def test_a_defect_in_any_other_part_is_never_a_traceback(part):
    def broken(*_):
        raise ZeroDivisionError("ours")

    changed = Goal("never", broken) if part == "goal" else broken
    session = explorer(**{part: changed}).session(total=wrong)
    frame, _, sentence = seen(session)
    assert sentence
    assert not session.reached(frame)
    session.numbers(frame)


def test_a_defect_at_one_setting_leaves_the_others():
    def sometimes(*, count, **rest):
        return compute(count=1 // (count - 3) and count, **rest)

    session = explorer(compute=sometimes).session()
    assert seen(session, count=3)[0].broken
    frame, pictures, _ = seen(session, count=4)
    assert not frame.broken
    assert len(pictures) == 1


def test_an_interrupt_of_ours_is_a_sentence():
    def interrupted(**_):
        raise KeyboardInterrupt

    assert "Interrupted" in seen(explorer(compute=interrupted).session())[2]


def test_the_goal_is_reached_where_it_says():
    session = explorer().session()
    assert not session.reached(session.frame(session.explorer.start))
    assert session.reached(session.frame({**session.explorer.start, "count": 9}))


def test_the_goal_is_about_the_right_data_and_not_the_wrong_ones():
    session = explorer().session(total=lambda values: 27.0)
    assert not session.reached(session.frame(session.explorer.start))


def test_the_learners_function_cannot_change_what_the_course_computes():
    def spoil(values):
        values[...] = 0
        return 0.0

    frame, _, _ = seen(explorer().session(total=spoil))
    np.testing.assert_array_equal(frame.right["values"], [1, 2, 3])


def test_a_learner_who_prints_prints_nothing(capsys):
    seen(explorer().session(total=lambda values: print("x" * 1000) or total(values)))
    assert capsys.readouterr().out == ""


def test_sentences_have_no_open_fields():
    for function in (None, *FAILING.values(), wrong):
        given = {} if function is None else {"total": function}
        assert not re.search(r"[{}]", seen(explorer().session(**given))[2])


def test_render_gives_a_picture_without_widgets():
    png = explorer().render(count=9)
    assert png.startswith(b"\x89PNG")
    assert png == explorer().render(count=9)
    assert png != explorer().render()


@pytest.mark.parametrize(
    ("call", "error", "says"),
    [
        (lambda e: e.render(size=1), TypeError, "size is no slider.*count"),
        (lambda e: e.render(count=10), ValueError, "count n: 10"),
        (lambda e: e.session(sum=sum), TypeError, "sum is no function.*total"),
        (lambda e: e(sum=sum), TypeError, "sum is no function"),
        (lambda e: explorer(sliders={}), ValueError, "still figure"),
        (lambda e: explorer(functions={"count": sum}), ValueError, "count"),
    ],
)
def test_a_wrong_name_or_value_is_refused(call, error, says):
    with pytest.raises(error, match=says):
        call(explorer())


def test_describe_gets_the_parameters_and_the_data():
    assert describe({"count": 2}, {"total": 1.0}) == "2 times the sum is 1.00."
