"""The table that switches heads of the copying model off."""

import pytest
import torch

from course_lib.chapters.multi_head.silencing import silent
from course_lib.models.copying import encode, load_copying


def test_only_the_heads_that_are_named_are_off():
    assert silent().tolist() == [[1, 1, 1, 1], [1, 1, 1, 1]]
    assert silent((0, 1), (1, 3)).tolist() == [[1, 0, 1, 1], [1, 1, 1, 0]]


def test_a_silenced_head_keeps_its_map_and_the_layer_after_it_looks_elsewhere():
    model, ids = load_copying(), torch.from_numpy(encode("cats cats "))
    before, after = model.maps(ids), model.maps(ids, loudness=silent((0, 1)))
    assert torch.equal(before[0], after[0])
    assert (before[1] - after[1]).abs().max() > 0.3


def test_a_head_that_the_model_does_not_have_is_refused():
    with pytest.raises(IndexError):
        silent((0, 4))
