"""Names of the notebook in an answer, NaN in gradients, half precision, shapes of results."""

import numpy as np
import pytest
import torch

from course_lib.judging import judge
from course_lib.judging.answer import verdict_on
from course_lib.judging.exercise import Exercise, inputs
from course_lib.judging.observe import call_and_gradients
from course_lib.judging.shapes.wrong_shape import meaning_of_shape


def scale(scores, d_k):
    return scores / np.sqrt(d_k)


SCALE = Exercise(
    answer=scale,
    cases=(
        lambda rng: inputs(np.array([8.0, -4.0]), 16),
        lambda rng: inputs(rng.normal(size=(2, 3)), 5),
    ),
)


def typed_in_a_notebook(source, **names):
    """What a cell defines, among the names that earlier cells have made."""
    space = {"np": np, **names}
    exec(source, space)
    return space["scale"]


def test_a_name_of_the_notebook_is_told_where_the_answer_is_wrong():
    answer = typed_in_a_notebook("def scale(scores, d_k): return scores / np.sqrt(d)", d=64)
    text = verdict_on(SCALE, answer).text
    assert "uses `d`, a name of the notebook and none of its arguments (scores, d_k)" in text


def test_an_answer_without_arguments_is_not_asked_which_of_them_it_meant():
    def four():
        return np.full(2, 4.0)

    exercise = Exercise(answer=four, cases=(lambda rng: inputs(),))
    space = {"np": np, "x": np.ones(2)}
    exec("def four(): return 3 * x", space)
    text = verdict_on(exercise, space["four"]).text
    assert "uses `x`, a name of the notebook" in text
    assert "let it make what it needs" in text
    assert "()" not in text.replace("four()", "")


def test_an_array_of_the_notebook_is_told_in_an_inner_function_too():
    source = "def scale(scores, d_k):\n    return [(lambda x: x / d_k)(s) for x in scores]"
    assert "uses `s`" in verdict_on(SCALE, typed_in_a_notebook(source, s=np.ones(2))).text


def test_a_right_answer_may_use_what_it_likes():
    source = "def scale(scores, d_k): return scores / d_k**half"
    assert verdict_on(SCALE, typed_in_a_notebook(source, half=0.5)).state == "right"


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("def scale(scores, d_k): return twice(scores)", {"twice": lambda x: 2 * x}),
        ("def scale(scores, d_k): return np.sin(scores)", {}),
        ("def scale(scores, d_k): return scores * LOW", {"LOW": -1e9}),
    ],
)
def test_functions_modules_and_constants_in_capitals_are_no_borrowed_names(source, names):
    answer = typed_in_a_notebook(source, **names)
    assert "a name of the notebook" not in verdict_on(SCALE, answer).text


def test_where_the_name_is_missing_the_arguments_are_named():
    answer = typed_in_a_notebook("def scale(scores, d_k): return scores / np.sqrt(d)")
    symptom = verdict_on(SCALE, answer).symptom
    assert "`d`, which is not defined here" in symptom
    assert "(scores, d_k)" in symptom


@pytest.mark.parametrize(
    ("root", "words"),
    [
        ("sqrt(d_k)", "numpy has it: `np.sqrt`"),
        ("math.sqrt(d_k)", "numpy has what `math` has: `np.sqrt`"),
    ],
)
def test_a_function_that_numpy_has_is_told_with_its_name_there(root, words):
    answer = typed_in_a_notebook(f"def scale(scores, d_k): return scores / {root}")
    assert words in judge("03_scaling/scale", answer).symptom


def test_a_name_that_numpy_does_not_have_is_not_looked_for_there():
    answer = typed_in_a_notebook("def scale(scores, d_k): return scores / root(d_k)")
    assert "numpy" not in judge("03_scaling/scale", answer).symptom


def test_an_answer_in_torch_is_not_sent_to_numpy():
    answer = typed_in_a_notebook("def scale(scores): return sqrt(scores + 1)")
    symptom = verdict_on(ROOTED, answer).symptom
    assert "`sqrt`, which is not defined here" in symptom
    assert "numpy" not in symptom


def test_softmax_is_told_as_the_method_that_torch_has():
    answer = typed_in_a_notebook("def scale(scores): return softmax(scores, -1)")
    assert "`scores.softmax(dim=-1)`" in verdict_on(ROOTED, answer).symptom


def test_where_there_are_no_arguments_a_name_may_be_text_without_its_quotes():
    source = "def scale(): return zanahoria"
    empty = Exercise(answer=lambda_named("scale", lambda: "hat"), cases=(lambda rng: inputs(),))
    symptom = verdict_on(empty, typed_in_a_notebook(source)).symptom
    assert "nothing in scale makes it" in symptom
    assert 'it stands in quotes: "zanahoria"' in symptom
    assert "()" not in symptom


def test_a_name_used_too_early_is_told():
    source = "def scale(scores, d_k):\n    scores = root * scores\n    root = 1\n    return scores"
    assert "uses `root` before" in verdict_on(SCALE, typed_in_a_notebook(source)).symptom


def rooted(scores):
    return (scores + 1).sqrt()


ROOTED = Exercise(
    answer=rooted,
    cases=(lambda rng: inputs(torch.tensor([[0.0, 3.0, 8.0], [0.0, 0.0, 15.0]])),),
    observe=call_and_gradients,
)


def test_nan_in_the_gradient_alone_is_told_as_that():
    def wrong(scores):
        safe = torch.where(scores > 0, scores.sqrt() * scores, 0.0)
        return (scores + 1).sqrt() + 0 * safe

    symptom = verdict_on(ROOTED, wrong).symptom
    assert "The gradient of scores has NaN (not a number) in 3 of 6 places" in symptom
    assert "what rooted returns has none" in symptom


def test_nan_in_the_result_is_counted():
    symptom = verdict_on(ROOTED, lambda scores: (scores - 1).sqrt()).symptom
    assert "NaN (not a number) where a number is expected, in 3 of 6 places" in symptom


def in_place(scores):
    scores += 1
    return scores.sqrt()


def in_place_in_the_middle(scores):
    shifted = (scores + 1).exp()
    roots = shifted.sqrt()
    shifted *= 2
    roots -= 1
    return roots * shifted


def through_numpy(scores):
    return torch.tensor(np.sqrt(scores.numpy() + 1))


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (in_place, "changes a tensor in place whose gradient is wanted"),
        (in_place_in_the_middle, "in place that its gradient still needs"),
        (through_numpy, "no gradient finds its way back"),
    ],
)
def test_autograds_errors_are_told_without_leaves_and_versions(wrong, words):
    text = verdict_on(ROOTED, wrong).text
    assert words in text
    assert "leaf" not in text
    assert "version" not in text
    assert "RuntimeError" not in text


def test_half_precision_where_more_is_expected_is_told():
    symptom = verdict_on(SCALE, lambda s, d_k: (s / np.sqrt(d_k) / 3).astype(np.float16)).symptom
    assert "half precision (float16), which keeps about 3 digits; expected is float64" in symptom
    brain = Exercise(answer=rooted, cases=ROOTED.cases)
    assert "bfloat16" in verdict_on(brain, lambda x: (x + 7).sqrt().bfloat16()).symptom


def test_what_overflows_in_half_precision_is_told():
    half = Exercise(
        answer=lambda_named("softened", lambda x: np.exp(x - x.max())),
        cases=(lambda rng: inputs(np.array([1.0, 2.0, 12.0], dtype=np.float16)),),
    )
    symptom = verdict_on(half, np.exp).symptom
    assert "gives infinity in 1 of 3 places: half precision (float16) ends at 65504" in symptom


def lambda_named(name, function):
    function.__name__ = name
    return function


@pytest.mark.parametrize(
    ("got", "want", "words"),
    [
        ((4, 1), (4,), "4 numbers in one row are expected: (4,); yours gives (4, 1)"),
        ((3,), (3, 5), "lacks axis 1, of size 5"),
        ((5,), (3, 5), "lacks axis 0, of size 3"),
        ((3, 5), (3,), "axis 1 of size 5"),
        ((3,), (3, 1), "`keepdims=True` keeps one in a sum"),
        ((2, 1, 3), (2, 3), "an axis of size 1 more"),
        ((), (5,), "one number for all; 5 are expected"),
        ((5,), (), "yours gives 5"),
    ],
)
def test_a_result_of_another_shape_is_told_what_it_would_mean(got, want, words):
    shaped = Exercise(
        answer=lambda_named("shaped", lambda: np.ones(want)), cases=(lambda rng: inputs(),)
    )
    assert words in verdict_on(shaped, lambda: 2 * np.ones(got)).text


@pytest.mark.parametrize(("got", "want"), [((3,), (3, 3)), ((3, 5), (5, 3)), ((2, 3, 4), (4,))])
def test_where_several_ways_lead_to_a_shape_none_is_told(got, want):
    assert meaning_of_shape(got, want) is None
