"""The pictures of chapter 6 that do not move: readable, and in words what they show."""

import re

import pytest
import torch
from matplotlib.colors import to_hex
from matplotlib.text import Annotation

from course_lib.chapters.masks import (
    layers,
    moved,
    one_back,
    pictures,
    sure_and_wrong,
    tables_in_a_row,
    turned_arrows,
    who_pays,
)
from course_lib.chapters.masks.exercises.leaks import leaks
from course_lib.chapters.masks.exercises.rope_scores import rope_scores
from course_lib.chapters.masks.exercises.rotate import rotate
from course_lib.figures.theme import KEY
from course_lib.kernels.masks import Mask, causal
from course_lib.kernels.positions import sinusoidal
from course_lib.models.dice import Trained, throw, train, tried_under
from course_lib.models.dice_in_pairs import eight_throws, train_on_pairs
from course_lib.models.payers import train_on_payers
from tests.chapters.caught import caught, drawn


@pytest.fixture
def shown(monkeypatch):
    return caught(
        monkeypatch,
        moved,
        one_back,
        pictures,
        sure_and_wrong,
        tables_in_a_row,
        turned_arrows,
        who_pays,
    )


def test_place_6_looks_at_throw_5_and_throw_7_is_not_given_away(shown):
    one_back.show_one_back()
    figure, words = drawn(shown)
    sides = [str(side + 1) for side in eight_throws()[0].tolist()]
    assert sides[5] == "8"  # the fresh throw that the text names
    assert [t.get_text() for t in figure.axes[0].texts if t.get_position()[1] == 0][:8] == [
        *sides[:7], "?"
    ]  # fmt: skip
    assert f"Throws 0 to 6: {' '.join(sides[:7])}." in words
    ends = [text.xy[0] for text in figure.axes[0].texts if isinstance(text, Annotation)]
    assert [round(end) for end in ends] == [5, 5]  # of both arrows
    starts = [line.get_xdata()[0] for line in figure.axes[0].lines if len(line.get_xdata()) == 4]
    assert starts == [6, 7]


def test_the_letters_stand_for_the_same_masks_each_time_and_all_four_are_needed():
    runs = {name: Trained((float(i),), 0.0, 0.0) for i, name in enumerate(sorted(pictures.ORDER))}
    letters = pictures.without_names(runs)
    assert list(letters) == ["A", "B", "C", "D"]
    assert letters["C"] == runs["honest"].losses
    del runs["half"]
    with pytest.raises(KeyError):
        pictures.without_names(runs)


def test_no_picture_of_unnamed_losses_names_a_mask(shown):
    letters = {
        letter: torch.linspace(2, end, 20).tolist()
        for letter, end in zip("ABCD", (1.8, 1, 1.5, 0), strict=True)
    }
    pictures.show_unnamed_losses(letters, level=1.54)
    figure, words = drawn(shown)
    texts = " ".join(text.get_text() for text in figure.axes[0].texts)
    assert not re.search("|".join(pictures.ORDER[:2]), texts + words)
    assert figure.axes[0].get_ylabel() == "loss"


def test_waves_are_told_apart_into_sines_and_cosines(shown):
    table = sinusoidal(20, 32)
    pictures.show_waves(table)
    figure, words = drawn(shown)
    assert figure.axes[0].get_title() == "sin"
    assert torch.equal(
        torch.tensor(figure.axes[0].images[0].get_array().data).float(), table[:, 0::2]
    )
    assert "20 places" in words


def test_slips_are_hatched_where_they_are_0_and_their_sums_stand_beside_them(shown):
    strict = torch.tensor([[0.0, 0.0], [1.0, 0.0]])
    late = torch.tensor([[0.25, 0.0], [0.5, 0.5]])
    tables_in_a_row.show_slips({"A": strict, "B": late, "C": late.T}, ["xiao", "shen"])
    figure, words = drawn(shown)
    assert [axes.get_title() for axes in figure.axes] == ["A", "B", "C"]
    texts = [text.get_text() for text in figure.axes[1].texts]
    assert texts == ["", "", "", "", "0.25", "1.00", "sum"]
    assert "A: the rows add up to 0.00, 1.00; hidden are the later words and the word itself" in (
        words
    )
    assert "B: the rows add up to 0.25, 1.00; hidden are the later words." in words
    assert "C: the rows add up to 0.75, 0.50; hidden are the earlier words." in words


def test_places_tell_who_pays_whom(shown):
    luis, pays, ana = torch.tensor([[2.0, -1, -1, -2], [0, 1, 1, 0], [2, 2, -1, -2]]).double()
    one, two = torch.stack((luis, pays, ana)), torch.stack((ana, pays, luis))
    turned_arrows.show_order(one, two, rope_scores)
    figure, words = drawn(shown)
    assert [axes.get_title() for axes in figure.axes] == [
        "Luis pays Ana: weight 0.04",
        "Ana pays Luis: weight 0.26",
    ]
    assert "Ana pays Luis: 59 degrees apart, weight 0.26" in words
    pair = torch.stack((luis, pays, luis))[:, :2]
    turned = rotate(pair, torch.arange(3.0)[:, None])  # the fast pair: 1 radian a place
    tips = [[t.xy for t in axes.texts if isinstance(t, Annotation)] for axes in figure.axes]
    for shown_tips, expected in zip(tips, ((1, 0), (1, 2)), strict=True):
        assert shown_tips == [pytest.approx(turned[n].tolist()) for n in expected]
    told = [{text.get_text() for text in axes.texts} for axes in figure.axes]
    assert {"Luis: no turn", "pays: 1 turn", "174°"} <= told[0]
    assert {"Luis: 2 turns", "pays: 1 turn", "59°"} <= told[1]


def test_the_turned_model_looks_right_before_itself_and_the_heap_does_not(shown):
    models = train_on_pairs(turned=False), train_on_pairs(turned=True)
    tables_in_a_row.show_where_they_look(*models)
    figure, words = drawn(shown)
    heap, turned = (axes.images[0].get_array() for axes in figure.axes)
    assert heap.mask[0].tolist() == [False] + [True] * 7
    for weights, model in zip((heap, turned), models, strict=True):
        expected = model.weights(eight_throws())[0].detach()
        torch.testing.assert_close(torch.tensor(weights.filled(0)).float(), expected)
    assert turned.diagonal(-1)[1:].min() > 0.5 > heap.diagonal(-1)[1:].min()
    assert " ".join(str(side + 1) for side in eight_throws()[0].tolist()) in words
    for axes, weights in zip(figure.axes, (heap, turned), strict=True):
        above = [text.get_text() for text in axes.texts if text.get_position()[1] < -0.5]
        sides = [str(side + 1) for side in eight_throws()[0].tolist()]
        assert above == ["throw", *map(str, range(8)), "side", *sides]
        inside = [text for text in axes.texts if -0.5 < text.get_position()[1] < 8]
        written = [float(text.get_text()) for text in inside]
        numbered = weights[tables_in_a_row.UNSURE]
        assert written == pytest.approx([one for one in numbered if one >= 0.05], abs=0.0051)
        frames = [p for p in axes.patches if to_hex(p.get_edgecolor()) == KEY]
        assert len(frames) == 7  # one place back, and nothing else is orange
        assert not [t for t in axes.texts if to_hex(t.get_color()) == KEY]
        places = [tick.get_text() for tick in axes.get_yticklabels()]
        assert places == [str(place) for place in range(8)]  # the chapter speaks of place 6
    throws, row = eight_throws()[0] + 1, heap[tables_in_a_row.UNSURE]
    assert throws.tolist() == [7, 5, 7, 5, 7, 8, 7, 8]  # as the chapter says, with what follows
    assert row[[1, 3, 5]].tolist() == pytest.approx([0.34, 0.34, 0.22], abs=0.02)
    said = [axes.get_title()[-14:] for axes in figure.axes]
    assert said == ["place 6 says 5", f"place 6 says {throws[tables_in_a_row.UNSURE - 1]}"]
    sums = [axes.get_xlabel().removeprefix("place 6: ").split(", ") for axes in figure.axes]
    assert [[line[:3] for line in each] for each in sums] == [["5s ", "8s ", "res"], ["8s "]]
    for each, weights in zip(sums, (heap, turned), strict=True):
        assert sum(float(line.split()[-1]) for line in each) == pytest.approx(1)
        for line in each[:2]:  # the third has what is left, in cells without a number
            of_the_side = weights[tables_in_a_row.UNSURE][(throws == int(line[0])).numpy()]
            added = sum(float(f"{one:.2f}") for one in of_the_side.compressed())
            assert line[3:] == f"{added:.2f}".removeprefix("0")


def test_the_full_stop_names_the_payer_with_turns_and_one_name_twice_without(shown):
    models = train_on_payers(turned=False), train_on_payers(turned=True)
    who_pays.show_who_pays(*models, rope_scores)
    figure, words = drawn(shown)
    assert [axes.get_title() for axes in figure.axes] == [
        "mask alone: 12 of 24 right",
        "mask and turns: 24 of 24 right",
    ]
    cells = [[text.get_text() for text in axes.texts if text.get_text()] for axes in figure.axes]
    assert cells[0][:4] == ["Luis\n.4", "pays\n.1", "Ana\n.3", "stop\n.2"]
    assert cells[0][4:8] == ["Ana\n.3", "pays\n.1", "Luis\n.4", "stop\n.2"]
    assert cells[0][8:] == ["says Luis ✓", "says Luis ✗"]
    assert cells[1][:8] == [
        "Luis\n1.0", "pays", "Ana", "stop", "Ana\n1.0", "pays", "Luis", "stop"
    ]  # fmt: skip
    assert cells[1][8:] == ["says Luis ✓", "says Ana ✓"]
    assert "mask and turns: 24 of 24 right. Luis 1.0, pays .0, Ana .0, stop .0" in words
    for axes, model in zip(figure.axes, models, strict=True):  # and far from another digit
        weights = model.weights(who_pays.TEXTS)[:, -1].detach().numpy()
        assert abs(axes.images[0].get_array().data - weights).max() < 0.04


def test_scores_without_places_do_not_find_the_payer_and_the_title_says_so(shown):
    models = train_on_payers(turned=False), train_on_payers(turned=True)
    who_pays.show_who_pays(*models, lambda q, k: q @ k.T / q.shape[1] ** 0.5)
    figure, _ = drawn(shown)
    assert "24 of 24" not in figure.axes[1].get_title()
    assert figure.axes[0].get_title() == "mask alone: 12 of 24 right"


@pytest.mark.parametrize("degrees", [30, 40])
def test_what_is_made_of_two_arrows_turns_with_them(shown, degrees):
    turned_arrows.show_turn(degrees)
    figure, words = drawn(shown)
    tips = [text.xy for text in figure.axes[1].texts if isinstance(text, Annotation)]
    turned = rotate(torch.tensor([[3.0, 4.0]]), torch.tensor([[degrees * torch.pi / 180]]))[0]
    assert tips[0] == pytest.approx((3, 4))
    assert tips[1] == pytest.approx(turned.tolist(), abs=1e-5)
    assert f"Here α is {degrees} degrees" in words


def test_a_leak_is_dark_in_its_own_cell_and_the_learners_verdict_stands_above(shown):
    words = torch.randn(5, 3, generator=torch.Generator().manual_seed(0))
    tried = {"causal": layers.causal_layer, "hole": layers.far_hole}
    moved.show_moves(tried, words, leaks)
    figure, told = drawn(shown)
    causal, hole = (
        [i for i, text in enumerate(axes.texts) if text.get_text() == "leak"]
        for axes in figure.axes
    )
    assert (causal, hole) == ([], [3])  # row 0, column 3
    titles = [axes.get_title() for axes in figure.axes]
    assert titles == ["causal:\nleaks says False", "hole:\nleaks says True"]
    assert "output 0 moves with 0; output 1 moves with 0, 1;" in told
    assert "hole, leaks says True: output 0 moves with 0, 3;" in told


@pytest.mark.parametrize(
    ("rule", "verdict"),
    [
        (lambda i, j: j > i, "✓ Mended: no later word moves an output"),  # ~allowed
        (lambda i, j: j < i, "Grey: this word moves the output. Black: a leak"),  # ~allowed.T
        (lambda i, j: j >= i, "No leak, but too much is hidden"),  # allowed.T
        (lambda i, j: j != i, "No leak, but too much is hidden"),
        (lambda i, j: j <= i, "Grey: this word moves the output. Black: a leak"),  # allowed
        (
            lambda i, j: i + j < 0,
            "Grey: this word moves the output. Black: a leak",
        ),
    ],
)
def test_the_title_says_whether_the_mask_of_pytorchs_layer_is_mended(shown, rule, verdict):
    words = torch.randn(4, 3, generator=torch.Generator().manual_seed(0))
    hidden = rule(torch.arange(4)[:, None], torch.arange(4)[None])
    with torch.random.fork_rng():
        torch.manual_seed(1)
        lib = torch.nn.MultiheadAttention(3, 1)
    tried = {"yours": layers.causal_layer, "PyTorch": lambda x: lib(x, x, x, attn_mask=hidden)[0]}
    moved.show_moves(tried, words, leaks)
    figure, told = drawn(shown)
    assert figure.get_suptitle() == verdict
    assert told.endswith(verdict)


def test_an_output_that_is_not_a_number_neither_moves_nor_stays(shown):
    words = torch.randn(3, 2, generator=torch.Generator().manual_seed(0))
    late = torch.full((3, 1), torch.nan).masked_fill(torch.tensor([[1], [1], [0]]).bool(), 1)
    moved.show_moves({"a": lambda x: x * late, "b": lambda x: x}, words, leaks)
    figure, told = drawn(shown)
    assert [text.get_text() for text in figure.axes[0].texts] == [""] * 6 + ["NaN"] * 3
    assert "output 2 is NaN" in told


def test_a_model_without_its_leak_is_as_loud_and_its_loss_stands_at_the_side_that_comes(shown):
    leaky = train(Mask("one too far", lambda b, i, j: j <= i + 1))
    writing = tried_under(causal, leaky)
    sure_and_wrong.show_sure_and_wrong(leaky, writing)
    figure, words = drawn(shown)
    throws = throw(1, torch.Generator().manual_seed(sure_and_wrong.SEED))
    place = sure_and_wrong.ASKED
    side = int(throws[0, place + 1])
    for column, trained in enumerate((leaky, writing)):
        row, chances = figure.axes[column], figure.axes[2 + column]
        scores = trained.model(throws)[0, place].double()
        shown_weights = row.images[0].get_array()
        expected = trained.model.weights(throws)[0, place, :8].tolist()
        assert shown_weights.filled(0)[0].tolist() == pytest.approx(expected)
        heights = [bar.get_height() for bar in chances.patches]
        assert heights == pytest.approx(scores.softmax(dim=-1).tolist())
        assert max(heights) > 0.99
        loss = -scores.log_softmax(dim=-1)[side].item()
        (text,) = (text for text in chances.texts if "comes" in text.get_text())
        assert text.get_text().startswith(f"the {side + 1} comes: loss ")
        assert float(text.get_text().split()[-1]) == pytest.approx(loss, abs=0.5)
        assert text.get_position()[0] == side
    numbers = [text.get_text() for text in figure.axes[1].texts]
    assert numbers == [str(place) for place in range(8)]  # the chapter speaks of throw 3 and 6
    hidden = [axes.images[0].get_array().mask[0].tolist() for axes in figure.axes[:2]]
    assert hidden == [[False] * 7 + [True], [False] * 6 + [True] * 2]
    assert "as it writes (j <= i): weight" in words.lower()


def test_a_picture_of_a_model_needs_the_model(shown):
    with pytest.raises(ValueError, match="has no model"):
        sure_and_wrong.show_sure_and_wrong(Trained((), 0.0, 1.0), Trained((), 0.0, 1.0))
