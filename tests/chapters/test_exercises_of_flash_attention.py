"""What the data of chapter 8's exercises cannot say."""

import torch

from course_lib.chapters.flash_attention import DEVICES, elements_moved
from course_lib.chapters.flash_attention.exercises.weighted_mean import weighted_mean
from course_lib.judging import judge
from course_lib.measures.attention_cost import row_bytes, table_bytes


def test_the_numbers_by_hand_are_those_of_the_check():
    """The six numbers of the chapter: the same mean for each block."""
    scores, values = torch.tensor([1.0, 3, 2, 5, 4, 0]), torch.arange(10.0, 61, 10)
    found = {round(float(weighted_mean(scores, values, block)), 3) for block in (1, 2, 3, 6)}
    assert found == {40.038}


def test_where_triton_is_missing_the_kernel_is_left_open_and_the_reason_said(monkeypatch):
    monkeypatch.setattr(
        "course_lib.chapters.flash_attention.exercises.masked_tile.has_triton", lambda: False
    )
    found = judge("08_flash_attention/masked_tile", lambda *given, **sizes: ...)
    assert found.state == "todo"
    assert "cannot be tried here. It takes Triton" in found.text


def test_the_bounds_beside_the_measured_speeds_are_those_of_the_count():
    """Without the cache by the count of the bet; with it k and v cross once, like q and out."""
    card, n, d = DEVICES["H100"], 8192, 128
    moved = {way: elements_moved(way, n, d, block_q=128) for way in ("plain", "queries outside")}
    moved |= {"plain, cached": 4 * n * n + 4 * n * d, "tiles, cached": 4 * n * d}
    bounds = {way: card.attainable(4 * n * n * d / (2 * count)) for way, count in moved.items()}
    assert [round(bound) for bound in bounds.values()] == [142, 422, 211, 989]


def test_the_tables_of_a_novel_take_what_the_chapter_says():
    one_head, card = table_bytes(131_072, heads=1) / 1e9, DEVICES["H100"].memory
    assert (round(one_head), 32 * one_head > 24 * card) == (69, True)
    assert round(32 * one_head, -1) == 2200


def test_a_card_of_24_gb_is_full_where_the_chapter_says():
    full = [n for n in range(250, 20_001, 250)
            if table_bytes(n, heads=32) + row_bytes(n, heads=32, d=128) > 24e9]  # fmt: skip
    assert full[0] == 13_750
