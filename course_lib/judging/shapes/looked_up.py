"""The value of an expression in a frame that has failed, found without running a learner's code.

Names are looked up; arrays and tensors are indexed, turned, added and summed; of functions only
those of numpy, torch and Python that change nothing are called. Everything else has no value here.
"""

import ast
import operator
import sys
from contextlib import ExitStack
from types import FrameType, ModuleType
from typing import Any

import numpy as np

from course_lib.learner.arrays import numbers_in


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


MANY = 1_000_000  # numbers; nothing larger is computed again
ATTRIBUTES = ("T", "mT", "shape", "ndim", "size", "real")
METHODS = _words(
    "amax amin mean max min norm sum transpose swapaxes reshape view squeeze unsqueeze permute "
    "contiguous float double half astype exp sqrt flatten ravel copy clone detach dot matmul "
    "softmax abs std var expand numel dim size t mm bmm tril triu item unflatten tolist"
)
FUNCTIONS = _words(
    "abs amax amin arange asarray array cos diag dot exp exp2 expand_dims eye log log2 matmul max "
    "maximum mean min minimum moveaxis norm ones ones_like outer sin softmax sqrt square squeeze "
    "stack std sum swapaxes tensor transpose tril triu unsqueeze var vecdot where zeros zeros_like "
    "concatenate cat reshape isfinite tri"
)
MODULES = ("numpy", "numpy.linalg", "torch", "torch.nn.functional", "torch.linalg", "math")
BINARY = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
    ast.MatMult: operator.matmul,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
UNARY: dict[type, Any] = {
    ast.USub: operator.neg,
    ast.Invert: operator.invert,
    ast.UAdd: operator.pos,
}
PLAIN = (bool, int, float, str, type(None), slice, type(...), np.generic, type)


class Unknown(Exception):
    """An expression whose value cannot be found without running a learner's code."""


def value_in(frame: FrameType, node: ast.AST) -> Any:
    """The value of an expression. Raises: Unknown, and nothing else."""
    try:
        with ExitStack() as stack:
            stack.enter_context(np.errstate(all="ignore"))
            if "torch" in sys.modules:
                stack.enter_context(sys.modules["torch"].no_grad())
            return _Reader(frame).value(node)
    except Unknown:
        raise
    except Exception as error:
        raise Unknown(type(error).__name__) from None


def shape_of(value: Any) -> tuple[int, ...] | None:
    """The shape of an array, tensor, number, list of numbers or Triton's block; None of others."""
    if is_array(value):
        return tuple(map(int, value.shape))
    if isinstance(value, bool | int | float | complex | np.generic):
        return ()
    if type(value) in (list, tuple):
        return _shape_of_rows(value)
    if type(value).__name__ == "tensor" and type(value).__module__.startswith("triton."):
        return tuple(int(getattr(one, "value", one)) for one in getattr(value, "shape", ()))
    return None


def is_array(value: Any) -> bool:
    """Whether this is numpy's array or torch's tensor itself, no class made from them."""
    torch = sys.modules.get("torch")
    if type(value) is np.ndarray:
        return bool(value.dtype.kind in "biufc")
    return torch is not None and type(value) in (torch.Tensor, torch.nn.Parameter)


def function_of(frame: FrameType, node: ast.AST) -> str:
    """The name of numpy's, torch's or Python's own function that an expression means, else ""."""
    try:
        found = value_in(frame, node)
    except Unknown:
        return ""
    return _name_of(found)


def _shape_of_rows(rows: list | tuple) -> tuple[int, ...] | None:
    inner = {shape_of(one) for one in rows[:100]}
    if not rows or len(inner) != 1 or None in inner:
        return None
    return (len(rows), *(inner.pop() or ()))


def _name_of(found: Any) -> str:
    """The name under which one of the known modules holds a function."""
    name = getattr(found, "__name__", "")
    if not isinstance(name, str) or isinstance(found, ModuleType):
        return ""
    holders = [sys.modules[one] for one in MODULES if one in sys.modules]
    if any(getattr(one, name, None) is found for one in holders):
        return name
    return name if getattr(sys.modules["builtins"], name, None) is found else ""


class _Reader:
    """Reads expressions in one frame."""

    def __init__(self, frame: FrameType):
        self.frame = frame

    def value(self, node: ast.AST) -> Any:
        read = getattr(self, f"_{type(node).__name__.lower()}", None)
        if read is None:
            raise Unknown(type(node).__name__)
        return read(node)

    def _constant(self, node: ast.Constant) -> Any:
        return node.value

    def _name(self, node: ast.Name) -> Any:
        for space in (self.frame.f_locals, self.frame.f_globals, self.frame.f_builtins):
            if node.id in space:
                return space[node.id]
        raise Unknown(node.id)

    def _tuple(self, node: ast.Tuple) -> tuple:
        return tuple(map(self.value, node.elts))

    def _list(self, node: ast.List) -> list:
        return list(map(self.value, node.elts))

    def _slice(self, node: ast.Slice) -> slice:
        parts = (node.lower, node.upper, node.step)
        return slice(*(None if one is None else self._plain(one) for one in parts))

    def _attribute(self, node: ast.Attribute) -> Any:
        holder = self.value(node.value)
        if is_array(holder):
            if node.attr in ATTRIBUTES:
                return getattr(holder, node.attr)
        elif isinstance(holder, ModuleType):
            return vars(holder)[node.attr]
        else:
            kept = dict(vars(holder))  # of a layer: its parameters, buffers and layers lie apart
            for part in ("_parameters", "_buffers", "_modules"):
                kept |= kept.get(part) or {}
            return kept[node.attr]
        raise Unknown(node.attr)

    def _subscript(self, node: ast.Subscript) -> Any:
        holder, place = self.value(node.value), self._plain(node.slice)
        is_size = isinstance(holder, tuple) and type(holder).__module__ == "torch"
        if not (is_array(holder) or type(holder) in (str, list, tuple, dict) or is_size):
            raise Unknown("subscript")
        return holder[place]

    def _unaryop(self, node: ast.UnaryOp) -> Any:
        return UNARY[type(node.op)](self._plain(node.operand))

    def _binop(self, node: ast.BinOp) -> Any:
        return BINARY[type(node.op)](self._plain(node.left), self._plain(node.right))

    def _compare(self, node: ast.Compare) -> Any:
        if len(node.ops) != 1:
            raise Unknown("compare")
        left, right = self._plain(node.left), self._plain(node.comparators[0])
        return BINARY[type(node.ops[0])](left, right)

    def _call(self, node: ast.Call) -> Any:
        names = [one.arg for one in node.keywords]
        if None in names or "out" in names or any(isinstance(a, ast.Starred) for a in node.args):
            raise Unknown("call")
        keywords = {str(one.arg): self._plain(one.value) for one in node.keywords}
        given = [self._plain(one) for one in node.args]
        if isinstance(node.func, ast.Attribute) and node.func.attr in METHODS:
            holder = self._holder(node.func.value)
            if is_array(holder):
                return self._method(holder, node.func.attr, given)(*given, **keywords)
        function = self.value(node.func)
        name = _name_of(function)
        if name == "len" and not keywords:
            return len(*given)
        if name not in FUNCTIONS or (len(given) > 2 and name != "where") or _writes(name, given):
            raise Unknown(name)
        return function(*given, **keywords)

    def _holder(self, node: ast.AST) -> Any:
        try:
            return self.value(node)
        except Unknown:
            return None

    def _method(self, holder: Any, name: str, given: list) -> Any:
        rearranges = name in ("transpose", "reshape", "view", "permute", "expand", "unflatten")
        if len(given) > 1 and not rearranges and not (name == "swapaxes" or _is_tensor(holder)):
            raise Unknown(name)  # numpy's second or third argument may be written to
        return getattr(holder, name)

    def _plain(self, node: ast.AST) -> Any:
        """A value whose operators are numpy's, torch's or Python's own."""
        value = self.value(node)
        self._refuse_strangers(value)
        return value

    def _refuse_strangers(self, value: Any) -> None:
        if type(value) in (list, tuple):
            for one in value:
                self._refuse_strangers(one)
        elif is_array(value) and numbers_in(value) > MANY:
            raise Unknown("large")
        elif not (is_array(value) or isinstance(value, PLAIN) or _is_dtype(value)):
            raise Unknown(type(value).__name__)


def _writes(name: str, given: list) -> bool:
    """Whether the second argument of a function of one array would be written to."""
    of_one = ("exp", "exp2", "sqrt", "abs", "log", "log2", "sin", "cos", "square", "isfinite")
    return len(given) > 1 and name in of_one


def _is_tensor(value: Any) -> bool:
    return type(value).__module__.startswith("torch")


def _is_dtype(value: Any) -> bool:
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(value, torch.dtype)
