"""What the model of chapter 7 says where some heads are quieter, which parts push for it,
and where its readers look."""

from itertools import product

import numpy as np
from torch import from_numpy

from course_lib.chapters.multi_head.explorers.quieter_head import (
    LOUD,
    NAMES,
    WRITTEN,
    explore_quieter_head,
)
from course_lib.chapters.multi_head.silencing import silent
from course_lib.models.copying import encode, load_copying
from course_lib.models.pushes import pushes
from tests.chapters.samples import data_of


def test_in_row_p_reader_0_pushes_for_the_r_and_letter_and_first_layer_outweigh_it_with_a_z():
    model, place = load_copying(), len(WRITTEN) // 2
    assert WRITTEN[place] == "p"
    alone = data_of(explore_quieter_head, levels=(*LOUD[:5], 0.0, 0.0, 0.0))
    assert alone["says"][place] == "z"
    loudness = silent((1, 1), (1, 2), (1, 3))
    _, before, after = model.states(from_numpy(encode(WRITTEN)), loudness=loudness)
    brought, all_of_it = after[place] - before[place], after[place]
    reader, rest = (pushes(model, one, all_of_it) for one in (brought, before[place]))
    r, z = encode("rz")
    assert reader.argmax() == r
    assert rest.argmax() == z
    assert reader[r] + rest[r] < reader[z] + rest[z] - 0.3


def test_sums_of_two_letters_differ_or_not_and_no_factor_reads_a_letter_out_of_them():
    pairs = np.array(list(product(range(1, 28), repeat=2)))
    sums = (pairs @ [51, 49]).tolist()  # in hundredths, so that they are whole
    assert len(set(sums)) == 729
    assert (2 * 51 + 8 * 49, 3 * 51 + 7 * 49) == (494, 496)
    _, shared = np.unique(pairs @ [7, 3], return_counts=True)
    assert (shared > 1).sum() == 207
    assert 7 * 5 + 3 * 1 == 7 * 2 + 3 * 8 == 38  # pet and cat
    assert round(2 / 4.94 * 4.96, 2) == 2.01
    for wanted in pairs.T:  # the best factor and shift of all still leave most of it unread
        read = np.polyval(np.polyfit(sums, wanted, 1), sums)
        assert np.abs(read - wanted).max() > 10


def test_in_the_second_round_the_readers_look_at_what_followed_but_head_2_from_the_c():
    text = "cats cats "
    looks = load_copying().maps(from_numpy(encode(text)))[1].argmax(dim=-1)
    elsewhere = [
        (head, place, int(looks[head, place]))
        for head, place in product(range(4), range(5, 10))
        if looks[head, place] != place - 4
    ]
    assert elsewhere == [(2, 5, 5)]


def test_at_a_quarter_reader_3_is_on_the_e_and_the_model_says_what_two_others_look_at():
    data = data_of(explore_quieter_head, levels=(1.0, 0.25, *LOUD[2:]))
    place = WRITTEN.rindex("i")
    assert [WRITTEN[one[place].argmax()] for one in data["looks"]] == ["o", "r", "r", "e"]
    assert data["says"][place] == "r"


def test_a_wrong_letter_alone_has_a_frame():
    session = explore_quieter_head._ours()
    for levels, wrong in ((LOUD, ""), ((1.0, 0.4, *LOUD[2:]), "m_")):  # o, d
        session.draw(explore_quieter_head.frame(levels=levels))
        texts = [one for axes in session.picture("one").figure.axes for one in axes.texts]
        framed = [
            one.get_text()
            for one in texts
            if one.get_bbox_patch() and one.get_bbox_patch().get_edgecolor()[3] > 0
        ]
        assert "".join(framed) == wrong


def test_below_the_marks_stands_how_many_of_this_string_are_right():
    session = explore_quieter_head._ours()
    off, both = (1.0, 0.0, *LOUD[2:]), (1.0, 0.0, 0.0, *LOUD[3:])
    for levels, right in ((LOUD, 8), ((1.0, 0.25, *LOUD[2:]), 4), (off, 0), (both, 2)):
        session.draw(explore_quieter_head.frame(levels=levels))
        texts = [
            one.get_text() for axes in session.picture("one").figure.axes for one in axes.texts
        ]
        assert f"this string: {right} of 8" in texts


def test_a_head_that_is_off_is_not_called_quieter():
    half, off = ([level, *7 * [1.0]] for level in (0.5, 0.0))
    session = explore_quieter_head.session()
    titles = []
    for levels in (half, off):
        session.draw(explore_quieter_head.frame(levels=levels))
        titles.append(session.picture("one").figure.get_suptitle())
    assert titles[0].startswith("One head is quieter")
    assert titles[1].startswith("One head is off")


def test_the_maps_leave_out_places_that_get_hardly_any_weight():
    half, writer = len(WRITTEN) // 2, NAMES.index("first layer, head 1")
    for loud, most in ((1.0, 0.05), (0.5, 0.12), (0.25, 0.12), (0.0, 0.12)):
        levels = tuple(loud if head == writer else 1.0 for head in range(len(NAMES)))
        looks = data_of(explore_quieter_head, levels=levels)["looks"][:, half:-1, half + 1 :]
        assert looks.sum(axis=-1).max() < most
