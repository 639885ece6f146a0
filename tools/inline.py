"""Within a piece of prose: what is left over of Markdown's markers, and which HTML it has.

An opened star, a lone "$", `<d` that is read as a tag: none of them stops a parser, and all show.
"""

import re
from collections.abc import Iterator
from html.parser import HTMLParser

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markdown_it.tree import SyntaxTreeNode

FOLDS = ("details", "summary")
TAGS = {*FOLDS, "b", "br", "code", "em", "img", "strong", "sub", "sup"}  # pass JupyterLab's filter
EMPTY = {"br", "img"}  # no end tag
THING, MATH = "\ufffc", "\ufffb"  # stand for code, HTML or an escaped sign, and for math
LEFT_OVER = {
    r"`": "a backtick without its partner shows as it is",
    r"\$": "a '$' that opens or closes no math: write \\$ for the sign",
    MATH + r"\d": "some readers see no math where a digit follows the '$': put a space between",
    r"(?<=[^\s*])\*|\*(?=[^\s*])": "a star that marks nothing: write \\*, or put it into code",
    r"(?<!\w)_(?=\S)|(?<=\S)_(?!\w)": "a '_' that marks nothing: write \\_, or put names into code",
    r"~[^~]*~": "two '~' strike out what is between them: write 'about', or put it into code",
    r"\]\[": "no such reference: write [text](address), or put q[i][j] into code",
    r"&#?\w+;": "no such character entity",
    r"^\[[ xX]\] ": "an item that begins so becomes a box to tick",
}
ADDRESS = re.compile(r"#|.*[A-Za-z]{4}")  # not the j of q[i](j), nor the (3) of [1, 2](3)
Slip = tuple[int, str]  # the number of the line, counted from 0; what is wrong with it


class Html(HTMLParser):
    """Reads the tags of a cell, and what stands between them; collects its slips."""

    def __init__(self, parser: MarkdownIt):
        super().__init__(convert_charrefs=False)
        self.parser = parser
        self.slips: list[Slip] = []
        self.open: list[tuple[str, int, SyntaxTreeNode | None]] = []
        self.block: SyntaxTreeNode | None = None
        self.start, self.text = 0, ""

    def read(self, tree: SyntaxTreeNode) -> list[Slip]:
        """The slips of all HTML in `tree`."""
        for node in tree.walk():
            if node.type == "html_block":
                self.feed_block(node)
            elif node.type == "inline":
                for line, token, _ in placed(node):
                    if token.type == "html_inline":
                        self.block, self.start = None, line
                        self.feed_all(token.content)
        for tag, line, _ in self.open:
            self.slips.append((line, f"<{tag}> is not closed in this cell: write </{tag}>"))
        return self.slips

    def feed_block(self, node: SyntaxTreeNode) -> None:
        """Read a block of HTML, in which Markdown does not count."""
        self.block, self.start, self.text = node, node.map[0], ""
        self.feed_all(node.content)
        self.judge_text()
        for entry in [one for one in self.open if one[0] != "details"]:
            self.open.remove(entry)
            self.slips.append((entry[1], f"<{entry[0]}> is not closed before the blank line"))

    def feed_all(self, content: str) -> None:
        """Read some HTML to its end."""
        self.reset()
        self.feed(content)
        self.close()

    @property
    def line(self) -> int:
        """The line of what is being read."""
        return self.start + self.getpos()[0] - 1

    def handle_starttag(self, tag: str, attrs: list) -> None:
        """Refuse an unknown tag, and a fold within a line; remember what is to be closed."""
        if tag == "summary":
            self.judge_text()
        if tag not in TAGS or (attrs and tag != "img"):
            known = ", ".join(sorted(TAGS))
            what = f"{self.get_starttag_text()!r} is read as HTML: write < as &lt;, or in code"
            self.slips.append((self.line, f"{what} (known are {known}, without attributes)"))
        elif tag in FOLDS and self.block is None:
            self.slips.append((self.line, f"<{tag}> begins a line of its own"))
        elif tag not in EMPTY:
            self.open.append((tag, self.line, self.block and self.block.parent))

    def handle_endtag(self, tag: str) -> None:
        """Refuse an end without a beginning, or in another list item than it."""
        if tag == "summary":
            self.judge_text()
        place = self.block and self.block.parent
        if tag in FOLDS and place is None:
            self.slips.append((self.line, f"</{tag}> begins a line of its own"))
        elif not self.open or self.open[-1][0] != tag:
            self.slips.append((self.line, f"</{tag}> closes nothing that is open"))
        elif self.open.pop()[2] is not place:
            self.slips.append((self.line, f"</{tag}> stands in a list item, its beginning outside"))

    def handle_data(self, data: str) -> None:
        """Collect text up to the next end of a summary or of the block."""
        if self.block is not None:
            self.text = self.text or "\n" * (self.line - self.start)
            self.text += data

    def handle_entityref(self, name: str) -> None:
        """A named entity is text."""
        self.handle_data(f"&{name};")

    def handle_charref(self, name: str) -> None:
        """A numbered entity is text."""
        self.handle_data(f"&#{name};")

    def handle_comment(self, data: str) -> None:
        """A comment reaches nobody."""
        self.slips.append((self.line, "an HTML comment: drop it, no reader sees it"))

    handle_decl = handle_pi = unknown_decl = handle_comment

    def judge_text(self) -> None:
        """Refuse what would be Markdown in the text so far, and text that is in no summary."""
        text, self.text = self.text, ""
        line = self.start + len(text) - len(text.lstrip("\n"))
        if text.strip() and "summary" not in [tag for tag, *_ in self.open]:
            self.slips.append((line, "no Markdown here: put a blank line above the text"))
        elif text.strip():
            for token in self.parser.parseInline(text.strip())[0].children:
                line += token.type == "softbreak"
                if token.type not in ("text", "text_special", "softbreak"):
                    what = "shows as it is in <summary>: write plain words, or <em> and <code>"
                    self.slips.append((line, f"Markdown ({token.markup or token.type}) {what}"))
                    break


def placed(node: SyntaxTreeNode) -> Iterator[tuple[int, Token, str]]:
    """The tokens of a piece of text, each with its line and what may be looked at of its text."""
    line, raw = node.map[0], node.content
    for token in node.token.children:
        shown = {"text": token.content, "softbreak": "\n", "hardbreak": "\n"}.get(token.type, "")
        inside = token.content.count("\n")
        if token.type == "code_inline":
            words = r"\s+".join(map(re.escape, token.content.split()))
            found = re.search(rf"{token.markup}\s*{words}\s*{token.markup}", raw)
            inside, raw = found[0].count("\n"), raw[found.end() :]  # its token has lost its lines
        if not shown:
            shown = (MATH if token.type.startswith("math") else THING) + "\n" * inside
        yield line, token, shown
        line += shown.count("\n")


def left_over(node: SyntaxTreeNode) -> Iterator[Slip]:
    """Slips within a piece of text: what is left over of its markers."""
    flat, first = "", node.map[0]
    for line, token, shown in placed(node):
        if token.type in ("em_open", "strong_open") and flat[-1:].isalnum() and flat[-1:].isascii():
            yield line, f"{token.markup!r} within a word begins emphasis: use math, code or \\*"
        if token.type == "strong_open" and token.markup == "__":
            yield line, "'__' makes bold text: put names such as __init__ into code"
        if token.type == "hardbreak":
            yield line, "the line ends with a backslash or two spaces, which breaks it: drop them"
        if token.type == "link_open" and not ADDRESS.match(token.attrs["href"]):
            yield line, f"a link to {token.attrs['href']!r}: put q[i](j) into code"
        flat += shown
    for pattern, what in LEFT_OVER.items():
        for match in re.finditer(pattern, flat):
            yield first + flat.count("\n", 0, match.start()), what
