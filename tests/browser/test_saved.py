"""A saved notebook that is opened again: the picture stays where the widget is gone."""

import json

import nbformat
import pytest
from nbformat.sign import NotebookNotary

from tests.browser.lab_driver import find_chromium

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(
        find_chromium() is None, reason="no browser: install chromium, or name one in CHROMIUM"
    ),
]
KERNEL = {"name": "python3", "display_name": "Python 3", "language": "python"}
CELL = {"cell_type": "code", "metadata": {}, "execution_count": None, "outputs": []}
SOURCES = (
    "from course_lib.chapters.dot_product import *",
    "explore_two_vectors()",
    'bet("strangers")',
)


@pytest.fixture
def reopened(server, browser):
    """A notebook with an explorer and a bet, run, saved without the widgets' state, opened again.

    Notebook 7 and the classic notebook save it so.
    """
    path = server.folder / "saved.ipynb"
    cells = [CELL | {"id": f"c{i}", "source": source} for i, source in enumerate(SOURCES)]
    book = {"metadata": {"kernelspec": KERNEL}, "nbformat": 4, "nbformat_minor": 5}
    path.write_text(json.dumps(book | {"cells": cells}))
    page = browser.open(server, path.name)
    page.run_all()
    assert page.cell(1).locator(".explorer").is_visible()
    assert not page.cell(1).locator(".jp-RenderedImage").is_visible()
    page.command("docmanager:save")
    page.page.close()
    saved = nbformat.read(path, 4)
    saved.metadata.pop("widgets", None)
    nbformat.write(saved, path)
    NotebookNotary(data_dir=str(server.home / "data")).sign(saved)  # else it is not trusted
    page = browser.open(server, path.name, fresh_kernel=True)
    yield page
    page.page.close()
    server.end_sessions()


def test_the_picture_and_the_question_stay_and_nothing_says_that_a_widget_is_gone(reopened):
    for cell, what in ((1, ".jp-RenderedImage img"), (2, ".jp-RenderedHTMLCommon")):
        reopened.cell(cell).locator(what).first.wait_for(state="visible")
        reopened.settle()
        outputs = reopened.cell(cell).locator(".jp-OutputArea-child").all()
        assert [output.is_visible() for output in outputs] == [True, False, False]
