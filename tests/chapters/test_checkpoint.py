"""Chapter 7's section with a checkpoint, switched on: notebooks run it switched off."""

import contextlib
import io
import re
from pathlib import Path

import pytest

pytest.importorskip("transformers", reason="it writes the checkpoint: pip install it")

from course_lib.kernels.heads import multi_head_attention
from course_lib.models.copying import load_copying
from tests.models.test_gpt2 import write_checkpoint

CHAPTER = Path(__file__).resolve().parents[2] / "chapters" / "07_multi_head.py"
HEADING = "# ### Depth: a real checkpoint"
SWITCH = "CHECKPOINT = None"


def code_of_the_section():
    """Its code cells, up to the next heading of this kind."""
    cells = re.split(r"^# %%", CHAPTER.read_text(encoding="utf-8"), flags=re.M)
    first = next(i for i, cell in enumerate(cells) if HEADING in cell)
    rest = [i for i, cell in enumerate(cells) if i > first and "\n# ### " in cell]
    section = cells[first : rest[0] if rest else None]
    return "\n".join(cell.split("\n", 1)[1] for cell in section if "[markdown]" not in cell[:12])


def test_with_the_switch_on_the_section_runs_on_the_checkpoint(tmp_path):
    import torch

    write_checkpoint(tmp_path)
    code = code_of_the_section()
    assert code.count(SWITCH) == 1
    calls = []

    def mine(x, w_q, w_k, w_v, w_o, heads, mask=None):
        calls.append(heads)
        return multi_head_attention(x, w_q, w_k, w_v, w_o, heads, mask=mask)

    names = {"torch": torch}
    exec("from course_lib.chapters.multi_head import *", names)  # as the notebook's first cell does
    names |= {"model": load_copying(), "multi_head": mine}  # what it takes from the chapter above
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(code.replace(SWITCH, f"CHECKPOINT = {str(tmp_path)!r}"), names)
    assert calls == [5, 5, 5], "three layers of the checkpoint"
    assert len(re.findall(r"^0\.\d\d  '", printed.getvalue(), flags=re.M)) == 5
    assert "tokens: ['" in printed.getvalue()
    assert "549 MB" in printed.getvalue()
    assert "the copying model goes on" not in printed.getvalue()
