"""How many threads numpy's matrix products use while a small network trains."""

from collections.abc import Iterator
from contextlib import contextmanager

from threadpoolctl import threadpool_limits


@contextmanager
def one_numpy_thread() -> Iterator[None]:
    """Compute products in one thread; afterwards in as many as before.

    As `threads.one_thread` for torch: matrices as small as ours gain nothing from a second thread,
    and threads that wait for each other took five to fifteen times as long for the same training.
    Where numpy's library cannot be asked (Apple's Accelerate), it stays as it is.
    """
    with threadpool_limits(limits=1, user_api="blas"):
        yield
