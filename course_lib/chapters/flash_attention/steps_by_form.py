"""Which lines of a loop over keys are which step of FlashAttention, whatever their names are.

    steps_of(function)      # {"scores": "s = q_tile @ kj.T / c", "new": "m_new = ...", ...}

A line is a step only where its form says so and what is made of it goes on as that step does: a
product is `scores` where its maximum is subtracted from it in an exponential. What is made in
several lines has all of them, with "; " between. Of the rest nothing is said.
"""

import ast
from collections.abc import Iterator
from typing import NamedTuple

MODULES = ("torch", "np", "numpy", "math")
SAME = ("T", "mT", "clone", "double", "float", "reshape", "to", "transpose", "unsqueeze", "values",
        "view")  # fmt: skip
MAXIMA, SUMS = ("max", "amax"), ("sum",)
PARTS = (
    "row maximum",
    "gap",
    "fall",
    "shrunk",
    "power sum",
    "power values",
)  # on the way to a step
OTHER = "other"  # of a name that was given a value in a way that is not understood


class Made(NamedTuple):
    """What a value is, and the lines and names that it was made of."""

    what: str | None = None
    lines: tuple[str, ...] = ()
    of: tuple["Made", ...] = ()  # the steps that went in
    name: str = ""  # that it was read from


NOTHING = Made()


def steps_of(function: ast.FunctionDef, loop: ast.For) -> dict[str, str]:
    """The lines of each step that is found in the loop; empty, where none is surely one."""
    reading = _Reading(function, loop)
    for line in loop.body:
        reading.read(line)
    needs = {"k_tile": "scores", "v_tile": "mixed"}  # else the slice may be for something else
    return {step: lines for step, lines in reading.steps.items()
            if lines and reading.steps.get(needs.get(step, step))}  # fmt: skip


class _Reading:
    """What each name holds, line by line."""

    def __init__(self, function: ast.FunctionDef, loop: ast.For):
        self.steps: dict[str, str] = {}
        self.held: dict[str, Made] = {}
        self.old, self.copies = "", {}
        given = [one.arg for one in function.args.args]
        self.tables = dict(zip(given[1:3], ("k_tile", "v_tile"), strict=False))
        self.kept = {one.id for line in loop.body for one in _stored(line)}  # from turn to turn

    def read(self, line: ast.stmt) -> None:
        """One line of the loop."""
        if isinstance(line, ast.AugAssign) and isinstance(line.target, ast.Name):
            before = ast.Name(line.target.id, ast.Load())
            pairs = [(line.target, ast.BinOp(before, line.op, line.value))]
        elif isinstance(line, ast.Assign) and len(line.targets) == 1:
            pairs = list(_pairs(line.targets[0], line.value))
        else:
            self.held.update({one.id: Made(OTHER) for one in _stored(line)})
            return
        made = [(target, value, self.made_of(value)) for target, value in pairs]
        for target, value, what in made:
            if isinstance(target, ast.Name):
                self._give(target.id, value, what, ast.unparse(line))
        given = {target.id for target, _, _ in made if isinstance(target, ast.Name)}
        rest = {one.id for one in _stored(line)} - given
        self.held.update(dict.fromkeys(rest, Made(OTHER)))

    def _give(self, name: str, value: ast.expr, made: Made, line: str) -> None:
        before = [one.lines for one in made.of if one.what in (*PARTS, made.what)]
        lines = tuple(dict.fromkeys([*(one for some in before for one in some), line]))
        table = _sliced(value)
        if table in self.tables:
            self.steps[self.tables[table]] = line
        if made.what in ("total", "mixed"):
            self._is(made.what, lines)
        if made.what == "new" and isinstance(value, ast.Name):
            if name == self.old:
                self._is("largest", (line,))
            lines = made.lines
        elif made.what == "new":
            self.old = made.name
            for copy in (made.name, *(one for one, of in self.copies.items() if of == made.name)):
                self.held[copy] = Made("old")
        elif made.what is None and isinstance(value, ast.Name):
            self.copies[name] = value.id
        what = made.what or (OTHER if name not in self.copies else None)
        self.held[name] = Made(what, lines, made.of)

    def _is(self, step: str, lines: tuple[str, ...]) -> None:
        self.steps[step] = "; ".join(lines)

    def made_of(self, value: ast.expr) -> Made:
        """What an expression makes."""
        if isinstance(value, ast.Name):
            return self.held.get(value.id, NOTHING)._replace(name=value.id)
        if isinstance(value, ast.BinOp):
            return self._both(value.op, self.made_of(value.left), self.made_of(value.right))
        if isinstance(value, ast.Subscript):
            return self._same(self.made_of(value.value))
        if isinstance(value, ast.Attribute) and value.attr in SAME:
            return self._same(self.made_of(value.value))
        if isinstance(value, ast.Call):
            return self._call(value)
        return NOTHING

    def _same(self, made: Made) -> Made:
        """The same in another shape; of the steps before scores nothing is known."""
        return made if made.what not in (None, OTHER) else NOTHING

    def _call(self, call: ast.Call) -> Made:
        name, given = _called(call)
        args = [self.made_of(one) for one in given]
        whats = [one.what for one in args]
        if name == "matmul" and len(args) == 2:
            return self._both(ast.MatMult(), *args)
        if name == "maximum" or (name == "max" and "row maximum" in whats):
            return self._maximum(args)
        if name in MAXIMA and whats[:1] == ["scores"]:
            return Made("row maximum", of=(args[0],))
        if name in SUMS and whats[:1] == ["powers"]:
            self._is("powers", args[0].lines)
            return Made("power sum", of=(args[0],))
        if name == "exp" and len(args) == 1:
            what = {"gap": "powers", "fall": "shrink"}.get(whats[0] or "")
            return Made(what, of=(args[0],)) if what else Made(OTHER)
        if name in SAME and args:
            return self._same(args[0])
        return Made(OTHER)

    def _maximum(self, args: list[Made]) -> Made:
        """The maximum so far and that of the tile."""
        if len(args) == 2:
            for tile, old in (args, args[::-1]):
                known = old.what is None and old.name in self.kept
                if tile.what == "row maximum" and known:
                    return Made("new", of=(tile,), name=old.name)
        return Made(OTHER)

    def _both(self, op: ast.operator, left: Made, right: Made) -> Made:
        both = {left.what: left, right.what: right}
        if isinstance(op, ast.MatMult):
            if "powers" in both:
                self._is("powers", both["powers"].lines)
                return Made("power values", of=(both["powers"],))
            return Made("scores") if set(both) <= {None, OTHER} else Made(OTHER)
        if isinstance(op, ast.Sub):
            return self._difference(left, right)
        if isinstance(op, ast.Mult) and "shrink" in both:
            other = left if left.what != "shrink" else right
            if other.what is None and other.name in self.kept:
                self._is("shrink", both["shrink"].lines)
                return Made("shrunk", of=(both["shrink"],))
        scaled = isinstance(op, ast.Mult) or (isinstance(op, ast.Div) and left.what == "scores")
        if scaled and "scores" in both and (None in both or OTHER in both):
            return Made("scores", of=(both["scores"],))
        if isinstance(op, ast.Add) and "shrunk" in both:
            for part, step in (("power sum", "total"), ("power values", "mixed")):
                if part in both:
                    return Made(step, of=(both["shrunk"], both[part]))
        return Made(OTHER)

    def _difference(self, left: Made, right: Made) -> Made:
        """Scores or the old maximum, counted from the new one."""
        if right.what != "new" or left.what not in ("scores", "old"):
            return Made(OTHER)
        self._is("new", right.lines)
        if left.what == "scores":
            self._is("scores", left.lines)
        return Made("gap" if left.what == "scores" else "fall")


def _pairs(target: ast.expr, value: ast.expr) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Each name of a line with its value; of `largest, where = x.max(1)` the first alone."""
    if not isinstance(target, ast.Tuple):
        yield target, value
    elif isinstance(value, ast.Tuple) and len(value.elts) == len(target.elts):
        yield from zip(target.elts, value.elts, strict=True)
    elif isinstance(value, ast.Call) and _called(value)[0] == "max":
        yield target.elts[0], value


def _stored(line: ast.stmt) -> list[ast.Name]:
    """The names that a line gives a value to, wherever in it."""
    return [one for one in ast.walk(line)
            if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)]  # fmt: skip


def _called(call: ast.Call) -> tuple[str, list[ast.expr]]:
    """The name of a function, and what it is given; x.exp() is exp(x)."""
    if isinstance(call.func, ast.Name):
        return call.func.id, call.args
    if not isinstance(call.func, ast.Attribute):
        return "", []
    of = call.func.value
    if isinstance(of, ast.Name) and of.id in MODULES:
        return call.func.attr, call.args
    return call.func.attr, [of, *call.args]


def _sliced(value: ast.expr) -> str:
    """The name of which a slice is taken, such as k of k[j : j + block]."""
    if isinstance(value, ast.Subscript) and isinstance(value.slice, ast.Slice):
        return value.value.id if isinstance(value.value, ast.Name) else ""
    return ""
