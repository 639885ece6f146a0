"""Nothing of the course's own may stop a learner: a defect becomes one sentence."""

from contextlib import contextmanager

from course_lib.judging.pasteable import shown_error
from course_lib.judging.sentences import DEFECT
from course_lib.words import say


@contextmanager
def guarded(name: str, template: str = DEFECT):
    """Turn any error of the code inside into one printed sentence that names `name`."""
    try:
        yield
    except Exception as error:
        print(say(template, name=name, error=shown_error(error)))
