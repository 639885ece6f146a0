"""What judging says about right, wrong, unfinished and broken answers."""

import dataclasses
import subprocess
import sys

import numpy as np
import pytest
import torch

from course_lib.judging.accept import close
from course_lib.judging.answer import verdict_on
from course_lib.judging.exercise import Exercise, Mistake, Property, inputs
from course_lib.judging.printed import PrintedLines
from course_lib.judging.verdict import Verdict
from tests.judging import hostile, samples


def table(q, k):
    return q @ k.T


TABLE = Exercise(
    answer=table,
    cases=(
        lambda rng: inputs(rng.normal(size=(5, 3)), rng.normal(size=(7, 3))),
        lambda rng: inputs(np.array([[1.0, 2.0]]), np.array([[3.0, 4.0], [5.0, 7.0]])),
        lambda rng: inputs(rng.normal(size=(3, 2)), rng.normal(size=(3, 2))),
    ),
    mistakes=(Mistake("You multiplied by zero.", lambda q, k: 0 * (q @ k.T)),),
)


@pytest.mark.parametrize(("answer", "word"), hostile.ALL.items(), ids=lambda one: str(one)[:20])
def test_each_hostile_answer_has_its_own_sentence(answer, word):
    assert word in verdict_on(samples.SOFTMAX, answer).symptom


def test_the_symptom_stands_on_the_smallest_failing_case_as_a_line_to_paste():
    evidence = verdict_on(TABLE, lambda q, k: q @ k.T + 1).evidence
    values = {one.label: one.value for one in evidence}
    assert values["Input"] == "table(np.array([[1.0, 2.0]]), np.array([[3.0, 4.0], [5.0, 7.0]]))"
    assert values["Expected"] == "[[11.0, 19.0]]"
    assert values["Yours"] == "[[12.0, 20.0]]"
    assert np.allclose(eval(values["Input"], {"np": np, "table": table}), [[11, 19]])


def test_a_large_input_is_named_by_its_shape():
    big = dataclasses.replace(TABLE, cases=TABLE.cases[:1])
    line = verdict_on(big, lambda q, k: q @ k.T + 1).evidence[0].value
    assert line == "table(array of shape (5, 3), array of shape (7, 3))"


@pytest.mark.parametrize("stub", [lambda q, k: None, lambda q, k: ..., lambda q, k: (..., ...)])
def test_an_answer_that_returns_nothing_is_not_attempted(stub):
    assert verdict_on(TABLE, stub).state == "todo"


def test_an_answer_that_raises_not_implemented_is_not_attempted():
    def stub(q, k):
        raise NotImplementedError

    assert verdict_on(TABLE, stub).state == "todo"


def test_a_forgotten_return_on_one_way_is_wrong():
    verdict = verdict_on(TABLE, lambda q, k: q @ k.T if len(q) > 1 else None)
    assert verdict.state == "wrong"
    assert "`return` missing" in verdict.symptom


def test_an_exception_shows_type_message_and_the_learners_own_line_alone():
    def answer(q, k):
        factor = {}
        return factor["scale"] * q

    text = verdict_on(TABLE, answer).text
    assert "KeyError: 'scale'" in text
    assert 'return factor["scale"] * q' in text
    assert "course_lib" not in text


def test_an_answer_without_source_is_judged_all_the_same():
    space = {}
    exec("def table(q, k):\n    return q.no_such_thing", space)
    assert "no_such_thing" in verdict_on(TABLE, space["table"]).symptom


def test_an_input_changed_in_place_is_named_though_the_result_is_right():
    def answer(q, k):
        right = q @ k.T
        k *= 2
        return right

    verdict = verdict_on(TABLE, answer)
    assert verdict.state == "wrong"
    assert "input k in place" in verdict.symptom


def test_a_tensor_changed_in_place_is_named():
    twice = Exercise(
        answer=lambda_named("twice", lambda x: 2 * x),
        cases=(lambda rng: inputs(torch.ones(3)),),
    )
    assert "input x in place" in verdict_on(twice, lambda x: x.mul_(2)).symptom


def lambda_named(name, function):
    function.__name__ = name
    return function


@pytest.mark.parametrize(
    ("answer", "note"),
    [
        (lambda q, k: k @ q.T, "transpose"),
        (lambda q, k: (q @ k.T)[None], "axis of length 1"),
        (lambda q, k: (q @ k.T).astype(int), "whole numbers"),
        (lambda q, k: (q @ k.T) + np.eye(len(q), len(k)), "first difference is at (0, 0)"),
    ],
)
def test_what_is_wrong_with_shape_or_numbers_is_told(answer, note):
    assert note in verdict_on(TABLE, answer).text


def test_a_result_that_is_right_after_broadcasting_is_told():
    ones = Exercise(
        answer=lambda_named("ones", lambda n: np.ones((n, 3))), cases=(lambda rng: inputs(2),)
    )
    assert "repeated along" in verdict_on(ones, lambda n: np.ones(3)).text


CUBE = Exercise(
    answer=lambda_named("cube", lambda x: x),
    cases=(lambda rng: inputs(rng.normal(size=(2, 1, 3))),),
)


def test_axes_in_another_order_are_told_where_the_numbers_agree():
    assert "another order" in verdict_on(CUBE, lambda x: x.transpose(2, 0, 1)).text
    assert "another order" in verdict_on(CUBE, lambda x: x.transpose(1, 0, 2)).text
    assert "another order" not in verdict_on(CUBE, lambda x: x.reshape(3, 2, 1)).text
    assert "another order" not in verdict_on(CUBE, lambda x: x.transpose(2, 0, 1) + 1).text


def test_an_axis_too_many_is_told_where_the_count_of_axes_differs_and_the_numbers_agree():
    assert "axis of length 1" in verdict_on(CUBE, lambda x: x[:, 0]).text
    assert "axis of length 1" not in verdict_on(CUBE, lambda x: x[:, 0] + 1).text
    assert "axis of length 1" not in verdict_on(CUBE, lambda x: x.transpose(1, 0, 2)).text


def test_numbers_are_no_mask_and_a_mask_is_no_numbers():
    mask = Exercise(
        answer=lambda_named("mask", lambda n: np.tri(n) > 0), cases=(lambda rng: inputs(3),)
    )
    assert verdict_on(mask, lambda n: np.tri(n, dtype=bool)).state == "right"
    assert "True or False" in verdict_on(mask, lambda n: np.tri(n)).symptom
    weights = dataclasses.replace(mask, answer=lambda_named("mask", lambda n: np.tri(n)))
    assert "should give numbers" in verdict_on(weights, lambda n: np.tri(n) > 0).symptom


@pytest.mark.parametrize("answer", [lambda q: q, lambda q, k, v: q, lambda: 1])
def test_too_few_or_too_many_parameters_name_both_lists(answer):
    verdict = verdict_on(TABLE, answer)
    assert verdict.state == "wrong"
    assert "should take (q, k)" in verdict.symptom


def test_a_class_where_a_function_belongs_and_the_reverse_are_named():
    assert "should be a function" in verdict_on(TABLE, samples.Linear).symptom
    assert "should be a class" in verdict_on(samples.LINEAR, table).symptom
    assert "should be a function" in verdict_on(TABLE, 5).symptom


def test_several_results_are_counted_and_compared_one_by_one():
    pair = Exercise(
        answer=lambda_named("pair", lambda x: (x + 1, x + 2)),
        cases=(lambda rng: inputs(np.ones(3)),),
    )
    assert verdict_on(pair, lambda x: [x + 1, x + 2]).state == "right"
    assert "2 results" in verdict_on(pair, lambda x: (x, x, x)).symptom
    assert "result 2" in verdict_on(pair, lambda x: (x + 1, x)).symptom


def test_several_results_where_one_array_is_wanted_are_counted():
    verdict = verdict_on(TABLE, lambda q, k: (q, q @ k.T))
    assert verdict.symptom == "table returns 2 results; one is expected."
    same_shapes = verdict_on(TABLE, lambda q, k: (0 * (q @ k.T), q @ k.T))
    assert "returns 2 results; one is expected" in same_shapes.symptom
    assert "Number 2 of them has the right numbers" in same_shapes.text
    assert "has the right numbers" not in verdict_on(TABLE, lambda q, k: (q, q)).text


def test_a_comma_behind_the_result_is_told_and_rows_in_a_tuple_are_an_array():
    assert "a comma behind it" in verdict_on(TABLE, lambda q, k: (q @ k.T,)).symptom
    assert verdict_on(TABLE, lambda q, k: tuple(q @ k.T)).state == "right"
    assert "one is expected" not in verdict_on(TABLE, lambda q, k: tuple(q @ k.T + 1)).text


def test_several_tensors_where_one_is_wanted_are_counted():
    def twins(ctx, x):
        return x, x * x

    twice = dataclasses.replace(samples.SQUARE, observe=samples.SQUARE.observe)
    two = type("Square", (samples.Square,), {"forward": staticmethod(twins)})
    assert "returns 2 results; one is expected" in verdict_on(twice, two).symptom


@pytest.mark.parametrize(
    "answer", [lambda q, k: (one @ k.T for one in q), lambda q, k: np.array(one for one in q)]
)
def test_a_generator_expression_is_told_from_yield(answer):
    symptom = verdict_on(TABLE, answer).symptom
    assert "round brackets" in symptom
    assert "yield" not in symptom


def test_a_gradient_that_is_cut_off_is_named():
    verdict = verdict_on(samples.LINEAR, samples.LINEAR.mistakes[1].wrong)
    assert "no gradient of x" in verdict.symptom


def test_an_autograd_stub_is_not_attempted():
    stub = type("Square", (samples.Square,), {"forward": staticmethod(lambda ctx, x: ...)})
    assert verdict_on(samples.SQUARE, stub).state == "todo"


def test_a_broken_property_is_named_in_the_symptom():
    verdict = verdict_on(samples.SOFTMAX, samples.SOFTMAX.mistakes[2].wrong)
    assert "Broken: Each row sums to 1." in verdict.text


def test_a_mistake_alike_on_all_cases_is_named_firmly():
    verdict = verdict_on(samples.SOFTMAX, lambda x: np.exp(x) / np.exp(x).sum())
    assert verdict.diagnosis == "" or "One thing" in verdict.diagnosis
    same = verdict_on(samples.SOFTMAX, lambda x: samples.softmax(x.T).T)
    assert "known mistake does exactly this. Each column sums to 1" in same.diagnosis


def zero_where(is_zero):
    """The known mistake on some of the cases, and another one on the rest."""
    return lambda q, k: 0 * (q @ k.T) if is_zero(len(q)) else q @ k.T + 3


def test_a_mistake_alike_on_most_failing_cases_is_one_thing_to_look_at():
    told = verdict_on(TABLE, zero_where(lambda n: n < 5)).diagnosis
    assert told.startswith("One thing to look at: You multiplied")


def test_a_mistake_alike_on_one_failing_case_alone_is_not_told():
    assert verdict_on(TABLE, zero_where(lambda n: n == 1)).diagnosis == ""
    right_elsewhere = verdict_on(TABLE, lambda q, k: (q @ k.T) * (len(q) > 1))
    assert right_elsewhere.diagnosis == ""


def test_a_mistake_alike_on_half_of_the_failing_cases_is_not_told():
    four = dataclasses.replace(TABLE, cases=(*TABLE.cases, TABLE.cases[0]))
    assert verdict_on(four, zero_where(lambda n: n < 5)).diagnosis == ""


@pytest.mark.parametrize("give", [bool, lambda yes: "up" if yes else "down"])
def test_a_mistake_alike_in_words_or_truth_values_is_not_told(give):
    grows = Exercise(
        answer=lambda_named("grows", lambda n: give(n > 0)),
        cases=tuple(lambda rng, n=n: inputs(n) for n in (1, 2, 3, -1)),
        mistakes=(Mistake("The other way round.", lambda n: give(n < 0)),),
    )
    assert verdict_on(grows, lambda n: give(False)).diagnosis == ""
    assert "other way round" in verdict_on(grows, lambda n: give(n < 0)).diagnosis


def test_nan_or_an_exception_alone_identifies_nothing():
    def stops(q, k):
        raise ValueError

    broken = dataclasses.replace(
        TABLE,
        mistakes=(Mistake("You stop.", stops), Mistake("NaN.", lambda q, k: q @ k.T * np.nan)),
    )

    def also_stops(q, k):
        raise ValueError("another reason") if len(q) == 1 else TypeError

    assert verdict_on(broken, also_stops).diagnosis == ""
    told = verdict_on(broken, lambda q, k: np.full((len(q), len(k)), np.nan)).diagnosis
    assert told.startswith("One thing to look at")


def test_what_an_answer_printed_is_kept_and_cut_at_twenty_lines():
    printed = verdict_on(TABLE, hostile.many_prints).printed
    assert printed.lines[0] == "line 0"
    assert (len(printed.lines), printed.more) == (20, 980)


def test_what_was_printed_need_not_be_the_result():
    verdict = verdict_on(TABLE, lambda q, k: print(q))
    assert verdict.symptom.startswith("table prints and returns nothing: write `return` before")


def test_a_last_line_without_an_end_counts_as_a_line_and_only_once():
    kept = PrintedLines()
    kept.write("a\n" * 20 + "b")
    assert kept.seen().more == kept.seen().more == 1
    kept.write("b\nc\n")
    assert kept.seen().more == 2
    short = PrintedLines()
    short.write("one\ntwo")
    assert short.seen().lines == short.seen().lines == ("one", "two")


def test_an_interrupt_is_told_and_counts_as_not_attempted():
    def stopped(q, k):
        raise KeyboardInterrupt

    verdict = verdict_on(TABLE, stopped)
    assert (verdict.state, verdict.cause) == ("todo", "interrupted")


def test_an_endless_answer_is_wrong_in_time():
    verdict = verdict_on(dataclasses.replace(TABLE, seconds=0.2), hostile.never_ends)
    assert (verdict.state, verdict.cause) == ("wrong", "time")
    assert "still running after 0.2 seconds" in verdict.symptom


def fails(*args):
    raise RuntimeError("boom")


@pytest.mark.parametrize(
    "broken",
    [
        {"cases": (fails,)},
        {"observe": fails},
        {"accept": fails},
        {"answer": lambda_named("table", lambda q, k: fails())},
        {"mistakes": (Mistake("{no_field}", lambda q, k: q @ k.T + 1),)},
        {"mistakes": 5},
    ],
)
def test_a_defect_of_ours_becomes_a_sentence_that_names_the_exercise(broken):
    exercise = dataclasses.replace(TABLE, **broken)
    verdict = verdict_on(exercise, lambda q, k: q @ k.T + 1)
    assert isinstance(verdict, Verdict)
    if "mistakes" not in broken or broken["mistakes"] == 5:
        assert "defect, not you: table" in verdict.text


def test_a_property_that_cannot_be_asked_says_nothing():
    odd = dataclasses.replace(TABLE, properties=(Property("Never.", fails),))
    assert "Never" not in verdict_on(odd, lambda q, k: q @ k.T + 1).text


def test_an_acceptance_may_answer_with_a_sentence_even_one_with_braces():
    said = dataclasses.replace(TABLE, accept=lambda got, want, case: "not {this} way")
    assert "not {this} way" in verdict_on(said, table).text


def test_float32_is_forgiven_its_rounding_and_half_precision_is_not():
    rough = dataclasses.replace(TABLE, accept=close(1e-9))
    assert verdict_on(rough, lambda q, k: (q @ k.T).astype(np.float32)).state == "right"
    assert verdict_on(rough, lambda q, k: (q @ k.T).astype(np.float16)).state == "wrong"
    assert verdict_on(rough, lambda q, k: (q @ k.T) * (1 + 1e-7)).state == "wrong"


def test_a_function_that_calls_itself_meets_itself_not_the_course():
    space = {"__name__": "notebook"}
    from course_lib.learner.adapter import adapt

    space["table"] = adapt(TABLE, None, verdict_on(TABLE, lambda q, k: ...))
    exec("def answer(q, k):\n    return table(q, k)", space)
    assert "without an end" in verdict_on(TABLE, space["answer"]).symptom
    assert space["table"].source == "course"


def test_judging_prints_nothing_and_warns_nothing(capfd, recwarn):
    def loud(q, k):
        import warnings

        print("out")
        print("err", file=sys.stderr)
        warnings.warn("careful", stacklevel=1)
        return np.log(np.zeros(3))

    verdict_on(TABLE, loud)
    assert capfd.readouterr() == ("", "")
    assert not recwarn.list


def test_a_square_table_that_is_turned_over_is_told():
    square = dataclasses.replace(TABLE, cases=TABLE.cases[2:])
    assert "transpose" in verdict_on(square, lambda q, k: k @ q.T).text


def test_the_engine_brings_neither_torch_nor_widgets_nor_pyplot():
    code = (
        "import sys; from course_lib.judging import names; names('01_dot_product'); "
        "print(sorted({'torch', 'ipywidgets', 'matplotlib.pyplot'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
