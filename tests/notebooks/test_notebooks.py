"""The committed notebooks: fresh, complete, small, without leaks, readable without sight."""

import json
import re
import sys
from pathlib import Path

import jupytext
import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from course_lib.judging import names, registry
from course_lib.notebook import sentences
from tools import running
from tools.answers import LEAST_LEAK_ELSEWHERE, answer_lines, leaks
from tools.build import main
from tools.chapter import exercises_of, read_chapter
from tools.editions import METADATA, Course, Edition
from tools.outputs import LARGEST, WIDGET, refuse, shown_text

COURSE = Course(Path(__file__).resolve().parents[2])
SOURCES = COURSE.sources()
ALL = sorted(COURSE.notebooks.rglob("*.ipynb"))
NOTEBOOKS = [path for path in ALL if path.parent.name != "colab"]  # those that were run
MARKS = {"notebooks": "○", "solutions": "✓"}

each_chapter = pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.stem)
each_notebook = pytest.mark.parametrize(
    "path", NOTEBOOKS, ids=lambda path: str(path.relative_to(COURSE.notebooks))
)


def read(path):
    return nbformat.read(path, 4)


def outputs(path):
    """Yield (cell, output) for every output of the notebook."""
    for cell in read(path).cells:
        for output in cell.get("outputs", []):
            yield cell, output


def test_there_are_chapters_and_notebooks_of_both_editions():
    assert SOURCES
    assert len(NOTEBOOKS) >= 2 * len(SOURCES)
    assert len(ALL) * 2 == len(NOTEBOOKS) * 3


def test_the_notebooks_are_what_the_chapters_say(capsys):
    assert main(["--check"], COURSE) == 0, capsys.readouterr().err


@each_notebook
def test_every_cell_ran_once_and_in_order(path):
    counts = [cell.execution_count for cell in read(path).cells if cell.cell_type == "code"]
    assert counts == list(range(1, len(counts) + 1)), "nbval passes a cell that never ran"


@each_notebook
def test_no_output_is_an_error_or_differs_elsewhere(path):
    for cell, output in outputs(path):
        assert output.output_type != "error", cell.source
    refuse(read(path), (str(COURSE.root), sys.prefix, str(Path.home())))


@each_notebook
def test_it_is_a_valid_notebook_with_the_same_metadata_as_all(path):
    notebook = read(path)
    nbformat.validate(notebook)
    assert notebook.metadata == METADATA
    assert [cell.id for cell in notebook.cells[:2]] == ["badge", "bootstrap"]


@each_notebook
def test_it_is_small_enough_for_git_and_github(path):
    assert path.stat().st_size <= LARGEST


@each_notebook
def test_no_widget_is_stored(path):
    assert WIDGET not in path.read_text(encoding="utf-8")


@each_notebook
def test_no_marker_of_an_answer_is_left(path):
    for cell in read(path).cells:
        assert not re.search(r"#\s*(END SOLUTION|SOLUTION|STUB)\b", cell.source), cell.source


@each_notebook
def test_every_picture_has_words_that_say_the_same(path):
    for cell, output in outputs(path):
        if "image/png" in output.get("data", {}):
            alt = output.metadata.get("image/png", {}).get("alt", "")
            assert len(alt.split()) >= 4, f"{cell.source}: what would a sighted reader take away?"
            assert output.data["text/plain"] == alt


@each_chapter
def test_the_learners_notebook_has_pictures_and_the_solutions_have_none(source):
    chapter = read_chapter(source)
    kinds = {}
    for solutions in (False, True):
        found = outputs(Edition(solutions).path(COURSE, chapter))
        kinds[solutions] = {kind for _, output in found for kind in output.get("data", {})}
    assert "image/png" in kinds[False]
    assert kinds[True] <= {"text/plain", "text/html"}


@each_chapter
def test_no_answer_can_be_read_in_the_learners_notebook(source):
    chapter = read_chapter(source)
    notebook = read(Edition(False).path(COURSE, chapter))
    seen = "\n".join([cell.source for cell in notebook.cells])
    seen += "\n".join(text for _, text in shown_text(notebook))
    for cell in chapter.english:
        if "shuffled" in cell.options:
            continue  # its lines are given; the build looks for them in the other cells
        for _, line in answer_lines(cell) if cell.kind == "code" else ():
            assert len(line) < LEAST_LEAK_ELSEWHERE or not leaks(line, seen), line


@each_notebook
def test_exercises_are_not_attempted_and_in_the_solutions_right(path):
    mark, found = MARKS[path.parent.name], 0
    for cell in read(path).cells:
        if not re.match(r"@exercise\n", cell.get("source", "")):
            continue
        found += 1
        plain = [out.get("text") or out["data"]["text/plain"] for out in cell.outputs]
        assert plain, f"no verdict below {cell.source}"
        assert plain[0].startswith(mark), f"{plain[0]!r} below {cell.source}"
    cells = read_chapter(COURSE.chapters / f"{path.stem}.py").cells
    assert found == sum(bool(cell.exercise) for cell in cells)


def test_what_is_run_in_the_solutions_is_no_progress_of_the_learner(tmp_path):
    """Up to the first exercise, whose answer stands there; then asked as the learner would."""
    cells = read(COURSE.notebooks / "solutions" / "01_dot_product.ipynb").cells
    first = next(n for n, cell in enumerate(cells) if cell.source.startswith("@exercise"))
    name = re.search(r"def (\w+)", cells[first].source)[1]
    asked = ["progress()", 'del os.environ["COURSE_EDITION"]\nprogress()']
    asked = [new_code_cell(source) for source in asked]
    running.run(new_notebook(cells=[*cells[: first + 1], *asked]), tmp_path, COURSE.root)
    told = [cell.outputs[0].data["text/plain"] for cell in asked]
    rows = [re.search(rf"^{name} .*", text, re.MULTILINE)[0] for text in told]
    assert sentences.STATE_RIGHT in rows[0]
    assert sentences.STATE_TODO in rows[1]


@each_chapter
def test_every_exercise_has_its_cell_its_file_and_its_place_in_the_handout(source):
    chapter = read_chapter(source)
    shown = [cell.exercise for cell in chapter.english if cell.exercise]
    files = {path.stem for path in exercises_of(source).glob("*.py")} - {"__init__"}
    known = [name.rpartition("/")[2] for name in names(chapter.name)]
    assert shown == known, "progress() shows them in the order of the chapter"
    assert sorted(known) == sorted(files)


@each_chapter
def test_every_bet_is_offered_once_and_then_settled(source):
    chapter = read_chapter(source)
    code = "\n".join(cell.text for cell in chapter.english if cell.kind == "code")
    (objects,) = registry.chapters(chapter.name)
    offered = re.findall(r'^bet\("(\w+)"\)', code, flags=re.MULTILINE)
    settled = re.findall(r'^settle\("(\w+)"', code, flags=re.MULTILINE)
    assert offered == list(objects.bets), "progress() shows them in the order of the chapter"
    assert settled == offered, "each bet is settled before the next one"


@each_chapter
def test_jupytext_reads_the_chapter_as_the_build_does(source):
    theirs = [(one.cell_type, one.source) for one in jupytext.read(source, fmt="py:percent").cells]
    cells = read_chapter(source).cells  # an exercise's own stands in a file of its own
    elsewhere = {"exercise", "card"}
    ours = [(one.kind, "" if elsewhere & set(one.options) else one.text) for one in cells]
    assert theirs == ours


@each_notebook
def test_a_stored_notebook_is_written_the_one_way(path):
    text = path.read_text(encoding="utf-8")
    assert text == json.dumps(json.loads(text), indent=1, sort_keys=True, ensure_ascii=False) + "\n"
