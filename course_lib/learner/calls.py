"""The one way in which the course runs a learner's code; each user takes of it what it needs.

    wrapped(function, then)           a function of the same name; what a call did goes to `then`
    with isolated(printed=lines):         nothing reaches the page or the kernel
        result = result_of(action, budget)    a value or an error, in limited time

The judge runs an observer isolated, in a budget of time. What is bound to the learner's name runs
as it is, and the course's answer steps in after an error. A slider's picture runs isolated, on
copies.
"""

import functools
import io
import warnings
from collections.abc import Callable, Iterator
from contextlib import (
    AbstractContextManager,
    ExitStack,
    contextmanager,
    nullcontext,
    redirect_stderr,
    redirect_stdout,
)
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, TextIO

from course_lib.learner.arrays import copied
from course_lib.learner.containment import contained
from course_lib.learner.time_limit import Budget
from course_lib.showing import running_shell


@dataclass(slots=True)
class Result:
    """What a call did: it returned a value, or raised an error."""

    value: Any = None
    error: BaseException | None = None

    def unwrap(self) -> Any:
        """The value. Raises: the error, where there is one."""
        if self.error is not None:
            raise self.error
        return self.value


_isolated = ContextVar("_isolated", default=False)

Then = Callable[[Result, tuple, dict[str, Any]], Any]


def result_of(action: Callable[[], Any], budget: Budget | None = None) -> Result:
    """What an action did, within what is left of a budget of seconds (then a TimeUp).

    Every error is kept, an interrupt and a call of exit too: the user says what passes.
    """
    try:
        return Result(action() if budget is None else budget.run(action))
    except BaseException as error:
        return Result(error=error)


def wrapped(
    function: Callable,
    then: Then,
    *,
    around: Callable[[], AbstractContextManager] = nullcontext,
    copies: bool = False,
) -> Callable:
    """A function of the same name and docstring that gives what `then(result, args, kwargs)` gives.

    around: makes the context in which each call runs, such as `isolated`.
    copies: whether the function gets copies of arrays and tensors.
    """

    def called(args: tuple, kwargs: dict[str, Any]) -> Result:
        if copies:
            args = tuple(map(copied, args))
            kwargs = {name: copied(value) for name, value in kwargs.items()}
        with around():
            return result_of(lambda: function(*args, **kwargs))

    @functools.wraps(function, updated=())
    def run(*args, **kwargs):
        # No name for the result here: an error holds the frames it passed, and would hold itself.
        return then(called(args, kwargs), args, kwargs)

    return run


@contextmanager
def isolated(printed: TextIO | None = None) -> Iterator[None]:
    """While it lasts, code neither writes to the page, nor asks for input, nor ends the kernel.

    printed: takes what is printed; nothing does, if left out. Then inside of another it costs
    nothing: a slider's picture may call a function hundreds of times.
    """
    if printed is None and _isolated.get():
        yield
        return
    printed = io.StringIO() if printed is None else printed
    with ExitStack() as stack:
        stack.callback(_isolated.reset, _isolated.set(True))
        stack.enter_context(contained())
        stack.enter_context(redirect_stdout(printed))
        stack.enter_context(redirect_stderr(printed))
        stack.enter_context(warnings.catch_warnings())
        warnings.simplefilter("ignore")
        if running_shell() is not None:
            from IPython.utils.capture import capture_output

            stack.enter_context(capture_output(stdout=False, stderr=False, display=True))
        yield
