"""How many threads torch uses while a small network trains."""

from collections.abc import Iterator
from contextlib import contextmanager

import torch


@contextmanager
def one_thread() -> Iterator[None]:
    """Compute in one thread; afterwards as many as before.

    Matrices as small as ours gain nothing from a second thread. And on a busy machine the threads
    wait for each other at every step: a training run of 3 s took 95 s beside two other programs.
    It also leaves sums in one order, whatever the number of cores.
    """
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
