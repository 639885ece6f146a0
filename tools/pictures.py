"""Make the pictures of the README: from an explorer, and from a real JupyterLab.

    python -m tools.pictures          writes images/*.png; needs a Chromium for the screenshots

What a learner sees is taken from the learner's own copy of chapter 1: a bet placed and settled,
and the first exercise with an answer that is wrong in a way that the course knows.
"""

import io
import tempfile
from pathlib import Path

from PIL import Image

from course_lib.explorers.scaling import explore_width
from tests.browser.lab_driver import LabBrowser, LabPage, LabServer
from tools.lab import lay

ROOT = Path(__file__).resolve().parent.parent
WRONG = '@exercise\ndef dot(a, b):\n    """Multiply entry by entry and add up."""\n    return a * b'
GAP = 24  # pixels between the pictures that are put below each other


def stack(pictures: list[Image.Image]) -> Image.Image:
    """The pictures below each other on white, left-aligned."""
    width = max(picture.width for picture in pictures)
    height = sum(picture.height + GAP for picture in pictures) - GAP
    sheet, top = Image.new("RGB", (width, height), "white"), 0
    for picture in pictures:
        sheet.paste(picture, (0, top))
        top += picture.height + GAP
    return sheet


def save(picture: Image.Image, path: Path) -> None:
    """Save with few colours: these pictures are flat."""
    picture.convert("RGB").quantize(128).save(path, optimize=True)
    print(f"{path.relative_to(ROOT)}: {picture.width} x {picture.height}, {path.stat().st_size} B")


def outputs_of(page: LabPage, index: int) -> Image.Image:
    """What stands below the code of a cell."""
    area = page.cell(index).locator(".jp-Cell-outputArea")
    return Image.open(io.BytesIO(area.screenshot()))


def run_cell(page: LabPage, index: int) -> None:
    """Run one cell by keyboard."""
    page.cell(index).locator(".cm-content").click()
    page.page.keyboard.press("Control+Enter")
    page.rest()


def bet_and_exercise(page: LabPage) -> list[Image.Image]:
    """A bet that is lost, with its reason, and an exercise with a known mistake, unfolded."""
    bet = page.find_cell('bet("louder")')
    page.cell(bet)
    page.command("notebook:run-all-above")
    page.settle()
    run_cell(page, bet)
    form = page.cell(bet)
    form.get_by_label("key A").check()
    form.get_by_role("button", name="sure", exact=True).click()
    form.get_by_role("button", name="Place the bet").click()
    page.settle()
    pictures = [outputs_of(page, bet)]
    run = page.find_cell('settle("louder"')
    run_cell(page, run)
    pictures.append(outputs_of(page, run))
    exercise = page.find_cell("def dot(a, b)")
    page.type_and_run(exercise, WRONG)
    page.cell(exercise).locator("summary").first.click()
    return [*pictures, outputs_of(page, exercise)]


def main() -> None:
    """Write all pictures."""
    images = ROOT / "images"
    still = explore_width.render(d_k=256, scaled=False)
    save(Image.open(io.BytesIO(still)), images / "width.png")
    with tempfile.TemporaryDirectory() as folder:
        work, home = Path(folder) / "work", Path(folder) / "home"
        lay(ROOT / "notebooks", work)
        with LabServer(work, home) as server, LabBrowser(width=1000, height=1600) as browser:
            pictures = bet_and_exercise(browser.open(server, "01_dot_product.ipynb"))
    save(stack(pictures), images / "bet_and_exercise.png")


if __name__ == "__main__":
    main()
