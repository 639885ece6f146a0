"""An exercise on the page: hints one by one, and wrong answers as a quiz."""

import html
from collections.abc import Sequence

from course_lib.judging import sentences as judging
from course_lib.judging.exercise import Exercise
from course_lib.judging.report import effort
from course_lib.markup import marked_up
from course_lib.words import say
from tools.page import sentences as s
from tools.page.html import code, folded
from tools.page.quiz import Question


def exercise(one: Exercise, asked: Sequence[Question], links: str) -> str:
    """What stands below an exercise's code.

    links: HTML, where one can write and try it.
    """
    title = html.escape(say(s.TASK, name=one.name))
    parts = [
        f'<section class="task" aria-label="{title}"><p><b>{html.escape(say(s.YOUR_TURN))} '
        f"<code>{one.name}</code></b> {html.escape(effort(one))}</p>"
    ]
    count = len(one.hints)
    for place, hint in enumerate(one.hints, start=1):
        summary = html.escape(say(judging.HINT, place=place, count=count))
        parts.append(folded(summary, f"<p>{marked_up(say(hint))}</p>", "hint"))
    if asked:
        items = "".join(
            _item(f"{one.name}-{number}", question) for number, question in enumerate(asked)
        )
        parts.append(folded(html.escape(say(s.QUIZ, count=len(asked))), items, "quiz"))
    return "".join([*parts, f'<p class="links">{links}</p></section>'])


def _item(name: str, question: Question) -> str:
    options = "".join(
        f'<label><input type="radio" name="{name}" value="{i}">'
        f"<span>{marked_up(text)}</span></label>"
        for i, text in enumerate(question.options)
    )
    texts = (
        f'data-yes="{html.escape(say(s.QUIZ_RIGHT))}" data-no="{html.escape(say(s.QUIZ_WRONG))}"'
    )
    verdict = f'<pre class="printed">{html.escape(question.verdict)}</pre>'
    return (
        f'<fieldset class="quiz-item" data-right="{question.right}" {texts}>'
        f"<legend>{html.escape(say(s.HANDED_IN))}</legend>{code(question.code)}{options}"
        '<p class="said" role="status"></p>'
        f"{folded(html.escape(say(s.CHECK_SAYS)), verdict)}</fieldset>"
    )
