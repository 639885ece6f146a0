"""A bet on the page: its question with a form, where it stands, and how it came out."""

import html
import math
import re
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from course_lib.betting import sentences as s
from course_lib.betting.bet import CONFIDENCES, Bet, Choice, Number, compared, confidence_shown
from course_lib.learner.state import SavedFacts
from course_lib.markup import COLOURS, folded, framed, marked_up
from course_lib.showing import show
from course_lib.words import say

BET = "bet"
WIDE = {"width": "auto", "max_width": "42em"}


def facts_of(bet: Bet, memory: SavedFacts) -> dict:
    """What is kept of a bet; without its answer where that no longer fits the question."""
    facts = memory.read(BET, bet.name)
    if "answer" in facts and not bet.answer.fits(facts["answer"]):
        for part in ("answer", "right"):
            facts.pop(part, None)
    if facts.get("confidence") not in CONFIDENCES:
        facts.pop("confidence", None)
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
                self.memory.write(BET, bet.name, after_the_run=later)
        else:
            self.memory.write(BET, bet.name, answer=answer, confidence=confidence)
        return self.status(bet)

    def status(self, bet: Bet, placed: bool = True) -> str:
        """One sentence on where the bet stands; "" before one is made."""
        facts = self.facts(bet.name)
        if "answer" not in facts:
            return say(s.NO_BET_TO_SETTLE, name=f'"{bet.name}"') if "run" in facts else ""
        template = s.ALREADY_SETTLED if "run" in facts else s.PLACED if placed else s.CHOSEN
        sure = confidence_shown(facts.get("confidence"))
        return say(template, bet=bet.answer.bet_shown(facts["answer"]), confidence=sure)

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
        self.memory.write(BET, bet.name, run=found.run, right=found.right)
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

    Raises: ImportError, where there is no ipywidgets.
    """
    import ipywidgets as widgets

    facts = bets.facts(bet.name)
    answer = _answer_widget(bet, facts)
    sure = widgets.ToggleButtons(
        options=[(say(words), kept) for kept, words in CONFIDENCES.items()],
        value=facts.get("confidence", next(iter(CONFIDENCES))),
        style={"button_width": "6em"},
    )
    button = widgets.Button(description=say(s.PLACE), button_style="primary")
    status = widgets.HTML(_live(bets.status(bet)))

    def take(placed: bool) -> None:
        value, complaint = _read(bet, answer)
        if complaint or value is None:
            status.value = _live(complaint)
            return
        bets.keep(bet, value, sure.value)
        status.value = _live(bets.status(bet, placed))

    answer.observe(lambda change: take(False), "value")
    sure.observe(lambda change: take(False), "value")
    button.on_click(lambda clicked: take(True))
    question = widgets.HTML(f'<div style="line-height: 1.5;">{_question(bet)}</div>')
    parts = [question, answer, widgets.Label(say(s.CONFIDENCE)), sure, button, status]
    return widgets.VBox(parts, layout={"padding": "4px 0 4px 12px"})


def _answer_widget(bet: Bet, facts: Mapping):
    import ipywidgets as widgets

    if isinstance(bet.answer, Choice):
        options = [(say(one), place) for place, one in enumerate(bet.answer.options)]
        return widgets.RadioButtons(options=options, index=facts.get("answer"), layout=WIDE)
    value = f"{facts['answer']:.10g}" if "answer" in facts else ""
    words = _field_words(bet.answer)
    return widgets.Text(value=value, placeholder=words, continuous_update=False, layout=WIDE)


def _read(bet: Bet, answer: Any) -> tuple[float | None, str]:
    """The answer as data, or what is wrong with it."""
    if isinstance(bet.answer, Choice):
        return answer.value, ""
    typed = answer.value.strip().removesuffix(bet.answer.unit).removesuffix("°").strip()
    if not typed:
        return None, ""
    readings = [n for n in _readings(typed) if bet.answer.low <= n <= bet.answer.high]
    if len(readings) > 1:
        first, second = (f"{number:.10g}" for number in readings)
        return None, say(s.TWO_READINGS, typed=typed, first=first, second=second)
    number = (readings or _readings(typed) or [math.nan])[0]
    low, high = f"{bet.answer.low:.10g}", f"{bet.answer.high:.10g}"
    if math.isnan(number):
        middle = f"{(bet.answer.low + bet.answer.high) / 2:.3g}"
        return None, say(s.NOT_A_NUMBER_BET, typed=typed, example=middle)
    if not bet.answer.low <= number <= bet.answer.high:
        return None, say(s.OUT_OF_RANGE, typed=typed, low=low, high=high)
    return number, ""


def _readings(typed: str) -> list[float]:
    """The numbers that a text may mean: a comma parts decimals, or thousands."""
    texts = [typed.replace(",", ".")] if typed.count(",") <= 1 else []
    if re.fullmatch(r"-?\d{1,3}(,\d{3})+", typed):
        texts.append(typed.replace(",", ""))
    numbers = []
    for text in texts:
        with suppress(ValueError):
            numbers.append(float(text))
    return [number for number in numbers if math.isfinite(number)]


def _live(text: str) -> str:
    return f'<div role="status" aria-live="polite">{html.escape(text)}</div>'
