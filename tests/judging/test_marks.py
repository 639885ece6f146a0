"""The marks of answer and stub are read in one place."""

import pytest

from course_lib.judging.marks import MisplacedMark, answer_alone, with_answer, with_stub

SOURCE = """def f(x):
    y = x
    # SOLUTION
    return 2 * y
    # STUB
    # z = ...
    # return z
    # END SOLUTION""".splitlines()


def texts(numbered):
    return [line for _, line in numbered]


def test_stub_and_answer_take_each_others_place_and_keep_their_lines():
    numbered = list(enumerate(SOURCE, start=1))
    assert texts(with_stub(numbered)) == [*SOURCE[:2], "    z = ...", "    return z"]
    assert texts(with_answer(numbered)) == [*SOURCE[:2], "    return 2 * y"]
    assert answer_alone(numbered) == [(4, "return 2 * y")]


def test_without_a_stub_the_learner_gets_a_return():
    numbered = list(enumerate([*SOURCE[:4], SOURCE[-1]], start=1))
    assert texts(with_stub(numbered))[-1] == "    return ...  # your code here"


@pytest.mark.parametrize(
    ("lines", "number", "what"),
    [
        (["# SOLUTION", "x = 1"], 1, "has no '# END SOLUTION'"),
        (["# SOLUTION", "# END SOLUTION"], 1, "is empty"),
        (["# STUB"], 1, "where only SOLUTION can come"),
        (["x = 1  # SOLUTION"], 1, "stands alone"),
        (["# SOLUTION", "x", "# STUB", "y", "# END SOLUTION"], 4, "is commented"),
    ],
)
def test_a_mark_in_the_wrong_place_is_told_with_its_line(lines, number, what):
    with pytest.raises(MisplacedMark, match=what) as told:
        with_stub(enumerate(lines, start=1))
    assert told.value.number == number
