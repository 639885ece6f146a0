"""The bets of a chapter on the page: the forms, and by what they are settled.

A bet is settled by what the stored run said, as it was printed: what the reader sees counts.
"""

import html
from collections.abc import Mapping
from typing import Any

from course_lib.betting import sentences as betting
from course_lib.betting.bet import CLOSE, CONFIDENCES, Bet, Choice, confidence_shown
from course_lib.betting.form import Bets, form_of
from course_lib.markup import COLOURS, framed, marked_up
from course_lib.notebook import sentences as notebook
from course_lib.words import say
from tools.page import sentences as s
from tools.page.html import folded

SAID = {  # by the name that bets.js knows
    "placed": s.PLACED,
    "chosen": s.CHOSEN,
    "settled": betting.ALREADY_SETTLED,
    "changedLater": betting.CHANGED_LATER,
    "noBetToSettle": s.NO_BET_TO_SETTLE,
    "firstLater": s.FIRST_LATER,
    "noBet": betting.NO_BET,
    "betLater": betting.BET_LATER,
    "right": betting.BET_RIGHT,
    "near": betting.BET_NEAR,
    "close": betting.BET_CLOSE,
    "off": betting.BET_OFF,
    "wrong": betting.BET_WRONG,
    "noNumber": betting.NOT_A_NUMBER_BET,
    "twoReadings": betting.TWO_READINGS,
    "outOfRange": betting.OUT_OF_RANGE,
    "part": notebook.CALIBRATION_PART,
    "calibration": notebook.CALIBRATION,
    "noCalibration": notebook.NO_CALIBRATION,
    "all": s.ALL_CHAPTERS,
    "depth": s.IN_DEPTH,
    "afterTheRun": notebook.AFTER_THE_RUN,
    "wasRight": notebook.BET_WAS_RIGHT,
    "wasClose": notebook.BET_WAS_CLOSE,
    "wasWrong": notebook.BET_WAS_WRONG,
    "waits": notebook.BET_WAITS,
    "missing": notebook.BET_MISSING,
    "forgetSure": s.FORGET_SURE,
    "forgotten": s.FORGOTTEN,
}


class Nothing:
    """The memory of who has not bet yet."""

    def read(self, kind: str, name: str) -> dict:
        """Nothing is kept."""
        return {}


def data(chapter: str, bets: Mapping[str, Bet], runs: Mapping[str, str]) -> dict[str, Any]:
    """What bets.js needs of a chapter.

    runs: what the stored run said to each bet.
    Raises: ValueError, if one said what is none of the answers.
    """
    offered = Bets(bets, Nothing())  # type: ignore[arg-type]
    return {
        "chapter": chapter,
        "texts": dict(SAID),
        "confidences": {kept: confidence_shown(kept) for kept in CONFIDENCES},
        "bets": {
            name: {
                "form": form_of(offered, bet),
                "answer": answer(bet, runs[name]),
                "run": runs[name],
                "depth": bet.depth,
            }
            for name, bet in bets.items()
        },
    }


def answer(bet: Bet, run: str) -> dict[str, Any]:
    """How a bet is answered, and the answer of the run.

    Raises: ValueError, if the run said what is no answer to it.
    """
    if isinstance(bet.answer, Choice):
        options = [say(one) for one in bet.answer.options]
        return {"kind": "choice", "options": options, "measured": options.index(run)}
    number = bet.answer
    measured = float(run.removesuffix(number.unit))
    if number.shown(measured) != run:
        raise ValueError(f"{bet.name}: the run says {run}, read as {number.shown(measured)}")
    return {
        "kind": "number",
        "low": number.low,
        "high": number.high,
        "unit": number.unit,
        "near": number.near,
        "factor": number.factor,
        "close": CLOSE,
        "most": number.most_shown(),
        "digits": number.format[2:-1],
        "measured": measured,
    }


def form(name: str, told: Mapping[str, Any]) -> str:
    """The form as bet.js draws it, still without life: nothing moves when that takes its place."""
    if "options" in told:
        answers = _choices("bet-options", "", told["options"], None)
    else:
        label = html.escape(told["field"]["label"])
        answers = f'<label class="bet-field"><span>{label}</span><input disabled></label>'
    sure = _choices("bet-sure", told["sure"], told["confidences"], told["confidence"])
    return (
        f'<div class="bet-place" data-bet="{name}"><section class="bet" inert>'
        f'<div class="bet-question">{told["question"]}</div>{answers}{sure}'
        f'<button type="button" disabled>{html.escape(told["place"])}</button></section></div>'
    )


def _choices(look: str, legend: str, options: list[dict], chosen: str | None) -> str:
    rows = "".join(
        f'<label><input type="radio" disabled{" checked" if one["value"] == chosen else ""}>'
        f"<span>{one['html']}</span></label>"
        for one in options
    )
    title = f"<legend>{html.escape(legend)}</legend>" if legend else ""
    return f'<fieldset class="{look}">{title}{rows}</fieldset>'


def settled(name: str, bet: Bet, run: str, printed: str) -> str:
    """What a run printed and how the bet came out: folded, so that one bets first.

    printed: HTML.
    """
    said = html.escape(say(betting.NO_BET, run=run))
    inside = f'<div><b class="bet-said">{said}</b></div><div>{marked_up(say(bet.why))}</div>'
    if model := say(bet.model_answer):
        inside += folded(html.escape(say(betting.MODEL_ANSWER)), f"<p>{marked_up(model)}</p>")
    told = framed(inside, COLOURS["todo"])
    return folded(
        html.escape(say(s.SETTLE)), f'{printed}<div data-settles="{name}">{told}</div>', "run"
    )


def all_bets(bets: Mapping[str, Bet]) -> str:
    """Where bets.js counts how the bets came out."""
    if not bets:
        return ""
    heads = (notebook.COLUMN_BET, notebook.COLUMN_YOU, notebook.COLUMN_RUN, notebook.COLUMN_VERDICT)
    head = "".join(f'<th scope="col">{html.escape(say(one))}</th>' for one in heads)
    empty = f"<tr>{'<td>&nbsp;</td>' * len(heads)}</tr>" * len(bets)
    return (
        '<section class="all-bets" aria-label="{title}"><p class="title"><b>{title}</b></p>'
        '<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>{empty}</tbody>'
        '</table></div><p class="here">&nbsp;</p><p class="everywhere">&nbsp;</p>'
        '<p>{kept} <button type="button" class="forget">{forget}</button></p>'
        '<p class="said" role="status"></p><noscript><p>{script}</p></noscript></section>'
    ).format(
        title=html.escape(say(s.YOUR_BETS)),
        head=head,
        empty=empty,
        kept=html.escape(say(s.KEPT)),
        forget=html.escape(say(s.FORGET)),
        script=html.escape(say(s.NEEDS_SCRIPT)),
    )
