"""The words of chapter 7's pictures are true of what they show."""

import numpy as np
import pytest
import torch

from course_lib.chapters.multi_head import note_and_reader, split_and_merged, stills
from course_lib.chapters.multi_head.exercises.what_each_adds import what_each_adds
from course_lib.figures.readable import faults
from course_lib.models.copying import ALPHABET, encode, load_copying
from course_lib.models.head_emergence import recorded_birth
from course_lib.models.pushes import gathered, pushes


@pytest.fixture
def shown(monkeypatch):
    """The figures that are shown, with their words."""
    seen = []
    monkeypatch.setattr(stills, "show_figure", lambda figure, alt, **_: seen.append((figure, alt)))
    return seen


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


def test_the_words_of_the_births_name_the_heads_that_took_the_work(shown):
    stills.show_births()
    ((_, words),) = shown
    assert "With seed 0, head 1 takes it. With seed 1, head 2 takes it." in words
    assert "With seed 3, heads 1 and 3 take it." in words


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


def test_both_heads_and_their_rows_of_the_last_matrix_keep_their_tints(shown):
    q = torch.tensor([[1.0, 2, 10, 20], [3, 4, 30, 40], [5, 6, 50, 60]])
    stills.show_split_and_merged(q)
    ((figure, _),) = shown
    assert faults(figure) == []
    numbers = [t.get_text() for t in figure.axes[0].texts if t.get_text().isdigit()]
    whole, first, second = numbers[:12], numbers[12:18], numbers[18:]
    assert whole == [f"{x:g}" for x in q.flatten().tolist()]
    assert first == [f"{x:g}" for x in q[:, :2].flatten().tolist()]
    assert second == [f"{x:g}" for x in q[:, 2:].flatten().tolist()]
    tints = [patch.get_facecolor() for patch in figure.axes[0].patches]
    assert tints.count(split_and_merged.to_rgba(split_and_merged.TINTS[0])) == 8 + 6 + 12 + 6 + 8
    assert tints.count(split_and_merged.to_rgba(split_and_merged.TINTS[1])) == 8 + 6 + 12 + 6 + 8


def test_without_a_head_the_others_add_what_they_added(shown):
    parts = torch.randint(-9, 10, (3, 7), generator=torch.Generator().manual_seed(0))
    stills.show_parts(parts, off=1)
    ((figure, words),) = shown
    assert faults(figure) == []
    left, right = (_rows_of_numbers(axes) for axes in figure.axes)
    assert left == [*parts.tolist(), parts.sum(dim=0).tolist()]
    assert right == [*parts[[0, 2]].tolist(), parts[[0, 2]].sum(dim=0).tolist()]
    assert "head 1 off" in [axes.get_title() for axes in figure.axes][1]
    assert "the row of head 1 is missing" in words


def _rows_of_numbers(axes):
    """The numbers in the cells, row by row from above."""
    rows = {}
    for text in axes.texts:
        if text.get_ha() == "center":
            number = int(text.get_text().replace("\N{MINUS SIGN}", "-"))
            rows.setdefault(text.get_position()[1], []).append(number)
    return [rows[y] for y in sorted(rows)]


def test_the_pushes_are_drawn_to_one_scale_and_add_up(shown):
    pushed = torch.randn(4, 27, generator=torch.Generator().manual_seed(0)).round(decimals=2)
    pushed[:, 19] += 3
    stills.show_pushes(pushed)
    ((figure, words),) = shown
    assert faults(figure) == []
    rows = [
        [path.vertices[1, 1] - path.vertices[0, 1] for path in bars.get_paths()]
        for bars in figure.axes[0].collections
    ]
    np.testing.assert_allclose(rows, torch.cat((pushed, pushed.sum(dim=0)[None])), atol=1e-4)
    assert words.endswith(f"the highest bar is t, with {pushed[:, 19].sum():.1f}.")


def test_all_four_readers_push_for_the_t_and_the_chapters_pair_pushes_hardest():
    model, ids = load_copying(), torch.from_numpy(encode("cats ca"))
    added = what_each_adds(gathered(model, ids, block=1), model.blocks[1].heads.w_o)
    pushed = pushes(model, added[0, :, -1], model.states(ids)[-1][-1])
    assert pushed.argmax(dim=1).tolist() == [ALPHABET.index("t")] * 4
    assert sorted(pushed.max(dim=1).values.argsort()[2:].tolist()) == [1, 2]


def test_the_recorded_birth_is_shown_in_words_that_are_true(shown):
    stills.show_birth()
    ((figure, words),) = shown
    assert faults(figure) == []
    assert figure.axes[1].get_ylabel() == "share of its weights"
    assert "rises in two steps" in words
    birth = recorded_birth()
    gained = [
        birth.accuracy[birth.step.index(last)] - birth.accuracy[birth.step.index(first)]
        for first, last, _ in stills.RISES
    ]
    assert gained[0] > 0.5
    assert gained[1] > 0.08
    assert sum(gained) > 0.85 * (birth.accuracy[-1] - birth.accuracy[0])


def test_a_birth_of_ones_own_gives_the_model_that_was_trained():
    mine = stills.watch_a_birth(seed=5, steps=2)
    assert mine.symbol.requires_grad is False
    assert not torch.equal(mine.symbol, stills.new_copying(5).symbol)
