"""The hues of chapter 4's keys: apart for everyone, no role's, and readable with their labels."""

import itertools

import numpy as np
import pytest
from matplotlib.colors import to_rgb

from course_lib.chapters.softmax.hues import FITS, FOUR, STRANGER, strangers
from course_lib.figures import theme
from course_lib.figures.heat_map import contrast
from course_lib.figures.shares import ink_on
from tests.figures.test_theme import BLINDNESS, seen


def distance(a, b, blindness):
    return np.linalg.norm(
        seen(np.array(to_rgb(a)), blindness) - seen(np.array(to_rgb(b)), blindness)
    )


@pytest.mark.parametrize("blindness", BLINDNESS)
def test_the_keys_stay_apart_from_each_other_without_full_colour_vision(blindness):
    for a, b in itertools.combinations(FOUR, 2):
        assert distance(a, b, blindness) > 30, (a, b)
    assert distance(FITS, STRANGER, blindness) > 30


@pytest.mark.parametrize("blindness", BLINDNESS)
def test_no_key_has_the_colour_of_a_role(blindness):
    for hue, role in itertools.product(FOUR, ("QUERY", "KEY", "VALUE", "OUTPUT")):
        assert distance(hue, getattr(theme, role), blindness) > 12, (hue, role)


@pytest.mark.parametrize("hue", [*FOUR, *strangers(16)])
def test_a_label_is_readable_on_its_piece(hue):
    assert contrast(to_rgb(hue), to_rgb(ink_on(hue))) >= 4.5
