"""What the pictures of chapter 7 claim."""

import copy

import numpy as np
import pytest
import torch
from matplotlib.colors import to_hex

from course_lib.chapters.multi_head.explorers.quieter_head import (
    LARGE,
    LOUD,
    NAMES,
    WRITTEN,
    explore_quieter_head,
    multi_head_of_course,
)
from course_lib.chapters.multi_head.silencing import silent
from course_lib.figures.theme import KEY
from course_lib.kernels.heads import multi_head_attention
from course_lib.models.copying import (
    FRESH,
    copying_accuracy,
    copying_batch,
    decode,
    encode,
    load_copying,
)
from tests.chapters.samples import data_of

# A head made quieter


def at_levels(**quieter):
    """The data with some heads quieter: first_1=0.0 is head 1 of the first layer."""
    levels = [quieter.get(f"{name.split()[0]}_{name[-1]}", 1.0) for name in NAMES]
    return data_of(explore_quieter_head, levels=tuple(levels))


def without(layer, head):
    return at_levels(**{f"{('first', 'second')[layer]}_{head}": 0.0})["share"]


def test_the_writer_alone_is_missed_and_one_reader_of_four_is_not():
    assert without(0, 1) < 0.2
    assert all(without(1, head) > 0.95 for head in range(4))
    assert at_levels(**{f"second_{head}": 0.0 for head in range(4)})["share"] < 0.1


def test_the_quieter_the_writer_the_less_is_right():
    shares = [at_levels(first_1=loud)["share"] for loud in (0.0, 0.1, 0.3, 0.5, 1.0)]
    assert shares == sorted(shares)
    assert at_levels(first_1=0.5)["share"] > 0.9  # as the bet says


def test_where_the_writer_is_half_as_loud_nearly_every_note_is_found_by_some_reader():
    loud = silent()
    loud[0, 1] = 0.5
    order = torch.rand(64, 27, generator=torch.Generator().manual_seed(0)).argsort(dim=1)[:, :10]
    places = torch.arange(11, 19)
    looks = load_copying().maps(order.repeat(1, 2), loudness=loud)[1][:, :, places]
    found = looks.argmax(dim=-1) == places - 9
    assert 0.8 < found.double().mean() < 0.95  # some readers miss it
    assert found.any(dim=1).double().mean() > 0.97


def test_the_word_goes_wrong_about_as_soon_as_the_random_letters():
    half = len(WRITTEN) // 2
    for loud, wrong in ((1.0, 0), (0.7, 0), (0.5, 0), (0.35, 3), (0.3, 3), (0.25, 4), (0.0, 8)):
        data = at_levels(first_1=loud)
        said = zip(data["says"][half:], WRITTEN[half + 1 :], strict=True)
        assert sum(a != b for a, b in said) == wrong
        assert abs(wrong / (half - 1) - (1 - data["share"])) < 0.15


CLEAR = 0.03  # what the largest number of a letter leads by, at least
ALONE = dict.fromkeys(("second_1", "second_2", "second_3"), 0.0)  # reader 0 is on


@pytest.mark.parametrize(
    "quieter",
    [
        *({"first_1": loud} for loud in (1.0, 0.7, 0.5, 0.4, 0.35, 0.3, 0.25, 0.0)),
        {"first_1": 0.0, "first_2": 0.0},
        ALONE,
    ],
)
def test_no_letter_of_the_word_hangs_on_a_rounding(quieter):
    """All levels at which letters are counted: the least lead measured is .055, a rounding 1e-4."""
    loud = torch.tensor([quieter.get(f"{one.split()[0]}_{one[-1]}", 1.0) for one in NAMES])
    ids, model = torch.from_numpy(encode(WRITTEN))[:-1], load_copying()
    single = model(ids, loudness=loud.reshape(2, 4))[..., len(WRITTEN) // 2 :, :]
    exact = copy.deepcopy(model).double()(ids, loudness=loud.reshape(2, 4).double())
    assert (single - exact[..., len(WRITTEN) // 2 :, :]).abs().max() < CLEAR / 100
    first, second = single.topk(2, dim=-1).values.unbind(-1)
    assert (first - second).min() > CLEAR


def test_reader_0_alone_keeps_its_map_and_says_three_letters_wrong():
    half, full, alone = len(WRITTEN) // 2, at_levels(), at_levels(**ALONE)
    np.testing.assert_array_equal(alone["looks"][0], full["looks"][0])
    places = np.arange(half, len(WRITTEN) - 1)
    assert alone["looks"][0, places, places - half + 1].min() > 0.75  # dark, and in the boxes
    said = zip(alone["says"][half:], WRITTEN[half + 1 :], strict=True)
    assert sum(a != b for a, b in said) == 3


def test_the_goal_is_one_head_alone():
    session = explore_quieter_head._ours()
    found = explore_quieter_head.goal.solution["levels"]
    assert session.reached(explore_quieter_head.frame(levels=found))
    for loud, reaches in ((0.2, False), (0.25, True), (0.3, True), (0.35, False)):
        levels = (1.0, loud, *LOUD[2:])
        assert session.reached(explore_quieter_head.frame(levels=levels)) == reaches
    beside = (*found[:7], 0.9)
    assert 0.35 < data_of(explore_quieter_head, levels=beside)["share"] < 0.65
    assert not session.reached(explore_quieter_head.frame(levels=beside))


def test_a_dragged_level_changes_its_own_head_alone():
    asks = explore_quieter_head.handles["level"].asks((0.0, 0.25), explore_quieter_head.start, 5)
    assert asks == {"levels": (*LOUD[:5], 0.25, *LOUD[6:])}


def test_the_second_layer_looks_behind_the_last_time_until_the_writer_is_off():
    half = len(WRITTEN) // 2
    places = np.arange(half + 1, len(WRITTEN))
    held = data_of(explore_quieter_head)["looks"].mean(axis=0)[places, places - half + 1].mean()
    lost = at_levels(first_1=0.0)["looks"].mean(axis=0)
    assert held > 0.8
    assert lost[places, places - half + 1].mean() < held / 2


def _followed(heads):
    """What the readers give to what followed earlier, and to the place behind it, as a mean."""
    order = torch.rand(64, 27, generator=torch.Generator().manual_seed(0)).argsort(dim=1)[:, :10]
    maps = load_copying().maps(order.repeat(1, 2), loudness=silent(*heads))[1].mean(dim=(0, 1))
    places = torch.arange(11, 19)
    return maps[places, places - 9].mean(), maps[places, places - 8].mean()


def test_without_the_writer_the_readers_follow_head_2_and_the_model_skips_a_letter():
    right, behind = _followed([])
    assert right > 0.9
    assert behind < 0.05
    right, behind = _followed([(0, 1)])
    assert right < 0.1
    assert behind > 0.5
    assert max(_followed([(0, 1), (0, 2)])) < 0.2
    ids, periods = copying_batch(torch.Generator().manual_seed(FRESH), 256)
    said = load_copying()(ids[:, :-1], loudness=silent((0, 1))).argmax(dim=-1)[:, :-1]
    known = (torch.arange(1, ids.shape[1]) > periods[:, None])[:, :-1]
    skipped = (said == ids[:, 2:])[known].double().mean()  # the letter after the right one
    assert skipped > 0.7


def test_with_the_writer_off_turning_off_head_2_as_well_raises_the_right_letters():
    model = load_copying()
    shares = {
        head: copying_accuracy(model, 256, loudness=silent((0, 1), head))
        for head in [(0, 0), (0, 2), (0, 3), *((1, i) for i in range(4))]
    }
    alone = copying_accuracy(model, 256, loudness=silent((0, 1)))
    assert shares.pop((0, 2)) > 1.5 * alone
    assert max(shares.values()) < 1.2 * alone
    assert at_levels(first_1=0.0, first_2=0.0)["share"] > 2 * at_levels(first_1=0.0)["share"]


def test_at_zero_the_dark_line_of_the_picture_runs_one_place_further_right():
    half = len(WRITTEN) // 2
    places = np.arange(half + 1, len(WRITTEN) - 1)
    looks = at_levels(first_1=0.0)["looks"].mean(axis=0)
    assert looks[places, places - half + 2].mean() > 2 * looks[places, places - half + 1].mean()
    looks = at_levels(first_1=0.3)["looks"].mean(axis=0)
    assert looks[places, places - half + 1].mean() > looks[places, places - half + 2].mean()


def test_each_reader_has_its_map_and_its_boxes_are_what_followed_earlier():
    session, half = explore_quieter_head._ours(), len(WRITTEN) // 2
    frame = explore_quieter_head.frame()
    session.draw(frame)
    every = {axes.get_label(): axes for axes in session.picture("one").figure.axes if axes.images}
    maps = [every.pop(f"small {head}") for head in range(4)]
    maps, shown = [*maps, *every.values()], [*frame.right["looks"], frame.right["looks"][LARGE]]
    for axes, looks in zip(maps, shown, strict=True):
        np.testing.assert_array_equal(axes.images[0].get_array(), looks[half:-1, : half + 1])
        _, *boxes = axes.patches[:half]  # the table's own frame comes first
        for row, box in enumerate(boxes):
            found = box.get_x() + 0.5, box.get_y() + 0.5
            assert found == (row + 1, row)
            assert WRITTEN[half + row] == WRITTEN[row]
            assert to_hex(box.get_edgecolor()) == KEY  # seen on white and on black


def test_a_reader_that_is_off_keeps_its_map_and_is_drawn_pale():
    session, looks = explore_quieter_head._ours(), data_of(explore_quieter_head)["looks"]
    np.testing.assert_allclose(at_levels(second_3=0.0)["looks"], looks, atol=1e-6)
    session.draw(explore_quieter_head.frame(levels=(*LOUD[:7], 0.0)))
    every = {axes.get_label(): axes for axes in session.picture("one").figure.axes if axes.images}
    (large,) = (axes for name, axes in every.items() if not name.startswith("small"))
    darkest = [every[f"small {head}"].images[0].get_array().max() for head in range(4)]
    assert large.images[0].get_array().max() == darkest[3] < 0.3
    assert min(darkest[:3]) > 0.9
    assert large.get_title(loc="left").startswith("reader 3, off")
    named = {
        axes.get_label()
        for axes in every.values()
        for text in axes.texts
        if text.get_text() == "off" and text.get_visible()
    }
    assert named == {large.get_label(), "small 3"}


def test_at_a_quarter_the_boxes_are_paler():
    half = len(WRITTEN) // 2
    places = np.arange(half, len(WRITTEN) - 1)
    loud, quiet = (
        at_levels(first_1=one)["looks"][:, places, places - half + 1] for one in (1.0, 0.25)
    )
    assert (quiet.mean(axis=1) < 0.8 * loud.mean(axis=1)).all()


def test_without_head_2_most_readers_waver_between_the_second_f_and_the_e_of_giraffe():
    text, model = "giraffe " * 2, load_copying()
    ids, first = torch.from_numpy(encode(text)), text.index("f")
    looks = model.maps(ids, loudness=silent((0, 2)))[1][:, text.rindex("f")]
    assert (looks[:, first + 1 : first + 3] > 0.35).all(dim=1).sum() == 3
    says = decode(model(ids[:-1], loudness=silent((0, 2))).argmax(dim=-1))
    wrong = [i for i in range(len(text) // 2 + 1, len(text)) if says[i - 1] != text[i]]
    assert [(text[i - 1], text[i], says[i - 1]) for i in wrong] == [("f", "e", "f")]


def test_a_learners_heads_drive_the_model():
    seen = []

    def watched(x, w_q, w_k, w_v, w_o, heads, mask=None):
        seen.append((x.shape[1], heads, mask is not None))
        return multi_head_of_course(x, w_q, w_k, w_v, w_o, heads, mask)

    session = explore_quieter_head.session(multi_head=watched)
    assert "Your multi_head draws this" in session.sentence(session.start)
    assert {(heads, masked) for _, heads, masked in seen} == {(4, True)}


def test_a_learners_dimmer_makes_the_heads_quieter():
    seen = []

    def watched(parts, loudness):
        seen.append(tuple(loudness.tolist()))
        return torch.einsum("bhnm,h->bnm", parts, loudness)

    levels = (1.0, 0.25, *LOUD[2:])
    session = explore_quieter_head.session(dimmed=watched)
    session.draw(session.frame({**explore_quieter_head.start, "levels": levels}))
    assert {levels[:4], levels[4:]} <= set(seen)


def test_a_wrong_dimmer_is_drawn_beside_the_right_one():
    def twice_as_loud(parts, loudness):
        return 2 * (parts * loudness[:, None, None]).sum(dim=1)

    session = explore_quieter_head.session(dimmed=twice_as_loud)
    assert len(session.draw(session.start)) == 2


def test_heads_without_the_mask_are_drawn_beside_the_right_ones():
    def no_mask(x, w_q, w_k, w_v, w_o, heads, mask=None):
        return multi_head_attention(x, w_q, w_k, w_v, w_o, heads)

    session = explore_quieter_head.session(multi_head=no_mask)
    assert len(session.draw(session.start)) == 2


def _seen(**params):
    """The large table's numbers and marks, and which small table is framed."""
    session = explore_quieter_head._ours()
    session.draw(explore_quieter_head.frame(**params))
    tables = [axes for axes in session.picture("one").figure.axes if axes.images]
    framed = [axes.get_label() for axes in tables[:4] if axes.patches[-1].get_visible()]
    marks = [one.get_text() for one in tables[4].texts if one.get_text() in ("✓", "✗")]
    return tables[4].images[0].get_array(), marks, framed


def test_the_reader_that_is_chosen_is_large_and_its_small_map_framed():
    half = len(WRITTEN) // 2
    for reader in range(4):
        shown, marks, framed = _seen(reader=reader)
        looks = data_of(explore_quieter_head, reader=reader)["looks"][reader]
        np.testing.assert_array_equal(shown, looks[half:-1, : half + 1])
        assert (marks, framed) == (["✓"] * 8, [f"small {reader}"])


def test_each_letter_that_is_said_is_marked_and_reader_3_looks_one_too_far_without_the_writer():
    shown, marks, _ = _seen(levels=(1.0, 0.0, *LOUD[2:]))
    assert "".join(marks) == "✗✗✗✗✗✗✗✗"
    further = shown.argmax(axis=1) - np.arange(1, 9)
    assert further.tolist() == [0] + 7 * [1]
