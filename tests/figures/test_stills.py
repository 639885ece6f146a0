import base64
import io

import numpy as np
import pytest
from PIL import Image

from course_lib.figures.stills import figure_png, show_figure
from course_lib.figures.theme import new_figure


@pytest.fixture
def figure():
    figure = new_figure(7, 3)
    axes = figure.subplots()
    axes.imshow(np.arange(35).reshape(5, 7))
    axes.set_title("thirty-five cells")
    return figure


@pytest.mark.parametrize("alt", ["", "  \n", None])
def test_a_figure_without_words_is_refused(figure, alt):
    with pytest.raises(ValueError, match="alt is"):
        show_figure(figure, alt)


def test_outside_of_a_notebook_the_words_are_printed(figure, capsys):
    show_figure(figure, " Thirty-five cells. ")
    assert capsys.readouterr().out == "Thirty-five cells.\n"


def test_in_a_notebook_one_output_holds_the_picture_and_its_words(figure, monkeypatch):
    shown = []
    monkeypatch.setattr("IPython.get_ipython", lambda: object())
    monkeypatch.setattr("IPython.display.display", lambda *a, **k: shown.append((a, k)))
    show_figure(figure, "Thirty-five cells.")
    ((bundle,), options) = shown[0]
    assert bundle["text/plain"] == "Thirty-five cells."
    assert options["metadata"]["image/png"]["alt"] == "Thirty-five cells."
    assert base64.b64decode(bundle["image/png"]) == figure_png(figure)


def test_a_still_is_as_wide_as_the_page_expects_and_small(figure):
    png = figure_png(figure)
    assert Image.open(io.BytesIO(png)).size == (700, 300)
    assert len(png) < 20_000


def test_the_same_figure_gives_the_same_bytes(figure):
    assert figure_png(figure) == figure_png(figure)
