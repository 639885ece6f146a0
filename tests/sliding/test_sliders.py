from itertools import pairwise

import pytest

from course_lib.sliding.sliders import FloatRange, IntRange, Options, Toggle


def test_a_range_stops_at_both_ends_and_the_middle():
    assert IntRange(0, 180, start=60, label="angle").stops() == [0, 90, 180]
    assert FloatRange(0.5, 4, start=1, label="length").stops() == [0.5, 2.25, 4]


def test_a_log_range_stops_at_rounded_numbers():
    widths = IntRange(1, 1024, start=37, label="width", log=True).notches()
    assert {1, 2, 3, 4, 8, 10, 16, 32, 37, 64, 100, 128, 256, 512, 1000, 1024} <= set(widths)
    assert len(widths) < 50
    assert FloatRange(0.85, 2, start=1, label="T", log=True).notches() == [
        0.85, 0.9, 1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8, 1.9, 2,
    ]  # fmt: skip
    assert FloatRange(2, 20, start=2, label="T", log=True).notches() == [
        2, 2.2, 2.4, 2.6, 2.8, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, *range(10, 21),
    ]  # fmt: skip


def test_no_step_of_a_log_range_is_longer_than_a_fifth():
    stops = FloatRange(0.1, 100, start=1, label="T", log=True).notches()
    ratios = [high / low for low, high in pairwise(stops)]
    assert 1.05 < min(ratios) < max(ratios) <= 1.2 + 1e-9


def test_the_nearest_stop_is_nearest_by_ratio():
    spec = IntRange(1, 1024, start=4, label="width", log=True)
    assert spec.nearest(999.0) == 1000
    assert spec.nearest(1.45) == 2, "1.45 is nearer to 1 by difference"
    assert spec.nearest(-3) == 1


def test_the_middle_of_a_log_range_is_geometric():
    assert IntRange(1, 1024, start=4, label="width", log=True).stops() == [1, 32, 1024]


def test_values_of_a_slider_lose_the_dust_of_binary_fractions():
    assert FloatRange(0, 1, start=0, label="x").value(0.1 + 0.2) == 0.3
    assert IntRange(1, 1024, start=4, label="width", log=True).value(1023.9999999) == 1024


def test_a_rounded_value_never_leaves_the_range():
    assert FloatRange(0, 1.23456789, start=0, label="x").value(1.23456789) == 1.23456789


def test_options_may_have_names():
    assert Options({"one": 1, "two": 2}, start=2, label="count").stops() == [1, 2]
    assert Options(["cat", "dog"], start="cat", label="word").named() == {
        "cat": "cat",
        "dog": "dog",
    }


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: IntRange(5, 5, start=5, label="n"), "low is 5 and high 5"),
        (lambda: IntRange(0, 5, start=6, label="n"), "start is 6"),
        (lambda: IntRange(0, 5, start=1, label=" "), "label is empty"),
        (lambda: FloatRange(0, 5, start=1, label="n", log=True), "log scale"),
        (lambda: Options(["a"], start="b", label="word"), "start is 'b'"),
    ],
)
def test_a_slider_that_cannot_work_is_refused(make, says):
    with pytest.raises(ValueError, match=says):
        make()


@pytest.mark.parametrize(
    ("spec", "value"),
    [
        (IntRange(0, 5, start=1, label="n"), 6),
        (Options(["a"], start="a", label="word"), "b"),
        (Toggle(start=True, label="on"), "yes"),
    ],
)
def test_a_value_out_of_range_is_refused_with_the_sliders_name(spec, value):
    with pytest.raises(ValueError, match=spec.label):
        spec.refuse(value)
