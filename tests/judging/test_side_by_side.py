"""Expected and yours beside each other, the first difference marked, large arrays cut around it."""

import re

import numpy as np
import pytest

from course_lib.judging import report
from course_lib.judging.answer import verdict_on
from course_lib.judging.exercise import Exercise, inputs
from course_lib.judging.side_by_side import MARK, compared, html_table, plain_lines


def number_shown(value):
    short = f"{value:.6g}"
    return short if len(short) <= 7 else f"{value:.4g}"


def lines(want, got):
    return plain_lines(compared(np.asarray(want), np.asarray(got)))


def test_two_short_rows_stand_below_each_other_and_each_difference_is_marked():
    assert lines([1.0, 2.0, 30.0, 4.0], [1.0, 2.5, 31.0, 4.0]) == [
        "          [0]    [1]     [2]  [3]",
        "Expected  1.0    2.0    30.0  4.0",
        "   Yours  1.0  ≠ 2.5  ≠ 31.0  4.0",
    ]


def test_a_difference_that_its_digits_do_not_show_is_marked_only_where_it_is_the_first():
    rows = lines([1.0, 0.765431], [2.0, 0.765439])
    assert rows[2].count(MARK) == 1
    assert f"{MARK} 2" in rows[2]


def test_two_tables_stand_beside_each_other():
    assert lines([[1, 2], [3, 4]], [[1, 2], [3, 5]]) == [
        "     | Expected          |  Yours",
        "     |   [:, 0]  [:, 1]  | [:, 0]  [:, 1]",
        "[0]  |        1       2  |      1       2",
        "[1]  |        3       4  |      3     ≠ 5",
    ]


@pytest.mark.parametrize("shape", [(50,), (7, 11), (2, 3, 5, 7), (1, 40, 1)])
def test_of_a_large_array_what_stands_around_the_difference_is_shown(shape):
    rng = np.random.default_rng(0)
    want = rng.normal(size=shape)
    for place in rng.choice(want.size, 5, replace=False):
        got = want.copy()
        got.flat[place] += 1
        index = tuple(map(int, np.unravel_index(place, shape)))
        found = compared(want, got)
        marked = [cell for row in found.rows for cell in row if cell.marked]
        assert len(marked) == 1
        assert marked[0].text == number_shown(got[index])
        assert sum(not cell.head for row in found.rows for cell in row) <= 2 * 7 * 5
        assert len({len(row) for row in found.rows}) == 1
        heads = {cell.shown for row in found.rows for cell in row if cell.head}
        if len(shape) > 1:
            assert f"[{', '.join(map(str, index[:-1]))}]" in heads
            assert ("[:, " if len(shape) == 2 else "[..., ") + f"{index[-1]}]" in heads
        else:
            assert f"[{index[0]}]" in heads


@pytest.mark.parametrize("place", range(4))
def test_dots_never_stand_for_one_column_alone(place):
    rows = lines(np.zeros((2, 4)), np.eye(2, 4, k=place))
    assert "..." not in "".join(rows)
    assert rows[1].count("[:, 3]") == 2
    assert "..." in "".join(lines(np.zeros((2, 5)), np.eye(2, 5)))


def test_shapes_stand_axis_by_axis_and_the_first_that_differs_is_marked():
    assert lines(np.zeros((2, 3, 5)), np.zeros((2, 5, 3))) == [
        "                axis 0  axis 1  axis 2",
        "Shape expected       2       3       5",
        "Shape of yours       2     ≠ 5       3",
    ]
    assert lines(np.zeros(3), np.zeros((3, 1)))[-1].split()[-2:] == [MARK, "1"]


def test_a_difference_behind_the_sixth_digit_is_seen():
    shown = lines([1.0, 2.0], [1.0, 2.00001])
    assert "2.00001" in shown[2]
    deep = compared(np.array([0.1, 123456.7]), np.array([0.1, 123456.9]))
    texts = [cell.shown for row in deep.rows for cell in row]
    assert {"123456.7", "123456.9"} <= set(texts)


def test_there_is_no_table_of_single_numbers_or_of_equal_ones():
    assert compared(np.array(1.0), np.array(2.0)) is None
    assert compared(np.ones(3), np.ones(3)) is None
    assert compared(np.array(1.0), np.ones(3)) is None


def test_not_a_number_is_called_so():
    assert "≠ NaN" in lines([0.0, 1.0], [np.nan, np.inf])[2]
    assert "inf" in lines([0.0, 1.0], [np.nan, np.inf])[2]


def test_the_mark_does_not_depend_on_colour_and_the_page_keeps_its_own():
    page = html_table(compared(np.array([1.0, 2.0]), np.array([1.0, 3.0])))
    assert f"{MARK} 3.0" in page
    assert page.count("outline") == 1
    assert not re.search(r"(?<!-)color: *(#|black|white)", page)
    assert "background: none" in page


def table(q, k):
    return q @ k.T


TABLE = Exercise(
    answer=table,
    cases=(lambda rng: inputs(rng.normal(size=(9, 3)), rng.normal(size=(27, 3))),),
)


def test_the_report_shows_the_table_in_place_of_the_two_lines():
    verdict = verdict_on(TABLE, lambda q, k: q @ k.T + np.eye(9, 27, 20))
    words, page = report.plain_report(TABLE, verdict), report.html_report(TABLE, verdict)
    assert "Expected:" not in words
    assert "[:, 20]" in words
    assert "≠" in words
    assert "<table" in page
    assert max(map(len, words.splitlines())) < 120
    shapes = report.plain_report(TABLE, verdict_on(TABLE, lambda q, k: k @ q.T))
    assert "Shape expected" in shapes


def test_a_list_of_arrays_is_compared_item_by_item():
    def pieces(n):
        return [np.ones(n), np.ones(n + 1), np.ones(2)]

    exercise = Exercise(answer=pieces, cases=(lambda rng: inputs(3),))
    verdict = verdict_on(exercise, lambda n: [np.ones(n), 2 * np.ones(n + 1), np.ones(2)])
    assert verdict.symptom == "pieces gives another result 2 than it should."
    assert verdict.comparison is not None
    assert "first difference is at 0" in verdict.text
    assert (
        "should return 3 results; yours returns 2"
        in verdict_on(exercise, lambda n: [np.ones(n), np.ones(n + 1)]).symptom
    )
