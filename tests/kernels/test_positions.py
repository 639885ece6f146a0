"""The positions kernel: each encoding against its defining property and a slow loop."""

import doctest
import math

import pytest
import torch

from course_lib.kernels import positions
from course_lib.kernels.positions import alibi, frequencies, rotary, rotate, sinusoidal, slopes

FLOAT32 = torch.finfo(torch.float32).eps
far = pytest.mark.parametrize("place", [0, 7, 1000, 100_000])


def normal(*shape, seed=0, dtype=torch.float64):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=dtype)


def test_the_examples_in_the_docstrings_run():
    assert doctest.testmod(positions).attempted >= 3
    assert doctest.testmod(positions).failed == 0


# Sinusoidal


def test_sinusoidal_agrees_with_the_papers_formula():
    got = sinusoidal(7, 6)
    for p in range(7):
        for i in range(3):
            angle = p / 10000 ** (2 * i / 6)
            assert got[p, 2 * i].item() == pytest.approx(math.sin(angle), abs=FLOAT32)
            assert got[p, 2 * i + 1].item() == pytest.approx(math.cos(angle), abs=FLOAT32)


def test_every_position_has_the_same_length():
    lengths = sinusoidal(1000, 10).norm(dim=1)
    assert lengths.allclose(torch.tensor(math.sqrt(5)), rtol=4 * FLOAT32)


@far
def test_the_dot_product_of_two_positions_depends_on_their_distance_alone(place):
    rows = sinusoidal(torch.tensor([place, place + 5]), 64)
    expected = (5 * frequencies(64)).cos().sum().item()
    assert float(rows[0] @ rows[1]) == pytest.approx(expected, abs=32 * 4 * FLOAT32)


def test_a_step_is_the_same_rotation_everywhere():
    d, k = 6, 3
    rows = sinusoidal(11, d).double()
    turned = rotary(rows[:8], torch.full((8,), -k))  # (sin, cos) turns the other way
    torch.testing.assert_close(turned, rows[3:], rtol=0, atol=4 * FLOAT32)


# One turn


def test_turning_by_place_times_frequency_is_rotary():
    x = normal(7, 6)
    angles = torch.arange(7)[:, None] * frequencies(6)
    torch.testing.assert_close(rotate(x, angles), rotary(x), rtol=0, atol=1e-14)


def test_a_turned_row_is_as_precise_as_it_came_and_whole_numbers_become_fractions():
    angles = torch.tensor([[math.pi / 6]], dtype=torch.float64)
    assert rotate(torch.tensor([[3.0, 4.0]]), angles).dtype == torch.float32
    assert rotate(torch.tensor([[3, 4]]), angles).norm().item() == pytest.approx(5)


@pytest.mark.parametrize("shape", [(3,), (2,), (3, 1), (2, 3), (1, 2), (3, 4)])
def test_angles_of_another_shape_are_refused_with_the_right_one(shape):
    with pytest.raises(ValueError, match=r"expected \(3, 2\): a row for each row of x"):
        rotate(normal(3, 4), torch.zeros(shape))


def test_rows_that_cannot_be_cut_into_pairs_are_refused():
    with pytest.raises(ValueError, match="even width"):
        rotate(normal(3, 5), torch.zeros(3, 2))
    with pytest.raises(ValueError, match="even width"):
        rotate(normal(4), torch.zeros(2))
    with pytest.raises(TypeError, match="two tensors"):
        rotate(normal(3, 4), 0.5)


# Rotary


def slowly_turned(x, places, pairs, base=10000.0):
    out, d = x.clone(), x.shape[-1]
    for row, p in enumerate(places):
        for i, (a, b) in enumerate(pairs):
            angle = p * base ** (-2 * i / d)
            cos, sin = math.cos(angle), math.sin(angle)
            out[..., row, a] = x[..., row, a] * cos - x[..., row, b] * sin
            out[..., row, b] = x[..., row, a] * sin + x[..., row, b] * cos
    return out


@pytest.mark.parametrize(
    ("layout", "pairs"),
    [("neighbours", [(0, 1), (2, 3), (4, 5)]), ("halves", [(0, 3), (1, 4), (2, 5)])],
)
def test_rotary_agrees_with_a_slow_loop(layout, pairs):
    x, places = normal(2, 5, 6), torch.tensor([0, 3, 1, 50, 7])
    expected = slowly_turned(x, places.tolist(), pairs)
    got = rotary(x, places, layout=layout)
    torch.testing.assert_close(got, expected, rtol=0, atol=1e-13)


@far
@pytest.mark.parametrize("layout", positions.LAYOUTS)
def test_a_score_depends_on_the_distance_alone(place, layout):
    q, k = normal(1, 10), normal(1, 10, seed=1)

    def score(i, j):
        turned = (rotary(x, torch.tensor([p]), layout=layout)[0] for x, p in ((q, i), (k, j)))
        return float(torch.dot(*turned))

    assert score(place + 5, place) == pytest.approx(score(5, 0), abs=1e-9)
    assert score(place + 4, place) != pytest.approx(score(5, 0), abs=1e-3)


def test_lengths_stay_and_position_0_is_left_alone():
    x = normal(7, 10)
    turned = rotary(x)
    assert turned.norm(dim=1).allclose(x.norm(dim=1), rtol=1e-14)
    assert turned[0].equal(x[0])


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
def test_rotary_keeps_the_type_and_rounds_once(dtype):
    x = normal(3, 5, 8).to(dtype)
    places = torch.arange(1000, 1005)
    exact = rotary(x.double(), places)
    got = rotary(x, places)
    assert got.dtype == dtype
    limit = torch.finfo(dtype).eps * x.double().abs().max() * 2
    assert (got.double() - exact).abs().max() <= limit


def test_rotary_passes_gradients_and_takes_any_leading_axes():
    x = normal(2, 3, 5, 4).requires_grad_()
    assert torch.autograd.gradcheck(rotary, (x,))
    assert rotary(x.transpose(0, 1)).equal(rotary(x).transpose(0, 1))


# ALiBi


def test_the_slopes_of_the_paper():
    assert slopes(8).tolist() == [2.0**-i for i in range(1, 9)]
    assert slopes(16)[:2].tolist() == pytest.approx([2**-0.5, 2**-1.0], rel=FLOAT32)


@pytest.mark.parametrize("heads", [1, 3, 6, 12])
def test_other_numbers_of_heads_borrow_from_twice_as_many(heads):
    power = 2 ** math.floor(math.log2(heads))
    expected = slopes(power).tolist() + slopes(2 * power)[::2].tolist()[: heads - power]
    assert slopes(heads).tolist() == pytest.approx(expected, rel=FLOAT32)
    assert len(set(slopes(heads).tolist())) == heads


def test_the_bias_falls_by_the_slope_with_each_step():
    biases = alibi(2, torch.tensor([5]), torch.tensor([1, 2, 5, 7]))
    for bias, slope in zip(biases[:, 0], slopes(2).tolist(), strict=True):
        assert bias.tolist() == [-4 * slope, -3 * slope, 0, -2 * slope]


def test_with_a_causal_row_only_the_differences_count():
    row = alibi(3, 7)[:, -1]
    by_key = slopes(3)[:, None] * torch.arange(7)  # no query in it: a row's constant drops out
    torch.testing.assert_close(row.softmax(-1), by_key.softmax(-1))


# Other devices; "meta" computes shapes only, and refuses to be mixed with the CPU as a GPU does


def test_what_comes_from_another_device_stays_there():
    places = torch.arange(5, device="meta")
    x = torch.ones(5, 4, device="meta")
    for made in (sinusoidal(places, 4), alibi(2, places), rotary(x), rotary(x, places)):
        assert made.device.type == "meta"


# Bad input


@pytest.mark.parametrize(
    ("call", "error", "said"),
    [
        (lambda: sinusoidal(3, 5), ValueError, "must be even"),
        (lambda: sinusoidal(torch.tensor([True]), 4), TypeError, "n holds torch.bool"),
        (lambda: sinusoidal(torch.tensor([1j]), 4), TypeError, "n holds torch.complex64"),
        (lambda: rotary(normal(2, 4), torch.ones(2).half()), TypeError, "cannot count far"),
        (lambda: alibi(2, torch.arange(300).bfloat16()), TypeError, "queries holds torch.bfloat16"),
        (lambda: frequencies(4, base="x"), TypeError, "base is 'x'"),
        (lambda: frequencies(4, base=math.inf), ValueError, "base is inf"),
        (lambda: rotary(normal(1, 4), 5), TypeError, "one for each row of x"),
        (lambda: rotary(normal(2, 4), torch.tensor(5)), TypeError, "one for each row of x"),
        (lambda: alibi(2, 3, "x"), TypeError, "keys is 'x'"),
        (lambda: sinusoidal(3, 0), ValueError, "d is 0"),
        (lambda: sinusoidal(3, 4.0), TypeError, "whole number"),
        (lambda: sinusoidal(0, 4), ValueError, "n is 0"),
        (lambda: sinusoidal(2.0, 4), TypeError, "tensor of them"),
        (lambda: sinusoidal(torch.ones(2, 2), 4), ValueError, "shape"),
        (lambda: sinusoidal(3, 4, base=-1), ValueError, "base is -1"),
        (lambda: rotary([[1.0, 0.0]]), TypeError, "tensor"),
        (lambda: rotary(torch.ones(2, 2).int()), TypeError, "floating-point"),
        (lambda: rotary(torch.ones(4)), ValueError, "shape"),
        (lambda: rotary(torch.ones(2, 3)), ValueError, "must be even"),
        (lambda: rotary(torch.ones(2, 4), torch.arange(3)), ValueError, "x has 2 rows"),
        (lambda: rotary(torch.ones(2, 4), layout="pairs"), ValueError, "layout is 'pairs'"),
        (lambda: alibi(0, 3), ValueError, "heads is 0"),
        (lambda: alibi(1.5, 3), TypeError, "whole number"),
        (lambda: alibi(2, 0), ValueError, "queries is 0"),
    ],
)
def test_bad_input_is_refused_with_its_reason(call, error, said):
    with pytest.raises(error, match=said):
        call()
