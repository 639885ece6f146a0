import io

import numpy as np
import pytest
from PIL import Image

from course_lib.figures.png import halved, quick_png, small_png


def read(png):
    image = Image.open(io.BytesIO(png))
    image.load()
    return image


@pytest.fixture
def picture():
    return np.random.default_rng(0).integers(0, 256, size=(11, 7, 3), dtype=np.uint8)


def test_the_quick_png_holds_every_pixel(picture):
    image = read(quick_png(picture))
    assert image.mode == "RGB"
    np.testing.assert_array_equal(np.asarray(image), picture)


def test_the_quick_png_takes_a_view_into_a_larger_buffer(picture):
    rgba = np.dstack([picture, np.full((11, 7), 255, dtype=np.uint8)])
    np.testing.assert_array_equal(np.asarray(read(quick_png(rgba[..., :3]))), picture)


def test_the_small_png_has_at_most_128_colours_and_no_date_or_program(picture):
    many = np.random.default_rng(1).integers(0, 256, size=(53, 47, 3), dtype=np.uint8)
    image = read(small_png(many))
    assert len(image.getcolors(256)) <= 128
    assert image.info == {}
    assert small_png(many) == small_png(many.copy())


def test_halving_takes_the_mean_of_four_pixels_and_drops_odd_edges(picture):
    small = halved(picture)
    assert small.shape == (5, 3, 3)
    expected = picture[2:4, 4:6].reshape(4, 3).mean(axis=0)
    np.testing.assert_allclose(small[1, 2], expected, atol=0.5)
