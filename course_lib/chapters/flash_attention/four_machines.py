"""What four processes did with the learner's merge, in words and as a picture."""

from collections.abc import Callable

from course_lib.chapters.flash_attention.ring_of_machines import show_ring
from course_lib.measures.four_processes import Run, four_processes
from course_lib.words import say

NOT_STARTED = (
    "No processes could be started here ({why}). This is what four did elsewhere, with the "
    "course's merge:"
)
NOT_THERE = "(Your merge does not run in another process: {why}. The four ran the course's.)"
ONE = "process {rank}: keys and values of {owners}; {merges} times merge; {sent:,} bytes sent"
SAME, DIFFERENT = (
    "Together: the same output as in one process.",
    "Together: another output than in one process.",
)


def on_four_machines(merge: Callable) -> None:
    """Let four processes run the learner's merge, and show what they did."""
    run = four_processes(merge)
    print(told(run))
    show_ring(run)


def told(run: Run) -> str:
    """All of it in words, a line for each process."""
    lines = [say(NOT_STARTED, why=run.not_started)] if run.not_started else []
    for rank, (owners, sent) in enumerate(zip(run.owners, run.sent, strict=True)):
        order = ", ".join(map(str, owners))
        lines.append(say(ONE, rank=rank, owners=order, merges=len(owners) - 1, sent=sent))
    lines.append(say(SAME if run.same else DIFFERENT))
    return "\n".join(lines + ([say(NOT_THERE, why=run.instead)] if run.instead else []))
