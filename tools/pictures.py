"""Make the pictures of the README: from an explorer, and from a real JupyterLab.

    python -m tools.pictures          writes images/; needs a Chromium for the screenshots
    python -m tools.pictures moving   only the slider that moves, which needs none

What a learner sees is taken from the learner's own copy of chapter 1: a bet placed and settled,
and the first exercise with an answer that is wrong in a way that the course knows.
"""

import io
import sys
import tempfile
from pathlib import Path

from matplotlib.figure import Figure
from PIL import Image

from course_lib.chapters.scaling.explorers.width import explore_width
from course_lib.figures.theme import FAINT, QUERY
from tests.browser.lab_driver import LabBrowser, LabPage, LabServer
from tools.lab import lay

ROOT = Path(__file__).resolve().parent.parent
WRONG = '@exercise\ndef dot(a, b):\n    """Multiply entry by entry and add up."""\n    return a * b'
GAP = 24  # pixels between the pictures that are put below each other
WIDTHS = (
    4,
    5,
    6,
    7,
    8,
    10,
    12,
    14,
    16,
    20,
    24,
    28,
    32,
    40,
    50,
    60,
    70,
    80,
    100,
    128,
    160,
    200,
    256,
)
STEP, REST = 160, 900  # milliseconds; in all less than the five seconds of WCAG 2.2.2


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


def moving() -> list[Image.Image]:
    """The explorer of chapter 3 at one width after the other, each with the slider below it."""
    frames = []
    for width in WIDTHS:
        drawn = Image.open(io.BytesIO(explore_width.render(d_k=width)))
        frames.append(stack([drawn.convert("RGB"), slider(width, drawn.width)]))
    return frames


def slider(width: int, pixels: int) -> Image.Image:
    """The slider as JupyterLab shows it, on a log scale."""
    figure = Figure(figsize=(pixels / 100, 0.4), dpi=100)
    axes = figure.add_axes((0.28, 0, 0.5, 1))
    axes.set(xscale="log", xlim=(1, 1024), ylim=(-1, 1))
    axes.axis("off")
    axes.hlines(0, 1, 1024, color=FAINT, linewidth=4)
    axes.hlines(0, 1, width, color=QUERY, linewidth=4)
    axes.plot([width], [0], "o", color=QUERY, markersize=13, clip_on=False)
    figure.text(0.25, 0.5, "width d_k", ha="right", va="center", size=12)
    figure.text(0.81, 0.5, str(width), va="center", size=12)
    figure.savefig(file := io.BytesIO(), format="png")
    return Image.open(file).convert("RGB")


def save_moving(frames: list[Image.Image], path: Path) -> None:
    """Save as a GIF that plays once; all frames share their colours, so that nothing flickers."""
    palette = stack([frames[0], frames[-1]]).quantize(64)
    flat = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames]
    times = [REST, *[STEP] * (len(flat) - 1)]
    flat[0].save(path, save_all=True, append_images=flat[1:], duration=times, optimize=True)
    print(f"{path.relative_to(ROOT)}: {len(flat)} frames, {path.stat().st_size} B")


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
    form.get_by_label("key B").check()
    form.get_by_label("sure", exact=True).check()
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
    save_moving(moving(), images / "width.gif")
    if sys.argv[1:] == ["moving"]:
        return
    with tempfile.TemporaryDirectory() as folder:
        work, home = Path(folder) / "work", Path(folder) / "home"
        lay(ROOT / "notebooks", work)
        with LabServer(work, home) as server, LabBrowser(width=1000, height=1600) as browser:
            pictures = bet_and_exercise(browser.open(server, "01_dot_product.ipynb"))
    save(stack(pictures), images / "bet_and_exercise.png")


if __name__ == "__main__":
    main()
