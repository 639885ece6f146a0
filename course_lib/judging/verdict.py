"""What judging finds: sentences that are not yet rendered, so that judging prints nothing."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from course_lib.judging import sentences as s
from course_lib.judging.printed import NOTHING_PRINTED, Printed
from course_lib.learner.errors import shown_error
from course_lib.words import say


@dataclass(frozen=True)
class Sentence:
    """A template and its values; a value may be a Sentence itself."""

    template: str
    values: Mapping[str, object] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The sentence in the learner's language."""
        shown = {k: v.text if isinstance(v, Sentence) else v for k, v in self.values.items()}
        return say(self.template, **shown)


def sentence(template: str, /, **values: object) -> Sentence:
    """A sentence that is rendered later."""
    return Sentence(template, values)


@dataclass(frozen=True)
class Evidence:
    """One labelled line of a symptom, such as the input that shows it.

    asked: what was asked for instead, in words; "" where nothing is to be said of that.
    """

    label: str
    value: str
    asked: str = ""

    @property
    def shown(self) -> str:
        """The value, and what was asked for."""
        if not self.asked:
            return self.value
        return say(s.ASKED_FOR, value=self.value, asked=say(self.asked))


@dataclass(frozen=True)
class Cell:
    """One cell of a comparison. marked: the first that differs.   head: no number, but its place.

    first: the first cell of a group, which stands a little apart.
    """

    text: str | Sentence
    marked: bool = False
    head: bool = False
    first: bool = False

    @property
    def shown(self) -> str:
        """The text in the learner's language."""
        return self.text.text if isinstance(self.text, Sentence) else self.text


@dataclass(frozen=True)
class Comparison:
    """Rows of cells, all equally many.

    replaces: it says all that the lines "Expected" and "Yours" would.
    """

    rows: tuple[tuple[Cell, ...], ...]
    replaces: bool = True


@dataclass(frozen=True)
class Verdict:
    """The state of an answer, and why.

    state: "todo", "right" or "wrong".
    template, values: the main sentence, which is the symptom where the answer is wrong.
    evidence: the input, what was expected, what came.   comparison: the last two side by side.
    notes: the broken properties; of a right answer, what it is told besides.
    mistake: the sentence of the known mistake that it may be.   exactly: it does the same on all
    cases.   in_parts: it says itself of which parts it speaks.
    printed: what the learner's code printed on that input.
    cause: "" for an ordinary verdict, else "interrupted", "time", "defect" (ours), or "ended" (not
    run, as it stopped the last kernel).
    plain_results: the right answer's results already have the reference's types.
    slow: right, and so slow that the cells below would make the learner wait.
    """

    state: str
    template: str
    values: Mapping[str, object] = field(default_factory=dict)
    evidence: tuple[Evidence, ...] = ()
    comparison: Comparison | None = None
    notes: tuple[Sentence, ...] = ()
    mistake: Sentence | None = None
    exactly: bool = False
    in_parts: bool = False
    printed: Printed = NOTHING_PRINTED
    cause: str = ""
    plain_results: bool = False
    slow: bool = False

    @property
    def half_done(self) -> bool:
        """Whether all that is filled in is right, and a gap is left."""
        return self.template == s.HALF_DONE

    @property
    def symptom(self) -> str:
        """The main sentence, rendered."""
        return Sentence(self.template, self.values).text

    @property
    def diagnosis(self) -> str:
        """Which known mistake it may be, in a sentence or two; "" where none."""
        if self.mistake is None:
            return ""
        if self.in_parts or self.exactly:
            return self.mistake.text
        return sentence(s.LOOK_AT, mistake=self.mistake).text

    @property
    def text(self) -> str:
        """The whole verdict in words; what it may be stands last."""
        lines = [self.symptom]
        lines += [f"{say(one.label)}: {one.shown}" for one in self.evidence]
        lines += [note.text for note in self.notes]
        if self.mistake is not None:
            lines.append(self.diagnosis)
        return "\n".join(lines)


def interrupted(name: str) -> Verdict:
    """The verdict of a check that the learner stopped."""
    return Verdict("todo", s.WAS_INTERRUPTED, {"name": name}, cause="interrupted")


def defect(name: str, error: BaseException) -> Verdict:
    """The verdict that something of the course's own failed."""
    return Verdict("todo", s.DEFECT, {"name": name, "error": shown_error(error)}, cause="defect")
