"""tools/prose.py: a line that Markdown reads in another way than it is meant is refused."""

import pytest

from tools.prose import slips

TABLE = "| a | b |\n|---|---|\n"


def refused(text, line, what):
    """Whether `text` has one slip, in `line` counted from 1, that says `what`."""
    found = [(number + 1, said) for number, said in slips(text)]
    assert [number for number, _ in found] == [line], found
    assert what in found[0][1], found


@pytest.mark.parametrize(
    ("start", "what"),
    [
        ("1. of them", "'1.' makes a list"),
        ("1) of them", "'1)' makes a list"),
        ("- 3 of them", "'-' makes a list"),
        ("+ 3 of them", "'+' makes a list"),
        ("* 3 of them", "'*' makes a list"),
        ("> 3 of them", "'>' makes a quotation"),
        (">3", "'>3' makes a quotation"),
        ("# 3 of them", "'#' makes a heading"),
        ("#3 of them", "nbconvert makes a heading"),
        (": 3 of them", "nbconvert makes a definition"),
        ("***", "makes a rule"),
        ("```\nx\n```", "makes a block of code"),
        ("=", "'=' makes a heading of the lines above"),
        ("===", "'===' makes a heading of the lines above"),
        ("-", "'-' makes a heading of the lines above"),
        ("---", "'---' makes a heading of the lines above"),
        ("| a | b |\n|---|---|\n| 1 | 2 |", "makes a table"),
    ],
)
def test_a_wrapped_line_that_opens_another_block_is_refused(start, what):
    for before in ("One line,\nand another\n", "- An item,\n  and more\n"):
        refused(before + _inside(before, start), 3, what)
    quoted = f"One line,\nand another\n{start}".replace("\n", "\n> ")
    refused(f"> {quoted}", 3, what)


def _inside(before, start):
    return f"  {start}".replace("\n", "\n  ") if before.startswith("-") else start


@pytest.mark.parametrize(
    "start",
    ["1.5 of them", "-3", "- 3", "7. So it is", "=3", "= 3", "*so* it is", "**so** it is", "+3"],
)
def test_a_line_that_looks_like_another_block_is_none(start):
    above = "One line, and\n" if start != "- 3" else "Two of them:\n\n"
    assert slips(above + start) == []


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("Two kinds:\n- one", 2, "put a blank line above if it is meant"),
        ("- One\n  7. of them", 2, "JupyterLab makes a list within the list"),
        ("1. One\n2. Two\n4. Three", 3, "'4.' makes a numbered item"),
        ("1. One\n1. Two", 2, "'1.' makes a numbered item"),
        ("- Two:\n  1. one\n  3. three", 3, "'3.' makes a numbered item"),
        ("It was in\n\n1998. Then", 3, "'1998.' makes a numbered item"),
        ("1. 6.\n2. 7", 1, "a list within a list: write '1. 6.'"),
        ("- - 3", 1, "a list within a list"),
        ("1. One\n  - flat", 2, "indented by 2, its place is 0: it belongs to no item"),
        ("10. One", 1, "'10.' makes a numbered item"),
        ("- One\n\n  - two\n   - three", 4, "indented by 3, its place is 2"),
        ("- One\nand more", 2, "a part of the item above"),
        ("- One\n- two\nAnd now", 3, "a part of the item above"),
        ("- One:\n  1. two\n\n    lost", 4, "indented by 4: its place is 2"),
        ("1. One\n\n  lost", 3, "indented by 2: its place is 0"),
        ("- One\n-\n- three", 2, "an item without text"),
        ("- [x] is a list", 1, "a box to tick"),
        ("So:\n\n    a = 1", 3, "four spaces make a block of code"),
        ("- So:\n\n      a = 1", 3, "four spaces make a block of code"),
        ("So:\n\n```\na = 1", 3, "the block of code is not closed: end it with ```"),
        ("# A heading that\ngoes on", 2, "a heading ends with its line"),
        ("See\n\n[a]: b", 3, "'[x]: y' is shown nowhere"),
        ("a  \nb", 1, "two spaces"),
        ("a\\\nb", 1, "backslash"),
    ],
)
def test_a_list_a_heading_or_code_that_is_none_is_refused(text, line, what):
    refused(text, line, what)


@pytest.mark.parametrize(
    "text",
    [
        "1. One\n   and more\n2. Two\n\n   below\n3. Three",
        "1. One\n2. Two\n\nText.\n\n3. Three\n\nText.\n\n1. Another\n2. list",
        "\n".join(f"{i}. item" for i in range(1, 12)),
        "- Two kinds:\n  - one\n  - the other\n- The end",
        "1. Two kinds:\n   - one\n     and more\n   - the other",
        "- One\n\n  ```\n  a = 1\n  ```\n- two",
        "# Heading\n## And another\n- One",
        "# Heading\n\nText\n\n---\n\n> quoted,\n> twice\n\n```python\n    a\n```",
        "[1, 2] and [0] (so), [x] and [ ], a: b",
        "[a page](page.ipynb), [a site](https://example.org/a_b_c), <https://example.org>",
    ],
)
def test_lists_headings_and_links_that_are_meant_pass(text):
    assert slips(text) == []


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        (TABLE + "| 1 | 2 | 3 |", 3, "the row has 3 cells and the table 2 columns"),
        (TABLE + "| 1 |", 3, "the row has 1 cells"),
        (TABLE + "| $|a|$ | 2 |", 3, "in math write \\lvert"),
        (TABLE + "| `a|b` | 2 |", 3, "in code \\|"),
        (TABLE + "| $\\|a\\|$ | 2 |", 3, "a double bar"),
        (TABLE + "| 1 | 2 |\nText", 4, "a line of the table"),
        ("| a | b |\n|---|\n", 1, "as many cells in its head"),
        (TABLE + "| 1 | 2 |\n| *3 | 4 |", 4, "a star that marks nothing"),
    ],
)
def test_a_table_that_loses_a_cell_is_refused(text, line, what):
    found = [(number + 1, said) for number, said in slips(text)]
    assert any(what in said for _, said in found), found
    assert found[0][0] == line


@pytest.mark.parametrize(
    "text",
    [
        TABLE + "| 1 | 2 |\n\nText",
        TABLE + "| `a \\| b` | |",
        "|a|b|\n|:--|--:|\n|$\\lvert a\\rvert$|\\||",
        "The length |a| is a bar, |b| too",
    ],
)
def test_a_table_that_keeps_its_cells_passes(text):
    assert slips(text) == []


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("Call `a", "a backtick"),
        ("It costs $5", "a '$' that opens or closes no math"),
        ("From $5 to $6", "a '$' that opens or closes no math"),
        ("Ranges $5-$6 are", "where a digit follows"),
        ("The *word", "a star that marks nothing"),
        ("The **word* is", "a star that marks nothing"),
        ("Use **kwargs", "a star that marks nothing"),
        ("n*m of them", "a star that marks nothing"),
        ("n*m and k*l", "within a word begins emphasis"),
        ("The _word", "a '_' that marks nothing"),
        ("Use __init__", "'__' makes bold text"),
        ("~5 and 6~", "strike out"),
        ("q[i][j]", "no such reference"),
        ("q[i](j)", "a link to 'j'"),
        ("[1, 2](3)", "a link to '3'"),
        ("a &foo; b", "no such character entity"),
    ],
)
def test_a_marker_that_is_left_over_names_its_line(text, what):
    first = "Some `code that\nwraps`, $a\nb$ and *this\nword*,\n"
    refused(first + text + ".", 5, what)
    refused(f"# {text}", 1, what)
    refused(f"- One `two\n  three`\n  {text}", 3, what)


def test_a_line_is_counted_also_below_a_forced_break():
    assert [line for line, _ in slips("One  \ntwo\\\nthree\n*four")] == [0, 1, 3]


@pytest.mark.parametrize(
    "text",
    [
        "2 * 3, 2 ** 3, d_k and W_q, a < b, a & b, 5 > 4, x <y, <3",
        "\\*, \\_, \\`, \\$, \\~",
        "`*`, `_`, `$`, `~`, ``a ` b``, `q[i](j)`, `<d`, `**kwargs`, `__init__`",
        "$a_i * b_i$ and $a_j * b_j$, $x<y and y>z$, $$\\sum_i\na_i$$",
        "*a*, **b**, *`a`*, ***both***, *key*s, **邀请**了*了*, (*so*), d² ~ 5",
        "AT&amp;T, a &lt; b, &#42;",
    ],
)
def test_signs_that_are_meant_pass(text):
    assert slips(text) == []
    assert slips("- " + text.replace("\n", "\n  ")) == []


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("<details><summary>An *old* word</summary>\n\nA\n</details>", 1, "Markdown (*)"),
        ("<details><summary>An\n**old** word</summary>\n\nA\n</details>", 2, "Markdown (**)"),
        ("<details><summary>`a`</summary>\n\nA\n</details>", 1, "Markdown (`)"),
        ("<details><summary>[a](page.html)</summary>\n\nA\n</details>", 1, "(link_open)"),
        ("<details>\n<summary>*a* &lt; b</summary>\n\nA\n</details>", 2, "Markdown (*)"),
        ("<details><summary>$a$</summary>\n\nA\n</details>", 1, "shows as it is"),
        ("<details>A\n<summary>Q</summary>\n\nA\n</details>", 1, "no Markdown here"),
        ("<details><summary>Q</summary>\nA *b*\n</details>", 2, "no Markdown here"),
        ("<details><summary>Q</summary> A\n\nB\n</details>", 1, "no Markdown here"),
        ("<details><summary>Q\n\nq</summary>\n\nA\n</details>", 1, "before the blank line"),
        ("a\n\n<details><summary>Q</summary>\n\nA", 3, "<details> is not closed in this cell"),
        ("A\n</details>", 2, "</details> closes nothing"),
        ("A </details>", 1, "</details> begins a line of its own"),
        ("A <details>", 1, "<details> begins a line of its own"),
        ("- B\n\n  <details><summary>Q</summary>\n\nA\n</details>", 6, "stands in a list item"),
        ("<blink>a</blink>", 1, "'<blink>' is read as HTML"),
        ("a\nx <d and e> f", 2, "'<d and e>' is read as HTML"),
        ('<details class="a"><summary>Q</summary>\n\nA\n</details>', 1, "without attributes"),
        ("a <em>b", 1, "<em> is not closed"),
        ("a <em>b</code></em>", 1, "</code> closes nothing"),
        ("a\n<!-- b -->", 2, "an HTML comment"),
        ("a\n<!DOCTYPE html>", 2, "an HTML comment"),
        ("a</blink> b", 1, "</blink> closes nothing"),
        ("`a`, `a\nb`, `a b`, <em>", 2, "<em> is not closed"),
        ("<script>\nlet a = 1;\n</script>", 1, "'<script>' is read as HTML"),
    ],
)
def test_html_that_does_not_render_as_meant_is_refused(text, line, what):
    found = [(number + 1, said) for number, said in slips(text)]
    assert any(number == line and what in said for number, said in found), found


def test_a_tag_that_is_not_closed_is_told_once():
    refused("Text\n<details>\n<summary>Q\n\nA\n</details>", 3, "before the blank line")


@pytest.mark.parametrize(
    "text",
    [
        "<details><summary>Q, 2 * 3\nand d_k?</summary>\n\nA *b*\n\n- c\n</details>",
        "<details><summary>Q</summary>\n\nA\n</details>\n<details><summary>R\n</summary>\n\n1. B\n"
        "</details>",
        "<details>\n<summary>An <em>old</em> <code>a_b</code> &lt; b</summary>\n\nA\n\n</details>",
        "Text\n<details><summary>Q</summary>\n\n<details><summary>R</summary>\n\nA\n</details>\n"
        "</details>",
        "- B\n\n  <details><summary>Q</summary>\n\n  A\n\n  </details>",
        'x<sub>i</sub>, a<br>b, <img src="https://example.org/a.png" alt="a *map*">',
    ],
)
def test_html_that_renders_passes(text):
    assert slips(text) == []
