"""The loops side by side, and the four changed ones: they are code that runs."""

import ast
from pathlib import Path

import pytest
import torch

from course_lib.chapters.flash_attention.changed_loops import (
    CHANGES,
    changed_loop,
    passed_tests,
    right_loop,
)
from course_lib.chapters.flash_attention.exercises.attention_by_tiles import (
    ATTENTION_BY_TILES,
    attention_by_tiles,
)
from course_lib.chapters.flash_attention.exercises.hidden_score import both_loops, both_sums
from course_lib.chapters.flash_attention.model_loop import KNOWN, SAID, model_loop, show_model_loop
from course_lib.chapters.flash_attention.shown_tests import show_tests
from course_lib.chapters.flash_attention.three_ways import show_against_plain, three_ways
from course_lib.chapters.flash_attention.two_loops import WORDS, show_two_loops, two_loops
from course_lib.judging.answer import verdict_on
from course_lib.kernels.attention import attention
from course_lib.kernels.masks import causal, may_attend
from course_lib.learner.adapter import adapt
from course_lib.measures.source import source_of
from tools.chapter import read_chapter

CHAPTER = Path(__file__).parents[2] / "chapters" / "08_flash_attention.py"


def other_names(q, k, v, block_q, block_k):
    for rows in q.split(block_q):
        for cols in k.split(block_k):
            new, powers = rows @ cols.T, 2
            total = torch.zeros(1)
            total += powers + new
    return total


def unwritten(q, k, v, block_q, block_k):
    return ...


def bound(attempt):
    """What the cell of an exercise binds to its name."""
    return adapt(ATTENTION_BY_TILES, attempt, verdict_on(ATTENTION_BY_TILES, attempt))


def test_both_loops_give_a_value_to_the_same_names_in_the_same_order():
    (_, head, begins), *rows = two_loops(attention_by_tiles)
    assert head.startswith("for k_tile, v_tile in zip(")
    assert begins == "for start in range(0, n, BLOCK_K):"
    assert [name for name, yours, _ in rows if not yours] == ["k_tile", "v_tile"]
    assert all(line.startswith(f"{name} = ") for name, yours, _ in rows for line in [yours] if line)
    assert all(line.startswith(f"{name} = ") for name, _, line in rows)
    assert len(rows) == 9


def test_lines_of_ones_own_that_are_no_step_stand_beside_the_same_name():
    yours = {name: line for name, line, _ in two_loops(other_names)}
    assert yours["new"] == yours["powers"] == "new, powers = (rows @ cols.T, 2)"
    assert yours["total"] == "total += powers + new"
    assert yours["mixed"] == ""


@pytest.mark.parametrize("stub", [unwritten, bound(unwritten)], ids=["stub", "bound"])
def test_what_is_not_written_yet_is_said_in_words(capsys, stub):
    show_two_loops(stub)
    printed = capsys.readouterr().out
    assert all(words in printed for words in WORDS.values())
    assert "torch" not in printed
    assert "in PyTorch" not in printed
    assert "| largest = new" in printed


def test_above_lines_of_ones_own_stands_that_they_are_ones_own(capsys):
    show_two_loops(attention_by_tiles)
    assert "your loop, in PyTorch" in capsys.readouterr().out


def test_no_line_of_the_bare_loop_is_left_out():
    shown = [line for _, _, line in two_loops(unwritten)]
    written = source_of("triton_bare", "bare", loop=True).splitlines()
    assert shown == [line.strip() for line in written]


@pytest.mark.parametrize("masked", [False, True])
def test_without_a_change_the_loop_is_attention(masked):
    q, k, v = torch.randn(3, 11, 5, generator=torch.Generator().manual_seed(1))
    mask = may_attend(causal, 11) if masked else None
    found = changed_loop("", q, k, v, 3, mask)
    torch.testing.assert_close(found, attention(q, k, v, mask=mask), rtol=0, atol=1e-5)


def test_each_test_catches_what_the_chapter_says():
    failed = {change: [test for test, passes in passed_tests().items() if not passes[change]]
              for change in CHANGES}  # fmt: skip
    _, several, masked, hidden = passed_tests()
    assert failed == {"A": [several, masked, hidden], "B": [several, masked, hidden],
                      "C": [hidden], "D": []}  # fmt: skip
    assert CHANGES[right_loop(passed_tests())] == "D"


def test_the_table_of_tests_marks_who_passes(capsys):
    show_tests(passed_tests())
    head, *rows = capsys.readouterr().out.splitlines()
    assert head.split() == ["test", *CHANGES]
    assert [row.split()[-4:] for row in rows] == [
        list("✓✓✓✓"), list("✗✗✓✓"), list("✗✗✓✓"), list("✗✗✗✓")
    ]  # fmt: skip


def test_of_every_line_of_the_loop_for_models_something_is_said(capsys):
    show_model_loop()
    printed = capsys.readouterr().out
    written = source_of("triton_tiles", "forward", loop=True).splitlines()
    assert [line for _, line in model_loop()] == written
    assert all(line in printed for line in written)


def test_a_loop_for_models_that_has_changed_is_told_so(monkeypatch):
    others = (("while True", KNOWN), *SAID[1:])
    monkeypatch.setattr("course_lib.chapters.flash_attention.model_loop.SAID", others)
    with pytest.raises(ValueError, match="nothing is said of 'for stage in"):
        model_loop()


def test_what_is_said_to_be_known_gives_a_value_to_a_name_of_the_bare_loop():
    bare = source_of("triton_bare", "bare", loop=True)
    known = [line.strip() for said, line in model_loop() if said == KNOWN]
    assert known
    assert all(line.split(" in ")[0].split(" = ")[0] in bare for line in known)


@pytest.mark.parametrize(("name", "lines"), [("bare", 6), ("places", 1), ("load", 1)])
def test_the_fold_holds_every_line_of_the_bare_kernel_around_its_loop(name, lines):
    source = source_of("triton_bare", name)
    (function,) = ast.parse(source).body
    around = [ast.get_source_segment(source, one) for one in function.body
              if not isinstance(one, ast.For)]  # fmt: skip
    text = "\n".join(cell.text for cell in read_chapter(CHAPTER).english)
    assert len(around) == lines
    assert [line for line in [*around, f"def {name}("] if line not in text] == []
    assert ast.unparse(function.args) in " ".join(text.split())


def test_a_number_that_breaks_c_leaves_nothing_in_its_sums():
    right, c = both_sums(torch.tensor([1.0, 3, 2]), 203.0).values()
    assert torch.stack(right).tolist() == pytest.approx([32.39, 1.503], abs=0.01)
    assert torch.stack(c).tolist() == [0, 0]


@pytest.mark.parametrize(("lead", "breaks"), [(-5, False), (47, False), (80, False), (110, True)])
def test_c_goes_wrong_where_a_hidden_score_is_far_enough_above(lead, breaks):
    seen = torch.tensor([1.0, 3, 2])
    c, right = both_loops(seen, 3.0 + lead)
    assert right == pytest.approx((seen.softmax(0) @ torch.tensor([10.0, 20, 30])).item())
    assert (c != pytest.approx(right, rel=1e-4)) == breaks


def test_three_ways_give_the_same_numbers():
    q, k, v = torch.randn(3, 20, 4, generator=torch.Generator().manual_seed(0))
    plain, *others = (way() for way in three_ways(q, k, v, attention_by_tiles).values())
    assert len(others) == 2
    assert all(torch.allclose(one, plain, atol=1e-6) for one in others)


def untiled(q, k, v, block_q, block_k):
    return attention(q, k, v)


def quarter_more(q, k, v, block_q, block_k):
    return attention_by_tiles(q, k, v, block_q, block_k) + 0.25


@pytest.mark.parametrize(
    ("loop", "whose", "off", "numbers"),
    [
        (attention_by_tiles, "your loop", "below 0.00001", 256 * 256),
        (bound(attention_by_tiles), "your loop", "below 0.00001", 256 * 256),
        (bound(unwritten), "the course's loop", "below 0.00001", 256 * 256),
        (untiled, "your loop", "below 0.00001", 2048 * 2048),
        (quarter_more, "your loop", "0.25", 256 * 256),
    ],
)
def test_ones_own_loop_is_put_beside_plain_attention(capsys, loop, whose, off, numbers):
    show_against_plain(loop)
    assert capsys.readouterr().out == (
        f"largest difference between {whose} and plain attention: {off}\n"
        f"largest table: {numbers:,} numbers, in plain attention {2048**2:,}, "
        f"{2048**2 // numbers} times as many\n"
    )
