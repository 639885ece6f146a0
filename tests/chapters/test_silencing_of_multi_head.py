"""The table that switches heads of the copying model off."""

from itertools import combinations, product

import pytest
import torch

from course_lib.chapters.multi_head.silencing import silent
from course_lib.models.copying import (
    FRESH,
    copying_accuracy,
    copying_batch,
    encode,
    load_copying,
)
from course_lib.models.transformer import course_attention


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


def _right_with_means(model, means, heads, count=256) -> float:
    """The share of right letters where heads add their mean of other strings, place by place."""
    layers = iter(range(2))

    def attention(q, k, v, *, mask=None):
        heard, layer = course_attention(q, k, v, mask=mask).clone(), next(layers)
        for at, head in heads:
            if at == layer:
                heard[:, head] = means[layer][head]
        return heard

    ids, periods = copying_batch(torch.Generator().manual_seed(FRESH), count)
    known = torch.arange(1, ids.shape[1]) > periods[:, None]
    said = model(ids[:, :-1], attention=attention).argmax(dim=-1)
    return float((said == ids[:, 1:])[known].double().mean())


def test_with_means_in_place_of_nothing_the_shares_of_the_core_hardly_move():
    model, means = load_copying(), []

    def watched(q, k, v, *, mask=None):
        heard = course_attention(q, k, v, mask=mask)
        means.append(heard.mean(dim=0))
        return heard

    other, _ = copying_batch(torch.Generator().manual_seed(5), 256)
    model(other[:, :-1], attention=watched)
    readers = [(1, head) for head in range(4)]
    rest = [[(0, 1)], [(0, 2)], *([one] for one in readers), readers, [(0, 1), (0, 2)]]
    fours = [[(0, 0), (0, 3), *pair] for pair in combinations(readers, 2)]
    fifths = [[*four, one] for four in fours for one in [(0, 2), *readers] if one not in four]
    for heads in (*rest, *fours, *fifths):
        zero = copying_accuracy(model, 256, loudness=silent(*heads))
        assert abs(_right_with_means(model, means, heads) - zero) <= 0.03, heads
    every = [sorted(four) for four in combinations(product(range(2), range(4)), 4)]
    spared = [four for four in every if _right_with_means(model, means, four, 64) >= 0.9]
    assert spared == sorted(sorted(four) for four in fours)


def test_a_guess_among_the_letters_of_the_string_is_right_in_eleven_percent():
    ids, periods = copying_batch(torch.Generator().manual_seed(FRESH), 256)
    kinds = torch.tensor([len(set(one.tolist())) for one in ids])
    asked = ids.shape[1] - 1 - periods
    assert round(float((asked / kinds).sum() / asked.sum()), 2) == 0.11


@pytest.mark.parametrize(
    ("alone", "fails", "knows"),
    [(0, ("c", 0.79), "y"), (1, ("x", 0.87), "y"), (2, ("y", 0.69), "x"), (3, ("c", 0.64), "y")],
)
def test_a_last_reader_finds_the_place_and_fails_at_letters_of_its_own(alone, fails, knows):
    model, off = load_copying(), [(0, 0), (0, 3), *((1, head) for head in range(4))]
    loud = silent(*(head for head in off if head != (1, alone)))
    loud[1, alone] = 6
    ids, periods = copying_batch(torch.Generator().manual_seed(FRESH), 256)
    asked = torch.arange(1, ids.shape[1]) > periods[:, None]
    looked = torch.stack([model.maps(one, loudness=loud)[1, alone, :-1].argmax(-1) for one in ids])
    found = (torch.arange(1, ids.shape[1]) - looked) % periods[:, None] == 0
    assert found[asked].double().mean() > 0.95
    wrong = model(ids[:, :-1], loudness=loud).argmax(dim=-1) != ids[:, 1:]

    def missed(letter):
        of_it = asked & (ids[:, 1:] == int(encode(letter)[0]))
        return float(wrong[of_it].double().mean())

    assert round(missed(fails[0]), 2) == fails[1]
    assert missed(knows) < 0.1


def test_without_notes_heads_0_and_3_help_and_the_readers_bring_letters_of_the_text():
    model, notes = load_copying(), [(0, 1), (0, 2)]
    without_both = copying_accuracy(model, 256, loudness=silent(*notes))
    without_all = copying_accuracy(model, 256, loudness=silent(*notes, (0, 0), (0, 3)))
    assert 0.11 < without_all < without_both - 0.02  # 0.11: a guess among the letters of the text
    ids, periods = copying_batch(torch.Generator().manual_seed(FRESH), 256)
    known = torch.arange(1, ids.shape[1]) > periods[:, None]
    readers = [(1, head) for head in range(4)]
    for heads, least, most in ((notes, 0.99, 1), (readers, 0, 0.5)):
        said = model(ids[:, :-1], loudness=silent(*heads)).argmax(dim=-1)
        read = (said[:, :, None] == ids[:, None, :-1]).tril().any(dim=-1)
        assert least <= read[known].double().mean() <= most
