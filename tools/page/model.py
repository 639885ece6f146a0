"""The copying model of chapter 0 for the page: its numbers in one file, and its panel."""

import html
import json

import numpy as np

from course_lib.models.copying_numpy import Copying, load_copying
from course_lib.models.copying_text import ALPHABET, BLOCKS, HEADS, LENGTH
from course_lib.words import say
from tools.page import sentences as s
from tools.page.html import Files

SAMPLE = "giraffe pogir"
SHOWN = 2  # the head whose arcs are seen first


def binary(model: Copying) -> tuple[list[dict], bytes]:
    """Where each weight stands in the file, and the file: little-endian float32, row by row."""
    parts, place, told = [], 0, []
    for name, weight in sorted(model.weights.items()):
        flat = np.ascontiguousarray(weight, dtype="<f4")
        told.append({"name": name, "shape": list(weight.shape), "at": place})
        parts.append(flat.tobytes())
        place += flat.size
    return told, b"".join(parts)


def panel(files: Files) -> str:
    """The place of the model, and what copying_panel.js needs to bring it to life."""
    model = load_copying()
    told, weights = binary(model)
    data = {
        "weights": files.add("model", "copying", weights, "bin"),
        "parts": told,
        "alphabet": ALPHABET,
        "blocks": BLOCKS,
        "heads": HEADS,
        "length": LENGTH,
        "shown": SHOWN,
        "texts": {
            "says": s.MODEL_SAYS, "withAll": s.MODEL_WITH_ALL, "arcs": s.MODEL_ARCS,
            "self": s.MODEL_SELF,
        },
    }  # fmt: skip
    safe = json.dumps(data, ensure_ascii=False).replace("<", "\\u003c")
    about = say(s.MODEL_ABOUT, count=f"{model.parameters:,}", length=LENGTH)
    return (
        f'<section class="model" aria-label="{html.escape(say(s.MODEL))}">'
        f'<p class="title"><b>{html.escape(say(s.MODEL))}</b></p>'
        f'<label class="typed"><span>{html.escape(say(s.MODEL_TEXT))}</span>'
        f'<input type="text" value="{SAMPLE}" maxlength="{LENGTH}" autocomplete="off" '
        f'autocapitalize="off" spellcheck="false" disabled></label>{_heads("checkbox")}'
        '<p class="says" role="status">&nbsp;</p><p class="with-all">&nbsp;</p>'
        f'{_heads("radio")}<svg class="arcs" viewBox="0 0 700 160" role="img" '
        f'aria-label="{html.escape(say(s.MODEL_NOT_YET))}"></svg>'
        f'<p class="looks">&nbsp;</p><p class="about">{html.escape(about)}</p>'
        f'<script type="application/json">{safe}</script></section>'
    )


def _heads(kind: str) -> str:
    """A box for each head, block by block: to switch it off, or to choose whose looks are shown."""
    legend = html.escape(say(s.MODEL_ON if kind == "checkbox" else s.MODEL_SHOWN))
    blocks = []
    for block in range(BLOCKS):
        label = html.escape(say(s.MODEL_BLOCK, number=block + 1))
        boxes = "".join(_box(kind, HEADS * block + one + 1) for one in range(HEADS))
        blocks.append(f'<span class="block"><span>{label}</span>{boxes}</span>')
    return f'<fieldset class="heads"><legend>{legend}</legend>{"".join(blocks)}</fieldset>'


def _box(kind: str, number: int) -> str:
    checked = " checked" if kind == "checkbox" or number == SHOWN else ""
    name = "" if kind == "checkbox" else ' name="shown-head"'
    return f'<label><input type="{kind}"{name} value="{number}"{checked} disabled>{number}</label>'
