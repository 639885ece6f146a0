"""A training run that can be stopped at any moment, goes on where it was, and ends the same.

    training = Training(model, loss_of, seed=0)
    training.run(with_progress(range(400), "training"))     # interrupt it, look at the model ...
    training.run(200)                                       # ... and go on

loss_of(model, generator) draws a batch with the generator and says how bad the model is on it.
What comes out depends on the seed and the number of steps alone: not on pauses, not on an
interrupt in the middle of a step, not on other random numbers.
"""

from collections.abc import Callable, Iterable
from copy import deepcopy
from functools import cached_property
from typing import Generic, TypeVar

import torch
from torch import Tensor, nn

from course_lib.models.threads import one_thread

Model = TypeVar("Model", bound=nn.Module)


class Training(Generic[Model]):
    """A model, its optimiser (Adam), its luck, and its losses so far.

    loss_of: (model, generator) -> the loss on a fresh batch, a tensor without axes.
    rate: the learning rate.

    losses: of each step, before it was learned from.
    Source: Kingma & Ba, "Adam: A Method for Stochastic Optimization" (2015), algorithm 1.
    """

    def __init__(
        self,
        model: Model,
        loss_of: Callable[[Model, torch.Generator], Tensor],
        *,
        seed: int = 0,
        rate: float = 3e-3,
    ):
        self.model, self.loss_of = model, loss_of
        self.losses: list[float] = []
        self.generator = torch.Generator().manual_seed(seed)
        self.rate = rate

    @cached_property
    def adam(self) -> torch.optim.Adam:
        """Made for the first step: torch then loads much that a run without steps can spare."""
        return torch.optim.Adam(self.model.parameters(), lr=self.rate)

    @one_thread()
    def run(self, steps: int | Iterable) -> None:
        """Go on for some steps.

        steps: how many, or something to loop over, such as `with_progress(range(400), "...")`; a
            loop that draws the model as it is after each step sees it at rest.
        Raises: ValueError for a loss that is not finite, and whatever stops a step, such as an
            interrupt; the model is then as it was before that step.
        """
        for _ in range(steps) if isinstance(steps, int) else steps:
            before = self._state()
            try:
                self._step()
            except BaseException:
                self._go_back_to(before)
                raise

    def model_now(self) -> Model:
        """A copy of the model as it is now, without gradients; the training may go on."""
        return deepcopy(self.model).requires_grad_(False)

    def _step(self) -> None:
        loss = self.loss_of(self.model, self.generator)
        if not torch.isfinite(loss):
            raise ValueError(f"the loss is {loss.item()} after {len(self.losses)} steps")
        self.adam.zero_grad()
        loss.backward()
        self.adam.step()
        self.losses.append(loss.item())

    def _state(self) -> tuple:
        """Copies of all that a step changes; as large as the model three times."""
        weights = [w.detach().clone() for w in self.model.state_dict().values()]
        return (
            weights,
            deepcopy(self.adam.state_dict()),
            self.generator.get_state(),
            len(self.losses),
        )

    @torch.no_grad()
    def _go_back_to(self, state: tuple) -> None:
        weights, adam, luck, steps = state
        for w, before in zip(self.model.state_dict().values(), weights, strict=True):
            w.copy_(before)
        self.adam.load_state_dict(adam)
        self.generator.set_state(luck)
        del self.losses[steps:]
