"""What one case gives to a learner's function."""

from dataclasses import dataclass, field, replace
from typing import Any


@dataclass(frozen=True)
class Inputs:
    """What one case gives to the learner's function.

    build: the arguments of the constructor, where the exercise is a class.
    names: the names of the reference's parameters; `trial.fresh_inputs` fills them in.
    """

    args: tuple = ()
    kwargs: dict = field(default_factory=dict)
    build: tuple | None = None
    names: tuple[str, ...] = ()

    def built_with(self, *build: object) -> "Inputs":
        """The same inputs for a layer that is first built with these arguments."""
        return replace(self, build=build)

    def named(self) -> dict[str, Any]:
        """Every input under the name of its parameter."""
        given = {}
        for place, value in enumerate(self.args):
            name = self.names[place] if place < len(self.names) else f"input {place + 1}"
            given[name] = value
        return {**given, **self.kwargs}


def inputs(*args: Any, **kwargs: Any) -> Inputs:
    """What a case factory returns: the arguments of one call."""
    return Inputs(args, kwargs)
