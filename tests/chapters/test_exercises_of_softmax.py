"""Chapter 4's sentences on draws: an average of draws is another one each time."""

import pytest

from course_lib.judging import judge
from course_lib.judging.registry import find

SAMPLED_OUTPUT = find("04_softmax/sampled_output")
WRONG = [one.wrong for one in (*SAMPLED_OUTPUT.mistakes, *SAMPLED_OUTPUT.refused)]


@pytest.mark.parametrize("answer", WRONG)
def test_no_unfair_sample_is_told_the_average_that_was_expected(answer):
    found = judge("04_softmax/sampled_output", answer)
    assert found.state == "wrong"
    assert "another average" not in found.text
