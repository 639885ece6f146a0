import io

import numpy as np
import pytest
from PIL import Image

from course_lib.figures.png import SHIFTED, halved, quick_png, small_png
from course_lib.figures.theme import INK, KEY, OUTPUT, QUERY, VALUE


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


def many_shades_and_a_little_of(colour):
    """A picture full of greens and browns, with a few pixels of a colour of the course."""
    shades = np.random.default_rng(2).integers(0, 120, size=(97, 89, 3), dtype=np.uint8)
    shades[..., 2] //= 4
    shades[:3, :11] = tuple(bytes.fromhex(colour[1:]))
    return shades


@pytest.mark.parametrize("colour", [QUERY, KEY, VALUE, OUTPUT, INK])
def test_the_small_png_keeps_each_colour_of_the_course_however_few_of_it_there_are(colour):
    picture = many_shades_and_a_little_of(colour)
    stored = np.asarray(read(small_png(picture, 16)).convert("RGB"))
    assert np.abs(stored[:3, :11].astype(int) - picture[:3, :11]).max() <= 8
    assert len(np.unique(stored.reshape(-1, 3), axis=0)) <= 16 + 4


def test_where_no_colour_of_the_course_is_lost_the_small_png_is_that_of_pillow(picture):
    blank = np.full((53, 47, 3), 255, dtype=np.uint8)
    blank[10:20] = tuple(bytes.fromhex(QUERY[1:]))
    for plain in (picture, blank):
        out = io.BytesIO()
        quantised = Image.fromarray(plain).quantize(48, method=Image.Quantize.MEDIANCUT, dither=0)
        quantised.save(out, "PNG", optimize=True)
        assert small_png(plain, 48) == out.getvalue()


def test_a_full_palette_gets_no_more_than_a_png_can_hold():
    picture = np.random.default_rng(3).integers(0, 256, size=(97, 89, 3), dtype=np.uint8)
    picture[:3, :11] = tuple(bytes.fromhex(QUERY[1:]))
    assert len(read(small_png(picture, 256)).getcolors(256)) <= 256


def test_a_grey_is_stored_as_a_grey_where_few_colours_would_tint_it():
    picture = np.full((53, 47, 3), 255, dtype=np.uint8)
    pale = np.random.default_rng(4).integers(200, 256, size=(20, 47, 3), dtype=np.uint8)
    picture[:20] = pale | np.array([255, 0, 0], dtype=np.uint8)  # pale reds
    picture[30:32], picture[40:41] = 221, 180  # faint lines
    image = Image.fromarray(picture).quantize(4, method=Image.Quantize.MEDIANCUT, dither=0)
    stored, plain = (np.asarray(one.convert("RGB")) for one in (read(small_png(picture, 4)), image))
    lines = np.r_[30:32, 40:41]
    assert np.ptp(plain[lines].astype(int), axis=-1).max() >= 16  # else nothing is tested
    assert np.ptp(stored[lines].astype(int), axis=-1).max() < 16
    assert np.abs(stored[lines].astype(int) - picture[lines]).max() <= 16


def test_a_filled_surface_keeps_its_hue_where_few_colours_would_change_it():
    picture = np.random.default_rng(0).integers(0, 256, size=(53, 47, 3), dtype=np.uint8)
    picture[20:30], picture[30:40] = (104, 137, 118), (100, 107, 120)
    image = Image.fromarray(picture).quantize(4, method=Image.Quantize.MEDIANCUT, dither=0)
    stored, plain = (np.asarray(one.convert("RGB")) for one in (read(small_png(picture, 4)), image))
    away = [
        np.ptp(one[30:40].astype(int) - picture[30:40], axis=-1).max() for one in (plain, stored)
    ]
    assert away[0] > SHIFTED >= away[1]  # else nothing is tested
