"""The recorded training is that of the shipped weights, and watching changes nothing."""

import numpy as np
import pytest
import torch

from course_lib.models.copying import (
    BLOCKS,
    HEADS,
    STEPS,
    copying_accuracy,
    copying_loss,
    induction_scores,
    load_copying,
    new_copying,
    previous_token_scores,
)
from course_lib.models.head_emergence import EVERY, SEEDS, Birth, recorded_birth, recorded_births
from course_lib.models.training import Training


@pytest.fixture(scope="module")
def recorded():
    return recorded_birth()


def test_the_record_ends_with_the_shipped_model(recorded):
    model = load_copying()
    assert recorded.step[-1] == STEPS
    assert recorded.accuracy[-1] == pytest.approx(copying_accuracy(model, 128), abs=2e-3)
    np.testing.assert_allclose(recorded.previous[-1], previous_token_scores(model), atol=2e-3)
    np.testing.assert_allclose(recorded.induction[-1], induction_scores(model), atol=2e-3)
    two_back = previous_token_scores(model, back=2)
    np.testing.assert_allclose(recorded.two_back[-1], two_back, atol=2e-3)


def test_the_record_has_a_row_for_each_look(recorded):
    assert recorded.step == list(range(EVERY, STEPS + 1, EVERY))
    for rows in (recorded.previous, recorded.induction, recorded.two_back):
        assert np.shape(rows) == (len(recorded.step), BLOCKS, HEADS)
    assert len(recorded.loss) == len(recorded.accuracy) == len(recorded.step)


def test_the_heads_are_born_in_two_steps_as_the_chapter_says(recorded):
    at = {step: place for place, step in enumerate(recorded.step)}
    previous, induction = np.array(recorded.previous)[:, 0], np.array(recorded.induction)[:, 1]
    assert recorded.accuracy[at[25]] < 0.3 < 0.8 < recorded.accuracy[at[200]]
    assert recorded.accuracy[at[475]] < 0.9
    assert recorded.accuracy[at[700]] > 0.98
    two = np.sort(previous[at[400]])[-2:]
    assert (two > 0.3).all()
    assert (two < 0.6).all()
    assert np.sort(previous[-1])[-2] < 0.2 < 0.9 < previous[-1].max()
    assert (induction[at[300]] > 0.65).all()
    one_back, two_back = previous[:, 2], np.array(recorded.two_back)[:, 0, 2]
    assert one_back[at[475]] > two_back[at[475]]
    assert one_back[at[650]] < two_back[at[650]]


def test_watching_a_training_changes_nothing():
    plain, watched = (Training(new_copying(3), copying_loss, seed=3) for _ in range(2))
    plain.run(EVERY)
    birth = Birth()
    watched.run(birth.watched(range(EVERY), watched))
    assert watched.losses == plain.losses
    for one, other in zip(watched.model.parameters(), plain.model.parameters(), strict=True):
        assert torch.equal(one, other)
    assert birth.step == [EVERY]
    assert birth.loss == [pytest.approx(np.mean(plain.losses), abs=1e-4)]


def test_an_interrupted_training_goes_on_and_is_seen_at_the_same_steps():
    training, birth, shown = Training(new_copying(3), copying_loss, seed=3), Birth(), []

    def interrupted(steps):
        for step in range(steps):
            if step == EVERY + 3:
                raise KeyboardInterrupt
            yield step

    with pytest.raises(KeyboardInterrupt):
        training.run(birth.watched(interrupted(2 * EVERY), training))
    assert len(training.losses) == EVERY + 3
    training.run(
        birth.watched(range(EVERY - 3), training, lambda seen: shown.append(seen.step[-1]))
    )
    assert birth.step == [EVERY, 2 * EVERY] == [EVERY, *dict.fromkeys(shown)]


def test_no_steps_left_is_no_new_look(recorded):
    training = Training(new_copying(), copying_loss)
    training.losses = [1.0] * STEPS
    before = list(recorded.step)
    training.run(recorded.watched(range(0), training))
    assert recorded.step == before


def test_with_other_seeds_other_heads_take_the_work_and_once_two_share_it():
    births = recorded_births()
    assert tuple(births) == SEEDS
    assert all(birth.step == births[0].step for birth in births.values())
    assert all(birth.accuracy[-1] > 0.98 for birth in births.values())
    took = {
        seed: [head for head, share in enumerate(birth.previous[-1][0]) if share > 0.5]
        for seed, birth in births.items()
    }
    assert took == {0: [1], 1: [2], 2: [2], 3: [1, 3]}


def test_a_recorded_birth_begins_as_its_seed_does():
    training, birth = Training(new_copying(1), copying_loss, seed=1), Birth()
    training.run(birth.watched(range(EVERY), training))
    recorded = recorded_birth(1)
    assert birth.loss[0] == pytest.approx(recorded.loss[0], abs=2e-3)
    np.testing.assert_allclose(birth.previous[0], recorded.previous[0], atol=5e-3)


def test_a_birth_that_looks_less_often_sees_the_same_at_its_looks():
    training, often, seldom = (
        Training(new_copying(3), copying_loss, seed=3),
        Birth(),
        Birth(every=6),
    )
    often.every = 3
    training.run(often.watched(seldom.watched(range(6), training), training))
    assert often.step == [3, 6]
    assert seldom.step == [6]
    assert seldom.accuracy == often.accuracy[1:]
