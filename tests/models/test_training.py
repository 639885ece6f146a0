"""Training: the same under a seed, whatever stops it on the way."""

import pytest
import torch
from torch.nn.functional import cross_entropy

from course_lib.models.threads import one_thread
from course_lib.models.training import Training
from course_lib.models.transformer import Transformer

Z, T, B = 5, 7, 11


def loss_of(model, generator):
    """Each symbol is to be followed by the next one: 0 1 2 3 4 0 1 ..."""
    start = torch.randint(Z, (B, 1), generator=generator)
    ids = (start + torch.arange(T + 1)) % Z
    return cross_entropy(model(ids[:, :-1]).flatten(0, 1), ids[:, 1:].flatten())


def training(loss_of=loss_of, seed=0):
    model = Transformer(Z, T, torch.Generator().manual_seed(0), m=8, heads=2, blocks=1)
    return Training(model, loss_of, seed=seed)


def same(one, other):
    """Whether two runs are at the same point: weights, losses, and all that is still to come."""
    weights = zip(one.model.state_dict().values(), other.model.state_dict().values(), strict=True)
    return (
        one.losses == other.losses
        and all(torch.equal(a, b) for a, b in weights)
        and torch.equal(one.generator.get_state(), other.generator.get_state())
    )


def test_training_learns():
    run = training()
    run.run(60)
    assert len(run.losses) == 60
    assert run.losses[0] > 1.2
    assert run.losses[-1] < 0.4 * run.losses[0]


@one_thread()
def test_a_step_is_a_step_of_adam():
    run, other = training(), training()
    adam = torch.optim.Adam(other.model.parameters(), lr=3e-3)
    for _ in range(3):
        loss = loss_of(other.model, other.generator)
        other.losses.append(loss.item())
        adam.zero_grad()
        loss.backward()
        adam.step()
    run.run(3)
    assert run.losses == other.losses
    assert same(run, other)


def test_training_depends_on_the_seed_alone():
    first, again, other = training(), training(), training(seed=1)
    for run in (first, again, other):
        torch.manual_seed(len(run.losses) + 3)
        run.run(3)
    assert same(first, again)
    assert first.losses != other.losses


def test_training_leaves_the_global_generator_alone():
    before = torch.get_rng_state()
    training().run(2)
    assert torch.equal(before, torch.get_rng_state())


def test_training_takes_one_thread_and_gives_the_others_back():
    before, seen = torch.get_num_threads(), []

    def watched(*given):
        seen.append(torch.get_num_threads())
        return loss_of(*given)

    try:
        torch.set_num_threads(3)
        training(watched).run(2)
        assert seen == [1, 1]
        assert torch.get_num_threads() == 3
    finally:
        torch.set_num_threads(before)


def test_steps_may_be_anything_to_loop_over_and_runs_go_on():
    run, at_once, seen = training(), training(), []
    run.run(seen.append(len(run.losses)) or step for step in range(3))
    run.run(2)
    at_once.run(5)
    assert seen == [0, 1, 2]
    assert same(run, at_once)


def test_an_interrupt_between_steps_loses_nothing():
    def steps():
        yield from range(2)
        raise KeyboardInterrupt

    run, at_once = training(), training()
    with pytest.raises(KeyboardInterrupt):
        run.run(steps())
    assert len(run.losses) == 2
    run.run(3)
    at_once.run(5)
    assert same(run, at_once)


class InterruptedList(list):
    """The last moment at which a step can be stopped: its loss is written down."""

    def append(self, item):
        super().append(item)
        raise KeyboardInterrupt


@pytest.mark.parametrize("moment", ["loss", "backward", "adam", "losses"])
def test_an_interrupt_in_the_middle_of_a_step_loses_that_step_alone(moment, monkeypatch):
    run, at_once = training(), training()
    run.run(2)
    at_once.run(2)

    def interrupt(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        if moment == "loss":
            drawn_first = lambda *given: interrupt(loss_of(*given))  # noqa: E731
            patch.setattr(run, "loss_of", drawn_first)
        elif moment == "backward":
            hook = run.model.w.register_hook(interrupt)
        elif moment == "losses":
            patch.setattr(run, "losses", InterruptedList(run.losses))
        else:  # the weights are moved already, and Adam has counted
            step = run.adam.step
            patch.setattr(run.adam, "step", lambda: interrupt(step()))
        with pytest.raises(KeyboardInterrupt):
            run.run(1)
        assert len(run.losses) == 2  # that of the patch, where there is one
    if moment == "backward":
        hook.remove()
    assert same(run, at_once)
    run.run(3)
    at_once.run(3)
    assert same(run, at_once)


def test_a_loss_that_is_no_number_stops_the_run_and_spoils_no_weight():
    run, before = training(), training()
    run.loss_of = lambda model, generator: loss_of(model, generator) * torch.nan
    with pytest.raises(ValueError, match="the loss is nan after 0 steps"):
        run.run(3)
    assert same(run, before)


def test_a_training_goes_on_after_its_model_was_taken():
    run, other = training(), training()
    run.run(3), other.run(5)
    taken = run.model_now()
    before = [w.clone() for w in taken.parameters()]
    run.run(2)
    assert same(run, other)
    assert all(torch.equal(a, b) for a, b in zip(taken.parameters(), before, strict=True))
    assert not any(w.requires_grad for w in taken.parameters())
