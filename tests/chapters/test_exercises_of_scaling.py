"""Chapter 3's check on a simulation: chance refuses no right answer."""

import numpy as np
import pytest

from course_lib.judging import judge


@pytest.mark.parametrize("seed", range(20))
def test_the_band_refuses_no_right_answer(seed):
    def with_other_numbers(d_k, pairs, rng):
        own = np.random.default_rng([seed, d_k])
        return (own.normal(size=(pairs, d_k)) * own.normal(size=(pairs, d_k))).sum(axis=1).var()

    assert judge("03_scaling/score_variance", with_other_numbers).state == "right"
