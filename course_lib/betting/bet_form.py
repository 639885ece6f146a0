"""The live form of a bet, made of core widgets; imported only when a bet is shown."""

import html
import math
import re
from contextlib import suppress

import ipywidgets as widgets

from course_lib.betting.bet import CONFIDENCES, Choice
from course_lib.betting.betting import field_words
from course_lib.betting.settlement import CONFIDENCE_WORDS
from course_lib.judging import report
from course_lib.judging import sentences as s
from course_lib.words import say

WIDE = {"width": "auto", "max_width": "42em"}


def bet_form(bets, bet):
    """Question, options or a field, confidence, button, and where the bet stands.

    A choice counts as soon as it is made: who forgets the button has bet all the same.
    """
    facts = bets.facts(bet.name)
    answer = _options(bet, facts) if isinstance(bet.answer, Choice) else _field(bet, facts)
    sure = widgets.ToggleButtons(
        options=[(say(CONFIDENCE_WORDS[one]), one) for one in CONFIDENCES],
        value=facts.get("confidence", CONFIDENCES[0]),
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
    question = f"<b>{say(s.PLACE_YOUR_BET)}:</b> {report.marked_up(say(bet.question))}"
    return widgets.VBox(
        [
            widgets.HTML(f'<div style="line-height: 1.5;">{question}</div>'),
            answer,
            widgets.Label(say(s.CONFIDENCE)),
            sure,
            button,
            status,
        ],
        layout={"padding": "4px 0 4px 12px"},
    )


def _options(bet, facts):
    options = [(say(one), place) for place, one in enumerate(bet.answer.options)]
    return widgets.RadioButtons(options=options, index=facts.get("answer"), layout=WIDE)


def _field(bet, facts):
    value = f"{facts['answer']:.10g}" if "answer" in facts else ""
    words = field_words(bet.answer)
    return widgets.Text(value=value, placeholder=words, continuous_update=False, layout=WIDE)


def _read(bet, answer):
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
