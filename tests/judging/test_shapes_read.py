"""Whose line is read: a layer's, another cell's, a bound function's. Nothing runs twice."""

import ast
import linecache
import sys

import numpy as np
import pytest
import torch

from course_lib.judging.answer import verdict_on
from course_lib.judging.exercise import Exercise, Mistake, inputs
from course_lib.judging.shapes.failing import _segment
from course_lib.judging.shapes.looked_up import Unknown, value_in
from course_lib.learner.bound import Bound
from tests.judging.shapes_of import exercise_on, mixed, table, told


class Layer(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.w_q = torch.nn.Linear(4, 2)
        self.table = torch.nn.Parameter(torch.ones(2, 3))

    def forward(self, x):
        return self.w_q(x) @ self.table


class Wide(Layer):
    def __init__(self):
        super().__init__()
        self.w_q = torch.nn.Linear(5, 2)


LAYER = Exercise(answer=Layer, cases=(lambda rng: inputs(torch.ones(3, 4)),))


def test_a_methods_line_names_what_belongs_to_the_layer():
    called = Exercise(
        answer=Layer,
        cases=LAYER.cases,
        observe=lambda candidate, case: {"output": candidate()(*case.args)},
    )
    found = verdict_on(called, Wide).symptom
    assert "`self.w_q` takes rows of 5 numbers" in found
    assert "`x` has shape (3, 4)" in found


def test_a_cell_of_a_notebook_is_read_from_where_python_keeps_its_lines():
    source = "def table(q, k):\n    scores = q @ k\n    return scores\n"
    name = "/tmp/ipykernel_1/123.py"
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    space = {}
    exec(compile(source, name, "exec"), space)
    symptom, _ = told(table, space["table"])
    assert "`q @ k`: `q` has shape (3, 4) and `k` has shape (5, 4)" in symptom


def test_a_function_of_another_cell_that_fails_is_read_in_its_own_names():
    space = {}
    for name, source in {
        "/tmp/cell_1.py": "def pair(one, other):\n    return one @ other\n",
        "/tmp/cell_2.py": "def table(q, k):\n    return pair(q, k)\n",
    }.items():
        linecache.cache[name] = (len(source), None, source.splitlines(True), name)
        exec(compile(source, name, "exec"), space)
    assert "`one @ other`: `one` has shape (3, 4)" in told(table, space["table"])[0]


def test_without_source_the_error_stands_as_it_is():
    space = {}
    exec("def table(q, k):\n    return q @ k", space)
    assert "ValueError" in told(table, space["table"])[0]


def test_no_function_of_the_learners_runs_a_second_time():
    runs = []

    def counted(x):
        runs.append(1)
        return x

    verdict_on(exercise_on(table, False), lambda q, k: counted(q) @ k.T)
    right = len(runs)
    symptom, _ = told(table, lambda q, k: counted(q) @ k)
    assert "`k` has shape (5, 4); for `@` a row of the first (4 numbers)" in symptom
    assert len(runs) == 2 * right


class Touchy:
    """Says when something of it is asked for."""

    asked = 0

    @property
    def shape(self):
        Touchy.asked += 1
        return (3, 4)

    def __matmul__(self, other):
        raise ValueError("shapes do not fit")


def test_a_class_of_the_learners_is_not_asked():
    told(table, lambda q, k: Touchy() @ k)
    made = Touchy()
    told(table, lambda q, k: made @ k)
    assert Touchy.asked == 0


@pytest.mark.parametrize(
    "expression",
    ["np.exp(a, a)", "np.sum(a, 0, None, a)", "np.add(a, 1, out=a)", "a.fill(0)", "a.sort()",
     "print(a)", "a.__class__", "open('x')", "[x for x in a]"],
)  # fmt: skip
def test_what_changes_something_is_not_computed_again(expression):
    a = np.ones((2, 2)) * 3
    with pytest.raises(Unknown):
        value_in(sys._getframe(), ast.parse(expression, mode="eval").body)
    assert (a == 3).all()


def test_only_what_fits_in_every_case_is_folded():
    cases = (
        lambda rng: inputs(rng.normal(size=(2, 3)), rng.normal(size=(3, 2))),
        lambda rng: inputs(rng.normal(size=(3, 5)), rng.normal(size=(5, 2))),
    )

    def wrong(weights, v):
        return weights @ v.T

    alone = verdict_on(Exercise(answer=mixed, cases=cases[:1]), wrong).diagnosis
    assert "these fit: `weights.T @ v.T` or `weights @ v`" in alone
    both = verdict_on(Exercise(answer=mixed, cases=cases), wrong).diagnosis
    assert both.endswith("`v.T` is turned: as `v` it has shape (3, 2), which fits.")


def test_a_known_mistake_that_raises_is_named_only_where_the_shapes_are_the_same():
    known = Exercise(
        answer=mixed,
        cases=exercise_on(mixed, False).cases,
        mistakes=(Mistake("The values are turned.", lambda weights, v: np.matmul(weights, v.T)),),
    )
    assert "values are turned" in verdict_on(known, lambda weights, v: weights @ v.T).diagnosis
    other = verdict_on(known, lambda weights, v: weights * v).diagnosis
    assert "values are turned" not in other
    assert "`weights @ v`" in other


def bound(function, documentation):
    """A function as an exercise binds it: another one, which calls the learner's."""

    def runs(*given):
        return function(*given)

    runs.__wrapped__, runs.__doc__ = function, documentation
    vars(runs).update(Bound(function, "yours").attributes())
    return runs


def of_a_notebook(calls, **bound_names):
    """A function that shares its names with those that exercises have bound."""
    text = f"def table(q, k):\n    return {calls}\n"
    name = f"<cell {calls}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    exec(compile(text, name, "exec"), bound_names)
    return bound_names["table"]


OF_VECTORS = "One number.\n\n    a: (d,)   b: (d,)   returns: one number\n    "


@pytest.mark.parametrize("calls", ["dot(q, k)", "dot(q, k.T)"])
def test_where_a_bound_function_fails_the_line_that_calls_it_is_blamed(calls):
    space = {}
    exec("def dot(a, b):\n    return (a * b).sum()", space)
    space["dot"] = bound(space["dot"], OF_VECTORS)
    symptom, folded = told(table, of_a_notebook(calls, **space))
    assert f"stops at `{calls}`: `q` has shape (3, 4)" in symptom
    assert symptom.endswith("`dot` takes vectors, not tables.")
    assert "For tables there is `@`: each row of what" in folded
    assert "k.T" not in folded  # that is the answer


IN_TWO_LINES = """def table(q, k):
    scores = {scores}
    return scores {then} np.eye(len(k))
"""


@pytest.mark.parametrize(
    ("scores", "then", "body", "blamed"),
    [
        ("dot(q, k)", "@", "sum(x * y for x, y in zip(a, b))", True),
        ("dot(q, k.T)", "+", "a @ b", False),  # it made the table: the fault is below
        ("dot(q[0], k[0])", "@", "a @ b", False),
    ],
)
def test_tables_for_vectors_are_blamed_where_only_a_later_line_fails(scores, then, body, blamed):
    space = {"np": np}
    exec(f"def dot(a, b):\n    return {body}", space)
    space["dot"] = bound(space["dot"], OF_VECTORS)
    text, name = IN_TWO_LINES.format(scores=scores, then=then), f"<cell {scores} {then}>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    exec(compile(text, name, "exec"), space)
    symptom, _ = told(table, space["table"])
    assert f"stops at `scores {then} np.eye(len(k))`: " in symptom
    told_so = "the cause stands above it, in `dot(q, k)`. There `q` has shape (3, 4) and `k` has"
    assert (told_so in symptom) is blamed
    assert symptom.endswith("`dot` takes vectors, not tables.") is blamed


def test_what_a_bound_function_takes_is_read_in_its_documentation():
    wants = "Scores.\n\n    q: (t, d)   k: (s, d)   returns: (t, s)\n    "
    scores = bound(lambda q, k: q @ k.T, wants.replace("q:", "one:").replace("k:", "other:"))
    symptom, _ = told(table, of_a_notebook("scores(q[0], k[0, 0])", scores=scores))
    assert "`q[0]` has shape (4,)" in symptom
    assert "`scores` takes" not in symptom, "the documentation names other parameters"

    def scored(q, k):
        return q @ k.T

    symptom, _ = told(table, of_a_notebook("scores(q[0], k[0, 0])", scores=bound(scored, wants)))
    assert symptom.endswith("`scores` takes `q: (t, d)`, `k: (s, d)`.")


def test_a_function_of_the_learners_own_is_blamed_where_it_fails():
    space = {"own": None}
    text = "def own(q, k):\n    return q @ k\n"
    linecache.cache["<own>"] = (len(text), None, text.splitlines(keepends=True), "<own>")
    exec(compile(text, "<own>", "exec"), space)
    made = of_a_notebook("own(q, k)")
    made.__globals__.update(space)
    space["own"] = type(made)(space["own"].__code__, made.__globals__)
    made.__globals__["own"] = space["own"]
    assert "stops at `q @ k`" in told(table, made)[0]


def test_a_piece_of_source_is_what_python_says_it_is():
    source = (
        "größe = [\n    'ä' + b,\n    c(\n        d,\n    ),\n]\nrest = größe[0] if e else f.ü\n"
    )
    nodes = [node for node in ast.walk(ast.parse(source)) if hasattr(node, "lineno")]
    assert len(nodes) > 10
    for node in nodes:
        assert _segment(source, node) == ast.get_source_segment(source, node)
    assert _segment(source, ast.parse(source)) == ""
