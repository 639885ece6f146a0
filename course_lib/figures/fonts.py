"""Which characters the installed fonts can draw, so that no picture shows an empty box.

axes.set_title(drawable("苹果", "píngguǒ"))   # the characters where a font has them
"""

import functools

from matplotlib import font_manager
from matplotlib.ft2font import FT2Font
from matplotlib.text import Text

BASE = "DejaVu Sans"  # comes with matplotlib, so it is always there
MONO = "DejaVu Sans Mono"  # so is this one
CHINESE = (  # in order of preference; the first that is installed is used
    "Noto Sans CJK SC",
    "Noto Sans SC",
    "Source Han Sans SC",
    "Source Han Sans CN",
    "PingFang SC",
    "Hiragino Sans GB",
    "Heiti SC",
    "STHeiti",
    "Microsoft YaHei",
    "SimHei",
    "WenQuanYi Micro Hei",
    "WenQuanYi Zen Hei",
    "Noto Sans CJK JP",
    "Droid Sans Fallback",
    "Arial Unicode MS",
)


@functools.cache
def families() -> list[str]:
    """The font families of every figure: one with Latin and Greek, then one with Chinese."""
    installed = {font.name for font in font_manager.fontManager.ttflist}
    return [BASE, *[name for name in CHINESE if name in installed][:1]]


@functools.cache
def _characters(family: str) -> frozenset[int]:
    return frozenset(FT2Font(font_manager.findfont(family)).get_charmap())


def missing(text: str) -> list[str]:
    """The characters of `text` that no font of ours has, in order."""
    have = [_characters(family) for family in families()]
    return [c for c in text if c != "\n" and not any(ord(c) in chars for chars in have)]


def drawable(text: str, transliteration: str) -> str:
    """`text` where the fonts have all of its characters, else its transliteration.

    Raises: ValueError, if the transliteration cannot be drawn either.
    """
    if not missing(text):
        return text
    if lacking := missing(transliteration):
        raise ValueError(
            f"transliteration {transliteration!r} of {text!r} has characters that the base font "
            f"lacks: {lacking}"
        )
    return transliteration


def empty_boxes(figure) -> list[str]:
    """The texts of a figure that would show an empty box: an empty list, if all is well."""
    return [t.get_text() for t in figure.findobj(Text) if t.get_visible() and missing(t.get_text())]
