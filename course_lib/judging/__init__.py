"""From an answer to a verdict: exercises as data, trials, comparison, diagnosis, words.

For graders, tests and other programs, two functions that stay:

    names(chapter=None)      the exercises, of one chapter or of all
    judge(name, function)    the verdict on an answer; nothing is printed or saved

A verdict has `state` ("right", "wrong", or "todo" where nothing was attempted or the check itself
failed), `text` (the whole verdict in words) and `diagnosis` (which known mistake it is, "" where
none). A chapter is imported when it is asked for, and torch with chapters 5 to 8.

>>> from course_lib.judging import judge, names
>>> names("00_start_here")[:2]
['00_start_here/next_letter', '00_start_here/trap']
>>> judge("03_scaling/scale", lambda scores, d_k: scores / d_k**0.5).state
'right'
>>> verdict = judge("03_scaling/scale", lambda scores, d_k: scores / d_k**2)
>>> verdict.state
'wrong'
>>> verdict.diagnosis
'You divided by the square of the width, not by its root.'
>>> print(verdict.text)
Divided like this, the scores of strangers would not spread by 1 at every width.
Input: scale(np.array([4.0, -4.0, 4.0, -4.0]), 16)
Spread of these scores: 4
After yours: 0.01562   (asked for: 1)
You divided by the square of the width, not by its root.
"""

from course_lib.judging.registry import judge, names

__all__ = ["judge", "names"]
