"""Which chapters' web pages the browser tests take: the first, or in the walk all."""

import pytest

from tests.browser.conftest import ON_A_PAGE
from tests.browser.lab_driver import find_chromium
from tests.sweeps import WALK
from tools.editions import Course
from tools.pages import ROOT

SOURCES = Course(ROOT).sources()
TAKEN = [path.stem for path in (SOURCES if WALK else SOURCES[:1])]

in_a_browser = [
    pytest.mark.browser,
    pytest.mark.skipif(
        find_chromium() is None, reason="no browser: install chromium, or name one in CHROMIUM"
    ),
]
each_chapter = pytest.mark.parametrize("name", TAKEN, ids=lambda name: f"{ON_A_PAGE} {name}")
chapter_0 = pytest.mark.parametrize("name", TAKEN[:1], ids=lambda name: f"{ON_A_PAGE} {name}")
