"""One learner of a class who is driven: arrives by a link, runs cells, moves a slider."""

import asyncio
import json
import random
import time
from pathlib import Path

from course_lib.sliding.registry import explorers
from tests.deploy.class_learner import Learner
from tests.deploy.class_server import ClassServer

ROOT = Path(__file__).resolve().parents[2]
PAUSE = (0.3, 1.0)  # seconds between two steps of a hand that looks at each picture


def cells_to_the_first_explorer(chapter: str) -> list[str]:
    """The code cells of a chapter's learner's edition, up to the first that shows an explorer.

    Raises: LookupError, where none does.
    """
    calls = tuple(f"{name.rpartition('.')[2]}(" for name in explorers())
    notebook = json.loads((ROOT / "notebooks" / f"{chapter}.ipynb").read_text(encoding="utf-8"))
    found = []
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code" and cell.get("id") not in ("badge", "bootstrap"):
            found.append("".join(cell["source"]))
            if found[-1].lstrip().startswith(calls):
                return found
    raise LookupError(f"no cell of {chapter} shows an explorer")


def stops_of(control: dict) -> list:
    """What a control may be set to: the stops of a slider, the entries of a list, off and on."""
    if control["kind"] == "range":
        return control["stops"]
    return [False, True] if control["kind"] == "toggle" else list(range(len(control["names"])))


class Driven:
    """A learner with a name and a generator of random numbers of its own."""

    def __init__(self, here: ClassServer, number: int, chapter: str, seed: int):
        self.here, self.name, self.chapter = here, f"learner-{number}", chapter
        self.learner = Learner(here.address, self.name)
        self.rng = random.Random(f"{seed}/{number}")
        self.steps: list[float] = []
        self.arrival: dict[str, float] = {}

    async def arrive(self, cells: list[str], within: float = 0.0) -> None:
        """Come within some seconds, follow the link, run the cells; notes how long each took."""
        await asyncio.sleep(self.rng.uniform(0, within))
        await self.learner.__aenter__()
        begun = time.perf_counter()

        def note(what: str) -> None:
            self.arrival[what] = time.perf_counter() - begun

        await self.learner.log_in()
        note("in")
        await self.learner.follow(self.here.link(self.chapter))
        note("chapter")
        self.kernel = await self.learner.open(f"{self.chapter}.ipynb")
        note("kernel")
        for cell in cells:
            for output in await self.kernel.run(cell):
                if output["output_type"] == "error":
                    raise RuntimeError(f"{self.name}: {output['ename']}: {output['evalue']}")
        self.explorer = self.kernel.explorers[-1]
        self.params = dict(self.explorer["start"]["frame"]["params"])
        note("slider")

    async def move(self, count: int) -> None:
        """Move the first control by a stop, `count` times, with pauses; notes each step's ms."""
        control = self.explorer["start"]["controls"][0]
        stops, name = stops_of(control), control["name"]
        at = min(range(len(stops)), key=lambda i: abs(stops[i] - self.params[name]))
        for number in range(count):
            await asyncio.sleep(self.rng.uniform(*PAUSE))
            at = min(max(at + self.rng.choice((-1, 1)), 0), len(stops) - 1)
            self.params[name] = stops[at]
            begun = time.perf_counter()
            frame = await self.kernel.step(self.explorer, len(self.steps) + number, self.params)
            self.steps.append(1000 * (time.perf_counter() - begun))
            if frame["params"][name] != stops[at]:
                raise RuntimeError(f"{self.name}: asked {stops[at]}, got {frame['params'][name]}")

    async def take_steps(self, count: int) -> list[float]:
        """The ms of `count` steps from now on."""
        before = len(self.steps)
        await self.move(count)
        return self.steps[before:]

    async def leave(self) -> None:
        """Close the page."""
        if hasattr(self, "kernel"):
            await self.kernel.close()
        await self.learner.__aexit__()

    def processes(self) -> list:
        """The processes of this learner's server."""
        return self.here.processes(self.name)
