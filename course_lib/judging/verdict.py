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
    """One labelled line of a symptom, such as the input that shows it."""

    label: str
    value: str


@dataclass(frozen=True)
class Verdict:
    """The state of an answer, and why.

    state: "todo", "right" or "wrong".
    template, values: the main sentence, which is the symptom where the answer is wrong.
    evidence: the input, what was expected, what came.   notes: the broken properties.
    mistake: the sentence of the known mistake that it may be.   exactly: it does the same on all
    cases.   printed: what the learner's code printed on that input.
    cause: "" for an ordinary verdict, else "interrupted", "time" or "defect" (ours).
    plain_results: the right answer's results already have the reference's types.
    slow: right, and so slow that the cells below would make the learner wait.
    """

    state: str
    template: str
    values: Mapping[str, object] = field(default_factory=dict)
    evidence: tuple[Evidence, ...] = ()
    notes: tuple[Sentence, ...] = ()
    mistake: Sentence | None = None
    exactly: bool = False
    printed: Printed = NOTHING_PRINTED
    cause: str = ""
    plain_results: bool = False
    slow: bool = False

    @property
    def symptom(self) -> str:
        """The main sentence, rendered."""
        return Sentence(self.template, self.values).text

    @property
    def diagnosis(self) -> str:
        """Which known mistake it may be, in a sentence or two; "" where none."""
        if self.mistake is None:
            return ""
        template = s.HAPPENS_WHEN if self.exactly else s.LOOK_AT
        return sentence(template, mistake=self.mistake).text

    @property
    def text(self) -> str:
        """The whole verdict in words; what it may be stands last."""
        lines = [self.symptom]
        lines += [f"{say(one.label)}: {one.value}" for one in self.evidence]
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
