"""tools/answers.py: the learner gets the stub, the solutions the answer, and nothing leaks."""

import pytest

from tools.answers import check_answers, learner_lines, solution_lines
from tools.chapter import SourceError, read_chapter

HEAD = "# %% [markdown]\n# # Title\n\n"
CHAPTER = HEAD + '# %% exercise="dot"\n\n'
FILE = '''\
"""Exercise `dot`: multiply."""


def dot(a, b):
    """Multiply."""
    # SOLUTION
    product_of_both = a * b
    return product_of_both
    # END SOLUTION
'''


def code(lines):
    return "\n".join(line for _, line in lines)


@pytest.fixture
def both(source, exercise):
    """A function: the lines for the learner and with the answer of an exercise's file."""

    def both(text):
        exercise(text)
        cell = read_chapter(source(CHAPTER)).cells[-1]
        return learner_lines(cell), solution_lines(cell)

    return both


def test_without_a_stub_the_learner_gets_the_usual_line(both):
    learner, solution = both(FILE)
    start = '@exercise\ndef dot(a, b):\n    """Multiply."""\n'
    assert code(learner) == start + "    return ...  # your code here"
    assert code(solution) == start + "    product_of_both = a * b\n    return product_of_both"


def test_a_stub_is_uncommented_and_keeps_its_shape(both):
    stub = "    # STUB\n    # for i in a:\n    #     ...\n    #\n    # # go on\n    # END SOLUTION"
    learner, solution = both(FILE.replace("    # END SOLUTION", stub))
    assert code(learner).endswith("    for i in a:\n        ...\n    \n    # go on")
    assert code(solution).endswith("    return product_of_both")


METHOD = (
    "    def {name}(self, x):\n        # SOLUTION\n        return x / 2\n        # END SOLUTION\n"
)


def test_the_stub_stands_as_deep_as_its_answer(both):
    learner, _ = both("class dot:\n" + METHOD.format(name="half"))
    assert code(learner).endswith("\n        return ...  # your code here")


def test_two_answers_in_a_cell_are_two_stubs(both):
    methods = METHOD.format(name="half") + "\n" + METHOD.format(name="again")
    learner, solution = both("class dot:\n" + methods)
    assert code(learner).count("return ...") == 2
    assert code(solution).count("return x / 2") == 2


def test_lines_keep_their_number_in_the_file(both):
    after = "    # END SOLUTION\n\n    def last(self):\n        ..."
    learner, solution = both(FILE.replace("    # END SOLUTION", after))
    assert learner[-1] == solution[-1] == (12, "        ...")
    assert solution[3] == (7, "    product_of_both = a * b")


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        (FILE.replace("    # END SOLUTION\n", ""), 6, "no '# END SOLUTION'"),
        (FILE.replace("    # END", "    # SOLUTION\n    # END"), 9, "where only STUB or END"),
        (FILE.replace("    # SOLUTION\n", ""), 8, "'# END SOLUTION' where only SOLUTION"),
        (FILE.replace("    # SOLUTION\n", "    # STUB\n"), 6, "'# STUB' where only SOLUTION"),
        (FILE.replace("# SOLUTION", "# SOLUTION:"), 6, "stands alone"),
        (FILE.replace("# SOLUTION", "#SOLUTION"), 6, "stands alone"),
        (FILE.replace("a * b\n", "a * b  # SOLUTION\n"), 7, "stands alone"),
        (
            FILE.replace("    product_of_both = a * b\n    return product_of_both\n", "\n"),
            6,
            "the answer is empty",
        ),
        (FILE.replace("    # END", "    # STUB\n    return ...\n    # END"), 10, "is commented"),
        (
            FILE.replace("    # END", "    # STUB\n    # return (\n    # END"),
            10,
            "not valid Python",
        ),
    ],
)
def test_a_mistake_names_its_line_in_the_file(source, exercise, text, line, what):
    path = exercise(text)
    with pytest.raises(SourceError) as told:
        check_answers(read_chapter(source(CHAPTER)))
    assert str(told.value).startswith(f"{path}:{line}: "), str(told.value)
    assert what in str(told.value)


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("# %%\nx = 1\nprint(\n", 6, "not valid Python"),
        ("# %%\n@exercise\ndef dot(a, b):\n    ...\n", 6, "write '# %% exercise=\"dot\"'"),
        ("# %%\nx = 1\n\n\n@exercise\nclass Dot:\n    ...\n", 9, "'# %% exercise=\"Dot\"'"),
        ("# %%\nx = 1\n# SOLUTION\n", 6, "an answer stands in the file of its exercise"),
        ('# %% exercise="dot"\n\n# %% exercise="dot"\n', 6, "'dot' stands at line 4 already"),
    ],
)
def test_a_mistake_in_the_chapter_names_its_line(source, text, line, what):
    path = source(HEAD + text)
    with pytest.raises(SourceError) as told:
        check_answers(read_chapter(path))
    assert str(told.value).startswith(f"{path}:{line}: "), str(told.value)
    assert what in str(told.value)


def test_a_marker_in_prose_is_refused(source):
    path = source("# %% [markdown]\n# a\n# # SOLUTION\n")
    with pytest.raises(SourceError, match=":3: a marker of an answer stands in prose"):
        check_answers(read_chapter(path))


def test_exercises_with_a_file_pass(source, exercise):
    exercise("class Scale:\n    # SOLUTION\n    x = 1\n    # STUB\n    # ...\n    # END SOLUTION\n",
             name="Scale")  # fmt: skip
    check_answers(read_chapter(source(CHAPTER + '# %% exercise="Scale"\n')))


OTHER = FILE.replace("a * b", "a * b + 0 * a")
LEAKS = {  # the exercise's file, and what stands below it in the chapter
    "in its own cell": (
        FILE.replace('"""Multiply."""', '"""As in product_of_both = a * b."""'),
        "",
    ),
    "commented": (FILE + "    # return product_of_both\n", ""),
    "in its own stub": (
        FILE.replace("    # END", "    # STUB\n    # product_of_both  =  a * b\n    # END"),
        "",
    ),
    "in another cell": (OTHER, "# %%\nproduct_of_both = a * b + 0 * a\n"),
    "in prose": (OTHER, "# %% [markdown]\n# Try `product_of_both = a * b + 0 * a`.\n"),
}


@pytest.mark.parametrize(("text", "below"), LEAKS.values(), ids=LEAKS.keys())
def test_a_leaking_answer_is_refused_at_its_line(source, exercise, text, below):
    path = exercise(text)
    with pytest.raises(
        SourceError, match=r":[78]: the learner sees this line in the cell at"
    ) as told:
        check_answers(read_chapter(source(CHAPTER + below)))
    assert str(told.value).startswith(f"{path}:")


NO_LEAKS = {
    "a short line elsewhere": (FILE, "# %%\nproduct_of_both = a * b\nprint(product_of_both)\n"),
    "the end of a longer name": (FILE + "    unproduct_of_both = a * b\n", ""),
    "the start of a longer name": (FILE + "    product_of_both = a * bc\n", ""),
    "shuffled": (
        FILE.replace(
            "    # END",
            "    # STUB\n    # return product_of_both\n    # product_of_both = a * b\n    # END",
        ),
        "",
    ),
}


@pytest.mark.parametrize("name", NO_LEAKS)
def test_what_gives_nothing_away_passes(source, exercise, name):
    text, below = NO_LEAKS[name]
    exercise(text)
    chapter = CHAPTER.replace('"dot"', '"dot" shuffled') if name == "shuffled" else CHAPTER
    check_answers(read_chapter(source(chapter + below)))
