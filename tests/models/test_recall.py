"""models/recall.py: its hand-derived gradient against finite differences, and that it learns."""

import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from course_lib.kernels.softmax import softmax
from course_lib.models import recall


@pytest.fixture
def small(monkeypatch):
    """A model with few weights of sizes that all differ, and questions for it."""
    monkeypatch.setattr(recall, "NAMES", 7)
    monkeypatch.setattr(recall, "PAIRS", 3)
    monkeypatch.setattr(recall, "WIDTH", 5)
    rng = np.random.default_rng(0)
    return recall.fresh_parameters(2, rng), recall.random_questions(11, rng)


@pytest.mark.parametrize("factor", [1.0, 2**-0.5])
@pytest.mark.parametrize("name", ["W_q", "W_k", "v", "u"])
def test_the_gradient_by_hand_is_the_measured_one(small, name, factor):
    parameters, questions = small
    _, _, gradients = recall.loss_and_gradients(parameters, questions, factor)
    measured, step = np.zeros_like(parameters[name]), 1e-6
    for place in np.ndindex(measured.shape):
        losses = []
        for sign in (1, -1):
            moved = {**parameters, name: parameters[name].copy()}
            moved[name][place] += sign * step
            losses.append(recall.loss_and_gradients(moved, questions, factor)[0])
        measured[place] = (losses[0] - losses[1]) / (2 * step)
    np.testing.assert_allclose(gradients[name], measured, rtol=1e-5, atol=1e-8)


def test_everything_that_is_learned_has_a_gradient_and_the_names_have_none(small):
    parameters, questions = small
    _, _, gradients = recall.loss_and_gradients(parameters, questions, 1.0)
    assert set(gradients) == set(parameters) - {"x"}
    assert all(np.abs(one).max() > 0 for one in gradients.values())


def test_the_answer_is_attention_over_the_pairs_of_the_question(small):
    parameters, questions = small
    seen = recall.answer(parameters, questions, 0.5)
    for row in range(len(questions.asked)):
        q = parameters["x"][questions.asked[row]] @ parameters["W_q"]
        k = parameters["x"][questions.names[row]] @ parameters["W_k"]
        weights = softmax(0.5 * k @ q)
        output = weights @ parameters["v"][questions.contents[row]]
        np.testing.assert_allclose(seen["weights"][row], weights)
        np.testing.assert_allclose(seen["logits"][row], output @ parameters["u"])


def test_a_question_names_different_pairs_and_its_answer_is_what_the_asked_one_holds():
    questions = recall.random_questions(50, np.random.default_rng(1))
    assert questions.names.shape == questions.contents.shape == (50, recall.PAIRS)
    for names, contents, asked, answer in zip(
        questions.names, questions.contents, questions.asked, questions.answers, strict=True
    ):
        assert len(set(names)) == recall.PAIRS
        assert contents[list(names).index(asked)] == answer


def test_fresh_queries_and_keys_have_entries_of_variance_1():
    parameters = recall.fresh_parameters(256, np.random.default_rng(2))
    for name in ("W_q", "W_k"):
        assert (parameters["x"] @ parameters[name]).var() == pytest.approx(1, abs=0.15)
    small = recall.fresh_parameters(256, np.random.default_rng(2), query_size=1 / 16)
    np.testing.assert_allclose(small["W_q"], parameters["W_q"] / 16)
    np.testing.assert_array_equal(small["W_k"], parameters["W_k"])


def test_training_takes_one_batch_a_step_and_learns():
    taken = []
    steps = (taken.append(step) or step for step in range(120))
    accuracies = recall.train(16, 0.25, steps, np.random.default_rng(0))
    assert taken == list(range(120))
    assert accuracies.shape == (120,)
    assert accuracies[:20].mean() < 0.2
    assert accuracies[-20:].mean() > 0.7


def test_training_is_the_same_each_time():
    first, second = (recall.train(8, 1.0, range(5), np.random.default_rng(3)) for _ in range(2))
    np.testing.assert_array_equal(first, second)


def threads_of_products():
    return [one["num_threads"] for one in threadpool_info() if one["user_api"] == "blas"]


@pytest.mark.skipif(not threads_of_products(), reason="numpy's products are not asked here (Apple)")
def test_training_takes_one_thread_and_gives_the_others_back():
    seen = []

    def questions(*given):
        seen.extend(threads_of_products())
        return recall.random_questions(*given)

    rng = np.random.default_rng(0)
    with threadpool_limits(limits=2, user_api="blas"):
        before = threads_of_products()
        recall.trained(recall.fresh_parameters(4, rng), 1.0, range(2), rng, questions)
        assert set(seen) == {1}
        assert threads_of_products() == before
    assert 2 in before


def test_every_second_question_asks_for_a_name_that_no_pair_has():
    asked = recall.questions_or_none(40, np.random.default_rng(0))
    found = (asked.names == asked.asked[:, None]).any(axis=1)
    assert (found == (np.arange(40) % 2 == 0)).all()
    assert (asked.answers[~found] == recall.NONE).all()
    assert (asked.answers[found] != recall.NONE).all()
    rows = np.flatnonzero(found)
    places = (asked.names[rows] == asked.asked[rows, None]).argmax(axis=1)
    assert (asked.contents[rows, places] == asked.answers[rows]).all()


def test_the_first_pair_alone_is_always_the_same():
    asked = recall.questions_or_none(40, np.random.default_rng(1))
    assert (asked.names[:, 0] == recall.START).all()
    assert (asked.contents[:, 0] == recall.NONE).all()
    assert (asked.names[:, 1:] != recall.START).all()
    assert (asked.contents[:, 1:] != recall.NONE).all()
    assert all(len(set(row)) == recall.PAIRS for row in asked.names.tolist())


def test_a_trained_model_looks_at_the_first_pair_where_the_name_is_not_there():
    rng = np.random.default_rng(2)
    fresh = recall.fresh_parameters(recall.WIDTH, rng)
    before = {name: value.copy() for name, value in fresh.items()}
    factor = recall.WIDTH**-0.5
    learned, accuracies = recall.trained(fresh, factor, range(250), rng, recall.questions_or_none)
    assert accuracies[-10:].mean() > 0.9
    assert all((fresh[name] == value).all() for name, value in before.items())
    asked = recall.questions_or_none(200, rng)
    sink = recall.answer(learned, asked, factor)["weights"][:, 0]
    assert sink[1::2].mean() > 0.3
    assert sink[::2].mean() < 0.05
