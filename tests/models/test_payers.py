"""Who pays: without turns half of the texts are right, with turns all, also those never read."""

import torch

from course_lib.kernels.positions import rotary
from course_lib.models.payers import (
    NAMES,
    PAYS,
    STOP,
    count_right,
    named_payers,
    payer_texts,
    train_on_payers,
)


def test_a_text_has_two_names_and_is_either_read_or_kept_with_its_twin():
    read, kept = (set(map(tuple, payer_texts(kept=kept).tolist())) for kept in (False, True))
    assert (len(read), len(kept), len(read | kept)) == (108, 24, 132)  # as the chapter says
    assert all((pays, stop) == (PAYS, STOP) and one != two for one, pays, two, stop in read | kept)
    assert {(two, pays, one, stop) for one, pays, two, stop in kept} == kept
    assert (0, PAYS, 1, STOP) in kept  # Luis and Ana
    assert {text[0] for text in read} == set(range(NAMES))  # every name pays


def test_turns_find_the_payer_in_texts_that_were_never_read_and_a_bag_in_half():
    for seed in (0, 1, 2):  # not of one lucky start alone
        assert count_right(train_on_payers(turned=True, seed=seed)) == (24, 24)
        assert count_right(train_on_payers(turned=False, seed=seed)) == (12, 24)


def test_a_bag_names_the_same_payer_in_both_texts_of_two_names():
    texts = payer_texts(kept=True)
    bag = train_on_payers(turned=False)
    assert torch.equal(named_payers(bag, texts), named_payers(bag, texts[:, [2, 1, 0, 3]]))


def test_scores_of_ones_own_count():
    def scores(q, k):
        return (rotary(q) @ rotary(k).T / q.shape[1] ** 0.5).tolist()

    model = train_on_payers(turned=True)
    assert count_right(model, scores=scores) == (24, 24)
    assert count_right(model, scores=lambda q, k: q @ k.T / q.shape[1] ** 0.5)[0] < 24


def test_training_leaves_the_generator_of_torch_as_it_was():
    state = torch.random.get_rng_state()
    train_on_payers(turned=True, steps=range(2))
    assert torch.random.get_rng_state().equal(state)
