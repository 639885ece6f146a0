"""A call of what another exercise has bound: what it takes is written in its docstring."""

import ast
import inspect
import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from course_lib.judging.shapes import sentences as s
from course_lib.judging.shapes.failing import Failing, named_above
from course_lib.judging.shapes.looked_up import Unknown, value_in
from course_lib.judging.shapes.operands import (
    Finding,
    Fit,
    Operand,
    operand,
    shapes_said,
    turned_forms,
)
from course_lib.judging.shapes.products import multiplied
from course_lib.judging.verdict import Sentence, sentence
from course_lib.learner.bound import bound_of

CHAPTERS = "course_lib.chapters."


def of_exercise(place: Failing, node: ast.Call, parts: Sequence[Operand]) -> Finding | None:
    """Which arrays have other axes than another exercise's docstring says; None where none has."""
    try:
        called = value_in(place.frame, node.func)
    except Unknown:
        return None
    wanted = _taken(called) if _is_of_an_exercise(called) else {}
    pairs = list(zip(wanted.values(), parts, strict=False))
    known = [one for _, one in pairs if one.shape is not None]
    if all(one.shape is None or len(one.shape) == axes for (_, axes), one in pairs):
        return None
    name = place.text(node.func)
    of_vectors = all(axes == 1 for _, axes in wanted.values())
    said = sentence(s.TAKES_VECTORS, called=name) if of_vectors else _takes(name, wanted)
    says = sentence(s.TWO_PARTS, shapes=shapes_said(known), rule=said)
    key = ("call", *(one.shape for one in known))
    return Finding(says, key, _by_at(*known) if of_vectors and len(known) == 2 else ())


def of_exercise_above(place: Failing) -> Finding | None:
    """Which tables a function of vectors was given in a line above, without failing there.

    It is to blame only where no table came of them, as `@` would have made one.
    """
    for name, call in named_above(place):
        made = operand(place, name).shape
        found = of_exercise(place, call, [operand(place, one) for one in call.args])
        if found is not None and found.fits and made is not None and len(made) < 2:
            told = sentence(s.CALLED_ABOVE, call=place.text(call), what=found.says)
            return replace(found, says=told)
    return None


def _is_of_an_exercise(called: object) -> bool:
    module = getattr(called, "__module__", None) or ""
    return bound_of(called) is not None or (callable(called) and module.startswith(CHAPTERS))


def _taken(called: Callable) -> dict[str, tuple[str, int]]:
    """The shape of each parameter, as the docstring writes it, and its number of axes."""
    try:
        parameters = list(inspect.signature(called).parameters)
    except (TypeError, ValueError):
        return {}
    shapes = dict(re.findall(r"\b(\w+): \(([^().]*)\)", called.__doc__ or ""))
    if not parameters or any(name not in shapes for name in parameters):
        return {}
    written = {name: shapes[name] for name in parameters}
    return {
        name: (f"({shape})", len([one for one in shape.split(",") if one.strip()]))
        for name, shape in written.items()
    }


def _takes(name: str, wanted: dict[str, tuple[str, int]]) -> Sentence:
    listed = ", ".join(f"`{one}: {shape}`" for one, (shape, _) in wanted.items())
    return sentence(s.TAKES, called=name, listed=listed)


def _by_at(left: Operand, right: Operand) -> tuple[Fit, ...]:
    """The matrix products that make all the numbers at once: as it stands, or one side turned."""
    asked = [(left.held, left.shape)], [(right.held, right.shape)]
    turned = [[(text, shape) for text, shape, _ in turned_forms(one)] for one in (left, right)]
    for lefts, rights in (asked, (asked[0], turned[1]), (turned[0], asked[1])):
        for first, shape in lefts:
            for second, other in rights:
                made = multiplied(shape, other) if shape and other else None
                if made is not None:
                    text = f"{first} @ {second}"
                    return (Fit(text, sentence(s.TABLES_BY_AT)),)
    return ()
