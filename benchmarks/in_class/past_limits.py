"""Learners who go past a limit, while the others go on: what each is told, what is lost."""

import asyncio
import os
import signal
from pathlib import Path

from benchmarks.in_class.driven import Driven
from tests.deploy.class_learner import Learner, Refused

MEMORY = "import numpy as np; a_lot = np.ones(10**9)"
ENDLESS = "while True:\n    pass"
MARK = "my_own = {number}"
ASKED = "print(my_own)"


async def past_limits(crowd: list[Driven], steps: int) -> dict:
    """Let one ask for too much memory, one never end, one kernel be killed, one come too many.

    The others move their sliders meanwhile. Returns the sentences, and what all still have.
    """
    for number, one in enumerate(crowd):
        await one.kernel.run(MARK.format(number=number))
    greedy, endless, killed, *others = crowd
    course = killed.here.home(killed.name) / "course" / f"{killed.chapter}.ipynb"
    typed = course.read_bytes()
    jobs = [
        greedy.kernel.run(MEMORY),
        endless.kernel.run(ENDLESS),
        _one_more(crowd[0]),
        *(one.move(steps) for one in others),
    ]
    _kill_kernel(killed)
    memory, time, full, *_ = await asyncio.gather(*jobs)
    kept = [await one.kernel.run(ASKED) for one in (greedy, endless, *others)]
    right = [str(number) for number in range(len(crowd)) if number != 2]
    return {
        "too much memory": _told(memory),
        "no end": _told(time),
        "one learner too many": full,
        "kept what they had": f"{sum(map(_same, kept, right))} of {len(right)}",
        "a kernel killed by the system": await _comes_back(killed),
        "its notebook is as it was": course.read_bytes() == typed,
    }


def _told(outputs: list[dict]) -> str:
    return next("\n".join(one["traceback"]) for one in outputs if one["output_type"] == "error")


def _same(outputs: list[dict], wanted: str) -> bool:
    return "".join(one.get("text", "") for one in outputs).strip() == wanted


def _kill_kernel(one: Driven) -> None:
    """End the kernel as the system does where memory is short: without a word."""
    for process in one.processes():
        if any("ipykernel" in word for word in process.cmdline()):
            os.kill(process.pid, signal.SIGKILL)


async def _comes_back(one: Driven) -> str:
    for _ in range(12):
        try:
            (output,) = await one.kernel.run("print(6 * 7)", seconds=5)
            return f"started again by its server, under the same page; it says {output['text']!r}"
        except TimeoutError:
            continue
    return "did not come back within 60 s"


async def _one_more(one: Driven) -> str:
    async with Learner(one.here.address, "one-more") as learner:
        await learner.log_in()
        try:
            await learner.follow(one.here.link(one.chapter))
        except Refused as refused:
            return str(refused)
    return "let in"


def lost(here: Path, names: list[str]) -> list[str]:
    """The learners whose folder has no copy of a chapter left."""
    folders = {name: here / "learners" / name / "course" for name in names}
    return [name for name, folder in folders.items() if not list(folder.glob("*.ipynb"))]
