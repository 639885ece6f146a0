"""A small course in a temporary folder, so that no test touches the real one."""

import shutil

import pytest

from tools.build import main
from tools.editions import Course

PROJECT = '[project.urls]\nRepository = "https://github.com/someone/course"\n'
SMALL = '''\
# %% [markdown] minutes=2 covers="C024 K003"
# # Small
#
# Some prose.

# %%
from course_lib.showing import show


def exercise(function):
    state = "not attempted" if function(2, 3) is ... else "right"
    print(state)
    return function


# %%
@exercise
def dot(a, b):
    """Multiply.

    returns: a number
    """
    # SOLUTION
    product_of_both = a * b  # no sum is needed
    return product_of_both
    # END SOLUTION


# %%
print(f"{6:.1f}")
'''


@pytest.fixture
def small():
    """The source of a chapter without a mistake."""
    return SMALL


def new_course(root):
    """A course without chapters; its chapter 1 may have the exercises dot and Scale."""
    exercises = root / "course_lib" / "exercises"
    exercises.mkdir(parents=True)
    (root / "chapters").mkdir()
    (root / "notebooks").mkdir()
    (root / "pyproject.toml").write_text(PROJECT)
    (exercises / "small.py").write_text(
        "DOT = Exercise(answer=dot, minutes=2)\n"
        "chapter = Chapter('01_small', exercises=(DOT, Exercise(scales.Scale)))\n"
    )
    return Course(root)


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
