"""Chapter 3's models at several widths, divided and not: who learns when, and who is lost."""

import numpy as np

from course_lib.chapters.scaling import situations
from course_lib.chapters.scaling.situations import once_trained, train_both
from course_lib.models.recall import answer, fresh_parameters, random_questions, train, trained


def test_divided_each_width_learns_in_time_and_undivided_the_wider_the_later():
    def right(d_k, factor):
        curves = [train(d_k, factor, range(200), np.random.default_rng(start)) for start in (0, 1)]
        return np.mean([curve[80:120] for curve in curves])

    widths = (16, 64, 256)
    assert all(right(d_k, d_k**-0.5) > 0.95 for d_k in widths)
    narrow, usual, wide = (right(d_k, 1) for d_k in widths)
    assert 0.9 > narrow > 1.5 * usual
    assert usual > 3 * wide


def test_undivided_models_of_width_512_get_further_in_150_steps_than_those_of_256():
    runs = train_both((256, 512))
    wide, wider = (np.mean([c[100:] for c in runs[d, "not divided"]]) for d in (256, 512))
    assert wider > 2 * wide


def test_undivided_models_of_width_256_are_sure_of_a_wrong_name_in_seven_of_ten_questions():
    found = once_trained(256)
    assert {how: round(10 * one.misled) for how, one in found.items()} == {
        "divided": 0,
        "not divided": 7,
    }
    assert found["divided"].weights[found["divided"].right] > 0.95
    lost = found["not divided"]  # the question that is drawn is like most
    assert lost.weights.max() > 0.95
    assert lost.weights.argmax() != lost.right == found["divided"].right


def test_the_first_model_of_once_trained_is_the_one_whose_curve_is_drawn():
    rng = np.random.default_rng(0)
    parameters, curve = trained(fresh_parameters(16, rng), 1 / 4, range(150), rng)
    asked = random_questions(1000, rng)
    assert np.array_equal(train_both((16,))[16, "divided"][0], curve)
    found = once_trained(16)["divided"]
    assert np.array_equal(found.weights, answer(parameters, asked, 1 / 4)["weights"][0])
    assert asked.names[0, found.right] == asked.asked[0]


def test_both_trainings_begin_from_the_same_numbers_and_differ_by_the_division_alone(monkeypatch):
    monkeypatch.setattr(situations, "TRAINED", 5)
    runs = train_both((4, 16))
    assert list(runs) == [(d_k, how) for d_k in (4, 16) for how in ("divided", "not divided")]
    assert all(len(curves) == 3 for curves in runs.values())
    for (d_k, how), curves in runs.items():
        factor = d_k**-0.5 if how == "divided" else 1
        for start, curve in enumerate(curves):
            expected = train(d_k, factor, range(5), np.random.default_rng(start))
            assert np.array_equal(curve, expected)
