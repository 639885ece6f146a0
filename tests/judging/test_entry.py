"""`from course_lib.judging import judge, names`: the entry for graders, tests and other tools."""

import doctest
import subprocess
import sys

import pytest

from course_lib import judging
from course_lib.judging import judge, names


def test_the_examples_of_its_docstring_are_true():
    found = doctest.testmod(judging)
    assert found.attempted >= 6
    assert found.failed == 0


def test_importing_it_loads_neither_torch_nor_pictures_nor_a_chapter():
    code = (
        "import sys; from course_lib.judging import judge, names\n"
        "print([one for one in sys.modules if one in ('torch', 'matplotlib', 'ipywidgets')"
        " or one.startswith('course_lib.chapters')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_names_are_of_all_chapters_or_of_one():
    assert set(names("scaling")) == set(names("03_scaling")) < set(names())
    assert all(one.count("/") == 1 for one in names())


def test_judging_prints_and_saves_nothing(capfd, tmp_path, monkeypatch):
    monkeypatch.setenv("COURSE_STATE", str(tmp_path / "state"))

    def scale(scores, d_k):
        print("out")
        return scores / d_k

    verdict = judge("03_scaling/scale", scale)
    assert verdict.state == "wrong"
    assert verdict.diagnosis.startswith("You divided by")
    assert verdict.text.endswith(verdict.diagnosis)
    assert capfd.readouterr() == ("", "")
    assert not (tmp_path / "state").exists()


@pytest.mark.parametrize(
    ("answer", "state"),
    [
        (lambda scores, d_k: ..., "todo"),
        (lambda scores, d_k: scores / d_k**0.5, "right"),
        (lambda scores: scores, "wrong"),
        (5, "wrong"),
    ],
)
def test_where_no_mistake_is_known_the_diagnosis_is_empty(answer, state):
    verdict = judge("03_scaling/scale", answer)
    assert (verdict.state, verdict.diagnosis) == (state, "")
    assert verdict.text


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("00_start_here/by_too", "00_start_here/by_too.*there is 00_start_here/next_letter, "),
        ("02_scaling/scale", "chapter must be 03_scaling; got '02_scaling'"),
        ("03_skaling/scale", "chapter must be one of cosine_or_dot, dot_product"),
        ("attention", "01_dot_product/attention, 03_scaling/attention"),
        ("", "name must be one exercise; got ''"),
    ],
)
def test_an_unknown_name_lists_what_there_is(name, said):
    with pytest.raises(KeyError, match=said):
        judge(name, None)
