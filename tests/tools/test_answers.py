"""tools/answers.py: the learner gets the stub, the solutions the answer, and nothing leaks."""

import pytest

from tools.answers import check_answers, learner_lines, solution_lines
from tools.chapter import SourceError, read_chapter

HEAD = "# %% [markdown]\n# # Title\n\n# %%\n"
CELL = '''\
@exercise
def dot(a, b):
    """Multiply."""
    # SOLUTION
    product_of_both = a * b
    return product_of_both
    # END SOLUTION
'''


def code(lines):
    return "\n".join(line for _, line in lines)


def both(source, text):
    chapter = read_chapter(source(text))
    cell = chapter.cells[-1]
    return learner_lines(chapter.path, cell), solution_lines(chapter.path, cell)


def test_without_a_stub_the_learner_gets_the_usual_line(source):
    learner, solution = both(source, HEAD + CELL)
    start = '@exercise\ndef dot(a, b):\n    """Multiply."""\n'
    assert code(learner) == start + "    return ...  # your code here"
    assert code(solution) == start + "    product_of_both = a * b\n    return product_of_both"


def test_a_stub_is_uncommented_and_keeps_its_shape(source):
    stub = "    # STUB\n    # for i in a:\n    #     ...\n    #\n    # # go on\n    # END SOLUTION"
    learner, solution = both(source, HEAD + CELL.replace("    # END SOLUTION", stub))
    assert code(learner).endswith("    for i in a:\n        ...\n    \n    # go on")
    assert code(solution).endswith("    return product_of_both")


def test_the_stub_stands_as_deep_as_its_answer(source):
    text = "class Scale:\n    def half(self, x):\n        # SOLUTION\n        return x / 2\n"
    learner, _ = both(source, HEAD + text + "        # END SOLUTION\n")
    assert code(learner).endswith("\n        return ...  # your code here")


def test_two_answers_in_a_cell_are_two_stubs(source):
    learner, solution = both(source, HEAD + CELL + "\n\n" + CELL)
    assert code(learner).count("return ...") == 2
    assert code(solution).count("return product_of_both") == 2


def test_lines_keep_their_number_in_the_source(source):
    learner, solution = both(source, HEAD + CELL + "\n\nafter = 1\n")
    assert learner[-1] == solution[-1] == (14, "after = 1")
    assert solution[3] == (9, "    product_of_both = a * b")


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        (CELL.replace("    # END SOLUTION\n", ""), 8, "no '# END SOLUTION'"),
        (CELL.replace("    # END", "    # SOLUTION\n    # END"), 11, "where only STUB or END"),
        (CELL.replace("    # SOLUTION\n", ""), 10, "'# END SOLUTION' where only SOLUTION"),
        (CELL.replace("    # SOLUTION\n", "    # STUB\n"), 8, "'# STUB' where only SOLUTION"),
        (CELL.replace("# SOLUTION", "# SOLUTION:"), 8, "stands alone"),
        (CELL.replace("# SOLUTION", "#SOLUTION"), 8, "stands alone"),
        (CELL.replace("a * b\n", "a * b  # SOLUTION\n"), 9, "stands alone"),
        (
            CELL.replace("    product_of_both = a * b\n    return product_of_both\n", "\n"),
            8,
            "the answer is empty",
        ),
        (CELL.replace("    # END", "    # STUB\n    return ...\n    # END"), 12, "is commented"),
        ("# SOLUTION\nx = 1\n# END SOLUTION\n", 5, "outside a function"),
        (CELL + "\nprint(\n", 13, "not valid Python"),
        (CELL.replace("def dot", "def dots"), 6, "'dots' has no entry in course_lib/exercises/sm"),
        (CELL.replace("def dot(a, b):", "class Dot:"), 6, "'Dot' has no entry"),
    ],
)
def test_a_mistake_names_its_line(course, source, text, line, what):
    path = source(HEAD + text)
    with pytest.raises(SourceError) as told:
        check_answers(read_chapter(path), course.exercises)
    assert str(told.value).startswith(f"{path}:{line}: "), str(told.value)
    assert what in str(told.value)


def test_a_marker_in_prose_is_refused(course, source):
    path = source("# %% [markdown]\n# a\n# # SOLUTION\n")
    with pytest.raises(SourceError, match=":3: a marker of an answer stands in prose"):
        check_answers(read_chapter(path), course.exercises)


def test_exercises_with_an_entry_pass(course, source):
    scale = "@exercise\nclass Scale:\n    # SOLUTION\n    x = 1\n    # STUB\n    # ...\n"
    text = HEAD + CELL + "\n# %%\n" + scale + "    # END SOLUTION\n"
    check_answers(read_chapter(source(text)), course.exercises)


def test_a_chapter_without_a_file_of_exercises_has_none(course, source):
    path = source(HEAD + CELL, name="02_other")
    with pytest.raises(SourceError, match=r"no entry in course_lib/exercises/other\.py"):
        check_answers(read_chapter(path), course.exercises)


LEAKS = {
    "in its own cell": CELL.replace('"""Multiply."""', '"""As in product_of_both = a * b."""'),
    "commented": CELL + "    # return product_of_both\n",
    "in its own stub": CELL.replace(
        "    # END", "    # STUB\n    # product_of_both  =  a * b\n    # END"
    ),
    "in another cell": CELL.replace("a * b", "a * b + 0 * a")
    + "\n# %%\nproduct_of_both = a * b + 0 * a\n",
    "in prose": CELL.replace("a * b", "a * b + 0 * a")
    + "\n# %% [markdown]\n# Try `product_of_both = a * b + 0 * a`.\n",
}


@pytest.mark.parametrize("text", LEAKS.values(), ids=LEAKS.keys())
def test_a_leaking_answer_is_refused_at_its_line(course, source, text):
    path = source(HEAD + text)
    with pytest.raises(SourceError, match=r":(9|10): the learner sees this line in the cell at"):
        check_answers(read_chapter(path), course.exercises)


NO_LEAKS = {
    "a short line elsewhere": CELL + "\n# %%\nproduct_of_both = a * b\nprint(product_of_both)\n",
    "the end of a longer name": CELL + "    unproduct_of_both = a * b\n",
    "the start of a longer name": CELL + "    product_of_both = a * bc\n",
    "shuffled": CELL.replace(
        "    # END",
        "    # STUB\n    # return product_of_both\n    # product_of_both = a * b\n    # END",
    ),
}


@pytest.mark.parametrize("name", NO_LEAKS)
def test_what_gives_nothing_away_passes(course, source, name):
    head = HEAD.removesuffix("# %%\n") + "# %% shuffled\n" if name == "shuffled" else HEAD
    check_answers(read_chapter(source(head + NO_LEAKS[name])), course.exercises)
