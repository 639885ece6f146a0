"""tools/bets.py: a bet without its run is found in the source, by file and line."""

import re

import pytest

from tools.bets import check_bets
from tools.chapter import SourceError, read_chapter

SETTLED = '# %%\nbet("a")\n\n# %%\nx = 1\nsettle("a", x)\n'


@pytest.fixture
def check(tmp_path):
    def check(text):
        path = tmp_path / "01_small.py"
        path.write_text(text)
        check_bets(read_chapter(path))

    return check


def test_a_bet_with_its_run_below_is_fine(check):
    check(SETTLED)
    check('# %%\nx = "no bet at all"\n')


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ('# %%\nbet("a")\n', 2, "the bet 'a' is never settled"),
        ('# %%\nx = 1\nsettle("a", 1)\n', 3, "'a' is settled above its bet"),
        (SETTLED + '\n# %%\nsettle("a", 2)\n', 9, "'a' is settled twice"),
        (SETTLED + '\n# %%\nbet("a")\n', 9, "the bet 'a' stands twice"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(check, text, line, said):
    with pytest.raises(SourceError, match=rf":{line}: {re.escape(said)}"):
        check(text)
