"""The rival of the copying model: as large, trained alike, and worse the further it must reach."""

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

from course_lib.models import recurrent_numpy
from course_lib.models.copying import copying_batch, copying_loss, new_copying
from course_lib.models.copying_numpy import load_copying, share_right
from course_lib.models.recurrent import Recurrent, train_recurrent

# Measured with the shipped weights, by the length of the round.
RECORDED = {6: 0.94, 9: 0.80, 12: 0.62, 18: 0.39, 24: 0.29}
WEIGHTS = recurrent_numpy.files("course_lib.models") / "weights" / recurrent_numpy.WEIGHTS


@pytest.fixture(scope="module")
def shipped():
    return recurrent_numpy.load_recurrent()


def test_numpy_says_what_torch_says(shipped):
    model = Recurrent(seed=3)
    model.load_state_dict(load_file(WEIGHTS))
    ids, _ = copying_batch(torch.Generator().manual_seed(0), 7)
    for t in (1, 2, 47):
        with torch.no_grad():
            theirs = model(ids[:, :t]).numpy()
        np.testing.assert_allclose(shipped.scores(ids[:, :t].numpy()), theirs, atol=1e-3)


def test_it_is_as_large_as_the_copying_model(shipped):
    rival, own = (
        sum(weight.size for weight in model.weights.values()) for model in (shipped, load_copying())
    )
    assert own < rival < 1.05 * own
    assert shipped.memory == 96
    assert own == sum(weight.numel() for weight in new_copying().parameters())


def test_the_further_it_must_reach_the_less_it_knows(shipped):
    for period, recorded in RECORDED.items():
        assert share_right(shipped, period=period) == pytest.approx(recorded, abs=0.02)
        assert share_right(load_copying(), period=period) > 0.98


def test_what_comes_later_changes_nothing_before(shipped):
    ids = np.random.default_rng(0).integers(27, size=(3, 11))
    changed = ids.copy()
    changed[:, 7] = (changed[:, 7] + 1) % 27
    first, second = shipped.scores(ids), shipped.scores(changed)
    np.testing.assert_array_equal(first[:, :7], second[:, :7])
    assert (first[:, 7:] != second[:, 7:]).any()


def test_training_learns_and_depends_on_the_seed_alone():
    before = torch.get_rng_state()
    first, same, other = (train_recurrent(2, seed=seed) for seed in (0, 0, 1))
    assert torch.equal(before, torch.get_rng_state())
    assert torch.equal(first.says.weight, same.says.weight)
    assert not torch.equal(first.says.weight, other.says.weight)
    learned = train_recurrent(50, seed=2)
    losses = [copying_loss(m, torch.Generator().manual_seed(9)) for m in (Recurrent(2), learned)]
    assert losses[1] < losses[0] - 0.1


def test_the_logistic_function_has_its_values_and_does_not_overflow():
    x = np.array([-1e4, -1.0, 0.0, 2.0, 1e4])
    with np.errstate(all="raise"):
        found = recurrent_numpy.between_0_and_1(x)
    np.testing.assert_allclose(found, [0, 1 / (1 + np.e), 0.5, 1 / (1 + np.exp(-2)), 1], atol=1e-12)
