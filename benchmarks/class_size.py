"""What a learner of a class needs: memory, processor, time; with 5, 10 and 20 driven at once.

    python -m benchmarks.class_size [--learners 5 10 20] [--chapter 01_dot_product] [--steps 30]

A class is started for each size as `make class` does, with a place for each learner and no more.
The learners are real HTTP and websocket clients on 127.0.0.1: they log in, follow the link of the
chapter (which starts a server, pulls and lays the notebooks), start a kernel, run the cells up to
the first explorer, and move its slider, a stop at a time with pauses of 0.3 to 1 s. No browser
runs: what a page loads and draws is not in these times (benchmarks/slider_latency.py has that).

alone      one learner, before and after the others move: what the same machine gives to one
arrive     from the login to the first picture with a slider, for the others, who come within 5 s
step       from the question on the websocket to the new picture, all moving at once
processor  seconds of it for an arrival, and for a step: these hardly depend on what else runs here
memory     of a learner's server and kernel: PSS, what is shared counted in parts

Then, while the others move, one learner asks for too much memory, one cell never ends, one kernel
is killed, and one learner too many comes. Seeded, bounded by --limit seconds a size; saves its
result in benchmarks/results/.
"""

import argparse
import asyncio
import statistics
import sys
import tempfile
from pathlib import Path

import psutil

from benchmarks.in_class.driven import Driven, cells_to_the_first_explorer
from benchmarks.in_class.past_limits import lost, past_limits
from benchmarks.in_class.table import HEAD, row, server_row
from benchmarks.parts.crowd import held, percentile, used
from benchmarks.parts.record import circumstances, save
from deploy.apart import why_no_bubble
from tests.deploy.class_server import ClassServer, missing

ROOT = Path(__file__).resolve().parent.parent
VERSIONS = ("jupyterhub", "jupyterlab", "jupyter_server", "ipykernel", "nbgitpuller", "numpy")
WITHIN = 5.0  # seconds within which a class clicks on a link
SECONDS = 5  # of the processor for a cell, so that the endless one ends in time


async def measure(here: ClassServer, size: int, options: argparse.Namespace) -> dict:
    """Drive `size` learners of a class that has room for so many."""
    cells = cells_to_the_first_explorer(options.chapter)
    crowd = [Driven(here, number, options.chapter, options.seed) for number in range(size)]
    first, *others = crowd
    try:
        hub = used(shared(here))
        await first.arrive(cells)
        alone = await first.take_steps(options.steps)
        await asyncio.gather(*(one.arrive(cells, WITHIN) for one in others))
        arrivals = [used(one.processes()) for one in crowd]
        hub = used(shared(here)) - hub
        alone += await first.take_steps(options.steps)
        before = [used(one.processes()) for one in crowd]
        moved = await asyncio.gather(*(one.take_steps(options.steps) for one in crowd))
        after = [used(one.processes()) for one in crowd]
        steps = [step for each in moved for step in each]
        alone += await first.take_steps(options.steps)
        memory = [held(one.processes()) for one in crowd]
        spent = [(b - a) / options.steps for a, b in zip(before, after, strict=True)]
        found = {
            "learners": size,
            "arrive_alone_s": first.arrival,
            "arrive_s": spread([one.arrival["slider"] for one in others]),
            "server_s": spread([one.arrival["chapter"] for one in others]),
            "processor_of_an_arrival_s": statistics.median(arrivals),
            "step_alone_ms": spread(alone),
            "step_ms": spread(steps),
            "processor_of_a_step_ms": 1000 * statistics.median(spent),
            "memory_mib": {key: statistics.mean(m[key] for m in memory) for key in ("pss", "own")},
            "hub_and_proxy_mib": held(shared(here))["pss"],
            "hub_and_proxy_processor_of_an_arrival_s": hub / size,
            "past_limits": await past_limits(crowd, options.steps),
        }
        return found | {"lost": lost(here.folder, [one.name for one in crowd])}
    finally:
        await asyncio.gather(*(one.leave() for one in crowd), return_exceptions=True)


def shared(here: ClassServer) -> list[psutil.Process]:
    """The hub, the proxy and the culler: all that is no learner's."""
    hub = psutil.Process(here.process.pid)
    return [hub, *(one for one in hub.children() if not is_learner(one))]


def is_learner(one: psutil.Process) -> bool:
    """Whether the process is the server of a learner."""
    try:
        return one.environ().get("JUPYTERHUB_USER", "") != ""
    except psutil.Error:
        return True


def spread(values: list[float]) -> dict[str, float]:
    """Median, 95th percentile, most, and how many."""
    return {
        "median": statistics.median(values), "p95": percentile(values, 0.95),
        "most": max(values), "n": len(values),
    }  # fmt: skip


def report(one: dict) -> None:
    """Print one size."""
    alone, together = one["step_alone_ms"], one["step_ms"]
    told = one["past_limits"]
    print(
        f"\n{one['learners']} learners, {one['chapter']}\n"
        f"  memory     {one['memory_mib']['pss']:.0f} MiB each (PSS), of it "
        f"{one['memory_mib']['own']:.0f} shared with nobody; hub and proxy "
        f"{one['hub_and_proxy_mib']:.0f}\n"
        f"  arrive     alone {one['arrive_alone_s']['slider']:.1f} s; all at once: median "
        f"{one['arrive_s']['median']:.1f}, most {one['arrive_s']['most']:.1f}; processor "
        f"{one['processor_of_an_arrival_s']:.1f} s each, of the hub "
        f"{one['hub_and_proxy_processor_of_an_arrival_s']:.1f}\n"
        f"  step       alone median {alone['median']:.0f} ms, p95 {alone['p95']:.0f} "
        f"(n {alone['n']}); all at once median {together['median']:.0f}, p95 "
        f"{together['p95']:.0f} (n {together['n']}): {together['p95'] / alone['p95']:.1f} times; "
        f"processor {one['processor_of_a_step_ms']:.1f} ms\n"
        f"  lost       {one['lost'] or 'nothing'}"
    )
    for what, said in told.items():
        print(f"  {what}: {said}")


def main() -> int:
    """Measure, print, save; returns 0, also where a class cannot be started here."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--learners", type=int, nargs="+", default=[5, 10, 20])
    parser.add_argument("--chapter", default="01_dot_product")
    parser.add_argument("--steps", type=int, default=30, help="of each learner, three times")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=float, default=600, help="seconds for each size")
    options = parser.parse_args()
    if missing() or min(options.learners) < 4:
        print(f"no class was measured: {missing() or 'it takes four learners at least'}")
        return 0
    found = []
    for size in options.learners:
        with (
            tempfile.TemporaryDirectory() as place,
            ClassServer(Path(place), learners=size, seconds=SECONDS) as here,
        ):
            driven = asyncio.wait_for(measure(here, size, options), options.limit)
            found.append({"chapter": options.chapter} | asyncio.run(driven))
        report(found[-1])
    result = circumstances(*VERSIONS) | {"apart": why_no_bubble() or "bubblewrap"}
    name = f"class_size_{options.chapter[:2]}"
    print(f"\nsaved as {save(name, result | {'sizes': found}).relative_to(ROOT)}")
    print("\n".join([*HEAD, *(row(one) for one in found)]))
    print("\n".join(server_row(found[-1], learners) for learners in (30, 300)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
