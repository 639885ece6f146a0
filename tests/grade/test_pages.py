"""What a teacher gets: a table that a spreadsheet reads, and a page."""

import csv
import io

from course_lib.grade.judged import Row
from course_lib.grade.pages import as_page
from course_lib.grade.table import Table, as_csv

UNCLIPPED = "The cosine is not clipped."
ROWS = [
    Row("ada", "01_dot_product", "dot", "right"),
    Row("ada", "01_dot_product", "angle", "wrong", UNCLIPPED, "angle gives nan."),
    Row("ben", "01_dot_product", "dot", "wrong", "", "dot gives another result."),
    Row("ben", "01_dot_product", "angle", "wrong", UNCLIPPED, "angle gives nan."),
    Row("cut", "", "", "not judged", "", "The file was cut off."),
]


def test_the_table_has_a_line_for_each_row():
    lines = list(csv.reader(io.StringIO(as_csv(ROWS))))
    assert lines[0] == ["notebook", "chapter", "exercise", "result", "mistake", "reason"]
    assert lines[2] == [
        "ada",
        "01_dot_product",
        "angle",
        "wrong",
        *(ROWS[1].mistake, ROWS[1].reason),
    ]
    assert len(lines) == 6


def test_a_spreadsheet_computes_nothing_of_it():
    rows = [Row("=cmd|' /C calc'!A0", "", "", "not judged", "", "+1"), Row("a\nb,c", "", "", "x")]
    lines = list(csv.reader(io.StringIO(as_csv(rows))))
    assert lines[1][0] == "'=cmd|' /C calc'!A0"
    assert lines[1][5] == "'+1"
    assert lines[2][0] == "a\nb,c"


def test_the_page_counts_mistakes_and_says_the_commonest_first():
    page = as_page(ROWS, "Week 1")
    common = page.index(
        "<span class=many>2</span> × <code>angle</code>: The cosine is not clipped."
    )
    assert common < page.index("<span class=many>1</span> × <code>dot</code>")
    assert "1 right, 3 wrong" in page
    assert "<td>1/2</td>" in page
    assert "<td>0/2</td>" in page
    assert "cut: The file was cut off." in page


def test_nothing_of_a_notebook_becomes_part_of_the_page():
    evil = "<script>alert(1)</script>"
    page = as_page([Row(evil, "01_dot_product", "dot", "wrong", evil, f'"{evil}')], evil)
    assert "<script>" not in page
    assert 'title="&lt;script&gt;' in page


def test_a_folder_of_broken_notebooks_is_a_page_too():
    assert "could not be judged" in as_page(ROWS[-1:], "Week 1")


def test_rows_are_in_the_file_as_soon_as_they_are_added(tmp_path):
    with Table(tmp_path / "grades.csv") as table:
        table.add(ROWS[:2])
        lines = (tmp_path / "grades.csv").read_text("utf-8-sig").splitlines()
        assert len(lines) == 3
        table.add([Row("a", "", "", "not judged", reason="a text with a lone \udcff")])
    assert r"a lone \udcff" in (tmp_path / "grades.csv").read_text("utf-8-sig")


def test_the_page_lists_what_was_left_out_and_warns():
    page = as_page(ROWS, "Week 1", [("a <b>", "no notebook")] * 201, "Take care.")
    assert page.count("<li>a &lt;b&gt;: no notebook</li>") == 200
    assert "and 1 more" in page
    assert "<strong>Take care.</strong>" in page
