"""What a learner types into the field of a bet, as a number; or what is wrong with it."""

import math
import re
from contextlib import suppress

from course_lib.betting import sentences as s
from course_lib.betting.bet import Number
from course_lib.words import say


def number_in(field: Number, text: str) -> tuple[float | None, str]:
    """The number that was typed, and "": None where nothing was; or None and a sentence."""
    typed = text.strip().removesuffix(field.unit).removesuffix("°").strip()
    if not typed:
        return None, ""
    readings = [n for n in _readings(typed) if field.low <= n <= field.high]
    if len(readings) > 1:
        first, second = (f"{number:.10g}" for number in readings)
        return None, say(s.TWO_READINGS, typed=typed, first=first, second=second)
    number = (readings or _readings(typed) or [math.nan])[0]
    low, high = f"{field.low:.10g}", f"{field.high:.10g}"
    if math.isnan(number):
        return None, say(s.NOT_A_NUMBER_BET, typed=typed, example=_example(field))
    if not field.low <= number <= field.high:
        return None, say(s.OUT_OF_RANGE, typed=typed, low=low, high=high)
    return number, ""


def _example(field: Number) -> str:
    """A number between the limits with few digits, written out as a learner would type it."""
    return f"{float(f'{(field.low + field.high) / 2:.2g}'):.10g}"


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
