"""tools/squeeze.py: pictures of notebooks, packed tightly."""

import base64
import io

import nbformat
import numpy as np
import pytest
from PIL import Image

from course_lib.figures.png import small_png
from tools import squeeze

packer = pytest.mark.skipif(squeeze.oxipng is None, reason="oxipng has no build for this Python")


@pytest.fixture
def png() -> bytes:
    steps = np.arange(200)
    waves = 128 + 100 * np.sin(steps[:, None] / 9) * np.cos(steps / 7)
    return small_png(np.repeat(waves.astype(np.uint8)[..., None], 3, axis=2), 48)


def _pixels(png: bytes) -> np.ndarray:
    with Image.open(io.BytesIO(png)) as image:
        return np.asarray(image.convert("RGB"))


@packer
def test_a_squeezed_picture_has_the_same_pixels_in_fewer_bytes(png):
    small = squeeze.squeezed(png)

    assert len(small) < 0.97 * len(png)
    assert np.array_equal(_pixels(small), _pixels(png))


def test_what_is_squeezed_already_stays_as_it_is(png):
    once = squeeze.squeezed(png)

    assert squeeze.squeezed(once) == once


def test_without_the_packer_a_picture_stays_as_it_is(png, monkeypatch):
    monkeypatch.setattr(squeeze, "oxipng", None)

    assert squeeze.squeezed(png) == png


def test_a_notebook_keeps_its_pictures_and_what_stands_beside_them(png):
    data = {"image/png": base64.b64encode(png).decode(), "text/plain": "waves"}
    shown = nbformat.v4.new_output("display_data", data)
    said = nbformat.v4.new_output("stream", text="a word")
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(outputs=[said, shown])])
    book.cells.append(nbformat.v4.new_markdown_cell("no outputs at all"))

    squeeze.squeeze(book)

    kept = book.cells[0].outputs
    assert kept[0] == said
    assert kept[1].data["text/plain"] == "waves"
    assert kept[1].data["image/png"] == base64.b64encode(squeeze.squeezed(png)).decode()


@packer
def test_a_picture_that_was_stored_before_is_left_alone(png):
    """It takes seconds, and most pictures of a chapter are those of the last build."""
    stored = base64.b64encode(png).decode()
    shown = nbformat.v4.new_output("display_data", {"image/png": stored})
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(outputs=[shown])])

    squeeze.squeeze(book, previous=book)

    assert book.cells[0].outputs[0].data["image/png"] == stored
