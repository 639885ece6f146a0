"""Pieces of HTML: what a notebook's outputs become, and what the page adds."""

import base64
import hashlib
import io
from html import escape
from pathlib import Path

from PIL import Image
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer


class Files:
    """Files beside the pages, named by what they hold, so that a browser may keep them.

    root: the folder that becomes the root of the site.
    """

    def __init__(self, root: Path):
        self.root = root

    def add(self, folder: str, name: str, content: bytes, kind: str) -> str:
        """Write a file; returns its address on the site."""
        mark = hashlib.sha256(content).hexdigest()[:8]
        path = self.root / folder / f"{name}-{mark}.{kind}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        return path.relative_to(self.root).as_posix()


def picture(files: Files, png: bytes, alt: str, name: str) -> str:
    """An image that is loaded when it comes near, in its place from the start."""
    with Image.open(io.BytesIO(png)) as image:
        width, height = image.size
    address = files.add("pictures", name, png, "png")
    return (
        f'<img src="{address}" alt="{escape(alt)}" width="{width}" height="{height}" '
        'loading="lazy" decoding="async" style="--wide: {width}px">'
    )


def decoded(stored: str | list[str]) -> bytes:
    """The bytes of a picture as a notebook stores it."""
    return base64.b64decode("".join(stored))


def code(text: str) -> str:
    """Python in colour, as the theme shows it."""
    inside = highlight(text, PythonLexer(), HtmlFormatter(wrapcode=True))
    return f'<div class="highlight-python notranslate">{inside}</div>'


def printed(text: str) -> str:
    """What a cell printed."""
    return f'<pre class="printed">{escape(text.rstrip())}</pre>'


def folded(summary: str, inside: str, look: str = "") -> str:
    """Something that opens on a click; both are HTML."""
    return f'<details class="{look}"><summary>{summary}</summary>{inside}</details>'
