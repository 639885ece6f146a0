"""The copying model: its text, its task, what the shipped weights do, and the numpy version."""

import itertools

import numpy as np
import pytest
import torch

from course_lib.models import copying, copying_numpy
from course_lib.models.copying import (
    STEPS,
    continued_text,
    copying_accuracy,
    copying_batch,
    copying_loss,
    induction_scores,
    load_copying,
    new_copying,
    previous_token_scores,
    save_copying,
    train_copying,
)
from course_lib.models.copying_numpy import fresh_strings, without
from course_lib.models.copying_text import (
    ALPHABET,
    BLOCKS,
    HEADS,
    LENGTH,
    LONGEST,
    SHORTEST,
    decode,
    encode,
    fitted,
)
from course_lib.models.head_emergence import recorded_birth
from tests.models.copying_samples import THE_ONE, torch_loudness

# Measured with the shipped weights on 512 fresh strings.
ALL_ON = 0.993
ONE_OFF = {1: 0.99, 2: 0.10, 3: 0.87, 4: 0.99, 5: 0.99, 6: 0.99, 7: 0.99, 8: 0.99}
DIMMED = {0.75: 0.99, 0.5: 0.93, 0.25: 0.48, 0.1: 0.17}


# Its text


def test_letters_and_numbers_go_both_ways():
    assert decode(encode(ALPHABET)) == ALPHABET
    assert encode(ALPHABET).tolist() == list(range(27))
    assert decode(torch.tensor([2, 0, 1])) == "cab"


@pytest.mark.parametrize(
    ("text", "error", "said"),
    [("", ValueError, "empty"), ("Cab!", ValueError, "'!', 'C'"), (3, TypeError, "int")],
)
def test_text_that_it_cannot_read_is_named(text, error, said):
    with pytest.raises(error, match=said):
        encode(text)


@pytest.mark.parametrize("number", [-1, 27])
def test_a_number_that_is_no_letters_is_refused(number):
    with pytest.raises(ValueError, match="no letter"):
        decode([3, number])


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("Giraffe!", "giraffe "),
        ("", " "),
        ("x1é", "x e"),
        ("ÇŞIİ çş\u0131i", "csii csii"),
        ("cafe\u0301 größe łódź", "cafe grose lodz"),
        ("沈 Ж", "   "),
        ("a" * 50 + "bc", "a" * 38 + "bc"),
    ],
)
def test_what_is_typed_is_read_as_well_as_it_can_be(typed, read):
    assert decode(fitted(typed, 8)) == read


def test_what_is_typed_leaves_room_for_what_comes():
    for length, count in itertools.product((1, 40, 47, 48, 99), (0, 1, 8, 47)):
        assert len(fitted("a" * length, count)) == min(length, LENGTH - count)


@pytest.mark.parametrize("count", [-1, 48, 2.0, True])
def test_a_count_without_room_is_refused(count):
    with pytest.raises(ValueError, match="0 to 47"):
        fitted("a", count)


def test_a_text_must_be_a_text():
    with pytest.raises(TypeError, match="in quotes"):
        fitted(7, 8)


# Its task


def test_strings_repeat_with_their_period():
    ids, periods = copying_batch(torch.Generator().manual_seed(0), 300)
    assert ids.shape == (300, LENGTH)
    assert set(periods.tolist()) == set(range(SHORTEST, LONGEST + 1))
    assert set(ids.flatten().tolist()) == set(range(27))
    for row, period in zip(ids, periods, strict=True):
        assert torch.equal(row[period:], row[:-period])


def test_a_period_can_be_chosen():
    _, periods = copying_batch(torch.Generator().manual_seed(0), 5, period=7)
    assert periods.tolist() == [7] * 5
    with pytest.raises(ValueError, match="period is 48"):
        copying_batch(torch.Generator(), period=48)


def test_only_what_can_be_known_counts():
    ids, periods = copying_batch(torch.Generator().manual_seed(0), 50)
    counted = copying._asked(periods)
    for row, period in zip(counted, periods.tolist(), strict=True):
        assert row.tolist() == [letter > period for letter in range(1, LENGTH)]
    assert counted.shape == ids[:, 1:].shape
    strings, known = fresh_strings(50, np.random.default_rng(0))
    for row, marks in zip(strings, known, strict=True):
        period = min(p for p in range(1, LENGTH) if (row[p:] == row[:-p]).all())
        assert marks.tolist() == [letter > period for letter in range(1, LENGTH)]


def test_chance_is_what_an_untrained_model_has():
    assert copying_accuracy(new_copying(3), 200) < 0.12
    loss = copying_loss(new_copying(3), torch.Generator().manual_seed(0))
    assert abs(loss.item() - np.log(27)) < 0.7


# What the shipped weights do


def test_the_shipped_model_copies_as_well_as_recorded(shipped):
    assert copying_accuracy(shipped) == pytest.approx(ALL_ON, abs=0.005)
    assert copying_accuracy(shipped, seed=7) == pytest.approx(ALL_ON, abs=0.005)


def test_it_copies_strings_of_every_period(shipped):
    for period in range(SHORTEST, LONGEST + 1):
        ids, _ = copying_batch(torch.Generator().manual_seed(period), 40, period)
        said = shipped(ids[:, :-1]).argmax(dim=-1)
        assert (said == ids[:, 1:])[:, period:].double().mean() > 0.95, period


def test_it_goes_on_with_what_was_typed(shipped):
    assert continued_text(shipped, "giraffe pogir", 6) == "affe p"
    assert continued_text(shipped, "Giraffe pogir", 6) == "affe p"
    assert continued_text(shipped, "qxzvkjbwmpqxz", 12) == "vkjbwmpqxzvk"


def test_one_head_alone_breaks_it(shipped):
    for head, recorded in ONE_OFF.items():
        off = torch_loudness(without(head))
        assert copying_accuracy(shipped, loudness=off) == pytest.approx(recorded, abs=0.02)


def test_a_dimmed_head_breaks_it_little_by_little(shipped):
    for loudness, recorded in DIMMED.items():
        off = torch_loudness(without(THE_ONE, loudness=loudness))
        assert copying_accuracy(shipped, loudness=off) == pytest.approx(recorded, abs=0.03)


def test_one_head_looks_at_the_place_before_and_four_behind_the_last_round(shipped):
    before, behind = previous_token_scores(shipped), induction_scores(shipped)
    assert before.shape == behind.shape == (BLOCKS, HEADS)
    assert before[0, 1] > 0.9
    assert sorted(before.flatten().tolist())[-2] < 0.2
    assert (behind[1] > 0.85).all()
    assert (behind[0] < 0.05).all()


def test_without_the_one_the_others_do_not_find_their_place(shipped):
    off = torch_loudness(without(THE_ONE))
    assert (induction_scores(shipped, loudness=off)[1] < 0.2).all()


def test_scores_of_heads_are_those_of_the_patterns():
    """Made-up maps: one head looks at the place before, one behind the last round."""

    class Made:
        def maps(self, ids, loudness=None):
            t = ids.shape[-1]
            maps = torch.zeros(BLOCKS, len(ids), HEADS, t, t)
            places = torch.arange(t)
            maps[0, :, 2, places[1:], places[:-1]] = 1.0
            back = places[LONGEST:] - LONGEST + 1
            maps[1, :, 3, places[LONGEST:], back] = 0.5
            return maps

    before, behind = previous_token_scores(Made()), induction_scores(Made())
    assert before[0, 2] == 1
    assert behind[1, 3] == 0.5
    assert before.sum() == 1
    assert behind.sum() == 0.5


# Training


def test_training_learns_and_depends_on_the_seed_alone():
    first, same, other = (train_copying(2, seed=seed) for seed in (0, 0, 1))
    assert torch.equal(first.symbol, same.symbol)
    assert not torch.equal(first.symbol, other.symbol)
    assert STEPS >= 1000
    learned = train_copying(60, seed=2)
    losses = [copying_loss(m, torch.Generator().manual_seed(9)) for m in (new_copying(2), learned)]
    assert losses[1] < losses[0] - 0.5


def test_a_second_trained_model_is_that_of_its_record():
    other = load_copying(seed=3)
    assert other.symbol.dtype == torch.float32
    birth = recorded_birth(3)
    np.testing.assert_allclose(previous_token_scores(other), birth.previous[-1], atol=0.002)
    assert copying_accuracy(other, 128) == pytest.approx(birth.accuracy[-1], abs=0.002)


def test_a_seed_without_weights_is_refused():
    with pytest.raises(ValueError, match=r"for \[0, 3\]: train_copying\(seed=1\)"):
        load_copying(seed=1)


def test_in_half_precision_a_file_takes_half_the_room(shipped, tmp_path):
    save_copying(shipped, tmp_path / "half.safetensors", half=True)
    assert (tmp_path / "half.safetensors").stat().st_size < 100_000
    halves = copying_numpy.load_file(tmp_path / "half.safetensors")
    for name, weight in shipped.state_dict().items():
        np.testing.assert_array_equal(weight.half().numpy(), halves[name])


def test_saved_weights_are_small_and_come_back(shipped, tmp_path):
    save_copying(shipped, tmp_path / "again.safetensors")
    assert (tmp_path / "again.safetensors").stat().st_size < 200_000
    again = copying_numpy.load_file(tmp_path / "again.safetensors")
    for name, weight in shipped.state_dict().items():
        np.testing.assert_array_equal(weight.numpy(), again[name])
