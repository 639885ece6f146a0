"""tools/teaching.py: the pages for teachers say what the chapters say, and are not stale."""

import re

import pytest

from course_lib.betting.bet import Bet, Choice, Number
from course_lib.words import say
from tools import lesson, pages, teaching
from tools.pages import ROOT
from tools.syllabus import Syllabus, all_explorers, course

FOLDED = re.compile(r"<details>.*?</details>", re.S)
ADDRESS = re.compile(r"\]\(([^)\s]*)\)")
MOST_WORDS = 1900  # about three printed pages; a chapter of two sittings has two labs
every_chapter = pytest.mark.parametrize("chapter", course(), ids=lambda one: one.name)
WITH_LABS = [one for one in course() if teaching.advice()[one.name].lessons]
every_lab = pytest.mark.parametrize("chapter", WITH_LABS, ids=lambda one: one.name)


def labs(chapter):
    return lesson.lessons(chapter, teaching.advice()[chapter.name].lessons)


@every_chapter
def test_the_page_is_not_stale(chapter):
    path = teaching.FOLDER / f"{chapter.name}.md"
    assert not pages.stale({path: teaching.page(chapter)}), "run: python -m tools.teaching"


def test_every_page_belongs_to_a_chapter():
    found = {path.stem for path in teaching.FOLDER.glob("[0-9][0-9]_*.md")}
    assert found == {chapter.name for chapter in course()} == set(teaching.advice())


@every_chapter
def test_every_bet_exercise_and_slider_of_the_chapter_is_on_its_page(chapter):
    page = teaching.page(chapter)
    for bet in chapter.data.bets.values():
        assert f"**`{bet.name}`**" in page
        assert f"The run says **{chapter.runs[bet.name]}**" in page
    for exercise in chapter.data.exercises.values():
        assert f"[`{exercise.name}`](" in page
        for mistake in exercise.mistakes:
            says = teaching.MARKER.sub(teaching.BACKSLASH, say(mistake.says))
            assert f"- {says}\n" in page
    for section in chapter.sections:
        for name in section.explorers:
            assert say(all_explorers()[name].goal.text) in page


def test_every_explorer_stands_in_one_chapter():
    placed = [name for one in course() for section in one.sections for name in section.explorers]
    assert sorted(placed) == sorted(all_explorers())


@every_chapter
def test_the_minutes_of_the_sections_are_those_of_the_chapter(chapter):
    core = sum(one.minutes for one in chapter.sections if not one.depth)
    assert core == chapter.source.minutes()


@every_lab
def test_a_lab_has_three_questions_and_two_halves_of_like_length(chapter):
    for lab in labs(chapter):
        assert len(lab.opening) == 3
        halves = [sum(one.minutes for one in half) for half in (lab.first, lab.second)]
        assert 34 >= max(halves) >= min(halves) >= 12  # beyond 30: out of the 10 of slack
        assert lab.vote in [name for one in (*lab.first, *lab.second) for name in one.bets]


@every_lab
def test_the_table_of_a_lab_has_two_hours_of_three_columns(chapter):
    rows = re.findall(r"^\| (\d+) \| (.*) \|$", teaching.page(chapter), re.M)
    assert sum(int(minutes) for minutes, _ in rows) == 120 * len(labs(chapter))
    assert all(len(re.findall(r"(?<!\\)\|", row)) == 1 for _, row in rows)


@every_chapter
def test_what_tempts_is_an_answer_that_can_be_given(chapter):
    for name, (answer, why) in teaching.advice()[chapter.name].tempts.items():
        assert name in chapter.data.bets, f"tools/teaching.toml: {chapter.name} has no bet {name!r}"
        kind = chapter.data.bets[name].answer
        assert why
        if isinstance(kind, Choice):
            assert answer in kind.options
        else:
            assert kind.low <= float(answer) <= kind.high


@every_chapter
def test_the_page_is_short_enough_to_print(chapter):
    printed = ADDRESS.sub("]", FOLDED.sub("", teaching.page(chapter)))
    assert len(printed.split()) <= MOST_WORDS * chapter.source.budget // 45


@every_chapter
def test_the_links_lead_somewhere(chapter):
    for address in ADDRESS.findall(teaching.page(chapter)):
        path = (teaching.FOLDER / address.partition("#")[0]).resolve()
        assert path.exists(), address


def test_the_advice_for_teachers_names_every_page_and_its_links_lead_somewhere():
    text = (teaching.FOLDER / "README.md").read_text(encoding="utf-8")
    found = {address.partition("#")[0] for address in ADDRESS.findall(text)}
    assert {f"{chapter.name}.md" for chapter in course()} <= found
    for address in found:
        assert (teaching.FOLDER / address).resolve().is_file(), address


@pytest.mark.parametrize(
    ("answer", "given", "run", "right"),
    [
        (Choice(("a", "b"), which=int), "a", "a", True),
        (Choice(("a", "b"), which=int), "b", "a", False),
        (Number(0, 90, unit="degrees", near=4), "60", "13.1 degrees", False),
        (Number(0, 90, unit="degrees", near=4), "10", "13.1 degrees", True),
        (Number(0, 90, factor=2), "10", "19", True),
    ],
)
def test_intuition_is_right_where_it_would_win_the_bet(answer, given, run, right):
    bet = Bet("small", question="?", answer=answer, why="")
    assert teaching.is_right(bet, given, run) == right


SMALL = """\
# %% [markdown] minutes=1
# # 1 · Small

# %% [markdown] minutes=3
# ## Three questions before you start
#
# 1. One?
# 2. Two
#    lines?
# 3. Three?
#
# <details><summary>Answers</summary>
#
# 1. Yes.
# </details>

# %% [markdown] minutes=10
# ## One
#
# ### Exercise: `dot`

# %% minutes=2
bet("no_transpose")

# %% [markdown] minutes=4
# ## Two

# %% [markdown] minutes=12
# ## Three

# %% [markdown]
# ## What you can now say
#
# <details><summary>Why so
# small?</summary>Because.</details>
# <details><summary>Why not?</summary>Because.</details>
"""
PLAN = {"vote": "no_transpose", "transfer": "Why so", "exit": "Why not"}


@pytest.fixture
def small(tmp_path):
    def small(text=SMALL):
        path = tmp_path / "01_dot_product.py"
        path.write_text(text)
        return Syllabus(path)

    return small


def test_a_lab_is_cut_at_the_heading_nearest_to_half_of_its_minutes(small):
    (lab,) = lesson.lessons(small(), [PLAN])
    assert lab.opening == ("One?", "Two lines?", "Three?")
    assert [one.title for one in lab.first] == ["One", "Exercise: `dot`"]
    assert [one.title for one in lab.second] == ["Two", "Three"]
    assert [one.minutes for one in lab.first] == [10, 2]
    assert (lab.transfer, lab.exit) == ("Why so small?", "Why not?")


def test_a_lab_is_cut_where_the_chapter_names_a_break(small):
    text = SMALL.replace("# ## Three\n", "# ## Three\n#\n# (About half of the way: rest.)\n")
    (lab,) = lesson.lessons(small(text), [PLAN])
    assert [one.title for one in lab.second] == ["Three"]


def test_a_question_that_is_not_in_the_chapter_is_refused(small):
    with pytest.raises(ValueError, match="0 questions begin with 'Where"):
        lesson.lessons(small(), [{**PLAN, "exit": "Where"}])
    with pytest.raises(ValueError, match="2 questions begin with 'Why"):
        lesson.lessons(small(), [{**PLAN, "exit": "Why"}])


def test_each_opening_needs_a_plan(small):
    with pytest.raises(ValueError, match="opens 1 times, and has 2 plans"):
        lesson.lessons(small(), [PLAN, PLAN])


def test_a_stale_page_is_named_and_then_written(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(pages, "ROOT", tmp_path)
    page = tmp_path / "docs" / "page.md"

    def run(*arguments):
        status = pages.command("small", "", lambda: {page: "new\n"}, "*.md", list(arguments))
        return status, capsys.readouterr()

    status, said = run("--check")
    assert status == 1
    assert "docs/page.md is stale: run python -m tools.small" in said.err
    assert not page.exists()
    assert run()[0] == 0
    assert page.read_text() == "new\n"
    assert run("--check")[0] == 0
    page.with_name("odd.md").touch()
    status, said = run("--check")
    assert status == 1
    assert "docs/odd.md belongs to nothing" in said.err


def test_the_address_of_a_section_is_the_one_that_jupyterlab_gives_it():
    section = course()[1].holding("exercises", "dot")
    assert course()[1].link(section) == "../notebooks/01_dot_product.ipynb#heading=Exercise:-dot"
    assert (ROOT / "notebooks" / "01_dot_product.ipynb").is_file()
