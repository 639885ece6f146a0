"""The pushes of the words in a sentence with *apple*, as they are written."""

from course_lib.figures.numerals import rounded_to_sum, signed


def written_pushes(data: dict) -> list[str]:
    """Each push in two digits, so that they lead from before to after as these are written."""
    total = round(data["after"], 2) - round(data["before"], 2)
    return [_pushed(push) for push in rounded_to_sum(data["pushes"], total)]


def _pushed(push: float) -> str:
    text = signed(push, 2)
    return text if push < 0 or float(text) == 0 else f"+{text}"
