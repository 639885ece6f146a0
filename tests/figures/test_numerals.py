"""How pictures write numbers."""

import pytest

from course_lib.figures.numerals import Share, Signed, rounded_to_sum, share, signed


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.546, ".55"), (1.0, "1.00"), (0.0, ".00"), (0.999, "1.00"), (-1e-12, ".00")],
)
def test_a_share_has_two_digits_and_no_zero_in_front(value, text):
    assert share(value) == text == Share().format(value)


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [(-1.25, 2, "−1.25"), (-0.01, 1, "0.0"), (3.0, 0, "3"), (-2.0, 0, "−2"), (0.0, 1, "0.0")],
)
def test_a_minus_is_as_long_as_a_plus_and_0_has_none(value, digits, text):
    assert signed(value, digits) == text == Signed(digits).format(value)


@pytest.mark.parametrize(
    ("values", "total"),
    [
        ([-0.06896, -0.07559, -0.01659, -0.52604, -0.27338, 0.15913], -0.8),
        ([1 / 3] * 3, 1.0),
        ([0.25], 0.25),
        ([], 0.0),
    ],
)
def test_rounded_numbers_keep_the_sum_and_stay_near_their_own(values, total):
    found = rounded_to_sum(values, total)
    assert sum(found) == pytest.approx(total)
    assert all(abs(one - value) < 0.01 for one, value in zip(found, values, strict=True))
