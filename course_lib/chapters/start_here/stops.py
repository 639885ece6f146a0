"""Slips that stop, as Python stops where they are written: what was meant is in each name."""

from typing import Any


def called(one: Any, *given):
    """Round brackets where square ones pick, or around nothing behind a rule."""
    return one(*given)


def picked(of: Any, place: Any):
    """Square brackets around what is no place, behind what has none, or for round ones."""
    return of[place]


def with_a_dot(rule: Any):
    """A dot before the text, for round brackets."""
    return rule.text


def asked_itself(text):
    """A rule that asks itself, which would never end."""
    raise RecursionError("maximum recursion depth exceeded")


def undefined(name: str):
    """A name that nobody has made: an example's, or one's own in another spelling."""
    raise NameError(f"name '{name}' is not defined", name=name)
