"""Each bet of a chapter is settled below it, once."""

import re

from tools.chapter import Chapter, SourceError

CALL = re.compile(r'\b(?P<verb>bet|settle)\("(?P<name>\w+)"')


def check_bets(chapter: Chapter) -> None:
    """Raise SourceError for a bet that is not settled, or something settled that was not bet."""
    path, waiting, settled = chapter.path, {}, set()
    for cell in chapter.english:
        for number, line in cell.lines if cell.kind == "code" else ():
            for call in CALL.finditer(line):
                name = call["name"]
                if call["verb"] == "bet":
                    if name in waiting or name in settled:
                        raise SourceError(path, number, f"the bet {name!r} stands twice")
                    waiting[name] = number
                elif name in waiting:
                    settled.add(name)
                    del waiting[name]
                else:
                    how = "is settled twice" if name in settled else "is settled above its bet"
                    raise SourceError(path, number, f"{name!r} {how}")
    for name, number in waiting.items():
        what = f"the bet {name!r} is never settled: add settle({name!r}, measured) below the run"
        raise SourceError(path, number, what)
