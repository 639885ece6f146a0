"""What the pictures of chapter 4 show is true, at more settings than their ends."""

import numpy as np
import pytest

from course_lib.chapters.softmax.explorers.add_and_multiply import explore_add_and_multiply
from course_lib.chapters.softmax.explorers.crowd import explore_crowd
from course_lib.chapters.softmax.explorers.heat_map import explore_heat_map
from course_lib.chapters.softmax.explorers.temperature import PRINTED, explore_temperature
from course_lib.kernels.softmax import effective_count, softmax


def data(explorer, **params):
    return explorer.frame(**params).right


def reached(explorer, **params):
    return explorer._ours().reached(explorer.frame(**params))


@pytest.mark.parametrize("power", [0, 3, 6, 7])
def test_a_constant_changes_nothing_while_float32_can_hold_it(power):
    seen = data(explore_add_and_multiply, power=float(power))
    for name in ("float32", "float64"):
        np.testing.assert_allclose(seen[name]["weights"], softmax([1, 2, 3]), atol=1e-6)


def test_the_constant_of_the_bet_makes_float32_even_and_not_float64():
    seen = data(explore_add_and_multiply, power=8.0)
    np.testing.assert_allclose(seen["float32"]["weights"], 1 / 3, rtol=1e-6)
    np.testing.assert_allclose(seen["float64"]["weights"], softmax([1, 2, 3]), atol=1e-6)


def test_multiplying_gives_almost_all_to_the_largest():
    seen = data(explore_add_and_multiply, factor=10.0)
    assert seen["float32"]["weights"][-1] > 0.9999


@pytest.mark.parametrize("s", [10, 997, 100_000])
@pytest.mark.parametrize("lead", [0.0, 5.0, 6.9, 15.0])
def test_the_dot_of_the_crowd_lies_on_its_curve(s, lead):
    seen = data(explore_crowd, s=s, lead=lead)
    assert seen["weight"] == pytest.approx(1 / (1 + (s - 1) * np.exp(-lead)))


def test_the_goal_of_the_crowd_is_the_smallest_lead_with_half_of_the_weight():
    assert data(explore_crowd, s=1000, lead=7.0)["weight"] >= 0.5
    assert data(explore_crowd, s=1000, lead=6.9)["weight"] < 0.5
    assert reached(explore_crowd, s=1000, lead=7.0)
    assert not reached(explore_crowd, s=1000, lead=7.1)
    assert not reached(explore_crowd, s=100, lead=7.0)


def test_the_printed_weights_need_a_temperature_between_1_72_and_1_82():
    for inside in (1.73, 1.81):
        assert reached(explore_temperature, temperature=inside)
    for outside in (1.0, 1.71, 1.83):
        assert not reached(explore_temperature, temperature=outside)
    assert PRINTED.sum() == 1


@pytest.mark.parametrize("temperature", [0.2, 1.0, 3.0, 20.0])
def test_the_count_of_keys_is_the_kernels(temperature):
    seen = data(explore_temperature, temperature=temperature)
    assert seen["count"] == pytest.approx(effective_count(seen["weights"]))


@pytest.mark.parametrize(("along", "axis"), [("rows", 1), ("columns", 0)])
def test_what_is_shared_out_along_an_axis_adds_up_to_one_there_only(along, axis):
    weights = data(explore_heat_map, along=along)["weights"]
    np.testing.assert_allclose(weights.sum(axis=axis), 1)
    assert np.abs(weights.sum(axis=1 - axis) - 1).max() > 0.2
