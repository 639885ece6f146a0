"""Chapter 3's table of divisors: who meets both demands, the learner's own among them."""

import pytest

from course_lib.chapters.scaling.explorers.width import strangers
from course_lib.chapters.scaling.situations import (
    print_proposals,
)
from course_lib.kernels.scaling import scale


def test_two_proposals_keep_no_spread_of_1_and_the_third_undoes_what_a_model_makes_larger(capsys):
    print_proposals(strangers())
    _, _, demands, *rows = capsys.readouterr().out.splitlines()
    assert demands.split() == ["should", "be", "1.00", "1.00", "3.00"]
    width, eight, own = ([float(n) for n in row.split()[-3:]] for row in rows)
    assert width == pytest.approx([0.25, 1 / 16, 3 / 16], abs=0.01)
    assert eight == pytest.approx([0.5, 2, 6], abs=0.04)
    assert own == [1, 1, 1]


def test_the_learner_s_own_division_has_a_row_of_its_own_that_meets_both_demands(capsys):
    print_proposals(strangers(), scale)
    _, demands, row = capsys.readouterr().out.splitlines()
    assert len(demands) == len(row)
    assert [float(n) for n in row.split()[-3:]] == pytest.approx([1, 1, 3], abs=0.02)
