"""What of a run is kept in a notebook, and what is refused because it differs elsewhere."""

import base64
import functools
import importlib.metadata
import io
import re
from pathlib import Path

import numpy as np
from nbformat import NotebookNode
from PIL import Image

from course_lib.showing import BESIDE

WIDGET = "application/vnd.jupyter.widget-view+json"
KEPT = {False: ("text/plain", "text/html", "image/png"), True: ("text/plain", "text/html")}
SAME_PIXEL = 8  # of 255: nobody sees it, and no changed digit passes as the same
NEAR = 3  # pixels of the stored picture, or shades of 255: where the last bits may differ
LARGEST = 300_000  # bytes of a notebook
DIFFERS = {  # what is found in an output: what to do about it
    r"\bnp\.(?:float|int|uint|complex|bool|str)\w*\(": "print numbers with a format",
    r"\bnp\.(?:True|False)_": "print bool(...)",
    r"\btensor\(": "print numbers with a format",
    r"\b[A-Z]\w+\((?:children=|value=|layout=)": "show widgets with course_lib.showing.show",
    r"\bVBox\(": "show widgets with course_lib.showing.show",
    r"\bat 0x[0-9a-f]+": "an address in memory: do not print the object itself",
    r"/tmp/|/var/folders/": "a temporary path",
    r"/home/\w|/Users/\w|/root/|[A-Z]:\\Users": "a path of this machine",
    r"site-packages|<ipython-input-|ipykernel_\d+": "a path of this machine",
    r"\bCPU times\b|\bWall time\b|\bper loop \(mean": "a timing",
    r"\b\w+Warning: ": "a warning: mend its cause",
}
DEFECTS = r"has a defect\b|^There is no \w+ in this chapter"  # what the engines say of our slips


class OutputError(Exception):
    """An output that must not be stored: `cell_id` made it."""

    def __init__(self, cell_id: str, what: str):
        super().__init__(what)
        self.cell_id = cell_id


def keep_what_lasts(notebook: NotebookNode, solutions: bool, metadata: dict) -> None:
    """Remove from the outputs what is different at each run, and pictures from the solutions."""
    notebook.metadata = metadata
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
        for output in cell.get("outputs", []):
            if "data" in output:
                kept = {kind: output.data[kind] for kind in KEPT[solutions] if kind in output.data}
                output.data = NotebookNode(kept)
                for kind in [kind for kind in output.metadata if kind not in kept]:
                    del output.metadata[kind]
        if cell.cell_type == "code":
            cell.outputs = without_live(cell.outputs)


def without_live(outputs: list) -> list:
    """`outputs` without what only a live notebook needs: the widget, and the style beside it."""
    return [
        output
        for output in outputs
        if "data" not in output
        or (
            any(map(str.strip, map(str, _lasting(output["data"]).values())))
            and f'class="{BESIDE}"' not in output["data"].get("text/html", "")
        )
    ]


def _lasting(data: dict) -> dict:
    return {kind: content for kind, content in data.items() if kind in KEPT[False]}


def refuse(notebook: NotebookNode, paths: tuple[str, ...] = ()) -> None:
    """Raise OutputError for what must not be stored.

    That is: an output that differs elsewhere, one that names one of `paths`, one that tells of a
    defect of the course, and a picture without alt text.
    """
    differs = {**DIFFERS, **{re.escape(path): "a path of this machine" for path in paths}}
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            if output.output_type == "stream" and output.name == "stderr":
                raise OutputError(cell.id, f"writes to stderr: {output.text.strip()[:80]!r}")
            for text in _texts(output):
                if re.search(DEFECTS, text, re.MULTILINE):
                    raise OutputError(cell.id, f"tells of a defect: {text.strip()[:200]!r}")
                for pattern, reason in differs.items():
                    match = re.search(pattern, text)
                    if match:
                        where = text[max(0, match.start() - 20) : match.end() + 20].strip()
                        raise OutputError(cell.id, f"differs elsewhere: {where!r} ({reason})")
            if "image/png" in output.get("data", {}):
                alt = output.metadata.get("image/png", {}).get("alt", "")
                if not alt.strip() or alt != output.data.get("text/plain"):
                    raise OutputError(cell.id, "a picture without alt text: use show_figure")


def _texts(output: NotebookNode) -> list[str]:
    texts = [output.get("text", "")]
    texts += [text for kind, text in output.get("data", {}).items() if kind.startswith("text/")]
    return [re.sub(r"data:[\w/+]+;base64,[A-Za-z0-9+/=]+", "", text) for text in texts]


def shown_text(notebook: NotebookNode) -> list[tuple[str, str]]:
    """Every text among the outputs, with its cell's id."""
    return [
        (cell.id, text)
        for cell in notebook.cells
        for output in cell.get("outputs", [])
        for text in _texts(output)
    ]


def keep_pictures(notebook: NotebookNode, previous: NotebookNode) -> None:
    """Where a picture is the same as in `previous`, keep those bytes, so that git stays small.

    The bytes change with matplotlib's version, the picture does not.
    """
    before = {cell.id: cell.get("outputs", []) for cell in previous.cells}
    for cell in notebook.cells:
        for new, old in zip(cell.get("outputs", []), before.get(cell.id, []), strict=False):
            if _has_picture(old) and _has_picture(new) and same_picture(old, new):
                new.data["image/png"] = old.data["image/png"]
                if _drawn(old) and _drawn(new):
                    new.metadata["image/png"]["drawn"] = _drawn(old)


def same_pictures(stored: list[dict], new: list[dict], *, by_sight: bool = True) -> bool:
    """Whether a cell that was run again shows the pictures that are stored, as many and as such.

    Where none is stored there is nothing to compare.   by_sight: False if as many is enough, as
    where another matplotlib draws.
    """
    had, has = (list(filter(_has_picture, outputs)) for outputs in (stored, new))
    if not had:
        return True
    return len(had) == len(has) and (not by_sight or all(map(same_picture, had, has)))


def with_the_same_words(stored: list[dict], new: list[dict]) -> list[dict]:
    """`stored`, the learner's outputs of a cell, where the solutions' `new` say the same; else [].

    The solutions store no pictures; theirs are the learner's, but where a function of the
    learner's draws them, and that is said beside the picture.
    """
    words = [
        [output["data"].get("text/plain") for output in outputs if _has_picture(output)]
        for outputs in (stored, new)
    ]
    return stored if words[0] == words[1] else []


def _has_picture(output: dict) -> bool:
    return "image/png" in output.get("data", {})


def _drawn(output: dict) -> list[str]:
    """What its picture shows in words and numbers, where its pixels differ elsewhere; else []."""
    return output.get("metadata", {}).get("image/png", {}).get("drawn", [])


@functools.cache
def draws_as_pinned() -> bool:
    """Whether matplotlib is the one of constraints.txt; others draw letters a little otherwise."""
    pins = (Path(__file__).resolve().parent.parent / "constraints.txt").read_text().splitlines()
    return f"matplotlib=={importlib.metadata.version('matplotlib')}" in pins


def same_picture(one: dict, other: dict) -> bool:
    """Whether the pictures of two outputs are the same; False where one cannot be read.

    They are where nobody sees a difference. And where both carry what they show in words and
    numbers (`show_figure(..., exact=False)`: the numbers come from training or a long sum), they
    are if the words are the same, and nothing is more than NEAR pixels or shades from its partner.
    """
    try:
        a, b = (_pixels(output["data"]["image/png"]) for output in (one, other))
        if a.shape != b.shape:
            return False
        seen = int(np.abs(a - b).max()) > SAME_PIXEL
        return not seen or (bool(_drawn(one)) and same_drawing(_drawn(one), _drawn(other)))
    except (OSError, ValueError):
        return False


def same_drawing(one: list[str], other: list[str]) -> bool:
    """Whether two figures show the same words and, nearly, the same numbers (figures/drawn.py).

    Raises: ValueError, if a text does not end with numbers.
    """
    parts = [[text.rpartition(": ")[::2] for text in drawing] for drawing in (one, other)]
    words = [[what for what, _ in drawing] for drawing in parts]
    numbers = [[list(map(int, row.split())) for _, row in drawing] for drawing in parts]
    if words[0] != words[1] or [*map(len, numbers[0])] != [*map(len, numbers[1])]:
        return False
    a, b = (np.concatenate([np.array(row, dtype=int) for row in rows]) for rows in numbers)
    return bool((np.abs(a - b) <= NEAR).all())


def _pixels(picture: str) -> np.ndarray:
    with Image.open(io.BytesIO(base64.b64decode(picture))) as image:
        return np.asarray(image.convert("RGBA"), dtype=np.int16)
