"""Nothing of the course's own may stop a learner: a defect becomes one sentence."""

from collections.abc import Iterator
from contextlib import contextmanager

from course_lib.judging.sentences import DEFECT
from course_lib.learner.errors import shown_error
from course_lib.words import say


@contextmanager
def defects_told(name: str, template: str = DEFECT) -> Iterator[None]:
    """Turn any error of the code inside into one printed sentence that names `name`."""
    try:
        yield
    except Exception as error:
        print(say(template, name=name, error=shown_error(error)))
