"""What is looked at when an answer is tried: its output, its gradients, its averages.

An observer takes the learner's function or class and one case's inputs, and returns a dict from
the name of what it saw to the value. It hands every result of the learner's code through
`usable` before it works with it, so that a stub or a text becomes a sentence.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from course_lib.judging.inputs import Inputs

if TYPE_CHECKING:
    import torch


class Unusable(Exception):
    """The learner's code returned something with which the observer cannot go on."""

    def __init__(self, value: object):
        super().__init__(type(value).__name__)
        self.value = value


class NotHere(NotImplementedError):
    """Raised by an observer: no answer can be tried on this machine. The message says why."""


def call(candidate: Callable, case: Inputs) -> dict:
    """The output of one call."""
    return {"output": candidate(*case.args, **case.kwargs)}


def by_name(names: Sequence[str], *, one_more: str) -> Callable[[Callable, Inputs], dict]:
    """An `observe` for several answers, each under its name; one that is missing has no entry.

    one_more: the name of the first answer that is too many.
    """

    def observe(candidate: Callable, case: Inputs) -> dict:
        answers = candidate(*case.args)
        if not isinstance(answers, list | tuple) and np.ndim(answers) != 1:
            return {"output": answers}
        blanks = [one is ... for one in answers]
        if any(blanks):
            raise Unusable(... if all(blanks) else answers)
        seen = dict(zip(names, answers, strict=False))
        return seen if len(answers) <= len(names) else {**seen, one_more: answers[len(names)]}

    return observe


def averages(draws: int = 2000) -> Callable[[Callable, Inputs], dict]:
    """For answers that draw at random: the mean over many draws with the case's generator.

    Judge it with `accept.same_average`. The spread of one draw is seen too, under "spread".
    """

    def observe(candidate: Callable, case: Inputs) -> dict:
        results = [usable_array(candidate(*case.args, **case.kwargs)) for _ in range(draws)]
        if len({one.shape for one in results}) > 1:
            raise Unusable([one.tolist() for one in results[:2]])
        stack = np.stack(results)
        return {
            "average output": stack.mean(axis=0),
            "spread": stack.std(axis=0),
            "draws": np.asarray(draws),
        }

    return observe


def call_and_gradients(candidate: Callable, case: Inputs) -> dict:
    """The output, and the gradient of a fixed weighted sum of it for every float tensor."""
    run = getattr(candidate, "apply", candidate)
    return _with_gradients(run, case)


def module_call_and_gradients(candidate: Callable, case: Inputs) -> dict:
    """A layer built with `case.build`, its parameters filled with fixed numbers, called once.

    With the gradients of the inputs, as `call_and_gradients`.
    """
    layer = filled(candidate(*(case.build or ())))
    return {**_with_gradients(layer, case), **_parameter_shapes(layer)}


def filled(layer: "torch.nn.Module") -> "torch.nn.Module":
    """The layer with each parameter set to numbers that depend on its name and shape alone."""
    import torch

    with torch.no_grad():
        for name, parameter in layer.named_parameters():
            start = sum(name.encode())
            steps = torch.arange(parameter.numel(), dtype=torch.float64) + start
            parameter.copy_(torch.cos(1.7 * steps).reshape(parameter.shape) / 2)
    return layer


def usable(value: Any) -> "torch.Tensor":
    """The tensor that the learner's code returned.

    Raises: Unusable, if it is something else.
    """
    import torch

    if not isinstance(value, torch.Tensor):
        raise Unusable(value)
    return value


def usable_array(value: Any) -> np.ndarray:
    """The numbers that the learner's code returned.

    Raises: Unusable, if they are none.
    """
    from course_lib.learner.arrays import NotNumbers, as_array

    try:
        return as_array(value)
    except NotNumbers as error:
        raise Unusable(value) from error


def _with_gradients(run: Callable, case: Inputs) -> dict:
    import torch

    leaves = {
        name: value.detach().clone().requires_grad_(True)
        for name, value in case.named().items()
        if isinstance(value, torch.Tensor) and value.is_floating_point()
    }
    given = [leaves.get(name, value) for name, value in case.named().items()]
    positional = given[: len(case.args)]
    keywords = dict(zip(case.kwargs, given[len(case.args) :], strict=True))
    output = usable(run(*positional, **keywords))
    seen = {"output": output.detach()}
    if not output.requires_grad:
        return {**seen, **{f"gradient of {name}": None for name in leaves}}
    weights = torch.cos(torch.arange(output.numel(), dtype=torch.float64)).to(output.dtype)
    (output * weights.reshape(output.shape)).sum().backward()
    return {**seen, **{f"gradient of {name}": leaf.grad for name, leaf in leaves.items()}}


def _parameter_shapes(layer: "torch.nn.Module") -> dict:
    return {
        f"shape of {name}": np.asarray(tuple(parameter.shape))
        for name, parameter in layer.named_parameters()
    }
