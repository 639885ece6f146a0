"""Offers bets, keeps them, and settles them with what the run measured."""

import html

from course_lib.betting.bet import CONFIDENCES, Choice
from course_lib.betting.settlement import bet_shown, confidence_shown, settled
from course_lib.judging import report
from course_lib.judging import sentences as s
from course_lib.judging.guard import guarded
from course_lib.showing import show
from course_lib.words import say

BET = "bet"


class Bets:
    """The bets of one chapter."""

    def __init__(self, bets: dict, memory):
        self.bets = bets
        self.memory = memory

    def placed(self, name: str):
        """What was bet before the run, or None."""
        return self.facts(name).get("answer")

    def facts(self, name: str) -> dict:
        """What is kept of a bet; without its answer where that no longer fits the question."""
        facts = self.memory.read(BET, name)
        if "answer" in facts and not _fits(self.bets[name].answer, facts["answer"]):
            del facts["answer"]
        if facts.get("confidence") not in CONFIDENCES:
            facts.pop("confidence", None)
        return facts

    def keep(self, bet, answer, confidence: str) -> str:
        """Keep an answer; once the run has settled the bet it is kept as after the run."""
        facts = self.facts(bet.name)
        if "run" in facts:
            if answer != facts.get("answer") or confidence != facts.get("confidence"):
                later = {"answer": answer, "confidence": confidence}
                self.memory.write(BET, bet.name, after_the_run=later)
        else:
            self.memory.write(BET, bet.name, answer=answer, confidence=confidence)
        return self.status(bet)

    def status(self, bet, placed: bool = True) -> str:
        """One sentence on where the bet stands; "" before one is made."""
        facts = self.facts(bet.name)
        if "answer" not in facts:
            return say(s.NO_BET_TO_SETTLE, name=f'"{bet.name}"') if "run" in facts else ""
        template = s.ALREADY_SETTLED if "run" in facts else s.PLACED if placed else s.CHOSEN
        sure = confidence_shown(facts.get("confidence")).text
        return say(template, bet=bet_shown(bet, facts["answer"]), confidence=sure)

    def offer(self, bet) -> None:
        """Show the question with a form; without a kernel the form is text."""
        with guarded(bet.name, s.BET_DEFECT):
            status = self.status(bet)
            widget = None
            try:
                from course_lib.betting.bet_form import bet_form

                widget = bet_form(self, bet)
            except Exception:  # no ipywidgets, or no front end: the question can still be read
                widget = None
            show(plain_bet(bet, status), html=html_bet(bet, status), widget=widget)

    def settle(self, bet, measured) -> None:
        """Say how the bet came out, and why."""
        with guarded(bet.name, s.BET_DEFECT):
            outcome = settled(bet, self.facts(bet.name), measured)
            self.memory.write(BET, bet.name, run=outcome.run, right=outcome.right)
            said, why = outcome.said.text, say(bet.why)
            model = say(bet.model_answer)
            lines = [said, why] + ([f"{say(s.MODEL_ANSWER)}: {model}"] if model else [])
            inside = f"<div><b>{html.escape(said)}</b></div><div>{report.marked_up(why)}</div>"
            if model:
                inside += report.folded(say(s.MODEL_ANSWER), report.marked_up(model))
            show("\n".join(lines), html=report.framed(inside, _colour(outcome.right)))


def _fits(kind, answer) -> bool:
    if isinstance(answer, bool):
        return False
    if isinstance(kind, Choice):
        return isinstance(answer, int) and 0 <= answer < len(kind.options)
    return isinstance(answer, int | float) and kind.low <= answer <= kind.high


def _colour(right) -> str:
    return report.COLOURS["todo" if right is None else "right" if right else "surprise"]


def field_words(number) -> str:
    """What to type into a number field."""
    template = s.NUMBER_FIELD_IN_UNIT if number.unit else s.NUMBER_FIELD
    low, high = f"{number.low:.10g}", f"{number.high:.10g}"
    return say(template, low=low, high=high, unit=number.unit)


def plain_bet(bet, status: str) -> str:
    """The question and its options in words."""
    lines = [f"? {say(s.PLACE_YOUR_BET)}: {say(bet.question)}"]
    if isinstance(bet.answer, Choice):
        lines += [f"  ( ) {say(option)}" for option in bet.answer.options]
    else:
        lines.append(f"  [ ] {field_words(bet.answer)}")
    return "\n".join(lines + ([status] if status else []))


def html_bet(bet, status: str) -> str:
    """The same as HTML, for where no kernel runs."""
    inside = f"<div><b>{say(s.PLACE_YOUR_BET)}:</b> {report.marked_up(say(bet.question))}</div>"
    if isinstance(bet.answer, Choice):
        options = "".join(f"<li>{report.marked_up(say(one))}</li>" for one in bet.answer.options)
        inside += f'<ul style="margin: 2px 0;">{options}</ul>'
    else:
        inside += f"<div>{html.escape(field_words(bet.answer))}</div>"
    if status:
        inside += f"<div>{html.escape(status)}</div>"
    return report.framed(inside, report.COLOURS["todo"])
