"""What a chapter hands out: its exercises and bets, and the six names of its notebook."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from course_lib.betting.bet import Bet
from course_lib.betting.form import Bets
from course_lib.betting.sentences import BET_DEFECT
from course_lib.judging import report
from course_lib.judging.answer import verdict_on
from course_lib.judging.exercise import Exercise
from course_lib.judging.sentences import HINT
from course_lib.judging.verdict import Verdict, defect, interrupted
from course_lib.learner.adapter import adapt, code_of
from course_lib.learner.state import SavedFacts
from course_lib.markup import COLOURS, code_block, framed, marked_up
from course_lib.notebook import sentences as s
from course_lib.notebook.defects import defects_told
from course_lib.notebook.progress import html_progress, plain_progress
from course_lib.notebook.solution import solution
from course_lib.notebook.tries import Tries, tries_of
from course_lib.notebook.unfinished import UnfinishedChecks
from course_lib.notebook.unreadable import tell_of_unreadable_cells
from course_lib.showing import show
from course_lib.words import say


class Handout:
    """The exercises and bets of one chapter.

    name: the chapter's stem with its number, as in "01_dot_product".

    Raises: ValueError, if two of them have the same name.
    """

    def __init__(self, name: str, *, exercises: Iterable[Exercise] = (), bets: Iterable[Bet] = ()):
        exercises, bets = tuple(exercises), tuple(bets)
        names = [*(one.name for one in exercises), *(one.name for one in bets)]
        doubled = sorted({one for one in names if names.count(one) > 1})
        if doubled:
            raise ValueError(f"{name}: these names occur twice: {', '.join(doubled)}")
        self.name = name
        self.exercises = {one.name: one for one in exercises}
        self.bets = {one.name: one for one in bets}
        self.memory = SavedFacts(name)
        self._betting = Bets(self.bets, self.memory)
        self._unfinished = UnfinishedChecks(self.memory)
        self._hint_reached: dict[str, int] = {}
        self._not_bound: set[str] = set()  # for these, it was said what the cells below use
        tell_of_unreadable_cells()

    def exercise(self, attempt: Callable) -> Callable:
        """The decorator: judges what stands below it, shows the verdict, binds what works."""
        name = getattr(attempt, "__name__", type(attempt).__name__)
        found = self.exercises.get(name)
        if found is None:
            self._tell_unknown(name, self.exercises)
            return attempt
        verdict = interrupted(found.name)
        try:
            verdict = self._judged(found, attempt)
            self._show(found, verdict, self._remember(found, attempt, verdict).opened)
        except KeyboardInterrupt:  # between judging and showing
            verdict = interrupted(found.name)
        try:
            return adapt(found, attempt, verdict)
        except Exception as error:  # a class that refuses to be inherited from, say
            broken = defect(name, error)
            self._show(found, broken)
            return adapt(found, attempt, broken)

    def _judged(self, exercise: Exercise, attempt: Callable) -> Verdict:
        code = code_of(attempt)
        self._unfinished.tell_once(self.exercises)
        refused = self._unfinished.refused(exercise, code)
        if refused is not None:
            return refused
        with self._unfinished.under_way(exercise, code):
            return verdict_on(exercise, attempt)

    def bet(self, name: str = "", afresh: bool = False) -> None:
        """Show a question to bet on; what was bet is kept. afresh: forget it and its run first."""
        self._unfinished.tell_once(self.exercises)
        if self._knows(name, self.bets):
            if afresh:
                self.memory.forget("bet", name)
            with defects_told(name, BET_DEFECT):
                self._betting.offer(self.bets[name])

    def settle(self, name: str, measured: Any) -> None:
        """Compare the bet with what the run has just measured."""
        if self._knows(name, self.bets):
            with defects_told(name, BET_DEFECT):
                self._betting.settle(self.bets[name], measured)

    def placed(self, name: str) -> float | None:
        """The number or the option's index that was bet before the run; None without a bet."""
        return self._betting.placed(name) if name in self.bets else None

    def hint(self, name: str = "", number: int | None = None) -> None:
        """Show the next hint, or hint `number`."""
        if not self._knows(name, self.exercises):
            return
        with defects_told(name):
            self._hint(self.exercises[name], number)

    def reveal(self, name: str = "") -> None:
        """Show the course's answer."""
        if not self._knows(name, self.exercises):
            return
        with defects_told(name):
            self.memory.write("exercise", name, revealed=True)
            code = solution(self.exercises[name].answer)
            line = say(s.REVEALED) if code else say(s.NO_SOURCE, name=name)
            inside = marked_up(line) + (code_block(code) if code else "")
            show(f"{line}\n\n{code}".rstrip(), html=framed(inside))

    def progress(self) -> None:
        """Show what is done, and how often the bets came true."""
        with defects_told(self.name):
            done = self.exercises, self.bets, self.memory
            show(plain_progress(*done), html=html_progress(*done))

    def _hint(self, exercise: Exercise, number: int | None) -> None:
        name, hints = exercise.name, exercise.hints
        if not hints:
            print(say(s.NO_HINT, name=name))
            return
        if number is None:
            number = min(self._hint_reached.get(name, 0) + 1, len(hints))
        if type(number) is not int or not 1 <= number <= len(hints):
            print(say(s.NO_SUCH_HINT, name=f'"{name}"', count=len(hints)))
            return
        self._hint_reached[name] = number
        title = say(HINT, place=number, count=len(hints))
        last = number == len(hints)
        then = say(s.LAST_HINT if last else s.NEXT_HINT, name=f'"{name}"')
        text = say(hints[number - 1])
        plain = f"{title}: {text}\n{then}"
        inside = f"<b>{title}</b><div>{marked_up(text)}</div><div>{then}</div>"
        show(plain, html=framed(inside, COLOURS["todo"]))
        used = max(number, self.memory.read("exercise", name).get("hints", 0))
        self.memory.write("exercise", name, hints=used)

    def _show(self, exercise: Exercise, verdict: Verdict, opened: bool = False) -> None:
        with defects_told(exercise.name):
            again = exercise.name in self._not_bound
            try:
                plain = report.plain_report(exercise, verdict, again)
                rich = report.html_report(exercise, verdict, opened, again)
            except Exception as error:  # a template without its value, say
                broken = defect(exercise.name, error)
                print(report.plain_report(exercise, broken))
                return
            show(plain, html=rich)
            if verdict.state == "right":
                self._not_bound.discard(exercise.name)
            else:
                self._not_bound.add(exercise.name)

    def _remember(self, exercise: Exercise, attempt: Callable, verdict: Verdict) -> Tries:
        """Keep what was tried, and say what is known of the tries."""
        tries = Tries()
        with defects_told(exercise.name):
            known = self.memory.read("exercise", exercise.name)
            tries = tries_of(known)
            if verdict.cause in ("defect", "interrupted", "ended"):
                return tries
            facts: dict[str, object] = {"state": verdict.state}
            if verdict.state != "todo":  # a stub never replaces what the learner wrote
                code = code_of(attempt)
                is_new = not code or code != known.get("code")
                tries = tries.after(verdict.state, is_new and not verdict.half_done)
                facts.update(tries.facts, **({"code": code} if code else {}))
                facts.update({"half_done": code} if code and verdict.half_done else {})
            elif known.get("state"):
                return tries
            self.memory.write("exercise", exercise.name, **facts)
        return tries

    def _knows(self, name: object, known: Mapping) -> bool:
        if isinstance(name, str) and name in known:
            return True
        self._tell_unknown(name, known)
        return False

    @staticmethod
    def _tell_unknown(name: object, known: Mapping) -> None:
        listed = ", ".join(f'"{one}"' for one in known)
        if name == "":
            print(say(s.WHICH, known=listed))
            return
        shown_name = f'"{name}"' if isinstance(name, str) else repr(name)
        print(say(s.UNKNOWN, name=shown_name, known=listed))
