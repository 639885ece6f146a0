"""Errors of shapes, as beginners make them: every number in a sentence is one of a real shape."""

import ast
import linecache
import re
import sys

import numpy as np
import pytest
import torch
from numpy.linalg import norm

from course_lib.judging.answer import verdict_on
from course_lib.judging.exercise import Exercise, Mistake, inputs
from course_lib.judging.shapes.looked_up import Unknown, value_in
from course_lib.learner.bound import Bound

N, D, S, E = 3, 4, 5, 2  # queries, width of q and k, keys, width of v


def table(q, k):
    return q @ k.T


def mixed(weights, v):
    return weights @ v


def heads(q, k):
    return q @ k.mT


SHAPES = {
    "table": ((N, D), (S, D)),
    "mixed": ((N, S), (S, E)),
    "heads": ((2, 3, 5, 7), (2, 3, 11, 7)),
}


def exercise_on(answer, of_torch):
    def case(rng):
        arrays = [rng.normal(size=shape) for shape in SHAPES[answer.__name__]]
        return inputs(*map(torch.tensor, arrays)) if of_torch else inputs(*arrays)

    return Exercise(answer=answer, cases=(case,))


def told(answer, wrong, of_torch=False):
    """The sentence, and what is folded."""
    verdict = verdict_on(exercise_on(answer, of_torch), wrong)
    assert verdict.state == "wrong"
    return verdict.symptom, verdict.diagnosis


def given_back(x):
    return x


def in_a_loop(q, k):
    return np.array([[q[i] @ k[i] for i in range(len(k))] for _ in q])


def forgotten_axis(q, k):
    scores = q @ k.T
    scores -= scores.max(axis=-1)
    return scores


def unpacks(q, k):
    b, n, d = q.shape
    return q @ k.T + b + n + d


def fills(q, k):
    out = np.zeros((len(q), len(k)))
    for i in range(len(q)):
        out[i] = q @ q[i]
    return out


def adds_up(q, k):
    out = np.zeros(len(k))
    out += q @ k.T
    return out


# The answer, what is typed, words of the sentence, words of what is folded.
NUMPY = [
    (mixed, lambda weights, v: weights * v, "`weights` has shape (3, 5) and `v` has shape (5, 2)",
     "`weights @ v`"),
    (mixed, lambda weights, v: weights @ v.T, "a row of the first (5 numbers) must be as long as a "
     "column of the second (2)", "`v.T` is turned: as `v` it has shape (5, 2)"),
    (mixed, lambda weights, v: v @ weights, "a row of the first (2 numbers) must be as long as a "
     "column of the second (3)", "`weights @ v` gives an array of shape (3, 2)"),
    (mixed, lambda weights, v: weights.T @ v, "`weights.T` has shape (5, 3)",
     "`weights.T` is turned: as `weights` it has shape (3, 5)"),
    (table, lambda q, k: q @ k, "a row of the first (4 numbers) must be as long as a column of the "
     "second (5)",
     "`k.T` has shape (4, 5)"),
    (table, lambda q, k: q.T @ k, "`q.T` has shape (4, 3) and `k` has shape (5, 4)",
     "`q @ k.T`"),
    (table, lambda q, k: q @ k.transpose(0, 1), "`k.transpose(0, 1)` has shape (5, 4)",
     "leaves every axis where it is"),
    (table, lambda q, k: np.matmul(q, k), "for `matmul`", "`k.T` has shape (4, 5)"),
    (table, lambda q, k: np.dot(q, k), "for `dot`", "`k.T` has shape (4, 5)"),
    (table, lambda q, k: q.dot(k), "`q.dot(k)`", "`k.T` has shape (4, 5)"),
    (table, lambda q, k: np.inner(q, k.T), "last sizes of both must be equal, not 4 and 5",
     "`k.T` is turned"),
    (table, lambda q, k: q * k, "at axis -2 they are 3 and 5", "`q @ k.T`"),
    (table, lambda q, k: q / norm(q, axis=-1) @ k.T, "`norm(q, axis=-1)` has shape (3,)",
     "with shape (3, 1), it fits"),
    (table, lambda q, k: (q @ k.T) / (norm(q, axis=-1) * norm(k, axis=-1)),
     "`norm(q, axis=-1)` has shape (3,) and `norm(k, axis=-1)` has shape (5,)",
     "`norm(q, axis=-1)[:, None] * norm(k, axis=-1)` has shape (3, 5)"),
    (table, lambda q, k: q @ k.T / q.sum(axis=1), "at the last axis they are 5 and 3",
     "`q.sum(axis=1)[:, None]`"),
    (table, lambda q, k: np.exp(q @ k.T).sum(axis=2), "there is no axis 2", ""),
    (table, lambda q, k: norm(q, axis=2), "`q` has shape (3, 4); its axes are 0 and 1", ""),
    (table, lambda q, k: np.einsum("td,ds->ts", q, k), "letter `d` would be 4 in the one and 5",
     ""),
    (table, lambda q, k: np.einsum("btd,sd->ts", q, k), "`btd` are 3 letters", ""),
    (table, lambda q, k: q.reshape(5, 4) @ k.T, "these are 12 numbers, and the new shape (5, 4) "
     "has 20 places", ""),
    (table, lambda q, k: q.reshape(5, -1) @ k.T, "12 cannot be divided by the 5", ""),
    (table, lambda q, k: np.concatenate([q, k], axis=1), "along axis 1",
     "Along axis 0 `concatenate` fits"),
    (table, lambda q, k: np.stack([q, k]), "of one and the same shape", ""),
    (table, in_a_loop, "along axis 0 its places are 0 to 2 (from the end, -1 to -3); there is no "
     "place 3", ""),
    (table, lambda q, k: q[0, 1, 2], "at most 2 indices", ""),
    (table, lambda q, k: [q[x] for x in q[0]], "`x` is no whole number (float64)", ""),
    (table, lambda q, k: [1, 2][len(k)], "`[1, 2]` has 2 parts, so its places are 0 to 1 (from the "
     "end, -1 to -2); there is no place 5", ""),
    (table, lambda q, k: max(q @ k.T, 0), "`q @ k.T` has shape (3, 5)", ""),
    (table, lambda q, k: min(q @ k.T, 0), "say `np.maximum` or `torch.maximum` (or `minimum`)", ""),
    (table, lambda q, k: float(q @ k.T), "`float` takes a single number", ""),
    (table, lambda q, k: q @ k.T if q > 0 else k, "neither true nor false", ""),
    (table, forgotten_axis, "`scores.max(axis=-1)` has shape (3,)",
     "`scores.max(axis=-1)[:, None]`, with shape (3, 1)"),
    (table, unpacks, "its shape has 2 sizes, and 3 names", ""),
    (table, fills, "`out[i]` has shape (5,) and `q @ q[i]` has shape (3,)", ""),
    (table, adds_up, "the result would have shape (3, 5)", ""),
    (table, lambda q, k: q @ 2, "`*` multiplies by a single number", ""),
    (table, lambda q, k: np.where(q > 0, q, k), "at axis -2 they are 3 and 5",
     ""),
    (heads, lambda q, k: q @ k.T, "`k.T` has shape (7, 11, 3, 2)", "`k.mT` does"),
    (heads, lambda q, k: q.transpose(1, 2) @ k, "all 4 axes are to be named", ""),
]  # fmt: skip

TORCH = [
    (mixed, lambda weights, v: weights * v, "at the last axis they are 5 and 2", "`weights @ v`"),
    (mixed, lambda weights, v: weights @ v.T, "must be as long as a column of the second (2)",
     "`v.T` is turned: as `v` it has shape (5, 2)"),
    (mixed, lambda weights, v: torch.mm(v, weights), "for `mm`", "`torch.mm(weights, v)`"),
    (table, lambda q, k: q @ k, "a row of the first (4 numbers) must be", "`k.T` has shape (4, 5)"),
    (table, lambda q, k: torch.dot(q, k), "`dot` takes two tensors of one axis each", ""),
    (table, lambda q, k: given_back(q) * k, "at axis 0 of the result they are 3 and 5", ""),
    (table, lambda q, k: torch.bmm(q, k), "takes two tensors of 3 axes", ""),
    (table, lambda q, k: (q @ k.T) / (q.norm(dim=-1) * k.norm(dim=-1)),
     "`k.norm(dim=-1)` has shape (5,)", "has shape (3, 5)"),
    (table, lambda q, k: torch.softmax(q @ k.T, dim=2), "there is no axis 2", ""),
    (table, lambda q, k: q @ k.transpose(1, 2), "`k` has shape (5, 4)", ""),
    (table, lambda q, k: torch.cat([q, k], dim=1), "along axis 1", "Along axis 0 `cat` fits"),
    (table, lambda q, k: q.float() @ k.T, "holds float32 and `k.T` float64", ""),
    (table, lambda q, k: torch.nn.functional.linear(q, k.T), "must be equal, not 4 and 5",
     "`k.T` is turned"),
    (table, lambda q, k: torch.einsum("td,ds->ts", q, k), "letter `d` would be 4", ""),
    (table, lambda q, k: (q @ k.T).masked_fill(k > 0, 0.0), "`k > 0` has shape (5, 4)", ""),
    (heads, lambda q, k: q @ k, "must be as long as a column of the second (11)",
     "`k.mT` has shape (2, 3, 7, 11)"),
    (heads, lambda q, k: q @ k.transpose(1, 2), "`k.transpose(1, 2)` has shape (2, 11, 3, 7)",
     "`k.mT` does"),
    (heads, lambda q, k: q.transpose(1, 2).view(2, 5, 21), "`reshape` copies", ""),
    (heads, lambda q, k: torch.nn.Linear(5, 2, dtype=q.dtype)(q), "there `q` has shape", ""),
]  # fmt: skip


@pytest.mark.parametrize(("answer", "wrong", "words", "folded"), NUMPY)
def test_a_line_of_numpy_is_told_in_its_own_names(answer, wrong, words, folded):
    symptom, diagnosis = told(answer, wrong)
    assert words in symptom
    assert folded in diagnosis
    assert bool(folded) == bool(diagnosis)
    assert "gufunc" not in symptom


@pytest.mark.parametrize(("answer", "wrong", "words", "folded"), TORCH)
def test_a_line_of_torch_is_told_in_its_own_names(answer, wrong, words, folded):
    symptom, diagnosis = told(answer, wrong, of_torch=True)
    assert words in symptom
    assert folded in diagnosis
    assert bool(folded) == bool(diagnosis)


ALL = [(*one[:2], False) for one in NUMPY] + [(*one[:2], True) for one in TORCH]


@pytest.mark.parametrize(("answer", "wrong", "of_torch"), ALL)
def test_every_shape_that_is_told_is_the_real_one(answer, wrong, of_torch):
    """What stands in backticks before "has shape" is computed again on the inputs of the case."""
    symptom, diagnosis = told(answer, wrong, of_torch)
    case = exercise_on(answer, of_torch).cases[0](np.random.default_rng(0))
    names = dict(zip(answer.__code__.co_varnames, case.args, strict=True))
    space = {"np": np, "torch": torch, "norm": norm, **names}
    checked = 0
    said = re.findall(r"`([^`]+)` (?:it )?has shape (\([\d, ]*\))", symptom + diagnosis)
    for source, shape in said:
        if not {"scores", "out"} & set(re.findall(r"\w+", source)):
            where = {**space, "i": 0}
            assert str(tuple(eval(source, where).shape)) == shape, source
            checked += 1
    assert checked or "has shape" not in symptom or "scores" in symptom or "out" in symptom


def optional(q, k, mask=None):
    scores = q @ k.mT
    return scores if mask is None else scores.masked_fill(~mask, -1.0)


def on_a_mask(given):
    """The exercise `optional`, with a mask or without."""

    def case(rng):
        mask = torch.ones(3, 5, dtype=torch.bool).tril() if given else None
        return inputs(torch.ones(3, 4), torch.ones(5, 4), mask=mask)

    return Exercise(answer=optional, cases=(case,))


@pytest.mark.parametrize(
    "wrong",
    [
        lambda q, k, mask=None: (q @ k.mT).masked_fill(~mask, -1.0),
        lambda q, k, mask=None: (q @ k.mT).masked_fill(mask == 0, -1.0),
        lambda q, k, mask=None: torch.where(mask, q @ k.mT, -1.0),
        lambda q, k, mask=None: (q @ k.mT) * mask,
    ],
)
def test_what_was_not_given_is_named_with_the_question_to_ask(wrong):
    symptom = verdict_on(on_a_mask(False), wrong).symptom
    assert "`mask` is None here, as none was given" in symptom
    assert "`if mask is not None:`" in symptom


def if_given(q, k, mask=None):
    if mask:
        return (q @ k.mT).masked_fill(~mask, -1.0)
    return q @ k.mT


def if_not_given(q, k, mask=None):
    return q @ k.mT if not mask else (q @ k.mT).masked_fill(~mask, -1.0)


def given_on_one_line(q, k, mask=None):
    return (q @ k.mT).masked_fill(~mask, -1.0) if mask else q @ k.mT


@pytest.mark.parametrize("wrong", [if_given, if_not_given, given_on_one_line])
def test_whoever_asks_whether_a_mask_was_given_is_not_told_of_and_and_or(wrong):
    symptom = verdict_on(on_a_mask(True), wrong).symptom
    assert "`mask is not None` asks" in symptom
    assert "`&`" not in symptom


def only_if_large(q, k):
    scores = q @ k.T
    return scores if scores > 0 else -scores


def test_a_question_about_the_entries_of_an_array_keeps_its_own_answer():
    assert "`&`, `|`, `~`" in told(table, only_if_large)[0]
    assert "`&`, `|`, `~`" in told(table, lambda q, k: q @ k.T if q > 0 else k)[0]


@pytest.mark.parametrize(
    ("wrong", "source"),
    [
        (lambda q, k: q.reshape(2, len(q) / 1) @ k.T, "`len(q) / 1` is 3.0"),
        (lambda q, k: q[: q.shape[1] / 2] @ k.T, "`q.shape[1] / 2` is 2.0"),
        (lambda q, k: np.zeros((3, 10 / 2)), "`10 / 2` is 5.0"),
    ],
)
@pytest.mark.parametrize("of_torch", [False, True])
def test_a_size_with_a_decimal_point_is_named(wrong, source, of_torch):
    symptom = told(table, wrong, of_torch)[0]
    assert source in symptom
    assert "`//` does not" in symptom


def test_sizes_that_agree_by_chance_do_not_make_a_turn_idle():
    """The shape (1, 2, 2, 1) reads the same backwards, and `.T` turns round all four axes."""
    shapes = ((1, 2, 2, 1), (1, 2, 2, 1)), ((2, 3, 5, 7), (2, 3, 11, 7))
    cases = tuple(lambda rng, two=two: inputs(*map(torch.ones, two)) for two in shapes)
    for wrong in (lambda q, k: q @ k.T, lambda q, k: q @ k.transpose(1, 2)):
        folded = verdict_on(Exercise(answer=heads, cases=cases), wrong).diagnosis
        assert "does not exchange the last two axes; `k.mT` does" in folded
        assert "leaves every axis" not in folded


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
    assert folded.endswith("For tables there is `@`: `q @ k.T` has shape (3, 5).")


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
