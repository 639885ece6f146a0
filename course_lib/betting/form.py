"""A bet on the page: its question with a form, where it stands, and how it came out."""

import html
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from course_lib.betting import sentences as s
from course_lib.betting.bet import (
    CONFIDENCES,
    LATER,
    Bet,
    Choice,
    Number,
    compared,
    confidence_shown,
)
from course_lib.betting.typed import number_in
from course_lib.learner.state import SavedFacts
from course_lib.markup import COLOURS, folded, framed, marked_up
from course_lib.showing import show
from course_lib.words import say

BET = "bet"


def facts_of(bet: Bet, memory: SavedFacts) -> dict:
    """What is kept of a bet; without its answer where that no longer fits the question."""
    facts = memory.read(BET, bet.name)
    if "answer" in facts and not bet.answer.fits(facts["answer"]):
        for part in ("answer", "right", "close"):
            facts.pop(part, None)
    if facts.get("confidence") not in CONFIDENCES:
        facts.pop("confidence", None)
    later = facts.get(LATER)
    if not isinstance(later, dict) or not bet.answer.fits(later.get("answer")):
        facts.pop(LATER, None)
    return facts


class Bets:
    """The bets of one chapter: offered, kept, settled."""

    def __init__(self, bets: Mapping[str, Bet], memory: SavedFacts):
        self.bets = bets
        self.memory = memory

    def placed(self, name: str) -> float | None:
        """The number or the option's index that was bet before the run; None without a bet."""
        return self.facts(name).get("answer")

    def facts(self, name: str) -> dict:
        """What is kept of a bet and still fits its question."""
        return facts_of(self.bets[name], self.memory)

    def keep(self, bet: Bet, answer: float, confidence: str) -> str:
        """Keep an answer; once the run has settled the bet it is kept as after the run."""
        facts = self.facts(bet.name)
        if "run" in facts:
            if answer != facts.get("answer") or confidence != facts.get("confidence"):
                later = {"answer": answer, "confidence": confidence}
                self.memory.write(BET, bet.name, **{LATER: later})
        else:
            self.memory.write(BET, bet.name, answer=answer, confidence=confidence)
        return self.status(bet)

    def status(self, bet: Bet, placed: bool = True) -> str:
        """One sentence on where the bet stands; "" before one is made."""
        facts = self.facts(bet.name)
        values = {"name": f'"{bet.name}"'}
        if "answer" in facts:
            values["bet"] = bet.answer.bet_shown(facts["answer"])
            values["confidence"] = confidence_shown(facts.get("confidence"))
        if "run" not in facts:
            if "answer" not in facts:
                return ""
            return say(s.PLACED if placed else s.CHOSEN, **values)
        if LATER in facts:
            values["later"] = bet.answer.bet_shown(facts[LATER]["answer"])
            return say(s.CHANGED_LATER if "answer" in facts else s.FIRST_LATER, **values)
        return say(s.ALREADY_SETTLED if "answer" in facts else s.NO_BET_TO_SETTLE, **values)

    def offer(self, bet: Bet) -> None:
        """Show the question with a form; without a kernel the form is text."""
        status = self.status(bet)
        widget = None
        with suppress(Exception):  # no ipywidgets, or no front end: the question can still be read
            widget = live_form(self, bet)
        show(_in_words(bet, status), html=_as_html(bet, status), widget=widget)

    def settle(self, bet: Bet, measured: Any) -> None:
        """Say how the bet came out, and why.

        Raises: TypeError or ValueError, if the measured value does not fit to the bet.
        """
        found = compared(bet, self.facts(bet.name), measured)
        self.memory.write(BET, bet.name, run=found.run, right=found.right, close=found.close)
        why, model = say(bet.why), say(bet.model_answer)
        lines = [found.said, why] + ([f"{say(s.MODEL_ANSWER)}: {model}"] if model else [])
        inside = f"<div><b>{html.escape(found.said)}</b></div><div>{marked_up(why)}</div>"
        if model:
            inside += folded(say(s.MODEL_ANSWER), marked_up(model))
        state = "todo" if found.right is None else "right" if found.right else "surprise"
        show("\n".join(lines), html=framed(inside, COLOURS[state]))


def _in_words(bet: Bet, status: str) -> str:
    """The question and its options in words."""
    lines = [f"? {say(s.PLACE_YOUR_BET)}: {say(bet.question)}"]
    if isinstance(bet.answer, Choice):
        lines += [f"  ( ) {say(option)}" for option in bet.answer.options]
    else:
        lines.append(f"  [ ] {_field_words(bet.answer)}")
    return "\n".join(lines + ([status] if status else []))


def _as_html(bet: Bet, status: str) -> str:
    """The same as HTML, for where no kernel runs."""
    inside = f"<div>{_question(bet)}</div>"
    if isinstance(bet.answer, Choice):
        options = "".join(f"<li>{marked_up(say(one))}</li>" for one in bet.answer.options)
        inside += f'<ul style="margin: 2px 0;">{options}</ul>'
    else:
        inside += f"<div>{html.escape(_field_words(bet.answer))}</div>"
    if status:
        inside += f"<div>{html.escape(status)}</div>"
    return framed(inside, COLOURS["todo"])


def _question(bet: Bet) -> str:
    return f"<b>{say(s.PLACE_YOUR_BET)}:</b> {marked_up(say(bet.question))}"


def _field_words(number: Number) -> str:
    """What to type into a number field."""
    template = s.NUMBER_FIELD_IN_UNIT if number.unit else s.NUMBER_FIELD
    low, high = f"{number.low:.10g}", f"{number.high:.10g}"
    return say(template, low=low, high=high, unit=number.unit)


def live_form(bets: Bets, bet: Bet):
    """Question, options or a field, confidence, button, and where the bet stands: a widget.

    A choice counts as soon as it is made: who forgets the button has bet all the same.

    Raises: ImportError, where there is no anywidget.
    """
    from course_lib.betting.live import BetWidget

    return BetWidget(form_of(bets, bet), lambda told: taken(bets, bet, told))


def form_of(bets: Bets, bet: Bet) -> dict[str, Any]:
    """What the front end shows at first."""
    facts = bets.facts(bet.name)
    form = {
        "question": _question(bet),
        "sure": say(s.CONFIDENCE),
        "confidences": [
            {"value": kept, "html": marked_up(say(words))} for kept, words in CONFIDENCES.items()
        ],
        "confidence": facts.get("confidence", next(iter(CONFIDENCES))),
        "place": say(s.PLACE),
        "said": bets.status(bet),
    }
    if isinstance(bet.answer, Choice):
        options = enumerate(bet.answer.options)
        shown = [{"value": place, "html": marked_up(say(one))} for place, one in options]
        return {**form, "options": shown, "answer": facts.get("answer")}
    typed = f"{facts['answer']:.10g}" if "answer" in facts else ""
    return {**form, "field": {"label": _field_words(bet.answer), "typed": typed}}


def taken(bets: Bets, bet: Bet, told: Mapping) -> str:
    """Keep what a front end tells, where it is an answer; one sentence on where the bet stands."""
    confidence = told.get("confidence")
    if not isinstance(confidence, str) or confidence not in CONFIDENCES:
        confidence = next(iter(CONFIDENCES))
    answer, complaint = told.get("answer"), ""
    if isinstance(bet.answer, Number):
        answer, complaint = number_in(bet.answer, answer if isinstance(answer, str) else "")
    if complaint or answer is None or not bet.answer.fits(answer):
        return complaint
    bets.keep(bet, answer, confidence)
    return bets.status(bet, bool(told.get("placed")))
