"""From matplotlib's artists to SVG: what a slider moves is drawn by the browser.

A fragment is the SVG of one artist: a few hundred characters, where a picture is tens of thousands
of bytes. It needs no decoding, and is sharp at every density of pixels.
"""

import functools
import io
import itertools
import re

from matplotlib.backends.backend_svg import RendererSVG

from course_lib.figures.fonts import BASE
from course_lib.figures.theme import settings

UNIT = 72  # dots an inch: matplotlib writes SVG in points

_NO_METADATA = dict.fromkeys(("Date", "Creator", "Format", "Type"))
_STYLE = re.compile(r"<style.*?</style>", re.S)  # a rule for "*": it would reach the whole page
_BREAK = re.compile(r"\s*\n\s*")
_numbers = itertools.count()


def writing(mark: str):
    """A context in which fragments are written.

    mark: goes into the names of clips and markers; two pictures on one page need two marks.
    """
    return settings({"svg.fonttype": "none", "svg.hashsalt": mark})


def fragment(artist, size) -> str:
    """The SVG of one artist, whose figure must be at UNIT dots an inch; inside of `writing`.

    size: inches (width, height) of the figure.
    """
    out = io.StringIO()
    renderer = _renderer(*(side * UNIT for side in size))
    _begin(renderer, out)
    artist.draw(renderer)
    renderer.finalize()
    text = out.getvalue()
    body = text[text.index(">", text.index("<svg")) + 1 : text.rindex("</svg>")]
    # A reader's machine may lack the font: Verdana is as wide, and is there on most others.
    body = body.replace(f"'{BASE}'", f"'{BASE}', Verdana, sans-serif")
    return _BREAK.sub(" ", _STYLE.sub("", body))


@functools.cache
def _renderer(width: float, height: float) -> RendererSVG:
    """One for each size: matplotlib keeps how wide a text is by the renderer that measured it."""
    renderer = RendererSVG.__new__(RendererSVG)
    renderer.width, renderer.height = width, height
    return renderer


def _begin(renderer: RendererSVG, out: io.StringIO) -> None:
    """Let it write a new text from the start."""
    width, height = renderer.width, renderer.height
    RendererSVG.__init__(renderer, width, height, out, image_dpi=2 * UNIT, metadata=_NO_METADATA)


def layer(fragments, size) -> str:
    """Fragments in drawing order as one SVG, as wide as its place on the page.

    It takes no clicks and is hidden from screen readers: the picture below it carries the words.
    """
    width, height = (side * UNIT for side in size)
    return (
        f'<svg viewBox="0 0 {width:g} {height:g}" aria-hidden="true" stroke-linejoin="round" '
        'stroke-linecap="butt" style="display: block; width: 100%; height: auto; '
        f'pointer-events: none">{"".join(fragments)}</svg>'
    )


def new_mark() -> str:
    """A mark that no other picture of this kernel has."""
    return f"picture-{next(_numbers)}"
