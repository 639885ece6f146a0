"""A table holds the session's own frames, small and without doubled names."""

import json
import re

import pytest

from course_lib.sliding.answers import Answers
from course_lib.sliding.sliders import IntRange
from tests.sliding.examples import explorer
from tools.page.tables import Table, compressed, drawn, slim

SLIDERS = explorer().sliders | {"count": IntRange(1, 60, start=2, label="count n")}


def made():
    return explorer(sliders=SLIDERS)


@pytest.fixture(scope="module")
def table():
    return drawn(made(), "-x", most=200)


def test_each_frame_says_what_the_session_says(table):
    data, answers = table.data, Answers(made().session())
    names = [axis["name"] for axis in data["axes"]]
    for frame in range(0, table.frames, 17):
        stops = [
            axis["stops"][column[frame]]
            for axis, column in zip(data["axes"], data["at"], strict=True)
        ]
        told = answers.to({"params": dict(zip(names, stops, strict=True))})
        assert data["strings"][data["words"][frame]] == told["words"]
        assert data["reached"][frame] == int(told["reached"])
        rows = [json.loads(data["strings"][row]) for row in data["numbers"][frame]]
        assert rows == told["numbers"]


def test_the_front_end_is_given_the_stops_that_are_left(table):
    for control in table.data["start"]["controls"]:
        (axis,) = [one for one in table.data["axes"] if one["name"] == control["name"]]
        assert control["stops"] == axis["stops"]


def test_what_repeats_is_stored_once(table):
    strings = table.data["strings"]
    assert len(strings) == len(set(strings))
    assert any(isinstance(column, int) for column in table.data["parts"]) or len(strings) > 10


def test_a_table_is_thinned_until_it_is_small_enough(table):
    limit = table.size // 2
    smaller = drawn(made(), "-x", largest=limit, most=200)
    assert smaller.size <= limit
    assert 0 < smaller.frames < table.frames


def test_a_table_survives_being_kept(table):
    again = Table.heard(json.loads(json.dumps(table.told)))
    assert again == table
    assert again.size == compressed(again.text)


def test_names_that_nobody_refers_to_are_left_out_and_the_others_get_the_mark():
    svg = (
        '<g id="line2d_1"><path d="M 1.234567 22.987654 L 0.001234 -7.5" clip-path="url(#p12)" '
        'style="stroke: #222222"/></g><clipPath id="p12"><rect/></clipPath>'
    )
    assert slim(svg, "-a") == (
        '<g><path d="M 1.23 22.98 L 0.001234 -7.5" clip-path="url(#p12-a)" '
        'style="stroke: #222222"/></g><clipPath id="p12-a"><rect/></clipPath>'
    )


def test_the_marks_of_two_explorers_never_meet(table):
    other = drawn(made(), "-y", most=50)

    def names(one):
        return set(re.findall(r'id=\\?"([^"\\]+)', one.text))

    assert not names(table) & names(other)
