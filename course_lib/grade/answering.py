"""Calls that the judge asks for, in the process that holds a learner's functions."""

import contextlib
import inspect
import itertools
from collections.abc import Callable
from typing import Any

from course_lib.grade.errors import made_again, told
from course_lib.grade.peer import Peer
from course_lib.grade.watchers import made, noted
from course_lib.judging.printed import PrintedLines
from course_lib.judging.typed import codes_of
from course_lib.learner.arrays import copied, is_generator_of_numbers, is_tensor, same_content
from course_lib.learner.bound import bound_to_its_name
from course_lib.learner.calls import isolated
from course_lib.learner.time_limit import limited


class Answering:
    """A learner's functions, called as the judge says, within limits of time."""

    def __init__(self, peer: Peer):
        self.peer = peer
        self.kept: dict[int, tuple] = {}
        self.number = itertools.count()

    def described(self, attempt: Any) -> dict:
        """What the judge is told of an answer."""
        try:
            found = inspect.signature(attempt).parameters.values()
            parameters = [[one.name, int(one.kind), one.default is not one.empty] for one in found]
        except (ValueError, TypeError):
            parameters = None
        codes = [] if inspect.isclass(attempt) else codes_of(attempt)
        return {
            "function": attempt, "parameters": parameters, "class": inspect.isclass(attempt),
            "line": codes[0].co_firstlineno if codes else 0,
            "file": codes[0].co_filename if codes else "",
        }  # fmt: skip

    def function(self, reference: dict) -> Callable:
        """A function of the judge's, such as a layer that a case gives."""

        def there(*args, **kwargs):
            question = {"do": "function", "key": reference["key"], "args": args, "kwargs": kwargs}
            answer = self.peer.ask(question)
            if not isinstance(answer, dict) or "error" in answer:
                raise made_again((answer or {}).get("error"))
            return answer.get("value")

        there.__name__ = there.__qualname__ = reference["name"]
        return there

    def serve(self, question: dict) -> dict:
        """The result of a call, of the way back through one, or of a launch; or its error."""
        function = self.peer.functions.get(question["key"])
        printed = PrintedLines()
        answer: dict[str, Any] = {}
        try:
            with isolated(printed), bound_to_its_name(question["name"], function):
                run = getattr(self, "_" + question["do"])
                answer = limited(lambda: run(function, question), question["seconds"])
        except BaseException as error:
            files = (
                set() if inspect.isclass(function) else {c.co_filename for c in codes_of(function)}
            )
            answer = {"error": told(error, files)}
        with contextlib.suppress(Exception):
            seen = printed.seen()
            if seen.lines:
                answer["printed"] = [list(seen.lines), seen.more]
        return answer

    def _call(self, function, question) -> dict:
        args, kwargs = question["args"], question["kwargs"]
        given = [*args, *kwargs.values()]
        before = [copied(one) for one in given]
        watcher = made(question["watcher"], given) if question["watcher"] else None
        with watcher or contextlib.nullcontext():
            value = function(*args, **kwargs)
        answer = {"value": value, "noted": noted(watcher) if watcher else None}
        leaves = [one for one in given if is_tensor(one) and one.requires_grad]
        if leaves and is_tensor(value) and value.requires_grad:
            answer["kept"] = kept = next(self.number)
            self.kept[kept] = value, leaves
        answer["changed"] = {
            place: one
            for place, (one, old) in enumerate(zip(given, before, strict=True))
            if is_generator_of_numbers(one) or not same_content(old, one)
        }
        return answer

    def _back(self, function, question) -> dict:
        import torch

        value, leaves = self.kept[question["kept"]]
        found = torch.autograd.grad(
            value, leaves, question["slope"], retain_graph=True, allow_unused=True
        )
        return {"value": list(found)}

    def _launch(self, function, question) -> dict:
        from course_lib.grade.launches import served

        return {"value": served(function, question)}
