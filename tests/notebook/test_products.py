"""Below the error of a product in a cell: which two sizes do not fit."""

import numpy as np
import pytest
import torch
from IPython.core.interactiveshell import InteractiveShell

from course_lib.notebook import sentences as s
from course_lib.notebook import unreadable
from course_lib.notebook.products import of_a_product
from course_lib.notebook.unreadable import told_of

W, X = np.ones((4, 2)), np.ones((3, 4))  # a matrix, and three words
PRODUCTS = {  # code -> how long a row on the left is, and what it meets on the right
    "w @ x[2]": (2, 4),
    "w @ x": (2, 3),
    "x @ x[:, 0]": (4, 3),
    "x[2] @ x[0, :2]": (4, 2),
    "x[2, :2] @ w": (2, 4),
}


def error_of(code, names):
    with pytest.raises((RuntimeError, ValueError)) as caught:
        eval(code, names)
    return caught.value


@pytest.mark.parametrize("kind", [np.asarray, torch.from_numpy], ids=["numpy", "torch"])
@pytest.mark.parametrize(("code", "sizes"), PRODUCTS.items())
def test_numpy_and_torch_are_both_understood(kind, code, sizes):
    left, right = sizes
    told = of_a_product(str(error_of(code, {"w": kind(W), "x": kind(X)})))
    assert told == s.PRODUCT_DOES_NOT_FIT.format(left=left, right=right)


def test_the_dot_product_of_numpy_is_understood_too():
    told = of_a_product(str(error_of("np.dot(w, x)", {"np": np, "w": W, "x": X})))
    assert told == s.PRODUCT_DOES_NOT_FIT.format(left=2, right=3)


@pytest.mark.parametrize("code", ["w + x", "w.reshape(3, 3)", "int('two')"])
def test_of_other_errors_nothing_is_said(code):
    for kind in (np.asarray, torch.from_numpy):
        assert of_a_product(str(error_of(code, {"w": kind(W), "x": kind(X)}))) == ""


@pytest.mark.parametrize(
    ("cell", "told"),
    [
        ("key = w @ x[2]", True),
        ("def key():\n    return w @ x[2]\nkey()", True),
        ("deep_down(w, x[2])", False),
        ("x[2] @ w", False),
    ],
)
def test_in_a_notebook_a_product_of_the_cell_is_told_and_one_of_the_library_is_not(
    monkeypatch, capsys, cell, told
):
    shell = InteractiveShell()
    monkeypatch.setattr(unreadable, "running_shell", lambda: shell)
    monkeypatch.setattr(unreadable, "show", lambda text, html: print("TOLD", text))
    shell.user_ns |= {"w": torch.from_numpy(W), "x": torch.from_numpy(X), "deep_down": deep_down}
    result = shell.run_cell(cell)
    capsys.readouterr()
    told_of(result)
    assert ("TOLD The two sides of this product" in capsys.readouterr().out) == told


def deep_down(a, b):
    return a @ b
