"""JupyterLab in a real browser: a server of its own, a page, and what a learner does there.

    with LabServer(folder, home) as server, LabBrowser() as browser:
        page = browser.open(server, "01_dot_product.ipynb")
        page.run_all()
        page.errors()            # [] is good
        next(page.explorers()).press(0, "ArrowRight")

Tests and benchmarks share it.
"""

import os
import shutil
import time
from pathlib import Path

from tests.browser.lab_server import READY, LabServer
from tests.browser.shown_explorer import ShownExplorer

ARGUMENTS = [
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-quic",
]
KERNEL = "window.jupyterapp.shell.currentWidget.sessionContext.session.kernel"
CELLS = "window.jupyterapp.shell.currentWidget.content.model.cells"


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

    def open(self, server: LabServer, name: str, *, fresh_kernel: bool = False) -> "LabPage":
        """Open a notebook and wait until its kernel is idle.

        fresh_kernel: end the kernels that run, as if the computer had been off in between.
        """
        if fresh_kernel:
            server.end_sessions()
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
        self.start_all()
        self.wait_for_all(seconds)

    def start_all(self) -> None:
        """Run all cells; do not wait."""
        self.page.evaluate(
            "() => { window.__ran = false; window.jupyterapp.commands"
            ".execute('notebook:run-all-cells').finally(() => window.__ran = true) }"
        )

    def wait_for_all(self, seconds: float = 120) -> None:
        """Wait for what `start_all` started."""
        self.page.wait_for_function("() => window.__ran", timeout=seconds * 1000)
        self.settle()

    def run_to(self, index: int) -> None:
        """Run all cells up to and with cell `index`, and wait for it."""
        self.cell(index + 1)
        self.command("notebook:run-all-above")
        self.settle()

    def run_cell(self, index: int) -> None:
        """Run one cell and wait for it."""
        self.cell(index)
        self.command("notebook:run-cell")
        self.settle()

    def start_cell(self, index: int) -> None:
        """Run one cell; do not wait."""
        self.cell(index)
        self.page.evaluate("() => { window.jupyterapp.commands.execute('notebook:run-cell') }")

    def interrupt(self) -> None:
        """Interrupt the kernel, as the button with the square does."""
        self.page.evaluate(f"() => {KERNEL}.interrupt()")

    def restart(self) -> None:
        """Restart the kernel and wait until it is there again."""
        self.page.evaluate(f"() => {KERNEL}.restart()")
        self.page.wait_for_timeout(500)
        self.settle()

    def wait_for(self, holds, seconds: float = 20) -> None:
        """Wait until `holds()` is true.

        Raises: TimeoutError, if it is not within `seconds`.
        """
        end = time.monotonic() + seconds
        while not holds():
            if time.monotonic() > end:
                raise TimeoutError(f"still not so after {seconds} s")
            self.page.wait_for_timeout(100)

    def settle(self) -> None:
        """Wait until the kernel is idle and the page has painted what it sent."""
        self.page.wait_for_function(f"() => {KERNEL}.status === 'idle'")
        self.page.wait_for_timeout(150)

    def rest(self) -> None:
        """Wait until the kernel is idle and the words of an explorer have followed."""
        self.page.wait_for_timeout(700)
        self.settle()

    def errors(self) -> list[str]:
        """The error outputs of all cells, each in a line."""
        return self.page.evaluate(
            f"() => {{ const found = []; for (const cell of {CELLS}) {{"
            " for (const output of cell.toJSON().outputs ?? []) if (output.output_type === 'error')"
            " found.push(output.ename + ': ' + output.evalue) } return found }"
        )

    def outputs(self, index: int) -> list[dict]:
        """The outputs of cell `index` as nbformat has them."""
        return self.page.evaluate(f"i => {CELLS}.get(i).toJSON().outputs ?? []", index)

    def find_cell(self, text: str) -> int:
        """The number of the first code cell whose source contains `text`.

        Raises: LookupError, if there is none.
        """
        found = self.page.evaluate(
            f"text => {{ let i = 0; for (const cell of {CELLS}) {{"
            " if (cell.type === 'code' && cell.sharedModel.getSource().includes(text)) return i;"
            " i++ } return -1 }",
            text,
        )
        if found < 0:
            raise LookupError(f"no code cell contains {text!r}")
        return found

    def count(self) -> int:
        """How many cells there are."""
        return self.page.evaluate(f"() => {CELLS}.length")

    def index_of(self, cell_id: str) -> int:
        """The number of the cell with that id.

        Raises: LookupError, if there is none.
        """
        found = self.page.evaluate(f"id => [...{CELLS}].findIndex(cell => cell.id === id)", cell_id)
        if found < 0:
            raise LookupError(f"no cell has the id {cell_id!r}")
        return found

    def write(self, cell_id: str, source: str) -> None:
        """Put `source` into a cell, as a paste over all of it does."""
        self.page.evaluate(
            f"([i, text]) => {CELLS}.get(i).sharedModel.setSource(text)",
            [self.index_of(cell_id), source],
        )

    def text_of(self, cell_id: str) -> str:
        """The plain texts among the outputs of a cell, also while it is folded away."""
        return self.text(self.index_of(cell_id))

    def text(self, index: int) -> str:
        """The plain texts among the outputs of cell `index`."""
        outputs = self.outputs(index)
        parts = [o.get("text", "") or o.get("data", {}).get("text/plain", "") for o in outputs]
        return "\n".join("".join(part) for part in parts)

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
            f"() => {{ const found = []; let i = 0; for (const cell of {CELLS}) {{"
            " if (/^explore_\\w+\\(/m.test(cell.sharedModel.getSource())) found.push(i); i++ }"
            " return found }"
        )

    def screenshot(self, path: Path, index: int | None = None) -> None:
        """Save what is seen: the window, or one cell."""
        target = self.page if index is None else self.cell(index)
        target.screenshot(path=str(path))
