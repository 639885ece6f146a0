"""What a learner does with one explorer on a page of JupyterLab: keys, numbers, a look."""

import base64
import io
import time

import numpy as np
from PIL import Image


class ShownExplorer:
    """An explorer below cell `index`: its sliders, its picture and its sentence."""

    def __init__(self, lab, index: int):
        self.lab, self.index = lab, index
        self.cell = lab.cell(index)
        self.image.wait_for()

    @property
    def image(self):
        """What stays of the first picture."""
        return self.cell.locator(".explorer-pane img").first

    @property
    def sliders(self):
        """The sliders."""
        return self.cell.locator(".explorer input[type=range]")

    @property
    def grips(self):
        """The handles in the picture."""
        return self.cell.locator(".explorer-grip")

    @property
    def fields(self):
        """The fields in which a number can be typed."""
        return self.cell.locator(".explorer-controls input[inputmode]")

    def sentence(self) -> str:
        """What stands under the picture, also while the cell is out of sight."""
        return " ".join((self.cell.locator(".explorer-words").text_content() or "").split())

    def picture(self) -> str:
        """A fingerprint of the pictures shown: other pixels give another text.

        The names of clips are left out: matplotlib makes them from numbers with all their digits,
        and after a new layout the last one may be another.
        """
        return self.cell.evaluate(
            "async cell => { let all = '';"
            " for (const svg of cell.querySelectorAll('.explorer-pane > svg'))"
            " all += svg.innerHTML.replace(/\\bp[0-9a-f]{10}\\b/g, 'clip');"
            " for (const image of cell.querySelectorAll('.explorer-pane img')) {"
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
        """The first picture as the page paints it, without the handles that lie over it.

        Shapes: (height, width, 3), 8 bits.
        """
        image = self.image
        image.scroll_into_view_if_needed()
        self.lab.page.mouse.move(1, 1)
        bare = ".explorer-grips { visibility: hidden }"
        with Image.open(io.BytesIO(image.screenshot(style=bare))) as shot:
            return np.asarray(shot.convert("RGB"))

    def press(self, slider: int, key: str) -> None:
        """Press a key on a slider."""
        self.sliders.nth(slider).focus()
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

    def wait_for(self, picture: str) -> None:
        """Wait until `picture` is shown.

        Raises: TimeoutError, if it is not.
        """
        self.lab.wait_for(lambda: self.picture() == picture)
