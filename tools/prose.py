"""Prose that renders as it is meant: what Markdown makes of a line, and what it leaves standing.

A line that was wrapped before "1.", "-" or "#" opens a list or a heading; a star in <summary> stays
a star. Neither shows in the source. So the text is parsed as notebooks do it (CommonMark, tables,
math between $; raw HTML), and what can hardly be meant is refused. What JupyterLab (marked) and
nbconvert (mistune) read in another way than CommonMark is refused too: "#1", ": x", "~x~".
"""

import re
from collections.abc import Iterator
from itertools import pairwise

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode
from mdit_py_plugins.dollarmath import dollarmath_plugin

from tools.chapter import Chapter, SourceError
from tools.inline import Html, Slip, left_over

NAMES = {
    "bullet_list": "a list",
    "ordered_list": "a list",
    "blockquote": "a quotation",
    "heading": "a heading",
    "hr": "a rule",
    "fence": "a block of code",
    "table": "a table",
}
MARKER = re.compile(r" *(?:[-+*]|\d+[.)]) +")
ELSEWHERE = {  # a line of a paragraph for CommonMark, and something else for another reader
    re.compile(r" {0,3}#"): "nbconvert makes a heading of a line that begins with '#'",
    re.compile(r" {0,3}: "): "nbconvert makes a definition of a line that begins with ':'",
    re.compile(r"\|.*\|$"): "a table needs as many cells in its head as in the line below it",
}
NUMBERED = re.compile(r" *\d+[.)](?: |$)")


def check_prose(chapter: Chapter) -> None:
    """Raise SourceError at the first line of prose that would not render as it is meant."""
    for cell in chapter.cells:
        if cell.kind == "markdown":
            for line, what in slips(cell.text):
                raise SourceError(chapter.path, cell.lines[line][0], what)


def slips(text: str) -> list[Slip]:
    """What in a Markdown `text` would not render as it is meant: (line from 0, what), in order."""
    parser = MarkdownIt("commonmark").enable("table").disable("text_join")
    parser.use(dollarmath_plugin, allow_labels=False, allow_space=False, double_inline=True)
    found: dict = {}
    tree = SyntaxTreeNode(parser.parse(text, found))
    lines = text.splitlines()
    told = [*_blocks(tree, lines, 0), *_numbers(tree), *Html(parser).read(tree)]
    for definition in found.get("references", {}).values():
        told.append((definition["map"][0], "'[x]: y' is shown nowhere: write [text](address)"))
    for node in tree.walk():
        if node.type == "inline":
            told += left_over(node)
    return sorted(set(told))


def _blocks(node: SyntaxTreeNode, lines: list[str], column: int) -> Iterator[Slip]:
    """Slips of the blocks in `node`, whose text begins in `column`."""
    for before, block in pairwise(node.children):
        together = before.map[1] == block.map[0]
        meant = node.type == "list_item" and lines[block.map[0] - 1].endswith(":")
        if together and before.type == "paragraph" and block.type in NAMES and not meant:
            yield block.map[0], _misread(lines[block.map[0]], NAMES[block.type])
        if together and before.type == "heading" and block.type == "paragraph":
            yield block.map[0], "a heading ends with its line: put a blank line below it"
    for block in node.children:
        if not block.map:
            continue
        start, end = block.map
        line = lines[start]
        indent = len(line) - len(line.lstrip())
        if block.type == "heading" and not block.markup.startswith("#"):
            yield end - 1, _misread(lines[end - 1], "a heading of the lines above")
        elif block.type == "code_block":
            yield start, "four spaces make a block of code: indent less, or put it between ```"
        elif block.type == "fence" and not lines[end - 1].strip().startswith(block.markup):
            yield start, f"the block of code is not closed: end it with {block.markup}"
        elif block.type == "table":
            yield from _rows(lines, start, end)
        elif block.type == "paragraph":
            first_of_item = node.type == "list_item" and start == node.map[0]
            if indent != column and not first_of_item:
                yield start, f"indented by {indent}: its place is {column}, where it belongs"
            yield from _wrapped(lines, start, end, column)
        elif block.type in ("bullet_list", "ordered_list"):
            if node.type == "list_item" and start == node.map[0]:
                yield start, f"a list within a list: write {line.strip()!r} in other words"
            else:
                yield from _items(block, lines, column)
        elif block.type == "blockquote":
            inner = [re.sub(r"^ *> ?", "", line) for line in lines[start:end]]
            yield from ((start + number, what) for number, what in slips("\n".join(inner)))


def _misread(line: str, name: str) -> str:
    start = line.split(maxsplit=1)[0]
    return f"{start!r} makes {name} here: wrap elsewhere, or put a blank line above if it is meant"


def _rows(lines: list[str], start: int, end: int) -> Iterator[Slip]:
    """Rows of the table in lines `start` to `end` that have no border, or too few or many cells."""
    wanted = lines[start + 1].count("|") - 1
    for number, line in enumerate(lines[start:end], start):
        if not re.fullmatch(r"\s*\|.*\|\s*", line):
            yield number, "a line of the table: put a blank line above, or '|' at both ends"
            continue
        cells = len(re.findall(r"(?<!\\)\|", line)) - 1
        if cells != wanted:
            what = "in math write \\lvert, in code \\|"
            yield number, f"the row has {cells} cells and the table {wanted} columns ({what})"
        elif re.search(r"\$[^$]*\\\|[^$]*\$", line):
            yield number, "'\\|' in math is a double bar: write \\lvert or \\rvert"


def _wrapped(lines: list[str], start: int, end: int, column: int) -> Iterator[Slip]:
    """Lines of a paragraph that lie outside of their item, or that some reader takes for more."""
    for number, line in enumerate(lines[start:end], start):
        text = line[column:] if number > start else MARKER.sub("", line) if column else line
        if number > start and line[:column].strip():
            yield number, "a part of the item above: indent it so, or put a blank line between"
        for pattern, what in ELSEWHERE.items():
            if pattern.match(text):
                yield number, f"{what}: wrap elsewhere"
        if column and NUMBERED.match(text):
            yield number, "JupyterLab makes a list within the list of this number: wrap elsewhere"


def _items(block: SyntaxTreeNode, lines: list[str], column: int) -> Iterator[Slip]:
    """Slips of the items of a list, whose markers stand in `column`."""
    for item in block.children:
        line = lines[item.map[0]]
        indent = len(line) - len(line.lstrip())
        if indent != column:
            what = "it belongs to no item" if indent > column else "it is no part of the item"
            yield item.map[0], f"the item is indented by {indent}, its place is {column}: {what}"
        marker = MARKER.match(line)
        if marker is None:
            yield item.map[0], "an item without text: wrap elsewhere"
        else:
            yield from _blocks(item, lines, marker.end())


def _numbers(tree: SyntaxTreeNode) -> Iterator[Slip]:
    """Numbered items that do not count on: a list begins with 1, or where the last one ended."""
    for node in tree.walk():
        last = 0
        for block in [one for one in node.children if one.type == "ordered_list"]:
            if node.type == "list_item" and block.map[0] == node.map[0]:
                continue  # told as a list within a list
            for place, item in enumerate(block.children):
                number = int(item.info)
                if number != last + 1 and (number != 1 or place > 0):
                    yield item.map[0], f"'{number}.' makes a numbered item here: wrap elsewhere"
                last = number
