"""JupyterLab in a real browser: a server of its own, a page, and what a learner does there.

    with LabServer(folder, home) as server, LabBrowser() as browser:
        page = browser.open(server, "01_dot_product.ipynb")
        page.run_all()
        page.errors()            # [] is good
        next(page.explorers()).press(0, "ArrowRight")

Tests and benchmarks share it.
"""

import base64
import io
import os
import shutil
import time
from pathlib import Path

import numpy as np
from PIL import Image

from tests.browser.lab_server import READY, LabServer

ARGUMENTS = [
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-quic",
]


def find_chromium() -> str | None:
    """The browser: $CHROMIUM, else the first that is installed; None where there is none."""
    names = (os.environ.get("CHROMIUM"), "chromium", "chromium-browser", "google-chrome")
    return next((found for name in names if name and (found := shutil.which(name))), None)


class LabBrowser:
    """A browser for notebooks; use it as a context."""

    def __init__(self, *, width: int = 1200, height: int = 900, scale: float = 1):
        self.viewport, self.scale = {"width": width, "height": height}, scale

    def __enter__(self):
        from playwright.sync_api import sync_playwright

        root = hasattr(os, "geteuid") and os.geteuid() == 0
        self._playwright = sync_playwright().start()
        self._browser = self._playwright.chromium.launch(
            executable_path=find_chromium(), args=ARGUMENTS + (["--no-sandbox"] if root else [])
        )
        self.context = self._browser.new_context(
            viewport=self.viewport, device_scale_factor=self.scale
        )
        return self

    def __exit__(self, *_) -> None:
        self._browser.close()
        self._playwright.stop()

    def open(self, server: LabServer, name: str) -> "LabPage":
        """Open a notebook and wait until its kernel is idle."""
        page = self.context.new_page()
        page.set_default_timeout(READY * 1000)
        page.goto(server.address(name), wait_until="domcontentloaded")
        page.wait_for_selector(".jp-Notebook .jp-Cell")
        page.wait_for_function(
            "() => window.jupyterapp?.shell.currentWidget?.sessionContext?.session?.kernel"
            "?.status === 'idle'"
        )
        return LabPage(page)


class LabPage:
    """One open notebook. `page` is Playwright's page, for what is not here."""

    def __init__(self, page):
        self.page = page

    def command(self, name: str) -> None:
        """Run a command of JupyterLab, such as "notebook:run-all-cells", to its end."""
        self.page.evaluate("name => window.jupyterapp.commands.execute(name)", name)

    def run_all(self, seconds: float = 120) -> None:
        """Run all cells and wait for the last one."""
        self.page.evaluate(
            "() => { window.__ran = false; window.jupyterapp.commands"
            ".execute('notebook:run-all-cells').finally(() => window.__ran = true) }"
        )
        self.page.wait_for_function("() => window.__ran", timeout=seconds * 1000)
        self.settle()

    def run_to(self, index: int) -> None:
        """Run all cells up to and with cell `index`, and wait for it."""
        self.cell(index + 1)
        self.command("notebook:run-all-above")
        self.settle()

    def settle(self) -> None:
        """Wait until the kernel is idle and the page has painted what it sent."""
        self.page.wait_for_function(
            "() => window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.status"
            " === 'idle'"
        )
        self.page.wait_for_timeout(150)

    def rest(self) -> None:
        """Wait until the kernel is idle and the words of an explorer have followed."""
        self.page.wait_for_timeout(700)
        self.settle()

    def errors(self) -> list[str]:
        """The error outputs of all cells, each in a line."""
        return self.page.evaluate(
            "() => { const found = []; for (const cell of"
            " window.jupyterapp.shell.currentWidget.content.model.cells) {"
            " for (const output of cell.toJSON().outputs ?? []) if (output.output_type === 'error')"
            " found.push(output.ename + ': ' + output.evalue) } return found }"
        )

    def outputs(self, index: int) -> list[dict]:
        """The outputs of cell `index` as nbformat has them."""
        return self.page.evaluate(
            "i => window.jupyterapp.shell.currentWidget.content.model.cells.get(i).toJSON()"
            ".outputs ?? []",
            index,
        )

    def find_cell(self, text: str) -> int:
        """The number of the first code cell whose source contains `text`.

        Raises: LookupError, if there is none.
        """
        found = self.page.evaluate(
            "text => { let i = 0; for (const cell of"
            " window.jupyterapp.shell.currentWidget.content.model.cells) {"
            " if (cell.type === 'code' && cell.sharedModel.getSource().includes(text)) return i;"
            " i++ } return -1 }",
            text,
        )
        if found < 0:
            raise LookupError(f"no code cell contains {text!r}")
        return found

    def cell(self, index: int):
        """The element of cell `index`, scrolled into view (JupyterLab draws lazily)."""
        self.page.evaluate(
            "async i => { const book = window.jupyterapp.shell.currentWidget.content;"
            " book.activeCellIndex = i; await book.scrollToItem(i, 'start') }",
            index,
        )
        cell = self.page.locator(f".jp-Notebook .jp-Cell[data-windowed-list-index='{index}']")
        cell.wait_for()
        return cell

    def type_and_run(self, index: int, source: str) -> str:
        """Replace a cell's text by typing, run it with Shift+Enter; returns its output's text."""
        cell = self.cell(index)
        cell.locator(".cm-content").click()
        self.page.keyboard.press("ControlOrMeta+a")
        self.page.keyboard.press("Delete")
        self.page.evaluate(  # a paste, so that the editor does not indent what is indented already
            "([i, text]) => window.jupyterapp.shell.currentWidget.content.widgets[i].editor"
            ".replaceSelection(text)",
            [index, source],
        )
        self.page.keyboard.press("Control+Enter")
        self.page.wait_for_timeout(300)
        self.settle()
        return self.cell(index).locator(".jp-OutputArea").inner_text()

    def explorers(self):
        """Each explorer on the page in order, scrolled into view."""
        for index in self.explorer_cells():
            yield ShownExplorer(self, index)

    def explorer_cells(self) -> list[int]:
        """The numbers of the cells that show an explorer."""
        return self.page.evaluate(
            "() => { const found = []; let i = 0;"
            " for (const cell of window.jupyterapp.shell.currentWidget.content.model.cells) {"
            " if (/^explore_\\w+\\(/m.test(cell.sharedModel.getSource())) found.push(i); i++ }"
            " return found }"
        )

    def screenshot(self, path: Path, index: int | None = None) -> None:
        """Save what is seen: the window, or one cell."""
        target = self.page if index is None else self.cell(index)
        target.screenshot(path=str(path))


class ShownExplorer:
    """An explorer below cell `index`: its sliders, its picture and its sentence."""

    def __init__(self, lab: LabPage, index: int):
        self.lab, self.index = lab, index
        self.cell = lab.cell(index)
        self.cell.locator("img.widget-image").first.wait_for()

    @property
    def handles(self):
        """The handles of the sliders (ipywidgets 8, else 7.7)."""
        return self.cell.locator(".noUi-handle, .ui-slider-handle")

    @property
    def fields(self):
        """The fields in which a number can be typed."""
        return self.cell.locator(".jp-OutputArea input[type=number]")

    def sentence(self) -> str:
        """What stands under the picture, also while the cell is out of sight."""
        return " ".join((self.cell.locator("[role=status]").text_content() or "").split())

    def picture(self) -> str:
        """A fingerprint of the pictures shown: other pixels give another text."""
        return self.cell.evaluate(
            "async cell => { let all = '';"
            " for (const svg of cell.querySelectorAll('.widget-html svg')) all += svg.innerHTML;"
            " for (const image of cell.querySelectorAll('img.widget-image')) {"
            " const bytes = await (await fetch(image.src)).arrayBuffer();"
            " const sum = await crypto.subtle.digest('SHA-256', bytes);"
            " all += [...new Uint8Array(sum)].map(b => b.toString(16)).join('') } return all }"
        )

    def stored_picture(self) -> np.ndarray:
        """The picture that stays in the notebook. Shapes: (height, width, 3), 8 bits."""
        outputs = self.lab.outputs(self.index)
        png = next(o["data"]["image/png"] for o in outputs if "image/png" in o.get("data", {}))
        with Image.open(io.BytesIO(base64.b64decode(png))) as stored:
            return np.asarray(stored.convert("RGB"))

    def photograph(self) -> np.ndarray:
        """The first picture as the page paints it. Shapes: (height, width, 3), 8 bits."""
        image = self.cell.locator("img.widget-image").first
        image.scroll_into_view_if_needed()
        self.lab.page.mouse.move(1, 1)
        with Image.open(io.BytesIO(image.screenshot())) as shot:
            return np.asarray(shot.convert("RGB"))

    def press(self, slider: int, key: str) -> None:
        """Press a key on a slider's handle."""
        self.handles.nth(slider).focus()
        self.lab.page.keyboard.press(key)

    def type(self, slider: int, text: str) -> None:
        """Type a number into the field beside a slider, by the keyboard alone."""
        self.fields.nth(slider).focus()
        self.lab.page.keyboard.press("ControlOrMeta+a")
        self.lab.page.keyboard.type(text)
        self.lab.page.keyboard.press("Enter")

    def shown(self) -> tuple[str, str]:
        """Picture and sentence."""
        return self.picture(), self.sentence()

    def changed(self, shown: tuple[str, str], seconds: float = 10) -> tuple[str, str]:
        """Wait until picture and sentence are others than `shown`; returns what is there then."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            now = self.shown()
            if now[0] != shown[0] and now[1] != shown[1]:
                break
            self.lab.page.wait_for_timeout(50)
        return now
