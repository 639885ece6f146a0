"""The words of chapter 7's pictures are true of what they show."""

import numpy as np
import pytest
import torch
from matplotlib.colors import to_rgba

from course_lib.chapters.multi_head import (
    note_and_reader,
    second_note,
    split_and_merged,
    stills,
    two_heads,
)
from course_lib.chapters.multi_head.exercises.split_heads import split_heads
from course_lib.chapters.multi_head.exercises.what_each_adds import what_each_adds
from course_lib.chapters.multi_head.halves import halves_of_head_2
from course_lib.chapters.multi_head.silencing import silent
from course_lib.figures.readable import faults
from course_lib.figures.theme import KEY, QUERY
from course_lib.models.copying import (
    ALPHABET,
    copying_batch,
    encode,
    induction_scores,
    load_copying,
)
from course_lib.models.copying_text import LONGEST
from course_lib.models.pushes import gathered, pushes
from tests.chapters.caught import caught

QUERIES = torch.tensor(two_heads.QUERIES, dtype=torch.float)


@pytest.fixture
def shown(monkeypatch):
    """The figures that are shown, with their words."""
    return caught(monkeypatch, stills)


def test_the_maps_are_those_of_the_model_and_do_what_the_words_say(shown):
    model, at = load_copying(), stills.ASKS
    stills.show_eight_maps(model)
    ((figure, words),) = shown
    maps = model.maps(torch.from_numpy(encode(stills.TEXT)))
    for axes, one in zip(figure.axes, maps.flatten(0, 1), strict=True):
        np.testing.assert_allclose(axes.images[0].get_array(), one, atol=0.0051)  # rounded
    assert stills.TEXT[at] == "a"
    assert [int(one[at].argmax()) for one in maps[0]] == [at, at - 1, at - 2, at]
    assert [int(one[at].argmax()) for one in maps[1]] == [2] * 4
    assert stills.TEXT[2] == "t"
    assert "head 1 looks at the place before, the c" in words


def test_each_note_has_the_letter_before_and_the_reader_finds_the_right_one(shown):
    stills.show_note_and_reader()
    ((figure, words),) = shown
    assert faults(figure) == []
    text, found = note_and_reader.TEXT_SO_FAR, note_and_reader.FOUND
    notes = [t for t in figure.axes[0].texts if t.get_position()[1] == note_and_reader.NOTES]
    by_place = {round(t.get_position()[0]): t.get_text() for t in notes}
    for place in range(1, len(text)):
        assert by_place[place] == text[place - 1].replace(" ", "_")
    assert text[found - 1] == text[note_and_reader.ASKS] == "a"
    assert text[found] == "t"
    assert "The note of the first t says a" in words


def test_both_notes_of_the_t_fit_and_only_one_of_the_p(shown):
    stills.show_second_note()
    ((figure, words),) = shown
    assert faults(figure) == []
    text, asks = second_note.TEXT_SO_FAR, second_note.ASKS
    notes = {t.get_position(): t.get_text() for t in figure.axes[0].texts}
    for place in (second_note.BOTH, second_note.ONE):
        assert notes[place, second_note.BEFORE] == text[place - 1] == text[asks] == "a"
        assert notes[place, second_note.TWO_BACK] == text[place - 2]
    assert notes[asks, second_note.BEFORE] == text[asks - 1] == text[second_note.BOTH - 2] == "c"
    assert text[second_note.ONE - 2] == "m"
    assert "The t has the notes a and c, the p the notes a and m" in words


def test_the_letters_and_each_layers_arrows_have_their_names_beside_them(shown):
    stills.show_note_and_reader()
    ((figure, _),) = shown
    heights = {t.get_text(): t.get_position()[1] for t in figure.axes[0].texts}
    assert heights["letters"] == 0
    assert heights["second layer:\na reader looks"] > 0
    assert note_and_reader.NOTES < heights["first layer:\nthe writer writes"] < 0


def test_head_2_looks_two_places_back_in_the_first_half_of_a_string_alone():
    ids, _ = copying_batch(torch.Generator().manual_seed(0), 32)
    two_back = load_copying().maps(ids)[0][:, 2].diagonal(-2, 1, 2).mean(0)
    half = LONGEST - 2  # the string has 2 LONGEST letters, and the first two have none there
    assert two_back[:half].mean() == pytest.approx(0.86, abs=0.01)
    assert two_back[half:].mean() == pytest.approx(0.09, abs=0.01)
    assert two_back.mean() == pytest.approx(0.46, abs=0.01)  # as the picture says


def test_head_2_is_not_needed_in_the_second_half_from_which_the_readers_look_at_the_first():
    model = load_copying()
    found = halves_of_head_2(model)
    assert found == (
        "weight of head 2 on two places back\n"
        "  letters 1 to 24:  0.86\n"
        "  letters 25 to 48: 0.09\n"
        "right letters with head 2 off from letter 25 on: 0.99"
    )
    ids, _ = copying_batch(torch.Generator().manual_seed(0), 32)
    assert model.maps(ids)[1][:, :, LONGEST:, :LONGEST].sum(dim=-1).mean() > 0.95


def test_what_is_asked_for_has_the_colour_of_keys_and_what_asks_that_of_queries(shown):
    stills.show_note_and_reader(), stills.show_second_note()
    (first, _), (second, _) = shown
    colours = {t.get_position(): t.get_color() for t in first.axes[0].texts}
    assert colours[note_and_reader.FOUND, note_and_reader.NOTES] == KEY
    colours = {t.get_position(): t.get_color() for t in second.axes[0].texts}
    for back in (second_note.BEFORE, second_note.TWO_BACK):
        assert colours[second_note.BOTH, back] == KEY
    assert colours[second_note.ASKS, second_note.BEFORE] == QUERY


def test_both_heads_keep_their_tints(shown):
    stills.show_split_and_merged(QUERIES)
    ((figure, _),) = shown
    assert faults(figure) == []
    tints = [patch.get_facecolor() for patch in figure.axes[0].patches]
    for tint in split_and_merged.TINTS[:2]:  # of Q, its Q, V and output, merged
        assert tints.count(to_rgba(tint)) == 6 + 3 * 6 + 6


def test_one_row_can_be_followed_from_the_queries_to_what_is_merged(shown):
    stills.show_split_and_merged(QUERIES)
    ((figure, words),) = shown
    numbers = [int(t.get_text()) for t in figure.axes[0].texts if t.get_text().isdigit()]
    sizes = [12, *[6, 9, 6, 6] * 2, 12]
    tables = torch.tensor(numbers).split(sizes)
    whole, *parts, merged = (one.reshape(3, -1) for one in tables)
    strips = split_heads(torch.stack((QUERIES, torch.tensor(two_heads.VALUES))), 2)
    assert torch.equal(whole, QUERIES.long())
    heard = []
    for head, (asks, weights, holds, gets) in enumerate((parts[:4], parts[4:])):
        assert torch.equal(asks, strips[0, head].long())
        assert torch.equal(holds, strips[1, head].long())
        assert weights.argmax(dim=1).tolist() == list(two_heads.LOOKS_AT[head])
        assert weights.sum(dim=1).tolist() == [1, 1, 1]
        assert torch.equal(gets, weights @ holds)
        heard.append(gets)
    assert torch.equal(merged, torch.cat(heard, dim=1))
    assert merged.tolist() == two_heads.MERGED
    assert "its row is 31, 32, 23, 24" in words
    shapes = [t.get_text() for t in figure.axes[0].texts if t.get_text().startswith("(")]
    assert sorted(shapes) == ["(3, 2)"] * 4 + ["(3, 4)"] * 2


def test_the_weights_of_the_picture_are_those_of_its_queries_and_keys():
    q, k = split_heads(torch.tensor([two_heads.QUERIES, two_heads.KEYS], dtype=torch.float), 2)
    weights = (q @ k.mT / 2**0.5).softmax(dim=-1)
    assert weights.argmax(dim=-1).tolist() == [list(one) for one in two_heads.LOOKS_AT]
    assert weights.max(dim=-1).values.min() == 1  # in float32


def test_the_parts_of_the_merged_row_add_up_to_the_output(shown):
    stills.show_mixed_rows()
    ((figure, words),) = shown
    assert faults(figure) == []
    numbers = [int(t.get_text()) for t in figure.axes[0].texts if t.get_text().isdigit()]
    tables = torch.tensor(numbers).split([2, 6, 3, 2, 6, 3, 3])
    row, mixes, output = torch.cat(tables[0:6:3]), torch.cat(tables[1:6:3]), tables[-1]
    parts = tables[2:6:3]
    heard = row.reshape(1, 2, 1, 2)
    assert torch.equal(torch.stack(parts), what_each_adds(heard, mixes.reshape(4, 3))[0, :, 0])
    assert torch.equal(output, sum(parts))
    assert row.tolist() == two_heads.MERGED[-1]
    assert "31, 32, 23, 24" in words


def test_all_four_readers_push_for_the_t_and_the_smallest_share_pushes_hardest():
    model, ids = load_copying(), torch.from_numpy(encode("cats ca"))
    added = what_each_adds(gathered(model, ids, block=1), model.blocks[1].heads.w_o)
    pushed = pushes(model, added[0, :, -1], model.states(ids)[-1][-1])
    assert pushed.argmax(dim=1).tolist() == [ALPHABET.index("t")] * 4
    assert pushed.max(dim=1).values.argmax() == model.maps(ids)[1, :, -1, 2].argmin() == 1


def test_a_reader_finds_the_note_of_its_letter_and_not_the_letter_itself():
    """What each part of x at an earlier place adds to the score of a place with letter z, of the
    second layer's W_Q and W_K; the norm before them without its divisor, one for the whole x."""
    model = load_copying()
    writer, reader = (block.heads for block in model.blocks)
    letters = model.symbol - model.symbol.mean(dim=0)
    w_v, w_o = writer.w_v.unflatten(1, (4, 16))[:, 1], writer.w_o.unflatten(0, (4, 16))[1]
    notes = model.blocks[0].norm(model.symbol) @ w_v @ w_o  # what head 1 writes of each letter
    notes = notes - notes.mean(dim=0)
    own = torch.nn.functional.cosine_similarity(letters, notes)
    assert own.abs().max() < 0.2  # other directions than the letters' own
    norm = model.blocks[1].norm.weight
    asks, of_letter, of_note = (
        ((one - one.mean(dim=1, keepdim=True)) * norm @ w).unflatten(1, (4, 16)).transpose(0, 1)
        for one, w in ((letters, reader.w_q), (letters, reader.w_k), (notes, reader.w_k))
    )
    for head in range(4):
        found, not_found = asks[head] @ of_note[head].T, asks[head] @ of_letter[head].T
        assert (found.argmax(dim=1) == torch.arange(27)).all()  # of all notes, that of its letter
        assert found.diagonal().mean() > 10 * not_found.diagonal().mean().abs()


def test_to_a_reader_a_note_of_head_2_looks_like_one_of_the_writer_only_fainter():
    """What both heads write of each letter, and how a reader's question scores it."""
    model = load_copying()
    writer, reader = (block.heads for block in model.blocks)
    w_v, w_o = writer.w_v.unflatten(1, (4, 16)), writer.w_o.unflatten(0, (4, 16))
    letters = model.blocks[0].norm(model.symbol)
    ours, theirs = (letters @ w_v[:, head] @ w_o[head] for head in (1, 2))
    ours, theirs = ours - ours.mean(dim=0), theirs - theirs.mean(dim=0)
    alike = torch.cosine_similarity(ours[:, None], theirs[None], dim=-1)
    assert (alike.argmax(dim=1) == torch.arange(27)).all()  # most like that of the same letter
    assert alike.diagonal().mean() > 0.5
    assert alike[~torch.eye(27, dtype=torch.bool)].mean().abs() < 0.05
    norm = model.blocks[1].norm.weight
    asks, strong, faint, second = (
        ((one - one.mean(dim=1, keepdim=True)) * norm @ w).unflatten(1, (4, 16)).transpose(0, 1)
        for one, w in (
            (model.symbol - model.symbol.mean(dim=0), reader.w_q),
            (ours, reader.w_k),
            (theirs, reader.w_k),
            (ours, reader.w_q),
        )
    )
    found = (asks @ faint.mT).mean(dim=0)
    assert (found.argmax(dim=1) == torch.arange(27)).all()
    ratio = found.diagonal().mean() / (asks @ strong.mT).mean(dim=0).diagonal().mean()
    assert 0.4 < ratio < 0.6
    with_its_note = (second @ faint.mT).mean(dim=0)  # a note asks, too: for a second note like it
    assert (with_its_note.argmax(dim=1) == torch.arange(27)).all()
    assert with_its_note.diagonal().mean() > found.diagonal().mean()


def test_head_2_notes_the_i_of_promised_at_the_e():
    maps = load_copying().maps(torch.from_numpy(encode("promised promised ")))
    assert maps[0, 2, 6, 4] > 0.75


def test_what_is_taken_from_a_place_is_its_letter_and_not_its_note():
    model = load_copying()
    writer, reader = (block.heads for block in model.blocks)
    w_v, w_o = writer.w_v.unflatten(1, (4, 16))[:, 1], writer.w_o.unflatten(0, (4, 16))[1]
    notes = model.blocks[0].norm(model.symbol) @ w_v @ w_o
    said = []
    for part in (model.symbol, notes):
        part = (part - part.mean(dim=1, keepdim=True)) * model.blocks[1].norm.weight
        added = part @ reader.w_v @ reader.w_o  # by all four, each with all its weight there
        scores = (added - added.mean(dim=1, keepdim=True)) * model.norm.weight @ model.w
        said.append((scores - scores.mean(dim=1, keepdim=True)).diagonal().mean())
    of_letter, of_note = said
    assert of_letter > 10 * of_note.abs()


def test_head_1_off_leaves_the_readers_little_more_than_an_even_look():
    even = sum(1 / places for places in range(LONGEST + 1, 2 * LONGEST + 1)) / LONGEST
    lost = induction_scores(load_copying(), loudness=silent((0, 1)))[1]
    assert LONGEST == 24  # as in the chapter's line
    assert (lost > even).all()
    assert (lost < 3 * even).all()


def test_head_3_favours_the_second_sign_and_an_a_there_a_little_more():
    model, generator = load_copying(), torch.Generator().manual_seed(0)
    stripes = torch.zeros(2, 4)  # without an a and with one; at each of the first four places
    for _ in range(200):
        word = 1 + torch.randperm(25, generator=generator)[:4]
        for place in range(4):
            for kind in range(2):
                ids = torch.cat([word, torch.tensor([26])])  # the letter a is 0, the space 26
                ids[place] *= 1 - kind
                ids = ids.repeat(2)
                below = model.maps(ids)[0, 3, place + 1 :, place]
                stripes[kind, place] += below.mean() / 200
    others = stripes[0, [0, 2, 3]]
    assert stripes[0, 1] > 1.5 * others.max()
    assert 1.1 < stripes[1, 1] / stripes[0, 1] < 1.5


def test_a_note_is_nearly_perpendicular_to_its_letter():
    model, ids = load_copying(), torch.cartesian_prod(torch.arange(26), torch.arange(26))
    before, after, _ = model.states(ids, loudness=silent((0, 0), (0, 2), (0, 3)))
    notes = (after - before)[:, 1].unflatten(0, (26, 26)).mean(dim=1)  # by the letter before
    notes, letters = (one - one.mean(dim=0) for one in (notes, model.symbol[:26]))
    assert torch.cosine_similarity(notes, letters).abs().max() < 0.15
    both = after[:, 1].unflatten(0, (26, 26))  # a t with the note a, and an a with the note t
    apart, other = (both - both.transpose(0, 1)).norm(dim=-1), ~torch.eye(26, dtype=torch.bool)
    assert (apart > torch.cdist(model.symbol, model.symbol)[:26, :26])[other].all()
