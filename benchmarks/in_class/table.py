"""What docs/class.md says of a measurement: its rows, and the server that follows from them."""

import math

HEAD = [
    "| learners | chapter | memory of each | first slider: alone, all at once "
    "| p95 of a step: alone, all at once | processor: arrival, step |",
    "|---|---|---|---|---|---|",
]
PROMPT = 120  # seconds within which all have arrived
RATE = 1.5  # steps a second of a hand that moves a slider and looks
SPARE = 1.5  # for a second notebook, for variables, for the system
GIB = 1024


def row(one: dict) -> str:
    """A size of a measurement as a row of the page."""
    alone, together = one["step_alone_ms"]["p95"], one["step_ms"]["p95"]
    here, there = one["arrive_alone_s"]["slider"], one["arrive_s"]["median"]
    return (
        f"| {one['learners']} | {one['chapter'][:2]} | {one['memory_mib']['pss']:.0f} MiB "
        f"| {here:.0f} s, {there:.0f} s | {alone:.0f} ms, {together:.0f} ms "
        f"({together / alone:.1f} times) | {one['processor_of_an_arrival_s']:.1f} s, "
        f"{one['processor_of_a_step_ms']:.0f} ms |"
    )


def server(one: dict, learners: int) -> dict[str, float]:
    """What a class needs by the numbers of one size: GiB, and cores to arrive and to slide."""
    hub = one["hub_and_proxy_processor_of_an_arrival_s"]
    arrive = learners * (one["processor_of_an_arrival_s"] + hub) / PROMPT
    slide = learners * RATE * one["processor_of_a_step_ms"] / 1000
    memory = (one["hub_and_proxy_mib"] + learners * one["memory_mib"]["pss"] * SPARE) / GIB
    return {"gib": math.ceil(memory), "arrive": arrive, "slide": slide, "hub": learners * hub}


def server_row(one: dict, learners: int) -> str:
    """That as a row of the page."""
    need = server(one, learners)
    return (
        f"| {learners} | {one['chapter'][:2]} | {need['gib']} GiB | {need['arrive']:.1f} cores "
        f"| {need['slide']:.1f} cores | {need['hub']:.0f} s |"
    )
