"""A small course in a temporary folder, so that no test touches the real one."""

import json
import shutil
from functools import partial

import pytest

from tests.tools.lab_folders import NAME, notebook, publish
from tools.build import main
from tools.editions import Course

PROJECT = '[project.urls]\nRepository = "https://github.com/someone/course"\n'
SMALL = """\
# %% [markdown] minutes=2
# # Small
#
# Some prose.

# %%
from course_lib.showing import show


def exercise(function):
    state = "not attempted" if function(2, 3) is ... else "right"
    print(state)
    return function


# %% exercise="dot"

# %%
print(f"{6:.1f}")
"""
DOT = '''\
"""Exercise `dot`: multiply."""

UNIT = 1


def dot(a, b):
    """Multiply.

    returns: a number
    """
    # SOLUTION
    product_of_both = a * b  # no sum is needed
    return product_of_both
    # END SOLUTION


DOT = Exercise(answer=dot, minutes=2)
'''


@pytest.fixture
def small():
    """The source of a chapter without a mistake."""
    return SMALL


@pytest.fixture
def plain(small):
    """The source of a chapter without a mistake and without an exercise."""
    return small.replace('# %% exercise="dot"\n\n', "")


@pytest.fixture
def dot():
    """The file of the exercise in `small`."""
    return DOT


def new_course(root):
    """A course without chapters; its chapter 1 may have the exercise dot."""
    course = Course(root)
    for folder in (course.chapters, course.notebooks):
        folder.mkdir()
    (root / "pyproject.toml").write_text(PROJECT)
    write_exercise(course, DOT)
    return course


def write_exercise(course, text, name="dot", chapter="small"):
    """Write the file of an exercise into the course and return its path."""
    path = course.root / "course_lib" / "chapters" / chapter / "exercises" / f"{name}.py"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture
def course(tmp_path):
    return new_course(tmp_path)


@pytest.fixture
def source(course):
    """A function that writes a chapter into the course and returns its path."""

    def write(text, name="01_small"):
        path = course.chapters / f"{name}.py"
        path.write_text(text, encoding="utf-8")
        return path

    return write


@pytest.fixture
def exercise(course):
    """A function that writes the file of an exercise into the course and returns its path."""
    return partial(write_exercise, course)


@pytest.fixture(scope="session")
def small_notebooks(tmp_path_factory):
    """The folder of notebooks that a build makes of SMALL: it starts two kernels, so only once."""
    course = new_course(tmp_path_factory.mktemp("small"))
    (course.chapters / "01_small.py").write_text(SMALL, encoding="utf-8")
    assert main([], course) == 0
    return course.notebooks


@pytest.fixture
def built(course, source, small_notebooks):
    """The path of SMALL in a course where it is built already."""
    shutil.copytree(small_notebooks, course.notebooks, dirs_exist_ok=True)
    return source(SMALL)


@pytest.fixture
def run(course, capsys):
    """A function that builds the course with some arguments: (exit status, output, errors)."""

    def call(*arguments):
        status = main([str(argument) for argument in arguments], course)
        printed = capsys.readouterr()
        return status, printed.out, printed.err

    return call


@pytest.fixture
def notebooks(tmp_path):
    """A folder of notebooks as a course publishes them."""
    folder = tmp_path / "notebooks"
    (folder / "solutions").mkdir(parents=True)
    publish(folder, notebook("x = ...", "print(x)", outputs=[{"output_type": "stream"}]))
    (folder / "solutions" / NAME).write_text(json.dumps(notebook("x = 1")))
    return folder


@pytest.fixture
def work(tmp_path):
    """Where a learner's copies are laid."""
    return tmp_path / "work"
