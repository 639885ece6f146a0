"""What an error about shapes means, with the names and shapes that stand on the learner's line.

Every sentence is true by the shapes that were found in the failed frame, not by the library's
message alone; where they explain nothing, nothing is said.
"""

import ast
import re
import sys
from collections.abc import Callable
from dataclasses import replace

from course_lib.judging.shapes import rearranged as other
from course_lib.judging.shapes import sentences as s
from course_lib.judging.shapes.documented import of_exercise, of_exercise_above
from course_lib.judging.shapes.entrywise import entrywise, in_place
from course_lib.judging.shapes.failing import Failing, failing, is_of_the_course
from course_lib.judging.shapes.looked_up import Unknown, function_of, is_array, value_in
from course_lib.judging.shapes.operands import Finding, Operand, operand, shapes_said
from course_lib.judging.shapes.places import of_subscript, of_text_and_number, of_unpacking
from course_lib.judging.shapes.products import product
from course_lib.judging.shapes.unfit import parameters_in, unfit
from course_lib.judging.verdict import Sentence, sentence
from course_lib.learner.errors import shortened

OPERATORS = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Pow: "**",
    ast.MatMult: "@",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}
PRODUCTS = ("dot", "inner", "matmul", "mm", "bmm", "linear")
ENTRYWISE = {"multiply": "*", "mul": "*", "add": "+", "subtract": "-", "sub": "-", "divide": "/"}
ENTRYWISE |= {"div": "/", "true_divide": "/", "maximum": "maximum", "minimum": "minimum"}
ENTRYWISE |= {"where": "where", "masked_fill": "masked_fill", "logical_and": "logical_and"}
JOINING = {"concatenate": 0, "cat": 0, "vstack": 0, "hstack": 1, "stack": None}
REARRANGING = ("reshape", "view", "transpose", "permute", "swapaxes")
MODULES = ("np", "numpy", "torch", "F", "math", "linalg", "functional", "tl")
ABOUT = re.compile(r"shape|size|dimension|axis|axes|broadcast|align|dim\b|indices|dtype")
ERRORS = (ValueError, RuntimeError, IndexError, TypeError, AssertionError)


def shapes_found(error: BaseException, candidate: Callable) -> Finding | None:
    """What does not fit on the answer's own line; None where that is not known. Never raises."""
    if not isinstance(error, ERRORS):
        return None
    try:
        place = failing(error, candidate)
        if place is None:
            return None
        if isinstance(place.node, ast.If | ast.While):  # what failed is the question alone
            place = replace(place, node=place.node.test, above=place.node)
        text = str(error)
        finding = of_exercise_above(place) or _of_node(place, place.node, text)
        finding = finding or _of_half(text) or unfit(place, text)
        finding = finding or _in_general(place, error)
        return finding and replace(finding, source=place.text(place.node))
    except Exception:  # a guess of ours that fails must not hide what the learner is to see
        return None


def _of_node(place: Failing, node: ast.AST, text: str) -> Finding | None:
    if isinstance(node, ast.BinOp):
        return _of_operator(place, node.op, node.left, node.right, text)
    if isinstance(node, ast.AugAssign):
        left, right = operand(place, node.target), operand(place, node.value)
        found = _of_operator(place, node.op, node.target, node.value, text)
        return found or in_place(f"{OPERATORS[type(node.op)]}=", left, right)
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        found = _truth(place, node, text)
        return found or _of_operator(place, node.ops[0], node.left, node.comparators[0], text)
    if isinstance(node, ast.Call):
        return _of_call(place, node, text)
    if isinstance(node, ast.Subscript):
        return of_subscript(place, node, text)
    if isinstance(node, ast.Tuple) and isinstance(place.above, ast.Assign):
        return of_unpacking(place, node, place.above.value)
    return _truth(place, node, text)


def _of_operator(
    place: Failing, op: ast.AST, left: ast.AST, right: ast.AST, text: str
) -> Finding | None:
    name = OPERATORS.get(type(op))
    if name is None:
        return None
    sides = operand(place, left), operand(place, right)
    written = "{left} " + name + " {right}"
    if name == "@":
        return product(written, name, *sides, text) or _types(place, left, right, text)
    of_text = of_text_and_number(place, left, right) if name == "+" else None
    return of_text or entrywise(written, name, sides, text)


def _of_call(place: Failing, node: ast.Call, text: str) -> Finding | None:
    name, given = _called(place, node)
    parts = [operand(place, one) for one in given]
    of_another = of_exercise(place, node, parts)
    if of_another is not None:
        return of_another
    if name in PRODUCTS and len(parts) >= 2:
        found = product(_written(place, node), name, parts[0], parts[1], text)
        return found or _types(place, given[0], given[1], text)
    if name in ENTRYWISE and len(parts) >= 2:
        written = _written(place, node) if len(parts) == 2 and name != "masked_fill" else ""
        found = entrywise(written, ENTRYWISE[name], parts, text)
        if found is not None:
            return found
    if name in JOINING and given:
        return _of_joining(place, node, given, name)
    if name == "einsum" and isinstance(node.args[0], ast.Constant):
        return other.summed(str(node.args[0].value), [operand(place, n) for n in node.args[1:]])
    if parts and name in REARRANGING:
        found = _of_rearranging(place, node, name, parts[0], text)
        if found is not None:
            return found
    found = _of_layer(place, node, parts)
    return found or other.without_axis(parts, text) or _one_number_wanted(place, node, parts, text)


def _of_layer(place: Failing, node: ast.Call, parts: list[Operand]) -> Finding | None:
    """Why a layer `torch.nn.Linear` failed."""
    torch = sys.modules.get("torch")
    if torch is None or not parts or not parts[-1].shape:
        return None
    try:
        layer = value_in(place.frame, node.func)
    except Unknown:
        return None
    if type(layer) is not torch.nn.Linear or parts[-1].shape[-1] == layer.in_features:
        return None
    rule = sentence(s.LAYER_RULE, layer=place.text(node.func), size=layer.in_features)
    return other.found_at(parts[-1:], rule, "layer", layer.in_features)


def _called(place: Failing, node: ast.Call) -> tuple[str, list[ast.expr]]:
    """The name of what is called, and its arrays; of a method, what it belongs to is the first."""
    if isinstance(node.func, ast.Attribute):
        holder = node.func.value
        last = holder.attr if isinstance(holder, ast.Attribute) else getattr(holder, "id", "")
        try:
            belongs = is_array(value_in(place.frame, holder))
        except Unknown:
            belongs = last not in MODULES
        return node.func.attr, [holder, *node.args] if belongs else list(node.args)
    name = function_of(place.frame, node.func)
    return name or getattr(node.func, "id", ""), list(node.args)


def _written(place: Failing, node: ast.Call) -> str:
    """A call of two arrays with a place for each."""
    called = place.text(node.func)
    if len(node.args) > 2:
        return ""
    if len(node.args) == 2:
        return called + "({left}, {right})"
    return "{left}." + called.rpartition(".")[2] + "({right})"


def _of_rearranging(
    place: Failing, node: ast.Call, name: str, one: Operand, text: str
) -> Finding | None:
    if name in ("reshape", "view"):
        return other.reshaped(one, text)
    given = len(node.args)
    if given == 1 and isinstance(node.args[0], ast.Tuple | ast.List):
        given = len(node.args[0].elts)
    if name == "transpose" and "arguments" in text:
        return other.swapped(one, given)
    return other.transposed(one, given, text)


def _of_joining(place: Failing, node: ast.Call, given: list[ast.expr], name: str) -> Finding | None:
    if not isinstance(given[0], ast.List | ast.Tuple):
        return None
    axis: object = JOINING[name]
    said = [one.value for one in node.keywords if one.arg in ("axis", "dim")] or given[1:]
    if said and axis is not None:
        axis = value_in(place.frame, said[0])
    parts = [operand(place, one) for one in given[0].elts]
    if isinstance(axis, int) and axis < 0 and parts[0].shape is not None:
        axis += len(parts[0].shape)
    return other.joined(parts, axis if isinstance(axis, int) else None, name)


def _truth(place: Failing, node: ast.AST, text: str) -> Finding | None:
    """Python asks a whole array whether it is true."""
    if "ambiguous" not in text:
        return None
    node = node.test if isinstance(node, ast.IfExp) else node
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        node = node.operand
    one = operand(place, node)
    rule = sentence(s.TRUTH_RULE)
    if isinstance(node, ast.Name) and node.id in parameters_in(place, node):
        rule = sentence(s.GIVEN_RULE, source=node.id)
    return Finding(rule, ("truth",)) if not one.shape else other.found_at([one], rule, "truth")


def _one_number_wanted(
    place: Failing, node: ast.Call, parts: list[Operand], text: str
) -> Finding | None:
    """math.exp, float, max of Python: they take single numbers."""
    wide = [one for one in parts if one.shape]
    if not wide:
        return None
    called = place.text(node.func)
    if "ambiguous" in text:
        return other.found_at(wide[:2], sentence(s.COMPARES_RULE, called=called), "truth")
    if "converted to Python scalars" in text or "only length-1 arrays" in text:
        return other.found_at(wide[:1], sentence(s.ONE_NUMBER_RULE, called=called), "number")
    return None


def _types(place: Failing, left: ast.AST, right: ast.AST, text: str) -> Finding | None:
    """Two tensors of other precision, which torch does not multiply."""
    if "dtype" not in text and "scalar type" not in text:
        return None
    values = [value_in(place.frame, one) for one in (left, right)]
    if not all(map(is_array, values)) or values[0].dtype == values[1].dtype:
        return None
    first, second = (str(one.dtype).removeprefix("torch.") for one in values)
    texts = {"left": place.text(left), "right": place.text(right)}
    return Finding(sentence(s.DTYPES, first=first, second=second, **texts), (first, second))


def _of_half(text: str) -> Finding | None:
    """A number that half precision does not have."""
    if not re.search("Half without overflow|could not be represented in float16", text):
        return None
    return Finding(sentence(s.HALF_RULE), ("half",))


def _in_general(place: Failing, error: BaseException) -> Finding | None:
    """The arrays of an expression that failed for a reason of shapes that is not known here.

    The course's own functions say the reason in the learner's words.
    """
    text = str(error)
    if not ABOUT.search(text) or not isinstance(place.node, ast.Call | ast.BinOp | ast.Subscript):
        return None
    nodes: list[ast.AST] = list(ast.iter_child_nodes(place.node))
    if isinstance(place.node, ast.Call):
        nodes = [*_called(place, place.node)[1], *(one.value for one in place.node.keywords)]
    known = [one for one in (operand(place, node) for node in nodes) if one.shape]
    if not known:
        return None
    template = s.IN_GENERAL_SAID if is_of_the_course(error) else s.IN_GENERAL
    says = sentence(template, shapes=shapes_said(known), error=shortened(text).rstrip("."))
    return Finding(says, ("general", *(one.shape for one in known)))


def fitting(findings: list[Finding]) -> Sentence | None:
    """What would fit by the sizes wherever the same expression failed; None where nothing would."""
    if not findings:
        return None
    alike = [one for one in findings if one.source == findings[0].source]
    texts = [{fit.text for fit in one.fits} for one in alike]
    kept = [fit for fit in findings[0].fits if all(fit.text in one for one in texts)]
    if len(kept) == 1:
        return kept[0].says
    if len(kept) not in (2, 3):
        return None
    named = sentence(s.EXPRESSION, expression=kept[0].text)
    for one in kept[1:]:
        other_one = sentence(s.EXPRESSION, expression=one.text)
        named = sentence(s.OR, first=named, second=other_one)
    return sentence(s.SEVERAL_FIT, expressions=named)
