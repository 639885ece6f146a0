"""An exercise is data: a short right answer, inputs to try, the known mistakes, hints."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from course_lib.judging.accept import close
from course_lib.judging.inputs import Inputs, inputs
from course_lib.judging.observe import call
from course_lib.judging.verdict import Sentence

# What an author writes an exercise with.
__all__ = ["Caused", "Exercise", "Inputs", "Mistake", "Property", "Refused", "inputs"]

EQUAL_UP_TO_ROUNDING = close(1e-6)


@dataclass(frozen=True)
class Mistake:
    """A wrong answer that learners give, and the sentence that explains it.

    says: completes "This is what happens when ..." in thought: a whole sentence of its own.
    wrong: a function or class with exactly this mistake.
    also: the same mistake in other writings; each is told this sentence.
    """

    says: str
    wrong: Callable
    also: tuple[Callable, ...] = ()


@dataclass(frozen=True)
class Refused:
    """A wrong answer that is none of the known mistakes.

    wrong: a function or class.   says: words of its verdict, where it is told why.
    """

    wrong: Callable
    says: str = ""


@dataclass(frozen=True)
class Property:
    """What is true of every right answer; named in the symptom where it is broken.

    holds(got, case_inputs) gets the observations as a dict.
    """

    sentence: str
    holds: Callable[[dict, Inputs], bool]


@dataclass(frozen=True)
class Caused:
    """Something that an open answer brings about.

    label: what it is.   value: a number, a text, or an array of one or two axes that can be read.
    asked: what was asked for, in words; "" where the label says it.
    """

    label: str
    value: Any
    asked: str = ""


@dataclass(frozen=True, eq=False)
class Exercise:
    """One thing that the learner writes.

    answer: the right answer with the stub's exact signature; its name is the exercise's.
    cases: factories `rng -> inputs(...)`; each call must make fresh, equal inputs.
    observe(candidate, case_inputs): what is looked at, a dict of arrays by name.
    accept(got, want, case_inputs): True, False, or a sentence that says what is wrong.
    mistakes, alternatives: known wrong answers with their sentence; right answers of another kind.
    refused: wrong answers without a sentence of their own.
    properties: what every right answer has.   hints: a question, a pointer, the skeleton.
    minutes, stars: how long, how hard.   seconds: the limit for running the learner's code.
    open_answer: many answers are right, so the reference is never shown as the expected one.
    effect(got, case_inputs): what an open answer brings about, shown instead of the answer itself.
    observations: what is said where an observation other than the output differs, by its name; a
    template with the fields name, want and got. An observer may carry them, too.
    parts: the names of several answers, judged one by one: observations, or the results of a tuple.
    reward: what a right answer is told: what it has made, or where that is used; a sentence, or a
    function of what was observed in the first case, and of its inputs, that returns one.
    unnamed: what is said besides the acceptance's sentence where no known mistake does all of it.
    depth: it stands behind the core and may be left out.
    unfolded: the named mistake stands open below the symptom: in an exercise for a first hour.
    used: a cell below calls it; else the verdict does not say which function the cells below use.

    Raises: ValueError, if there is no case or the reference has no name of its own.
    """

    answer: Callable
    cases: tuple[Callable, ...]
    observe: Callable = call
    accept: Callable = EQUAL_UP_TO_ROUNDING
    mistakes: tuple[Mistake, ...] = ()
    alternatives: tuple[Callable, ...] = ()
    refused: tuple[Refused, ...] = ()
    properties: tuple[Property, ...] = ()
    hints: tuple[str, ...] = ()
    minutes: int = 5
    stars: int = 1
    seconds: float = 10.0
    open_answer: bool = False
    effect: Callable[[dict, Inputs], Sequence[Caused]] | None = None
    observations: Mapping[str, str] = field(default_factory=dict)
    parts: tuple[str, ...] = ()
    reward: str | Callable[[dict, Inputs], Sentence] = ""
    unnamed: str = ""
    depth: bool = False
    unfolded: bool = False
    used: bool = True

    def __post_init__(self) -> None:
        if not self.name.isidentifier():
            raise ValueError(f"reference needs a name that a cell can define; got {self.name!r}")
        if not self.cases:
            raise ValueError(f"{self.name}: cases is empty; an exercise needs at least one case")

    @property
    def name(self) -> str:
        """The name that the learner defines."""
        return self.answer.__name__

    @property
    def is_class(self) -> bool:
        """Whether the learner writes a class."""
        return inspect.isclass(self.answer)

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        """The names of the inputs, in order; of `forward` where the exercise is a class."""
        function = getattr(self.answer, "forward", None) or self.answer
        names = tuple(inspect.signature(function).parameters)
        return names[1:] if self.is_class and names[:1] in (("self",), ("ctx",)) else names
