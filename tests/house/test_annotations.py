"""Every public function of kernels, models and engines says which types it takes.

ruff's ANN001 asks the same of private ones and of functions inside of others.
"""

import ast

import pytest

from tools.house import LIBRARY

ROOMS = ("kernels", "models", "measures", "learner", "judging", "betting", "sliding", "notebook")
# To Triton an annotation means something else.
COMPILED = set((LIBRARY / "kernels").glob("triton_*.py"))
MODULES = sorted({path for one in ROOMS for path in (LIBRARY / one).rglob("*.py")} - COMPILED)


def public(body, inside=""):
    """Yield (name, function) of what a module, or a class in it, offers."""
    for node in body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield from public(node.body, f"{node.name}.")
        shown = isinstance(node, ast.FunctionDef) and not node.name.startswith("_")
        if shown or getattr(node, "name", "") == "__init__":
            yield f"{inside}{node.name}", node


def without_types(code: str) -> list[str]:
    """The parameters of public functions that have no annotation: function(parameter)."""
    found = []
    for name, node in public(ast.parse(code).body):
        static = any(ast.unparse(mark) == "staticmethod" for mark in node.decorator_list)
        own = "." in name and not static  # self or cls
        given = [*node.args.posonlyargs, *node.args.args][own:]
        given += [*node.args.kwonlyargs, node.args.vararg, node.args.kwarg]
        found += [f"{name}({one.arg})" for one in given if one and one.annotation is None]
    return found


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(LIBRARY)))
def test_every_parameter_of_a_public_function_is_annotated(path):
    assert without_types(path.read_text(encoding="utf-8")) == []


def test_what_has_no_type_is_found():
    code = "def f(a, b: int, *c, d=1, **e): ...\nclass A:\n    def __init__(self, x): ...\n"
    code += "    def g(self, y: int): ...\n    @staticmethod\n    def h(z): ...\n"
    assert without_types(code) == ["f(a)", "f(d)", "f(c)", "f(e)", "A.__init__(x)", "A.h(z)"]


def test_what_is_private_or_inside_may_have_none():
    code = "def _f(a): ...\ndef g():\n    def inner(x): ...\nclass _A:\n    def f(self, x): ...\n"
    assert without_types(code) == []
