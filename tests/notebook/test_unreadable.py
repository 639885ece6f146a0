"""What is said below the SyntaxError of a cell."""

from types import SimpleNamespace

import pytest
from IPython.core.interactiveshell import InteractiveShell

from course_lib.notebook import sentences as s
from course_lib.notebook import unreadable
from course_lib.notebook.unreadable import meaning_of, told_of, without_meaning

CELLS = [
    ("trap = kumusta kumu", s.TWO_WORDS),
    ("x = 5 5", s.TWO_WORDS),
    ("place = earlier rindex last", s.DOT_MISSING.format(name="rindex")),
    ("place = text rfind(last)", s.DOT_MISSING.format(name="rfind")),
    ("place = earlier rindexed", s.TWO_WORDS),
    ("f(1, 2", s.NEVER_CLOSED),
    ("x = [1, 2", s.NEVER_CLOSED),
    ("x = 3)", s.NEVER_OPENED),
    ("x = (1, 2]", s.CLOSED_BY_ANOTHER),
    ("def f(a)\n    return a", s.COLON_MISSING),
    ("def f(a):\nreturn a", s.NOTHING_INSIDE),
    ("def f(a):\n    x = 1\n      y = 2\n    return x", s.UNEVEN_LINES),
    ("def f(a):\n    return a\n   return b", s.UNEVEN_LINES),
    ("def f(a):\n\treturn a\n        return b", s.UNEVEN_LINES),
    ('x = """abc', s.TEXT_NEVER_CLOSED),
    ('x = "abc', s.QUOTE_MISSING),
    ("x = 'abc", s.QUOTE_MISSING),
    ("print('abc)", s.QUOTE_MISSING),
    ("x = ['abc', d']", s.QUOTE_MISSING),
    ("scores = q @ k'", s.TRANSPOSED),
    ("weights = softmax(q @ k') @ v", s.TRANSPOSED),
    ("x = k.' @ v", s.TRANSPOSED),
    ("x = a' * b'", s.TRANSPOSED),
    ("x = [1, 2]'", s.TRANSPOSED),
    ("x = (a + b)'", s.TRANSPOSED),
    ("x = a @ b'", s.TRANSPOSED),
    ("x = f'abc", s.QUOTE_MISSING),
    ("return a .* b", s.DOTTED_SIGN),
    ("x = sum(a.*b)", s.DOTTED_SIGN),
    ("x = f(a) ./ b[0]", s.DOTTED_SIGN),
    ("x = (a + b) .^ 2", s.DOTTED_SIGN),
    ("x = \N{LEFT DOUBLE QUOTATION MARK}hi\N{RIGHT DOUBLE QUOTATION MARK}", s.OTHER_QUOTES),
    ("x = 2 \N{MINUS SIGN} 1", s.OTHER_MINUS),
    ("x = 2 \N{MULTIPLICATION SIGN} 1", s.OTHER_TIMES),
    ("x = q @ k.T / \N{SQUARE ROOT}d", s.NO_ROOT_SIGN),
    ("if x = 3:\n    pass", s.ONE_EQUALS_SIGN),
    ("3 = x", s.ONE_EQUALS_SIGN),
    ("return 3", s.RETURN_OUTSIDE),
    ('print "hi"', s.ROUND_BRACKETS),
    ("x = a[1] ...", s.DOTS_LEFT),
    ("x = ...a[1]", s.DOTS_LEFT),
    ("x = a{1 + 1}", s.CURLY_BRACKETS),
    ("x = 2a", s.DIGIT_AND_NAME),
    ("x = [1 2]", s.COMMA_MISSING),
]


def error_of(cell):
    with pytest.raises(SyntaxError) as caught:
        compile(cell, "a cell", "exec")
    return caught.value


def result_of(cell, error):
    """What IPython hands over after a cell."""
    info = SimpleNamespace(raw_cell=cell)
    return SimpleNamespace(error_before_exec=error, error_in_exec=None, info=info)


@pytest.mark.parametrize(("cell", "meaning"), CELLS, ids=[cell for cell, _ in CELLS])
def test_what_python_says_is_put_into_plain_words(cell, meaning):
    error = error_of(cell)
    line = cell.splitlines()[error.lineno - 1]
    assert meaning_of(error.msg, line, error.offset) == meaning


@pytest.mark.parametrize(
    "cell",
    [
        "def next letter(text):\n    return text",
        "x = next letter(text)",
        "print(next letter(text))",
        "print(a, next letter)",
    ],
)
def test_a_known_name_with_a_space_for_its_stroke_is_told(cell):
    error = error_of(cell)
    line, told = cell.splitlines()[0], s.ONE_NAME.format(name="next_letter")
    assert meaning_of(error.msg, line, error.offset, {"next_letter", "a"}) == told
    assert meaning_of(error.msg, line, error.offset, {"next", "letter", "a"}) != told


def test_a_name_that_the_notebook_knows_is_told_below_the_error(monkeypatch, capsys):
    shell = SimpleNamespace(user_ns={"next_letter": len})
    monkeypatch.setattr(unreadable, "running_shell", lambda: shell)
    monkeypatch.setattr(unreadable, "show", lambda text, html: print(text))
    told_of(result_of("x = next letter(text)", error_of("x = next letter(text)")))
    assert s.ONE_NAME.format(name="next_letter") in capsys.readouterr().out


def test_two_words_of_which_the_first_is_a_function_are_told_of_brackets():
    cell = "def f(text):\n    return next_letter text"
    error = error_of(cell)
    line, told = cell.splitlines()[1], {"name": "next_letter", "given": "text"}
    found = meaning_of(error.msg, line, error.offset, {"next_letter": len, "text": "onion"})
    assert found == s.GIVEN_IN_BRACKETS.format(**told)
    assert meaning_of(error.msg, line, error.offset, {"next_letter": 3}) == s.TWO_WORDS


@pytest.mark.parametrize("cell", ["a = = 3", "else:\n    x = 1", "a +* b", "a . + b", "x = .* b"])
def test_what_is_not_known_is_not_guessed(cell, capsys):
    error = error_of(cell)
    assert meaning_of(error.msg, cell, error.offset) == ""
    told_of(result_of(cell, error))
    assert capsys.readouterr().out.splitlines()[0] == s.UNREADABLE


def test_the_line_is_shown(capsys):
    cell = "x = 1\ndef f(a)\n    return a"
    told_of(result_of(cell, error_of(cell)))
    assert capsys.readouterr().out.splitlines() == [
        s.UNREADABLE,
        "It stopped at line 2: def f(a)",
        s.COLON_MISSING,
    ]


@pytest.mark.parametrize(
    ("cell", "meaning"),
    [
        ("def f(a):\n    return a[1", s.NEVER_CLOSED),
        ("def f(a):", s.NOTHING_INSIDE),
        ('x = """abc', s.TEXT_NEVER_CLOSED),
    ],
)
def test_where_a_cell_only_ends_too_soon_python_is_asked_what_is_open(cell, meaning, capsys):
    lines = cell.splitlines()
    error = SyntaxError("incomplete input", ("a cell", len(lines), 1, lines[-1]))
    told_of(result_of(cell, error))
    assert capsys.readouterr().out.splitlines()[-1] == meaning


def test_where_python_trips_over_a_command_of_ipython_nothing_is_guessed(capsys):
    cell = "!ls\nf(1, 2"
    told_of(result_of(cell, SyntaxError("incomplete input", ("a cell", 2, 7, "f(1, 2"))))
    said = [s.UNREADABLE, "It stopped at line 2: f(1, 2"]
    assert capsys.readouterr().out.splitlines() == said


@pytest.mark.parametrize("error", [None, ValueError("no"), ZeroDivisionError()])
def test_of_other_errors_nothing_is_said(error, capsys):
    told_of(result_of("1 / 0", error))
    assert capsys.readouterr().out == ""


def test_a_line_that_is_not_in_the_cell_is_left_out(capsys):
    told_of(result_of("x", SyntaxError("'(' was never closed", ("other.py", 40, 1, "f("))))
    assert capsys.readouterr().out.splitlines() == [s.UNREADABLE, s.NEVER_CLOSED]


def test_without_a_notebook_nobody_is_asked_to_tell(monkeypatch):
    monkeypatch.setattr(unreadable, "running_shell", lambda: None)
    unreadable.tell_of_unreadable_cells()


TEXT, NAME = "Is it meant as a text?", "If it is a name: is it spelled as it was made"


@pytest.mark.parametrize(
    ("word", "cell", "told"),
    [
        ("merhaba", "text = merhaba\nmodel = load_copying()", ['`text = "merhaba"`']),
        ("merhaba", "tricky=merhaba  # mine", ['`tricky = "merhaba"`']),
        ("merhaba", "text = merhaba + dunya", ["`merhaba` has no meaning here", TEXT, NAME]),
        ("quorzel", "show_note_found(model, quorzel)", ['behind it: `"quorzel"`', TEXT, NAME]),
    ],
)
def test_a_word_without_quotes_is_asked_about(word, cell, told):
    said = without_meaning(word, cell)
    assert all(one in said for one in told)


def test_a_rule_that_is_called_is_not_taken_for_a_text():
    for cell in ('next_leter("onion")', "next_leter.place", "next_leter[0]"):
        said = without_meaning("next_leter", cell)
        assert said.endswith("here. " + s.IS_IT_SPELLED)


@pytest.mark.parametrize(("word", "cell"), [("", "x = 3"), ("deep", "f(x)"), ("deep", "deeper(x)")])
def test_of_a_name_that_is_not_in_the_cell_nothing_is_said(word, cell):
    assert without_meaning(word, cell) == ""


@pytest.mark.parametrize(
    ("cell", "told"),
    [
        ("str(quorzel)", True),
        ("def f():\n    return quorzel\nf()", True),
        ("deep_down('quorzel')", False),
        ("def f():\n    quorzel\n    quorzel = 1\nf()", False),  # Python's own message is clear
    ],
)
def test_in_a_notebook_a_name_of_the_cell_is_told_and_one_of_the_library_is_not(
    monkeypatch, capsys, cell, told
):
    shell = InteractiveShell()
    monkeypatch.setattr(unreadable, "running_shell", lambda: shell)
    monkeypatch.setattr(unreadable, "show", lambda text, html: print("TOLD", text))
    shell.user_ns["deep_down"] = deep_down
    result = shell.run_cell(cell)
    assert isinstance(result.error_in_exec, NameError)
    capsys.readouterr()
    told_of(result)
    assert ("TOLD `quorzel` has no meaning here." in capsys.readouterr().out) == told


def deep_down(_):
    return quorzel  # noqa: F821
