"""The sentences of what a notebook calls; `say` fills the fields in braces."""

# Names
WHICH = "Which one? There is: {known}."
UNKNOWN = "There is no {name} in this chapter. There is: {known}."

# Hints and answers
NO_HINT = "There are no hints for {name}."
LAST_HINT = "That was the last hint; reveal({name}) shows the course's answer."
NEXT_HINT = "hint({name}) shows the next one."
NO_SUCH_HINT = "{name} has {count} hints; hint({name}, 1) shows the first."
REVEALED = "The course's answer. Close it, wait a minute, and write yours from memory."
NO_SOURCE = "The source of {name} is not at hand here."

# Progress
PROGRESS = "Progress in {chapter}"
DEPTH = "Depth, which may be left out"
DEPTH_EXERCISES = "Depth, which may be left out: {right} of {count} exercises are right"
COLUMN_EXERCISE = "exercise"
COLUMN_STATE = "state"
COLUMN_HINTS = "hints"
COLUMN_MINUTES = "about, min"
COLUMN_STARS = "stars"
COLUMN_BET = "bet"
COLUMN_YOU = "you"
COLUMN_RUN = "the run"
COLUMN_VERDICT = "verdict"
STATE_RIGHT = "✓ right"
STATE_WRONG = "✗ wrong"
STATE_HALF = "○ half done"
STATE_TODO = "○ open"
STATE_AND_TRY = "{state}, try {count}"
STATE_TRIED_ON = "✓ right before; ✗ the last try"
STATE_HALF_AGAIN = "✓ right before; ○ the last try, half done"
BET_WAS_RIGHT = "✓ right"
BET_WAS_CLOSE = "≈ close"
BET_WAS_WRONG = "✗ off"
BET_WAITS = "○ not run"
AFTER_THE_RUN = "{bet} (after the run)"
BET_MISSING = "○ no bet"
CALIBRATION_PART = "{right} of {count} when you said {confidence}"
CALIBRATION = "Your bets came true: {parts}."
MORE_WERE_CLOSE = "{count} more came close."
OF_THEM_WERE_CLOSE = "{count} of them came close."
NO_CALIBRATION = "No bet has been settled yet."

# A check that took the kernel with it
KERNEL_STOPPED = (
    "The last check of {name} did not come back: the kernel stopped, or was started again, while "
    "it ran. One operation that never ends does that, and so does a crash. Your notebook is as "
    "you saved it."
)
NOT_RUN_AGAIN = (
    "{name} stopped the kernel the last time, so this code was not run again. Change it; or run "
    "the cell once more, and it is tried as it is."
)

# A cell that Python cannot read
UNREADABLE = (
    "Python could not read this cell, so no line of it ran. All that you ran before is still there."
)
UNREADABLE_LINE = "It stopped at line {number}:"
NEVER_CLOSED = "A bracket is opened here, and nowhere closed."
NEVER_OPENED = "This bracket closes none that was opened before."
CLOSED_BY_ANOTHER = "What `(` opens, `)` closes, and what `[` opens, `]` closes."
COLON_MISSING = "A line that begins with `def`, `for` or `if` ends with a colon."
NOTHING_INSIDE = "What belongs inside `def`, `for` or `if` begins four spaces further in."
UNEVEN_LINES = (
    "Lines that belong together begin exactly below each other, four spaces further in than the "
    "`def`, `for` or `if` above them."
)
QUOTE_MISSING = "A text ends on its line, with the same quote with which it begins."
TEXT_NEVER_CLOSED = "Three quotes begin a text, and three end it. Here they are missing at its end."
TRANSPOSED = (
    "Is the `'` meant as the transpose? In Python that is `.T`, as in `a.T`. A quote begins a "
    "text, and the same quote ends it on its line."
)
DOTTED_SIGN = (
    "Python writes no dot before the sign: `*`, `/` and `**` work entry by entry. The matrix "
    "product is `@`."
)
DOTS_LEFT = "A `...` is left beside your code. It only kept the place: take it out."
CURLY_BRACKETS = (
    "Behind a name, square brackets pick, as in `a[0]`, and round ones call. Curly ones do neither."
)
OTHER_QUOTES = "These are printed quotes. Python knows the straight ones of the keyboard only."
OTHER_MINUS = "This is a printed dash. Python's minus is the one of the keyboard: `-`."
OTHER_TIMES = "Python's times sign is the star: `2 * 3`."
NO_ROOT_SIGN = "Python knows no √. The square root of d is `d ** 0.5`, or `np.sqrt(d)`."
ONE_EQUALS_SIGN = (
    "One `=` gives what stands on its right to the name on its left. `==` asks whether both sides "
    "are equal."
)
RETURN_OUTSIDE = "`return` belongs inside a `def`: begin its line with four spaces."
ROUND_BRACKETS = "What a function is given stands in round brackets: `print(x)`."
DIGIT_AND_NAME = (
    "Between a number and a name stands a sign: `2 * a`. And no name begins with a digit."
)
COMMA_MISSING = "Is a comma missing, or a sign such as `*`, or the quotes of a text?"
TWO_WORDS = (
    "Two words stand side by side. Is it a text? Then it needs quotes. Are they two names? Then a "
    "sign belongs between them, as in `a * b`. Or is a word of Python misspelled?"
)
GIVEN_IN_BRACKETS = (
    "Two words stand side by side. What `{name}` is given stands in round brackets: "
    "`{name}({given})`."
)
ONE_NAME = (
    "Is this one name? Then it is `{name}`: a name has no space in it, and `_` joins its parts."
)
QUOTES_MISSING = (
    "Is `{word}` meant as a text? Then it needs a quote before it and one behind it: "
    '`{name} = "{word}"`. If it is a name, a cell further up has not run.'
)
NO_MEANING = "`{word}` has no meaning here. "
IS_IT_A_TEXT = (
    'Is it meant as a text? Then it needs a quote before it and one behind it: `"{word}"`. '
)
IS_IT_SPELLED = "Is it spelled as it was made, and has the cell that makes it run?"
PRODUCT_DOES_NOT_FIT = (
    "The two sides of this product do not fit. In `a @ b` a row of `a` meets a column of `b`, "
    "number by number. Here the one has {left} numbers and the other {right}. Should the two sides "
    "change places, or does one need its `.T`?"
)
IS_IT_A_NAME = "If it is a name: is it spelled as it was made, and has the cell that makes it run?"
DOT_MISSING = (
    "A dot is missing before `{name}`. On its left stands the text, on its right what is done with "
    "it, and what that needs stands in round brackets behind it, as in `text.{name}(...)`."
)
