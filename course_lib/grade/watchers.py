"""Who watches an answer's calls to PyTorch, sent to the process in which it makes them.

A watcher is a TorchFunctionMode of a module that holds no answers. Its fields go over the pipe:
plain values, functions as references, and the inputs of the call by their place. What it notes in
fields that are numbers or truth values comes back.
"""

import importlib
from typing import Any

from course_lib.learner.arrays import is_tensor


def as_sent(watcher: Any, given: list) -> dict:
    """A watcher as plain values. given: the inputs of the call."""
    kind = type(watcher)
    fields = {name: _sent(value, given) for name, value in vars(watcher).items()}
    return {"module": kind.__module__, "name": kind.__qualname__, "fields": fields}


def _sent(value, given) -> Any:
    if is_tensor(value):
        places = [place for place, one in enumerate(given) if one is value]
        return {"given": places[0]} if places else value
    if isinstance(value, list):
        return [_sent(one, given) for one in value]
    return value


def made(sent: dict, given: list) -> Any:
    """The same watcher here, where the inputs of the call are `given`."""
    kind = getattr(importlib.import_module(sent["module"]), sent["name"])
    watcher = kind.__new__(kind)
    vars(watcher).update({name: _made(value, given) for name, value in sent["fields"].items()})
    return watcher


def _made(value, given) -> Any:
    if isinstance(value, dict) and value.keys() == {"given"}:
        return given[value["given"]]
    return [_made(one, given) for one in value] if isinstance(value, list) else value


def noted(watcher: Any) -> dict:
    """What a watcher has noted so far, of numbers and truth values."""
    return {name: value for name, value in vars(watcher).items() if isinstance(value, int)}


def take(watcher: Any, came: object) -> None:
    """Let a watcher here have noted what the one over there has."""
    for name, value in came.items() if isinstance(came, dict) else ():
        if isinstance(value, int) and isinstance(vars(watcher).get(name), int):
            setattr(watcher, name, value)
