"""What is said of a loop over tiles in which two things are wrong, or one that few tiles show."""

import math

import pytest

from course_lib.chapters.flash_attention.loops_over_tiles import by_the_last_total, tiled
from course_lib.chapters.flash_attention.lost_columns import FLAT
from course_lib.chapters.flash_attention.other_steps import COLUMN, steps
from course_lib.chapters.flash_attention.tile_after_tile import NO_SINGLE_SLIP
from course_lib.judging import judge

EXERCISE = "08_flash_attention/attention_by_tiles"
FIRST, SECOND = "is off after its first tile", "is right after tile 1 and off after tile 2"


def told(loop):
    """The verdict on a loop, as a learner's function."""

    def attention_by_tiles(q, k, v, block_q, block_k):
        return loop(q, k, v, block_q, block_k)

    return judge(EXERCISE, attention_by_tiles)


def slips(**options):
    return told(lambda *given: tiled(*given, **options))


NO_RESCALE = {"total_shrinks": False, "mixed_shrinks": False}


@pytest.mark.parametrize(
    ("options", "after"),
    [
        (NO_RESCALE | {"undivided": True}, FIRST),
        (NO_RESCALE | {"scale": 1.0}, FIRST),
        ({"mixed_shrinks": False, "undivided": True}, FIRST),
        ({"scale": 1.0, "undivided": True}, FIRST),
        ({"stored": False, "mixed_shrinks": False}, SECOND),
        ({"divided": True, "total_shrinks": False}, SECOND),
    ],
)
def test_of_two_slips_at_once_none_is_called_the_cause_and_the_first_wrong_tile_is_named(
    options, after
):
    found = slips(**options)
    assert found.diagnosis == ""
    assert after in found.text
    assert NO_SINGLE_SLIP in found.text


def test_a_wrong_maximum_and_a_forgotten_scale_are_one_thing_to_look_at_and_maybe_two():
    own = steps(root=lambda *_: 1.0, new=lambda old, tops: tops)
    found = told(own)
    assert found.diagnosis.startswith("One thing to look at: The scale is missing")
    assert NO_SINGLE_SLIP in found.text


@pytest.mark.parametrize(
    ("options", "after"),
    [(NO_RESCALE, SECOND), ({"undivided": True}, FIRST), ({"scale": 1.0}, FIRST)],
)
def test_a_single_slip_is_named_alone_and_the_tile_too(options, after):
    found = slips(**options)
    assert found.exactly
    assert NO_SINGLE_SLIP not in found.text
    assert after in found.text


def test_the_numbers_to_compare_with_are_those_of_the_loop():
    found = slips(**NO_RESCALE)
    assert "`largest` should be 3.5, `total` 1.273 and `mixed` [34.96, 11.12]" in found.text


def test_where_the_first_block_is_right_the_next_one_is_named():
    found = told(by_the_last_total)
    assert "the first block of queries is right to its last tile" in found.text


def test_a_division_by_the_total_of_the_last_block_is_named():
    found = told(by_the_last_total)
    assert found.exactly
    assert "divide all blocks by the total of the last one" in found.diagnosis
    assert NO_SINGLE_SLIP not in found.text


@pytest.mark.parametrize("rows_of", [lambda q_tile, k_tile: q_tile, lambda q_tile, k_tile: k_tile])
def test_the_root_of_how_many_rows_a_tile_has_is_no_root_of_the_width(rows_of):
    found = told(steps(root=lambda *tiles: math.sqrt(len(rows_of(*tiles)))))
    assert found.exactly
    assert "The scores are divided by the root of how many" in found.diagnosis


def test_the_maximum_of_one_tile_alone_is_refused():
    assert "maximum of this tile alone" in told(steps(new=lambda old, tops: tops)).diagnosis


def test_what_a_loop_prints_is_shown_of_the_whole_case_alone():
    def loop(*given):
        print(*(len(one) for one in given[:2]))
        return tiled(*given, undivided=True)

    assert told(loop).printed.lines == ("3 3",)


def test_what_is_kept_from_call_to_call_is_told_as_that():
    kept = []

    def loop(*given):
        kept.append(tiled(*given))
        return kept[-1] + len(kept) - 1

    found = told(loop).text
    assert "it keeps something from one call to the next" in found
    assert "Tile by tile" not in found


@pytest.mark.parametrize(("maxima", "sums"), [(FLAT, COLUMN), (COLUMN, FLAT), (FLAT, FLAT)])
def test_a_lost_column_shows_in_the_first_example_and_empty_sums_in_each_tile_too(maxima, sums):
    alone = told(steps(maxima=maxima, sums=sums))
    both = told(steps(maxima=maxima, sums=sums, anew=True))
    for found in (alone, both):
        assert found.exactly
        assert "q of shape (3, 4), k of shape (3, 4)" in found.text  # the first and smallest case
    assert "empty_sums stands in the inner loop" not in alone.diagnosis
    assert both.diagnosis.startswith("Two things at once. empty_sums stands in the inner loop")


def test_a_right_loop_is_right():
    assert told(steps()).state == "right"
