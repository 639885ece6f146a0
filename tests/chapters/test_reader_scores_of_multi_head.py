"""What the second layer of the copying model looks for, with the notes of the first and without."""

import pytest
import torch

from course_lib.chapters.multi_head.reader_scores import (
    lead_and_weight,
    often_missed,
    reader_scores,
)
from course_lib.chapters.multi_head.silencing import silent
from course_lib.models.copying import copying_accuracy, encode, induction_scores, load_copying

FIRST_A, FIRST_T, SECOND_A = 1, 2, 6


@pytest.fixture(scope="module")
def model():
    return load_copying()


def test_the_note_lifts_the_first_t_above_the_first_a(model):
    noted = reader_scores(model, "cats ca")[SECOND_A]
    bare = reader_scores(model, "cats ca", without=(0, 1))[SECOND_A]
    assert noted[FIRST_T] > noted[FIRST_A] + 2
    assert bare[FIRST_A] > bare[FIRST_T] + 1
    assert abs(noted[FIRST_A] - bare[FIRST_A]) < 1


def test_they_are_the_scores_that_the_maps_are_made_of(model):
    ids = torch.from_numpy(encode("cats ca"))
    logs = model.maps(ids)[1].log()[:, SECOND_A]  # scores less a number for each head
    shifts = logs.mean(dim=0) - reader_scores(model, "cats ca")[SECOND_A]
    assert torch.allclose(shifts, shifts[:1].expand(7), atol=1e-3)


def test_half_of_the_note_leaves_the_right_place_a_lead_of_three(model):
    half = silent()
    half[0, 1] = 0.5
    # as the bet says
    assert lead_and_weight(model, silent()) == "lead 5.1, weight of the right place 0.99"
    assert lead_and_weight(model, half) == "lead 3.0, weight of the right place 0.92"
    mean = induction_scores(model, loudness=half)[1].mean()  # measured on the same strings
    assert 0.7 < mean < 0.8  # some places are missed, and lie far below the median


def test_a_head_that_the_model_does_not_have_is_refused(model):
    with pytest.raises(IndexError):
        reader_scores(model, "cats ca", without=(0, 4))


def test_a_model_misses_most_often_the_letters_that_its_last_reader_cannot_write():
    model, off = load_copying(), [(0, 0), (0, 3), *((1, head) for head in range(4))]

    def missed(reader):
        loudness = silent(*off)
        loudness[1, reader] = 12
        return often_missed(model, loudness)

    assert missed(1).startswith("x 88 %, h ")
    assert missed(2).startswith("y 72 %, ")
    assert len({missed(reader) for reader in range(4)}) == 4
    assert often_missed(model, silent(), most=1).endswith(" %")


def test_a_last_reader_gains_from_six_times_as_loud_and_nothing_more_from_twelve():
    model, off = load_copying(), [(0, 0), (0, 3), *((1, head) for head in range(4))]
    for reader in range(4):
        loudness, shares = silent(*off), []
        for loudness[1, reader] in (1, 6, 12):
            shares.append(copying_accuracy(model, 256, loudness=loudness))
        assert shares[1] > shares[0] + 0.1
        assert abs(shares[2] - shares[1]) < 0.01
