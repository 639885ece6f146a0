"""tools/build.py on small courses: same bytes each time, all or nothing, errors with their line."""

import base64
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from PIL import Image

from tools import build as tool

ROOT = Path(__file__).resolve().parents[2]
NAMES = ["01_small.ipynb", "colab/01_small.ipynb", "solutions/01_small.ipynb"]
FAILING = "\n# %%\nx = 1\n\nraise ValueError('on purpose')\n"


def stored(course):
    """Every file among the notebooks: its name and its bytes."""
    files = (path for path in course.notebooks.rglob("*") if path.is_file())
    return {str(path.relative_to(course.notebooks)): path.read_bytes() for path in files}


def texts(course, name):
    """What the cells of a notebook printed."""
    cells = nbformat.read(course.notebooks / name, 4).cells
    return [out.text for cell in cells for out in cell.get("outputs", []) if "text" in out]


def line_of(path, text):
    return path.read_text(encoding="utf-8").splitlines().index(text) + 1


def test_building_again_gives_the_same_bytes(course, built, run):
    first = stored(course)
    assert sorted(first) == NAMES
    for name in first:
        (course.notebooks / name).unlink()
    status, said, _ = run()
    assert status == 0
    assert "3 notebooks, core 2 of 60 minutes" in said
    assert stored(course) == first


def test_both_editions_ran(course, built):
    assert texts(course, "01_small.ipynb") == ["not attempted\n", "6.0\n"]
    assert texts(course, "solutions/01_small.ipynb") == ["right\n", "6.0\n"]
    for cell in nbformat.read(course.notebooks / "01_small.ipynb", 4).cells:
        assert cell.cell_type == "markdown" or cell.execution_count


def test_what_colab_opens_has_no_results(course, built, run):
    path = course.notebooks / "colab" / "01_small.ipynb"
    book = nbformat.read(path, 4)
    code = [cell for cell in book.cells if cell.cell_type == "code"]
    assert code
    assert not any(cell.outputs or cell.execution_count for cell in code)
    code[-1].execution_count = 1
    nbformat.write(book, path)
    status, _, said = run("--check")
    assert (status, said.count("\n")) == (1, 1)
    assert "notebooks/colab/01_small.ipynb: has results" in said


def test_a_fresh_build_has_no_drift_and_a_changed_source_has(built, source, small, run):
    assert run("--check") == (0, "", "")
    source(small.replace("Some prose.", "Other prose."))
    status, _, said = run("--check")
    assert status == 1
    assert "notebooks/01_small.ipynb: differs from 01_small.py" in said
    assert "notebooks/solutions/01_small.ipynb: differs" in said
    built.write_text(small)
    assert run("--check")[0] == 0


@pytest.mark.parametrize(
    "change",
    [
        lambda book: book["cells"][2].update(source="other"),
        lambda book: book["cells"][2].update(id="other"),
        lambda book: book["cells"][2].update(cell_type="raw"),
        lambda book: book["cells"][2].update(metadata={"tags": ["x"]}),
        lambda book: book["cells"].pop(),
        lambda book: book.update(metadata={}),
    ],
    ids=["source", "id", "type", "cell metadata", "missing cell", "metadata"],
)
def test_a_notebook_edited_by_hand_has_drifted(course, built, run, change):
    path = course.notebooks / "01_small.ipynb"
    book = json.loads(path.read_text())
    change(book)
    path.write_text(json.dumps(book))
    status, _, said = run("--check")
    assert status == 1
    assert said.count("\n") == 1
    assert "notebooks/01_small.ipynb" in said


def test_missing_broken_and_superfluous_notebooks_are_told(course, built, run):
    (course.notebooks / "01_small.ipynb").rename(course.notebooks / "09_gone.ipynb")
    assert "notebooks/01_small.ipynb: missing" in run("--check")[2]
    (course.notebooks / "01_small.ipynb").write_text("{")
    assert "01_small.ipynb: not a notebook" in run("--check")[2]
    run()
    status, _, said = run("--check")
    assert (status, said) == (1, "notebooks/09_gone.ipynb: no chapter makes it; remove it\n")


def test_building_one_chapter_leaves_the_others_alone(course, built, source, small, plain, run):
    before = stored(course)
    source(small.replace("Some prose.", "Other prose."))
    other = source(plain.replace("Small", "Second"), name="02_second")
    assert run(other)[0] == 0
    after = stored(course)
    assert {name: after[name] for name in before} == before
    assert set(after) - set(before) == {name.replace("01_small", "02_second") for name in NAMES}


def test_a_failing_cell_names_its_line_and_keeps_the_old_notebooks(
    course, built, source, small, run
):
    before = stored(course)
    path = source(small + FAILING)
    status, _, said = run()
    assert status == 1
    failing = line_of(path, "raise ValueError('on purpose')")
    assert f"{path}:{failing}: this cell failed in the learner's notebook" in said
    assert "ValueError: on purpose" in said
    assert "Traceback" in said
    assert "\x1b" not in said
    assert stored(course) == before


def test_a_failure_in_the_solutions_only_replaces_neither(course, built, exercise, dot, run):
    before = stored(course)
    path = exercise(dot.replace("    product_of_both = a * b", "    product_of_both = nothing * b"))
    status, _, said = run()
    line = line_of(path, "    product_of_both = nothing * b  # no sum is needed")
    assert status == 1
    assert f"{path}:{line}: this cell failed in the solutions" in said
    assert stored(course) == before


def test_a_cell_that_ends_its_kernel_or_takes_for_ever_is_named(
    course, source, small, run, monkeypatch
):
    path = source(small + "\n# %%\nimport os\n\nos._exit(1)\n")
    status, _, said = run()
    assert status == 1
    assert f"{path}:{line_of(path, 'import os')}: this cell failed" in said
    assert "ended the kernel" in said
    monkeypatch.setattr(tool.running, "CELL_SECONDS", 2)
    path = source(small + "\n# %%\nwhile True:\n    pass\n")
    _, _, said = run()
    assert f"{path}:{line_of(path, 'while True:')}: this cell failed" in said
    assert "stopped after 2 s" in said
    assert stored(course) == {}


@pytest.mark.parametrize(
    ("code", "what"),
    [
        ("import numpy as np\n\nnp.float64(1.5)", "differs elsewhere"),
        ("import sys\n\nprint('a', file=sys.stderr)", "writes to stderr"),
        ("import ipywidgets\n\nipywidgets.IntSlider()", "show widgets with"),
        (
            "print('product_of_both', '=', 'a * b  # no sum is needed')",
            "shows this line of the answer: product_of_both",
        ),
        ("print(('x' * 99 + '\\n') * 3001)", "bytes and may have 300000"),
    ],
)
def test_an_output_that_must_not_be_stored_stops_the_chapter(
    course, source, small, run, code, what
):
    path = source(f"{small}\n# %%\n{code}\n")
    status, _, said = run()
    assert status == 1
    assert what in said
    assert f"{path.name}:" in said
    assert stored(course) == {}


def test_a_source_error_stops_its_chapter_only(course, source, small, plain, exercise, dot, run):
    source(small)
    exercise(dot.replace("    # END SOLUTION\n", ""))
    source(plain, name="02_second")
    status, _, said = run()
    assert status == 1
    assert "no '# END SOLUTION'" in said
    assert set(stored(course)) == {name.replace("01_small", "02_second") for name in NAMES}
    assert "no '# END SOLUTION'" in run("--check")[2]


def test_an_interrupted_build_leaves_no_half_written_notebook(
    course, built, source, small, run, monkeypatch
):
    before = stored(course)
    source(small.replace("Some prose.", "Other prose."))
    half_way = Path.write_text

    def interrupted(path, text, **options):
        half_way(path, text[:100], **options)
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "write_text", interrupted)
    with pytest.raises(KeyboardInterrupt):
        run()
    assert stored(course) == before


def test_each_run_begins_with_an_empty_state_and_nobodys_settings(
    course, source, small, run, monkeypatch
):
    code = (
        "\n# %%\nimport os\nimport pathlib\n\nimport matplotlib\n\n"
        "state = pathlib.Path(os.environ['COURSE_STATE'])\n"
        "print('used' if state.exists() else 'fresh', matplotlib.rcParams['lines.linewidth'])\n"
        "print(os.environ.get('COURSE_LANG'))\nstate.mkdir()\n"
    )
    settings = course.root / "settings"
    (settings / "profile_default" / "startup").mkdir(parents=True)
    (settings / "matplotlibrc").write_text("lines.linewidth: 9\n")
    (settings / "profile_default" / "startup" / "00.py").write_text("print = None")
    monkeypatch.setenv("MATPLOTLIBRC", str(settings))
    monkeypatch.setenv("IPYTHONDIR", str(settings))
    monkeypatch.setenv("COURSE_STATE", str(settings))
    monkeypatch.setenv("COURSE_LANG", "zh")
    source(small + code)
    assert run()[0] == 0
    for name in ("01_small.ipynb", "solutions/01_small.ipynb"):
        assert texts(course, name)[-1] == "fresh 1.5\nNone\n"


def test_kernels_are_this_python_whatever_is_installed(course, source, small, run, monkeypatch):
    kernel = course.root / "kernels" / "python3"
    kernel.mkdir(parents=True)
    (kernel / "kernel.json").write_text('{"argv": ["false"], "display_name": "Python 3"}')
    monkeypatch.setenv("JUPYTER_PATH", str(course.root))
    source(small + f"\n# %%\nimport sys\n\nprint(sys.executable == {sys.executable!r})\n")
    assert run()[0] == 0
    assert texts(course, "01_small.ipynb")[-1] == "True\n"


def test_a_picture_is_kept_when_it_looks_the_same(course, source, small, run):
    code = (
        "\n# %%\nimport io\n\nfrom PIL import Image\n\ntarget = io.BytesIO()\n"
        "Image.new('RGB', (9, 7)).save(target, 'PNG', compress_level=9)\n"
        "show('a black square', png=target.getvalue())\n"
    )
    source(small + code)
    assert run()[0] == 0
    path = course.notebooks / "01_small.ipynb"
    book = nbformat.read(path, 4)
    output = book.cells[-1].outputs[0]
    assert "image/png" in output.data
    solved = nbformat.read(course.notebooks / "solutions" / "01_small.ipynb", 4)
    assert set(solved.cells[-1].outputs[0].data) == {"text/plain"}
    output.data["image/png"] = recompressed(output.data["image/png"])
    nbformat.write(book, path)
    before = path.read_bytes()
    run()
    assert path.read_bytes() == before


def recompressed(picture):
    target = io.BytesIO()
    Image.open(io.BytesIO(base64.b64decode(picture))).save(target, "PNG", compress_level=0)
    return base64.b64encode(target.getvalue()).decode()


def test_a_translated_chapter_has_an_edition_in_each_language(course, source, small, run):
    prose = '# %% [markdown]\n# Bye\n\n# %% [markdown] lang="zh"\n# 再见\n\n'
    path = source(small + "\n" + prose)
    status, _, said = run()
    assert status == 0
    assert "not translated: # Small" in said
    assert "zh/solutions/01_small.ipynb" in stored(course)
    assert ' of="' in path.read_text(encoding="utf-8"), "the build wrote it"
    assert run("--check")[0] == 0


def test_what_is_no_chapter_is_refused(course, source, small, run):
    assert run()[0] == 2
    source(small)
    status, _, said = run(course.chapters / "07_none.py")
    assert status == 2
    assert "07_none.py: no chapter" in said


def test_it_runs_from_the_command_line():
    command = [sys.executable, "-m", "tools.build", "chapters/99_none.py"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, env=dict(os.environ))
    assert done.returncode == 2, done.stderr
    assert "99_none.py: no chapter" in done.stderr
