"""Chapter 1's open answers: each wrong one is told once what it lacks, in one rounding."""

import itertools
import re

import numpy as np
import pytest

from course_lib.chapters.dot_product.exercises.ask_for_the_kitten import ASK_FOR_THE_KITTEN
from course_lib.chapters.dot_product.exercises.attention import ATTENTION
from course_lib.chapters.dot_product.exercises.dot import dot as whole
from course_lib.chapters.dot_product.exercises.dot import dot_by_pairs, dot_by_places
from course_lib.chapters.dot_product.exercises.near_and_loud import NEAR_AND_LOUD
from course_lib.judging.answer import verdict_on
from course_lib.kernels.softmax import softmax
from course_lib.learner.bound import Bound

QUERIES = [
    *itertools.product((-1, 0, 1), repeat=4),
    (0.5, -0.5, 0, 0),
    (0, -0.5, 0, 0),
    (2, 0, 0, 0),
]


@pytest.mark.parametrize("query", QUERIES, ids=str)
def test_a_question_is_told_once_what_it_lacks_with_the_shares_of_the_line_below(query):
    verdict = verdict_on(ASK_FOR_THE_KITTEN, lambda keys: list(query))
    assert verdict.mistake is None
    if verdict.state == "wrong":
        (weights,) = (one.value for one in verdict.evidence if one.label.startswith("Weights"))
        shares = {float(one) for one in re.findall(r"[\d.]+\d|\d", weights)}
        told = re.findall(r"0\.\d+", verdict.symptom)
        assert {float(one) for one in told} <= shares


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ((1, -1, 0, 0), "the kitten a weight of 0.948. (The best one gets 0.993: can you find"),
        ((1, -1, -1, -1), "scores 5 less, keeps 0.007.)"),
    ],
)
def test_it_is_told_why_no_question_gets_the_kitten_all_of_the_weight(query, told):
    (note,) = verdict_on(ASK_FOR_THE_KITTEN, lambda keys: list(query)).notes
    said = note.template.format(**note.values)
    assert told in said
    assert "one gets 1: softmax leaves each word a weight above 0." in said


@pytest.mark.parametrize(("near", "told"), [([1, 0], False), ([0.3, 0], True)])
def test_the_length_of_near_is_told_only_where_it_is_what_lacks(near, told):
    verdict = verdict_on(NEAR_AND_LOUD, lambda q: (near, [5, 5]))
    assert verdict.state == "wrong"
    assert ("Length of near" in {one.label for one in verdict.evidence}) == told


@pytest.mark.parametrize("own", [dot_by_pairs, dot_by_places])
def test_a_dot_of_two_tables_is_named_first_though_only_the_last_line_fails(own):
    def dot(a, b):
        return own(a, b)

    dot.__doc__ = whole.__doc__
    vars(dot).update(Bound(own, "yours").attributes())

    def attention(q, k, v):
        scores = dot(q, k)
        weights = softmax(scores)
        return weights @ v

    verdict = verdict_on(ATTENTION, attention)
    assert verdict.symptom == (
        "attention stops at `weights @ v`: the cause stands above it, in `dot(q, k)`. There `q` "
        "has shape (2, 3) and `k` has shape (4, 3); `dot` takes vectors, not tables."
    )
    assert verdict.mistake is not None
    assert verdict.mistake.text.startswith("A dot product is one number of two vectors")


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (lambda q, k, v: softmax(q @ k) @ v, "  # q (2, 3), k (4, 3), v (4, 2)"),
        (lambda q, k, v: q @ k.T @ v, ")"),
    ],
)
def test_where_sizes_do_not_fit_the_input_names_those_of_all_that_was_given(answer, told):
    (given,) = (one.value for one in verdict_on(ATTENTION, answer).evidence if one.label == "Input")
    assert given.endswith(told)
    assert ("#" in given) == ("#" in told)
    first = eval(given, {"np": np, "attention": lambda q, k, v: q})  # it can still be pasted
    assert first.shape == (2, 3)
