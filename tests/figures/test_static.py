import base64
import io

import numpy as np
import pytest
from PIL import Image

from course_lib.figures.drawn import drawn
from course_lib.figures.static import figure_png, show_figure
from course_lib.figures.theme import new_figure


@pytest.fixture
def figure():
    figure = new_figure(7, 3)
    axes = figure.subplots()
    axes.imshow(np.arange(35).reshape(5, 7))
    axes.set_title("thirty-five cells")
    return figure


@pytest.fixture
def displayed(monkeypatch):
    """What is displayed, as if in a notebook."""
    shown = []
    monkeypatch.setattr("IPython.get_ipython", lambda: object())
    monkeypatch.setattr("IPython.display.display", lambda *a, **k: shown.append((a, k)))
    return shown


@pytest.mark.parametrize("alt", ["", "  \n", None])
def test_a_figure_without_words_is_refused(figure, alt):
    with pytest.raises(ValueError, match="alt is"):
        show_figure(figure, alt)


def test_outside_of_a_notebook_the_words_are_printed(figure, capsys):
    show_figure(figure, " Thirty-five cells. ")
    assert capsys.readouterr().out == "Thirty-five cells.\n"


def test_only_a_picture_whose_last_bits_differ_carries_what_it_draws(figure, displayed):
    show_figure(figure, "Thirty-five cells.")
    show_figure(figure, "Thirty-five cells.", exact=False)
    by_sight, by_data = [options["metadata"]["image/png"] for _, options in displayed]
    assert by_sight == {"alt": "Thirty-five cells."}
    assert by_data == {"alt": "Thirty-five cells.", "drawn": drawn(figure)}
    assert any(text.startswith("image of 5 x 7: ") for text in by_data["drawn"])


def test_in_a_notebook_one_output_holds_the_picture_and_its_words(figure, displayed):
    show_figure(figure, "Thirty-five cells.")
    ((bundle,), options) = displayed[0]
    assert bundle["text/plain"] == "Thirty-five cells."
    assert options["metadata"]["image/png"]["alt"] == "Thirty-five cells."
    assert base64.b64decode(bundle["image/png"]) == figure_png(figure)


def test_a_static_figure_is_as_wide_as_the_page_expects_and_small(figure):
    png = figure_png(figure)
    assert Image.open(io.BytesIO(png)).size == (700, 300)
    assert len(png) < 20_000


def test_the_same_figure_gives_the_same_bytes(figure):
    assert figure_png(figure) == figure_png(figure)
