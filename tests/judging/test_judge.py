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
from tests.judging.judged import TABLE, lambda_named, table


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


def test_a_large_input_is_told_by_its_name_and_shape():
    big = dataclasses.replace(TABLE, cases=TABLE.cases[:1])
    line = verdict_on(big, lambda q, k: q @ k.T + 1).evidence[0].value
    assert line == "table(q of shape (5, 3), k of shape (7, 3))"


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


def test_of_calls_without_an_end_the_line_that_calls_is_shown_whichever_ran_last():
    def answer(q, k):
        scores = q @ k.T
        scores = scores + 0
        return answer(q, k) + scores

    for _ in range(2):
        lines = verdict_on(TABLE, answer).text.splitlines()
        assert "Your line: return answer(q, k) + scores" in lines


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


def test_a_gradient_that_is_cut_off_is_named():
    verdict = verdict_on(samples.LINEAR, samples.LINEAR.mistakes[1].wrong)
    assert "no gradient of x" in verdict.symptom


def test_an_autograd_stub_is_not_attempted():
    stub = type("Square", (samples.Square,), {"forward": staticmethod(lambda ctx, x: ...)})
    assert verdict_on(samples.SQUARE, stub).state == "todo"


def test_what_an_answer_printed_is_kept_and_cut_at_twenty_lines():
    printed = verdict_on(TABLE, hostile.many_prints).printed
    assert printed.lines[0] == "line 0"
    assert (len(printed.lines), printed.more) == (20, 30)


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
