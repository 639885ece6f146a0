"""How the gradient fades with the distance, in fresh networks."""

import numpy as np
import pytest
import torch

from course_lib.models.vanishing_gradient import KINDS, _last_output, gradient_by_distance, typical


@pytest.fixture(scope="module")
def sizes():
    return gradient_by_distance()


@pytest.fixture(scope="module")
def means(sizes):
    return {kind: typical(table) for kind, table in sizes.items()}


def test_there_is_a_row_for_each_seed_and_a_column_for_each_distance():
    found = gradient_by_distance(length=7, width=5, seeds=(3, 11), texts=2)
    assert list(found) == list(KINDS)
    assert all(table.shape == (2, 7) and (table > 0).all() for table in found.values())


def test_the_numbers_depend_on_the_seed_alone():
    first, same = (gradient_by_distance(length=11, seeds=[5]) for _ in range(2))
    other = gradient_by_distance(length=11, seeds=[6])
    torch.manual_seed(1)
    for kind in KINDS:
        np.testing.assert_array_equal(first[kind], same[kind])
        assert (first[kind] != other[kind]).all()


@pytest.mark.parametrize("kind", KINDS)
def test_the_gradient_says_how_much_the_output_moves(kind):
    """Against a difference: the last word but two is moved a little."""
    shape, back, step = (1, 5, 3), 2, 1e-6
    size = gradient_by_distance(length=5, width=3, seeds=[0], texts=1)[kind][0, back]

    def output(shift):
        generator = torch.Generator().manual_seed(0)

        def drawn(*shape):
            return torch.randn(shape, generator=generator, dtype=torch.float64)

        words, direction = drawn(*shape), drawn(3)
        words[0, -1 - back] += shift
        return _last_output(kind, words, drawn, generator)[0] @ (direction / direction.norm())

    slope = [(output(step * e) - output(-step * e)) / (2 * step) for e in torch.eye(3).double()]
    assert size == pytest.approx(float(torch.stack(slope).norm().detach()), rel=1e-6)


def test_in_recurrent_networks_it_fades_by_powers_of_ten(means):
    assert means["RNN"][50] < 1e-14
    assert means["LSTM"][50] < 1e-10
    for kind in ("RNN", "LSTM"):
        assert (np.diff(np.log(means[kind][::10])) < -4).all()
        assert means[kind][99] > 0, "weak, not absent: the range of a recurrent network is all"


def test_an_orthogonal_matrix_slows_the_fading(means):
    assert means["RNN, orthogonal"][50] > 1e6 * means["RNN"][50]
    small = gradient_by_distance(seeds=range(3), size=0.1)
    assert typical(small["RNN, orthogonal"])[50] > 1e4 * means["RNN, orthogonal"][50]


def test_in_attention_the_distance_does_not_matter(sizes):
    away = sizes["attention"][:, 1:]
    assert abs(np.corrcoef(np.arange(1, 100), typical(away))[0, 1]) < 0.25
    assert away.min() > 1e-3


def test_in_attention_many_words_share_what_there_is():
    few, many = (
        typical(gradient_by_distance(length=n, seeds=range(3))["attention"])[1:].mean()
        for n in (25, 100)
    )
    assert 3 < few / many < 6


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"length": 0}, "length is 0"),
        ({"width": 0}, "width is 0"),
        ({"texts": 0}, "texts is 0"),
        ({"seeds": []}, "seeds is empty"),
    ],
)
def test_what_cannot_be_measured_is_refused(options, says):
    with pytest.raises(ValueError, match=says):
        gradient_by_distance(**options)


def test_the_geometric_mean_averages_powers():
    np.testing.assert_allclose(typical(np.array([[1.0, 1e-2], [1e-4, 1e-6]])), [1e-2, 1e-4])
